//===- StageVerification.cpp - Rules of stages ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who owns a stage, and for how long. The verifiers of operations ask: what stands around them may not have been
// verified, and is looked at without a promise of its form.
//
//===----------------------------------------------------------------------===//

#include "PipelineVerification.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

namespace {

/// A copy, or MMAs, that signal the stage's barrier do not take the stage away, nor does who asks for its completion.
bool takesStage(Operation *user) {
  return !isa<MemoryConsistencyOpInterface, CommitProductsOp, AsyncTokenToAsyncOp>(user);
}

bool isToken(Value value) {
  return isa<ProducerTokenType, ConsumerTokenType>(value.getType());
}

/// How often a token is taken on the paths from where it is made.
class TokenPaths {
public:
  TokenPaths(Operation *op, Value token) : op(op), token(token), home(token.getParentRegion()) {}

  LogicalResult verify() {
    bool isCommitted = false;
    for (Operation *user : token.getUsers()) {
      isCommitted |= isa<CommitProductsOp>(user);
      if (takesStage(user) && !mark(user))
        return success(); // Not in the token's region: dominance is verified later.
    }
    unsigned taken = 0;
    if (home->hasOneBlock()) {
      if (failed(count(home->front(), taken)))
        return failure();
    } else if (failed(countInBlocks(taken))) {
      return failure();
    }
    if (taken != 0 || isCommitted)
      return success();
    return op->emitOpError() << "expects its token to be passed on: a stage that nobody " << getVerb()
                             << " stops the pipeline";
  }

private:
  StringRef getVerb() const { return isa<ProducerTokenType>(token.getType()) ? "commits" : "releases"; }

  /// `user` and what is around it are on the way. False if it is not inside of the token's region.
  bool mark(Operation *user) {
    for (Operation *around = user; around; around = around->getParentOp()) {
      onTheWay.insert(around);
      if (around->getParentRegion() == home)
        return true;
    }
    return false;
  }

  LogicalResult take(Operation *by, unsigned times, unsigned &taken) {
    taken += times;
    if (taken <= 1)
      return success();
    InFlightDiagnostic diagnostic = op->emitOpError() << "expects its token to be passed on once, but it has two uses";
    diagnostic.attachNote(by->getLoc()) << "one of them is here";
    return diagnostic;
  }

  LogicalResult count(Block &block, unsigned &taken) {
    for (Operation &inner : block)
      if (onTheWay.contains(&inner) && failed(count(inner, taken)))
        return failure();
    return success();
  }

  LogicalResult count(Operation &inner, unsigned &taken) {
    if (takesStage(&inner))
      if (failed(take(&inner, llvm::count(inner.getOperands(), token), taken)))
        return failure();
    unsigned nested = 0;
    if (isa<scf::IfOp, scf::IndexSwitchOp>(inner)) {
      if (failed(countArms(inner, nested)))
        return failure();
    } else {
      for (Region &region : inner.getRegions())
        for (Block &block : region)
          if (failed(count(block, nested)))
            return failure();
      if (nested != 0 && isa<LoopLikeOpInterface>(inner)) {
        InFlightDiagnostic diagnostic =
            op->emitOpError() << "expects its token to be passed on once, but a loop may do that any number of times";
        diagnostic.attachNote(inner.getLoc()) << "the loop is here; tokens go into it as loop-carried values";
        return diagnostic;
      }
    }
    return nested == 0 ? success() : take(&inner, nested, taken);
  }

  /// One of the regions runs: all of them pass the token on, or none.
  LogicalResult countArms(Operation &branch, unsigned &taken) {
    unsigned most = 0, least = 1;
    for (Region &region : branch.getRegions()) {
      unsigned arm = 0;
      for (Block &block : region)
        if (failed(count(block, arm)))
          return failure();
      most = std::max(most, arm);
      least = std::min(least, arm);
    }
    taken = most;
    if (most == 0 || least == 1)
      return success();
    InFlightDiagnostic diagnostic = op->emitOpError()
                                    << "expects its token to be passed on once on every path: on one nobody "
                                    << getVerb() << " the stage, which stops the pipeline";
    diagnostic.attachNote(branch.getLoc()) << "one arm of this passes it on, another does not";
    return diagnostic;
  }

