//===- Exponentials.cpp - What is done beside exponentials ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exponentials.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tileiras {

Operation *findExponentials(scf::ForOp loop, const TuningModel &tuning) {
  int64_t most = tuning.leastOverlappedExponentials - 1;
  Operation *found = nullptr;
  for (Operation &exponentials : *loop.getBody()) {
    if (!isa<aa::ExpOp, aa::Exp2Op, math::ExpOp, math::Exp2Op>(exponentials))
      continue;
    auto tile = dyn_cast<RankedTensorType>(exponentials.getResult(0).getType());
    if (!tile || !as::isDistributedTensor(tile) || as::getNumRegisters(tile) <= most)
      continue;
    most = as::getNumRegisters(tile);
    found = &exponentials;
  }
  return found;
}

/// What makes the operands of `op`, and of what is nested in it, in the same block.
static llvm::SmallSetVector<Operation *, 8> findMakers(Operation *op) {
  llvm::SmallSetVector<Operation *, 8> makers;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *maker = operand.getDefiningOp(); maker && maker->getBlock() == op->getBlock())
        makers.insert(maker);
  });
  return makers;
}

Operation *gatherBehind(Operation *first, const LoweringContext &lowering) {
  llvm::SmallPtrSet<Operation *, 8> gathered = {first};
  Operation *last = first;
  for (Operation *op = first->getNextNode(), *next; !op->hasTrait<OpTrait::IsTerminator>(); op = next) {
    next = op->getNextNode();
    const bool isReady = llvm::all_of(
        findMakers(op), [&](Operation *maker) { return gathered.contains(maker) || maker->isBeforeInBlock(first); });
    if (!isReady || !isMemoryEffectFree(op) || lowering.getScratchBytes(op) != 0)
      continue;
    op->moveAfter(last);
    gathered.insert(op);
    last = op;
  }
  return last;
}

namespace {

/// An iteration's operations behind its exponentials.
class Iteration {
public:
  explicit Iteration(Operation *exponentials) : exponentials(exponentials) {}

  /// Returns whether anything has to be known of the order that is not.
  bool hasOtherEffects() const {
    return llvm::any_of(getRest(), [](Operation &op) {
      return !isMemoryEffectFree(&op) && !isa<as::AsyncFutureWaitOp, as::ConsumerWaitOp, as::ConsumerReleaseOp>(op) &&
             !startsProducts(&op);
    });
  }

  /// The waits for sums, and the products, that can come first; empty if that gains nothing.
  SmallVector<Operation *> findFirst() {
    findStaying();
    SmallVector<Operation *> found;
    bool gains = false;
    for (Operation &op : getRest()) {
      if (staying.contains(&op) || isMemoryEffectFree(&op) || isa<as::ConsumerReleaseOp>(op))
        continue;
      if (Value pipeline = findPipeline(&op); pipeline ? !hasStageToSpare(pipeline) : !isa<as::AsyncFutureWaitOp>(op))
        return {};
      gains |= isa<as::AsyncFutureWaitOp>(op);
      found.push_back(&op);
    }
    return gains ? found : SmallVector<Operation *>();
  }

  void moveFirst(Operation *op) {
    if (op->getBlock() != exponentials->getBlock() || op->isBeforeInBlock(exponentials))
      return;
    for (Operation *maker : findMakers(op))
      moveFirst(maker);
    op->moveBefore(exponentials);
  }

private:
  /// Without the terminator.
  llvm::iterator_range<Block::iterator> getRest() const {
    return {std::next(exponentials->getIterator()), std::prev(exponentials->getBlock()->end())};
  }

  /// Products in the body of a stage's consumer, and nothing else that does anything.
  static bool startsProducts(Operation *op) {
    auto read = dyn_cast<as::ConsumerReadOp>(op);
    return read && llvm::all_of(read.getBody().getOps(), [](Operation &inner) {
             return isa<as::AsyncDotOp>(inner) || inner.hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(&inner);
           });
  }

  /// What needs the exponentials, and what that needs besides.
  void findStaying() {
    auto isOfStaying = [&](Operation *op) { return op == exponentials || staying.contains(op); };
    for (Operation &op : getRest())
      if (llvm::any_of(findMakers(&op), isOfStaying))
        staying.insert(&op);
    for (Operation &op : llvm::reverse(getRest()))
      if (staying.contains(&op))
        for (Operation *maker : findMakers(&op))
          if (exponentials->isBeforeInBlock(maker))
            staying.insert(maker);
    for (Operation *op : staying)
      if (Value pipeline = findPipeline(op))
        pipelinesOfStaying.insert(pipeline);
  }

