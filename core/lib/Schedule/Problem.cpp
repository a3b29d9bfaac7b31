//===- Problem.cpp - What a scheduler is asked ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/Problem.h"
#include "IterationOrder.h"
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

std::vector<llvm::SmallVector<unsigned, 4>> tileiras::groupBySource(const std::vector<ScheduleDependence> &edges,
                                                                    size_t numOperations) {
  std::vector<llvm::SmallVector<unsigned, 4>> bySource(numOperations);
  for (auto [index, edge] : llvm::enumerate(edges))
    bySource[edge.source].push_back(index);
  return bySource;
}

std::vector<unsigned> tileiras::orderWithinIteration(const std::vector<ScheduleDependence> &edges,
                                                     const std::vector<llvm::SmallVector<unsigned, 4>> &bySource) {
  std::vector<unsigned> pending(bySource.size()), order;
  for (const ScheduleDependence &edge : edges)
    pending[edge.target] += edge.distance == 0;
  for (unsigned i = 0; i < pending.size(); ++i)
    if (pending[i] == 0)
      order.push_back(i);
  for (size_t next = 0; next < order.size(); ++next)
    for (unsigned edge : bySource[order[next]])
      if (edges[edge].distance == 0 && --pending[edges[edge].target] == 0)
        order.push_back(edges[edge].target);
  return order;
}

/// An operation that waits for a cycle of dependences of distance 0, if there is one.
static std::optional<unsigned> findCycleWithinIteration(const ScheduleProblem &problem) {
  const std::vector<ScheduleDependence> edges = problem.getAllDependences();
  const std::vector<unsigned> order = orderWithinIteration(edges, groupBySource(edges, problem.operations.size()));
  if (order.size() == problem.operations.size())
    return std::nullopt;
  std::vector<bool> isOrdered(problem.operations.size());
  for (unsigned operation : order)
    isOrdered[operation] = true;
  return llvm::find(isOrdered, false) - isOrdered.begin();
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
