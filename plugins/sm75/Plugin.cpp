//===- Plugin.cpp - The sm75 plugin ---------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "Sm75Target.h"

static llvm::Error activate(tileiras::Registry &registry) {
  return registry.addTarget(std::make_shared<tileiras::sm75::Sm75Target>());
}

static constexpr tileiras::PluginContents contents[] = {
    {tileiras::PluginContents::Target,
     "sm_75",
     {.alias = "t4, teslat4, gtx1650, gtx1660, gtx1660ti, rtx2060, rtx2070, rtx2080, rtx2080ti, titanrtx, rtx8000"}},
};

TILEIRAS_PLUGIN("sm75", "0.1.0", "target", "stable", contents, activate)
