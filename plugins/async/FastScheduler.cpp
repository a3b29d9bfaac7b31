//===- FastScheduler.cpp - The first schedule that fits -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FastScheduler.h"
#include "SerialScheduler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras;
using namespace tileiras::async;

namespace {

/// Which operations keep the units busy, in cycles modulo the interval.
class ReservationTable {
public:
  ReservationTable(const ScheduleProblem &problem, int64_t interval)
      : problem(problem), interval(interval), users(problem.units.size()) {}

  /// How many cycles later than `start` the operation may fit; 0: it fits.
  int64_t getDelay(unsigned operation, int64_t start) const {
    int64_t delay = 0;
    for (const ResourceUse &use : problem.operations[operation].uses) {
      int64_t earliest = interval;
      unsigned conflicts = 0;
      for (const Use &other : users[use.unit])
        if (int64_t until = getOverlap(other, start + use.offset, use.duration)) {
          ++conflicts;
          earliest = std::min(earliest, until);
        }
      if (conflicts >= problem.units[use.unit].capacity)
        delay = std::max(delay, earliest);
    }
    return delay;
  }

  /// No unit can do all that the operation asks of it in one interval.
  bool isTooLong(unsigned operation) const {
    std::vector<uint64_t> busy(problem.units.size());
    for (const ResourceUse &use : problem.operations[operation].uses)
      busy[use.unit] += use.duration;
    for (auto [unit, cycles] : llvm::zip_equal(problem.units, busy))
      if (cycles > uint64_t(interval) * unit.capacity)
        return true;
    return false;
  }

  llvm::SmallVector<unsigned> getConflicts(unsigned operation, int64_t start) const {
    llvm::SmallVector<unsigned> conflicts;
    for (const ResourceUse &use : problem.operations[operation].uses)
      for (const Use &other : users[use.unit])
        if (getOverlap(other, start + use.offset, use.duration) && !llvm::is_contained(conflicts, other.operation))
          conflicts.push_back(other.operation);
    return conflicts;
  }

  void add(unsigned operation, int64_t start) {
    for (const ResourceUse &use : problem.operations[operation].uses)
      users[use.unit].push_back({(start + use.offset) % interval, use.duration, operation});
  }
  void remove(unsigned operation) {
    for (auto &uses : users)
      llvm::erase_if(uses, [&](const Use &use) { return use.operation == operation; });
  }

private:
  struct Use {
    int64_t row, duration;
    unsigned operation;
  };

  /// Cycles after `start` until `other` is over, or 0 where they do not meet.
  int64_t getOverlap(const Use &other, int64_t start, int64_t duration) const {
    const int64_t row = start % interval;
    const int64_t since = (row - other.row + interval) % interval; // cycles since `other` began
    if (since < other.duration)
      return other.duration - since;
    return interval - since < duration ? interval - since + other.duration : 0;
  }

  const ScheduleProblem &problem;
  int64_t interval;
  std::vector<llvm::SmallVector<Use, 8>> users;
};

/// One attempt at one interval.
class Attempt {
public:
  Attempt(const ScheduleProblem &problem, int64_t interval)
      : problem(problem), interval(interval), table(problem, interval), heights(problem.operations.size()),
        starts(problem.operations.size(), kNone), latest(problem.operations.size(), kNone),
        edges(problem.operations.size()) {
    for (const ScheduleDependence &edge : problem.dependences) {
      edges[edge.source].push_back(&edge);
      if (edge.target != edge.source)
        edges[edge.target].push_back(&edge);
    }
  }

  bool run() {
    for (unsigned i = 0; i < starts.size(); ++i)
      if (table.isTooLong(i))
        return false;
    computeHeights();
    constexpr unsigned attemptsPerOperation = 12;
    for (size_t budget = attemptsPerOperation * starts.size(); budget; --budget) {
      std::optional<unsigned> next = findNext();
      if (!next)
        return true;
      if (!place(*next))
        return false;
    }
    return !findNext();
  }

  const std::vector<int64_t> &getStarts() const { return starts; }

private:
  static constexpr int64_t kNone = -1;

  int64_t getDistance(const ScheduleDependence &edge) const {
    return int64_t(edge.latency) - interval * int64_t(edge.distance);
  }

