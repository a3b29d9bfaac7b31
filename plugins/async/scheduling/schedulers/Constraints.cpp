//===- Constraints.cpp - What a refinement round asks for ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constraints.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>
#include <set>

using namespace tileiras;
using namespace tileiras::async;

/// Groups are numbers that attributes choose: made dense for the union-find.
ConstraintSet::ConstraintSet(const ScheduleProblem &problem, const DependenceGraph &graph)
    : problem(problem), graph(graph), leaders(problem.operations.size()) {
  std::map<uint32_t, unsigned> ids;
  auto getId = [&](uint32_t group) { return ids.try_emplace(group, ids.size()).first->second; };
  for (const ScheduleOperation &operation : problem.operations) {
    getId(operation.constraints.group);
    getId(operation.constraints.leaderGroup);
  }
  llvm::IntEqClasses classes(ids.size());
  for (const ScheduleOperation &operation : problem.operations)
    classes.join(getId(operation.constraints.group), getId(operation.constraints.leaderGroup));
  classes.compress();
  for (auto [leader, operation] : llvm::zip_equal(leaders, problem.operations))
    if (operation.constraints.group != 0 || operation.constraints.leaderGroup != 0) {
      leader = classes[getId(operation.constraints.group)] + 1;
      hasGroups = true;
    }
}

bool ConstraintSet::relax() {
  if (!hasGroups || !keepsSameDepth)
    return false;
  for (bool *family : {&keepsStructure, &keepsUnions, &keepsSameDepth})
    if (*family) {
      *family = false;
      break;
    }
  return true;
}

std::vector<unsigned> ConstraintSet::joinComponents() const {
  const size_t numComponents = graph.getComponents().size();
  llvm::IntEqClasses classes(numComponents);
  llvm::DenseMap<uint32_t, unsigned> firstOf;
  for (unsigned i = 0; i < graph.size(); ++i)
    if (leaders[i])
      classes.join(firstOf.try_emplace(leaders[i], graph.getComponent(i)).first->second, graph.getComponent(i));
  // What comes between two of a group is in the group: else the one would wait for the other for ever.
  classes.compress();
  std::vector<std::vector<unsigned>> successors(classes.getNumClasses());
  for (unsigned i = 0; i < graph.size(); ++i)
    for (const DependenceGraph::Edge &edge : graph.getSuccessors(i))
      successors[classes[graph.getComponent(i)]].push_back(classes[graph.getComponent(edge.other)]);
  std::vector<unsigned> groupOfClass(successors.size());
  for (auto [group, members] : llvm::enumerate(findComponents(successors)))
    for (unsigned member : members)
      groupOfClass[member] = group;
  std::vector<unsigned> groups(numComponents);
  for (auto [component, group] : llvm::enumerate(groups))
    group = groupOfClass[classes[component]];
  return groups;
}

std::vector<std::vector<unsigned>> ConstraintSet::makeGroups(llvm::ArrayRef<int64_t> heights) const {
  std::vector<unsigned> groupOf(graph.getComponents().size());
  std::iota(groupOf.begin(), groupOf.end(), 0);
  if (hasGroups && keepsUnions)
    groupOf = joinComponents();
  const unsigned numGroups = groupOf.empty() ? 0 : *llvm::max_element(groupOf) + 1;

  std::vector<std::vector<unsigned>> members(numGroups);
  std::vector<int64_t> priority(numGroups, INT64_MIN);
  for (unsigned i = 0; i < graph.size(); ++i) {
    const unsigned group = groupOf[graph.getComponent(i)];
    members[group].push_back(i);
    priority[group] = std::max(priority[group], heights[i]);
  }
  std::vector<unsigned> pending(numGroups);
  auto forEachSuccessor = [&](unsigned group, auto visit) {
    for (unsigned member : members[group])
      for (const DependenceGraph::Edge &edge : graph.getSuccessors(member))
        if (unsigned other = groupOf[graph.getComponent(edge.other)]; other != group)
          visit(other);
  };
  for (unsigned group = 0; group < numGroups; ++group)
    forEachSuccessor(group, [&](unsigned other) { ++pending[other]; });

  // Longest path first, then program order.
  std::set<std::tuple<int64_t, unsigned, unsigned>> ready;
  auto makeReady = [&](unsigned group) { ready.insert({-priority[group], members[group].front(), group}); };
  for (unsigned group = 0; group < numGroups; ++group)
    if (pending[group] == 0)
      makeReady(group);
  std::vector<std::vector<unsigned>> order;
  while (!ready.empty()) {
    const unsigned group = std::get<2>(*ready.begin());
    ready.erase(ready.begin());
    forEachSuccessor(group, [&](unsigned other) {
      if (--pending[other] == 0)
        makeReady(other);
    });
    order.push_back(std::move(members[group]));
  }
  return order;
}
