//===- Plugin.cpp - Registers the layout plugin ----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "Passes.h"

static llvm::Error activate(tileiras::Registry &registry) {
  if (llvm::Error error = registry.addPass({.create = [] { return tileiras::layout::createTileASAssignLayouts(); }}))
    return error;
  if (llvm::Error error =
          registry.addPass({.create = [] { return tileiras::layout::createTileASAssignLoadStoreLayouts(); }}))
    return error;
  if (llvm::Error error =
          registry.addPass({.create = [] { return tileiras::layout::createTileASMaterializeConvertLayout(); },
                            .mustPrecede = {"tileas-generate-schedule", "convert-tileas-control-flow"},
                            .mustFollow = {"tileas-assign-layouts"}}))
    return error;
  if (llvm::Error error =
          registry.addPass({.create = [] { return tileiras::layout::createTileASRemoveBufferAlias(); }}))
    return error;
  if (llvm::Error error =
          registry.addPass({.create = [] { return tileiras::layout::createTileASRemoveLayoutConversions(); }}))
    return error;
  if (llvm::Error error = registry.addPass({.create = [] { return tileiras::layout::createTileASRemoveDeadArgs(); }}))
    return error;
  return registry.addPass(
      {.create = [] { return tileiras::layout::createTileASSlicing(); }, .mustPrecede = {"tileas-generate-schedule"}});
}

static constexpr tileiras::PluginContents contents[] = {
    {tileiras::PluginContents::Pass, "tileas-assign-layouts"},
    {tileiras::PluginContents::Pass, "tileas-assign-load-store-layouts"},
    {tileiras::PluginContents::Pass, "tileas-materialize-convert-layout"},
    {tileiras::PluginContents::Pass, "tileas-remove-buffer-alias"},
    {tileiras::PluginContents::Pass, "tileas-remove-dead-args"},
    {tileiras::PluginContents::Pass, "tileas-remove-layout-conversions"},
    {tileiras::PluginContents::Pass, "tileas-slicing"},
    {tileiras::PluginContents::Option,
     "materialize-conversions",
     {tileiras::PluginOption::Bool, "false", "give conversions between layouts memory of their own; for experiments"}},
};

TILEIRAS_PLUGIN("layout", "0.1.0", "passes", "experimental", contents, activate)
