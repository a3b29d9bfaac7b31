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
    {PluginContents::Target, "sm_100", {.alias = "b100, b200, gb200"}},
    {PluginContents::Target, "sm_103", {.alias = "b300, gb300"}},
    {PluginContents::Target, "sm_107", {.alias = "rubin"}},
    {PluginContents::Target, "sm_110", {.alias = "thor, jetson thor"}},
    {PluginContents::Target,
     "sm_120",
     {.alias = "rtx5050, rtx5060, rtx5060ti, rtx5070, rtx5070ti, rtx5080, rtx5090, rtxpro6000"}},
    {PluginContents::Target, "sm_121", {.alias = "gb10, dgx spark"}},
    {PluginContents::Target, "sm_100f"},
    {PluginContents::Target, "sm_103f"},
    {PluginContents::Target, "sm_110f"},
    {PluginContents::Target, "sm_120f"},
    {PluginContents::Target, "sm_121f"},
};

TILEIRAS_PLUGIN("sm100", "0.1.0", "target", "stable", contents, activate)
