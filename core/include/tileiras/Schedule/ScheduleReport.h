//===- ScheduleReport.h - Schedules for people to look at ---- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_SCHEDULEREPORT_H
#define TILEIRAS_SCHEDULE_SCHEDULEREPORT_H

#include "tileiras/Schedule/Schedule.h"

namespace tileiras {

/// A schedule and what it is of. Refers to both.
struct NamedSchedule {
  std::string name; ///< "kernel, loop 0"
  std::string scheduler;
  const ScheduleProblem &problem;
  const Schedule &schedule;
};

/// The steady state as text: for each stretch of cycles of the interval in which nothing changes, the operations that
/// keep each unit busy; those of stage n > 0 with "-n" behind them: they belong to the nth iteration before.
void printReservationTable(const ScheduleProblem &problem, const Schedule &schedule, llvm::raw_ostream &os);

/// A picture of each schedule, as SVG: units down, cycles across, operations in the colours of their iterations, the
/// ends of intervals as lines.
void drawSchedules(llvm::ArrayRef<NamedSchedule> schedules, llvm::raw_ostream &os);

/// Traces for Perfetto and chrome://tracing, as JSON: a process for each schedule, a track for each unit; a cycle is a
/// microsecond. Each operation says its minimal latency, the actual one (until the first that needs its result starts),
/// its stage, and how it got its place. Dependences are flows.
void writeScheduleTrace(llvm::ArrayRef<NamedSchedule> schedules, llvm::raw_ostream &os);

} // namespace tileiras

#endif // TILEIRAS_SCHEDULE_SCHEDULEREPORT_H
