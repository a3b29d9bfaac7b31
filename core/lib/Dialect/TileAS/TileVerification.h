//===- TileVerification.h - Rules that operations share ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What holds for an operation and for its asynchronous form alike.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_DIALECT_TILEAS_TILEVERIFICATION_H
#define TILEIRAS_LIB_DIALECT_TILEAS_TILEVERIFICATION_H

#include "tileiras/Dialect/TileAS/TileAS.h"

namespace tileiras::as {

/// A slice of the grid of equal slices of `whole`, named by an index for each dimension.
mlir::LogicalResult verifySlice(mlir::Operation *op, mlir::RankedTensorType slice, mlir::RankedTensorType whole,
                                size_t numIndices);

/// Element types and shapes of a product, scales and layouts aside. Integers need both signs. Of a pair of CTAs, each
/// has half of the columns of b.
struct ProductTypes {
  mlir::RankedTensorType a, b, c;
  bool hasSignA = false, hasSignB = false, isOfPair = false;
};
mlir::LogicalResult verifyProduct(mlir::Operation *op, const ProductTypes &types);
/// Of packed operands, the types of what they hold.
mlir::LogicalResult unpackOperands(mlir::Operation *op, ProductTypes &types);
/// Scales (null: none) are given for both operands, in blocks of one length along K; those in memory as tensor memory
/// takes them.
mlir::LogicalResult verifyScales(mlir::Operation *op, const ProductTypes &types, mlir::Value scalesOfA,
                                 mlir::Value scalesOfB);

/// Operands in registers have layouts of `atom` for one grid of warps.
using ProductOperand = std::pair<OperandAxis, mlir::RankedTensorType>;
mlir::LogicalResult verifyProductLayouts(mlir::Operation *op, AtomAttr atom, llvm::ArrayRef<ProductOperand> operands);

/// The tile is one of the view's.
mlir::LogicalResult verifyViewTile(mlir::Operation *op, TiledViewType view, mlir::RankedTensorType tile);

/// Elements are those of the view, and in_bounds says something of each dimension.
mlir::LogicalResult verifyViewElements(mlir::Operation *op, TiledViewType view, mlir::RankedTensorType tile,
                                       size_t numInBounds);

/// There is a padding value exactly when some dimension is not in bounds, and one that the elements have.
mlir::LogicalResult verifyPadding(mlir::Operation *op, mlir::Type element, llvm::ArrayRef<bool> inBounds,
                                  std::optional<aa::PaddingValue> padding);

/// How many later operations may be pending is said in kernels only (`tileas-resolve-tokens`).
mlir::LogicalResult verifyPending(mlir::Operation *op, std::optional<uint32_t> pending);

/// What the hardware combines in memory, by element type.
mlir::LogicalResult verifyTiledRmw(mlir::Operation *op, mlir::Type element, aa::RmwMode mode);

} // namespace tileiras::as

#endif // TILEIRAS_LIB_DIALECT_TILEAS_TILEVERIFICATION_H
