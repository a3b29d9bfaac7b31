//===- Plugin.cpp - Registers the async plugin -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"

using namespace tileiras;

/// All that it stands for is what it requires.
static llvm::Error activate(Registry &) {
  return llvm::Error::success();
}

static constexpr PluginContents contents[] = {
    {PluginContents::Requires, "async-loads"},      {PluginContents::Requires, "async-pipelining"},
    {PluginContents::Requires, "async-scheduling"}, {PluginContents::Requires, "async-agents"},
    {PluginContents::Requires, "async-attention"},
};

TILEIRAS_PLUGIN("async", "0.1.0", "passes, scheduler", "experimental", contents, activate)
