//===- RandomProblems.cpp - Scheduling problems by seed ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomProblems.h"
#include <random>

using namespace tileiras;

namespace {

/// The same numbers on every machine: distributions of the standard library are not.
class Dice {
public:
  explicit Dice(unsigned seed) : engine(seed) {}
  uint32_t pick(uint32_t low, uint32_t high) { return low + engine() % (high - low + 1); }
  bool oneIn(uint32_t n) { return pick(1, n) == 1; }

private:
  std::mt19937 engine;
};

ScheduleOperation makeOperation(Dice &dice, unsigned index, unsigned numUnits, uint32_t longest) {
  ScheduleOperation operation{"o" + std::to_string(index), {}, dice.pick(1, 2 * longest)};
  const unsigned numUses = dice.oneIn(8) ? 0 : dice.oneIn(3) ? 2 : 1;
  uint32_t offset = 0;
  for (unsigned i = 0; i < numUses; ++i) {
    const uint32_t duration = dice.pick(1, longest);
    operation.uses.push_back({dice.pick(0, numUnits - 1), offset, duration});
    // Together with the first, or after it.
    offset = dice.oneIn(2) ? 0 : duration + dice.pick(0, 3);
  }
  // Two uses of one unit do not meet.
  if (operation.uses.size() == 2 && operation.uses[0].unit == operation.uses[1].unit)
    operation.uses[1].offset = operation.uses[0].duration + dice.pick(0, 2);
  operation.registers = dice.oneIn(2) ? dice.pick(1, 32) : 0;
  return operation;
}

} // namespace

ScheduleProblem tileiras::makeProblem(unsigned seed, unsigned maxOperations) {
  Dice dice(seed);
  ScheduleProblem problem;
  const unsigned numUnits = dice.pick(1, 5), count = dice.pick(2, maxOperations);
  const uint32_t longest = dice.pick(2, dice.oneIn(3) ? 40 : 8);
  for (unsigned i = 0; i < numUnits; ++i)
    problem.units.push_back({"u" + std::to_string(i), dice.oneIn(5) ? 2u : 1u});
  for (unsigned i = 0; i < count; ++i)
    problem.operations.push_back(makeOperation(dice, i, numUnits, longest));
  for (unsigned i = 1; i < count; ++i)
    for (unsigned n = dice.pick(0, 2); n != 0; --n) {
      const unsigned source = dice.pick(0, i - 1);
      problem.dependences.push_back({source, i, problem.operations[source].latency, dice.oneIn(6) ? 1u : 0u});
    }
  for (unsigned n = dice.pick(0, 3); n != 0; --n) { // recurrences
    const unsigned a = dice.pick(0, count - 1), b = dice.pick(0, count - 1);
    problem.dependences.push_back(
        {std::max(a, b), std::min(a, b), problem.operations[std::max(a, b)].latency, dice.pick(1, 3)});
  }
  if (dice.oneIn(3)) {
    const unsigned producer = dice.pick(0, count - 2), consumer = dice.pick(producer + 1, count - 1);
    problem.addPipe(producer, consumer, problem.operations[producer].latency, dice.pick(1, 4));
  }
  return problem;
}

ScheduleProblem tileiras::makeLargeProblem(ProblemShape shape, unsigned operations) {
  Dice dice(operations);
  ScheduleProblem problem;
  constexpr unsigned numUnits = 6;
  const bool isChain = shape == ProblemShape::Chain || shape == ProblemShape::Reversed;
  for (unsigned i = 0; i < numUnits; ++i)
    problem.units.push_back({"u" + std::to_string(i), 1});
  for (unsigned i = 0; i < operations; ++i) {
    problem.operations.push_back(makeOperation(dice, i, numUnits, 16));
    for (unsigned n = isChain ? 1 : dice.pick(1, 3); i != 0 && n != 0; --n) {
      const unsigned source = isChain ? i - 1 : i - dice.pick(1, std::min(i, 32u));
      problem.dependences.push_back({source, i, problem.operations[source].latency, 0});
    }
  }
  if (shape == ProblemShape::Reversed)
    for (ScheduleDependence &edge : problem.dependences)
      std::swap(edge.source, edge.target);
  if (shape == ProblemShape::Recurrence)
    problem.dependences.push_back({operations - 1, 0, problem.operations.back().latency, 4});
  return problem;
}
