//===- PipelineVerification.cpp - Rules of pipelines ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineVerification.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

LogicalResult as::verifyPipelineEnd(Operation *op, Region &region) {
  if (!region.empty() && !region.back().empty() && isa<PipelineYieldOp>(region.back().back()))
    return success();
  return op->emitOpError() << "pipeline regions must end with 'nv_tileas.async.pipeline.yield'";
}

LogicalResult as::detail::verifyPipelineRegion(Operation *op) {
  auto stage = cast<PipelineRegionOpInterface>(op);
  Region &body = stage.getPipelineBody();
  if (failed(verifyPipelineEnd(op, body)))
    return failure();
  TypeRange payload(stage.getPayload()), arguments(body.getArgumentTypes());
  if (!arguments.empty() && arguments != payload)
    return op->emitOpError() << "expects region arguement types to match with producer types [" << payload
                             << "], but got: [" << arguments << "]";
  TypeRange yielded(body.back().getTerminator()->getOperandTypes());
  TypeRange expected = stage.isProducer() ? payload : TypeRange(stage.getBodyResults());
  if (yielded != expected && !(stage.isProducer() && yielded.empty()))
    return op->emitOpError() << "expects region result types to be match with operation result types [" << expected
                             << "], but got: [" << yielded << "]";
  return success();
}

//===----------------------------------------------------------------------===//
// Iterators
//===----------------------------------------------------------------------===//

namespace {
/// Follows iterators to the pipelines they were made for. Verifiers ask: operations on the way may not have been
/// verified, and have any number of operands and regions.
class IteratorOrigins {
public:
  /// The first merge on the way whose sides belong to different pipelines; null if there is none.
  Operation *mixedMerge = nullptr;

  /// The pipeline of an iterator. Null where it cannot be told: behind function arguments, or on the way round a loop.
  Value find(Value iterator) {
    while (iterator && isa_and_nonnull<IncIterOp>(iterator.getDefiningOp()))
      iterator = visited.insert(iterator).second ? getOperand(iterator.getDefiningOp(), 0) : Value();
    if (!iterator || !isa<IteratorType>(iterator.getType()) || !visited.insert(iterator).second)
      return {};
    if (auto argument = dyn_cast<BlockArgument>(iterator))
      return findArgument(argument);
    Operation *owner = iterator.getDefiningOp();
    const unsigned number = cast<OpResult>(iterator).getResultNumber();
    if (isa<CreateIteratorOp, ProduceOneOp, ProduceOneAsyncOp>(owner))
      return getOperand(owner, 0);
    if (auto stage = dyn_cast<PipelineRegionOpInterface>(owner))
      return isOwnIterator(owner, number) ? getOperand(owner, 0) : findYielded(owner, number);
    if (isa<arith::SelectOp>(owner))
      return merge(owner, find(getOperand(owner, 1)), find(getOperand(owner, 2)));
    if (isa<scf::ForOp>(owner))
      return findLoop(owner, number);
    if (isa<AgentSwitchOp>(owner))
      return merge(owner, find(getOperand(owner, number)), findYielded(owner, number));
    return findYielded(owner, number);
  }

private:
  llvm::SmallPtrSet<Value, 8> visited;

  static Value getOperand(Operation *op, unsigned number) {
    return op && number < op->getNumOperands() ? op->getOperand(number) : Value();
  }

  /// What ends a region of one block; null where there is none.
  static Operation *getEnd(Region &region) {
    return region.hasOneBlock() && region.front().mightHaveTerminator() ? &region.front().back() : nullptr;
  }

  /// The result that is the consumer's next iterator; iterators of other pipelines come out of the body.
  static bool isOwnIterator(Operation *op, unsigned number) {
    const unsigned behind = isa<ConsumeOneOp>(op) ? 1 : isa<ConsumeOneAsyncOp>(op) ? 2 : 0;
    return behind != 0 && number + behind == op->getNumResults();
  }

  Value merge(Operation *op, Value lhs, Value rhs) {
    if (lhs && rhs && lhs != rhs && !mixedMerge)
      mixedMerge = op;
    return lhs ? lhs : rhs;
  }

