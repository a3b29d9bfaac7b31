//===- ScaleColumns.h - Scales in tensor memory -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Block-scaled products read their scales in tensor memory. Those whose threads store them there are waited for before
// anybody goes on: all of an execution scope share one place. Those that copy them there themselves go on, each with a
// place for each stage that it reads, or, where that is too much, one for which it waits.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_SCALECOLUMNS_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_SCALECOLUMNS_H

#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Lowering/SharedArena.h"
#include "llvm/ADT/MapVector.h"

namespace tileiras {

class ScaleColumns {
public:
  /// Puts an `async.dot` in the place of the block-scaled `product`, whose scales, and whether it is packed, are noted
  /// here: until its accumulator has its place.
  void open(as::DotOp product);

  /// `product` copies its scales.
  void add(as::AsyncDotOp product) { copying.push_back({product, as::countScaleSets(product)}); }

  /// Takes columns of `arena`, from the start of the kernel to its end.
  void allocate(SharedArena &arena, Lifetime whole);
  /// Products that copy their scales have one place each from now on; false if they have already.
  bool shareSets();

  /// Puts `block_scaled_mma`, between what stores its scales and a wait, in the place of each product whose scales
  /// threads store and whose accumulator is in tensor memory by now; tells the others their columns.
  void replaceProducts(mlir::Value base, llvm::function_ref<void(mlir::OpBuilder &, mlir::Operation *)> emitWait) const;

private:
  struct Product {
    as::AsyncDotOp op;
    mlir::Value scaleA, scaleB;
    bool isPacked = false, hasPositiveScales = false;
  };
  struct Place {
    int64_t columns = 0, first = 0;
  };
  struct CopyingProduct {
    as::AsyncDotOp op;
    int64_t sets = 1, first = 0;
  };
  void setColumns(const CopyingProduct &product, mlir::Value base,
                  llvm::function_ref<void(mlir::OpBuilder &, mlir::Operation *)> emitWait) const;

  llvm::SmallVector<Product> products;
  llvm::MapVector<mlir::Region *, Place> places; ///< of the scopes
  llvm::SmallVector<CopyingProduct> copying;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_SCALECOLUMNS_H
