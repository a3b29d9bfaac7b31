//===- Plugin.cpp - Registers the async plugin -----------------------------===//
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
  if (llvm::Error error = registry.addPass({.create = [] { return async::createTileAAUpliftLoops(); },
                                            .mustPrecede = {"tileaa-exchange-operands", "tileaa-form-queues"},
                                            .mustFollow = {"convert-cudatile-to-tileaa"}}))
    return error;
  if (llvm::Error error = registry.addPass({.create = [] { return async::createTileAAMergeDimensions(); },
                                            .mustPrecede = {"tileaa-exchange-operands", "tileaa-form-queues"},
                                            .mustFollow = {"convert-cudatile-to-tileaa"}}))
    return error;
  if (llvm::Error error = registry.addPass(
          {.create = [] { return async::createTileAAExchangeOperands(); }, .mustPrecede = {"tileaa-form-queues"}}))
    return error;
  if (llvm::Error error = registry.addPass({.create = [] { return async::createTileAAFormQueues(); },
                                            .mustPrecede = {"convert-tileaa-to-tileas"},
                                            .needsAfter = {"tileas-queue-to-pipeline"}}))
    return error;
  if (llvm::Error error = registry.addPass({.create = [] { return async::createTileAAPrefetchLoads(); },
                                            .mustPrecede = {"convert-tileaa-to-tileas"},
                                            .mustFollow = {"tileaa-form-queues"}}))
    return error;
  if (llvm::Error error =
          registry.addPass({.create = [] { return async::createTileASQueueToPipeline(); },
                            .mustPrecede = {"tileas-materialize-async"},
                            .mustFollow = {"convert-tileaa-to-tileas"},
                            .needsAfter = {"tileas-assign-load-store-layouts", "tileas-assign-buffers"}}))
    return error;
  // The second name is an alias.
  for (const char *name : {"tileas-generate-schedule", "tileas-generate-schedule-constraints"})
    if (llvm::Error error = registry.addPass({.argument = name,
                                              .create = [] { return async::createTileASGenerateSchedule(); },
                                              .producedAnalyses = {"ScheduleAnalysis"},
                                              .preservedAnalyses = {"ScheduleAnalysis"}}))
      return error;
  if (llvm::Error error = registry.addPass({.create = [] { return async::createTileASVerifySchedule(); },
                                            .requiredAnalyses = {"ScheduleAnalysis"},
                                            .preservedAnalyses = {"ScheduleAnalysis"}}))
    return error;
  if (llvm::Error error =
          registry.addPass({.create = [] { return async::createTileASMaterializeSchedule(); },
                            .requiredAnalyses = {"ScheduleAnalysis"},
                            .mustPrecede = {"tileas-unspecialized-pipeline", "tileas-optimize-pipeline-region"},
                            .mustFollow = {"tileas-queue-to-pipeline", "tileas-materialize-async",
                                           "tileas-materialize-convert-layout"}}))
    return error;
  const PassEntry pipelining[] = {{.create = [] { return async::createLowerTmaLoadStoreToAsync(); },
                                   .mustPrecede = {"tileas-materialize-async"},
                                   .mustFollow = {"tileas-assign-load-store-layouts"}},
                                  {.create = [] { return async::createLowerLoadsToAsyncCopies(); },
                                   .mustPrecede = {"tileas-materialize-async"},
                                   .mustFollow = {"lower-tma-load-store-to-async"}},
                                  {.create = [] { return async::createTileASPromoteSums(); },
                                   .mustPrecede = {"tileas-materialize-async"},
                                   .mustFollow = {"tileas-assign-load-store-layouts"}},
                                  {.create = [] { return async::createTileASRelaxMaxima(); },
                                   .mustPrecede = {"tileas-materialize-async"},
                                   .mustFollow = {"tileas-assign-layouts"}},
                                  {.create = [] { return async::createTileASSplitExponentials(); },
                                   .mustPrecede = {"tileas-generate-schedule"},
                                   .mustFollow = {"tileas-prepare-for-scheduling"}},
                                  {.create = [] { return async::createTileASMaterializeAsync(); },
                                   .mustPrecede = {"tileas-unspecialized-pipeline"},
                                   .mustFollow = {"tileas-assign-load-store-layouts"}},
                                  {.create = [] { return async::createTileASSplitLoops(); },
                                   .mustPrecede = {"tileas-prepare-for-scheduling"},
                                   .mustFollow = {"tileas-materialize-async"}},
                                  {.create = [] { return async::createTileASPrepareForScheduling(); },
                                   .mustPrecede = {"tileas-generate-schedule", "tileas-generate-schedule-constraints",
                                                   "tileas-unspecialized-pipeline"},
                                   .mustFollow = {"tileas-materialize-async"}},
                                  {.create = [] { return async::createTileASAssignBuffers(); },
                                   .preservedAnalyses = {"ScheduleAnalysis"},
                                   .mustPrecede = {"tileas-unspecialized-pipeline", "convert-tileas-control-flow"},
                                   .mustFollow = {"tileas-assign-load-store-layouts"}},
                                  {.create = [] { return async::createTileASUnspecializedPipeline(); },
                                   .mustPrecede = {"tileas-optimize-pipeline-region", "convert-tileas-control-flow"}},
                                  {.create = [] { return async::createTileASOptimizePipelineRegion(); },
                                   .mustPrecede = {"convert-tileas-control-flow"}},
                                  {.create = [] { return async::createTileASTakeTurns(); },
                                   .mustPrecede = {"tileas-allocate-memory", "convert-tileas-control-flow"},
                                   .mustFollow = {"tileas-unspecialized-pipeline"}}};
  for (const PassEntry &pass : pipelining)
    if (llvm::Error error = registry.addPass(pass))
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
    {PluginContents::Pass, "tileaa-uplift-loops"},
    {PluginContents::Pass, "tileaa-merge-dimensions"},
    {PluginContents::Pass, "tileaa-exchange-operands"},
    {PluginContents::Pass, "tileaa-form-queues"},
    {PluginContents::Pass, "tileaa-prefetch-loads"},
    {PluginContents::Pass, "tileas-queue-to-pipeline"},
    {PluginContents::Pass, "tileas-generate-schedule"},
    {PluginContents::Pass, "tileas-generate-schedule-constraints"},
    {PluginContents::Pass, "tileas-verify-schedule"},
    {PluginContents::Pass, "lower-tma-load-store-to-async"},
    {PluginContents::Pass, "lower-loads-to-async-copies"},
    {PluginContents::Pass, "tileas-promote-sums"},
    {PluginContents::Pass, "tileas-relax-maxima"},
    {PluginContents::Pass, "tileas-split-exponentials"},
    {PluginContents::Pass, "tileas-materialize-async"},
    {PluginContents::Pass, "tileas-split-loops"},
    {PluginContents::Pass, "tileas-prepare-for-scheduling"},
    {PluginContents::Pass, "tileas-assign-buffers"},
    {PluginContents::Pass, "tileas-materialize-schedule"},
    {PluginContents::Pass, "tileas-unspecialized-pipeline"},
    {PluginContents::Pass, "tileas-optimize-pipeline-region"},
    {PluginContents::Pass, "tileas-take-turns"},
    {PluginContents::Scheduler, "synchronous"},
    {PluginContents::Scheduler, "serial"},
    {PluginContents::Scheduler, "fast"},
    {PluginContents::Scheduler, "cost-based"},
    {PluginContents::Option,
     "pipeline-strategy",
     {PluginOption::Choice, "none", "how loops become software pipelines",
      "none, unspecialize, warp-specialize, auto"}},
    {PluginContents::Option,
     "use-dual-simt",
     {PluginOption::Choice, "auto",
      "whether warpgroups alternate between MMAs and arithmetic (ping-pong); auto: where that pays",
      "auto, true, false"}},
    {PluginContents::Option,
     "product-agent",
     {PluginOption::Choice, "auto",
      "whether a specialised warp issues the MMAs in tensor memory; auto: where a loop repeats them",
      "auto, true, false"}},
    {PluginContents::Option,
     "cta-pairs",
     {PluginOption::Choice, "auto",
      "whether one MMA in tensor memory computes for two CTAs of a cluster; auto: where it can", "auto, false"}},
    {PluginContents::Option,
     "unspecialized-pipeline-num-stages",
     {PluginOption::Integer, "4",
      "stages of an unspecialised software pipeline whose loads have no 'latency' hint; 1: no pipelines", "1..64"}},
    {PluginContents::Option,
     "deepen-pipelines",
     {PluginOption::Bool, "true",
      "up to twice as many stages for operands of MMAs where shared memory would be unused"}},
    {PluginContents::Option,
     "relax-maxima",
     {PluginOption::Integer, "8",
      "powers of two by which exponentials may exceed 1 before a softmax rescales its accumulators in tensor memory; "
      "0: none",
      "0..15"}},
    {PluginContents::Option,
     "split-exponentials",
     {PluginOption::Choice, "false",
      "whether multiplications compute a quarter of a loop's exponentials; auto: where the unit for them is the bound",
      "auto, true, false"}},
    {PluginContents::Option,
     "queue-all-products",
     {PluginOption::Bool, "false", "pipeline loads of MMAs even where that gains nothing; for tests"}},
    {PluginContents::Option,
     "queue-all-loads",
     {PluginOption::Bool, "false", "pipeline loads that feed no MMA even where that gains nothing; for tests"}},
    {PluginContents::Option,
     "prefetch-all-loads",
     {PluginOption::Bool, "false", "load to registers ahead even where that gains nothing; for tests"}},
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
     {PluginOption::String, "", "where schedules go as a trace for Perfetto", "", "scheduler.schedule-trace-file"}},
    {PluginContents::Remarks, "async", {}, async::kRemarks},
};

TILEIRAS_PLUGIN("async", "0.1.0", "passes, scheduler", "experimental", contents, activate)
