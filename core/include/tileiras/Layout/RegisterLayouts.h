//===- RegisterLayouts.h - Families of register layouts ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common ways to spread a tile over the registers, lanes and warps of a CTA, built as LinearLayouts with the inputs
// Register, Lane and Warp. All results are surjective; threads beyond what the tile needs hold copies (zero bases).
// Extents, counts and shapes are powers of two.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_REGISTERLAYOUTS_H
#define TILEIRAS_LAYOUT_REGISTERLAYOUTS_H

#include "tileiras/Layout/LinearLayout.h"

namespace tileiras {

inline constexpr int64_t kLanesPerWarp = 32;

/// A blocked layout: each thread holds a contiguous block of `sizePerThread`, the lanes of a warp are a grid
/// `threadsPerWarp` of such blocks, the warps a grid `warpsPerCta` of those. One entry for each tile dimension;
/// `order` lists the dimensions fastest first and numbers registers, lanes and warps alike.
struct BlockedParameters {
  llvm::SmallVector<int64_t> sizePerThread, threadsPerWarp, warpsPerCta;
  llvm::SmallVector<unsigned> order;

  bool operator==(const BlockedParameters &other) const = default;
};

/// The blocked layout of a tile of `shape`. A dimension larger than one CTA-wide block repeats the block in further
/// registers (numbered after those of the block, by `order`). In a smaller one the excess threads wrap around: lane and
/// warp bits become zero bases (copies), register bits vanish (no thread holds an element twice).
LinearLayout makeBlockedLayout(const BlockedParameters &parameters, llvm::ArrayRef<int64_t> shape);

/// Parameters that make the accesses of a warp coalesced: each thread holds up to `maxVectorBytes` contiguous along
/// `contiguousDim` (default: the last dimension), consecutive lanes continue along it, then along the other dimensions,
/// last ones first. Vectors shrink before threads idle. Elements under 8 bits count as one byte.
/// Rank 0 is allowed (its layout has lanes only).
BlockedParameters chooseBlockedParameters(llvm::ArrayRef<int64_t> shape, unsigned elementBits, int64_t numWarps,
                                          std::optional<unsigned> contiguousDim = std::nullopt,
                                          unsigned maxVectorBytes = 16);

/// The operands of D = A * B + C; C stands for D too. Tiles: A is [batch×]m×k, B [batch×]k×n, C [batch×]m×n.
enum class MmaOperand : uint8_t { A, B, C };

/// How the warps of a CTA divide the [batch×]m×n accumulator tile: warp = (b * n + jn) * m + jm, i.e. the m index is in
/// the least significant warp bits, then n, then batch.
struct MmaWarpGrid {
  int64_t m = 1, n = 1, batch = 1;

  int64_t getNumWarps() const { return m * n * batch; }
  bool operator==(const MmaWarpGrid &other) const = default;
};

/// Tiles the fragment of one MMA operand (inputs Register, Lane and, for atoms of several warps, Warp; rank 2) over the
/// operand's tile of a CTA. The warps of a fragment are the first of the grid's along m, which are a multiple of them.
/// `tileShape` has rank 2, or 3 with the batch first.
///  * Registers: the fragment's registers come first, unchanged, then the repetitions of the atom in row-major order
///    (last tile dimension fastest, batch slowest): atom i of the warp is registers [i * F, (i + 1) * F), F the
///    fragment's register count.
///  * Warps: each warp holds one contiguous sub-tile of extent tile / grid (at least one atom) along the dimensions the
///    grid divides; the warps that share an operand hold copies (zero bases): those along n for A, along m for B.
///  * A tile smaller than the atom along m or n wraps around (lanes and registers hold copies, the product is right);
///    along k it must be at least the atom's extent, which the caller checks.
LinearLayout tileMma(const LinearLayout &fragment, MmaOperand operand, llvm::ArrayRef<int64_t> tileShape,
                     const MmaWarpGrid &grid);

/// A grid for `numWarps` that covers batches first, then divides the accumulator so that each warp's sub-tile is as
/// square as the atom's `atomM`×`atomN` allows, without dividing an atom while another dimension has atoms left.
MmaWarpGrid chooseMmaWarpGrid(llvm::ArrayRef<int64_t> accumulatorShape, int64_t atomM, int64_t atomN, int64_t numWarps);

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_REGISTERLAYOUTS_H
