//===- LayoutEnumeration.h - All small linear layouts -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Enumerations the layout tests run over, so that laws hold for every layout of a size instead of for examples.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_UNIT_LAYOUT_LAYOUTENUMERATION_H
#define TILEIRAS_TESTS_UNIT_LAYOUT_LAYOUTENUMERATION_H

#include "tileiras/Layout/LinearLayout.h"

namespace tileiras::test {

/// How many bits each input dimension has.
struct BitCounts {
  unsigned registers = 0, lanes = 0, warps = 0;
};

/// Calls `visit` with every layout that has these inputs onto a tile of extents `sizes`, zero bases included.
template <typename Visitor>
void forEachLayout(BitCounts counts, llvm::ArrayRef<int64_t> sizes, Visitor visit) {
  int64_t elements = LinearLayout(sizes).getNumElements();
  unsigned bits = counts.registers + counts.lanes + counts.warps;
  int64_t numLayouts = 1;
  for (unsigned i = 0; i < bits; ++i)
    numLayouts *= elements;
  for (int64_t code = 0; code < numLayouts; ++code) {
    LinearLayout layout(sizes);
    int64_t rest = code;
    for (unsigned i = 0; i < bits; ++i, rest /= elements) {
      LayoutDim dim = i < counts.registers                  ? LayoutDim::Register
                      : i < counts.registers + counts.lanes ? LayoutDim::Lane
                                                            : LayoutDim::Warp;
      layout.addFlatBasis(dim, rest % elements);
    }
    visit(layout);
  }
}

/// Calls `visit` with every (register, lane, warp) of a layout.
template <typename Visitor>
void forEachInput(const LinearLayout &layout, Visitor visit) {
  for (int64_t warp = 0; warp < layout.getInSize(LayoutDim::Warp); ++warp)
    for (int64_t lane = 0; lane < layout.getInSize(LayoutDim::Lane); ++lane)
      for (int64_t reg = 0; reg < layout.getInSize(LayoutDim::Register); ++reg)
        visit(LinearLayout::Inputs{reg, lane, warp});
}

} // namespace tileiras::test

#endif // TILEIRAS_TESTS_UNIT_LAYOUT_LAYOUTENUMERATION_H
