//===- WarpShuffle.h - Conversions within a warp ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A conversion between two register layouts in which no value leaves its warp: lanes exchange registers by shuffles,
// and choose among their own registers by selects.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_WARPSHUFFLE_H
#define TILEIRAS_LAYOUT_WARPSHUFFLE_H

#include "tileiras/Layout/MemoryAccess.h"

namespace tileiras {

/// One shuffle of up to 32 bits (or of one larger element): it moves `values` (indices t of WarpShufflePlan), packed
/// into one register. Lane l of warp w reads from lane WarpShufflePlan::sourceLane(l, w) ^ `laneXor`.
struct ShuffleRound {
  int64_t laneXor = 0;
  llvm::SmallVector<unsigned, 4> values;
};

/// The conversion is done by these steps, in every thread (lane l, warp w):
///   1. m = sendSwap(l, w);               if m != 0 for some thread: x[i] = source register i ^ m, for all i; else x is
///      the source. (A conditional exchange of register pairs for each lane or warp bit with a non-zero entry.)
///   2. a[t] = x[sendRegister[t]] for each value t.
///   3. b[t] = a[t] of lane sourceLane(l, w) ^ laneXor, for each t of each of the `rounds`; b[t] = a[t] for the others.
///   4. m = receiveSwap(l, w);            c[t] = b[t ^ m], again a conditional exchange for each non-zero entry.
///   5. destination register i = c[resultRegister[i]].
struct WarpShufflePlan {
  ThreadFunction sendSwap;
  llvm::SmallVector<unsigned> sendRegister; ///< its size, a power of two, is the number of values
  ThreadFunction sourceLane;
  llvm::SmallVector<ShuffleRound> rounds;
  ThreadFunction receiveSwap;
  llvm::SmallVector<unsigned> resultRegister;

  /// sourceLane(l, w) is l for all threads: each round is a butterfly (shfl.bfly by laneXor).
  bool isButterfly() const;
  /// No value moves or depends on the thread: only step 2 and 5 do anything.
  bool isRegisterPermutation() const;
  /// Selects of one element that steps 1 and 4 take.
  int64_t countSelects() const;
};

/// The plan from `source` to `destination`, where `elementBits` says how many values share a shuffle. nullopt if a
/// value must cross warps, or if lanes would need to read different registers of one lane at once. Both layouts have
/// the same numbers of lanes and warps; `source` is surjective. A value held more than once is taken from the thread
/// itself where possible.
std::optional<WarpShufflePlan> planWarpShuffle(const LinearLayout &source, const LinearLayout &destination,
                                               unsigned elementBits);

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_WARPSHUFFLE_H
