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
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "tileiras/Dialect/TileAA/TileAA.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEAARAISELOOPS
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// A loop whose first region is the whole body: `head; if (done) leave else work`, and hands on what the branch gives.
/// Where its test comes first, the head only computes; where it comes last, the head is the work.
struct BreakingLoop {
  scf::WhileOp loop;
  scf::IfOp branch = {};
  Region *leave = nullptr, *work = nullptr;
  SmallVector<Operation *> head = {}; ///< before the branch
  arith::CmpIPredicate goesOn = {};   ///< variable, then bound: `slt`; the other way round: `sgt`
  arith::CmpIOp test = {};
  BlockArgument variable = {}; ///< of the first region
  bool isTestedLast = false;   ///< what is compared is the variable of the next iteration

  ValueRange getHandedOn() { return loop.getConditionOp().getArgs(); }
  Value getCounted() { return goesOn == arith::CmpIPredicate::slt ? test.getLhs() : test.getRhs(); }
  Value getBound() { return goesOn == arith::CmpIPredicate::slt ? test.getRhs() : test.getLhs(); }
};

bool isConstantOrEnd(Operation &op) {
  return op.hasTrait<OpTrait::ConstantLike>() || op.hasTrait<OpTrait::IsTerminator>();
}

std::optional<bool> getFlag(Region &region, unsigned index) {
  const std::optional<int64_t> value = getConstantIntValue(region.front().getTerminator()->getOperand(index));
  return value ? std::optional(*value != 0) : std::nullopt;
}

constexpr StringRef kSeveralEnds = "it neither begins nor ends with the only test that ends it";

/// The second region hands the first of its arguments on, and does nothing else.
bool onlyHandsOn(scf::WhileOp loop) {
  Block *after = loop.getAfterBody();
  return llvm::hasSingleElement(*after) &&
         after->getTerminator()->getOperands() == ValueRange(after->getArguments()).take_front(loop.getInits().size());
}

/// Finds out what `found.loop` consists of; says why it is not counted.
std::optional<StringRef> matchBreakingLoop(BreakingLoop &found) {
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
    if (&op != found.branch)
      found.head.push_back(&op);
  found.test = found.branch.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!found.test || found.test->getParentOp() != loop)
    return "its end does not depend on a comparison";
  found.goesOn = *onTrue ? found.test.getPredicate() : arith::invertPredicate(found.test.getPredicate());
  return std::nullopt;
}

/// What the loop hands on as the number `index` where it takes this way.
Value getHandedOn(BreakingLoop &found, Region &way, unsigned index) {
  Value value = found.getHandedOn()[index];
  return value.getDefiningOp() == found.branch
             ? way.front().getTerminator()->getOperand(cast<OpResult>(value).getResultNumber())
             : value;
}

/// Of `next = variable + step`, with a step above zero and no overflow on the way to the bound: the sum. Or null.
arith::AddIOp getStep(BreakingLoop &found, BlockArgument variable) {
  auto add = getHandedOn(found, *found.work, variable.getArgNumber()).getDefiningOp<arith::AddIOp>();
  if (!add || (add.getLhs() != variable && add.getRhs() != variable))
    return {};
  const std::optional<int64_t> step = getConstantIntValue(add.getLhs() == variable ? add.getRhs() : add.getLhs());
  const bool counts =
      step && *step > 0 && (*step == 1 || bitEnumContainsAll(add.getOverflowFlags(), arith::IntegerOverflowFlags::nsw));
  return counts ? add : arith::AddIOp();
}

std::optional<StringRef> checkThatItCounts(BreakingLoop &found) {
  using Predicate = arith::CmpIPredicate;
  if (found.goesOn != Predicate::slt && found.goesOn != Predicate::sgt)
    return "the comparison that ends it is not with a bound above";
  if (!found.loop.isDefinedOutsideOfLoop(found.getBound()))
    return "its bound changes";
  const Value counted = found.getCounted();
  for (BlockArgument argument : found.loop.getBeforeArguments())
    if (arith::AddIOp next = getStep(found, argument)) {
      found.isTestedLast = counted == next && next->getParentOp() == found.loop;
      if (found.isTestedLast || counted == argument) {
        found.variable = argument;
        return std::nullopt;
      }
    }
  return isa<BlockArgument>(counted) ? "its variable does not count up by a constant, or may overflow"
                                     : "what it compares at its end is not handed from iteration to iteration";
}

std::optional<StringRef> checkTestedFirst(BreakingLoop &found) {
  return llvm::all_of(found.head, isPure) ? std::nullopt : std::optional(kSeveralEnds);
}

