//===- ConvertTileASControlFlow.cpp - Structured control flow becomes branches -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Pipelines/ExpandPipelines.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Lowering/Emitter.h"
#include "tileiras/Lowering/LoweringContext.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTTILEASCONTROLFLOW
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// Branches are between blocks: what is around them may have several.
LogicalResult verifySurroundings(LLVM::LLVMFuncOp function) {
  WalkResult walk = function.walk([](Operation *op) -> WalkResult {
    if (!isa_and_nonnull<scf::SCFDialect>(op->getDialect()) || op->hasTrait<OpTrait::IsTerminator>())
      return WalkResult::advance();
    Operation *around = op->getParentOp();
    while (isa_and_nonnull<scf::SCFDialect>(around->getDialect()))
      around = around->getParentOp();
    if (!around->hasTrait<OpTrait::SingleBlock>())
      return WalkResult::advance();
    InFlightDiagnostic diagnostic = op->emitOpError() << "cannot become branches in a body that has one block";
    diagnostic.attachNote(around->getLoc()) << "'" << around->getName() << "' has to be lowered before";
    return diagnostic;
  });
  return failure(walk.wasInterrupted());
}

class ConvertTileASControlFlowPass final : public impl::ConvertTileASControlFlowBase<ConvertTileASControlFlowPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertTileASControlFlowBase::getDependentDialects(registry);
    registerEmittedDialects(registry);
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (failed(expandPipelines(function)) || failed(verifySurroundings(function)))
        return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.addIllegalDialect<scf::SCFDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    const FrozenRewritePatternSet frozen(std::move(patterns));
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (failed(applyPartialConversion(function, target, frozen)))
        return signalPassFailure();
    markAnalysesPreserved<LoweringAnalysis>();
  }
};

} // namespace
} // namespace tileiras
