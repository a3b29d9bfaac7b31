//===- Turns.cpp - Warpgroups that go on one after the other --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Each warpgroup has a hardware barrier at which two of them meet: it waits there for its turn, and the one before it
// arrives there without waiting.
//
//===----------------------------------------------------------------------===//

#include "Turns.h"
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

/// The warpgroups that take turns at `op`; 0, and reported, where there are none.
template <typename TurnOp>
int64_t getNumGroups(TurnOp op, const ExecutionScope &scope, const LoweringContext &lowering) {
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
void emitTurn(Emitter &emit, as::BarrierAction action, Value number, int64_t first, int64_t groups) {
  emitNamedBarrier(emit, action, number, {unsigned(first), unsigned(first + groups - 1)},
                   2 * IsaLimits::kWarpsOfWarpgroup * kLanesPerWarp);
}

/// The barrier of the thread's warpgroup.
Value emitOwnBarrier(Emitter &emit, int64_t first) {
  return emit.add(emitGroup(emit), emit.i32(first));
}

struct TakeTurnPattern final : TilePattern<as::TakeTurnOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::TakeTurnOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const int64_t first = op.getBarrier(), groups = getNumGroups(op, emit.scope, lowering);
    if (groups == 0)
      return failure();
    emitTurn(emit, as::BarrierAction::Sync, emitOwnBarrier(emit, first), first, groups);
    rewriter.eraseOp(op);
    return success();
  }
};

struct PassTurnPattern final : TilePattern<as::PassTurnOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::PassTurnOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const int64_t first = op.getBarrier(), groups = getNumGroups(op, emit.scope, lowering);
    if (groups == 0)
      return failure();
    if (op.getOpening()) {
      Value isLast = emit.icmp(LLVM::ICmpPredicate::eq, emitGroup(emit), emit.i32(groups - 1));
      emitIf(emit, isLast, [&] { emitTurn(emit, as::BarrierAction::Arrive, emit.i32(first), first, groups); });
    } else {
      emitTurn(emit, as::BarrierAction::ArriveNext, emitOwnBarrier(emit, first), first, groups);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// Where a turn ends.
as::PassTurnOp getPass(as::TakeTurnOp take) {
  Operation *op = take;
  while (op && !isa<as::PassTurnOp>(op))
    op = op->getNextNode();
  return cast_or_null<as::PassTurnOp>(op);
}

/// Where the warpgroups meet in a turn; null: nowhere.
Operation *findMeeting(as::TakeTurnOp take, as::PassTurnOp pass) {
  Operation *meeting = nullptr;
  for (Operation *op = take; op != pass && !meeting; op = op->getNextNode())
    op->walk([&](Operation *inner) {
      if (isa<as::BarrierOp>(inner) || as::getScratch(inner))
        meeting = inner;
    });
  return meeting;
}

} // namespace

void removeTurnsWithBarriers(Operation *function) {
  SmallVector<as::TakeTurnOp> turns;
  SmallVector<as::PassTurnOp> openings;
  function->walk([&](as::TakeTurnOp take) { turns.push_back(take); });
  function->walk([&](as::PassTurnOp pass) {
    if (pass.getOpening())
      openings.push_back(pass);
  });
  llvm::SmallPtrSet<Region *, 2> scopesWithTurns;
  for (as::TakeTurnOp take : turns) {
    as::PassTurnOp pass = getPass(take);
    Operation *meeting = pass ? findMeeting(take, pass) : nullptr;
    if (!meeting) {
      scopesWithTurns.insert(getScopeRegion(take));
      continue;
    }
    remarkOn(take, Missed::PingPong)
        << ("no ping-pong of warpgroups: they meet meanwhile, at " + meeting->getName().getStringRef()).str();
    pass.erase();
    take.erase();
  }
  for (as::PassTurnOp opening : openings)
    if (!scopesWithTurns.contains(getScopeRegion(opening)))
      opening.erase();
}

void populateTurnPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<TakeTurnPattern, PassTurnPattern>(lowering);
}

} // namespace tileiras
