//===- MmaFragments.h - The fragments of mma.sync for tests -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type".
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_UNIT_LAYOUT_MMAFRAGMENTS_H
#define TILEIRAS_TESTS_UNIT_LAYOUT_MMAFRAGMENTS_H

#include "tileiras/Layout/LinearLayout.h"

namespace tileiras::test {

struct MmaFragments {
  LinearLayout a, b, c;
};

/// Builds a fragment from its register and lane bases.
inline LinearLayout makeFragment(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<LinearLayout::Basis> registers,
                                 llvm::ArrayRef<LinearLayout::Basis> lanes) {
  LinearLayout layout(sizes);
  for (const LinearLayout::Basis &basis : registers)
    layout.addBasis(LayoutDim::Register, basis);
  for (const LinearLayout::Basis &basis : lanes)
    layout.addBasis(LayoutDim::Lane, basis);
  return layout;
}

inline MmaFragments m16n8k16() {
  return {makeFragment({16, 16}, {{0, 1}, {8, 0}, {0, 8}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}),
          makeFragment({16, 8}, {{1, 0}, {8, 0}}, {{2, 0}, {4, 0}, {0, 1}, {0, 2}, {0, 4}}),
          makeFragment({16, 8}, {{0, 1}, {8, 0}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}})};
}

/// 8-bit elements.
inline MmaFragments m16n8k32() {
  return {makeFragment({16, 32}, {{0, 1}, {0, 2}, {8, 0}, {0, 16}}, {{0, 4}, {0, 8}, {1, 0}, {2, 0}, {4, 0}}),
          makeFragment({32, 8}, {{1, 0}, {2, 0}, {16, 0}}, {{4, 0}, {8, 0}, {0, 1}, {0, 2}, {0, 4}}), m16n8k16().c};
}

} // namespace tileiras::test

#endif // TILEIRAS_TESTS_UNIT_LAYOUT_MMAFRAGMENTS_H
