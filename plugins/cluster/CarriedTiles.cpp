//===- CarriedTiles.cpp - Tiles that go through control flow ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedTiles.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tileiras::cluster {

Value getRepresentative(Value tile) {
  auto argument = dyn_cast<BlockArgument>(tile);
  if (!argument)
    return tile;
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return loop.getTiedLoopResult(argument);
  if (auto loop = dyn_cast<scf::WhileOp>(parent); loop && argument.getOwner() == loop.getAfterBody())
    return loop.getResult(argument.getArgNumber());
  return tile;
}

SmallVector<Value> getRepresented(Value representative) {
  auto result = dyn_cast<OpResult>(representative);
  if (!result)
    return {representative};
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    return {representative, loop.getRegionIterArg(result.getResultNumber())};
  if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner()))
    return {representative, loop.getAfterArguments()[result.getResultNumber()]};
  return {representative};
}

SmallVector<OpOperand *> getSources(Value representative) {
  if (auto argument = dyn_cast<BlockArgument>(representative)) {
    auto loop = dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return {};
    const unsigned number = argument.getArgNumber();
    return {&loop->getOpOperand(number), &loop.getYieldOp()->getOpOperand(number)};
  }
  auto result = cast<OpResult>(representative);
  const unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    return {&loop.getInitsMutable()[number], &loop.getBody()->getTerminator()->getOpOperand(number)};
  if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner()))
    return {&loop.getConditionOp().getArgsMutable()[number]};
  if (auto branch = dyn_cast<scf::IfOp>(result.getOwner()))
    return {&branch.thenYield()->getOpOperand(number), &branch.elseYield()->getOpOperand(number)};
  return {};
}

Value getTargetOfUse(OpOperand &use) {
  Operation *user = use.getOwner();
  const unsigned number = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(user))
    return number < loop.getNumControlOperands() ? Value() : loop.getResult(number - loop.getNumControlOperands());
  if (auto loop = dyn_cast<scf::WhileOp>(user))
    return loop.getBeforeArguments()[number];
  if (isa<scf::ConditionOp>(user))
    return number == 0 ? Value() : user->getParentOp()->getResult(number - 1);
  if (!isa<scf::YieldOp>(user))
    return {};
  if (auto loop = dyn_cast<scf::WhileOp>(user->getParentOp()))
    return loop.getBeforeArguments()[number];
  return user->getParentOp()->getResult(number);
}

} // namespace tileiras::cluster
