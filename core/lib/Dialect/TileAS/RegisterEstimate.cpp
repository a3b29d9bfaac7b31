//===- RegisterEstimate.cpp - Registers that tiles need -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/RegisterEstimate.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAS/AssignedLayouts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"

using namespace mlir;

namespace tileiras::as {

static int64_t getCopies(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isDistributedTensor(tensor) ? getNumRegisters(tensor) : 1;
}

/// The operation repeats the registers of its operand.
static bool repeatsOperand(Operation *op) {
  if (!isa_and_nonnull<ShapeLayoutOpInterface>(op) || op->getNumOperands() != 1)
    return false;
  Type source = op->getOperand(0).getType(), result = op->getResult(0).getType();
  return getElementTypeOrSelf(source) == getElementTypeOrSelf(result) && getCopies(result) > getCopies(source);
}

/// None for a tile that is made anew for each use.
static int64_t countRegisters(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor || !isDistributedTensor(tensor) || isRematerializable(value) || repeatsOperand(value.getDefiningOp()))
    return 0;
  return llvm::divideCeil(getNumRegisters(tensor) * getRegisterBits(tensor.getElementType()), 32);
}

RegisterPressure estimateRegisters(Region &body) {
  RegisterPressure pressure = measureRegisterPressure(body, countRegisters);
  pressure.cost += kRegistersBesideTiles;
  return pressure;
}

} // namespace tileiras::as
