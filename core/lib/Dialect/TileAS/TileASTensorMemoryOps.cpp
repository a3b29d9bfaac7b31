//===- TileASTensorMemoryOps.cpp - Tensor memory --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Target/IsaLimits.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASTensorMemoryOps.cpp.inc"

void TileASDialect::registerTensorMemoryOps() {
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/TileASTensorMemoryOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/TileASBlockScaleOps.cpp.inc"
      >();
}

LogicalResult ScaleTensorMemoryOp::verify() {
  RankedTensorType tile = getTile().getType(), scale = getScale().getType();
  if (!isTensorMemoryTensor(tile) || tile.getShape() != scale.getShape() || !tile.getElementType().isF32() ||
      !scale.getElementType().isF32())
    return emitOpError() << "expects f32 in tensor memory and as many scales in registers, but got " << tile << " and "
                         << scale;
  return success();
}

/// What the ISA allows. A chip may have fewer columns, in which tileas-place-accumulators places all there is.
LogicalResult AllocTensorMemoryOp::verify() {
  constexpr int32_t least = IsaLimits::kLeastTensorMemoryColumns, most = IsaLimits::kTensorMemoryColumns;
  const int32_t columns = getColumns();
  if (columns < least || columns > most || !llvm::isPowerOf2_32(columns))
    return emitOpError() << "takes " << columns << " columns; expects a power of two in " << least << ".." << most;
  const int64_t bytes = getSharedBytes(getMailbox().getType()), needed = getMailboxBytes(getScopes());
  if (!isSharedTensor(getMailbox().getType()) || bytes < needed)
    return emitOpError() << "expects a mailbox of at least " << needed << " bytes in shared memory, but got "
                         << getMailbox().getType();
  return success();
}
