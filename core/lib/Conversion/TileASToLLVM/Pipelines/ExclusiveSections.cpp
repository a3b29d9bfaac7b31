//===- ExclusiveSections.cpp - Warpgroups that ping-pong ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Each warpgroup has a hardware barrier at which two of them meet: it waits there for its exclusive section, and the
// one before it arrives there, without waiting, when it ends its own.
//
//===----------------------------------------------------------------------===//

#include "ExclusiveSections.h"
#include "Conversion/TileASToLLVM/Control/ExecutionScopes.h"
#include "Conversion/TileASToLLVM/Patterns.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/BarrierOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ControlFlow.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Target/IsaLimits.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras {
namespace {

/// The warpgroups that ping-pong at `op`; 0, and reported, where there are none.
template <typename ExclusiveOp>
int64_t getNumGroups(ExclusiveOp op, const ExecutionScope &scope, const LoweringContext &lowering) {
  if (scope.firstWarp % IsaLimits::kWarpsOfWarpgroup != 0 || scope.numWarps % IsaLimits::kWarpsOfWarpgroup != 0 ||
      scope.numWarps < 2 * IsaLimits::kWarpsOfWarpgroup) {
    op.emitOpError() << "expects two warpgroups or more for ping-pong, from a multiple of four warps on, but is run by "
                     << scope.numWarps << " warps from warp " << scope.firstWarp << " on";
    return 0;
  }
  const int64_t groups = scope.numWarps / IsaLimits::kWarpsOfWarpgroup, first = op.getBarrier();
  auto agents = op->template getParentOfType<as::AgentSwitchOp>();
  const int64_t taken = agents ? agents->getNumRegions() : 0, named = lowering.machine().namedBarriers;
  if (first <= taken || first + groups > named) {
    op.emitOpError() << "expects hardware barriers " << taken + 1 << " to " << named - 1
                     << ", which nobody else has, but takes " << groups << " from " << first << " on";
    return 0;
  }
  return groups;
}

Value emitGroup(Emitter &emit) {
  return emit.lshr(emit.warpId(), 2);
}

/// Two warpgroups meet at barrier `number`, one of the barriers from `first` on, of which each warpgroup has one.
void emitMeeting(Emitter &emit, as::BarrierAction action, Value number, int64_t first, int64_t groups) {
  emitNamedBarrier(emit, action, number, {unsigned(first), unsigned(first + groups - 1)},
                   2 * IsaLimits::kWarpsOfWarpgroup * kLanesPerWarp);
}

/// The barrier of the thread's warpgroup.
Value emitOwnBarrier(Emitter &emit, int64_t first) {
  return emit.add(emitGroup(emit), emit.i32(first));
}

struct EnterExclusivePattern final : TilePattern<as::EnterExclusiveOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::EnterExclusiveOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const int64_t first = op.getBarrier(), groups = getNumGroups(op, emit.scope, lowering);
    if (groups == 0)
      return failure();
    emitMeeting(emit, as::BarrierAction::Sync, emitOwnBarrier(emit, first), first, groups);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LeaveExclusivePattern final : TilePattern<as::LeaveExclusiveOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::LeaveExclusiveOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const int64_t first = op.getBarrier(), groups = getNumGroups(op, emit.scope, lowering);
    if (groups == 0)
      return failure();
    if (op.getOpening()) {
      Value isLast = emit.icmp(LLVM::ICmpPredicate::eq, emitGroup(emit), emit.i32(groups - 1));
      emitIf(emit, isLast, [&] { emitMeeting(emit, as::BarrierAction::Arrive, emit.i32(first), first, groups); });
    } else {
      emitMeeting(emit, as::BarrierAction::ArriveNext, emitOwnBarrier(emit, first), first, groups);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// Where an exclusive section ends.
as::LeaveExclusiveOp getLeave(as::EnterExclusiveOp enter) {
  Operation *op = enter;
  while (op && !isa<as::LeaveExclusiveOp>(op))
    op = op->getNextNode();
  return cast_or_null<as::LeaveExclusiveOp>(op);
}

/// Where the warpgroups meet in an exclusive section; null: nowhere.
Operation *findMeeting(as::EnterExclusiveOp enter, as::LeaveExclusiveOp leave) {
  Operation *meeting = nullptr;
  for (Operation *op = enter; op != leave && !meeting; op = op->getNextNode())
    op->walk([&](Operation *inner) {
      if (isa<as::BarrierOp>(inner) || as::getScratch(inner))
        meeting = inner;
    });
  return meeting;
}

} // namespace

void removeSectionsWithBarriers(Operation *function) {
  SmallVector<as::EnterExclusiveOp> sections;
  SmallVector<as::LeaveExclusiveOp> openings;
  function->walk([&](as::EnterExclusiveOp enter) { sections.push_back(enter); });
  function->walk([&](as::LeaveExclusiveOp leave) {
    if (leave.getOpening())
      openings.push_back(leave);
  });
  llvm::SmallPtrSet<Region *, 2> scopesWithSections;
  for (as::EnterExclusiveOp enter : sections) {
    as::LeaveExclusiveOp leave = getLeave(enter);
    Operation *meeting = leave ? findMeeting(enter, leave) : nullptr;
    if (!meeting) {
      scopesWithSections.insert(getScopeRegion(enter));
      continue;
    }
    remarkOn(enter, Missed::PingPong)
        << ("no ping-pong of warpgroups: they meet meanwhile, at " + meeting->getName().getStringRef()).str();
    leave.erase();
    enter.erase();
  }
  for (as::LeaveExclusiveOp opening : openings)
    if (!scopesWithSections.contains(getScopeRegion(opening)))
      opening.erase();
}

void populateExclusiveSectionPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<EnterExclusivePattern, LeaveExclusivePattern>(lowering);
}

} // namespace tileiras
