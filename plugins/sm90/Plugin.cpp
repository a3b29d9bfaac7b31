//===- Plugin.cpp - The sm90 plugin ---------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "Sm90Target.h"

static llvm::Error activate(tileiras::Registry &registry) {
  return registry.addTarget(std::make_shared<tileiras::sm90::Sm90Target>());
}

static constexpr tileiras::PluginContents contents[] = {
    {tileiras::PluginContents::Target, "sm_90", {.alias = "h100, h200, h20, h800, gh200"}},
};

TILEIRAS_PLUGIN("sm90", "0.1.0", "target", "stable", contents, activate)
