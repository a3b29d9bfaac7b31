//===- ModuloScheduler.cpp - Modulo schedulers ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuloScheduler.h"
#include "Arms.h"
#include "CostVector.h"
#include "Quantum.h"
#include "SerialScheduler.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace tileiras;
using namespace tileiras::async;

namespace {

/// How much trouble to take.
struct Effort {
  bool hasFirstArmOnly = false; ///< light mode
  bool searches = true;         ///< arm 4 may go back, and the smallest interval is asked for
  uint32_t refinements = 0;     ///< rounds, at one interval
};

/// Pairs of operation and cycle that one search may try: each costs time in proportion to the operations. Enough for
/// every operation once.
unsigned getSearchBudget(size_t operations) {
  constexpr size_t most = 24000, work = most * 16;
  return std::max(2 * operations, std::min(most, work / std::max<size_t>(operations, 1)));
}

class Driver {
public:
  Driver(const ScheduleProblem &problem, Effort effort, WorkBudget &budget)
      : problem(problem), effort(effort), budget(budget), graph(problem), smallest(problem.getMinII()) {}

  /// A schedule at the smallest interval that works, none above `limit`; `step`: from the first to the second that is
  /// tried.
  std::optional<Schedule> run(int64_t limit, int64_t step = 1) {
    int64_t failed = int64_t(smallest) - 1;
    std::optional<Schedule> best;
    for (int64_t interval = smallest; interval < limit && !budget.isOver(); interval += step, step *= 2) {
      best = tryInterval(interval);
      if (best)
        break;
      failed = interval;
    }
    return bisect(std::move(best), failed, limit);
  }

  /// The same, where an interval near `limit` is likely to be it.
  std::optional<Schedule> runBelow(int64_t limit) { return bisect(std::nullopt, int64_t(smallest) - 1, limit); }

private:
  /// Between the last that failed and the first that did not.
  std::optional<Schedule> bisect(std::optional<Schedule> best, int64_t failed, int64_t limit) {
    int64_t found = best ? best->initiationInterval : limit;
    while (effort.searches && found - failed > 1 && !budget.isOver()) {
      const int64_t middle = failed + (found - failed) / 2;
      if (std::optional<Schedule> better = tryInterval(middle)) {
        best = std::move(better);
        found = middle;
      } else {
        failed = middle;
      }
    }
    if (best)
      best = refine(std::move(*best));
    return best;
  }

  /// One round for each soft constraint that may be given up, as many as refinements allow.
  std::optional<Schedule> tryInterval(int64_t interval) {
    const WorkBudget::Share share(budget, effort.hasFirstArmOnly ? 1 : 4); // Others have their turn.
    ConstraintSet constraints(problem, graph);
    uint32_t rounds = 1;
    do {
      if (std::optional<Schedule> schedule = attempt(constraints, interval))
        return schedule;
    } while (rounds++ <= effort.refinements && constraints.relax());
    return std::nullopt;
  }

  std::optional<Schedule> attempt(const ConstraintSet &constraints, int64_t interval) {
    budget.spend(20 * graph.size()); // What an attempt takes that finds every place at once.
    Placement empty(problem, graph, constraints, interval, budget);
    if (!empty.getTable().isPossible())
      return std::nullopt;
    const std::vector<int64_t> heights = graph.getHeights(interval);
    const std::vector<std::vector<unsigned>> groups = constraints.makeGroups(heights);
    Placement placement = empty;
    if (!seatGroups(placement, groups, heights)) {
      if (effort.hasFirstArmOnly || !seatAnew(placement, std::move(empty), heights))
        return std::nullopt;
    }
    placement.settleStages();
    placement.shortenLifetimes(problem);
    return check(placement.finish());
  }

  bool seatGroups(Placement &placement, llvm::ArrayRef<std::vector<unsigned>> groups, llvm::ArrayRef<int64_t> heights) {
    // Those of later groups are held over.
    for (unsigned i = 0; i < graph.size(); ++i)
      placement.setPending(i, true);
    for (const std::vector<unsigned> &group : groups) {
      for (unsigned member : group)
        placement.setPending(member, false);
      if (seatByPermutation(placement, group, heights))
        continue;
      if (effort.hasFirstArmOnly)
        return false;
      if (!seatByFusion(placement, group, groups, heights) && !seatByRetry(placement, group, heights) &&
          !seatByCost(placement, group, problem))
        return false;
    }
    return true;
  }

