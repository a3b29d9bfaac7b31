//===- RemoveLayoutConversions.cpp - tileas-remove-layout-conversions -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConversionPatterns.h"
#include "Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace mlir;

namespace tileiras::layout {
#define GEN_PASS_DEF_TILEASREMOVELAYOUTCONVERSIONS
#include "Passes.h.inc"

namespace {

struct TileASRemoveLayoutConversions : impl::TileASRemoveLayoutConversionsBase<TileASRemoveLayoutConversions> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASRemoveLayoutConversions)

  void runOnOperation() override {
    bool failed = mlir::failed(sweep(populateBufferPropagation));
    failed |= mlir::failed(sweep(populateRegisterPropagation));
    failed |= mlir::failed(sweep(populateConversionCleanup));
    failed |= mlir::failed(sweep(populateRegionRewrites));
    // The second one folds what has met outside of regions, the third what that has brought together.
    for (int i = 0; i < 2; ++i)
      failed |= mlir::failed(sweep([](RewritePatternSet &patterns) {
        populateRegisterPropagation(patterns);
        populateConversionCleanup(patterns);
      }));
    if (failed)
      signalPassFailure();
  }

  LogicalResult sweep(llvm::function_ref<void(RewritePatternSet &)> populate) {
    RewritePatternSet patterns(&getContext());
    populate(patterns);
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false).setRegionSimplificationLevel(
        GreedySimplifyRegionLevel::Disabled);
    return applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};

} // namespace
} // namespace tileiras::layout
