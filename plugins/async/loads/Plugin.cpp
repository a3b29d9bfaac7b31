//===- Plugin.cpp - Registers the plugin async-loads ----------------------===//
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
  const PassEntry passes[] = {{.create = [] { return async::createLowerTmaLoadStoreToAsync(); },
                               .mustPrecede = {"tileas-materialize-async"},
                               .mustFollow = {"tileas-assign-load-store-layouts"}},
                              {.create = [] { return async::createLowerLoadsToAsyncCopies(); },
                               .mustPrecede = {"tileas-materialize-async"},
                               .mustFollow = {"lower-tma-load-store-to-async"}},
                              {.create = [] { return async::createTileASPipelineFragments(); },
                               .mustPrecede = {"tileas-budget-registers", "convert-tileas-control-flow"},
                               .mustFollow = {"tileas-group-copies", "tileas-place-barriers"}}};
  for (const PassEntry &pass : passes)
    if (llvm::Error error = registry.addPass(pass))
      return error;
  return llvm::Error::success();
}

static constexpr PluginContents contents[] = {
    {PluginContents::Pass, "lower-tma-load-store-to-async"},
    {PluginContents::Pass, "lower-loads-to-async-copies"},
    {PluginContents::Pass, "tileas-pipeline-fragments"},
    {PluginContents::Remarks, "async-loads", {}, async::kRemarks},
};

TILEIRAS_PLUGIN("async-loads", "0.1.0", "passes", "experimental", contents, activate)
