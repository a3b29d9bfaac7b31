//===- ExpandAsyncStages.cpp - Stages whose tokens say when ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpandAsyncStages.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras {
namespace {

/// The variable of `scf.for` that `use` is the initial or the next value of; none for other uses.
std::optional<unsigned> getCarriedNumber(OpOperand &use) {
  if (auto loop = dyn_cast<scf::ForOp>(use.getOwner())) {
    const unsigned controls = loop.getNumControlOperands();
    return use.getOperandNumber() < controls ? std::nullopt
                                             : std::optional<unsigned>(use.getOperandNumber() - controls);
  }
  if (isa<scf::YieldOp>(use.getOwner()) && isa<scf::ForOp>(use.getOwner()->getParentOp()))
    return use.getOperandNumber();
  return std::nullopt;
}

scf::ForOp getCarryingLoop(OpOperand &use) {
  return dyn_cast<scf::ForOp>(isa<scf::YieldOp>(use.getOwner()) ? use.getOwner()->getParentOp() : use.getOwner());
}

LogicalResult refuse(OpOperand &use, StringRef remedy) {
  InFlightDiagnostic diagnostic = use.getOwner()->emitOpError()
                                  << "hands on the token of a stage in a way that nobody follows; " << remedy;
  if (Operation *definition = use.get().getDefiningOp())
    diagnostic.attachNote(definition->getLoc()) << "this is the token";
  return diagnostic;
}

/// The wait is over when `token` is complete, as far as that is concerned.
void dropToken(RewriterBase &rewriter, Operation *wait, Value token) {
  llvm::TypeSwitch<Operation *>(wait)
      .Case([&](as::AsyncWaitOp op) {
        SmallVector<Value> others = llvm::filter_to_vector(op.getTokens(), [&](Value other) { return other != token; });
        if (others.empty())
          rewriter.eraseOp(op);
        else
          rewriter.modifyOpInPlace(op, [&] { op.getTokensMutable().assign(others); });
      })
      .Case([&](as::AsyncFutureWaitOp op) { rewriter.replaceOp(op, op.getValues()); });
}

//===----------------------------------------------------------------------===//
// Producers
//===----------------------------------------------------------------------===//

/// A token that is complete when the stages before `next` are full, of the pipeline.
struct FilledToken {
  Value token, next;
};

/// The tokens of one producer, by which `scf.for` hands them on beside its iterator.
class FilledTokens {
public:
  FilledTokens(RewriterBase &rewriter, Value pipeline) : rewriter(rewriter), pipeline(pipeline) {}

  LogicalResult replaceWaits(FilledToken first) {
    add(first);
    for (size_t i = 0; i < tokens.size(); ++i)
      for (OpOperand &use : llvm::make_early_inc_range(tokens[i].token.getUses()))
        if (failed(visit(use, tokens[i])))
          return failure();
    return success();
  }

private:
  void add(FilledToken token) {
    if (seen.insert(token.token).second)
      tokens.push_back(token);
  }

  LogicalResult visit(OpOperand &use, FilledToken token) {
    Operation *user = use.getOwner();
    if (isa<as::AsyncWaitOp, as::AsyncFutureWaitOp>(user)) {
      rewriter.setInsertionPoint(user);
      as::ProducerDrainOp::create(rewriter, user->getLoc(), pipeline, token.next);
      dropToken(rewriter, user, token.token);
      return success();
    }
    std::optional<unsigned> number = getCarriedNumber(use);
    if (!number)
      return refuse(use, "expects a wait, or a loop");
    scf::ForOp loop = getCarryingLoop(use);
    // The iterator goes the same way.
    ValueRange values = isa<scf::YieldOp>(user) ? ValueRange(user->getOperands()) : ValueRange(loop.getInitArgs());
    auto found = llvm::find(values, token.next);
    if (found == values.end())
      return refuse(use, "expects a loop that carries the producer's next iterator, too");
    const unsigned next = found - values.begin();
    add({loop.getRegionIterArg(*number), loop.getRegionIterArg(next)});
    add({loop.getResult(*number), loop.getResult(next)});
    return success();
  }

