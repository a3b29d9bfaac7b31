//===- TileASBlockScaleOps.cpp - Scales in tensor memory ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileVerification.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASBlockScaleOps.cpp.inc"

LogicalResult BlockScaledMmaOp::verify() {
  ProductTypes types = {getA().getType(), getB().getType(), getC().getType()};
  if (failed(unpackOperands(*this, types)) || failed(verifyProduct(*this, types)) ||
      failed(verifyScales(*this, types, getScaleA(), getScaleB())))
    return failure();
  if (!isSharedTensor(getA().getType()))
    return emitOpError() << "expects operand A in shared memory, but got " << getA().getType();
  if (!isSharedTensor(getB().getType()))
    return emitOpError() << "expects operand B in shared memory, but got " << getB().getType();
  if (!isTensorMemoryTensor(types.c))
    return emitOpError() << "expects its accumulator in tensor memory, but got " << types.c;
  return success();
}

void BlockScaledMmaOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand *operand : {&getAMutable(), &getBMutable(), &getCMutable()})
    effects.emplace_back(MemoryEffects::Read::get(), operand);
  effects.emplace_back(MemoryEffects::Write::get(), &getCMutable());
}
