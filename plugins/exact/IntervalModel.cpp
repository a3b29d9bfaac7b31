//===- IntervalModel.cpp - A scheduling problem for the solver -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntervalModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras;
using namespace tileiras::exact;

/// Shorter than any path, and far from overflow.
static constexpr int64_t kNone = INT64_MIN / 4;

IntervalModel::IntervalModel(const ScheduleProblem &problem, int64_t interval, std::optional<int64_t> stages,
                             Clock::time_point end)
    : problem(problem), interval(interval), end(end), edges(problem.getAllDependences()), solver(context) {
  constexpr size_t most = 4000;
  if (problem.operations.size() > most) {
    isComplete = false;
    return;
  }
  for (unsigned i = 0; i < problem.operations.size(); ++i)
    starts.push_back(context.int_const(("s" + std::to_string(i)).c_str()));
  findDistances(stages);
  if (!goesOn())
    return;
  addDependences();
  if (stages)
    addLifetimes();
  for (unsigned unit = 0; unit < problem.units.size(); ++unit)
    addUnit(unit);
}

bool IntervalModel::goesOn() {
  isComplete &= Clock::now() < end;
  return isComplete;
}

void IntervalModel::closeDistances() {
  const size_t count = distances.size();
  for (size_t k = 0; k < count && goesOn(); ++k)
    for (size_t i = 0; i < count; ++i)
      for (size_t j = 0; distances[i][k] != kNone && j < count; ++j)
        if (distances[k][j] != kNone)
          distances[i][j] = std::max(distances[i][j], distances[i][k] + distances[k][j]);
}

void IntervalModel::findDistances(std::optional<int64_t> stages) {
  const size_t origin = starts.size();
  distances.assign(origin + 1, std::vector<int64_t>(origin + 1, kNone));
  auto addAll = [&] {
    for (const ScheduleDependence &edge : edges) {
      int64_t &distance = distances[edge.source][edge.target];
      distance = std::max(distance, int64_t(edge.latency) - interval * edge.distance);
    }
  };
  addAll();
  if (stages) {
    for (unsigned i = 0; i < origin; ++i) {
      const std::optional<uint32_t> &depth = problem.operations[i].constraints.maxDepth;
      distances[origin][i] = 0;
      distances[i][origin] = 1 - interval * std::min(*stages, depth ? int64_t(*depth) + 1 : *stages);
    }
    return closeDistances();
  }
  closeDistances();
  llvm::erase_if(edges, [&](const ScheduleDependence &edge) {
    return distances[edge.target][edge.source] == kNone && edge.source != edge.target;
  });
  std::vector<bool> isAnchor(origin, true); // The first of each recurrence is in the first interval.
  for (unsigned i = 0; i < origin; ++i)
    for (unsigned j = 0; j < i; ++j)
      if (distances[i][j] != kNone && distances[j][i] != kNone)
        isAnchor[i] = false;
  distances.assign(origin + 1, std::vector<int64_t>(origin + 1, kNone));
  addAll();
  for (unsigned i = 0; i < origin; ++i)
    if (isAnchor[i]) {
      distances[origin][i] = 0;
      distances[i][origin] = 1 - interval;
    }
  closeDistances();
}

void IntervalModel::addDependences() {
  const size_t origin = starts.size();
  for (unsigned i = 0; i < origin; ++i) {
    solver.add(starts[i] >= context.int_val(distances[origin][i]));
    solver.add(starts[i] <= context.int_val(-distances[i][origin]));
    if (distances[i][i] > 0)
      solver.add(context.bool_val(false));
  }
  for (const ScheduleDependence &edge : edges)
    if (edge.source != edge.target)
      solver.add(starts[edge.target] - starts[edge.source] >=
                 context.int_val(int64_t(edge.latency) - interval * edge.distance));
}

void IntervalModel::addLifetimes() {
  std::vector<std::optional<unsigned>> lifetimeOf(starts.size());
  for (const ScheduleDependence &edge : edges) {
    const unsigned registers = problem.operations[edge.source].registers;
    if (edge.isOrder || registers == 0)
      continue;
    if (!lifetimeOf[edge.source]) {
      lifetimeOf[edge.source] = lifetimes.size();
      lifetimes.emplace_back(registers, context.int_const(("l" + std::to_string(edge.source)).c_str()));
    }
    deferred.push_back(lifetimes[*lifetimeOf[edge.source]].second >=
                       starts[edge.target] - starts[edge.source] + context.int_val(interval * edge.distance));
    deferred.push_back(lifetimes[*lifetimeOf[edge.source]].second >= 0);
  }
}

