//===- WarpgroupProducts.h - Products computed by warpgroups ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_WARPGROUPPRODUCTS_H
#define TILEIRAS_PLUGINS_LAYOUT_WARPGROUPPRODUCTS_H

#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"

namespace tileiras::layout {

/// How warpgroups compute a product.
struct WarpgroupProduct {
  const MmaAtom *atom = nullptr; ///< null: they cannot
  as::OperandPlace placeA = as::OperandPlace::KMajor;
  mlir::Attribute a;           ///< layout of A, where the atom takes it from registers
  mlir::Attribute c;           ///< layout of the accumulator and the result
  as::ProductLayouts scales;   ///< of block-scaled products, else null
  bool scalesInMemory = false; ///< it reads them where they lie
  /// Why there is none, and what to do about it; empty on a chip without warpgroup products.
  std::string obstacle;
};

/// The chip has instructions that warpgroups execute.
bool hasWarpgroupProducts(const ChipTarget &target);

/// B in shared memory, A at `a`. `isLoadedByThreads`: no copy engine fills it.
WarpgroupProduct findWarpgroupProduct(as::DotOp product, const ChipTarget &target, int64_t numWarps, as::OperandPlace a,
                                      bool isLoadedByThreads = false);

} // namespace tileiras::layout

#endif // TILEIRAS_PLUGINS_LAYOUT_WARPGROUPPRODUCTS_H
