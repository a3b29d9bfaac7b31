//===- ModuloScheduler.h - Modulo schedulers ----------------- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_MODULOSCHEDULER_H
#define TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_MODULOSCHEDULER_H

#include "tileiras/Schedule/Scheduler.h"

namespace tileiras::async {

/// Looks for the smallest initiation interval at which operations find their places (B. R. Rau, "Iterative Modulo
/// Scheduling"), by four arms of which the first that succeeds counts, and refines the schedule: fewer stages, then
/// fewer registers. What no search finds, the serial schedule answers.
class CostBasedScheduler : public Scheduler {
public:
  llvm::StringRef getName() const override { return "cost-based"; }
  llvm::Expected<Schedule> schedule(const ScheduleProblem &problem, const SchedulerOptions &options) override;
};

/// The same driver, content with the first interval that works: from the bounds on in growing steps, without a search
/// that goes back and without refinement.
class FastScheduler : public Scheduler {
public:
  llvm::StringRef getName() const override { return "fast"; }
  llvm::Expected<Schedule> schedule(const ScheduleProblem &problem, const SchedulerOptions &options) override;
};

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_MODULOSCHEDULER_H
