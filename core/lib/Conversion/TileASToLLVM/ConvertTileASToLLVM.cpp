//===- ConvertTileASToLLVM.cpp - From nv_tileas to the LLVM dialect -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutionScopes.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Lowering/DialectLowering.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTTILEASTOLLVM
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// Every operation of a dialect that takes part in the lowering, except those that hold execution scopes.
LogicalResult lowerBodies(const LoweringContext &lowering, ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  ConversionTarget target(*context);
  for (Dialect *dialect : context->getLoadedDialects())
    if (const auto *interface = dialect->getRegisteredInterface<DialectLowering>()) {
      interface->populateLowering(lowering, patterns);
      target.addDynamicallyLegalDialect(isScopeStructure, dialect->getNamespace());
    }
  lowering.target.populateLowering(lowering, patterns);
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, target, std::move(patterns));
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
    if (failed(lowerBodies(*lowering, module)))
      return signalPassFailure();
    inlineExecutionScopes(module);
    removeCasts(module);
  }
};

} // namespace
} // namespace tileiras
