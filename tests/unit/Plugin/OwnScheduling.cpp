//===- OwnScheduling.cpp - Somebody else's family async-scheduling ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A family of passes in the place of a shipped one, written with the SDK alone: whoever requires `async` gets it where
// its folder comes before the shipped plugins'. It publishes a schedule for no loop, so that each keeps its order.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Plugin/Plugin.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"

using namespace tileiras;

namespace {

/// What all its passes are, and take: an option that a profile of this project gives is known, and does nothing.
template <typename Derived>
struct OwnPass : mlir::PassWrapper<Derived, mlir::InterfacePass<mlir::FunctionOpInterface>> {
  OwnPass() = default;
  OwnPass(const OwnPass &other) : mlir::PassWrapper<Derived, mlir::InterfacePass<mlir::FunctionOpInterface>>(other) {}
  llvm::StringRef getDescription() const final { return "a pass of somebody else's"; }
};

struct Prepare : OwnPass<Prepare> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Prepare)
  llvm::StringRef getArgument() const final { return "tileas-prepare-for-scheduling"; }
  void runOnOperation() override { markAllAnalysesPreserved(); }
};

struct Generate : OwnPass<Generate> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Generate)
  Generate() = default;
  Generate(const Generate &other) : OwnPass<Generate>(other) {}
  llvm::StringRef getArgument() const final { return "tileas-generate-schedule"; }
  void runOnOperation() override {
    getAnalysis<ScheduleAnalysis>().publish({});
    markAllAnalysesPreserved();
  }
  Option<std::string> scheduler{*this, "scheduler"}, gpuName{*this, "gpu-name"};
  Option<std::string> trace{*this, "schedule-trace-file"}, svg{*this, "schedule-svg"};
  Option<std::string> problems{*this, "dump-schedule-problems"};
  Option<uint32_t> iterations{*this, "max-constraint-iterations"}, threshold{*this, "rrt-size-threshold"};
  Option<uint32_t> perturb{*this, "perturb-machine-model"};
  Option<bool> delay{*this, "enable-random-delay"}, agents{*this, "with-agents"};
};

struct Verify : OwnPass<Verify> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Verify)
  llvm::StringRef getArgument() const final { return "tileas-verify-schedule"; }
  void runOnOperation() override { markAllAnalysesPreserved(); }
};

} // namespace

static llvm::Error activate(Registry &registry) {
  const PassEntry passes[] = {{.create = [] { return std::make_unique<Prepare>(); }},
                              {.create = [] { return std::make_unique<Generate>(); },
                               .producedAnalyses = {"ScheduleAnalysis"},
                               .preservedAnalyses = {"ScheduleAnalysis"}},
                              {.create = [] { return std::make_unique<Verify>(); },
                               .requiredAnalyses = {"ScheduleAnalysis"},
                               .preservedAnalyses = {"ScheduleAnalysis"}}};
  for (const PassEntry &pass : passes)
    if (llvm::Error error = registry.addPass(pass))
      return error;
  return llvm::Error::success();
}

static constexpr PluginContents contents[] = {
    {PluginContents::Pass, "tileas-prepare-for-scheduling"},
    {PluginContents::Pass, "tileas-generate-schedule"},
    {PluginContents::Pass, "tileas-verify-schedule"},
    {PluginContents::Option, "rrt-size-threshold", {PluginOption::Integer, "0", "not used", "0.."}},
    {PluginContents::Option, "max-constraint-iterations", {PluginOption::Integer, "1", "not used", "1.."}},
    {PluginContents::Option, "enable-random-delay", {PluginOption::Bool, "false", "not used"}},
    {PluginContents::Option, "perturb-machine-model", {PluginOption::Integer, "0", "not used", "0.."}},
    {PluginContents::Option, "schedule-trace-file", {PluginOption::String, "", "not used"}},
};

TILEIRAS_PLUGIN("async-scheduling", "9.9", "passes", "somebody else's", contents, activate)
