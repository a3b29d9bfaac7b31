//===- PingPong.cpp - tileas-ping-pong ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The exclusive section is the part of an iteration from its first MMA to its last one. What runs beside the MMAs of
// the section is then arithmetic of the other warpgroups, and MMAs of one follow those of the other without a pause.
//
// Where arithmetic takes longer than MMAs, the section is what has its busiest unit, exponentials mostly, and the sums
// of that: two warpgroups that want the unit at the same time both take twice as long, and leave it idle together then.
//
// No section waits for a stage that only another section releases: all that an iteration has read it has released
// before its next section begins, so what a warpgroup waits for in its section has been released by the others already.
// In a section of arithmetic nothing is waited for, and what others wait for on their way to theirs the warpgroup that
// waits for its section has waited for already.
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

/// The first and the last operation of an exclusive section in a loop's body; null where there is none.
struct Section {
  Operation *first = nullptr, *last = nullptr;
};

/// Cycles of an iteration, of all warpgroups, by unit.
using UnitCycles = SmallVector<int64_t>;

/// In MMAs, in arithmetic between the first and the last of them, and in the rest.
struct SectionWork {
  UnitCycles products, inside, outside;
};

int64_t getMost(const UnitCycles &cycles) {
  return *llvm::max_element(cycles);
}

bool hasProducts(Operation *op) {
  return op->walk([](as::AsyncDotOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Why the iterations of `loop` cannot have an exclusive section; empty if they can: `section`.
std::string findSection(scf::ForOp loop, Section &section) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!hasProducts(&op))
      continue;
    if (!isa<as::AsyncDotOp, as::ConsumerReadOp>(op))
      return "its MMAs are in '" + op.getName().getStringRef().str() + "'";
    section.first = section.first ? section.first : &op;
    section.last = &op;
  }
  if (!section.first)
    return "it has no asynchronous MMAs";
  for (auto release : loop.getBody()->getOps<as::ConsumerReleaseOp>())
    if (section.first->isBeforeInBlock(release) && isa<BlockArgument>(release.getToken()))
      return "a stage of the iteration before is released in the exclusive section";
  return "";
}

/// One thread starts MMAs whose accumulators are in tensor memory, for all warps.
bool startsForAll(scf::ForOp loop, const ChipTarget &target) {
  return target && loop.walk([&](as::AsyncDotOp product) {
                         const MmaAtom *atom = product.getAtom().findMma(target.atoms());
                         return WalkResult(failure(atom && atom->kind == MmaKind::TensorMemory));
                       })
                       .wasInterrupted();
}

SectionWork measure(const ScheduleProblem &problem, const Section &section) {
  const UnitCycles none(problem.units.size());
  SectionWork work{none, none, none};
  for (const ScheduleOperation &entry : problem.operations) {
    const bool isInside = !entry.op->isBeforeInBlock(section.first) && entry.op->isBeforeInBlock(section.last);
    UnitCycles &busy = hasProducts(entry.op) ? work.products : isInside ? work.inside : work.outside;
    for (const ResourceUse &use : entry.uses)
      busy[use.unit] += use.duration;
  }
  return work;
}

/// From the first operation that has the busiest unit of all arithmetic after MMAs for long to the last one, and
/// to reductions of what that computes. None if threads wait for something meanwhile.
Section findArithmeticSection(const ScheduleProblem &problem, const UnitCycles &outside, int64_t longPart) {
  const unsigned unit = llvm::max_element(outside) - outside.begin();
  Section section;
  for (const ScheduleOperation &entry : problem.operations) {
    int64_t cycles = 0;
    for (const ResourceUse &use : entry.uses)
      cycles += use.unit == unit ? use.duration : 0;
    if (cycles * longPart < outside[unit] || hasProducts(entry.op))
      continue;
    section.first = section.first ? section.first : entry.op;
    section.last = entry.op;
  }
  if (!section.first)
    return {};
  auto waitsBetween = [](Operation *from, Operation *to) {
    return !llvm::all_of(llvm::make_range(from->getIterator(), to->getIterator()),
                         [](Operation &op) { return isMemoryEffectFree(&op); });
  };
  if (waitsBetween(section.first, section.last))
    return {};
  Operation *last = section.last;
  for (Operation *user : last->getUsers())
    if (isa<as::ReduceOp>(user) && user->getBlock() == last->getBlock() && !waitsBetween(last, user) &&
        section.last->isBeforeInBlock(user))
      section.last = user;
  return section;
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
        if (failed(addSections(agents, agent, /*isAsked=*/dual.getValue())))
          return failure();
      return success();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult addSections(as::AgentSwitchOp agents, Region &agent, bool isAsked) {
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
    bool hasSections = false;
    for (scf::ForOp loop : loops) {
      Section section;
      std::string reason = barrier + warps / warpgroup > barriers ? "the GPU has no barriers left for them"
                           : startsForAll(loop, target)           ? "one thread starts the MMAs of all of them"
                                                                  : findSection(loop, section);
      if (!reason.empty()) {
        if (isAsked)
          remarkOn(loop, tileiras::Missed::PingPong) << ("no ping-pong of warpgroups: " + reason);
        continue;
      }
      if (failed(chooseSection(loop, section, isAsked)))
        return failure();
      if (!section.first)
        continue;
      OpBuilder builder(section.first);
      as::EnterExclusiveOp::create(builder, section.first->getLoc(), barrier);
      builder.setInsertionPointAfter(section.last);
      as::LeaveExclusiveOp::create(builder, section.last->getLoc(), barrier, /*opening=*/false);
      hasSections = true;
    }
    if (hasSections) {
      OpBuilder builder(&agent.front(), agent.front().begin());
      as::LeaveExclusiveOp::create(builder, agents.getLoc(), barrier, /*opening=*/true);
    }
    return success();
  }

  /// Given a section around the MMAs. Leaves none where it would not pay.
  LogicalResult chooseSection(scf::ForOp loop, Section &section, bool isAsked) {
    if (!target) {
      section = isAsked ? section : Section();
      return success();
    }
    FailureOr<ScheduleProblem> problem = buildScheduleProblem(loop, target);
    if (failed(problem))
      return failure();
    const SectionWork work = measure(*problem, section);
    const int64_t products = getMost(work.products), inside = getMost(work.inside), outside = getMost(work.outside);
    // Two barriers pay where MMAs and arithmetic can hide each other. In the exclusive section, where the other
    // warpgroups wait, there is no more arithmetic than MMAs.
    const int64_t part = target.tuning().pingPongPart;
    const bool pays = inside <= products && (inside + outside) * part >= products && products * part >= outside;
    const Section arithmetic = pays && outside >= products
                                   ? findArithmeticSection(*problem, work.outside, target.tuning().longArithmeticPart)
                                   : Section();
    StringRef choice = isAsked ? "warpgroups ping-pong, as an option asks" : "warpgroups ping-pong";
    if (!pays && !isAsked)
      choice = "no ping-pong of warpgroups, which would not pay";
    else if (arithmetic.first)
      choice = "warpgroups ping-pong in arithmetic";
    remarkOn(loop, tileiras::Analysis::PingPong)
        << llvm::formatv("{0}: {1} cycles of MMAs, {2} of arithmetic in the exclusive section, {3} after it", choice,
                         products, inside, outside)
               .str();
    section = arithmetic.first ? arithmetic : pays || isAsked ? section : Section();
    return success();
  }

  ChipTarget target;
  int64_t warpgroup = 0; ///< warps
  int64_t barriers = 0;  ///< of a CTA
};

} // namespace
} // namespace tileiras::async
