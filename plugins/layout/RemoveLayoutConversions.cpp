//===- RemoveLayoutConversions.cpp - tileas-remove-layout-conversions -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateScore.h"
#include "ConversionPatterns.h"
#include "Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace mlir;

namespace tileiras::layout {
#define GEN_PASS_DEF_TILEASREMOVELAYOUTCONVERSIONS
#include "Passes.h.inc"

namespace {

struct TileASRemoveLayoutConversions : impl::TileASRemoveLayoutConversionsBase<TileASRemoveLayoutConversions> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASRemoveLayoutConversions)

  void runOnOperation() override {
    const ChipTarget target = findModuleTarget(getOperation(), /*fallbackChip=*/"");
    const TuningModel &tuning = target.tuning();
    auto propagateBuffers = [&](RewritePatternSet &patterns) {
      populateBufferPropagation(patterns, tuning, getMatrixInstructions(target));
    };
    bool failed = !sweep(propagateBuffers, "failed to rewrite in buffer layout propagation");
    failed |= !sweep(populateRegisterPropagation, "failed to rewrite in reg layout propagation");
    failed |= !sweep(populateConversionCleanup, "failed to apply patterns greedily");
    failed |= !sweep(populateRegionRewrites, "failed to apply patterns greedily");
    // The second one folds what has met outside of regions, the third what that has brought together.
    auto cleanUp = [](RewritePatternSet &patterns) {
      populateRegisterPropagation(patterns);
      populateConversionCleanup(patterns);
    };
    for (int i = 0; i < 2; ++i)
      failed |= !sweep(cleanUp, "failed to apply patterns greedily");
    if (failed)
      signalPassFailure();
  }

  /// Says `text` where the patterns come to no end.
  bool sweep(llvm::function_ref<void(RewritePatternSet &)> populate, StringRef text) {
    RewritePatternSet patterns(&getContext());
    populate(patterns);
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false).setRegionSimplificationLevel(
        GreedySimplifyRegionLevel::Disabled);
    if (succeeded(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return true;
    getOperation()->emitError(text) << ": conversions are moved round in circles; leave the pass out, and report this";
    return false;
  }
};

} // namespace
} // namespace tileiras::layout
