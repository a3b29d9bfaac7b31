//===- DependenceGraph.h - Who waits for whom ---------------- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_DEPENDENCEGRAPH_H
#define TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_DEPENDENCEGRAPH_H

#include "WorkBudget.h"
#include "tileiras/Schedule/Problem.h"
#include "llvm/ADT/ArrayRef.h"

namespace tileiras::async {

/// What reaches each other along `successors`, or one alone: sorted, and those first that nothing before them is
/// reached from.
std::vector<std::vector<unsigned>> findComponents(llvm::ArrayRef<std::vector<unsigned>> successors);

/// The dependences of a problem by operation, and its recurrences.
class DependenceGraph {
public:
  struct Edge {
    unsigned other;
    int64_t latency, distance;
    bool isOrder;

    /// Cycles that have to lie between the starts.
    int64_t getWeight(int64_t interval) const { return latency - interval * distance; }
  };

  explicit DependenceGraph(const ScheduleProblem &problem);

  size_t size() const { return outgoing.size(); }
  llvm::ArrayRef<Edge> getSuccessors(unsigned operation) const { return outgoing[operation]; }
  llvm::ArrayRef<Edge> getPredecessors(unsigned operation) const { return incoming[operation]; }

  /// The place of an operation in an order in which producers come before consumers of the same iteration.
  unsigned getPosition(unsigned operation) const { return positions[operation]; }
  unsigned getOperationAt(unsigned position) const { return inOrder[position]; }

  /// Operations that depend on each other over iterations, or one alone; producers come before consumers.
  llvm::ArrayRef<std::vector<unsigned>> getComponents() const { return components; }
  unsigned getComponent(unsigned operation) const { return componentOf[operation]; }
  bool isRecurrent(unsigned operation) const { return components[componentOf[operation]].size() > 1; }

  /// Longest path from each operation to any other, at an interval that is no less than RecMII.
  std::vector<int64_t> getHeights(int64_t interval) const;

private:
  void findRecurrences();
  void findPositions();

  std::vector<std::vector<Edge>> outgoing, incoming;
  std::vector<unsigned> positions, inOrder;
  std::vector<std::vector<unsigned>> components;
  std::vector<unsigned> componentOf;
};

/// What the operations that have a place leave to the others of a set: the rows of the all-pairs closure of latency -
/// II·distance that are needed, one after the other. Dependences to operations outside of the set do not count.
class StartWindows {
public:
  /// Of each recurrence, apart from the others.
  StartWindows(const DependenceGraph &graph, int64_t interval, WorkBudget &budget);
  /// What follows from bounds takes of `budget`; when that is over, windows are empty.
  StartWindows(const DependenceGraph &graph, int64_t interval, llvm::ArrayRef<unsigned> members, WorkBudget &budget);

  int64_t getEarliest(unsigned operation) const { return earliest[operation]; }
  int64_t getLatest(unsigned operation) const { return latest[operation]; }
  /// Narrows the window of an operation, and of all that follow from it. False: some window is empty.
  bool setEarliest(unsigned operation, int64_t cycle);
  bool setLatest(unsigned operation, int64_t cycle);
  bool fix(unsigned operation, int64_t cycle) { return setEarliest(operation, cycle) && setLatest(operation, cycle); }

  /// Undoing: every change after the mark.
  size_t getMark() const { return trail.size(); }
  void undo(size_t mark);

  static constexpr int64_t kFar = INT64_MAX / 4;

private:
  struct Change {
    unsigned operation;
    bool isEarliest;
    int64_t before;
  };
  /// A bound for one operation, with what it was.
  void setBound(unsigned operation, bool isEarliest, int64_t cycle);
  /// From `operation`, whose bound has changed, along the dependences. In the order of positions: within an iteration
  /// nobody is visited before all its producers (for the latest cycle: consumers) have been.
  bool propagate(unsigned operation, bool isEarliest);

  const DependenceGraph &graph;
  int64_t interval;
  WorkBudget *budget;
  std::vector<unsigned> setOf; ///< windows of one set depend on each other; 0: in none
  std::vector<int64_t> earliest, latest;
  std::vector<Change> trail;
};

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_DEPENDENCEGRAPH_H
