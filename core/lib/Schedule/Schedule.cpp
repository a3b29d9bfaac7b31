//===- Schedule.cpp - What a scheduler answers ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/Schedule.h"
#include "IterationOrder.h"
#include "tileiras/Schedule/Scheduler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <exception>
#include <map>
#include <queue>

using namespace tileiras;

Scheduler::~Scheduler() = default;

template <typename... Args>
static llvm::Error scheduleError(const char *format, Args &&...args) {
  return llvm::createStringError(llvm::formatv(format, std::forward<Args>(args)...).str());
}

uint64_t Schedule::getNumStages() const {
  uint64_t stages = 1;
  for (unsigned i = 0; i < starts.size(); ++i)
    stages = std::max<uint64_t>(stages, uint64_t(getStage(i)) + 1);
  return stages;
}

std::vector<uint32_t> Schedule::getOrder(const ScheduleProblem &problem) const {
  const std::vector<ScheduleDependence> edges = problem.getAllDependences();
  const auto bySource = groupBySource(edges, starts.size());
  std::vector<unsigned> pending(starts.size());
  for (const ScheduleDependence &edge : edges)
    pending[edge.target] += edge.distance == 0;
  // No operation starts before one that it waits for: taken by start cycle, those that are ready come by it.
  using Key = std::pair<uint32_t, unsigned>;
  std::priority_queue<Key, std::vector<Key>, std::greater<>> ready;
  for (unsigned i = 0; i < starts.size(); ++i)
    if (pending[i] == 0)
      ready.push({starts[i], i});
  std::vector<uint32_t> order(starts.size());
  std::map<uint32_t, uint32_t> numInStage;
  while (!ready.empty()) {
    const unsigned operation = ready.top().second;
    ready.pop();
    order[operation] = numInStage[getStage(operation)]++;
    for (unsigned edge : bySource[operation])
      if (edges[edge].distance == 0 && --pending[edges[edge].target] == 0)
        ready.push({starts[edges[edge].target], edges[edge].target});
  }
  return order;
}

static llvm::Error verifyDependences(const Schedule &schedule, const ScheduleProblem &problem) {
  for (const ScheduleDependence &edge : problem.getAllDependences()) {
    // Both factors may have 32 bits: what the distance makes up for is compared, not subtracted.
    const uint64_t earlier = uint64_t(schedule.initiationInterval) * edge.distance;
    const uint64_t ready = uint64_t(schedule.starts[edge.source]) + edge.latency;
    const uint64_t start = schedule.starts[edge.target];
    if (ready > earlier && start < ready - earlier)
      return scheduleError("operation '{0}' starts in cycle {1}, before its operand from '{2}' is ready in cycle {3} "
                           "(iteration distance {4})",
                           problem.operations[edge.target].name, start, problem.operations[edge.source].name,
                           ready - earlier, edge.distance);
  }
  return llvm::Error::success();
}

static llvm::Error verifyDepths(const Schedule &schedule, const ScheduleProblem &problem) {
  for (auto [index, operation] : llvm::enumerate(problem.operations))
    if (operation.constraints.maxDepth && schedule.getStage(index) > *operation.constraints.maxDepth)
      return scheduleError("operation '{0}' has depth {1}, more than its max_depth of {2}", operation.name,
                           schedule.getStage(index), *operation.constraints.maxDepth);
  return llvm::Error::success();
}

namespace {

/// Who uses one unit when, modulo II. Time and memory depend on the number of uses only, whatever the numbers.
class UnitUsage {
public:
  UnitUsage(uint64_t interval) : interval(interval) {}

  /// Busy from `start` on. What is longer than the interval overlaps itself: it is there in every cycle, maybe several
  /// times, and for the rest of its duration once more.
  void add(unsigned operation, uint64_t start, uint64_t duration) {
    if (uint64_t rounds = duration / interval) {
      always += rounds;
      changes.push_back({0, 0, operation});
    }
    const uint64_t row = start % interval, rest = duration % interval;
    if (rest == 0)
      return;
    const uint64_t end = std::min(row + rest, interval);
    addChanges(operation, row, end);
    if (row + rest > interval)
      addChanges(operation, 0, row + rest - interval);
  }

