//===- TestProblems.h - Problems for tests --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_UNIT_SCHEDULE_TESTPROBLEMS_H
#define TILEIRAS_TESTS_UNIT_SCHEDULE_TESTPROBLEMS_H

#include "tileiras/Schedule/Problem.h"
#include <catch2/catch.hpp>
#include <random>

inline tileiras::ScheduleProblem parseProblem(llvm::StringRef text) {
  llvm::Expected<tileiras::ScheduleProblem> problem = tileiras::ScheduleProblem::parse(text, "test");
  if (!problem)
    FAIL(llvm::toString(problem.takeError()));
  return std::move(*problem);
}

/// A problem that passes check(): edges of distance 0 go forward in program order.
inline tileiras::ScheduleProblem makeRandomProblem(unsigned seed) {
  std::mt19937 random(seed);
  auto pick = [&](uint32_t low, uint32_t high) { return uint32_t(low + random() % (high - low + 1)); };
  tileiras::ScheduleProblem problem;
  for (unsigned i = 0, n = pick(1, 3); i < n; ++i)
    problem.units.push_back({"u" + std::to_string(i), pick(1, 2)});
  for (unsigned i = 0, n = pick(1, 9); i < n; ++i) {
    tileiras::ScheduleOperation operation{"o" + std::to_string(i), {}, pick(0, 6)};
    if (pick(0, 2))
      operation.uses.push_back({pick(0, uint32_t(problem.units.size()) - 1), pick(0, 2), pick(1, 4)});
    problem.operations.push_back(operation);
  }
  uint32_t last = problem.operations.size() - 1;
  for (unsigned i = 0, n = pick(0, 12); i < n; ++i) {
    uint32_t a = pick(0, last), b = pick(0, last);
    problem.dependences.push_back({a, b, pick(0, 9), a < b ? pick(0, 2) : pick(1, 3)});
  }
  return problem;
}

#endif // TILEIRAS_TESTS_UNIT_SCHEDULE_TESTPROBLEMS_H