  Value findArgument(BlockArgument argument) {
    Operation *parent = argument.getOwner()->getParentOp();
    const unsigned number = argument.getArgNumber();
    if (!parent || !argument.getOwner()->isEntryBlock())
      return {};
    if (isa<scf::ForOp>(parent))
      return number == 0 ? Value() : findLoop(parent, number - 1);
    if (!isa<scf::WhileOp>(parent) || parent->getNumRegions() != 2)
      return {};
    if (argument.getOwner()->getParent() == &parent->getRegion(1))
      return find(getOperand(getEnd(parent->getRegion(0)), number + 1));
    return merge(parent, find(getOperand(parent, number)), find(getOperand(getEnd(parent->getRegion(1)), number)));
  }

  /// What goes into a loop, and what comes round.
  Value findLoop(Operation *loop, unsigned number) {
    Value init = find(getOperand(loop, cast<scf::ForOp>(loop).getNumControlOperands() + number));
    if (loop->getNumRegions() != 1)
      return init;
    return merge(loop, init, find(getOperand(getEnd(loop->getRegion(0)), number)));
  }

  /// Of operations whose regions give the results.
  Value findYielded(Operation *op, unsigned number) {
    if (isa<scf::WhileOp>(op))
      return op->getNumRegions() == 0 ? Value() : find(getOperand(getEnd(op->getRegion(0)), number + 1));
    Value origin;
    for (Region &region : op->getRegions())
      if (Operation *end = getEnd(region); isa_and_nonnull<scf::YieldOp, PipelineYieldOp>(end))
        origin = merge(op, origin, find(getOperand(end, number)));
    return origin;
  }
};
} // namespace

static LogicalResult refuseMixedMerge(Operation *merge, Operation *user) {
  InFlightDiagnostic diagnostic = merge->emitOpError() << "branch arms must yield matching pipeline iterator types";
  diagnostic.attachNote(user->getLoc()) << "here iterators of two pipelines become one, of which this is one";
  return diagnostic;
}

LogicalResult as::verifyIterator(Operation *op, Value pipeline, Value iterator) {
  IteratorOrigins origins;
  Value origin = origins.find(iterator);
  if (origins.mixedMerge)
    return refuseMixedMerge(origins.mixedMerge, op);
  if (origin && origin != pipeline)
    return op->emitOpError() << "expects an iterator of its own pipeline";
  return success();
}

/// The iterators that `value` becomes a part of by control flow or selection.
static void appendMerged(Value value, SmallVectorImpl<Value> &merged) {
  auto append = [&](ValueRange values) {
    llvm::copy_if(values, std::back_inserter(merged), [](Value other) { return isa<IteratorType>(other.getType()); });
  };
  for (Operation *user : value.getUsers()) {
    if (isa<arith::SelectOp, IncIterOp>(user))
      append(user->getResults());
    Operation *around = user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user;
    if (!around || !(around != user || isa<scf::ForOp, scf::WhileOp>(around)))
      continue;
    append(around->getResults());
    if (isa<scf::ForOp, scf::WhileOp>(around))
      for (Region &region : around->getRegions())
        if (!region.empty())
          append(region.front().getArguments());
  }
}

LogicalResult as::verifyMerges(Value iterator) {
  SmallVector<Value> merged = {iterator};
  llvm::SmallPtrSet<Value, 8> seen;
  for (size_t next = 0; next < merged.size(); ++next) {
    Value value = merged[next];
    if (!seen.insert(value).second)
      continue;
    IteratorOrigins origins;
    origins.find(value);
    if (origins.mixedMerge)
      return refuseMixedMerge(origins.mixedMerge, iterator.getDefiningOp());
    appendMerged(value, merged);
    for (Operation *user : value.getUsers())
      if (isa<ProduceOneOp, ProduceOneAsyncOp, ConsumeOneOp, ConsumeOneAsyncOp>(user))
        llvm::copy_if(user->getResults(), std::back_inserter(merged),
                      [](Value other) { return isa<IteratorType>(other.getType()); });
  }
  return success();
}

LogicalResult as::verifyConsumer(Operation *op, Value pipeline, Value iterator, uint32_t index) {
  auto create = pipeline.getDefiningOp<CreatePipelineOp>();
  if (create && index >= create.getNumConsumers())
    return op->emitOpError() << "consumer_idx out of range for consumer group: " << index << " of "
                             << create.getNumConsumers() << " consumers";
  return verifyIterator(op, pipeline, iterator);
}
