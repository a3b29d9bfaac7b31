//===- ConvertTileASToLLVM.cpp - From nv_tileas to the LLVM dialect -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "Preparation.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTTILEASTOLLVM
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// Structured control flow becomes branches while types are still those of tiles; integer divisions that LLVM does not
/// have are expanded.
LogicalResult lowerControlFlow(ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  ConversionTarget target(*context);
  target.addIllegalDialect<scf::SCFDialect>();
  target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, target, std::move(patterns));
}

void populatePatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  populateElementwisePatterns(lowering, patterns);
  populateMathPatterns(lowering, patterns);
  populateNumberConversionPatterns(lowering, patterns);
  populatePointerPatterns(lowering, patterns);
  populatePointerAccessPatterns(lowering, patterns);
  populateViewAccessPatterns(lowering, patterns);
  populateShapePatterns(lowering, patterns);
  populateConvertLayoutPatterns(lowering, patterns);
  populateAtomicPatterns(lowering, patterns);
  populateSlicePatterns(lowering, patterns);
  populateReducePatterns(lowering, patterns);
  populateScanPatterns(lowering, patterns);
  populatePrintPatterns(lowering, patterns);
  populateAssertPatterns(lowering, patterns);
  populateDotPatterns(lowering, patterns);
  populateAllocaPatterns(lowering, patterns);
  populateProgramPatterns(lowering, patterns);
  // What upstream says, on the vectors that tiles become.
  arith::populateArithToLLVMConversionPatterns(lowering.converter, patterns);
  populateMathToLLVMConversionPatterns(lowering.converter, patterns, /*approximateLog1p=*/false);
  cf::populateControlFlowToLLVMConversionPatterns(lowering.converter, patterns);
}

LogicalResult lowerBodies(const LoweringContext &lowering, ModuleOp module, LLVMTileTypeConverter &converter) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  populatePatterns(lowering, patterns);
  lowering.target.populateLowering(converter, patterns, lowering.chip);
  ConversionTarget target(*context);
  target.addIllegalDialect<aa::TileAADialect, as::TileASDialect, arith::ArithDialect, math::MathDialect,
                           cf::ControlFlowDialect, ub::UBDialect>();
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
public:
  using ConvertTileASToLLVMBase::ConvertTileASToLLVMBase;

private:
  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertTileASToLLVMBase::getDependentDialects(registry);
    registerEmittedDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<ChipTarget> chip = getChipTarget(module);
    if (failed(chip))
      return signalPassFailure();
    if (std::optional<std::string> reason = chip->target->getUnsupportedReason()) {
      module.emitError(*reason);
      return signalPassFailure();
    }
    LowerToLLVMOptions options(&getContext());
    LLVMTileTypeConverter converter(&getContext(), options);
    LoweringContext lowering(*chip, converter);
    SmallVector<std::pair<LLVM::LLVMFuncOp, int64_t>> functions; // with the bytes of their allocas
    for (auto function : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
      functions.emplace_back(function, allocateOwnMemory(lowering, function));
    if (!functions.empty())
      lowering.reserveSharedMemory(llvm::max_element(functions, llvm::less_second())->second);
    for (auto [function, ownBytes] : functions) {
      placeBarriers(lowering, function.getBody());
      if (failed(allocateScratch(lowering, function, ownBytes)))
        return signalPassFailure();
      provideForSpills(lowering, function, /*canShare=*/!deviceDebug);
    }
    if (failed(lowerControlFlow(module)) || failed(lowerBodies(lowering, module, converter)))
      return signalPassFailure();
    removeCasts(module);
  }
};

} // namespace
} // namespace tileiras
