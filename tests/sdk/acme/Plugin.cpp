//===- Plugin.cpp - Registers the acme plugin ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "Acme.h"

namespace acme {
#define GEN_PASS_DECL
#include "Passes.h.inc"
} // namespace acme

static llvm::Error activate(tileiras::Registry &registry) {
  if (llvm::Error error = registry.addPass({.create = [] { return acme::createCountOps(); }}))
    return error;
  if (llvm::Error error = registry.addScheduler(
          {.name = "acme-reverse", .description = "program order, backwards", .create = acme::createReverseScheduler}))
    return error;
  return registry.addTarget(acme::createToyTarget());
}

static constexpr tileiras::PluginContents contents[] = {
    {tileiras::PluginContents::Pass, "acme-count-ops"},
    {tileiras::PluginContents::Scheduler, "acme-reverse"},
    {tileiras::PluginContents::Target, "acme_1"},
};

TILEIRAS_PLUGIN("acme", "2.3", "pass, scheduler, target", "example", contents, activate)
