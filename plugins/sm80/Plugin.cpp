//===- Plugin.cpp - The sm80 plugin ---------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "Sm80Target.h"

static llvm::Error activate(tileiras::Registry &registry) {
  return registry.addTarget(std::make_shared<tileiras::sm80::Sm80Target>());
}

static constexpr tileiras::PluginContents contents[] = {
    {tileiras::PluginContents::Target, "sm_80", {.alias = "a100, a30"}},
    {tileiras::PluginContents::Target,
     "sm_86",
     {.alias = "a10, a40, rtxa6000, rtx3050, rtx3060, rtx3060ti, rtx3070, rtx3070ti, rtx3080, rtx3080ti, rtx3090, "
               "rtx3090ti"}},
    {tileiras::PluginContents::Target, "sm_87", {.alias = "orin, jetson orin"}},
    {tileiras::PluginContents::Target, "sm_88"},
    {tileiras::PluginContents::Target,
     "sm_89",
     {.alias = "l4, l40, l40s, rtx6000ada, rtx4050, rtx4060, rtx4060ti, rtx4070, rtx4070ti, rtx4080, rtx4090"}},
};

TILEIRAS_PLUGIN("sm80", "0.1.0", "target", "stable", contents, activate)
