//===- SerialScheduler.cpp - One operation after the other ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SerialScheduler.h"
#include "llvm/Support/MathExtras.h"
#include <queue>
#include <random>

using namespace tileiras;
using namespace tileiras::async;

/// Operations in dependence order, program order among those that are ready.
static std::vector<unsigned> sortByDependence(size_t numOperations, llvm::ArrayRef<ScheduleDependence> dependences) {
  std::vector<unsigned> pending(numOperations);
  std::vector<llvm::SmallVector<unsigned, 4>> successors(numOperations);
  for (const ScheduleDependence &edge : dependences)
    if (edge.distance == 0) {
      ++pending[edge.target];
      successors[edge.source].push_back(edge.target);
    }
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned i = 0; i < pending.size(); ++i)
    if (pending[i] == 0)
      ready.push(i);
  std::vector<unsigned> order;
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (unsigned next : successors[order.back()])
      if (--pending[next] == 0)
        ready.push(next);
  }
  return order;
}

/// Cycles until everything `operation` started is over.
static uint64_t getDuration(const ScheduleOperation &operation) {
  uint64_t duration = std::max(operation.latency, 1u);
  for (const ResourceUse &use : operation.uses)
    duration = std::max(duration, uint64_t(use.offset) + use.duration);
  return duration;
}

static llvm::Error makeTooLongError(uint64_t cycles) {
  return llvm::createStringError("one operation after the other takes " + llvm::Twine(cycles) +
                                 " cycles, more than a schedule can say");
}

/// An operation that needs a unit more often than it exists cannot start all its uses at once; no schedule helps.
static llvm::Error checkFootprint(const ScheduleProblem &problem, const ScheduleOperation &operation) {
  if (getDuration(operation) > UINT32_MAX)
    return makeTooLongError(getDuration(operation));
  Schedule alone;
  ScheduleProblem single;
  single.units = problem.units;
  single.operations = {operation};
  alone.initiationInterval = getDuration(operation);
  alone.starts = {0};
  return alone.verify(single);
}

/// Everything is over within the interval; a carried dependence with an own latency may ask for more.
static uint64_t getInterval(llvm::ArrayRef<ScheduleDependence> dependences, llvm::ArrayRef<uint64_t> starts,
                            uint64_t end) {
  uint64_t interval = std::max<uint64_t>(end, 1);
  for (const ScheduleDependence &edge : dependences)
    if (uint64_t ready = starts[edge.source] + edge.latency; edge.distance && ready > starts[edge.target])
      interval = std::max(interval, llvm::divideCeil(ready - starts[edge.target], uint64_t(edge.distance)));
  return interval;
}

llvm::Expected<Schedule> SerialScheduler::schedule(const ScheduleProblem &problem, const SchedulerOptions &options) {
  std::vector<uint64_t> starts(problem.operations.size());
  std::vector<llvm::SmallVector<const ScheduleDependence *, 4>> outgoing(problem.operations.size());
  const std::vector<ScheduleDependence> dependences = problem.getAllDependences();
  for (const ScheduleDependence &edge : dependences)
    if (edge.distance == 0)
      outgoing[edge.source].push_back(&edge);

  std::minstd_rand random; // The same in every run.
  constexpr unsigned longestDelay = 32;
  uint64_t now = 0;
  for (unsigned operation : sortByDependence(problem.operations.size(), dependences)) {
    if (llvm::Error error = checkFootprint(problem, problem.operations[operation]))
      return error;
    if (options.enableRandomDelay)
      now += random() % (longestDelay + 1);
    // An edge may ask for more than its source's duration.
    const uint64_t start = std::max(now, starts[operation]);
    starts[operation] = start;
    now = start + getDuration(problem.operations[operation]);
    for (const ScheduleDependence *edge : outgoing[operation])
      starts[edge->target] = std::max(starts[edge->target], start + edge->latency);
  }
  const uint64_t interval = getInterval(dependences, starts, now);
  if (interval > UINT32_MAX)
    return makeTooLongError(interval);
  Schedule result;
  result.initiationInterval = interval;
  result.starts.assign(starts.begin(), starts.end()); // None is later than the end.
  return result;
}