/// From the start of `second` to the start of `first` there are, modulo the interval, at least the duration of `second`
/// and at most what leaves `gap` cycles.
z3::expr IntervalModel::areApart(const Use &first, const Use &second, int64_t gap) {
  const int64_t offset = first.offset - second.offset, low = second.duration, high = interval - gap;
  if (first.operation == second.operation) {
    const int64_t distance = ((offset % interval) + interval) % interval;
    return context.bool_val(low <= distance && distance <= high);
  }
  z3::expr_vector cases(context);
  const z3::expr distance = starts[first.operation] - starts[second.operation];
  const int64_t least = distances[second.operation][first.operation];
  const int64_t most = -distances[first.operation][second.operation];
  for (int64_t shift = llvm::divideFloorSigned(least + offset - high, interval);
       shift * interval <= most + offset - low; ++shift)
    if (low <= high)
      cases.push_back(distance >= context.int_val(low - offset + shift * interval) &&
                      distance <= context.int_val(high - offset + shift * interval));
  return z3::mk_or(cases);
}

/// Where a use starts there are no more others than the capacity leaves.
void IntervalModel::addUnit(unsigned unit) {
  int64_t capacity = problem.units[unit].capacity;
  std::vector<Use> uses;
  for (unsigned i = 0; i < starts.size(); ++i)
    for (const ResourceUse &use : problem.operations[i].uses)
      if (use.unit == unit) {
        capacity -= use.duration / interval; // What is longer is always there.
        if (use.duration % interval)
          uses.push_back({i, use.offset, use.duration % interval});
      }
  if (capacity < 0 || (capacity == 0 && !uses.empty())) {
    solver.add(context.bool_val(false));
    return;
  }
  for (size_t i = 0; i < uses.size() && goesOn(); ++i) {
    if (capacity == 1) {
      for (size_t j = 0; j < i; ++j)
        solver.add(areApart(uses[i], uses[j], uses[i].duration));
      continue;
    }
    z3::expr_vector overlaps(context);
    for (size_t j = 0; j < uses.size(); ++j)
      if (j != i) {
        const z3::expr overlap = context.bool_const(
            ("o" + std::to_string(unit) + "." + std::to_string(i) + "." + std::to_string(j)).c_str());
        solver.add(overlap || areApart(uses[i], uses[j], 1));
        overlaps.push_back(overlap);
      }
    if (int64_t(overlaps.size()) >= capacity)
      solver.add(z3::atmost(overlaps, capacity - 1));
  }
}

void IntervalModel::limitLifetimes(int64_t most) {
  for (const z3::expr &constraint : deferred)
    solver.add(constraint);
  z3::expr sum = context.int_val(0);
  for (const auto &[registers, cycles] : lifetimes)
    sum = sum + context.int_val(registers) * cycles;
  solver.add(sum <= context.int_val(most));
}

z3::check_result IntervalModel::solve() {
  if (!goesOn())
    return z3::unknown;
  z3::params parameters(context);
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
  parameters.set("timeout", unsigned(std::max<int64_t>(left, 1)));
  solver.set(parameters);
  return solver.check();
}

Schedule IntervalModel::getSchedule() const {
  const z3::model model = solver.get_model();
  std::vector<int64_t> cycles;
  for (const z3::expr &start : starts)
    cycles.push_back(model.eval(start, /*model_completion=*/true).get_numeral_int64());
  // Whole intervals until every dependence holds; within recurrences all hold already.
  const std::vector<ScheduleDependence> all = problem.getAllDependences();
  for (bool changed = true; changed;) {
    changed = false;
    for (const ScheduleDependence &edge : all) {
      const int64_t missing =
          cycles[edge.source] + int64_t(edge.latency) - interval * edge.distance - cycles[edge.target];
      if (missing > 0) {
        cycles[edge.target] += llvm::divideCeilSigned(missing, interval) * interval;
        changed = true;
      }
    }
  }
  Schedule schedule;
  schedule.initiationInterval = interval;
  const int64_t first = cycles.empty() ? 0 : llvm::divideFloorSigned(*llvm::min_element(cycles), interval) * interval;
  for (int64_t cycle : cycles)
    schedule.starts.push_back(cycle - first);
  return schedule;
}

int64_t exact::computeLifetimes(const ScheduleProblem &problem, const Schedule &schedule) {
  std::vector<int64_t> cycles(problem.operations.size());
  for (const ScheduleDependence &edge : problem.getAllDependences())
    if (!edge.isOrder)
      cycles[edge.source] =
          std::max(cycles[edge.source], int64_t(schedule.starts[edge.target]) - schedule.starts[edge.source] +
                                            int64_t(schedule.initiationInterval) * edge.distance);
  int64_t sum = 0;
  for (auto [operation, alive] : llvm::zip_equal(problem.operations, cycles))
    sum += alive * operation.registers;
  return sum;
}
