//===- BlockScale.h - Products with scaled blocks ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What holds for block-scaled products of nv_tileaa (`mma_block_scale`) and nv_tileas (`dot` with scales) alike.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_BLOCKSCALE_H
#define TILEIRAS_DIALECT_TILEAA_BLOCKSCALE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace tileiras::aa {

/// `packed` of an operation of either dialect that may be a block-scaled product: A and B are tiles of i8, M×(K/2) and
/// (K/2)×N, each of which holds two neighbours along K of type f4E2M1FN, the first one in its lower half.
inline bool isPacked(mlir::Operation *product) {
  return product->hasAttr("packed");
}

/// Whether scales of type `scale` of `product` may have a sign, which no instruction sees: unless it, an operation of
/// nv_tileas, has `positive_scales`.
bool mayBeNegative(mlir::Operation *product, mlir::Type scale);

/// What a packed operand holds: `type` with twice the elements along `dim`.
mlir::RankedTensorType getUnpackedType(mlir::RankedTensorType type, int64_t dim);

/// The types of what the packed operands `a` and `b` hold. Else an error has been emitted: they are no tiles of bytes.
mlir::FailureOr<std::pair<mlir::RankedTensorType, mlir::RankedTensorType>>
verifyPackedOperands(mlir::Operation *op, mlir::RankedTensorType a, mlir::RankedTensorType b);

/// Is there a block-scaled product of these element types in which `block` elements along K share a scale? Else an
/// error has been emitted.
mlir::LogicalResult verifyScaledElements(mlir::Operation *op, mlir::Type a, mlir::Type b, mlir::Type scale,
                                         int64_t block);

} // namespace tileiras::aa

#endif // TILEIRAS_DIALECT_TILEAA_BLOCKSCALE_H
