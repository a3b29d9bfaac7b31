//===- CarriedValues.cpp - Values that loops and branches carry -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/CarriedValues.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

using namespace mlir;
using namespace tileiras;

OpResult as::getLoopResult(Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    return isa<scf::ForOp>(result.getOwner()) ? result : OpResult();
  auto argument = cast<BlockArgument>(value);
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  return loop && argument.getArgNumber() != 0 ? loop->getResult(argument.getArgNumber() - 1) : OpResult();
}

bool as::isRead(Operation *op) {
  return isa_and_nonnull<as::ConsumerReadOp, as::ConsumeOneOp>(op);
}

static Operation *getRead(Operation *op) {
  return op->getRegion(0).front().getTerminator();
}

SmallVector<Value> as::findSources(Value value) {
  if (OpResult result = getLoopResult(value)) {
    auto loop = cast<scf::ForOp>(result.getOwner());
    return {loop.getInitArgs()[result.getResultNumber()],
            loop.getBody()->getTerminator()->getOperand(result.getResultNumber())};
  }
  if (auto branch = value.getDefiningOp<scf::IfOp>()) {
    const unsigned number = cast<OpResult>(value).getResultNumber();
    return {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
  }
  if (Operation *read = value.getDefiningOp(); isRead(read))
    if (const unsigned number = cast<OpResult>(value).getResultNumber(); number < getRead(read)->getNumOperands())
      return {getRead(read)->getOperand(number)};
  return {};
}

Value as::getCarried(OpOperand &use) {
  Operation *owner = use.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(owner))
    return use.getOperandNumber() < loop.getNumControlOperands()
               ? Value()
               : loop.getResult(use.getOperandNumber() - loop.getNumControlOperands());
  if (isa<scf::YieldOp>(owner) ? isa<scf::ForOp, scf::IfOp>(owner->getParentOp())
                               : isRead(owner->getParentOp()) && isa<as::PipelineYieldOp>(owner))
    return owner->getParentOp()->getResult(use.getOperandNumber());
  return {};
}
