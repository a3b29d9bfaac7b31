//===- PipelineVerification.cpp - Rules of pipelines ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineVerification.h"
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
/// Follows an iterator back to the pipelines it was made for.
class IteratorOrigins {
public:
  /// The first merge on the way whose sides belong to different pipelines; null if there is none.
  Operation *mixedMerge = nullptr;

  /// The pipeline of an iterator. Null where it cannot be told: behind function arguments, or on the way round a loop.
  Value find(Value iterator) {
    if (!visited.insert(iterator).second)
      return {};
    Operation *owner = iterator.getDefiningOp();
    if (!owner)
      return findArgument(cast<BlockArgument>(iterator));
    if (auto stage = dyn_cast<PipelineRegionOpInterface>(owner); stage && isBodyResult(stage, iterator))
      return findYielded(stage, iterator);
    return llvm::TypeSwitch<Operation *, Value>(owner)
        .Case<CreateIteratorOp, ProduceOneOp, ProduceOneAsyncOp>([](auto op) { return op.getPipeline(); })
        .Case<ConsumeOneOp, ConsumeOneAsyncOp>([&](auto op) {
          // Iterators of other pipelines come out of the body.
          return iterator == op.getNext() ? op.getPipeline()
                                          : find(op.getBody().front().getTerminator()->getOperand(
                                                cast<OpResult>(iterator).getResultNumber()));
        })
        .Case([&](IncIterOp op) { return find(op.getIterator()); })
        .Case([&](scf::IfOp op) { return findBranches(op, cast<OpResult>(iterator).getResultNumber()); })
        .Case([&](scf::WhileOp op) {
          return find(op.getConditionOp().getArgs()[cast<OpResult>(iterator).getResultNumber()]);
        })
        .Case([&](LoopLikeOpInterface loop) { return findLoop(loop, loop.getTiedLoopInit(cast<OpResult>(iterator))); })
        .Default([](Operation *) { return Value(); });
  }

private:
  llvm::SmallPtrSet<Value, 8> visited;

  Value merge(Operation *op, Value lhs, Value rhs) {
    if (lhs && rhs && lhs != rhs && !mixedMerge)
      mixedMerge = op;
    return lhs ? lhs : rhs;
  }

  Value findArgument(BlockArgument argument) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast_or_null<scf::WhileOp>(parent); loop && argument.getOwner() == loop.getAfterBody())
      return find(loop.getConditionOp().getArgs()[argument.getArgNumber()]);
    auto loop = dyn_cast_or_null<LoopLikeOpInterface>(parent);
    return loop ? findLoop(loop, loop.getTiedLoopInit(argument)) : Value();
  }

  static bool isBodyResult(PipelineRegionOpInterface stage, Value value) {
    return llvm::is_contained(stage.getBodyResults(), value);
  }

  Value findYielded(PipelineRegionOpInterface stage, Value value) {
    Region &body = stage.getPipelineBody();
    if (body.empty() || !body.back().mightHaveTerminator())
      return {};
    for (auto [result, yielded] : llvm::zip(stage.getBodyResults(), body.back().getTerminator()->getOperands()))
      if (result == value)
        return find(yielded);
    return {};
  }

  /// What goes in, and what comes round.
  Value findLoop(LoopLikeOpInterface loop, OpOperand *init) {
    if (!init)
      return {};
    Value pipeline = find(init->get());
    OpOperand *yielded = loop.getTiedLoopYieldedValue(loop.getTiedLoopRegionIterArg(init));
    return merge(loop, pipeline, yielded ? find(yielded->get()) : Value());
  }

  Value findBranches(scf::IfOp op, unsigned number) {
    Value thenValue = find(op.thenYield().getOperand(number));
    return merge(op, thenValue, find(op.elseYield().getOperand(number)));
  }
};
} // namespace

LogicalResult as::verifyIterator(Operation *op, Value pipeline, Value iterator) {
  IteratorOrigins origins;
  Value origin = origins.find(iterator);
  if (origins.mixedMerge) {
    InFlightDiagnostic diagnostic = op->emitOpError() << "branch arms must yield matching pipeline iterator types";
    diagnostic.attachNote(origins.mixedMerge->getLoc()) << "here iterators of two pipelines become one";
    return diagnostic;
  }
  if (origin && origin != pipeline)
    return op->emitOpError() << "expects an iterator of its own pipeline";
  return success();
}

LogicalResult as::verifyConsumer(Operation *op, Value pipeline, Value iterator, uint32_t index) {
  auto create = pipeline.getDefiningOp<CreatePipelineOp>();
  if (create && index >= create.getNumConsumers())
    return op->emitOpError() << "consumer_idx out of range for consumer group: " << index << " of "
                             << create.getNumConsumers() << " consumers";
  return verifyIterator(op, pipeline, iterator);
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

LogicalResult as::verifyPassedOn(Operation *op, Value token) {
  llvm::SmallPtrSet<Block *, 4> blocks;
  bool isCommitted = false;
  for (OpOperand &use : token.getUses()) {
    // A copy, or products, that signal the stage's barrier do not take the stage away.
    isCommitted |= isa<CommitProductsOp>(use.getOwner());
    if (isa<MemoryConsistencyOpInterface, CommitProductsOp>(use.getOwner()))
      continue;
    if (blocks.insert(use.getOwner()->getBlock()).second)
      continue;
    InFlightDiagnostic diagnostic = op->emitOpError() << "expects its token to be passed on once, but it has two uses";
    diagnostic.attachNote(use.getOwner()->getLoc()) << "one of them is here";
    return diagnostic;
  }
  if (blocks.empty() && !isCommitted)
    return op->emitOpError() << "expects its token to be passed on: a stage that nobody "
                             << (isa<ProducerTokenType>(token.getType()) ? "commits" : "releases")
                             << " stops the pipeline";
  return success();
}
