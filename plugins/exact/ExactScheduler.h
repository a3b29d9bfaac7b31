//===- ExactScheduler.h - The smallest interval, proven ------ -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_EXACT_EXACTSCHEDULER_H
#define TILEIRAS_PLUGINS_EXACT_EXACTSCHEDULER_H

#include "tileiras/Schedule/Scheduler.h"

namespace tileiras::exact {

/// Proves by a solver (z3) that no smaller initiation interval is possible, then looks for the shortest lives of
/// values, or, where no operation says registers, for the fewest stages. After the time limit: the best so far,
/// unproven.
class ExactScheduler : public Scheduler {
public:
  llvm::StringRef getName() const override { return "exact"; }
  llvm::StringRef getStartingScheduler() const override { return "cost-based"; }
  llvm::Expected<Schedule> schedule(const ScheduleProblem &problem, const SchedulerOptions &options) override;
};

} // namespace tileiras::exact

#endif // TILEIRAS_PLUGINS_EXACT_EXACTSCHEDULER_H
