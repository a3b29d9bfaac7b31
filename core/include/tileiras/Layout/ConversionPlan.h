//===- ConversionPlan.h - From one register layout to another --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The cheapest way to bring a tile from one register layout into another.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_CONVERSIONPLAN_H
#define TILEIRAS_LAYOUT_CONVERSIONPLAN_H

#include "tileiras/Layout/ConversionCosts.h"
#include "tileiras/Layout/SharedExchange.h"
#include "tileiras/Layout/WarpShuffle.h"

namespace tileiras {

enum class ConversionKind : uint8_t {
  Nothing,             ///< every thread has its values in the right registers already
  RegisterPermutation, ///< every thread has its values, in other registers or fewer or more copies of them
  WarpShuffle,         ///< no value leaves its warp
  SharedMemory,
};
llvm::StringRef stringifyConversionKind(ConversionKind kind);
std::optional<ConversionKind> symbolizeConversionKind(llvm::StringRef name);

/// Through shared memory: the threads store the tile (exchange.store), synchronise, and load it (exchange.load).
struct SharedConversion {
  SharedExchange exchange;
  int64_t bytes = 0; ///< of shared memory, from a base aligned to 16 bytes
  /// Threads with any of these bits set in their lane or warp hold nothing but copies; they need not store.
  /// (Matrix stores are collective: there all lanes of the warps that store take part.)
  uint64_t storeLaneMask = 0, storeWarpMask = 0;
  /// Destination register i is loaded register loadedRegister[i] (register numbers of `exchange.load` are those of the
  /// destination; only registers that differ are loaded, copies follow from here).
  llvm::SmallVector<unsigned> loadedRegister;
  /// Each warp reads only what it has stored itself: the lanes of a warp synchronise, not the CTA.
  bool withinWarp = false;
};

/// Exactly one of the members below `cost` is meaningful, by kind.
struct ConversionPlan {
  ConversionKind kind = ConversionKind::Nothing;
  /// An estimate in issue slots of one warp by ConversionCosts, comparable between plans.
  int64_t cost = 0;

  /// Nothing, RegisterPermutation: destination register i is source register registerMap[i] of the same thread.
  llvm::SmallVector<unsigned> registerMap;
  std::optional<WarpShufflePlan> shuffle;
  std::optional<SharedConversion> shared;
};

/// The plans that give every register of every thread of `destination` its element of the tile held by `source`, the
/// cheapest first; on a tie, the kind listed first. Where no value leaves its thread there is that plan only, else the
/// last resort, shared memory, is always among them. Both layouts have inputs Register, Lane and Warp, the same numbers
/// of lanes and warps and the same extents; `source` is surjective. Either may hold elements several times. Elements
/// under 8 bits are moved as bytes. Deterministic.
llvm::SmallVector<ConversionPlan, 1> collectConversionPlans(const LinearLayout &source, const LinearLayout &destination,
                                                            unsigned elementBits, const ConversionCosts &costs,
                                                            MatrixInstructions instructions = {});

/// The first of these.
ConversionPlan planConversion(const LinearLayout &source, const LinearLayout &destination, unsigned elementBits,
                              const ConversionCosts &costs, MatrixInstructions instructions = {});

/// Every thread holds the same elements in the same registers, when copies within a thread are left out.
bool equalModuloReplication(const LinearLayout &a, const LinearLayout &b);

/// Every thread of `source` holds all elements that it holds in `destination`.
bool holdsAllOf(const LinearLayout &source, const LinearLayout &destination);

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_CONVERSIONPLAN_H
