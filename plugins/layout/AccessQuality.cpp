//===- AccessQuality.cpp - How well a layout serves an access -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutAssignment.h"
#include "tileiras/Layout/MemoryAccess.h"

namespace tileiras::layout {

/// Memory is moved in sectors: a warp that touches part of one pays for all of it.
static constexpr int64_t kSectorBytes = 32;

/// An access of a warp takes the load-store unit once for each line of the cache that it touches.
static constexpr int64_t kLineBytes = 128;

/// Contiguous bytes that the lanes of a warp access together in one instruction, up to `most`.
static int64_t getRunBytes(const as::AccessPattern &pattern, const LinearLayout &layout, unsigned dim,
                           int64_t most = kSectorBytes) {
  int64_t run = getContiguousElements(layout, dim, std::max(1u, pattern.maxVectorBytes / pattern.elementBytes));
  for (bool grown = true; grown && run * pattern.elementBytes < most;) {
    LinearLayout::Basis next(layout.getRank(), 0);
    next[dim] = run;
    grown = run < layout.getOutSize(dim) && llvm::is_contained(layout.getBases(LayoutDim::Lane), next);
    if (grown)
      run *= 2;
  }
  return std::min(most, run * pattern.elementBytes);
}

bool isGoodForAccess(const as::AccessPattern &pattern, const LinearLayout &layout, const LinearLayout &preferred) {
  if (layout == preferred)
    return true;
  // Copies held by many threads are loaded by many threads; a few bytes more are cheaper than an exchange.
  if (layout.getNumBits(LayoutDim::Register) > preferred.getNumBits(LayoutDim::Register) + 2)
    return false;
  if (pattern.tile.getRank() == 0)
    return true;
  unsigned dim = pattern.contiguousDim.value_or(pattern.tile.getRank() - 1);
  if (getContiguousElements(layout, dim, pattern.minElements) < pattern.minElements)
    return false;
  return getRunBytes(pattern, layout, dim) >= getRunBytes(pattern, preferred, dim);
}

AccessCount countAccesses(const as::AccessPattern &pattern, const LinearLayout &layout) {
  const LinearLayout own = layout.removeRegisterReplicas();
  const int64_t lanes = own.getInSize(LayoutDim::Lane) >> llvm::popcount(own.getReplicationMask(LayoutDim::Lane));
  int64_t vector = 1, run = pattern.elementBytes;
  if (pattern.contiguousDim) {
    vector =
        getContiguousElements(own, *pattern.contiguousDim, std::max(1u, pattern.maxVectorBytes / pattern.elementBytes));
    run = getRunBytes(pattern, own, *pattern.contiguousDim, kLineBytes);
  }
  const int64_t instructions = own.getInSize(LayoutDim::Register) / vector;
  return {instructions, instructions * int64_t(llvm::divideCeil(lanes * vector * pattern.elementBytes, run))};
}

} // namespace tileiras::layout
