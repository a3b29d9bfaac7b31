//===- Bounds.cpp - Below which no initiation interval can be --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterationOrder.h"
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
  // The longest paths, in an order in which producers come first.
  std::vector<uint64_t> starts(operations.size());
  const std::vector<ScheduleDependence> all = getAllDependences();
  const std::vector<llvm::SmallVector<unsigned, 4>> bySource = groupBySource(all, operations.size());
  for (unsigned operation : orderWithinIteration(all, bySource))
    for (unsigned edge : bySource[operation])
      if (all[edge].distance == 0)
        starts[all[edge].target] = std::max(starts[all[edge].target], starts[operation] + all[edge].latency);
  return std::min<uint64_t>(*llvm::max_element(starts) / stages + 1, UINT32_MAX);
}

namespace {

/// The recurrence with the largest latency ÷ distance: longest paths over latency - II·distance (Bellman and Ford), at
/// an II that becomes that of each cycle which is found to need a larger one.
class RecurrenceSearch {
public:
  explicit RecurrenceSearch(const ScheduleProblem &problem)
      : edges(problem.getAllDependences()), bySource(groupBySource(edges, problem.operations.size())),
        order(orderWithinIteration(edges, bySource)), isChanged(order.size(), true), starts(order.size()),
        incoming(order.size(), kNone) {
    while (relax())
      if (const std::vector<unsigned> cycle = findCycle(); !cycle.empty())
        take(cycle);
  }

  /// ⌈latency ÷ distance⌉; 1 without a recurrence.
  uint64_t interval = 1;
  /// The operations of a recurrence that needs this interval; empty where it is 1.
  std::vector<unsigned> operations;

private:
  static constexpr unsigned kNone = UINT_MAX;

  /// One round, producers first: only recurrences need more than one. Returns whether a path has become longer.
  bool relax() {
    bool isGrowing = false;
    for (unsigned operation : order) {
      if (!isChanged[operation])
        continue;
      isChanged[operation] = false;
      for (unsigned index : bySource[operation]) {
        const ScheduleDependence &edge = edges[index];
        const int64_t start = starts[operation] + getWeight(edge);
        if (start <= starts[edge.target])
          continue;
        starts[edge.target] = start;
        incoming[edge.target] = index;
        isChanged[edge.target] = true;
        isGrowing |= edge.distance != 0;
      }
    }
    return isGrowing;
  }

  int64_t getWeight(const ScheduleDependence &edge) const {
    // A recurrence is no longer than all latencies together: what lies below that many times over is out of reach.
    return int64_t(edge.latency) -
           int64_t(std::min(llvm::SaturatingMultiply<uint64_t>(interval, edge.distance), uint64_t(INT64_MAX / 2)));
  }

  /// The last edges of the paths form a cycle only where that is longer than the interval allows. In order.
  std::vector<unsigned> findCycle() const {
    std::vector<unsigned> visit(order.size(), kNone);
    for (unsigned first = 0; first < visit.size(); ++first) {
      unsigned operation = first;
      while (visit[operation] == kNone && incoming[operation] != kNone) {
        visit[operation] = first;
        operation = edges[incoming[operation]].source;
      }
      if (visit[operation] != first || incoming[operation] == kNone)
        continue;
      std::vector<unsigned> cycle;
      for (unsigned next = operation; cycle.empty() || next != operation; next = edges[incoming[next]].source)
        cycle.push_back(next);
      std::reverse(cycle.begin(), cycle.end());
      return cycle;
    }
    return {};
  }

  /// What the cycle needs is the interval from here on; its paths begin anew.
  void take(llvm::ArrayRef<unsigned> cycle) {
    uint64_t latency = 0, distance = 0;
    for (unsigned operation : cycle) {
      latency += edges[incoming[operation]].latency;
      distance += edges[incoming[operation]].distance;
    }
    if (const uint64_t needed = llvm::divideCeil(latency, distance); needed > interval) {
      interval = needed;
      operations = cycle.vec();
      std::rotate(operations.begin(), llvm::min_element(operations), operations.end());
    }
    llvm::fill(starts, 0);
    llvm::fill(incoming, kNone);
    llvm::fill(isChanged, true);
  }

  std::vector<ScheduleDependence> edges;
  std::vector<llvm::SmallVector<unsigned, 4>> bySource;
  std::vector<unsigned> order;
  std::vector<bool> isChanged;
  std::vector<int64_t> starts;
  std::vector<unsigned> incoming; ///< the last edge of the longest path to each operation
};

} // namespace

uint32_t ScheduleProblem::getRecMII() const {
  return std::min<uint64_t>(RecurrenceSearch(*this).interval, UINT32_MAX);
}

std::vector<unsigned> ScheduleProblem::getCriticalRecurrence() const {
  return RecurrenceSearch(*this).operations;
}
