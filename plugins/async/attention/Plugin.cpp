//===- Plugin.cpp - Registers the plugin async-attention ------------------===//
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
  const PassEntry passes[] = {{.create = [] { return async::createTileAAMergeDimensions(); },
                               .mustPrecede = {"tileaa-swap-operands", "tileaa-form-queues"},
                               .mustFollow = {"convert-cudatile-to-tileaa"}},
                              {.create = [] { return async::createTileASPromoteAccumulators(); },
                               .mustPrecede = {"tileas-materialize-async"},
                               .mustFollow = {"tileas-assign-load-store-layouts"}},
                              {.create = [] { return async::createTileASRescaleConditionally(); },
                               .mustPrecede = {"tileas-materialize-async"},
                               .mustFollow = {"tileas-assign-layouts"}},
                              {.create = [] { return async::createTileASSplitLoops(); },
                               .mustPrecede = {"tileas-prepare-for-scheduling"},
                               .mustFollow = {"tileas-materialize-async"}},
                              {.create = [] { return async::createTileASSplitExponentials(); },
                               .mustPrecede = {"tileas-generate-schedule"},
                               .mustFollow = {"tileas-prepare-for-scheduling"}},
                              {.create = [] { return async::createTileASPingPong(); },
                               .mustPrecede = {"tileas-allocate-memory", "convert-tileas-control-flow"},
                               .mustFollow = {"tileas-unspecialized-pipeline"}}};
  for (const PassEntry &pass : passes)
    if (llvm::Error error = registry.addPass(pass))
      return error;
  return llvm::Error::success();
}

static constexpr PluginContents contents[] = {
    {PluginContents::Pass, "tileaa-merge-dimensions"},
    {PluginContents::Pass, "tileas-promote-accumulators", {.alias = "tileas-promote-sums"}},
    {PluginContents::Pass, "tileas-rescale-conditionally", {.alias = "tileas-relax-maxima"}},
    {PluginContents::Pass, "tileas-split-loops"},
    {PluginContents::Pass, "tileas-split-exponentials"},
    {PluginContents::Pass, "tileas-ping-pong", {.alias = "tileas-take-turns"}},
    {PluginContents::Option,
     "conditional-rescaling",
     {PluginOption::Integer, "8",
      "powers of two by which exponentials may exceed 1 before a softmax rescales its accumulators in tensor memory; "
      "0: none",
      "0..15", "relax-maxima"}},
    {PluginContents::Option,
     "split-exponentials",
     {PluginOption::Choice, "false",
      "whether multiplications compute a quarter of a loop's exponentials; auto: where the unit for them is the bound",
      "auto, true, false"}},
    {PluginContents::Remarks, "async-attention", {}, async::kRemarks},
};

TILEIRAS_PLUGIN("async-attention", "0.1.0", "passes", "experimental", contents, activate)
