//===- TileAAQueueOps.cpp - Queues between agents -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/TileAA/Queues.h"

using namespace mlir;
using namespace tileiras::aa;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/TileAAQueueOps.cpp.inc"

void TileAADialect::registerQueueOps() {
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAA/TileAAQueueOps.cpp.inc"
      >();
}

static constexpr StringLiteral kNeverPassed = "a queue is never passed, selected or loop-carried";

LogicalResult tileiras::aa::detail::verifyNonAliasingQueue(Operation *op) {
  if (op->getOperand(0).getDefiningOp<CreateQueueOp>())
    return success();
  return op->emitOpError() << "expects a queue that is the result of a 'nv_tileaa.create_queue': " << kNeverPassed;
}

LogicalResult CreateQueueOp::verify() {
  for (Operation *user : getQueue().getUsers())
    if (!user->hasTrait<FirstOperandIsNonAliasingQueue>()) {
      InFlightDiagnostic diagnostic = emitOpError() << "expects puts and gets as its users: " << kNeverPassed;
      diagnostic.attachNote(user->getLoc()) << "another one is here";
      return diagnostic;
    }
  return success();
}

//===----------------------------------------------------------------------===//
// put, get
//===----------------------------------------------------------------------===//

void QueuePutOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    successors.emplace_back(&getBody());
  else
    successors.emplace_back(getOperation(), getOperation()->getResults());
}

void QueueGetOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    successors.emplace_back(&getBody());
  else
    successors.emplace_back(getOperation(), getOperation()->getResults());
}

/// What a put yields goes into the queue, not to results.
MutableOperandRange QueueYieldOp::getMutableSuccessorOperands(RegionSuccessor) {
  MutableOperandRange values = getValuesMutable();
  return isa<QueuePutOp>((*this)->getParentOp()) ? values.slice(0, 0) : values;
}

/// `expected` is what the body has to yield.
static LogicalResult verifyQueueBody(Operation *op, TypeRange arguments, TypeRange expected) {
  Region &body = op->getRegion(0);
  if (TypeRange(body.getArgumentTypes()) != arguments)
    return op->emitOpError() << "expects a body with arguments of types [" << arguments << "], but got ["
                             << TypeRange(body.getArgumentTypes()) << "]";
  auto yield = dyn_cast<QueueYieldOp>(body.back().back());
  if (!yield)
    return op->emitOpError() << "expects regions to end with 'nv_tileaa.queue.yield'";
  if (TypeRange(yield.getValues().getTypes()) != expected)
    return op->emitOpError() << "expects a body that yields [" << expected << "], but got ["
                             << yield.getValues().getTypes() << "]";
  return success();
}

LogicalResult QueuePutOp::verifyRegions() {
  return verifyQueueBody(*this, {}, getQueue().getType().getTypes());
}

LogicalResult QueueGetOp::verifyRegions() {
  return verifyQueueBody(*this, getQueue().getType().getTypes(), getValues().getTypes());
}

LogicalResult QueueGetOp::verify() {
  const uint32_t consumers = getQueue().getDefiningOp<CreateQueueOp>().getNumConsumers();
  if (getConsumerIdx() >= consumers)
    return emitOpError() << "consumer_idx out of range for consumer group: " << getConsumerIdx() << " of " << consumers
                         << " consumers";
  return success();
}

//===----------------------------------------------------------------------===//
// execute
//===----------------------------------------------------------------------===//

LogicalResult ExecuteOp::verifyRegions() {
  for (Region &agent : getAgents()) {
    auto yield = dyn_cast<YieldOp>(agent.back().back());
    if (!yield)
      return emitOpError() << "expects regions to end with 'nv_tileaa.yield'";
    if (yield.getNumOperands() != 0)
      return emitOpError() << "expects agents that yield nothing: they hand values over through queues";
  }
  return success();
}
