//===- ExactScheduler.cpp - The smallest interval, proven ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactScheduler.h"
#include "IntervalModel.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <chrono>

using namespace tileiras;
using namespace tileiras::exact;

namespace {

using Clock = IntervalModel::Clock;

/// Depths are limited where something says so; else whole intervals may be added anywhere.
std::optional<int64_t> countStages(const ScheduleProblem &problem, int64_t interval) {
  if (llvm::none_of(problem.operations, [](const auto &operation) { return operation.constraints.maxDepth; }))
    return std::nullopt;
  int64_t stages = 1;
  for (const ScheduleDependence &edge : problem.getAllDependences())
    stages += edge.distance == 0 ? llvm::divideCeil(uint64_t(edge.latency), uint64_t(interval)) + 1 : 1;
  return stages;
}

class Search {
public:
  Search(const ScheduleProblem &problem, const SchedulerOptions &options)
      : problem(problem), options(options), end(Clock::now() + std::chrono::milliseconds(options.timeLimit)) {}

  std::optional<Schedule> best;

  /// Every interval below the best so far, from the bounds on: the first that works is the smallest.
  void findInterval() {
    bool isProven = true;
    for (uint64_t interval = problem.getMinII(); !best || interval < best->initiationInterval; ++interval) {
      report("interval {0}", interval);
      const z3::check_result result = solve(interval, countStages(problem, interval));
      if (result == z3::sat)
        break;
      isProven &= result == z3::unsat;
      if (!hasTime())
        break;
    }
    if (best)
      best->isProvenMinimal = isProven || best->initiationInterval == problem.getMinII();
  }

  void shortenLifetimes() {
    for (int64_t lifetimes = computeLifetimes(problem, *best); lifetimes > 0 && hasTime();
         lifetimes = computeLifetimes(problem, *best)) {
      report("interval {0}, {1} registers times cycles", best->initiationInterval, lifetimes);
      IntervalModel model(problem, best->initiationInterval, best->getNumStages(), end);
      model.limitLifetimes(lifetimes - 1);
      if (!improve(model))
        return;
    }
  }

  void reduceStages() {
    while (best->getNumStages() > 1 && hasTime()) {
      report("interval {0}, {1} stages", best->initiationInterval, best->getNumStages());
      IntervalModel model(problem, best->initiationInterval, best->getNumStages() - 1, end);
      if (!improve(model))
        return;
    }
  }

private:
  bool hasTime() const { return Clock::now() < end; }

  z3::check_result solve(int64_t interval, std::optional<int64_t> stages) {
    IntervalModel model(problem, interval, stages, end);
    z3::check_result result = model.solve();
    if (result == z3::sat)
      best = model.getSchedule();
    return result;
  }

  bool improve(IntervalModel &model) {
    if (model.solve() != z3::sat)
      return false;
    const bool isProven = best->isProvenMinimal;
    best = model.getSchedule();
    best->isProvenMinimal = isProven;
    return true;
  }

  template <typename... Args>
  void report(const char *format, Args &&...args) {
    if (options.progress)
      options.progress(llvm::formatv(format, std::forward<Args>(args)...).str());
  }

  const ScheduleProblem &problem;
  const SchedulerOptions &options;
  Clock::time_point end;
};

} // namespace

llvm::Expected<Schedule> ExactScheduler::schedule(const ScheduleProblem &problem, const SchedulerOptions &options) {
  Search search(problem, options);
  if (options.start)
    search.best = *options.start;
  search.findInterval();
  if (!search.best)
    return llvm::createStringError("the time limit of " + llvm::Twine(options.timeLimit) +
                                   " milliseconds has passed before a schedule was found; give a higher one");
  const bool hasRegisters = llvm::any_of(problem.operations, [](const auto &op) { return op.registers != 0; });
  hasRegisters ? search.shortenLifetimes() : search.reduceStages();
  return std::move(*search.best);
}
