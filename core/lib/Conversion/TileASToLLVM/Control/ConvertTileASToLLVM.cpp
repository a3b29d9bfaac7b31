//===- ConvertTileASToLLVM.cpp - From nv_tileas to the LLVM dialect -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Arithmetic/SlowOperations.h"
#include "Conversion/TileASToLLVM/Patterns.h"
#include "Conversion/TileASToLLVM/Pipelines/BatchWaits.h"
#include "Conversion/TileASToLLVM/Pipelines/EmitBarriers.h"
#include "ExecutionScopes.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Dialect/TileAS/BarrierOps.h"
#include "tileiras/Lowering/DialectLowering.h"
#include "tileiras/Lowering/SharedStaging.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTTILEASTOLLVM
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// What steps after the patterns ask, and lower.
bool isLoweredLater(Operation *op) {
  return isScopeStructure(op) || op->hasTrait<as::EmittedLast>();
}

/// Every operation of a dialect that takes part in the lowering, except those that are lowered later.
LogicalResult lowerBodies(const LoweringContext &lowering, ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  ConversionTarget target(*context);
  for (Dialect *dialect : context->getLoadedDialects())
    if (const auto *interface = dialect->getRegisteredInterface<DialectLowering>()) {
      interface->populateLowering(lowering, patterns);
      target.addDynamicallyLegalDialect(isLoweredLater, dialect->getNamespace());
    }
  lowering.target.populateLowering(lowering, patterns);
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, target, std::move(patterns));
}

/// The operation lowers to accesses of shared memory that nobody has given it.
bool lacksMemory(const LoweringContext &lowering, Operation *op) {
  if (auto alloc = dyn_cast<as::AllocTensorOp>(op))
    return as::isSharedTensor(alloc.getType()) && !alloc.getRange();
  if (auto alloca = dyn_cast<aa::AllocaOp>(op))
    return !alloca.getSharedOffset();
  return !as::getScratch(op) && lowering.getScratchBytes(op) > 0;
}

LogicalResult verifyMemory(const LoweringContext &lowering, ModuleOp module) {
  WalkResult walk = module.walk([&](Operation *op) -> WalkResult {
    if (lacksMemory(lowering, op))
      return op->emitOpError("has no shared memory: tileas-allocate-memory has to run before convert-tileas-to-llvm, "
                             "after all passes that make such operations");
    const as::MemoryRangeAttr scratch = as::getScratch(op);
    if (const int64_t least = scratch ? lowering.getScratchBytes(op) : 0; least > 0 && scratch.getBytes() < least)
      return op->emitOpError("expects a scratch area of at least ")
             << least << " bytes, as tileas-allocate-memory makes it, but got " << scratch.getBytes();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Pragmas of fences go from operations that become several instructions to those among them that are fences
/// (`PtxInstruction::fence`): functions say so while that lasts.
class FencePragmas {
public:
  explicit FencePragmas(ModuleOp module) {
    SmallVector<LLVM::InlineAsmOp> pragmas;
    module.walk([&](LLVM::InlineAsmOp op) {
      if (op->hasAttr(kName))
        pragmas.push_back(op);
    });
    for (LLVM::InlineAsmOp pragma : pragmas) {
      auto function = pragma->getParentOfType<LLVM::LLVMFuncOp>();
      function->setAttr(kName, UnitAttr::get(module.getContext()));
      functions.insert(function);
      pragma.erase();
    }
  }
  ~FencePragmas() {
    for (Operation *function : functions)
      function->removeAttr(kName);
  }
  FencePragmas(const FencePragmas &) = delete;
  FencePragmas &operator=(const FencePragmas &) = delete;

private:
  static constexpr StringLiteral kName = as::TileASDialect::FenceCodeAttrHelper::getNameStr();
  llvm::SmallPtrSet<Operation *, 4> functions;
};

/// The arrays that passes before have made are still there: that of tileas-allocate-memory, of tensor maps, ….
LogicalResult verifyArrays(ModuleOp module) {
  SymbolTableCollection symbols;
  WalkResult walk = module.walk([&](LLVM::AddressOfOp address) {
    Operation *symbol = symbols.lookupNearestSymbolFrom(address, address.getGlobalNameAttr());
    auto array = dyn_cast_or_null<LLVM::GlobalOp>(symbol);
    if (array ? array.getAddrSpace() == address.getType().getAddressSpace() : symbol != nullptr)
      return WalkResult::advance();
    auto function = address->getParentOfType<LLVM::LLVMFuncOp>();
    if (function && address.getGlobalName() == getArenaName(function))
      function.emitError("has no shared memory '") << address.getGlobalName()
                                                   << "': tileas-allocate-memory makes it under the function's name; "
                                                      "no pass in between may change or erase that";
    else
      address.emitError("needs the array '")
          << address.getGlobalName()
          << "', which is not there: a pass before convert-tileas-to-llvm has made it; no pass in between may change "
             "or erase that";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Casts at function entries meet the casts of the conversion and cancel.
void removeCasts(ModuleOp module) {
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts);
}

class ConvertTileASToLLVMPass final : public impl::ConvertTileASToLLVMBase<ConvertTileASToLLVMPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertTileASToLLVMBase::getDependentDialects(registry);
    registerEmittedDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const LoweringContext *lowering = getAnalysis<LoweringAnalysis>().get();
    if (!lowering)
      return signalPassFailure();
    if (std::optional<std::string> reason = lowering->target.getUnsupportedReason()) {
      module.emitError(*reason);
      return signalPassFailure();
    }
    warnOfSlowOperations(*lowering, module);
    const FencePragmas pragmas(module);
    lowering->target.prepareLowering(*lowering, module);
    if (failed(verifyMemory(*lowering, module)) || failed(lowerBodies(*lowering, module)))
      return signalPassFailure();
    if (failed(inlineExecutionScopes(*lowering, module)) || failed(verifyArrays(module)))
      return signalPassFailure();
    removeCasts(module);
    batchMbarrierWaits(module);
    if (failed(emitBarriers(module)))
      return signalPassFailure();
  }
};

} // namespace
} // namespace tileiras