  struct Conflict {
    uint64_t row;
    unsigned operation;
  };
  /// The first cycle with more users than `capacity`, and the last to come in it.
  std::optional<Conflict> findConflict(uint64_t capacity) {
    // Leaving before coming: the end of a use is free again.
    llvm::stable_sort(changes, [](const Change &lhs, const Change &rhs) {
      return std::pair(lhs.row, lhs.users) < std::pair(rhs.row, rhs.users);
    });
    int64_t users = always;
    for (const Change &change : changes) {
      users += change.users;
      if (change.users >= 0 && uint64_t(users) > capacity)
        return Conflict{change.row, change.operation};
    }
    return std::nullopt;
  }

private:
  struct Change {
    uint64_t row;
    int users; ///< 0: of one that is always there
    unsigned operation;
  };

  void addChanges(unsigned operation, uint64_t begin, uint64_t end) {
    changes.push_back({begin, 1, operation});
    changes.push_back({end, -1, operation});
  }

  uint64_t interval, always = 0;
  std::vector<Change> changes;
};

} // namespace

static llvm::Error verifyResources(const Schedule &schedule, const ScheduleProblem &problem) {
  const uint32_t ii = schedule.initiationInterval;
  std::vector<UnitUsage> usages(problem.units.size(), UnitUsage(ii));
  for (auto [index, operation] : llvm::enumerate(problem.operations))
    for (const ResourceUse &use : operation.uses)
      usages[use.unit].add(index, uint64_t(schedule.starts[index]) + use.offset, use.duration);
  for (auto [unit, usage] : llvm::zip_equal(problem.units, usages))
    if (auto conflict = usage.findConflict(unit.capacity))
      return scheduleError("unit '{0}' is over its capacity of {1} in cycle {2} of {3}, with operation '{4}'",
                           unit.name, unit.capacity, conflict->row, ii, problem.operations[conflict->operation].name);
  return llvm::Error::success();
}

llvm::Error Schedule::verify(const ScheduleProblem &problem) const {
  if (starts.size() != problem.operations.size())
    return scheduleError("the schedule has {0} operations, the problem {1}", starts.size(), problem.operations.size());
  if (initiationInterval == 0)
    return scheduleError("the initiation interval is 0");
  if (llvm::Error error = verifyDependences(*this, problem))
    return error;
  if (llvm::Error error = verifyDepths(*this, problem))
    return error;
  return verifyResources(*this, problem);
}

char WrongSchedule::ID = 0;

/// A scheduler is somebody else's code: what it throws must not end the process.
static llvm::Expected<Schedule> ask(Scheduler &scheduler, const ScheduleProblem &problem,
                                    const SchedulerOptions &options) {
  try {
    return scheduler.schedule(problem, options);
  } catch (const std::exception &exception) {
    return scheduleError("scheduler '{0}' threw an exception: {1}", scheduler.getName(), exception.what());
  } catch (...) {
    return scheduleError("scheduler '{0}' threw an exception", scheduler.getName());
  }
}

llvm::Expected<Schedule> tileiras::runScheduler(Scheduler &scheduler, const ScheduleProblem &problem,
                                                const SchedulerOptions &options, const FindScheduler &find) {
  if (llvm::Error error = problem.check())
    return error;
  SchedulerOptions started = options;
  llvm::Expected<Schedule> start = Schedule();
  if (llvm::StringRef first = scheduler.getStartingScheduler(); find && !first.empty())
    if (std::unique_ptr<Scheduler> starter = find(first)) {
      start = runScheduler(*starter, problem, options);
      if (!start)
        return start;
      started.start = &*start;
    }
  llvm::Expected<Schedule> schedule = ask(scheduler, problem, started);
  if (!schedule)
    return schedule.takeError();
  if (llvm::Error error = schedule->verify(problem))
    return llvm::make_error<WrongSchedule>(llvm::formatv("scheduler '{0}' returned a wrong schedule: {1}",
                                                         scheduler.getName(), llvm::toString(std::move(error)))
                                               .str(),
                                           llvm::inconvertibleErrorCode());
  return schedule;
}
