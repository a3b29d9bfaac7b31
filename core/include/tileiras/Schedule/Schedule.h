//===- Schedule.h - What a scheduler answers ---------------------- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text form:
//
//   ii 16
//   start load 0
//   start dot 20
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_SCHEDULE_H
#define TILEIRAS_SCHEDULE_SCHEDULE_H

#include "tileiras/Schedule/Problem.h"

namespace tileiras {

/// A modulo schedule: an initiation interval and a start cycle for every operation of its problem.
class Schedule {
public:
  uint32_t initiationInterval = 0; ///< cycles between the starts of two iterations (II)
  std::vector<uint32_t> starts;    ///< cycles after the iteration's start, indexed as ScheduleProblem::operations
  bool isProvenMinimal = false;    ///< the scheduler has proven that no smaller II is possible
  /// How each operation got its place, for traces; indexed as `starts`, or empty.
  std::vector<std::string> placement = {};

  /// start ÷ II: how many iterations later the operation runs.
  uint32_t getStage(unsigned operation) const { return starts[operation] / initiationInterval; }
  uint64_t getNumStages() const;
  /// Position of each operation among those of its stage: by start cycle; of those that start together, what another
  /// one needs of the iteration comes first (dependences without latency order, too), then program order.
  std::vector<uint32_t> getOrder(const ScheduleProblem &problem) const;

  /// Is this a right answer to `problem`: complete, every dependence met, no unit over its capacity in any cycle modulo
  /// II, hard constraints kept. The compiler asks this of every schedule, whoever made it; an error says what is wrong
  /// and with which operations.
  llvm::Error verify(const ScheduleProblem &problem) const;

  void print(const ScheduleProblem &problem, llvm::raw_ostream &os) const;
  /// Reads the text form. Errors name `source` and the line.
  static llvm::Expected<Schedule> parse(llvm::StringRef text, const ScheduleProblem &problem,
                                        llvm::StringRef source = "<schedule>");
};

} // namespace tileiras

#endif // TILEIRAS_SCHEDULE_SCHEDULE_H