  RewriterBase &rewriter;
  Value pipeline;
  SmallVector<FilledToken> tokens;
  llvm::SmallPtrSet<Value, 4> seen;
};

LogicalResult expandProducer(RewriterBase &rewriter, as::ProduceOneAsyncOp op) {
  rewriter.setInsertionPoint(op);
  auto produce = as::ProduceOneOp::create(rewriter, op.getLoc(), op.getNext().getType(), op.getPipeline(),
                                          op.getIterator(), op.getProducerKindAttr());
  rewriter.inlineRegionBefore(op.getBody(), produce.getBody(), produce.getBody().end());
  rewriter.replaceAllUsesWith(op.getNext(), produce.getNext());
  if (failed(FilledTokens(rewriter, op.getPipeline()).replaceWaits({op.getToken(), produce.getNext()})))
    return failure();
  rewriter.setInsertionPointAfter(produce);
  rewriter.replaceAllUsesWith(op.getToken(), as::CreateNoneOp::create(rewriter, op.getLoc(), op.getToken().getType()));
  rewriter.eraseOp(op);
  return success();
}

/// The acquisition that a producer's token comes from, by writes of the stage.
as::ProducerAcquireOp findAcquire(Value token) {
  while (auto write = token.getDefiningOp<as::ProducerWriteOp>())
    token = write.getToken();
  return token.getDefiningOp<as::ProducerAcquireOp>();
}

LogicalResult expandCompletion(RewriterBase &rewriter, as::AsyncTokenToAsyncOp op) {
  rewriter.setInsertionPoint(op);
  // What memory tokens stand for, and what threads have read, is complete in program order.
  if (isa<as::ProducerTokenType>(op.getToken().getType())) {
    as::ProducerAcquireOp acquire = findAcquire(op.getToken());
    if (!acquire)
      return op.emitOpError() << "is of a stage that it is not told where it was acquired: expects the token of a "
                                 "producer_acquire or producer_write";
    Value next = as::IncIterOp::create(rewriter, op.getLoc(), acquire.getIterator().getType(), acquire.getIterator());
    if (failed(FilledTokens(rewriter, acquire.getPipeline()).replaceWaits({op.getResult(), next})))
      return failure();
  }
  rewriter.replaceOpWithNewOp<as::CreateNoneOp>(op, op.getResult().getType());
  return success();
}

//===----------------------------------------------------------------------===//
// Consumers
//===----------------------------------------------------------------------===//

/// What completes the body's MMAs: the token of the last one, before which all others are complete. Null: it has none.
FailureOr<Value> findLastProduct(as::ConsumeOneAsyncOp op) {
  Operation *last = nullptr;
  op.getBody().walk<WalkOrder::PreOrder>([&](as::AsyncDotOp product) { last = product; });
  if (!last)
    return Value();
  auto product = cast<as::AsyncDotOp>(last);
  if (product->getBlock() != &op.getBody().front() || !product.getToken())
    return product.emitOpError() << "is the last one of a stage whose readers have a token, but has none itself in the "
                                    "stage's body";
  return product.getToken();
}

/// Tokens of a consumer's readers become those of its MMAs, and the stage is released where they are waited for. Loops
/// that carry them carry the stage, too.
class ReadTokens {
public:
  explicit ReadTokens(RewriterBase &rewriter, Type stageType) : rewriter(rewriter), stageType(stageType) {}

  LogicalResult releaseAtWaits(Value token, Value stage) {
    stages[token] = stage;
    if (failed(collectLoops(token)))
      return failure();
    for (CarryingLoop &carrying : loops)
      addVariable(carrying);
    for (CarryingLoop &carrying : loops)
      if (failed(setVariable(carrying)))
        return failure();
    for (auto [token, stage] : stages)
      for (OpOperand &use : token.getUses())
        if (isa<as::AsyncWaitOp, as::AsyncFutureWaitOp>(use.getOwner())) {
          rewriter.setInsertionPointAfter(use.getOwner());
          as::ConsumerReleaseOp::create(rewriter, use.getOwner()->getLoc(), stage);
        }
    return success();
  }

private:
  struct CarryingLoop {
    scf::ForOp loop;
    unsigned number; ///< of the variable that is the token
  };

