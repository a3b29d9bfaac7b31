//===- Plugin.cpp - Registers the plugin async-scheduling -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "Passes.h"
#include "Remarks.h"
#include "schedulers/ModuloScheduler.h"
#include "schedulers/SerialScheduler.h"

using namespace tileiras;

static llvm::Error activate(Registry &registry) {
  const PassEntry passes[] = {{.create = [] { return async::createTileASPrepareForScheduling(); },
                               .mustPrecede = {"tileas-generate-schedule", "tileas-generate-schedule-constraints",
                                               "tileas-unspecialized-pipeline"},
                               .mustFollow = {"tileas-materialize-async"}},
                              {.create = [] { return async::createTileASVerifySchedule(); },
                               .requiredAnalyses = {"ScheduleAnalysis"},
                               .preservedAnalyses = {"ScheduleAnalysis"}}};
  for (const PassEntry &pass : passes)
    if (llvm::Error error = registry.addPass(pass))
      return error;
  // The second name is an alias.
  for (const char *name : {"tileas-generate-schedule", "tileas-generate-schedule-constraints"})
    if (llvm::Error error = registry.addPass({.argument = name,
                                              .create = [] { return async::createTileASGenerateSchedule(); },
                                              .producedAnalyses = {"ScheduleAnalysis"},
                                              .preservedAnalyses = {"ScheduleAnalysis"}}))
      return error;
  const SchedulerEntry schedulers[] = {{.name = "synchronous",
                                        .description = "no schedule: loops load and compute iteration by iteration",
                                        .create = [] { return std::make_unique<async::SerialScheduler>(); }},
                                       {.name = "serial",
                                        .description = "one operation after the other; always possible",
                                        .create = [] { return std::make_unique<async::SerialScheduler>(); }},
                                       {.name = "fast",
                                        .description = "modulo scheduling, the first interval that works",
                                        .create = [] { return std::make_unique<async::FastScheduler>(); }},
                                       {.name = "cost-based",
                                        .description = "modulo scheduling, the smallest interval and few registers",
                                        .create = [] { return std::make_unique<async::CostBasedScheduler>(); }}};
  for (const SchedulerEntry &scheduler : schedulers)
    if (llvm::Error error = registry.addScheduler(scheduler))
      return error;
  return llvm::Error::success();
}

static constexpr PluginContents contents[] = {
    {PluginContents::Pass, "tileas-prepare-for-scheduling"},
    {PluginContents::Pass, "tileas-generate-schedule"},
    {PluginContents::Pass, "tileas-generate-schedule-constraints"},
    {PluginContents::Pass, "tileas-verify-schedule"},
    {PluginContents::Scheduler, "synchronous"},
    {PluginContents::Scheduler, "serial"},
    {PluginContents::Scheduler, "fast"},
    {PluginContents::Scheduler, "cost-based"},
    {PluginContents::Option,
     "rrt-size-threshold",
     {PluginOption::Integer, "4096", "reservation-table size above which time is quantised; 0: light mode", "0..",
      "scheduler.rrt-size-threshold"}},
    {PluginContents::Option,
     "max-constraint-iterations",
     {PluginOption::Integer, "10", "attempts of the scheduler at one initiation interval", "1..",
      "scheduler.max-constraint-iterations"}},
    {PluginContents::Option,
     "enable-random-delay",
     {PluginOption::Bool, "false", "random delays in schedules, to stress synchronisation", "",
      "scheduler.enable-random-delay"}},
    {PluginContents::Option,
     "perturb-machine-model",
     {PluginOption::Integer, "0", "a seed for wrong figures in the machine model, each by a factor of two; 0: none",
      "0..", "scheduler.perturb-machine-model"}},
    {PluginContents::Option,
     "schedule-trace-file",
     {PluginOption::String, "", "where schedules go as a trace for Perfetto", "", "scheduler.schedule-trace-file", "",
      /*namesOutput=*/true}},
    {PluginContents::Remarks, "async-scheduling", {}, async::kRemarks},
};

TILEIRAS_PLUGIN("async-scheduling", "0.1.0", "passes, scheduler", "experimental", contents, activate)
