//===- Plugin.cpp - Registers the plugin async-pipelining -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "Passes.h"
#include "Remarks.h"

using namespace tileiras;

static llvm::Error activate(Registry &registry) {
  const PassEntry passes[] = {
      {.create = [] { return async::createTileAARaiseLoops(); },
       .mustPrecede = {"tileaa-swap-operands", "tileaa-form-queues"},
       .mustFollow = {"convert-cudatile-to-tileaa"}},
      {.create = [] { return async::createTileAAUncarryLoads(); },
       .mustPrecede = {"tileaa-count-addresses"},
       .mustFollow = {"convert-cudatile-to-tileaa", "tileaa-raise-loops"}},
      {.create = [] { return async::createTileAACountAddresses(); },
       .mustPrecede = {"tileaa-form-queues"},
       .mustFollow = {"convert-cudatile-to-tileaa", "tileaa-raise-loops"}},
      {.create = [] { return async::createTileAASwapOperands(); }, .mustPrecede = {"tileaa-form-queues"}},
      {.create = [] { return async::createTileAAFormQueues(); },
       .mustPrecede = {"convert-tileaa-to-tileas"},
       .needsAfter = {"tileas-queue-to-pipeline"}},
      {.create = [] { return async::createTileAAPrefetchLoads(); },
       .mustPrecede = {"convert-tileaa-to-tileas"},
       .mustFollow = {"tileaa-form-queues"}},
      {.create = [] { return async::createTileASQueueToPipeline(); },
       .mustPrecede = {"tileas-materialize-async"},
       .mustFollow = {"convert-tileaa-to-tileas"},
       .needsAfter = {"tileas-assign-load-store-layouts", "tileas-assign-buffers"}},
      {.create = [] { return async::createTileASMaterializeAsync(); },
       .mustPrecede = {"tileas-unspecialized-pipeline"},
       .mustFollow = {"tileas-assign-load-store-layouts"}},
      {.create = [] { return async::createTileASAssignBuffers(); },
       .preservedAnalyses = {"ScheduleAnalysis"},
       .mustPrecede = {"tileas-unspecialized-pipeline", "convert-tileas-control-flow"},
       .mustFollow = {"tileas-assign-load-store-layouts"}},
      {.create = [] { return async::createTileASUnspecializedPipeline(); },
       .mustPrecede = {"tileas-optimize-pipeline-region", "convert-tileas-control-flow"}},
      {.create = [] { return async::createTileASOptimizePipelineRegion(); },
       .mustPrecede = {"convert-tileas-control-flow"}}};
  for (const PassEntry &pass : passes)
    if (llvm::Error error = registry.addPass(pass))
      return error;
  return llvm::Error::success();
}

static constexpr PluginContents contents[] = {
    {PluginContents::Pass, "tileaa-uncarry-loads"},
    {PluginContents::Pass, "tileaa-count-addresses"},
    {PluginContents::Pass, "tileaa-raise-loops", {.alias = "tileaa-uplift-loops"}},
    {PluginContents::Pass, "tileaa-swap-operands", {.alias = "tileaa-exchange-operands"}},
    {PluginContents::Pass, "tileaa-form-queues"},
    {PluginContents::Pass, "tileaa-prefetch-loads"},
    {PluginContents::Pass, "tileas-queue-to-pipeline"},
    {PluginContents::Pass, "tileas-materialize-async"},
    {PluginContents::Pass, "tileas-assign-buffers"},
    {PluginContents::Pass, "tileas-unspecialized-pipeline"},
    {PluginContents::Pass, "tileas-optimize-pipeline-region"},
    {PluginContents::Option,
     "pipeline-strategy",
     {PluginOption::Choice, "none", "how loops become software pipelines",
      "none, unspecialize, warp-specialize, auto"}},
    {PluginContents::Option,
     "unspecialized-pipeline-num-stages",
     {PluginOption::Integer, "4",
      "stages of an unspecialised software pipeline whose loads have no 'latency' hint; 1: no pipelines", "1..64"}},
    {PluginContents::Option,
     "deepen-pipelines",
     {PluginOption::Bool, "true",
      "up to twice as many stages for operands of MMAs where shared memory would be unused"}},
    {PluginContents::Option,
     "queue-all-mmas",
     {PluginOption::Bool, "false", "pipeline loads of MMAs even where that gains nothing; for tests", "",
      "queue-all-products"}},
    {PluginContents::Option,
     "queue-all-loads",
     {PluginOption::Bool, "false", "pipeline loads that feed no MMA even where that gains nothing; for tests"}},
    {PluginContents::Option,
     "prefetch-all-loads",
     {PluginOption::Bool, "false", "load to registers ahead even where that gains nothing; for tests"}},
    {PluginContents::Remarks, "async-pipelining", {}, async::kRemarks},
};

TILEIRAS_PLUGIN("async-pipelining", "0.1.0", "passes", "experimental", contents, activate)
