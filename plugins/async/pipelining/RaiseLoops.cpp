//===- RaiseLoops.cpp - tileaa-raise-loops --------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Remarks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "tileiras/Dialect/TileAA/TileAA.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEAARAISELOOPS
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// A loop whose first region is the whole body: `head; if (done) leave else work`, and hands on what the branch gives.
struct BreakingLoop {
  scf::WhileOp loop;
  scf::IfOp branch = {};
  Region *leave = nullptr, *work = nullptr;
  SmallVector<Operation *> head = {}; ///< before the branch, without effects
  arith::CmpIPredicate goesOn = {};   ///< variable, then bound: `slt`; the other way round: `sgt`
  arith::CmpIOp test = {};
  BlockArgument variable = {}; ///< of the first region

  Block &getWork() { return work->front(); }
  ValueRange getHandedOn() { return loop.getConditionOp().getArgs(); }
};

std::optional<bool> getFlag(Region &region, unsigned index) {
  const std::optional<int64_t> value = getConstantIntValue(region.front().getTerminator()->getOperand(index));
  return value ? std::optional(*value != 0) : std::nullopt;
}

/// The second region hands the first of its arguments on, and does nothing else.
bool onlyHandsOn(scf::WhileOp loop) {
  Block *after = loop.getAfterBody();
  return llvm::hasSingleElement(*after) &&
         after->getTerminator()->getOperands() == ValueRange(after->getArguments()).take_front(loop.getInits().size());
}

/// Finds out what `found.loop` consists of; says why it is not counted.
std::optional<StringRef> matchBreakingLoop(BreakingLoop &found) {
  constexpr StringRef kSeveralEnds = "it does not begin with the only test that ends it";
  scf::WhileOp loop = found.loop;
  auto flag = dyn_cast<OpResult>(loop.getConditionOp().getCondition());
  found.branch = flag ? dyn_cast<scf::IfOp>(flag.getOwner()) : scf::IfOp();
  if (!onlyHandsOn(loop) || !found.branch || found.branch->getNextNode() != loop.getConditionOp() ||
      found.branch.getElseRegion().empty())
    return kSeveralEnds;
  const std::optional<bool> onTrue = getFlag(found.branch.getThenRegion(), flag.getResultNumber()),
                            onFalse = getFlag(found.branch.getElseRegion(), flag.getResultNumber());
  if (!onTrue || !onFalse || *onTrue == *onFalse)
    return kSeveralEnds;
  found.work = *onTrue ? &found.branch.getThenRegion() : &found.branch.getElseRegion();
  found.leave = *onTrue ? &found.branch.getElseRegion() : &found.branch.getThenRegion();
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    if (&op != found.branch) {
      if (!isPure(&op))
        return kSeveralEnds;
      found.head.push_back(&op);
    }
  found.test = found.branch.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!found.test || found.test->getParentOp() != loop)
    return "its end does not depend on a comparison";
  found.goesOn = *onTrue ? found.test.getPredicate() : arith::invertPredicate(found.test.getPredicate());
  return std::nullopt;
}

/// What the variable is in the next iteration: itself and a step above zero, without an overflow on the way to the
/// bound.
bool countsUp(BreakingLoop &found) {
  const BlockArgument variable = found.variable;
  Value next = found.getHandedOn()[variable.getArgNumber()];
  if (next.getDefiningOp() == found.branch)
    next = found.getWork().getTerminator()->getOperand(cast<OpResult>(next).getResultNumber());
  auto add = next.getDefiningOp<arith::AddIOp>();
  if (!add || (add.getLhs() != variable && add.getRhs() != variable))
    return false;
  const std::optional<int64_t> step = getConstantIntValue(add.getLhs() == variable ? add.getRhs() : add.getLhs());
  return step && *step > 0 &&
         (*step == 1 || bitEnumContainsAll(add.getOverflowFlags(), arith::IntegerOverflowFlags::nsw));
}

