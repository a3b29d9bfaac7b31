//===- FastScheduler.h - The first schedule that fits -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_FASTSCHEDULER_H
#define TILEIRAS_PLUGINS_ASYNC_FASTSCHEDULER_H

#include "tileiras/Schedule/Scheduler.h"

namespace tileiras::async {

/// B. R. Rau, "Iterative Modulo Scheduling" (1996): operations with much behind them first, each as early as possible;
/// one that finds no place takes it from others. The first initiation interval at which that ends is the answer.
/// Problems whose reservation table is larger than `rrt-size-threshold` are scheduled in quanta of several cycles.
/// Gives what the serial scheduler gives where nothing overlaps.
class FastScheduler : public Scheduler {
public:
  llvm::StringRef getName() const override { return "fast"; }
  llvm::Expected<Schedule> schedule(const ScheduleProblem &problem, const SchedulerOptions &options) override;
};

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_FASTSCHEDULER_H
