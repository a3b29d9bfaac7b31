//===- Scheduler.h - The interface of a scheduler ------------------ -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_SCHEDULER_H
#define TILEIRAS_SCHEDULE_SCHEDULER_H

#include "tileiras/Schedule/Schedule.h"
#include <functional>

namespace tileiras {

/// What a profile tells the scheduler.
struct SchedulerOptions {
  uint32_t maxConstraintIterations = 10; ///< attempts at one initiation interval
  uint32_t rrtSizeThreshold = 4096;      ///< reservation-table size above which time is quantised; 0: light mode
  bool enableRandomDelay = false;        ///< delays no dependence asks for, to stress synchronisation
  std::string traceFile;                 ///< where to write what was considered; empty: nowhere
  uint32_t timeLimit = 10000;            ///< milliseconds, for schedulers that search long; then their best answer
  const Schedule *start = nullptr;       ///< a right schedule, where getStartingScheduler() has made one
  std::function<void(llvm::StringRef)> progress = {}; ///< one line about a search that takes long; may be empty
};

/// Makes schedules. Plugins register implementations by name; a profile chooses one with `scheduler.name`.
/// Deterministic: the same problem and options give the same schedule.
class Scheduler {
public:
  virtual ~Scheduler();

  virtual llvm::StringRef getName() const = 0;
  /// The scheduler whose answer this one starts from, where it is loaded; empty: none.
  virtual llvm::StringRef getStartingScheduler() const { return ""; }

  /// A schedule of `problem`, which has passed check(), or an error that says why there is none. The caller verifies
  /// the result. An exception becomes an error.
  virtual llvm::Expected<Schedule> schedule(const ScheduleProblem &problem, const SchedulerOptions &options) = 0;
};

/// The schedulers that there are, by name; null: none of that name.
using FindScheduler = std::function<std::unique_ptr<Scheduler>(llvm::StringRef)>;

/// A scheduler has returned what breaks a rule of the problem.
class WrongSchedule : public llvm::ErrorInfo<WrongSchedule, llvm::StringError> {
public:
  static char ID;
  using ErrorInfo::ErrorInfo;
};

/// Asks `scheduler` and verifies what it returns: the only way the compiler schedules. A schedule that is no good
/// becomes a WrongSchedule, whatever else went wrong another error.
llvm::Expected<Schedule> runScheduler(Scheduler &scheduler, const ScheduleProblem &problem,
                                      const SchedulerOptions &options = {}, const FindScheduler &find = {});

} // namespace tileiras

#endif // TILEIRAS_SCHEDULE_SCHEDULER_H
