//===- Passes.td - Passes of asynchronous scheduling -------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SCHEDULING_PASSES
#define TILEIRAS_PLUGINS_ASYNC_SCHEDULING_PASSES

include "mlir/Pass/PassBase.td"

def TileASGenerateSchedule : InterfacePass<"tileas-generate-schedule", "mlir::FunctionOpInterface"> {
  let summary = "Schedule the loops of a function and publish ScheduleAnalysis";
  let description = [{
    Analysis only: builds the scheduling problem of every `scf.for` on the target's machine model, asks the scheduler, has
    the core verify the answer, and publishes all schedules as `ScheduleAnalysis`. The IR does not change. Each loop is
    reported as a remark of the category `schedule`: strategy, initiation interval, its lower bounds, stages, and the
    unit or the recurrence that bounds it.

    A loop without asynchronous work (copies, MMAs of tensor cores, pipelines) is scheduled serially where `fast` or
    `cost-based` is to schedule it. So is, whatever the scheduler, one with the attribute
    `tileas.schedule.constraint.force_serial_execution` and one of fewer than `serial-threshold` operations.

    The passes between this one and the consumer of the schedule must preserve `ScheduleAnalysis`.
  }];
  let options = [
    Option<"scheduler", "scheduler", "std::string", "\"\"",
           "Which scheduler to ask; empty: cost-based for loops with asynchronous work on a GPU with TMA, else serial; "
           "synchronous: no one (strategy NONE), loops load and compute iteration by iteration">,
    Option<"gpuName", "gpu-name", "std::string", "\"\"",
           "Whose machine model to schedule for; taken from the module when empty">,
    Option<"maxConstraintIterations", "max-constraint-iterations", "uint32_t", "10",
           "Attempts of the scheduler at one initiation interval">,
    Option<"rrtSizeThreshold", "rrt-size-threshold", "uint32_t", "4096",
           "Reservation-table size above which the scheduler quantises time; 0: light mode">,
    Option<"enableRandomDelay", "enable-random-delay", "bool", "false",
           "Delays that no dependence asks for, to stress synchronisation">,
    Option<"perturbMachineModel", "perturb-machine-model", "uint32_t", "0",
           "If not 0, a seed: every figure of the machine model is twice or half of what it is, to test that nothing but "
           "speed depends on them">,
    Option<"scheduleTraceFile", "schedule-trace-file", "std::string", "\"\"",
           "Where the schedules go as a trace for Perfetto; with several functions, FILE-FUNCTION">,
    Option<"scheduleSvg", "schedule-svg", "std::string", "\"\"",
           "Where pictures of the schedules go; with several functions, FILE-FUNCTION">,
    Option<"dumpScheduleProblems", "dump-schedule-problems", "std::string", "\"\"",
           "Folder for the scheduling problems, one file for each loop, as tileiras-schedule reads them">,
    Option<"withAgents", "with-agents", "bool", "false",
           "Loops are to run in a compute agent: schedules have the registers of its threads">,
    Option<"serialThreshold", "serial-threshold", "uint32_t", "0", "Loops of fewer operations are scheduled serially">,
  ];
}

def TileASVerifySchedule : InterfacePass<"tileas-verify-schedule", "mlir::FunctionOpInterface"> {
  let summary = "Check that the published schedule survived and still holds";
  let description = [{
    Fails when `ScheduleAnalysis` is gone, or when a loop of the function differs from the one that was scheduled.
  }];
}

def TileASPrepareForScheduling : InterfacePass<"tileas-prepare-for-scheduling", "mlir::FunctionOpInterface"> {
  let summary = "Take consumers of loops apart, so that a schedule sees their steps";
  let description = [{
    In a loop where something waits for an MMA of the same iteration, consumers become single operations: the wait for
    the stage, the MMAs that read it, the wait for these, and the release of the stage. Loops whose MMAs only
    add to a loop-carried accumulator stay as they are, and so do loops with a consumer that does anything else, with a remark.

    ```mlir
    %s, %next = nv_tileas.async.pipeline.consume_one %pipe[%i] : … { … }
    // becomes
    %ready = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : …
    %p, %t, %done = nv_tileas.async.pipeline.consumer_read %ready[%i] : … { … }
    %s = nv_tileas.async.future_wait %t, %p : …
    nv_tileas.async.pipeline.consumer_release %done : …
    %next = nv_tileas.async.pipeline.inc_iter %i : …
    ```

    Of the six stages that the reference compiler has in the pass of this name, this is the fourth, `runCanonicalizer`, as far as it takes
    operations apart that hold several. The others have homes of their own:

    | stage | here |
    |---|---|
    | decomposeTiledLoadStoreView | folds of `view` and of slices (dialect); tiles of several boxes: `lower-tma-load-store-to-async` |
    | refineVecSizeOfAtoms | `tileas-assign-load-store-layouts` scores vectors by what the chip loads; the lowering takes the widest that is proven aligned |
    | sliceAndFuse | `tileas-slicing` |
    | compactMemLayout | `tileas-assign-buffers` and `tileas-allocate-memory`: what is not in use at once shares memory |
    | refreshBoxDim | the box is part of the type of a map; the verifiers of tensor copies compare it with the tile |
  }];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

#endif // TILEIRAS_PLUGINS_ASYNC_SCHEDULING_PASSES
