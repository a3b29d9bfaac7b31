//===- SerialScheduler.cpp - One operation after the other ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SerialScheduler.h"
#include "llvm/Support/MathExtras.h"
#include <queue>

using namespace tileiras;
using namespace tileiras::async;

/// Operations in dependence order, program order among those that are ready.
static std::vector<unsigned> sortByDependence(const ScheduleProblem &problem) {
  std::vector<unsigned> pending(problem.operations.size());
  std::vector<llvm::SmallVector<unsigned, 4>> successors(problem.operations.size());
  for (const ScheduleDependence &edge : problem.dependences)
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
static uint32_t getDuration(const ScheduleOperation &operation) {
  uint32_t duration = std::max(operation.latency, 1u);
  for (const ResourceUse &use : operation.uses)
    duration = std::max(duration, use.offset + use.duration);
  return duration;
}

/// An operation that needs a unit more often than it exists cannot start all its uses at once; no schedule helps.
static llvm::Error checkFootprint(const ScheduleProblem &problem, const ScheduleOperation &operation) {
  Schedule alone;
  ScheduleProblem single;
  single.units = problem.units;
  single.operations = {operation};
  alone.initiationInterval = getDuration(operation);
  alone.starts = {0};
  return alone.verify(single);
}

llvm::Expected<Schedule> SerialScheduler::schedule(const ScheduleProblem &problem) {
  Schedule result;
  result.starts.resize(problem.operations.size());
  std::vector<llvm::SmallVector<const ScheduleDependence *, 4>> outgoing(problem.operations.size());
  for (const ScheduleDependence &edge : problem.dependences)
    if (edge.distance == 0)
      outgoing[edge.source].push_back(&edge);

  uint32_t now = 0;
  for (unsigned operation : sortByDependence(problem)) {
    if (llvm::Error error = checkFootprint(problem, problem.operations[operation]))
      return error;
    // An edge may ask for more than its source's duration.
    uint32_t start = std::max(now, result.starts[operation]);
    result.starts[operation] = start;
    now = start + getDuration(problem.operations[operation]);
    for (const ScheduleDependence *edge : outgoing[operation])
      result.starts[edge->target] = std::max(result.starts[edge->target], start + edge->latency);
  }
  // Everything is over within the interval; a carried dependence with an own latency may ask for more.
  result.initiationInterval = std::max(now, 1u);
  for (const ScheduleDependence &edge : problem.dependences)
    if (uint32_t ready = result.starts[edge.source] + edge.latency; edge.distance && ready > result.starts[edge.target])
      result.initiationInterval = std::max(
          result.initiationInterval, uint32_t(llvm::divideCeil(ready - result.starts[edge.target], edge.distance)));
  return result;
}