  /// The longest way from each operation to the end of the iteration.
  void computeHeights() {
    bool changed = true;
    for (size_t round = 0; changed && round <= heights.size(); ++round) {
      changed = false;
      for (const ScheduleDependence &edge : problem.dependences)
        if (int64_t height = heights[edge.target] + getDistance(edge); height > heights[edge.source]) {
          heights[edge.source] = height;
          changed = true;
        }
    }
  }

  std::optional<unsigned> findNext() const {
    std::optional<unsigned> next;
    for (unsigned i = 0; i < starts.size(); ++i)
      if (starts[i] == kNone && (!next || heights[i] > heights[*next]))
        next = i;
    return next;
  }

  int64_t getEarliest(unsigned operation) const {
    int64_t earliest = 0;
    for (const ScheduleDependence *edge : edges[operation])
      if (edge->target == operation && edge->source != operation && starts[edge->source] != kNone)
        earliest = std::max(earliest, starts[edge->source] + getDistance(*edge));
    return earliest;
  }

  /// Fails where the operation depends on itself for longer than the interval.
  bool place(unsigned operation) {
    for (const ScheduleDependence *edge : edges[operation])
      if (edge->source == edge->target && getDistance(*edge) > 0)
        return false;
    const int64_t earliest = getEarliest(operation);
    int64_t start = earliest;
    while (start < earliest + interval) {
      const int64_t delay = table.getDelay(operation, start);
      if (delay == 0)
        break;
      start += delay;
    }
    if (start >= earliest + interval) {
      start = latest[operation] == kNone ? earliest : std::max(earliest, latest[operation] + 1);
      for (unsigned other : table.getConflicts(operation, start))
        evict(other);
    }
    starts[operation] = latest[operation] = start;
    table.add(operation, start);
    for (const ScheduleDependence *edge : edges[operation])
      if (edge->source == operation && edge->target != operation && starts[edge->target] != kNone &&
          start + getDistance(*edge) > starts[edge->target])
        evict(edge->target);
    return start < int64_t(UINT32_MAX);
  }

  void evict(unsigned operation) {
    table.remove(operation);
    starts[operation] = kNone;
  }

  const ScheduleProblem &problem;
  int64_t interval;
  ReservationTable table;
  std::vector<int64_t> heights, starts, latest;
  std::vector<llvm::SmallVector<const ScheduleDependence *, 4>> edges;
};

/// The problem in units of `quantum` cycles, rounded such that its schedules are schedules of the original.
ScheduleProblem quantise(const ScheduleProblem &problem, uint32_t quantum) {
  ScheduleProblem result = problem;
  for (ScheduleOperation &operation : result.operations)
    for (ResourceUse &use : operation.uses) {
      const uint64_t end = uint64_t(use.offset) + use.duration;
      use.offset /= quantum;
      use.duration = llvm::divideCeil(end, uint64_t(quantum)) - use.offset;
    }
  for (ScheduleDependence &edge : result.dependences)
    edge.latency = llvm::divideCeil(edge.latency, quantum);
  return result;
}

} // namespace

llvm::Expected<Schedule> FastScheduler::schedule(const ScheduleProblem &problem, const SchedulerOptions &options) {
  llvm::Expected<Schedule> serial = SerialScheduler().schedule(problem, options);
  if (!serial)
    return serial;
  const uint64_t cells = uint64_t(problem.getMinII()) * std::max<size_t>(problem.units.size(), 1);
  const uint64_t quantum = options.rrtSizeThreshold ? llvm::divideCeil(cells, uint64_t(options.rrtSizeThreshold)) : 1;
  if (quantum > UINT32_MAX / 2)
    return serial;
  const ScheduleProblem coarse = quantise(problem, quantum);
  constexpr int64_t fineness = 256; // of the steps in which the interval grows
  for (int64_t interval = coarse.getMinII(); uint64_t(interval) * quantum < serial->initiationInterval;
       interval += std::max<int64_t>(1, interval / fineness)) {
    Attempt attempt(coarse, interval);
    if (!attempt.run())
      continue;
    Schedule result;
    result.initiationInterval = interval * quantum;
    for (int64_t start : attempt.getStarts()) {
      if (uint64_t(start) * quantum > UINT32_MAX)
        return serial;
      result.starts.push_back(start * quantum);
    }
    if (llvm::Error error = result.verify(problem))
      llvm::consumeError(std::move(error)); // Uses of one operation that meet: a longer interval keeps them apart.
    else
      return result;
  }
  return serial;
}
