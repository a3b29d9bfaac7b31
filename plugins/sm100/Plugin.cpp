//===- Plugin.cpp - Registers the Blackwell targets ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "BlackwellTargets.h"

using namespace tileiras;

static llvm::Error activate(Registry &registry) {
  using sm100::BlackwellTarget;
  if (llvm::Error error = registry.addTarget(
          std::make_shared<BlackwellTarget>("sm100", sm100::listDataCentre(), sm100::describeDataCentre)))
    return error;
  return registry.addTarget(std::make_shared<BlackwellTarget>("sm120", sm100::listConsumer(), sm100::describeConsumer));
}

static constexpr PluginContents contents[] = {
    {PluginContents::Target, "sm_100"},  {PluginContents::Target, "sm_103"},  {PluginContents::Target, "sm_110"},
    {PluginContents::Target, "sm_120"},  {PluginContents::Target, "sm_121"},  {PluginContents::Target, "sm_100f"},
    {PluginContents::Target, "sm_103f"}, {PluginContents::Target, "sm_110f"}, {PluginContents::Target, "sm_120f"},
    {PluginContents::Target, "sm_121f"},
};

TILEIRAS_PLUGIN("sm100", "0.1.0", "target", "stable", contents, activate)
