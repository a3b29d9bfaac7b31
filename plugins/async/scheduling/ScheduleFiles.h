//===- ScheduleFiles.h - What schedule generation writes down  -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULEFILES_H
#define TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULEFILES_H

#include "tileiras/Schedule/ScheduleAnalysis.h"

namespace tileiras::async {

/// Files that are wanted; empty names: not wanted. Where a module has several functions each has its own trace and
/// picture, with the function's name before the suffix.
struct ScheduleFiles {
  std::string trace, svg;
  std::string problemFolder; ///< gets FUNCTION-N.txt for the Nth loop
};

/// Failure: something cannot be written; reported on the function.
llvm::LogicalResult writeReports(mlir::Operation *function,
                                 const llvm::MapVector<mlir::Operation *, LoopSchedule> &schedules,
                                 const ScheduleFiles &files);

/// ", bound by unit 'mma'", or by a recurrence, with the operations and their source lines.
std::string describeBottleneck(const ScheduleProblem &problem);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULEFILES_H