  /// Of a wait for a stage or of what reads it; null if that is not known.
  static Value findPipeline(Operation *op) {
    if (auto read = dyn_cast<as::ConsumerReadOp>(op))
      op = read.getToken().getDefiningOp();
    auto wait = dyn_cast_or_null<as::ConsumerWaitOp>(op);
    return wait ? wait.getPipeline() : Value();
  }

  /// Who waits for a stage sooner may do so before stages of other pipelines have been released that were before.
  bool hasStageToSpare(Value pipeline) const {
    constexpr int64_t leastStages = 3;
    auto isEnough = [](Value other) { return cast<as::PipelineType>(other.getType()).getStages() >= leastStages; };
    return !pipelinesOfStaying.contains(pipeline) && isEnough(pipeline) && llvm::all_of(pipelinesOfStaying, isEnough);
  }

  Operation *exponentials;
  llvm::SmallPtrSet<Operation *, 16> staying;
  llvm::SmallSetVector<Value, 4> pipelinesOfStaying;
};

} // namespace

/// Registers of a thread for the sums that are waited for.
static int64_t countRegisters(ArrayRef<Operation *> waits) {
  int64_t count = 0;
  for (Operation *wait : waits)
    if (isa<as::AsyncFutureWaitOp>(wait))
      for (Type type : wait->getResultTypes())
        if (auto tile = dyn_cast<RankedTensorType>(type); tile && as::isDistributedTensor(tile))
          count += as::getNumRegisters(tile);
  return count;
}

/// Who waits for what the iteration before has started waits for it in that iteration, at `place`, and before the loop;
/// the results are carried, and complete behind it. Returns the loop's result that was none; null if somebody needs
/// what is not complete.
static OpResult waitInIterationBefore(as::AsyncFutureWaitOp wait, OpBuilder &place) {
  auto loop = cast<scf::ForOp>(wait->getParentOp());
  auto getNumber = [&](Value value) -> std::optional<unsigned> {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != loop.getBody() || argument == loop.getInductionVar() || !value.hasOneUse())
      return std::nullopt;
    return argument.getArgNumber() - loop.getNumInductionVars();
  };
  const std::optional<unsigned> token = getNumber(wait.getToken());
  const std::optional<unsigned> value = wait.getValues().size() == 1 ? getNumber(wait.getValues()[0]) : std::nullopt;
  auto isSuch = [&](Operation *user) {
    auto other = dyn_cast<as::AsyncFutureWaitOp>(user);
    return other && other.getToken() == loop.getResult(*token) && other.getValues().size() == 1;
  };
  if (!token || !value || !llvm::all_of(loop.getResult(*value).getUsers(), isSuch))
    return {};
  auto emitWait = [&](OpBuilder &builder, ValueRange values) {
    return as::AsyncFutureWaitOp::create(builder, wait.getLoc(), values[*token], values[*value])->getResult(0);
  };
  OpBuilder before(loop);
  loop.getInitArgsMutable()[*value].assign(emitWait(before, loop.getInitArgs()));
  loop.getBody()->getTerminator()->setOperand(*value, emitWait(place, loop.getYieldedValues()));
  wait.replaceAllUsesWith(ValueRange{loop.getRegionIterArg(*value)});
  wait.erase();
  for (Operation *user : llvm::make_early_inc_range(loop.getResult(*value).getUsers())) {
    user->replaceAllUsesWith(ValueRange{loop.getResult(*value)});
    user->erase();
  }
  return cast<OpResult>(loop.getResult(*value));
}

SmallVector<OpResult> overlapExponentials(scf::ForOp loop, const LoweringContext &lowering, int64_t numRegisters) {
  const int64_t others = lowering.tuning().registersBesideExponentials;
  Operation *exponentials = findExponentials(loop, lowering.tuning());
  if (!exponentials)
    return {};
  Iteration iteration(exponentials);
  if (iteration.hasOtherEffects())
    return {};
  const SmallVector<Operation *> first = iteration.findFirst();
  const int64_t count = as::getNumRegisters(cast<RankedTensorType>(exponentials->getResult(0).getType()));
  if (first.empty() || count + countRegisters(first) + others > numRegisters)
    return {};
  for (Operation *op : first)
    iteration.moveFirst(op);
  OpBuilder behind(loop->getContext());
  behind.setInsertionPointAfter(gatherBehind(exponentials, lowering));
  SmallVector<OpResult> complete;
  for (Operation *op : first)
    if (auto wait = dyn_cast<as::AsyncFutureWaitOp>(op))
      if (OpResult result = waitInIterationBefore(wait, behind))
        complete.push_back(result);
  return complete;
}

} // namespace tileiras
