//===- PingPong.cpp - tileas-ping-pong ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A turn is the part of an iteration from its first product to its last one. What runs beside the products of the turn
// is then arithmetic of the other warpgroups, and products of one follow those of the other without a pause.
//
// Where arithmetic takes longer than products, a turn is what has its busiest unit, exponentials mostly, and the sums
// of that: two warpgroups that want the unit at the same time both take twice as long, and leave it idle together then.
//
// No turn waits for a stage that only another turn gives back: all that an iteration has read it has released before
// its next turn begins, so what a warpgroup that has its turn waits for has been released by the others already. In a
// turn of arithmetic nothing is waited for, and what others wait for on their way to theirs the warpgroup that waits
// for its turn has waited for already.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "common/HandOff.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASPINGPONG
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// The operations of a loop's body between which a turn is taken and passed; null where there is none.
struct Turn {
  Operation *first = nullptr, *last = nullptr;
};

/// Cycles of an iteration, of all warpgroups, by unit.
using UnitCycles = SmallVector<int64_t>;

/// In products, in arithmetic between the first and the last of them, and in the rest.
struct TurnWork {
  UnitCycles products, inside, outside;
};

int64_t getMost(const UnitCycles &cycles) {
  return *llvm::max_element(cycles);
}

bool hasProducts(Operation *op) {
  return op->walk([](as::AsyncDotOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Why the iterations of `loop` cannot be turns; empty if they can: `turn`.
std::string findTurn(scf::ForOp loop, Turn &turn) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!hasProducts(&op))
      continue;
    if (!isa<as::AsyncDotOp, as::ConsumerReadOp>(op))
      return "its MMAs are in '" + op.getName().getStringRef().str() + "'";
    turn.first = turn.first ? turn.first : &op;
    turn.last = &op;
  }
  if (!turn.first)
    return "it has no asynchronous MMAs";
  for (auto release : loop.getBody()->getOps<as::ConsumerReleaseOp>())
    if (turn.first->isBeforeInBlock(release) && isa<BlockArgument>(release.getToken()))
      return "a stage of the iteration before is released in the exclusive section";
  return "";
}

/// One thread starts products whose sums are in tensor memory, for all warps.
bool startsForAll(scf::ForOp loop, const ChipTarget &target) {
  return target && loop.walk([&](as::AsyncDotOp product) {
                         const MmaAtom *atom = product.getAtom().findMma(target.atoms());
                         return WalkResult(failure(atom && atom->kind == MmaKind::TensorMemory));
                       })
                       .wasInterrupted();
}

TurnWork measure(const ScheduleProblem &problem, const Turn &turn) {
  const UnitCycles none(problem.units.size());
  TurnWork work{none, none, none};
  for (const ScheduleOperation &entry : problem.operations) {
    const bool isInside = !entry.op->isBeforeInBlock(turn.first) && entry.op->isBeforeInBlock(turn.last);
    UnitCycles &busy = hasProducts(entry.op) ? work.products : isInside ? work.inside : work.outside;
    for (const ResourceUse &use : entry.uses)
      busy[use.unit] += use.duration;
  }
  return work;
}

/// From the first operation that has the busiest unit of all arithmetic behind products for long to the last one, and
/// to reductions of what that computes. None if threads wait for something meanwhile.
Turn findArithmeticTurn(const ScheduleProblem &problem, const UnitCycles &outside, int64_t longPart) {
  const unsigned unit = llvm::max_element(outside) - outside.begin();
  Turn turn;
  for (const ScheduleOperation &entry : problem.operations) {
    int64_t cycles = 0;
    for (const ResourceUse &use : entry.uses)
      cycles += use.unit == unit ? use.duration : 0;
    if (cycles * longPart < outside[unit] || hasProducts(entry.op))
      continue;
    turn.first = turn.first ? turn.first : entry.op;
    turn.last = entry.op;
  }
  if (!turn.first)
    return {};
  auto waitsBetween = [](Operation *from, Operation *to) {
    return !llvm::all_of(llvm::make_range(from->getIterator(), to->getIterator()),
                         [](Operation &op) { return isMemoryEffectFree(&op); });
  };
  if (waitsBetween(turn.first, turn.last))
    return {};
  Operation *last = turn.last;
  for (Operation *user : last->getUsers())
    if (isa<as::ReduceOp>(user) && user->getBlock() == last->getBlock() && !waitsBetween(last, user) &&
        turn.last->isBeforeInBlock(user))
      turn.last = user;
  return turn;
}

struct TileASPingPong : impl::TileASPingPongBase<TileASPingPong> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASPingPong)
  using TileASPingPongBase::TileASPingPongBase;

  void runOnOperation() override {
    WalkResult walk = getOperation()->walk([&](as::AgentSwitchOp agents) -> WalkResult {
      BoolAttr dual = agents.getDualSimtAttr();
      if (!dual || !agents.hasWarps())
        return success();
      target = findModuleTarget(agents, gpuName);
      const MachineModel &machine = findModuleMachine(agents, gpuName);
      warpgroup = machine.warpGranularity;
      barriers = machine.namedBarriers;
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
    const int64_t warps = agents.getNumWarps(number);
    if (agents.getFirstWarp(number) % warpgroup != 0 || warps % warpgroup != 0 || warps < 2 * warpgroup)
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
      std::string reason = barrier + warps / warpgroup > barriers ? "the GPU has no barriers left for them"
                           : startsForAll(loop, target)           ? "one thread starts the MMAs of all of them"
                                                                  : findTurn(loop, turn);
      if (!reason.empty()) {
        if (isAsked)
          remarkOn(loop, tileiras::Missed::PingPong) << ("no ping-pong of warpgroups: " + reason);
        continue;
      }
      if (failed(chooseTurn(loop, turn, isAsked)))
        return failure();
      if (!turn.first)
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

  /// Given a turn around the products. Leaves none where it would not pay.
  LogicalResult chooseTurn(scf::ForOp loop, Turn &turn, bool isAsked) {
    if (!target) {
      turn = isAsked ? turn : Turn();
      return success();
    }
    FailureOr<ScheduleProblem> problem = buildScheduleProblem(loop, target);
    if (failed(problem))
      return failure();
    const TurnWork work = measure(*problem, turn);
    const int64_t products = getMost(work.products), inside = getMost(work.inside), outside = getMost(work.outside);
    // Two barriers pay where MMAs and arithmetic can hide each other. In the exclusive section, where the other
    // warpgroups wait, there is no more arithmetic than MMAs.
    const int64_t part = target.tuning().pingPongPart;
    const bool pays = inside <= products && (inside + outside) * part >= products && products * part >= outside;
    const Turn arithmetic = pays && outside >= products
                                ? findArithmeticTurn(*problem, work.outside, target.tuning().longArithmeticPart)
                                : Turn();
    StringRef choice = isAsked ? "warpgroups ping-pong, as an option asks" : "warpgroups ping-pong";
    if (!pays && !isAsked)
      choice = "no ping-pong of warpgroups, which would not pay";
    else if (arithmetic.first)
      choice = "warpgroups ping-pong in arithmetic";
    remarkOn(loop, tileiras::Analysis::PingPong)
        << llvm::formatv("{0}: {1} cycles of MMAs, {2} of arithmetic in the exclusive section, {3} after it", choice,
                         products, inside, outside)
               .str();
    turn = arithmetic.first ? arithmetic : pays || isAsked ? turn : Turn();
    return success();
  }

  ChipTarget target;
  int64_t warpgroup = 0; ///< warps
  int64_t barriers = 0;  ///< of a CTA
};

} // namespace
} // namespace tileiras::async
