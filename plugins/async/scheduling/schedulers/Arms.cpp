//===- Arms.cpp - Ways to give operations their places -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arms.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace tileiras;
using namespace tileiras::async;

static void unseatAll(Placement &placement, llvm::ArrayRef<unsigned> group) {
  for (unsigned member : group)
    if (placement.isSeated(member))
      placement.unseat(member);
}

//===----------------------------------------------------------------------===//
// Permute
//===----------------------------------------------------------------------===//

/// The windows that operations outside of the group leave to its members; nullopt: none for one of them.
static std::optional<StartWindows> makeWindows(const Placement &placement, llvm::ArrayRef<unsigned> group) {
  StartWindows windows(placement.getGraph(), placement.getInterval(), group, placement.getBudget());
  for (unsigned member : group)
    if (!windows.setEarliest(member, placement.getEarliest(member)) ||
        !windows.setLatest(member, placement.getLatest(member)))
      return std::nullopt;
  return windows;
}

static bool seatOne(Placement &placement, unsigned operation, int64_t from, int64_t last, Arm arm) {
  Gate gate;
  std::optional<int64_t> cycle = placement.admit(operation, from, last, gate);
  if (cycle)
    placement.seat(operation, *cycle, arm, gate);
  return cycle.has_value();
}

/// The member without a cycle; nullopt: all have one.
static std::optional<unsigned> seatInOrder(Placement &placement, llvm::ArrayRef<unsigned> order, Arm arm) {
  if (order.size() == 1) {
    const unsigned operation = order.front();
    if (seatOne(placement, operation, placement.getEarliest(operation), placement.getLatest(operation), arm))
      return std::nullopt;
    return operation;
  }
  std::optional<StartWindows> windows = makeWindows(placement, order);
  if (!windows)
    return order.back();
  for (auto [index, operation] : llvm::enumerate(order)) {
    int64_t from = windows->getEarliest(operation);
    if (placement.getConstraints().keepsOrder(operation))
      for (unsigned before : order.take_front(index))
        if (before < operation)
          from = std::max(from, placement.getStart(before));
    if (!seatOne(placement, operation, from, windows->getLatest(operation), arm) ||
        !windows->fix(operation, placement.getStart(operation))) {
      unseatAll(placement, order);
      return operation;
    }
  }
  return std::nullopt;
}

/// Producers first, without looking ahead: windows of so many take too long.
static bool seatLargeGroup(Placement &placement, llvm::ArrayRef<unsigned> group, Arm arm) {
  std::vector<unsigned> order = group.vec();
  const DependenceGraph &graph = placement.getGraph();
  llvm::sort(order, [&](unsigned a, unsigned b) { return graph.getPosition(a) < graph.getPosition(b); });
  for (unsigned operation : order)
    if (!seatOne(placement, operation, placement.getEarliest(operation), placement.getLatest(operation), arm)) {
      unseatAll(placement, group);
      return false;
    }
  return true;
}

