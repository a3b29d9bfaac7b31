//===- VerifyTileASOps.cpp - tileir-verify-ops-analysis -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyAtoms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tileiras/Conversion/TileAAToTileAS/Passes.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Target/ModuleTarget.h"

namespace tileiras {
#define GEN_PASS_DEF_VERIFYTILEASOPS
#include "tileiras/Conversion/TileAAToTileAS/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace tileiras;

/// What TileAS.h lists as allowed beside the dialect's own operations.
static bool hasLowering(Operation *op) {
  Dialect *dialect = op->getDialect();
  if (isa_and_nonnull<as::TileASDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect, ub::UBDialect>(
          dialect))
    return true;
  if (!isa_and_nonnull<aa::TileAADialect>(dialect))
    return false;
  return OpTrait::hasElementwiseMappableTraits(op) ||
         isa<aa::AssumeOp, aa::FuncOp, aa::ReturnOp, aa::GetProgramIdOp, aa::GetNumProgramsOp, aa::MakeMemRefOp,
             aa::GetDimSizeOp, aa::GetGlobalOp, aa::AllocaOp, aa::FenceAliasOp, aa::GdcWaitOp,
             aa::GdcLaunchDependentsOp>(op);
}

static LogicalResult verifyType(Operation *op, Type type, int64_t numWarps) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return success();
  if (!as::isDistributedTensor(tile))
    return op->emitOpError() << "has a tile without a register layout, " << tile
                             << "; convert-tileaa-to-tileas assigns layouts";
  int64_t layoutWarps = cast<as::DistributedLayoutAttrInterface>(tile.getEncoding()).getNumWarps();
  if (layoutWarps != numWarps)
    return op->emitOpError() << "has a tile for " << layoutWarps << " warps in a function of " << numWarps
                             << " warps: " << tile;
  if (!as::getLinearLayout(tile).isSurjective())
    return op->emitOpError() << "has a layout that leaves elements to no thread: " << tile;
  return success();
}

static LogicalResult verifyTypes(Operation *op, int64_t numWarps) {
  for (Type type : op->getResultTypes())
    if (failed(verifyType(op, type, numWarps)))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (failed(verifyType(op, type, numWarps)))
          return failure();
  return success();
}

namespace {

struct VerifyTileASOps : tileiras::impl::VerifyTileASOpsBase<VerifyTileASOps> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation().walk(
        [&](aa::FuncOp func) { return failed(verify(func)) ? WalkResult::interrupt() : WalkResult::skip(); });
    if (result.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }

  LogicalResult verify(aa::FuncOp func) {
    const ChipTarget target = findModuleTarget(func, gpuName);
    int64_t numWarps = getNumWarps(func);
    WalkResult result = func.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
      if (!hasLowering(op))
        return op->emitOpError() << "has no lowering to LLVM";
      if (failed(verifyTypes(op, numWarps)) || failed(verifyAtom(op, target)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return success(!result.wasInterrupted());
  }
};

} // namespace
