//===- Constraints.h - What a refinement round asks for ------ -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_CONSTRAINTS_H
#define TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_CONSTRAINTS_H

#include "DependenceGraph.h"

namespace tileiras::async {

/// Six families. Hard: resources (the reservation table), serial execution (dependences that the problem adds), largest
/// depth. Soft, given up one after the other when a round fails: the order within a group, union, same depth.
class ConstraintSet {
public:
  ConstraintSet(const ScheduleProblem &problem, const DependenceGraph &graph);

  /// Gives up a soft family; false: there is none left that asks for something.
  bool relax();

  /// Operations that get their places together: recurrences, and what union constraints join with all that comes
  /// between. Producers first; among those that are ready, the longest path first.
  std::vector<std::vector<unsigned>> makeGroups(llvm::ArrayRef<int64_t> heights) const;
  /// The group whose members share a depth; 0: none.
  uint32_t getLeader(unsigned operation) const { return keepsSameDepth ? leaders[operation] : 0; }
  /// Members of a group start in program order.
  bool keepsOrder(unsigned operation) const { return keepsStructure && leaders[operation] != 0; }
  std::optional<uint32_t> getMaxDepth(unsigned operation) const {
    return problem.operations[operation].constraints.maxDepth;
  }

private:
  /// The group of each component of the graph, numbered producers first.
  std::vector<unsigned> joinComponents() const;

  const ScheduleProblem &problem;
  const DependenceGraph &graph;
  std::vector<uint32_t> leaders; ///< 0: in no group
  bool hasGroups = false, keepsStructure = true, keepsUnions = true, keepsSameDepth = true;
};

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_CONSTRAINTS_H
