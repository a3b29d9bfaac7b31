//===- Plugin.cpp - Registers the layout plugin ----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "Passes.h"
#include "Remarks.h"

static llvm::Error activate(tileiras::Registry &registry) {
  using namespace tileiras::layout;
  tileiras::PassEntry passes[] = {
      {.create = [] { return createTileASAssignLayouts(); }},
      {.create = [] { return createTileASAssignLoadStoreLayouts(); }},
      {.create = [] { return createTileASShareOperands(); },
       .mustPrecede = {"tileas-assign-layouts"},
       .mustFollow = {"tileas-assign-load-store-layouts"}},
      {.create = [] { return createTileASRelaxOccupancy(); },
       .mustPrecede = {"tileas-assign-buffers", "convert-nv-tile-func-to-llvm"},
       .mustFollow = {"tileas-assign-layouts"}},
      {.create = [] { return createTileASMaterializeConvertLayout(); },
       .mustPrecede = {"tileas-generate-schedule", "convert-tileas-control-flow"},
       .mustFollow = {"tileas-assign-layouts"}},
      {.create = [] { return createTileASMergeReductions(); },
       .mustPrecede = {"convert-nv-tile-func-to-llvm"},
       .mustFollow = {"tileas-assign-layouts"}},
      {.create = [] { return createTileASRemoveBufferAlias(); }},
      {.create = [] { return createTileASRemoveLayoutConversions(); }},
      {.create = [] { return createTileASRemoveDeadArgs(); }},
      {.create = [] { return createTileASSlicing(); }, .mustPrecede = {"tileas-generate-schedule"}},
  };
  for (tileiras::PassEntry &pass : passes)
    if (llvm::Error error = registry.addPass(std::move(pass)))
      return error;
  return llvm::Error::success();
}

static constexpr tileiras::PluginContents contents[] = {
    {tileiras::PluginContents::Pass, "tileas-assign-layouts"},
    {tileiras::PluginContents::Pass, "tileas-assign-load-store-layouts"},
    {tileiras::PluginContents::Pass, "tileas-materialize-convert-layout"},
    {tileiras::PluginContents::Pass, "tileas-merge-reductions"},
    {tileiras::PluginContents::Pass, "tileas-relax-occupancy"},
    {tileiras::PluginContents::Pass, "tileas-remove-buffer-alias"},
    {tileiras::PluginContents::Pass, "tileas-remove-dead-args"},
    {tileiras::PluginContents::Pass, "tileas-remove-layout-conversions"},
    {tileiras::PluginContents::Pass, "tileas-share-operands"},
    {tileiras::PluginContents::Pass, "tileas-slicing"},
    {tileiras::PluginContents::Option,
     "materialize-conversions",
     {tileiras::PluginOption::Bool, "false", "give conversions between layouts memory of their own; for experiments"}},
    {tileiras::PluginContents::Remarks, "layout", {}, tileiras::layout::kRemarks},
};

TILEIRAS_PLUGIN("layout", "0.1.0", "passes", "experimental", contents, activate)