std::optional<StringRef> checkThatItCounts(BreakingLoop &found) {
  using Predicate = arith::CmpIPredicate;
  if (found.goesOn != Predicate::slt && found.goesOn != Predicate::sgt)
    return "the comparison that ends it is not with a bound above";
  const bool isLeft = found.goesOn == Predicate::slt;
  found.variable = dyn_cast<BlockArgument>(isLeft ? found.test.getLhs() : found.test.getRhs());
  const Value bound = isLeft ? found.test.getRhs() : found.test.getLhs();
  if (!found.variable || found.variable.getOwner() != found.loop.getBeforeBody())
    return "what it compares at its end is not handed from iteration to iteration";
  if (!found.loop.isDefinedOutsideOfLoop(bound))
    return "its bound changes";
  if (!countsUp(found))
    return "its variable does not count up by a constant, or may overflow";
  return std::nullopt;
}

/// `while (test) work`, with the head repeated in front of the work and of what leaves the loop. The variable goes
/// round twice: MLIR's pattern makes of the first what it was in the last iteration, which is not what it is behind the
/// loop.
scf::WhileOp testFirst(IRRewriter &rewriter, BreakingLoop &found) {
  scf::WhileOp loop = found.loop;
  const Location location = loop.getLoc();
  const unsigned numCarried = loop.getInits().size(), number = found.variable.getArgNumber();
  rewriter.setInsertionPoint(loop);
  auto test = [&](OpBuilder &builder, Location, ValueRange arguments) {
    IRMapping mapping;
    mapping.map(loop.getBeforeArguments(), arguments.drop_back());
    Value more = arith::CmpIOp::create(builder, location, found.goesOn, mapping.lookupOrDefault(found.test.getLhs()),
                                       mapping.lookupOrDefault(found.test.getRhs()));
    scf::ConditionOp::create(builder, location, more, arguments);
  };
  /// The head, then a copy of one way through the branch; what is handed on then.
  auto follow = [&](OpBuilder &builder, Region &way, ValueRange arguments) -> SmallVector<Value> {
    IRMapping mapping;
    mapping.map(loop.getBeforeArguments(), arguments);
    for (Operation *op : found.head)
      builder.clone(*op, mapping);
    for (Operation &op : way.front().without_terminator())
      builder.clone(op, mapping);
    for (auto [result, value] : llvm::zip_equal(found.branch.getResults(), way.front().getTerminator()->getOperands()))
      mapping.map(result, mapping.lookupOrDefault(value));
    return llvm::map_to_vector(found.getHandedOn(), [&](Value value) { return mapping.lookupOrDefault(value); });
  };
  auto work = [&](OpBuilder &builder, Location, ValueRange arguments) {
    SmallVector<Value> next = follow(builder, *found.work, arguments.drop_back());
    next.resize(numCarried);
    next.push_back(next[number]);
    scf::YieldOp::create(builder, location, next);
  };
  SmallVector<Value> inits(loop.getInits());
  inits.push_back(inits[number]);
  auto counted = scf::WhileOp::create(rewriter, location, TypeRange(ValueRange(inits)), inits, test, work);
  rewriter.setInsertionPointAfter(counted);
  SmallVector<Value> behind(counted.getResults());
  behind[number] = behind.pop_back_val();
  rewriter.replaceOp(loop, follow(rewriter, *found.leave, behind));
  return counted;
}

struct TileAARaiseLoops : impl::TileAARaiseLoopsBase<TileAARaiseLoops> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAARaiseLoops)

  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation()->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops)
      uplift(loop);
  }

  void uplift(scf::WhileOp loop) {
    moveLoopInvariantCode(loop);
    BreakingLoop found{loop};
    std::optional<StringRef> obstacle = matchBreakingLoop(found);
    if (!obstacle)
      obstacle = checkThatItCounts(found);
    if (obstacle)
      return remarkNotCounted(loop, *obstacle);
    IRRewriter rewriter(&getContext());
    scf::WhileOp counted = testFirst(rewriter, found);
    moveLoopInvariantCode(counted); // the step
    rewriter.setInsertionPoint(counted);
    if (failed(scf::upliftWhileToForLoop(rewriter, counted)))
      remarkNotCounted(counted, "its variable is not the only one that its test needs");
  }

  /// Where it costs something.
  static void remarkNotCounted(scf::WhileOp loop, StringRef reason) {
    WalkResult walk = loop.walk([&](aa::DotOp product) {
      return product->getParentOfType<LoopLikeOpInterface>() == loop ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      remarkOn(loop, Missed::NotCounted)
          << ("loads of the loop do not run ahead, since its iterations are not counted: " + reason).str();
  }
};

} // namespace
} // namespace tileiras::async