  /// Arms 3 and 4 once more, on empty tables.
  bool seatAnew(Placement &placement, Placement empty, llvm::ArrayRef<int64_t> heights) {
    std::vector<unsigned> all(graph.size());
    std::iota(all.begin(), all.end(), 0);
    placement = empty;
    {
      const WorkBudget::Share share(budget, 2);
      if (seatByRetry(placement, all, heights))
        return true;
    }
    placement = std::move(empty);
    return effort.searches && seatBySearch(placement, problem, getSearchBudget(graph.size()));
  }

  /// Depths are final only when all stages are known.
  std::optional<Schedule> check(std::optional<Schedule> schedule) const {
    if (!schedule)
      return std::nullopt;
    if (llvm::Error error = schedule->verify(problem)) {
      llvm::consumeError(std::move(error));
      return std::nullopt;
    }
    return schedule;
  }

  /// Rounds that ask for less than the schedule needs: one stage fewer, or values with shorter lives.
  Schedule refine(Schedule best) {
    CostVector cost = computeCost(problem, graph, best);
    for (uint32_t round = 0; round < effort.refinements && !budget.isOver(); ++round) {
      ScheduleProblem tighter = problem;
      if (!tighten(tighter, best, round))
        break;
      std::optional<Schedule> candidate =
          Driver(tighter, {.searches = false}, budget).tryInterval(best.initiationInterval);
      if (!candidate)
        break;
      const CostVector candidateCost = computeCost(problem, graph, *candidate);
      if (candidateCost >= cost)
        break;
      best = std::move(*candidate);
      cost = candidateCost;
    }
    return best;
  }

  /// One stage fewer for everything. False: there is nothing to ask for.
  static bool tighten(ScheduleProblem &problem, const Schedule &schedule, uint32_t round) {
    const uint64_t stages = schedule.getNumStages();
    if (stages < 2)
      return false;
    for (ScheduleOperation &operation : problem.operations) {
      uint32_t &depth = operation.constraints.maxDepth.emplace(operation.constraints.maxDepth.value_or(UINT32_MAX));
      depth = std::min<uint64_t>(depth, stages - 2);
    }
    return true;
  }

  const ScheduleProblem &problem;
  Effort effort;
  WorkBudget &budget;
  DependenceGraph graph;
  uint32_t smallest;
};

} // namespace

/// An interval below `limit`. Of large problems the first arm alone says one first: what a search costs there leaves
/// time for few of them.
static std::optional<Schedule> findInterval(const ScheduleProblem &problem, Effort effort, WorkBudget &budget,
                                            int64_t limit) {
  constexpr size_t large = 2000;
  std::optional<Schedule> first;
  if (problem.operations.size() > large) {
    const int64_t step = 1 + problem.getMinII() / 64;
    first = Driver(problem, {.hasFirstArmOnly = true, .searches = effort.searches}, budget).run(limit, step);
  }
  if (!first)
    return Driver(problem, effort, budget).run(limit);
  std::optional<Schedule> better = Driver(problem, effort, budget).runBelow(first->initiationInterval);
  return better ? better : first;
}

/// In cycles, after a search in quanta.
static llvm::Expected<Schedule> search(const ScheduleProblem &problem, const SchedulerOptions &options, Effort effort) {
  // Possible whenever anything is, but for depths; and where the search for intervals ends.
  llvm::Expected<Schedule> serial = SerialScheduler().schedule(problem, {});
  if (!serial)
    return serial;
  effort.hasFirstArmOnly = options.rrtSizeThreshold == 0;
  if (effort.hasFirstArmOnly)
    effort.searches = false;
  WorkBudget budget = WorkBudget::forTime(options.timeLimit);
  std::optional<Schedule> schedule;
  // Rounded up, everything may take longer than one operation after the other.
  for (uint32_t cycles = Quantum::chooseCycles(problem, options.rrtSizeThreshold); cycles > 1 && !schedule;
       cycles /= 2) {
    const Quantum quantum(problem, cycles);
    schedule =
        quantum.toCycles(findInterval(quantum.getProblem(), effort, budget, serial->initiationInterval / cycles));
  }
  if (!schedule)
    schedule = findInterval(problem, effort, budget, serial->initiationInterval);
  if (schedule)
    return std::move(*schedule);
  if (llvm::Error error = serial->verify(problem))
    return llvm::createStringError("modulo scheduler returned no feasible II: " + llvm::toString(std::move(error)));
  return serial;
}

llvm::Expected<Schedule> CostBasedScheduler::schedule(const ScheduleProblem &problem, const SchedulerOptions &options) {
  return search(problem, options, {.refinements = options.maxConstraintIterations});
}

llvm::Expected<Schedule> FastScheduler::schedule(const ScheduleProblem &problem, const SchedulerOptions &options) {
  return search(problem, options, {.searches = false});
}
