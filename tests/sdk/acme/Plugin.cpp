//===- Plugin.cpp - Registers the acme plugin ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "Acme.h"
#include "AcmeDialect.h"
#include "Remarks.h"

namespace acme {
#define GEN_PASS_DECL
#include "Passes.h.inc"
} // namespace acme

static llvm::Error activate(tileiras::Registry &registry) {
  if (llvm::Error error =
          registry.addPass({.create = [] { return acme::createCountOps(); }, .runsAfter = "tileas-place-barriers"}))
    return error;
  if (llvm::Error error = registry.addScheduler(
          {.name = "acme-relay", .description = "one behind the other", .create = acme::createRelayScheduler}))
    return error;
  if (llvm::Error error = registry.addScheduler(
          {.name = "acme-reverse", .description = "program order, backwards", .create = acme::createReverseScheduler}))
    return error;
  if (llvm::Error error = registry.addDialect(
          {.name = "acme", .fill = [](mlir::DialectRegistry &dialects) { dialects.insert<acme::AcmeDialect>(); }}))
    return error;
  return registry.addTarget(acme::createToyTarget());
}

static constexpr tileiras::PluginContents contents[] = {
    {tileiras::PluginContents::Pass, "acme-count-ops"},
    {tileiras::PluginContents::Scheduler, "acme-relay"},
    {tileiras::PluginContents::Scheduler, "acme-reverse"},
    {tileiras::PluginContents::Target, "acme_1"},
    {tileiras::PluginContents::Dialect, "acme"},
    {tileiras::PluginContents::Option,
     "acme-factor",
     {tileiras::PluginOption::Integer, "1", "how often acme-count-ops counts an operation", "1..100"}},
    {tileiras::PluginContents::Remarks, "acme", {}, acme::kRemarks},
};

TILEIRAS_PLUGIN("acme", "2.3", "pass, scheduler, target, dialect", "example", contents, activate)
