//===- IntervalModel.h - A scheduling problem for the solver - -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_EXACT_INTERVALMODEL_H
#define TILEIRAS_PLUGINS_EXACT_INTERVALMODEL_H

#include "tileiras/Schedule/Schedule.h"
#include <chrono>
#include <z3++.h>

namespace tileiras::exact {

/// All schedules of a problem at one interval, in difference logic: starts are integers, and two uses of a unit are
/// apart by one of finitely many multiples of the interval.
class IntervalModel {
public:
  using Clock = std::chrono::steady_clock;

  /// Starts are below so many stages. nullopt: of any number. Then only recurrences bind: other dependences hold when
  /// whole intervals are added, as getSchedule() does. Making the model takes the square of the operations in memory
  /// and the cube in time: what is not made by `end`, and one of more than some thousands, knows no answer.
  IntervalModel(const ScheduleProblem &problem, int64_t interval, std::optional<int64_t> stages, Clock::time_point end);

  /// Also: values of all operations live for no more than `most` registers times cycles.
  void limitLifetimes(int64_t most);
  /// Asks the solver until the end. z3::unknown: that was not enough.
  z3::check_result solve();
  /// After z3::sat.
  Schedule getSchedule() const;

private:
  struct Use {
    unsigned operation;
    int64_t offset, duration; ///< less than the interval
  };

  /// Longest paths between operations, and to and from the origin of time, which comes last.
  void findDistances(std::optional<int64_t> stages);
  void closeDistances();
  void addDependences();
  void addLifetimes();
  void addUnit(unsigned unit);
  z3::expr areApart(const Use &first, const Use &second, int64_t gap);
  /// Is there time for more? Once there is none the model stays incomplete.
  bool goesOn();

  const ScheduleProblem &problem;
  int64_t interval;
  Clock::time_point end;
  bool isComplete = true;
  std::vector<ScheduleDependence> edges;
  std::vector<std::vector<int64_t>> distances;
  z3::context context;
  z3::solver solver;
  std::vector<z3::expr> starts;
  std::vector<std::pair<unsigned, z3::expr>> lifetimes; ///< registers, and cycles
  std::vector<z3::expr> deferred;                       ///< that say what lifetimes are; not difference logic any more
};

/// Registers times cycles for which values live, from their starts to the last start of what reads them.
int64_t computeLifetimes(const ScheduleProblem &problem, const Schedule &schedule);

} // namespace tileiras::exact

#endif // TILEIRAS_PLUGINS_EXACT_INTERVALMODEL_H
