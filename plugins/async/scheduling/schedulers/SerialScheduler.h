//===- SerialScheduler.h - One operation after the other -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SERIALSCHEDULER_H
#define TILEIRAS_PLUGINS_ASYNC_SERIALSCHEDULER_H

#include "tileiras/Schedule/Scheduler.h"

namespace tileiras::async {

/// Takes ready operations in program order (Kahn's algorithm) and starts each when the one before it has finished: one
/// stage, no overlap, possible whenever the numbers fit. The reference that every other scheduler must beat. Of its
/// options it knows enable-random-delay; it has nothing to search, quantise or trace.
class SerialScheduler : public Scheduler {
public:
  llvm::StringRef getName() const override { return "serial"; }
  llvm::Expected<Schedule> schedule(const ScheduleProblem &problem, const SchedulerOptions &options) override;
};

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SERIALSCHEDULER_H
