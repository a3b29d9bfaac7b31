//===- VerifyTileASOps.cpp - tileir-verify-ops-analysis -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyAtoms.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Conversion/TileAAToTileAS/Passes.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAA/ProgramForm.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/DialectLowering.h"
#include "tileiras/Target/TensorCopyRule.h"

namespace tileiras {
#define GEN_PASS_DEF_VERIFYTILEASOPS
#include "tileiras/Conversion/TileAAToTileAS/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace tileiras;

/// Ends a region that is an execution scope; says nothing else.
static bool isScopeEnd(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() && isa<as::ExecutionScopeOpInterface>(op->getParentOp());
}

/// What takes the copy engine, asynchronous MMAs, or barriers at which some threads wait for others.
static bool needsEngine(Operation *op) {
  return isa<as::AgentSwitchOp, as::MakeTiledTmaDescOp, as::AsyncTiledTmaLoadOp, as::AsyncGatherTmaLoadOp,
             as::AsyncTiledTmaStoreOp, as::AsyncScatterTmaStoreOp, as::AsyncStoreWaitOp, as::AsyncDotOp,
             as::EnterExclusiveOp, as::LeaveExclusiveOp>(op);
}

/// Pipelines and what is asynchronous.
static bool isAsynchronous(Operation *op) {
  return isa_and_nonnull<as::TileASDialect>(op->getDialect()) &&
         (op->getName().stripDialect().starts_with("async.") || isa<as::MakeTiledTmaDescOp>(op) ||
          llvm::any_of(op->getResultTypes(), llvm::IsaPred<as::AsyncTokenType, as::ConsumerTokenType>));
}

/// What the chip lacks for `op`; empty if nothing.
static StringRef findLack(Operation *op, const ChipFeatures &features) {
  if (!isAsynchronous(op))
    return "";
  if (!features.tma && needsEngine(op))
    return " has no tensor copies, nor barriers that count their bytes: a program for it has no agents, and a profile "
           "has no passes that make any";
  const bool isCopy = isa<as::AsyncTiledLoadOp, as::AsyncLoadOp, as::CommitCopiesOp, as::AwaitCopiesOp>(op);
  if (!features.copiesAsynchronously() && isCopy)
    return " has no asynchronous copies: load the tile to registers, and copy it to its stage from there";
  return "";
}

static LogicalResult verifyLowering(Operation *op, const ChipTarget &target) {
  if (!target && isAsynchronous(op))
    return op->emitOpError() << "has no lowering to LLVM";
  if (target)
    if (StringRef lack = findLack(op, target.chip->features); !lack.empty()) {
      InFlightDiagnostic diagnostic = op->emitOpError() << "has no lowering to LLVM";
      diagnostic.attachNote() << target.chip->name << lack;
      return diagnostic;
    }
  Dialect *dialect = op->getDialect();
  const auto *lowering = dialect ? dialect->getRegisteredInterface<DialectLowering>() : nullptr;
  // The LLVM dialects are what the others are lowered to.
  auto scopes = dyn_cast<as::ExecutionScopeOpInterface>(op);
  if (isScopeEnd(op) || (scopes && scopes.hasWarps()) ||
      isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(dialect) || (lowering && lowering->hasLowering(op)))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError() << "has no lowering to LLVM";
  if (!lowering)
    diagnostic.attachNote()
        << "dialect '" << op->getName().getDialectNamespace()
        << "' takes no part in convert-tileas-to-llvm: a pass before has to replace its operations, "
           "or a plugin that brings it attaches a DialectLowering";
  return diagnostic;
}

/// The type of a tensor map says what the ISA allows; the chip may take less.
static LogicalResult verifyTensorMap(Operation *op, const ChipTarget &target) {
  auto make = dyn_cast<as::MakeTiledTmaDescOp>(op);
  if (!make)
    return success();
  const std::string reason = TensorCopyRule(target).explainBox(make.getType().getBox());
  if (!reason.empty())
    return op->emitOpError() << "is no tensor map for " << target.chip->name << ": " << reason;
  return success();
}

/// Nothing in `region` is seen by other threads or other operations: whoever orders those may pass it over.
static bool isLocal(Region &region, bool allowTiles) {
  WalkResult walk = region.walk([&](Operation *op) {
    bool hasEffects = op->getNumRegions() == 0 && !isMemoryEffectFree(op);
    bool hasTiles = llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
    return hasEffects || (hasTiles && !allowTiles) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !walk.wasInterrupted();
}

/// Barriers are placed along control flow that is known.
static LogicalResult verifyRegions(Operation *op) {
  for (Region &region : op->getRegions())
    if (!region.empty() && !region.hasOneBlock())
      return op->emitOpError() << "has branches between blocks; expects structured control flow";
  // The body of an exchange is a part of it. (Where it exchanges something itself, allocation says so.)
  const bool isCombining = isa<as::ExchangeOpInterface>(op);
  if (isa<RegionBranchOpInterface, as::ExecutionScopeOpInterface, aa::FuncOp>(op) ||
      llvm::all_of(op->getRegions(), [&](Region &region) { return isLocal(region, isCombining); }))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError() << "has a region of which nobody knows when it runs";
  diagnostic.attachNote()
      << "operations whose regions hold tiles or access memory implement RegionBranchOpInterface or "
         "ExecutionScopeOpInterface";
  return diagnostic;
}

/// The warps of an inner scope are some of those around it, and its barriers are some that the chip has.
static LogicalResult verifyScopes(Operation *op, const ChipTarget &target) {
  auto scopes = dyn_cast<as::ExecutionScopeOpInterface>(op);
  const int64_t warps = scopes ? getExecutionScope(op).numWarps : 0;
  for (unsigned region = 0; scopes && scopes.hasWarps() && region < op->getNumRegions(); ++region)
    if (int64_t end = scopes.getFirstWarp(region) + scopes.getNumWarps(region); end > warps)
      return op->emitOpError() << "region " << region << " needs " << end << " warps, but stands where " << warps
                               << " run";
  for (unsigned region = 0; target && scopes && scopes.hasWarps() && region < op->getNumRegions(); ++region)
    if (const unsigned barrier = scopes.getBarrier(region); barrier >= target.machine().namedBarriers)
      return op->emitOpError() << "region " << region << " meets at barrier " << barrier << ", but "
                               << target.chip->name << " has barriers 0 to " << target.machine().namedBarriers - 1;
  return success();
}

static LogicalResult verifyType(Operation *op, Type type, int64_t numWarps) {
  if (!isa<TensorType>(type) || as::isMemoryTensor(type))
    return success();
  if (!as::isDistributedTensor(type))
    return op->emitOpError() << "has a tile without a register layout, " << type
                             << "; convert-tileaa-to-tileas assigns layouts";
  auto tile = cast<RankedTensorType>(type);
  int64_t layoutWarps = cast<as::DistributedLayoutAttrInterface>(tile.getEncoding()).getNumWarps();
  if (layoutWarps != numWarps)
    return op->emitOpError() << "has a tile for " << layoutWarps << " warps in a function of " << numWarps
                             << " warps: " << tile;
  if (!as::getLinearLayout(tile).isSurjective())
    return op->emitOpError() << "has a layout that leaves elements to no thread: " << tile;
  return success();
}

static LogicalResult verifyTypes(Operation *op) {
  const int64_t numWarps = getExecutionScope(op).numWarps;
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
    if (failed(aa::verifyInFunctions(getOperation())))
      return signalPassFailure();
    WalkResult result = getOperation().walk(
        [&](aa::FuncOp func) { return failed(verify(func)) ? WalkResult::interrupt() : WalkResult::skip(); });
    if (result.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }

  LogicalResult verify(aa::FuncOp func) {
    if (failed(aa::verifyElementTypes(func)))
      return failure();
    const ChipTarget target = findModuleTarget(func, gpuName);
    WalkResult result = func.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
      if (failed(verifyLowering(op, target)) || failed(verifyTensorMap(op, target)) || failed(verifyRegions(op)) ||
          failed(verifyScopes(op, target)) || failed(verifyTypes(op)) || failed(verifyAtom(op, target)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return success(!result.wasInterrupted());
  }
};

} // namespace
