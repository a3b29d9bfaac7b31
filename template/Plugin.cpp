// What the plugin adds, and how it is registered.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Remarks.h"
#include "tileiras/Plugin/Plugin.h"

namespace starter {
#define GEN_PASS_DECL
#include "Passes.h.inc"
} // namespace starter

// Called when a compilation needs the plugin. Registry also has addScheduler, addTarget and addDialect.
static llvm::Error activate(tileiras::Registry &registry) {
  return registry.addPass({.create = [] { return starter::createCountLoads(); }});
}

// Read before any code of the plugin runs. Whatever activate() registers is listed here, and so are the options that
// profiles and --set may give values to.
static constexpr tileiras::PluginContents contents[] = {
    {tileiras::PluginContents::Pass, "starter-count-loads"},
    {tileiras::PluginContents::Remarks, "starter", {}, starter::kRemarks},
    {tileiras::PluginContents::Option,
     "starter-factor",
     {tileiras::PluginOption::Integer, "1", "how often starter-count-loads counts a load", "1..100"}},
};

TILEIRAS_PLUGIN("starter", "0.1", "pass", "experimental", contents, activate)
