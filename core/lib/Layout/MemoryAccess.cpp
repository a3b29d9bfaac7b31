//===- MemoryAccess.cpp - Vector accesses of a layout -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/MemoryAccess.h"
#include "F2Span.h"
#include "LayoutUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace tileiras;
using llvm::SmallVector;

int64_t ThreadFunction::apply(int64_t laneId, int64_t warpId) const {
  return combineBits(lane, laneId) ^ combineBits(warp, warpId);
}

SmallVector<int64_t> tileiras::getElementOffsets(const LinearLayout &memory) {
  assert(memory.getTotalBits() == memory.getNumBits(LayoutDim::Offset) && memory.isInjective() &&
         "a memory layout is a bijection of offsets and elements");
  SmallVector<int64_t> offsets;
  for (const LinearLayout::Inputs &inputs : memory.rightInverse())
    offsets.push_back(inputs[static_cast<unsigned>(LayoutDim::Offset)]);
  return offsets;
}

namespace {

/// A distributed layout seen through a memory: the memory offset of each of its input bits.
struct MemoryView {
  SmallVector<int64_t> registers;
  ThreadFunction threads;
  unsigned vectorBits = 0;
  SmallVector<int64_t>
      vectorRegisters; ///< the registers whose XOR steps by 1, 2, 4, … elements, one for each vector bit

  MemoryView(const LinearLayout &distributed, const LinearLayout &memory, unsigned maxElements) {
    assert(distributed.getOutSizes() == memory.getOutSizes() && "both layouts cover the same tile");
    SmallVector<int64_t> elementOffsets = getElementOffsets(memory);
    auto collect = [&](LayoutDim dim, auto &offsets) {
      for (unsigned bit = 0; bit < distributed.getNumBits(dim); ++bit)
        offsets.push_back(combineBits(elementOffsets, distributed.getFlatBasis(dim, bit)));
    };
    collect(LayoutDim::Register, registers);
    collect(LayoutDim::Lane, threads.lane);
    collect(LayoutDim::Warp, threads.warp);
    findVector(maxElements);
  }

private:
  void findVector(unsigned maxElements) {
    F2Span span;
    for (int64_t offset : registers)
      span.insert(offset);
    int64_t threadOffsets = 0;
    for (int64_t offset : llvm::concat<int64_t>(threads.lane, threads.warp))
      threadOffsets |= offset;
    for (int64_t step = 1; 2 * step <= int64_t(maxElements) && !(threadOffsets & step); step *= 2) {
      std::optional<uint64_t> combination = span.solve(step);
      if (!combination)
        break;
      vectorRegisters.push_back(*combination);
      ++vectorBits;
    }
  }
};

} // namespace

unsigned tileiras::getVectorElements(const LinearLayout &distributed, const LinearLayout &memory,
                                     unsigned maxElements) {
  return 1u << MemoryView(distributed, memory, maxElements).vectorBits;
}

VectorAccessPlan tileiras::planVectorAccess(const LinearLayout &distributed, const LinearLayout &memory,
                                            unsigned maxElements) {
  MemoryView view(distributed, memory, maxElements);
  VectorAccessPlan plan;
  plan.vectorElements = 1u << view.vectorBits;
  plan.offset = view.threads;
  int64_t numRegisters = distributed.getInSize(LayoutDim::Register);
  llvm::SmallVector<bool> covered(numRegisters, false);
  for (int64_t reg = 0; reg < numRegisters; ++reg) {
    if (covered[reg])
      continue;
    int64_t position = combineBits(view.registers, reg) & (plan.vectorElements - 1);
    int64_t first = reg ^ combineBits(view.vectorRegisters, position);
    VectorAccess access;
    access.offset = combineBits(view.registers, first);
    for (unsigned i = 0; i < plan.vectorElements; ++i) {
      access.registers.push_back(first ^ combineBits(view.vectorRegisters, i));
      covered[access.registers.back()] = true;
    }
    plan.accesses.push_back(std::move(access));
  }
  return plan;
}

/// A dense memory of the tile in which `dim` is fastest.
static LinearLayout makeMemoryAlong(const LinearLayout &distributed, unsigned dim) {
  SmallVector<unsigned> order = {dim};
  for (unsigned d = distributed.getRank(); d-- > 0;)
    if (d != dim)
      order.push_back(d);
  return LinearLayout::strided(LayoutDim::Offset, distributed.getOutSizes(), order);
}

unsigned tileiras::getContiguousElements(const LinearLayout &distributed, unsigned dim, unsigned maxElements) {
  unsigned limit = std::min<int64_t>(maxElements, distributed.getOutSize(dim));
  return getVectorElements(distributed, makeMemoryAlong(distributed, dim), limit);
}

VectorAccessPlan tileiras::planContiguousAccess(const LinearLayout &distributed, unsigned dim, unsigned maxElements) {
  unsigned limit = std::min<int64_t>(maxElements, distributed.getOutSize(dim));
  return planVectorAccess(distributed, makeMemoryAlong(distributed, dim), limit);
}