  LogicalResult collectLoops(Value token) {
    for (OpOperand &use : token.getUses()) {
      if (isa<as::AsyncWaitOp, as::AsyncFutureWaitOp>(use.getOwner()))
        continue;
      std::optional<unsigned> number = getCarriedNumber(use);
      if (!number)
        return refuse(use, "expects a wait, or a loop");
      scf::ForOp loop = getCarryingLoop(use);
      auto known = llvm::find_if(loops, [&](const CarryingLoop &other) { return other.loop == loop; });
      if (known == loops.end()) {
        loops.push_back({loop, *number});
        if (failed(collectLoops(loop.getRegionIterArg(*number))) || failed(collectLoops(loop.getResult(*number))))
          return failure();
      } else if (known->number != *number) {
        return refuse(use, "expects one variable of the loop for it");
      }
    }
    return success();
  }

  /// That carries no stage yet.
  void addVariable(CarryingLoop &carrying) {
    auto [loop, number] = carrying;
    rewriter.setInsertionPoint(loop);
    Value none = as::CreateNoneOp::create(rewriter, loop.getLoc(), stageType);
    auto replaced = *loop.replaceWithAdditionalYields(
        rewriter, none, /*replaceInitOperandUsesInLoop=*/false,
        [](OpBuilder &, Location, ArrayRef<BlockArgument> added) { return SmallVector<Value>(added); });
    carrying.loop = cast<scf::ForOp>(replaced.getOperation());
    stages[carrying.loop.getRegionIterArg(number)] = carrying.loop.getRegionIterArgs().back();
    stages[carrying.loop.getResult(number)] = carrying.loop.getResults().back();
  }

  LogicalResult setVariable(CarryingLoop carrying) {
    auto [loop, number] = carrying;
    Operation *yield = loop.getBody()->getTerminator();
    Value init = findStage(loop.getInitArgs()[number]), next = findStage(yield->getOperand(number));
    if (!init || !next)
      return loop.emitOpError() << "carries the tokens of several consumers in one variable; expects one for each";
    rewriter.modifyOpInPlace(loop, [&] { loop->setOperand(loop->getNumOperands() - 1, init); });
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperand(yield->getNumOperands() - 1, next); });
    return success();
  }

  /// Null where the stage of a token is not known.
  Value findStage(Value token) {
    if (auto known = stages.find(token); known != stages.end())
      return known->second;
    if (!token.getDefiningOp<as::CreateNoneOp>())
      return {};
    rewriter.setInsertionPointAfterValue(token);
    return stages[token] = as::CreateNoneOp::create(rewriter, token.getLoc(), stageType);
  }

  RewriterBase &rewriter;
  Type stageType;
  SmallVector<CarryingLoop> loops;
  llvm::MapVector<Value, Value> stages;
};

LogicalResult expandConsumer(RewriterBase &rewriter, as::ConsumeOneAsyncOp op) {
  FailureOr<Value> product = findLastProduct(op);
  if (failed(product))
    return failure();
  const Location location = op.getLoc();
  if (!*product) { // Threads have read when the body is over.
    rewriter.setInsertionPoint(op);
    rewriter.replaceAllUsesWith(op.getToken(), as::CreateNoneOp::create(rewriter, location, op.getToken().getType()));
  }
  as::ConsumerReadOp read = as::splitConsumer(rewriter, op, *product);
  if (*product)
    return ReadTokens(rewriter, read.getDone().getType()).releaseAtWaits(read.getValues().back(), read.getDone());
  rewriter.setInsertionPointAfter(read);
  as::ConsumerReleaseOp::create(rewriter, location, read.getDone());
  return success();
}

} // namespace

LogicalResult expandAsyncStages(Operation *function) {
  SmallVector<Operation *> ops;
  function->walk([&](Operation *op) {
    if (isa<as::ProduceOneAsyncOp, as::ConsumeOneAsyncOp, as::AsyncTokenToAsyncOp>(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(function->getContext());
  for (Operation *op : ops) {
    const LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(op)
            .Case([&](as::ProduceOneAsyncOp produce) { return expandProducer(rewriter, produce); })
            .Case([&](as::ConsumeOneAsyncOp consume) { return expandConsumer(rewriter, consume); })
            .Default([&](Operation *) { return expandCompletion(rewriter, cast<as::AsyncTokenToAsyncOp>(op)); });
    if (failed(result))
      return failure();
  }
  return success();
}

} // namespace tileiras
