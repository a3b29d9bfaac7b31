//===- PropagateExecutionUnit.cpp - propagate-execution-unit --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutionUnits.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Dialect/TileAA/Agents.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

namespace tileiras::cluster {
#define GEN_PASS_DEF_PROPAGATEEXECUTIONUNIT
#include "Passes.h.inc"

using namespace mlir;

namespace {

struct PropagateExecutionUnit : impl::PropagateExecutionUnitBase<PropagateExecutionUnit> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PropagateExecutionUnit)

  void runOnOperation() override {
    // From the inside: what has its number already is not looked into again.
    WalkResult walk = getOperation()->walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (auto agents = dyn_cast<aa::AgentLikeOpInterface>(op))
        return WalkResult(markAgents(agents));
      if (isa<scf::ForOp, scf::IfOp, scf::WhileOp, aa::FuncOp>(op))
        return WalkResult(markOperation(op));
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult markOperation(Operation *op) {
    if (op->hasAttr(kNumWarpsAttr))
      return success();
    std::optional<int32_t> warps;
    for (Region &region : op->getRegions()) {
      FailureOr<std::optional<int32_t>> found = findNumWarps(region);
      if (failed(found))
        return failure();
      if (warps && *found && *warps != **found)
        return op->emitError("inconsistent numWarps in the agent switch, maybe it is called in different agents with "
                             "different numWarps");
      if (*found)
        warps = *found;
    }
    if (warps)
      op->setAttr(kNumWarpsAttr, Builder(op).getI32IntegerAttr(*warps));
    return success();
  }

  /// Agents without tiles run in one warp.
  LogicalResult markAgents(aa::AgentLikeOpInterface agents) {
    if (agents.getNumWarps() || agents->hasAttr(kNumWarpsAttr))
      return success();
    SmallVector<int32_t> warps;
    for (Region &agent : agents.getAgents()) {
      FailureOr<std::optional<int32_t>> found = findNumWarps(agent);
      if (failed(found))
        return failure();
      warps.push_back(found->value_or(1));
    }
    agents->setAttr(kNumWarpsAttr, Builder(agents).getDenseI32ArrayAttr(warps));
    return success();
  }
};

} // namespace
} // namespace tileiras::cluster
