//===- Plugin.cpp - Registers the exact plugin ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "ExactScheduler.h"

using namespace tileiras;

static llvm::Error activate(Registry &registry) {
  return registry.addScheduler({.name = "exact",
                                .description = "the smallest interval, proven by z3, and few registers; slow",
                                .create = [] { return std::make_unique<exact::ExactScheduler>(); }});
}

static constexpr PluginContents contents[] = {{PluginContents::Scheduler, "exact"}};

TILEIRAS_PLUGIN("exact", "0.1.0", "scheduler", "experimental", contents, activate)
