//===- CostVector.cpp - Which of two schedules is better -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>

using namespace tileiras;
using namespace tileiras::async;

uint64_t async::computePressure(const ScheduleProblem &problem, const DependenceGraph &graph,
                                const Schedule &schedule) {
  const int64_t interval = schedule.initiationInterval;
  std::map<int64_t, int64_t> changes; // of the registers alive, by row
  int64_t alive = 0;
  for (unsigned i = 0; i < graph.size(); ++i) {
    const int64_t registers = problem.operations[i].registers, start = schedule.starts[i];
    int64_t end = start;
    for (const DependenceGraph::Edge &edge : graph.getSuccessors(i))
      if (!edge.isOrder)
        end = std::max(end, int64_t(schedule.starts[edge.other]) + interval * edge.distance);
    if (registers == 0 || end == start)
      continue;
    alive += (end - start) / interval * registers;
    const int64_t row = start % interval, rest = row + (end - start) % interval;
    changes[row] += registers;
    changes[rest % interval] -= registers;
    if (rest >= interval)
      alive += registers;
  }
  int64_t most = alive;
  for (const auto &[row, change] : changes)
    most = std::max(most, alive += change);
  return most;
}

uint64_t async::computeSpillSurcharge(uint64_t pressure, uint64_t budget) {
  constexpr uint64_t perRegister = 17, largest = 4096;
  if (budget == 0 || pressure <= budget)
    return 0;
  return std::min((pressure - budget) * perRegister, largest);
}

/// Merge sort that counts how far elements move to the front.
static uint64_t countInversions(std::vector<uint32_t> &values, size_t begin, size_t end) {
  if (end - begin < 2)
    return 0;
  const size_t middle = std::midpoint(begin, end);
  uint64_t count = countInversions(values, begin, middle) + countInversions(values, middle, end);
  for (size_t left = begin, right = middle; right < end; ++right) {
    while (left < middle && values[left] <= values[right])
      ++left;
    count += middle - left;
  }
  std::inplace_merge(values.begin() + begin, values.begin() + middle, values.begin() + end);
  return count;
}

CostVector async::computeCost(const ScheduleProblem &problem, const DependenceGraph &graph, const Schedule &schedule) {
  CostVector cost;
  if (llvm::Error error = schedule.verify(problem)) {
    llvm::consumeError(std::move(error));
    cost.illegal = 1;
    return cost;
  }
  cost.reach = schedule.getNumStages();
  cost.pressure = computePressure(problem, graph, schedule);
  cost.pressure += computeSpillSurcharge(cost.pressure, problem.registersPerThread);
  std::vector<uint32_t> starts = schedule.starts;
  cost.inversions = countInversions(starts, 0, starts.size());
  return cost;
}
