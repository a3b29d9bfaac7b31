//===- Schedule.cpp - What a scheduler answers ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/Schedule.h"
#include "tileiras/Schedule/Scheduler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tileiras;

Scheduler::~Scheduler() = default;

template <typename... Args>
static llvm::Error scheduleError(const char *format, Args &&...args) {
  return llvm::createStringError(llvm::formatv(format, std::forward<Args>(args)...).str());
}

uint32_t Schedule::getNumStages() const {
  uint32_t stages = 1;
  for (unsigned i = 0; i < starts.size(); ++i)
    stages = std::max(stages, getStage(i) + 1);
  return stages;
}

std::vector<uint32_t> Schedule::getOrder() const {
  std::vector<unsigned> byTime(starts.size());
  for (unsigned i = 0; i < byTime.size(); ++i)
    byTime[i] = i;
  llvm::stable_sort(byTime, [&](unsigned a, unsigned b) { return starts[a] < starts[b]; });
  std::vector<uint32_t> order(starts.size()), seen(getNumStages());
  for (unsigned operation : byTime)
    order[operation] = seen[getStage(operation)]++;
  return order;
}

static llvm::Error verifyDependences(const Schedule &schedule, const ScheduleProblem &problem) {
  for (const ScheduleDependence &edge : problem.dependences) {
    int64_t ready =
        int64_t(schedule.starts[edge.source]) + edge.latency - int64_t(schedule.initiationInterval) * edge.distance;
    if (int64_t(schedule.starts[edge.target]) < ready)
      return scheduleError("operation '{0}' starts in cycle {1}, before its operand from '{2}' is ready in cycle {3} "
                           "(iteration distance {4})",
                           problem.operations[edge.target].name, schedule.starts[edge.target],
                           problem.operations[edge.source].name, ready, edge.distance);
  }
  return llvm::Error::success();
}

/// Counts each unit's users in every cycle modulo II. A use longer than II overlaps itself and counts more than once.
static llvm::Error verifyResources(const Schedule &schedule, const ScheduleProblem &problem) {
  uint32_t ii = schedule.initiationInterval;
  std::vector<std::vector<uint32_t>> table(problem.units.size(), std::vector<uint32_t>(ii));
  for (auto [operation, start] : llvm::zip_equal(problem.operations, schedule.starts))
    for (const ResourceUse &use : operation.uses)
      for (uint64_t cycle = 0; cycle < use.duration; ++cycle) {
        uint64_t row = (start + use.offset + cycle) % ii;
        if (++table[use.unit][row] > problem.units[use.unit].capacity)
          return scheduleError("unit '{0}' is over its capacity of {1} in cycle {2} of {3}, with operation '{4}'",
                               problem.units[use.unit].name, problem.units[use.unit].capacity, row, ii, operation.name);
      }
  return llvm::Error::success();
}

llvm::Error Schedule::verify(const ScheduleProblem &problem) const {
  if (starts.size() != problem.operations.size())
    return scheduleError("the schedule has {0} operations, the problem {1}", starts.size(), problem.operations.size());
  if (initiationInterval == 0)
    return scheduleError("the initiation interval is 0");
  if (llvm::Error error = verifyDependences(*this, problem))
    return error;
  return verifyResources(*this, problem);
}

llvm::Expected<Schedule> tileiras::runScheduler(Scheduler &scheduler, const ScheduleProblem &problem) {
  if (llvm::Error error = problem.check())
    return error;
  llvm::Expected<Schedule> schedule = scheduler.schedule(problem);
  if (!schedule)
    return schedule.takeError();
  if (llvm::Error error = schedule->verify(problem))
    return scheduleError("scheduler '{0}' returned a wrong schedule: {1}", scheduler.getName(),
                         llvm::toString(std::move(error)));
  return schedule;
}