  /// Between blocks paths are not followed.
  LogicalResult countInBlocks(unsigned &taken) {
    for (Block &block : *home) {
      unsigned inBlock = 0;
      if (failed(count(block, inBlock)))
        return failure();
      taken = std::max(taken, inBlock);
    }
    return success();
  }

  Operation *op;
  Value token;
  Region *home;
  llvm::SmallPtrSet<Operation *, 8> onTheWay;
};

/// Tokens that `token` becomes where `user` hands it on.
void appendHandedOn(OpOperand &use, SmallVectorImpl<Value> &tokens) {
  Operation *user = use.getOwner();
  auto append = [&](ValueRange values, unsigned number) {
    if (number < values.size() && isToken(values[number]))
      tokens.push_back(values[number]);
  };
  auto appendLoop = [&](Operation *loop, unsigned number) {
    append(loop->getResults(), number);
    if (loop->getNumRegions() == 1 && !loop->getRegion(0).empty())
      append(loop->getRegion(0).front().getArguments(), number + 1);
  };
  if (auto loop = dyn_cast<scf::ForOp>(user); loop && use.getOperandNumber() >= loop.getNumControlOperands())
    return appendLoop(user, use.getOperandNumber() - loop.getNumControlOperands());
  Operation *parent = user->getParentOp();
  if (!parent || !isa<scf::YieldOp, PipelineYieldOp>(user))
    return;
  if (isa<scf::ForOp>(parent))
    appendLoop(parent, use.getOperandNumber());
  else if (!isa<scf::WhileOp>(parent))
    append(parent->getResults(), use.getOperandNumber());
}

} // namespace

