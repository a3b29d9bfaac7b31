//===- Problem.cpp - What a scheduler is asked ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/Problem.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras;

template <typename... Args>
static llvm::Error problemError(const char *format, Args &&...args) {
  return llvm::createStringError(llvm::formatv(format, std::forward<Args>(args)...).str());
}

template <typename Items>
static std::optional<unsigned> findNamed(const Items &items, llvm::StringRef name) {
  for (auto [index, item] : llvm::enumerate(items))
    if (item.name == name)
      return index;
  return std::nullopt;
}

std::optional<unsigned> ScheduleProblem::findUnit(llvm::StringRef name) const {
  return findNamed(units, name);
}
std::optional<unsigned> ScheduleProblem::findOperation(llvm::StringRef name) const {
  return findNamed(operations, name);
}

void ScheduleProblem::addPipe(unsigned producer, unsigned consumer, uint32_t latency, uint32_t depth) {
  dependences.push_back({producer, consumer, latency, 0});
  dependences.push_back({consumer, producer, operations[consumer].latency, depth, /*isOrder=*/true});
}

std::vector<ScheduleDependence> ScheduleProblem::getAllDependences() const {
  std::vector<ScheduleDependence> all = dependences;
  std::optional<unsigned> first, last;
  for (auto [index, operation] : llvm::enumerate(operations)) {
    if (!operation.constraints.forceSerial)
      continue;
    if (last)
      all.push_back({*last, unsigned(index), operations[*last].latency, 0, /*isOrder=*/true});
    first = first.value_or(index);
    last = index;
  }
  if (last)
    all.push_back({*last, *first, operations[*last].latency, 1, /*isOrder=*/true});
  return all;
}

//===----------------------------------------------------------------------===//
// Check
//===----------------------------------------------------------------------===//

/// An operation on a cycle of dependences of distance 0, if there is one (Kahn's algorithm).
static std::optional<unsigned> findCycleWithinIteration(const ScheduleProblem &problem) {
  std::vector<unsigned> pending(problem.operations.size());
  std::vector<llvm::SmallVector<unsigned, 4>> successors(problem.operations.size());
  for (const ScheduleDependence &edge : problem.getAllDependences())
    if (edge.distance == 0) {
      ++pending[edge.target];
      successors[edge.source].push_back(edge.target);
    }
  llvm::SmallVector<unsigned> ready;
  for (unsigned i = 0; i < pending.size(); ++i)
    if (pending[i] == 0)
      ready.push_back(i);
  while (!ready.empty())
    for (unsigned next : successors[ready.pop_back_val()])
      if (--pending[next] == 0)
        ready.push_back(next);
  for (unsigned i = 0; i < pending.size(); ++i)
    if (pending[i] != 0)
      return i;
  return std::nullopt;
}

llvm::Error ScheduleProblem::check() const {
  llvm::StringSet<> names;
  for (const ExecutionUnit &unit : units) {
    if (!names.insert(unit.name).second)
      return problemError("unit '{0}' is declared twice", unit.name);
    if (unit.capacity == 0)
      return problemError("unit '{0}' has no capacity", unit.name);
  }
  names.clear();
  for (const ScheduleOperation &operation : operations) {
    if (!names.insert(operation.name).second)
      return problemError("operation '{0}' is declared twice", operation.name);
    for (const ResourceUse &use : operation.uses)
      if (use.unit >= units.size() || use.duration == 0)
        return problemError("operation '{0}' uses a unit that does not exist, or for no cycle", operation.name);
  }
  auto isOperation = [&](unsigned index) { return index < operations.size(); };
  for (const ScheduleDependence &edge : dependences)
    if (!isOperation(edge.source) || !isOperation(edge.target))
      return problemError("a dependence names an operation that does not exist");
  for (const ScheduleBuffer &buffer : buffers)
    if (!isOperation(buffer.producer) || !llvm::all_of(buffer.consumers, isOperation))
      return problemError("buffer '{0}' names an operation that does not exist", buffer.name);
  if (std::optional<unsigned> operation = findCycleWithinIteration(*this))
    return problemError("operation '{0}' depends on itself within one iteration", operations[*operation].name);
  return llvm::Error::success();
}
