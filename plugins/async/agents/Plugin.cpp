//===- Plugin.cpp - Registers the plugin async-agents ---------------------===//
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
  return registry.addPass(
      {.create = [] { return async::createTileASMaterializeSchedule(); },
       .requiredAnalyses = {"ScheduleAnalysis"},
       .mustPrecede = {"tileas-unspecialized-pipeline", "tileas-optimize-pipeline-region"},
       .mustFollow = {"tileas-queue-to-pipeline", "tileas-materialize-async", "tileas-materialize-convert-layout"}});
}

static constexpr PluginContents contents[] = {
    {PluginContents::Pass, "tileas-materialize-schedule"},
    {PluginContents::Option,
     "use-dual-simt",
     {PluginOption::Choice, "auto",
      "whether warpgroups alternate between MMAs and arithmetic (ping-pong); auto: where that pays",
      "auto, true, false"}},
    {PluginContents::Option,
     "mma-agent",
     {PluginOption::Choice, "auto",
      "whether a specialised warp issues the MMAs in tensor memory; auto: where a loop repeats them",
      "auto, true, false", "product-agent"}},
    {PluginContents::Option,
     "cta-pairs",
     {PluginOption::Choice, "auto",
      "whether one MMA in tensor memory computes for two CTAs of a cluster; auto: where it can", "auto, false"}},
    {PluginContents::Remarks, "async-agents", {}, async::kRemarks},
};

TILEIRAS_PLUGIN("async-agents", "0.1.0", "passes", "experimental", contents, activate)
