//===- Canonicalize.cpp - canonicalize, keeping schedules -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "tileiras/Pipeline/Passes.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"

// The options are upstream's, so that pipeline text means the same to other tools.
namespace mlir {
#define GEN_PASS_DEF_CANONICALIZER
#include "mlir/Transforms/Passes.h.inc"
} // namespace mlir

using namespace tileiras;

namespace {

struct Canonicalize : mlir::impl::CanonicalizerBase<Canonicalize> {
  mlir::LogicalResult initialize(mlir::MLIRContext *context) override {
    mlir::RewritePatternSet patterns(context);
    for (mlir::Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(patterns);
    for (mlir::RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(patterns, context);
    frozen = mlir::FrozenRewritePatternSet(std::move(patterns), disabledPatterns, enabledPatterns);
    config.setUseTopDownTraversal(topDownProcessingEnabled)
        .setRegionSimplificationLevel(regionSimplifyLevel)
        .setMaxIterations(maxIterations)
        .setMaxNumRewrites(maxNumRewrites);
    return mlir::success();
  }

  void runOnOperation() override {
    bool changed = false;
    mlir::LogicalResult converged = mlir::applyPatternsGreedily(getOperation(), frozen, config, &changed);
    if (testConvergence && failed(converged))
      signalPassFailure();
    if (!changed)
      return markAllAnalysesPreserved();
    markAnalysesPreserved<ScheduleAnalysis>();
  }

  mlir::GreedyRewriteConfig config;
  mlir::FrozenRewritePatternSet frozen;
};

} // namespace

std::unique_ptr<mlir::Pass> tileiras::createCanonicalize() {
  return std::make_unique<Canonicalize>();
}
