//===- ScheduleReport.h - Schedules for people to look at ---- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_SCHEDULEREPORT_H
#define TILEIRAS_SCHEDULE_SCHEDULEREPORT_H

#include "tileiras/Schedule/Schedule.h"
#include "llvm/Support/JSON.h"
#include <functional>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tileiras {

/// A schedule and what it is of. Refers to both.
struct NamedSchedule {
  std::string name; ///< "kernel, loop 0"
  std::string scheduler;
  const ScheduleProblem &problem;
  const Schedule &schedule;
  std::string place = {}; ///< of the loop in the program: "kernel.mlir:27"; empty where it is not known
};

/// "kernel.mlir:27", the line of the program that `op` comes from, without folders; empty where that is not known.
std::string describePlace(mlir::Operation *op);

/// The steady state as text: for each stretch of cycles of the interval in which nothing changes, the operations that
/// keep each unit busy; those of stage n > 0 with "-n" behind them: they belong to the nth iteration before.
void printReservationTable(const ScheduleProblem &problem, const Schedule &schedule, llvm::raw_ostream &os);

/// A picture of each schedule, as SVG: a row for each unit that is used, with how busy it is in an interval; modelled
/// cycles across, on an axis; operations in the colours of their iterations, with their names where these fit, and with
/// their lines of the program when the pointer rests on them; a line where an iteration begins. A legend says so.
void drawSchedules(llvm::ArrayRef<NamedSchedule> schedules, llvm::raw_ostream &os);

/// Traces for Perfetto and chrome://tracing, as JSON: a process for each schedule, a track for each unit; a cycle is a
/// microsecond. Each operation says its minimal latency, the actual one (until the first that needs its result starts),
/// its stage, and how it got its place. Dependences are flows.
void writeScheduleTrace(llvm::ArrayRef<NamedSchedule> schedules, llvm::raw_ostream &os);

/// All of a schedule and its problem, as a JSON object: units, operations with their places in the program,
/// dependences.
llvm::json::Value describeSchedule(const NamedSchedule &schedule);

/// Who wants to see the schedules of a function when they are made. Replaces the one before; null: nobody.
using ScheduleListener = std::function<void(mlir::Operation *function, llvm::ArrayRef<NamedSchedule>)>;
void setScheduleListener(mlir::MLIRContext &context, ScheduleListener listener);
/// For passes that make schedules: tells the context's listener.
void tellSchedules(mlir::Operation *function, llvm::ArrayRef<NamedSchedule> schedules);

} // namespace tileiras

#endif // TILEIRAS_SCHEDULE_SCHEDULEREPORT_H