bool async::seatByPermutation(Placement &placement, llvm::ArrayRef<unsigned> group, llvm::ArrayRef<int64_t> heights,
                              Arm arm) {
  constexpr size_t large = 2000;
  if (group.size() > large)
    return seatLargeGroup(placement, group, arm);
  std::vector<unsigned> order = group.vec();
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return heights[a] > heights[b]; });
  const size_t permutations = std::min<size_t>(group.size(), 1 + 256 / group.size()); // Each costs a group's time.
  for (size_t i = 0; i < permutations && !placement.getBudget().isOver(); ++i) {
    std::optional<unsigned> stuck = seatInOrder(placement, order, arm);
    if (!stuck)
      return true;
    auto it = llvm::find(order, *stuck);
    std::rotate(order.begin(), it, std::next(it));
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Fuse
//===----------------------------------------------------------------------===//

static bool hasPath(const DependenceGraph &graph, llvm::ArrayRef<unsigned> from, llvm::ArrayRef<unsigned> to) {
  std::vector<bool> seen(graph.size());
  std::vector<unsigned> work = from.vec();
  while (!work.empty()) {
    const unsigned operation = work.back();
    work.pop_back();
    if (seen[operation])
      continue;
    seen[operation] = true;
    for (const DependenceGraph::Edge &edge : graph.getSuccessors(operation))
      work.push_back(edge.other);
  }
  return llvm::any_of(to, [&](unsigned operation) { return seen[operation]; });
}

bool async::seatByFusion(Placement &placement, llvm::ArrayRef<unsigned> group,
                         llvm::ArrayRef<std::vector<unsigned>> allGroups, llvm::ArrayRef<int64_t> heights) {
  const DependenceGraph &graph = placement.getGraph();
  for (unsigned member : group) {
    if (placement.getBudget().isOver())
      return false;
    std::vector<unsigned> obstacles = placement.findObstacles(member, placement.getEarliest(member));
    if (obstacles.empty() || llvm::is_contained(group, obstacles.front()))
      continue;
    placement.getBudget().spend(2 * graph.size()); // Paths, and a copy of the placement.
    const std::vector<unsigned> &other =
        *llvm::find_if(allGroups, [&](const auto &other) { return llvm::is_contained(other, obstacles.front()); });
    if (hasPath(graph, other, group) || hasPath(graph, group, other))
      continue;
    const Placement before = placement;
    unseatAll(placement, other);
    if (seatByPermutation(placement, group, heights, Arm::Fuse) &&
        seatByPermutation(placement, other, heights, Arm::Fuse))
      return true;
    placement = before;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Retry
//===----------------------------------------------------------------------===//

namespace {

class IterativeSeating {
public:
  IterativeSeating(Placement &placement, llvm::ArrayRef<unsigned> group, llvm::ArrayRef<int64_t> heights)
      : placement(placement), heights(heights), tries(placement.getGraph().size()), lastCycle(tries.size()) {
    for (unsigned member : group)
      queue.insert({-heights[member], member});
  }

  bool run() {
    size_t budget = queue.size() * 4 + 64;
    while (!queue.empty()) {
      const unsigned operation = queue.begin()->second;
      queue.erase(queue.begin());
      if (budget-- == 0 || placement.getBudget().isOver() || !seat(operation))
        return false;
    }
    return true;
  }

private:
  bool seat(unsigned operation) {
    constexpr unsigned deadAfter = 16;
    if (++tries[operation] > deadAfter)
      return false;
    const int64_t interval = placement.getInterval(), from = placement.getEarliest(operation);
    Gate gate;
    if (auto cycle = placement.admit(operation, from, from + interval - 1, gate)) {
      take(operation, *cycle, gate);
      return true;
    }
    if (gate == Gate::Depth || gate == Gate::Leader)
      return false;
    // A cycle later than the last time, so that two do not drive each other out for ever.
    const int64_t forced = tries[operation] == 1 ? from : std::max(from, lastCycle[operation] + 1);
    if (auto depth = placement.getConstraints().getMaxDepth(operation);
        depth && forced >= (int64_t(*depth) + 1) * interval)
      return false;
    for (auto obstacles = placement.findObstacles(operation, forced); !obstacles.empty();
         obstacles = placement.findObstacles(operation, forced))
      driveOut(*llvm::min_element(
          obstacles, [&](unsigned a, unsigned b) { return std::pair(heights[a], b) < std::pair(heights[b], a); }));
    take(operation, forced, Gate::Reservation);
    return true;
  }

  /// What depends on the operation and starts too early has to go.
  void take(unsigned operation, int64_t cycle, Gate gate) {
    placement.seat(operation, cycle, Arm::Retry, gate);
    lastCycle[operation] = cycle;
    for (const DependenceGraph::Edge &edge : placement.getGraph().getSuccessors(operation))
      if (edge.other != operation && placement.isSeated(edge.other) &&
          placement.getStart(edge.other) < cycle + edge.getWeight(placement.getInterval()))
        driveOut(edge.other);
  }

  void driveOut(unsigned operation) {
    placement.unseat(operation);
    queue.insert({-heights[operation], operation});
  }

  Placement &placement;
  llvm::ArrayRef<int64_t> heights;
  std::vector<unsigned> tries;
  std::vector<int64_t> lastCycle;
  std::set<std::pair<int64_t, unsigned>> queue;
};

} // namespace

bool async::seatByRetry(Placement &placement, llvm::ArrayRef<unsigned> group, llvm::ArrayRef<int64_t> heights) {
  if (!placement.getTable().isPossible())
    return false;
  Placement before = placement;
  if (IterativeSeating(placement, group, heights).run())
    return true;
  placement = std::move(before);
  return false;
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

namespace {

/// What a pair of operation and cycle costs, compared from the front.
struct PairCost {
  int64_t room;     ///< cycles its window has
  int64_t lifetime; ///< registers times cycles by which values live longer
  int64_t cycle;
  unsigned operation;

  auto operator<=>(const PairCost &) const = default;
};

} // namespace

/// Operands wait for the operation, its results for what reads them.
static int64_t getLifetime(const Placement &placement, const ScheduleProblem &problem, unsigned operation,
                           int64_t cycle) {
  int64_t lifetime = 0;
  for (const DependenceGraph::Edge &edge : placement.getGraph().getPredecessors(operation))
    if (!edge.isOrder && placement.isSeated(edge.other))
      lifetime += int64_t(problem.operations[edge.other].registers) * (cycle - placement.getStart(edge.other));
  for (const DependenceGraph::Edge &edge : placement.getGraph().getSuccessors(operation))
    if (!edge.isOrder && placement.isSeated(edge.other))
      lifetime += int64_t(problem.operations[operation].registers) * (placement.getStart(edge.other) - cycle);
  return lifetime;
}

bool async::seatByCost(Placement &placement, llvm::ArrayRef<unsigned> group, const ScheduleProblem &problem) {
  std::optional<StartWindows> windows = makeWindows(placement, group);
  std::vector<unsigned> open = group.vec();
  while (windows && !open.empty()) {
    std::optional<PairCost> cheapest;
    Gate cheapestGate = Gate::Open;
    placement.getBudget().spend(open.size());
    for (unsigned operation : open) {
      Gate gate;
      const int64_t from = windows->getEarliest(operation), last = windows->getLatest(operation);
      auto cycle = placement.admit(operation, from, last, gate);
      if (!cycle) {
        unseatAll(placement, group);
        return false;
      }
      const PairCost cost{std::min(last - from, placement.getInterval()),
                          getLifetime(placement, problem, operation, *cycle), *cycle, operation};
      if (!cheapest || cost < *cheapest) {
        cheapest = cost;
        cheapestGate = gate;
      }
    }
    placement.seat(cheapest->operation, cheapest->cycle, Arm::Cost, cheapestGate);
    llvm::erase(open, cheapest->operation);
    if (!windows->fix(cheapest->operation, cheapest->cycle))
      break;
  }
  if (open.empty())
    return true;
  unseatAll(placement, group);
  return false;
}
