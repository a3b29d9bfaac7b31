//===- MemoryAccess.h - Vector accesses of a layout ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// How the threads that hold a tile by a register layout read or write it in a linear memory: which registers form a
// vector access and at which offset. A memory layout is a bijective LinearLayout with the one input Offset (in
// elements); a dense row-major tile in memory is LinearLayout::strided(LayoutDim::Offset, shape).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_MEMORYACCESS_H
#define TILEIRAS_LAYOUT_MEMORYACCESS_H

#include "tileiras/Layout/LinearLayout.h"

namespace tileiras {

/// A number that each thread computes from its own position: the XOR of lane[b] over the set bits b of its lane, and of
/// warp[b] over the set bits of its warp.
struct ThreadFunction {
  llvm::SmallVector<int64_t, 5> lane;
  llvm::SmallVector<int64_t, 4> warp;

  int64_t apply(int64_t laneId, int64_t warpId = 0) const;
  bool operator==(const ThreadFunction &other) const = default;
};

/// One access of every thread: `registers` are contiguous in memory in this order, from the element offset
/// VectorAccessPlan::offset(thread) ^ `offset`, which is a multiple of their number.
struct VectorAccess {
  llvm::SmallVector<unsigned> registers;
  int64_t offset = 0;
};

/// All accesses that move a distributed tile between its registers and a memory; each register occurs once.
struct VectorAccessPlan {
  unsigned vectorElements = 1;
  ThreadFunction offset; ///< elements
  llvm::SmallVector<VectorAccess> accesses;

  int64_t getOffset(const VectorAccess &access, int64_t laneId, int64_t warpId) const {
    return offset.apply(laneId, warpId) ^ access.offset;
  }
};

/// The offset in `memory` of each element bit (row-major element numbers); offsets of elements are XORs of these.
llvm::SmallVector<int64_t> getElementOffsets(const LinearLayout &memory);

/// The number of elements (a power of two, at most `maxElements`) that every thread of `distributed` holds contiguous
/// and aligned to that number in `memory`, in the same registers in all threads. Alignment is relative to the start of
/// the memory: limit `maxElements` by what is known of the base address, and by the access size the target has.
unsigned getVectorElements(const LinearLayout &distributed, const LinearLayout &memory, unsigned maxElements);

/// The same along one dimension of the tile, whatever the memory strides of the others.
unsigned getContiguousElements(const LinearLayout &distributed, unsigned dim, unsigned maxElements);

/// The accesses with vectors of getVectorElements(distributed, memory, maxElements).
VectorAccessPlan planVectorAccess(const LinearLayout &distributed, const LinearLayout &memory, unsigned maxElements);

/// The accesses along one dimension, with vectors of getContiguousElements(distributed, dim, maxElements); offsets
/// count elements of the tile with `dim` fastest.
VectorAccessPlan planContiguousAccess(const LinearLayout &distributed, unsigned dim, unsigned maxElements);

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_MEMORYACCESS_H
