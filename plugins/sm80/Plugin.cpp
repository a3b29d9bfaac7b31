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
    {tileiras::PluginContents::Target, "sm_80"},
    {tileiras::PluginContents::Target, "sm_86"},
    {tileiras::PluginContents::Target, "sm_87"},
    {tileiras::PluginContents::Target, "sm_89"},
};

TILEIRAS_PLUGIN("sm80", "0.1.0", "target", "stable", contents, activate)
