//===- Search.cpp - The arm with a way back ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arms.h"
#include "llvm/ADT/STLExtras.h"

using namespace tileiras;
using namespace tileiras::async;

namespace {

/// Depth-first search for rows. Operations that stopped it come earlier in the next run.
class RowSearch {
public:
  RowSearch(Placement &placement, const ScheduleProblem &problem)
      : placement(placement), graph(placement.getGraph()), interval(placement.getInterval()), weights(graph.size(), 1),
        windows(graph, interval, placement.getBudget()) {
    for (auto [index, operation] : llvm::enumerate(problem.operations)) {
      uint64_t busy = 0;
      for (const ResourceUse &use : operation.uses)
        busy += use.duration;
      sizes.push_back(busy);
      if (busy != 0 || graph.isRecurrent(index))
        open.push_back(index);
      else
        free.push_back(index);
    }
    numSeated.resize(graph.getComponents().size());
  }

  bool run(unsigned budget) {
    const unsigned runs = open.size() > 256 ? 1 : open.size() > 64 ? 4 : 16;
    for (unsigned i = 0; i < runs; ++i) {
      steps = budget / runs;
      if (seatRest()) {
        for (unsigned operation : free)
          placement.seat(operation, 0, Arm::Cost);
        return true;
      }
    }
    return false;
  }

private:
  /// First and last cycle; of what nothing binds yet every row is as good.
  std::pair<int64_t, int64_t> getWindow(unsigned operation) const {
    const unsigned component = graph.getComponent(operation);
    if (!numSeated[component])
      return {0, open.size() == total() ? 0 : interval - 1};
    const int64_t from = windows.getEarliest(operation);
    return {from, std::min(windows.getLatest(operation), from + interval - 1)};
  }
  size_t total() const { return graph.size() - free.size(); }

  /// The least room for its size; those that failed before count more.
  unsigned choose() const {
    placement.getBudget().spend(open.size());
    auto getKey = [&](unsigned operation) {
      auto [from, last] = getWindow(operation);
      const unsigned component = graph.getComponent(operation);
      const double recurrence = graph.isRecurrent(operation) && !numSeated[component] ? 0.5 : 1.0;
      return recurrence * double(last - from + 1) / (double(weights[operation]) * double(sizes[operation] + 1));
    };
    unsigned best = 0;
    double bestKey = getKey(open[0]);
    for (unsigned i = 1; i < open.size(); ++i)
      if (double key = getKey(open[i]); key < bestKey) {
        best = i;
        bestKey = key;
      }
    return best;
  }

  bool seatRest() {
    if (open.empty())
      return true;
    const unsigned position = choose(), operation = open[position], component = graph.getComponent(operation);
    open.erase(open.begin() + position);
    auto [from, last] = getWindow(operation);
    if (open.size() + 1 == total())
      last = from;
    // Of many cycles in a free stretch a few are tried; behind a busy one always the first.
    const int64_t stride = std::max<int64_t>(1, (last - from + 1) / 32);
    Gate gate;
    for (auto cycle = placement.admit(operation, from, last, gate); cycle;
         cycle = placement.admit(operation, *cycle + stride, last, gate)) {
      if (steps == 0 || placement.getBudget().isOver())
        break;
      --steps;
      const size_t mark = windows.getMark();
      placement.seat(operation, *cycle, Arm::Cost, gate);
      ++numSeated[component];
      if ((!graph.isRecurrent(operation) || windows.fix(operation, *cycle)) && seatRest())
        return true;
      --numSeated[component];
      placement.unseat(operation);
      windows.undo(mark);
    }
    ++weights[operation];
    open.insert(open.begin() + position, operation);
    return false;
  }

  Placement &placement;
  const DependenceGraph &graph;
  int64_t interval;
  std::vector<unsigned> weights;
  std::vector<uint64_t> sizes;
  std::vector<unsigned> open, free;
  StartWindows windows;            ///< of recurrences
  std::vector<unsigned> numSeated; ///< by component
  unsigned steps = 0;
};

} // namespace

bool async::seatBySearch(Placement &placement, const ScheduleProblem &problem, unsigned budget) {
  if (!RowSearch(placement, problem).run(budget))
    return false;
  placement.settleStages();
  return true;
}
