//===- Placement.cpp - A schedule in the making --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras;
using namespace tileiras::async;

static int64_t floorDivide(int64_t value, int64_t by) {
  return llvm::divideFloorSigned(value, by);
}

Placement::Placement(const ScheduleProblem &problem, const DependenceGraph &graph, const ConstraintSet &constraints,
                     int64_t interval, WorkBudget &budget)
    : graph(&graph), constraints(&constraints), interval(interval), budget(&budget), table(problem, interval, budget),
      seats(graph.size()), notes(graph.size()), pending(graph.size()) {
  for (unsigned i = 0; i < graph.size(); ++i)
    if (uint32_t leader = constraints.getLeader(i)) {
      peers.resize(std::max<size_t>(peers.size(), leader + 1));
      peers[leader].push_back(i);
    }
}

std::optional<int64_t> Placement::admit(unsigned operation, int64_t from, int64_t last, Gate &gate) const {
  gate = Gate::Open;
  if (pending[operation]) {
    gate = Gate::Pending;
    return std::nullopt;
  }
  if (std::optional<uint32_t> depth = constraints->getMaxDepth(operation);
      depth && last >= (int64_t(*depth) + 1) * interval) {
    gate = Gate::Depth;
    last = (int64_t(*depth) + 1) * interval - 1;
  }
  if (uint32_t leader = constraints->getLeader(operation))
    for (unsigned peer : peers[leader])
      if (seats[peer]) {
        const int64_t begin = floorDivide(*seats[peer], interval) * interval;
        if (from < begin || last >= begin + interval)
          gate = Gate::Leader;
        from = std::max(from, begin);
        last = std::min(last, begin + interval - 1);
        break;
      }
  if (from > last)
    return std::nullopt;
  std::optional<int64_t> cycle = table.findFree(operation, from, last);
  if (!cycle || *cycle > from)
    gate = Gate::Reservation;
  else
    gate = Gate::Open;
  return cycle;
}

void Placement::seat(unsigned operation, int64_t cycle, Arm arm, Gate gate) {
  seats[operation] = cycle;
  notes[operation] = {arm, gate};
  table.add(operation, cycle);
}

void Placement::unseat(unsigned operation) {
  table.remove(operation, *seats[operation]);
  seats[operation] = std::nullopt;
}

int64_t Placement::getEarliest(unsigned operation, int64_t lowest) const {
  for (const DependenceGraph::Edge &edge : graph->getPredecessors(operation))
    if (seats[edge.other] && edge.other != operation)
      lowest = std::max(lowest, *seats[edge.other] + edge.getWeight(interval));
  return lowest;
}

int64_t Placement::getLatest(unsigned operation) const {
  int64_t latest = StartWindows::kFar;
  for (const DependenceGraph::Edge &edge : graph->getSuccessors(operation))
    if (seats[edge.other] && edge.other != operation)
      latest = std::min(latest, *seats[edge.other] - edge.getWeight(interval));
  return latest;
}

std::vector<unsigned> Placement::findObstacles(unsigned operation, int64_t cycle) const {
  std::vector<unsigned> obstacles;
  budget->spend(seats.size());
  if (auto conflict = table.findConflict(operation, cycle))
    for (unsigned i = 0; i < seats.size(); ++i)
      if (seats[i] && table.covers(i, *seats[i], conflict->first, conflict->second))
        obstacles.push_back(i);
  return obstacles;
}

void Placement::settleStages() {
  // Components come producers first: those before have been moved.
  for (const std::vector<unsigned> &members : graph->getComponents()) {
    int64_t shift = INT64_MIN;
    for (unsigned member : members) {
      shift = std::max(shift, -floorDivide(*seats[member], interval));
      for (const DependenceGraph::Edge &edge : graph->getPredecessors(member))
        if (graph->getComponent(edge.other) != graph->getComponent(member))
          shift = std::max(
              shift, llvm::divideCeilSigned(*seats[edge.other] + edge.getWeight(interval) - *seats[member], interval));
    }
    for (unsigned member : members)
      *seats[member] += shift * interval; // The rows stay.
  }
}

void Placement::shortenLifetimes(const ScheduleProblem &problem) {
  auto countRegisters = [&](unsigned operation) -> int64_t {
    int64_t read = 0;
    for (const DependenceGraph::Edge &edge : graph->getPredecessors(operation))
      read += edge.isOrder ? 0 : problem.operations[edge.other].registers;
    return int64_t(problem.operations[operation].registers) - read;
  };
  for (const std::vector<unsigned> &members : llvm::reverse(graph->getComponents())) {
    const unsigned operation = members.front();
    if (members.size() != 1 || graph->getSuccessors(operation).empty() || countRegisters(operation) <= 0 ||
        constraints->getMaxDepth(operation) || constraints->getLeader(operation))
      continue;
    const int64_t latest = getLatest(operation);
    if (latest < StartWindows::kFar && latest > *seats[operation])
      *seats[operation] += (latest - *seats[operation]) / interval * interval;
  }
}

std::optional<Schedule> Placement::finish() const {
  static constexpr const char *armNames[] = {"permute", "fuse", "retry", "cost"};
  static constexpr const char *gateNames[] = {"open", "G1 pending", "G2 depth", "G3 reservation", "G4 leader"};
  Schedule schedule;
  schedule.initiationInterval = interval;
  int64_t first = StartWindows::kFar;
  for (std::optional<int64_t> seat : seats)
    first = std::min(first, *seat);
  for (auto [seat, note] : llvm::zip_equal(seats, notes)) {
    if (*seat - first > UINT32_MAX)
      return std::nullopt;
    schedule.starts.push_back(*seat - first);
    schedule.placement.push_back(std::string(armNames[unsigned(note.first)]) + ", " + gateNames[unsigned(note.second)]);
  }
  return schedule;
}
