//===- Passes.td - The async plugin's passes ----------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_PASSES
#define TILEIRAS_PLUGINS_ASYNC_PASSES

include "mlir/Pass/PassBase.td"

def TileASGenerateSchedule : InterfacePass<"tileas-generate-schedule", "mlir::FunctionOpInterface"> {
  let summary = "Schedule the loops of a function and publish ScheduleAnalysis";
  let description = [{
    Analysis only: builds the scheduling problem of every `scf.for` on the target's machine model, asks the scheduler, has
    the core verify the answer, and publishes all schedules as `ScheduleAnalysis`. The IR does not change. Each loop is
    reported as a remark of the category `schedule`: initiation interval, its lower bounds, stages.

    The passes between this one and the consumer of the schedule must preserve `ScheduleAnalysis`.
  }];
  let options = [
    Option<"scheduler", "scheduler", "std::string", "\"serial\"", "Which scheduler to ask">,
    Option<"gpuName", "gpu-name", "std::string", "\"\"",
           "Whose machine model to schedule for; taken from the module when empty">,
    Option<"maxConstraintIterations", "max-constraint-iterations", "uint32_t", "10",
           "Attempts of the scheduler at one initiation interval">,
    Option<"rrtSizeThreshold", "rrt-size-threshold", "uint32_t", "4096",
           "Reservation-table size above which the scheduler quantises time; 0: light mode">,
    Option<"enableRandomDelay", "enable-random-delay", "bool", "false",
           "Delays that no dependence asks for, to stress synchronisation">,
    Option<"scheduleTraceFile", "schedule-trace-file", "std::string", "\"\"",
           "Where the scheduler writes what it considered">,
  ];
}

def TileASVerifySchedule : InterfacePass<"tileas-verify-schedule", "mlir::FunctionOpInterface"> {
  let summary = "Check that the published schedule survived and still holds";
  let description = [{
    Fails when `ScheduleAnalysis` is gone, or when a loop of the function differs from the one that was scheduled.
  }];
}

#endif // TILEIRAS_PLUGINS_ASYNC_PASSES