/// That the head can be all of an iteration: nothing is done after the test, and the first addition does not overflow.
std::optional<StringRef> checkTestedLast(BreakingLoop &found) {
  if (!llvm::all_of(found.work->front(), isConstantOrEnd) || !llvm::all_of(found.leave->front(), isConstantOrEnd))
    return "something is done after the test that ends it";
  const Value first = found.loop.getInits()[found.variable.getArgNumber()];
  arith::AddIOp next = getStep(found, found.variable);
  APInt value;
  if (!matchPattern(first, m_ConstantInt(&value)) || value.isMaxSignedValue())
    if (!bitEnumContainsAll(next.getOverflowFlags(), arith::IntegerOverflowFlags::nsw))
      return "its variable may overflow";
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

/// What a loop that is tested last carries and leaves with.
struct LastValues {
  SmallVector<Value> inits, nexts; ///< what loops carry, the values of the loop first
  SmallVector<Value> results;      ///< of each result of the loop a value in it: of the last iteration, or from outside
};

/// Each result of the loop is what it carries, a value from outside, or carried beside the others: what an iteration
/// began with, or a number. Nothing where it is another value.
std::optional<LastValues> findLastValues(OpBuilder &builder, BreakingLoop &found) {
  LastValues values;
  values.inits.assign(found.loop.getInits().begin(), found.loop.getInits().end());
  for (unsigned i = 0; i < values.inits.size(); ++i)
    values.nexts.push_back(getHandedOn(found, *found.work, i));
  for (OpResult result : found.loop.getResults()) {
    Value value = getHandedOn(found, *found.leave, result.getResultNumber());
    values.results.push_back(value);
    if (result.use_empty() || found.loop.isDefinedOutsideOfLoop(value) || llvm::is_contained(values.nexts, value))
      continue;
    auto argument = dyn_cast<BlockArgument>(value);
    TypedAttr zero = argument ? TypedAttr() : builder.getZeroAttr(value.getType());
    if (!argument && !zero)
      return std::nullopt;
    values.nexts.push_back(value);
    values.inits.push_back(argument ? found.loop.getInits()[argument.getArgNumber()]
                                    : arith::ConstantOp::create(builder, found.loop.getLoc(), zero));
  }
  return values;
}

/// `for` up to the bound, once at least.
LogicalResult countTestedLast(IRRewriter &rewriter, BreakingLoop &found) {
  scf::WhileOp loop = found.loop;
  const Location location = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  const std::optional<LastValues> values = findLastValues(rewriter, found);
  if (!values)
    return failure();
  const unsigned number = found.variable.getArgNumber();
  arith::AddIOp next = getStep(found, found.variable);
  const Value first = values->inits[number];
  const Value step = next.getLhs() == found.variable ? next.getRhs() : next.getLhs();
  Value one = arith::ConstantOp::create(rewriter, location, rewriter.getIntegerAttr(first.getType(), 1));
  Value second = arith::AddIOp::create(rewriter, location, first, one, arith::IntegerOverflowFlags::nsw);
  Value end = arith::MaxSIOp::create(rewriter, location, found.getBound(), second);
  Value by = arith::ConstantOp::create(rewriter, location,
                                       rewriter.getIntegerAttr(first.getType(), *getConstantIntValue(step)));
  IRMapping mapping;
  auto counted =
      scf::ForOp::create(rewriter, location, first, end, by, values->inits,
                         [&](OpBuilder &builder, Location, Value variable, ValueRange carried) {
                           mapping.map(loop.getBeforeArguments(), carried.take_front(loop.getInits().size()));
                           mapping.map(found.variable, variable);
                           for (Operation *op : found.head)
                             builder.clone(*op, mapping);
                           for (Operation &op : llvm::concat<Operation>(found.work->front().without_terminator(),
                                                                        found.leave->front().without_terminator()))
                             builder.clone(op, mapping);
                           scf::YieldOp::create(builder, location, llvm::map_to_vector(values->nexts, [&](Value value) {
                                                  return mapping.lookupOrDefault(value);
                                                }));
                         });
  for (auto [result, value] : llvm::zip_equal(loop.getResults(), values->results)) {
    const auto *place = llvm::find(values->nexts, value);
    if (place != values->nexts.end())
      result.replaceAllUsesWith(counted.getResult(place - values->nexts.begin()));
    else if (!result.use_empty())
      result.replaceAllUsesWith(value);
  }
  rewriter.eraseOp(loop);
  return success();
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
    if (!obstacle)
      obstacle = found.isTestedLast ? checkTestedLast(found) : checkTestedFirst(found);
    if (obstacle)
      return remarkNotCounted(loop, *obstacle);
    IRRewriter rewriter(&getContext());
    if (found.isTestedLast) {
      if (failed(countTestedLast(rewriter, found)))
        remarkNotCounted(loop, "it leaves with a value that no other iteration has");
      return;
    }
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