LogicalResult as::verifyPassedOn(Operation *op, Value token) {
  SmallVector<Value> tokens = {token};
  llvm::SmallPtrSet<Value, 4> seen;
  for (size_t next = 0; next < tokens.size(); ++next) {
    Value current = tokens[next];
    if (!seen.insert(current).second)
      continue;
    if (failed(TokenPaths(op, current).verify()))
      return failure();
    for (OpOperand &use : current.getUses())
      appendHandedOn(use, tokens);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// The release of a stage that stands in the block of `read`, or null: elsewhere the token has been handed on.
static Operation *findRelease(Operation *owner, Value token) {
  for (Operation *user : token.getUsers()) {
    if (user->getBlock() != owner->getBlock())
      continue;
    if (isa<ConsumerReleaseOp>(user))
      return user;
    if (isa<ConsumerReadOp>(user) && user->getNumResults() != 0 && user != owner)
      return findRelease(user, user->getResults().back());
  }
  return nullptr;
}

/// A later round of the same stage begins in between.
static bool isAcquiredBetween(Operation *release, Operation *use, Value iterator) {
  return llvm::any_of(iterator.getUsers(), [&](Operation *user) {
    return isa<ProducerAcquireOp, ProduceOneOp, ProduceOneAsyncOp, ConsumerWaitOp>(user) &&
           user->getBlock() == release->getBlock() && release->isBeforeInBlock(user) &&
           (user == use || user->isBeforeInBlock(use));
  });
}

/// `slot` and the views of it have no use after `release`.
static LogicalResult verifySlot(Operation *op, Value slot, Value iterator, Operation *release) {
  SmallVector<Value> views = {slot};
  llvm::SmallPtrSet<Value, 4> seen;
  for (size_t next = 0; next < views.size(); ++next) {
    if (!seen.insert(views[next]).second)
      continue;
    for (Operation *user : views[next].getUsers()) {
      Operation *use = release->getBlock()->findAncestorOpInBlock(*user);
      if (use && use != release && release->isBeforeInBlock(use) && !isAcquiredBetween(release, use, iterator)) {
        InFlightDiagnostic diagnostic = op->emitOpError()
                                        << "expects its slots to be read before the stage is released";
        diagnostic.attachNote(user->getLoc()) << "here a slot is used after that";
        diagnostic.attachNote(release->getLoc()) << "the release is here";
        return diagnostic;
      }
      if (isa<ViewOp>(user))
        llvm::append_range(views, user->getResults());
    }
  }
  return success();
}

LogicalResult as::verifySlots(ConsumerWaitOp op) {
  Operation *release = findRelease(op, op.getToken());
  if (!release || !op->isBeforeInBlock(release))
    return success();
  for (Operation *user : op.getIterator().getUsers())
    if (isa<SlotOp>(user) && user->getNumOperands() == 2 && user->getOperand(0) == op.getPipeline() &&
        user->getNumResults() == 1)
      if (failed(verifySlot(op, user->getResult(0), op.getIterator(), release)))
        return failure();
  return success();
}

LogicalResult as::verifySlots(ConsumerReadOp op) {
  Operation *release = findRelease(op, op.getDone());
  Region &body = op.getBody();
  if (!release || !op->isBeforeInBlock(release) || body.empty() || !body.front().mightHaveTerminator())
    return success();
  for (auto [value, yielded] : llvm::zip(op.getValues(), body.front().back().getOperands()))
    if (auto slot = dyn_cast<BlockArgument>(yielded);
        slot && slot.getOwner() == &body.front() && isMemoryTensor(slot.getType()))
      if (failed(verifySlot(op, value, op.getIterator(), release)))
        return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Copies into stages
//===----------------------------------------------------------------------===//

/// The pipeline of a pipeline, or of a token as far as it can be seen.
static Value findPipeline(Value owner) {
  llvm::SmallPtrSet<Value, 4> seen;
  while (owner && seen.insert(owner).second) {
    if (isa<PipelineType>(owner.getType()))
      return owner;
    Operation *op = owner.getDefiningOp();
    if (!isa_and_nonnull<ProducerAcquireOp, ProducerWriteOp, ConsumerWaitOp, ConsumerReadOp>(op) ||
        op->getNumOperands() == 0)
      return {};
    owner = op->getOperand(0);
  }
  return {};
}

/// The pipeline that a tile in memory is a slot of, or null.
static Value findPipelineOfSlot(Value tile) {
  llvm::SmallPtrSet<Value, 4> seen;
  while (tile && seen.insert(tile).second) {
    if (auto argument = dyn_cast<BlockArgument>(tile)) {
      Operation *stage = argument.getOwner()->getParentOp();
      return isa_and_nonnull<PipelineRegionOpInterface>(stage) && stage->getNumOperands() != 0
                 ? findPipeline(stage->getOperand(0))
                 : Value();
    }
    Operation *op = tile.getDefiningOp();
    if (op->getNumOperands() == 0)
      return {};
    if (isa<SlotOp>(op))
      return op->getOperand(0);
    if (!isa<ViewOp>(op))
      return {};
    tile = op->getOperand(0);
  }
  return {};
}

LogicalResult as::verifyBarrier(Operation *copy, Value destination, Value barrier) {
  Value pipeline = barrier ? findPipeline(barrier) : Value();
  if (!barrier) {
    Operation *around = copy->getParentOp();
    while (around && !isa<ProduceOneOp, ProduceOneAsyncOp, ProducerWriteOp>(around))
      around = around->getParentOp();
    pipeline = around && around->getNumOperands() != 0 ? findPipeline(around->getOperand(0)) : Value();
  }
  Value filled = findPipelineOfSlot(destination);
  if (!pipeline || !filled || pipeline == filled)
    return success();
  InFlightDiagnostic diagnostic = copy->emitOpError()
                                  << "expects a stage of its destination's pipeline to wait for its bytes";
  diagnostic.attachNote(filled.getLoc()) << "the destination is a slot of this pipeline";
  diagnostic.attachNote(pipeline.getLoc()) << "the barrier is of this one";
  return diagnostic;
}
