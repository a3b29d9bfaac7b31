//===- Bounds.cpp - Below which no initiation interval can be --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/Problem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras;

/// Cycles in which each unit is busy for one iteration, over its capacity.
static std::vector<uint64_t> getUnitBounds(const ScheduleProblem &problem) {
  std::vector<uint64_t> bounds(problem.units.size());
  for (const ScheduleOperation &operation : problem.operations)
    for (const ResourceUse &use : operation.uses)
      bounds[use.unit] += use.duration;
  for (auto [unit, bound] : llvm::zip_equal(problem.units, bounds))
    bound = llvm::divideCeil(bound, uint64_t(unit.capacity));
  return bounds;
}

std::optional<unsigned> ScheduleProblem::getCriticalUnit() const {
  std::vector<uint64_t> bounds = getUnitBounds(*this);
  auto largest = llvm::max_element(bounds);
  if (largest == bounds.end() || *largest == 0)
    return std::nullopt;
  return largest - bounds.begin();
}

uint32_t ScheduleProblem::getResMII() const {
  std::optional<unsigned> unit = getCriticalUnit();
  return unit ? std::min<uint64_t>(getUnitBounds(*this)[*unit], UINT32_MAX) : 1;
}

uint32_t ScheduleProblem::getFineMII() const {
  uint64_t bound = 1;
  for (const ScheduleOperation &operation : operations)
    for (const ResourceUse &use : operation.uses)
      bound = std::max(bound, llvm::divideCeil(uint64_t(use.duration), uint64_t(units[use.unit].capacity)));
  return std::min<uint64_t>(bound, UINT32_MAX);
}

uint32_t ScheduleProblem::getDepMII() const {
  uint64_t stages = 0;
  for (const ScheduleOperation &operation : operations) {
    if (!operation.constraints.maxDepth)
      return 1;
    stages = std::max(stages, uint64_t(*operation.constraints.maxDepth) + 1);
  }
  if (operations.empty())
    return 1;
  // Longest paths by rounds; check() has found that there are no cycles.
  std::vector<uint64_t> starts(operations.size());
  const std::vector<ScheduleDependence> all = getAllDependences();
  for (bool changed = true; changed;) {
    changed = false;
    for (const ScheduleDependence &edge : all)
      if (edge.distance == 0 && starts[edge.source] + edge.latency > starts[edge.target]) {
        starts[edge.target] = starts[edge.source] + edge.latency;
        changed = true;
      }
  }
  return std::min<uint64_t>(*llvm::max_element(starts) / stages + 1, UINT32_MAX);
}

namespace {

/// Longest paths by Bellman and Ford, over latency - II·distance.
class RecurrenceSearch {
public:
  explicit RecurrenceSearch(const ScheduleProblem &problem)
      : edges(problem.getAllDependences()), numOperations(problem.operations.size()) {}

  /// A cycle of positive weight at `ii`; empty: there is none.
  std::vector<unsigned> find(uint32_t ii) const {
    std::vector<int64_t> starts(numOperations);
    std::vector<unsigned> previous(numOperations);
    const ScheduleDependence *changed = nullptr;
    for (size_t round = 0; round <= numOperations; ++round) {
      changed = nullptr;
      for (const ScheduleDependence &edge : edges)
        if (starts[edge.source] + getWeight(edge, ii) > starts[edge.target]) {
          starts[edge.target] = starts[edge.source] + getWeight(edge, ii);
          previous[edge.target] = edge.source;
          changed = &edge;
        }
      if (!changed)
        return {};
    }
    return followCycle(previous, changed->target);
  }

  /// The sum of all latencies is at least every recurrence's.
  uint64_t getLargest() const {
    uint64_t sum = 1;
    for (const ScheduleDependence &edge : edges)
      sum += edge.latency;
    return std::min<uint64_t>(sum, UINT32_MAX);
  }

private:
  static int64_t getWeight(const ScheduleDependence &edge, uint32_t ii) {
    // A recurrence is no longer than all latencies together: what lies below that many times over is out of reach.
    return int64_t(edge.latency) - int64_t(std::min(uint64_t(ii) * edge.distance, uint64_t(INT64_MAX / 2)));
  }

  /// After as many steps back as there are operations one is on the cycle.
  std::vector<unsigned> followCycle(llvm::ArrayRef<unsigned> previous, unsigned operation) const {
    for (size_t i = 0; i < numOperations; ++i)
      operation = previous[operation];
    std::vector<unsigned> cycle = {operation};
    for (unsigned next = previous[operation]; next != operation; next = previous[next])
      cycle.push_back(next);
    std::reverse(cycle.begin(), cycle.end());
    std::rotate(cycle.begin(), llvm::min_element(cycle), cycle.end());
    return cycle;
  }

  std::vector<ScheduleDependence> edges;
  size_t numOperations;
};

} // namespace

uint32_t ScheduleProblem::getRecMII() const {
  const RecurrenceSearch search(*this);
  uint64_t low = 1, high = search.getLargest();
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (search.find(middle).empty())
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

std::vector<unsigned> ScheduleProblem::getCriticalRecurrence() const {
  const uint32_t bound = getRecMII();
  return bound > 1 ? RecurrenceSearch(*this).find(bound - 1) : std::vector<unsigned>();
}
