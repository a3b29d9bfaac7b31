//===- ElementWork.cpp - What an element takes ----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tileiras/Work/WorkInterface.h"

#include "tileiras/Work/WorkInterface.cpp.inc"

using namespace mlir;
using namespace tileiras;

std::optional<ElementWork> tileiras::deriveElementWork(Operation *op) {
  if (op->getNumResults() == 0)
    return std::nullopt;
  Type result = getElementTypeOrSelf(op->getResult(0).getType());
  Type operand = op->getNumOperands() ? getElementTypeOrSelf(op->getOperand(0).getType()) : result;
  if (!isa<FloatType>(result))
    return isa<FloatType>(operand) ? ElementWork::Conversion : ElementWork::Integer;
  if (operand.isF32() && (result.isF16() || result.isBF16()))
    return ElementWork::Narrowing;
  if (operand != result)
    return ElementWork::Conversion;
  return result.isF64() ? ElementWork::Double : ElementWork::Float;
}

/// f64 is its own unit's business, all other comparisons are the integer units', whatever they compare.
ElementWork tileiras::getMinMaxWork(Type type) {
  return getElementTypeOrSelf(type).isF64() ? ElementWork::Double : ElementWork::Integer;
}

/// Every operation of these says its work by registerUpstreamWork: where that has not been called, nothing is known.
static bool isUpstream(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect());
}

/// An operation on anything else may be anything.
static bool isOnNumbers(Operation *op) {
  auto isNumber = [](Type type) { return getElementTypeOrSelf(type).isIntOrIndexOrFloat(); };
  return llvm::all_of(op->getOperandTypes(), isNumber) && llvm::all_of(op->getResultTypes(), isNumber);
}

std::optional<ElementWork> tileiras::getElementWork(Operation *op) {
  if (auto work = dyn_cast<WorkOpInterface>(op))
    return work.getElementWork();
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<ViewLikeOpInterface>(op))
    return ElementWork::Free;
  if (OpTrait::hasElementwiseMappableTraits(op) && isMemoryEffectFree(op) && isOnNumbers(op) && !isUpstream(op))
    return deriveElementWork(op);
  return std::nullopt;
}
