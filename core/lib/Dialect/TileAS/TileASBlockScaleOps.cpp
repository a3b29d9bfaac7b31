//===- TileASBlockScaleOps.cpp - Scales in tensor memory ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASBlockScaleOps.cpp.inc"

void BlockScaledMmaOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand *operand : {&getAMutable(), &getBMutable(), &getCMutable()})
    effects.emplace_back(MemoryEffects::Read::get(), operand);
  effects.emplace_back(MemoryEffects::Write::get(), &getCMutable());
}
