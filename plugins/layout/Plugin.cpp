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
      {.create = [] { return createTileASStageProducts(); },
       .mustPrecede = {"tileas-share-operands", "tileas-assign-layouts"},
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
    {tileiras::PluginContents::Pass, "tileas-stage-products"},
    {tileiras::PluginContents::Option,
     "materialize-conversions",
     {tileiras::PluginOption::Bool, "false",
      "each conversion through shared memory goes through a tile of its own, not only where that costs less; for "
      "experiments"}},
    {tileiras::PluginContents::Option,
     "prefer-tma",
     {tileiras::PluginOption::Bool, "false",
      "stages of pipelines have layouts that TMA can fill, and TMA stores whatever it can, where threads would have "
      "been chosen; the environment can say the default",
      "", "", "TILEIR_PREFER_TMA_FOR_LOAD_STORE"}},
    {tileiras::PluginContents::Option,
     "reg2reg-vec-size",
     {tileiras::PluginOption::Integer, "16",
      "bytes that a conversion between layouts moves at once from registers to registers, at most", "1..16"}},
    {tileiras::PluginContents::Option,
     "reinterpret-to-i8",
     {tileiras::PluginOption::Bool, "false",
      "tiles of floating-point numbers of 8 bits or less go through shared memory as bytes"}},
    {tileiras::PluginContents::Option,
     "slice-count",
     {tileiras::PluginOption::Integer, "0",
      "slices that each outermost loop is split into, one loop after the other; 0: only those that `sliceCount` names",
      "0..1024"}},
    {tileiras::PluginContents::Remarks, "layout", {}, tileiras::layout::kRemarks},
};

TILEIRAS_PLUGIN("layout", "0.1.0", "passes", "experimental", contents, activate)
