//===- SplitLoops.cpp - tileas-split-loops --------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaskBounds.h"
#include "Passes.h"
#include "Remarks.h"
#include "common/QueueLoads.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASSPLITLOOPS
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// A condition of a loop that is one thing in its first iterations, and perhaps another in the rest.
struct SplitPoint {
  Value condition;
  bool isFirst;             ///< what it is in the first iterations
  Value bound;              ///< the first iteration of the rest, or the last before it; null: where `mask` says
  bool isBoundLast = false; ///< the latter
  std::optional<MaskBound> mask = {}; ///< of a condition that is a tile

  /// In the rest it is known, too.
  bool isKnownInRest() const { return !mask; }
};

/// A comparison of the variable with something that the loop does not change.
std::optional<SplitPoint> findSplitPoint(scf::ForOp loop, Value condition) {
  using Predicate = arith::CmpIPredicate;
  auto test = condition.getDefiningOp<arith::CmpIOp>();
  if (!test || (test.getLhs() != loop.getInductionVar() && test.getRhs() != loop.getInductionVar()))
    return std::nullopt;
  const bool isLeft = test.getLhs() == loop.getInductionVar();
  const Value bound = isLeft ? test.getRhs() : test.getLhs();
  if (!loop.isDefinedOutsideOfLoop(bound))
    return std::nullopt;
  // With the variable on the right, the predicate is mirrored: i < b is what b > i is.
  switch (test.getPredicate()) {
  case Predicate::slt:
    return SplitPoint{test, isLeft, bound, !isLeft};
  case Predicate::sgt:
    return SplitPoint{test, !isLeft, bound, isLeft};
  case Predicate::sle:
    return SplitPoint{test, isLeft, bound, isLeft};
  case Predicate::sge:
    return SplitPoint{test, !isLeft, bound, !isLeft};
  default:
    return std::nullopt;
  }
}

