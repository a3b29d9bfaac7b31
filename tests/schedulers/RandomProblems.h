//===- RandomProblems.h - Scheduling problems by seed -------- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_SCHEDULERS_RANDOMPROBLEMS_H
#define TILEIRAS_TESTS_SCHEDULERS_RANDOMPROBLEMS_H

#include "tileiras/Schedule/Problem.h"

namespace tileiras {

/// Units, operations with one or several uses, values, recurrences, pipes, constraints now and then. Passes check().
ScheduleProblem makeProblem(unsigned seed, unsigned maxOperations);

enum class ProblemShape {
  Chain,      ///< each operation waits for the one before
  Random,     ///< each operation waits for a few before
  Recurrence, ///< the same, and the last hands over to the first of the next iteration
  Reversed,   ///< a chain whose last operation is the first of the program
};
ScheduleProblem makeLargeProblem(ProblemShape shape, unsigned operations);

} // namespace tileiras

#endif // TILEIRAS_TESTS_SCHEDULERS_RANDOMPROBLEMS_H
