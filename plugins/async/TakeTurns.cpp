//===- TakeTurns.cpp - tileas-take-turns ----------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A turn is the part of an iteration from its first product to its last one. What runs beside the products of the turn
// is then arithmetic of the other warpgroups, and products of one follow those of the other without a pause.
//
// No turn waits for a stage that only another turn gives back: all that an iteration has read it has released before
// its next turn begins, so what a warpgroup that has its turn waits for has been released by the others already.
//
//===----------------------------------------------------------------------===//

#include "HandOff.h"
#include "Passes.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Pipeline/Remarks.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"
#include "tileiras/Target/ModuleTarget.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASTAKETURNS
#include "Passes.h.inc"

using namespace mlir;

namespace {

constexpr int64_t kWarpsPerGroup = 4;

/// Two barriers pay where products and arithmetic can hide each other: neither takes less than this part of the other's
/// time. In the turn, where those of the other warpgroups wait, there is no more arithmetic than products.
constexpr int64_t kLeastPart = 4;

/// The operations of a loop's body between which a turn is taken and passed; null where there is none.
struct Turn {
  Operation *first = nullptr, *last = nullptr;
};

/// Cycles of an iteration, of all warpgroups: of the unit that is busiest with each.
struct TurnWork {
  int64_t products = 0, inside = 0, outside = 0;
};

bool hasProducts(Operation *op) {
  return op->walk([](as::AsyncDotOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Why the iterations of `loop` cannot be turns; empty if they can: `turn`.
std::string findTurn(scf::ForOp loop, Turn &turn) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!hasProducts(&op))
      continue;
    if (!isa<as::AsyncDotOp, as::ConsumerReadOp>(op))
      return "its products are in '" + op.getName().getStringRef().str() + "'";
    turn.first = turn.first ? turn.first : &op;
    turn.last = &op;
  }
  if (!turn.first)
    return "it has no products that go on while it computes";
  for (auto release : loop.getBody()->getOps<as::ConsumerReleaseOp>())
    if (turn.first->isBeforeInBlock(release) && isa<BlockArgument>(release.getToken()))
      return "a stage of the turn before is released in the turn";
  return "";
}

/// One thread starts products whose sums are in tensor memory, for all warps.
bool startsForAll(scf::ForOp loop, const ChipTarget &target) {
  return target && loop.walk([&](as::AsyncDotOp product) {
                         const MmaAtom *atom = target.atoms().findMma(product.getAtom());
                         return WalkResult(failure(atom && atom->kind == MmaKind::TensorMemory));
                       })
                       .wasInterrupted();
}

FailureOr<TurnWork> measure(scf::ForOp loop, const Turn &turn, const ChipTarget &target) {
  FailureOr<ScheduleProblem> problem = buildScheduleProblem(loop, target);
  if (failed(problem))
    return failure();
  SmallVector<int64_t> inside(problem->units.size()), outside(problem->units.size()), products(problem->units.size());
  for (auto [op, entry] : llvm::zip(loop.getBody()->without_terminator(), problem->operations)) {
    const bool isInside = !op.isBeforeInBlock(turn.first) && op.isBeforeInBlock(turn.last);
    SmallVector<int64_t> &busy = hasProducts(&op) ? products : isInside ? inside : outside;
    for (const ResourceUse &use : entry.uses)
      busy[use.unit] += use.duration;
  }
  return TurnWork{*llvm::max_element(products), *llvm::max_element(inside), *llvm::max_element(outside)};
}

struct TileASTakeTurns : impl::TileASTakeTurnsBase<TileASTakeTurns> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASTakeTurns)
  using TileASTakeTurnsBase::TileASTakeTurnsBase;

  void runOnOperation() override {
    WalkResult walk = getOperation()->walk([&](as::AgentSwitchOp agents) -> WalkResult {
      auto dual = agents->getAttrOfType<BoolAttr>(kDualSimt);
      if (!dual || !agents.hasWarps())
        return success();
      target = findModuleTarget(agents, gpuName);
      for (Region &agent : agents->getRegions())
        if (failed(takeTurns(agents, agent, /*isAsked=*/dual.getValue())))
          return failure();
      return success();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult takeTurns(as::AgentSwitchOp agents, Region &agent, bool isAsked) {
    const unsigned number = agent.getRegionNumber();
    if (agents.getFirstWarp(number) % kWarpsPerGroup != 0 || agents.getNumWarps(number) % kWarpsPerGroup != 0 ||
        agents.getNumWarps(number) < 2 * kWarpsPerGroup)
      return success();
    const int32_t barrier = agents->getNumRegions() + 1;
    SmallVector<scf::ForOp> loops;
    agent.walk([&](scf::ForOp loop) {
      if (hasProducts(loop))
        loops.push_back(loop);
    });
    bool hasTurns = false;
    for (scf::ForOp loop : loops) {
      Turn turn;
      std::string reason =
          startsForAll(loop, target) ? "one thread starts the products of all of them" : findTurn(loop, turn);
      if (!reason.empty()) {
        if (isAsked)
          remarkMissed(loop, "TakeTurns", "schedule") << ("warpgroups take no turns: " + reason);
        continue;
      }
      FailureOr<bool> pays = doesPay(loop, turn, isAsked);
      if (failed(pays))
        return failure();
      if (!*pays)
        continue;
      OpBuilder builder(turn.first);
      as::TakeTurnOp::create(builder, turn.first->getLoc(), barrier);
      builder.setInsertionPointAfter(turn.last);
      as::PassTurnOp::create(builder, turn.last->getLoc(), barrier, /*opening=*/false);
      hasTurns = true;
    }
    if (hasTurns) {
      OpBuilder builder(&agent.front(), agent.front().begin());
      as::PassTurnOp::create(builder, agents.getLoc(), barrier, /*opening=*/true);
    }
    return success();
  }

  FailureOr<bool> doesPay(scf::ForOp loop, const Turn &turn, bool isAsked) {
    if (!target)
      return isAsked;
    FailureOr<TurnWork> work = measure(loop, turn, target);
    if (failed(work))
      return failure();
    const bool pays = work->inside <= work->products && (work->inside + work->outside) * kLeastPart >= work->products &&
                      work->products * kLeastPart >= work->outside;
    remarkAnalysis(loop, "TakeTurns", "schedule")
        << llvm::formatv("{0}: {1} cycles of products, {2} of arithmetic in the turn, {3} behind it",
                         isAsked ? "warpgroups take turns, as an option asks"
                         : pays  ? "warpgroups take turns"
                                 : "warpgroups take no turns, which would not pay",
                         work->products, work->inside, work->outside)
               .str();
    return pays || isAsked;
  }

  ChipTarget target;
};

} // namespace
} // namespace tileiras::async