bool hasTiles(scf::IfOp branch) {
  return branch
      .walk([](Operation *op) {
        return llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>) ? WalkResult::interrupt()
                                                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// `branch` is what it comes to where its condition is known.
void inlineBranch(IRRewriter &rewriter, scf::IfOp branch, bool condition) {
  Region &way = condition ? branch.getThenRegion() : branch.getElseRegion();
  if (way.empty())
    return rewriter.eraseOp(branch);
  Operation *yield = way.front().getTerminator();
  const SmallVector<Value> results(yield->getOperands());
  rewriter.inlineBlockBefore(&way.front(), branch);
  rewriter.replaceOp(branch, results);
  rewriter.eraseOp(yield);
}

/// Something is chosen by `condition`, perhaps together with other conditions.
bool selects(Value condition) {
  llvm::SetVector<Value> conditions;
  conditions.insert(condition);
  for (size_t i = 0; i < conditions.size(); ++i)
    for (Operation *user : conditions[i].getUsers()) {
      if (auto select = dyn_cast<arith::SelectOp>(user); select && select.getCondition() == conditions[i])
        return true;
      if (repeatsElements(user) || isa<arith::AndIOp>(user))
        conditions.insert(user->getResult(0));
    }
  return false;
}

/// What is unused then stays: it may be another user of `condition`.
void assumeSelection(IRRewriter &rewriter, Value condition, bool value) {
  for (Operation *user : condition.getUsers()) {
    if (auto select = dyn_cast<arith::SelectOp>(user); select && select.getCondition() == condition)
      rewriter.replaceAllUsesWith(select.getResult(), value ? select.getTrueValue() : select.getFalseValue());
    else if (repeatsElements(user))
      assumeSelection(rewriter, user->getResult(0), value);
    else if (isa<arith::AndIOp>(user) && value && user->getOperand(0) != user->getOperand(1))
      rewriter.replaceAllUsesWith(user->getResult(0), user->getOperand(user->getOperand(0) == condition ? 1 : 0));
  }
}

void assume(IRRewriter &rewriter, scf::ForOp loop, Value condition, bool value) {
  for (scf::IfOp branch : llvm::make_early_inc_range(loop.getBody()->getOps<scf::IfOp>()))
    if (branch.getCondition() == condition)
      inlineBranch(rewriter, branch, value);
  assumeSelection(rewriter, condition, value);
}

struct TileASSplitLoops : impl::TileASSplitLoopsBase<TileASSplitLoops> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASSplitLoops)

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (!loop.getBody()->getOps<as::ConsumeOneOp>().empty())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (isCountedByOne(loop) && !isRest(loop))
        if (std::vector<SplitPoint> points = findSplitPoints(loop); !points.empty())
          split(loop, points);
  }

  static bool isCountedByOne(scf::ForOp loop) {
    return !loop.getUnsignedCmp() && loop.getInductionVar().getType().isInteger(32) &&
           matchPattern(loop.getStep(), m_One());
  }

  /// The program has split it itself: another loop ends where this one begins.
  static bool isRest(scf::ForOp loop) {
    return llvm::any_of(loop.getLowerBound().getUsers(), [&](Operation *user) {
      auto other = dyn_cast<scf::ForOp>(user);
      return other && other->getBlock() == loop->getBlock() && other.getUpperBound() == loop.getLowerBound();
    });
  }

  /// Those of conditionals and selections that compute tiles.
  static std::vector<SplitPoint> findSplitPoints(scf::ForOp loop) {
    std::vector<SplitPoint> points;
    for (scf::IfOp branch : loop.getBody()->getOps<scf::IfOp>())
      if (std::optional<SplitPoint> point = findSplitPoint(loop, branch.getCondition()); point && hasTiles(branch))
        points.push_back(*point);
    for (auto mask : loop.getBody()->getOps<arith::CmpIOp>())
      if (isa<RankedTensorType>(mask.getType()) && selects(mask))
        if (std::optional<MaskBound> bound = findMaskBound(loop, mask))
          points.push_back({mask, true, {}, false, bound});
    return points;
  }

  /// The first iteration of the rest, of i64.
  static Value emitBound(IRRewriter &rewriter, scf::ForOp loop, const SplitPoint &point) {
    if (point.mask)
      return emitMaskBound(rewriter, loop, *point.mask);
    const Type wide = rewriter.getI64Type();
    Value bound = arith::ExtSIOp::create(rewriter, loop.getLoc(), wide, point.bound);
    if (!point.isBoundLast)
      return bound;
    Value one = arith::ConstantIntOp::create(rewriter, loop.getLoc(), wide, 1);
    return arith::AddIOp::create(rewriter, loop.getLoc(), bound, one);
  }

  /// The first iteration in which one of the conditions may change, within the loop's bounds.
  static Value emitMiddle(IRRewriter &rewriter, scf::ForOp loop, ArrayRef<SplitPoint> points) {
    const Location location = loop.getLoc();
    Value begin = arith::ExtSIOp::create(rewriter, location, rewriter.getI64Type(), loop.getLowerBound()),
          middle = arith::ExtSIOp::create(rewriter, location, rewriter.getI64Type(), loop.getUpperBound());
    for (const SplitPoint &point : points)
      middle = arith::MinSIOp::create(rewriter, location, middle, emitBound(rewriter, loop, point));
    middle = arith::MaxSIOp::create(rewriter, location, middle, begin);
    return arith::TruncIOp::create(rewriter, location, loop.getUpperBound().getType(), middle);
  }

  void split(scf::ForOp loop, ArrayRef<SplitPoint> points) {
    remarkOn(loop, Analysis::SplitLoop) << (points.front().mask ? "split where elements are masked from"
                                                                : "split where a condition changes");
    IRRewriter rewriter(&getContext());
    rewriter.setInsertionPoint(loop);
    const Value middle = emitMiddle(rewriter, loop, points);
    IRMapping mapping;
    auto first = cast<scf::ForOp>(rewriter.clone(*loop, mapping));
    first.setUpperBound(middle);
    loop.setLowerBound(middle);
    loop.getInitArgsMutable().assign(first.getResults());
    for (const SplitPoint &point : points)
      assume(rewriter, first, mapping.lookup(point.condition), point.isFirst);
    if (points.size() == 1 && points.front().isKnownInRest())
      assume(rewriter, loop, points.front().condition, !points.front().isFirst);
    for (scf::ForOp part : {first, loop})
      eraseUnused(llvm::map_to_vector(*part.getBody(), [](Operation &op) { return &op; }));
  }
};

} // namespace
} // namespace tileiras::async
