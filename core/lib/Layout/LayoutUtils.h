//===- LayoutUtils.h - Shared pieces of the layout library --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_LAYOUT_LAYOUTUTILS_H
#define TILEIRAS_LIB_LAYOUT_LAYOUTUTILS_H

#include "F2Span.h"
#include "tileiras/Layout/LinearLayout.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace tileiras {

/// The F2-linear map with the images `columns` of the unit vectors, applied to `vector`. Bits beyond the columns must
/// be clear.
template <typename Columns>
int64_t combineBits(const Columns &columns, uint64_t vector) {
  int64_t result = 0;
  for (unsigned bit = 0; vector; ++bit, vector >>= 1)
    if (vector & 1)
      result ^= columns[bit];
  return result;
}

/// The bases of one input dimension as row-major element numbers.
inline llvm::SmallVector<int64_t> getFlatBases(const LinearLayout &layout, LayoutDim dim) {
  llvm::SmallVector<int64_t> bases;
  for (unsigned bit = 0; bit < layout.getNumBits(dim); ++bit)
    bases.push_back(layout.getFlatBasis(dim, bit));
  return bases;
}

inline unsigned countElementBits(const LinearLayout &layout) {
  return llvm::Log2_64(layout.getNumElements());
}

/// A layout without register replicas, and the way back.
struct ReducedLayout {
  LinearLayout layout;
  llvm::SmallVector<unsigned> original; ///< register of the original for each register of `layout`
  llvm::SmallVector<unsigned> reduced;  ///< register of `layout` with the same element for each original register

  explicit ReducedLayout(const LinearLayout &full) : layout(full.removeRegisterReplicas()) {
    F2Span span;
    llvm::SmallVector<int64_t> keptBits, images;
    uint64_t replicas = full.getReplicationMask(LayoutDim::Register);
    for (unsigned bit = 0; bit < full.getNumBits(LayoutDim::Register); ++bit) {
      if (!(replicas >> bit & 1)) {
        span.insert(full.getFlatBasis(LayoutDim::Register, bit));
        keptBits.push_back(int64_t(1) << bit);
      }
      images.push_back(*span.solve(full.getFlatBasis(LayoutDim::Register, bit)));
    }
    for (int64_t reg = 0; reg < layout.getInSize(LayoutDim::Register); ++reg)
      original.push_back(combineBits(keptBits, reg));
    for (int64_t reg = 0; reg < full.getInSize(LayoutDim::Register); ++reg)
      reduced.push_back(combineBits(images, reg));
  }
};

} // namespace tileiras

#endif // TILEIRAS_LIB_LAYOUT_LAYOUTUTILS_H
