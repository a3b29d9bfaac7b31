//===- Scheduler.h - The interface of a scheduler ------------------ -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_SCHEDULER_H
#define TILEIRAS_SCHEDULE_SCHEDULER_H

#include "tileiras/Schedule/Schedule.h"

namespace tileiras {

/// Makes schedules. Plugins register implementations by name; a profile chooses one with `scheduler.name`.
/// Deterministic: the same problem gives the same schedule.
class Scheduler {
public:
  virtual ~Scheduler();

  virtual llvm::StringRef getName() const = 0;

  /// A schedule of `problem`, which has passed check(), or an error that says why there is none. The caller verifies
  /// the result.
  virtual llvm::Expected<Schedule> schedule(const ScheduleProblem &problem) = 0;
};

/// Asks `scheduler` and verifies what it returns: the only way the compiler schedules.
llvm::Expected<Schedule> runScheduler(Scheduler &scheduler, const ScheduleProblem &problem);

} // namespace tileiras

#endif // TILEIRAS_SCHEDULE_SCHEDULER_H
