//===- NarrowProducts.cpp - Products of narrow floats ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NarrowProducts.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"

using namespace mlir;
using namespace tileiras;

/// f16 holds every number of these types.
static bool isNarrow(Value tile) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(getElementTypeOrSelf(tile));
}

static FailureOr<bool> hasInstruction(aa::DotOp op, const MmaQuery &query, const ChipTarget &target) {
  FailureOr<const MmaAtom *> atom = as::findWarpAtom(op, query, target);
  if (failed(atom))
    return failure();
  return *atom != nullptr;
}

static void widen(OpBuilder &builder, OpOperand &operand, Type element) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  operand.set(
      aa::FpToFpOp::create(builder, operand.getOwner()->getLoc(), type.clone(element), operand.get()).getResult());
}

LogicalResult tileiras::widenNarrowProducts(aa::FuncOp func, const ChipTarget &target) {
  if (!target)
    return success();
  SmallVector<aa::DotOp> products;
  func.walk([&](aa::DotOp op) {
    if (isNarrow(op.getA()) && isNarrow(op.getB()))
      products.push_back(op);
  });
  for (aa::DotOp op : products) {
    MmaQuery narrow = getMmaQuery(op), wide = narrow;
    wide.elementA = wide.elementB = Float16Type::get(op.getContext());
    wide.fastAccumulation = false;
    for (const MmaQuery *query : {&narrow, &wide}) {
      FailureOr<bool> isDone = hasInstruction(op, *query, target);
      if (failed(isDone))
        return failure();
      if (!*isDone)
        continue;
      if (query == &wide) {
        OpBuilder builder(op);
        widen(builder, op.getAMutable(), wide.elementA);
        widen(builder, op.getBMutable(), wide.elementB);
        op.setFastAcc(false);
      }
      break;
    }
  }
  return success();
}
