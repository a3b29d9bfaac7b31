//===- DependenceGraph.cpp - Who waits for whom --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DependenceGraph.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include <queue>

using namespace tileiras;
using namespace tileiras::async;

namespace {
/// For LLVM's algorithms, which walk pointers from an entry.
struct Node {
  unsigned number = 0;
  std::vector<Node *> successors;
};
} // namespace

template <>
struct llvm::GraphTraits<Node *> {
  using NodeRef = Node *;
  using ChildIteratorType = std::vector<Node *>::iterator;
  static NodeRef getEntryNode(Node *entry) { return entry; }
  static ChildIteratorType child_begin(NodeRef node) { return node->successors.begin(); }
  static ChildIteratorType child_end(NodeRef node) { return node->successors.end(); }
};

std::vector<std::vector<unsigned>> async::findComponents(llvm::ArrayRef<std::vector<unsigned>> successors) {
  std::vector<Node> nodes(successors.size() + 1);
  Node &entry = nodes.back();
  for (auto [index, next] : llvm::enumerate(successors)) {
    nodes[index].number = index;
    for (unsigned other : next)
      nodes[index].successors.push_back(&nodes[other]);
    entry.successors.push_back(&nodes[index]);
  }
  std::vector<std::vector<unsigned>> components;
  for (auto it = llvm::scc_begin(&entry); !it.isAtEnd(); ++it) {
    if (it->front() == &entry)
      continue;
    std::vector<unsigned> &members = components.emplace_back();
    for (Node *node : *it)
      members.push_back(node->number);
    llvm::sort(members);
  }
  std::reverse(components.begin(), components.end()); // They come the last to be reached first.
  return components;
}

DependenceGraph::DependenceGraph(const ScheduleProblem &problem)
    : outgoing(problem.operations.size()), incoming(problem.operations.size()) {
  for (const ScheduleDependence &edge : problem.getAllDependences()) {
    outgoing[edge.source].push_back({edge.target, edge.latency, edge.distance, edge.isOrder});
    incoming[edge.target].push_back({edge.source, edge.latency, edge.distance, edge.isOrder});
  }
  findRecurrences();
  findPositions();
}

/// Kahn's algorithm; there is no cycle within an iteration.
void DependenceGraph::findPositions() {
  std::vector<unsigned> pending(size());
  for (const std::vector<Edge> &edges : outgoing)
    for (const Edge &edge : edges)
      pending[edge.other] += edge.distance == 0;
  for (unsigned i = 0; i < size(); ++i)
    if (pending[i] == 0)
      inOrder.push_back(i);
  for (size_t next = 0; next < inOrder.size(); ++next)
    for (const Edge &edge : outgoing[inOrder[next]])
      if (edge.distance == 0 && --pending[edge.other] == 0)
        inOrder.push_back(edge.other);
  positions.resize(size());
  for (auto [position, operation] : llvm::enumerate(inOrder))
    positions[operation] = position;
}

void DependenceGraph::findRecurrences() {
  std::vector<std::vector<unsigned>> successors(size());
  for (auto [next, edges] : llvm::zip_equal(successors, outgoing))
    for (const Edge &edge : edges)
      next.push_back(edge.other);
  components = findComponents(successors);
  componentOf.resize(size());
  for (auto [index, members] : llvm::enumerate(components))
    for (unsigned member : members)
      componentOf[member] = index;
}

std::vector<int64_t> DependenceGraph::getHeights(int64_t interval) const {
  std::vector<int64_t> heights(size());
  for (std::vector<unsigned> members : llvm::reverse(components)) {
    // Consumers first: only what iterations hand on takes a round more.
    llvm::sort(members, [&](unsigned a, unsigned b) { return positions[a] > positions[b]; });
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned member : members)
        for (const Edge &edge : outgoing[member])
          if (int64_t height = heights[edge.other] + edge.getWeight(interval); height > heights[member]) {
            heights[member] = height;
            changed |= members.size() > 1 && edge.distance != 0;
          }
    }
  }
  return heights;
}

StartWindows::StartWindows(const DependenceGraph &graph, int64_t interval, WorkBudget &budget)
    : graph(graph), interval(interval), budget(&budget), setOf(graph.size()), earliest(graph.size(), -kFar),
      latest(graph.size(), kFar) {
  for (unsigned i = 0; i < graph.size(); ++i)
    if (graph.isRecurrent(i))
      setOf[i] = graph.getComponent(i) + 1;
}

StartWindows::StartWindows(const DependenceGraph &graph, int64_t interval, llvm::ArrayRef<unsigned> members,
                           WorkBudget &budget)
    : graph(graph), interval(interval), budget(&budget), setOf(graph.size()), earliest(graph.size(), -kFar),
      latest(graph.size(), kFar) {
  for (unsigned member : members)
    setOf[member] = 1;
}

void StartWindows::setBound(unsigned operation, bool isEarliest, int64_t cycle) {
  int64_t &bound = (isEarliest ? earliest : latest)[operation];
  trail.push_back({operation, isEarliest, bound});
  bound = cycle;
}

bool StartWindows::propagate(unsigned operation, bool isEarliest) {
  // The least rank first.
  auto getRank = [&](unsigned member) {
    const unsigned position = graph.getPosition(member);
    return isEarliest ? position : unsigned(graph.size()) - 1 - position;
  };
  auto getMember = [&](unsigned rank) {
    return graph.getOperationAt(isEarliest ? rank : unsigned(graph.size()) - 1 - rank);
  };
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> work;
  work.push(getRank(operation));
  while (!work.empty()) {
    if (budget->isOver())
      return false;
    budget->spend(1);
    const unsigned rank = work.top();
    while (!work.empty() && work.top() == rank)
      work.pop();
    const unsigned current = getMember(rank);
    for (const DependenceGraph::Edge &edge :
         isEarliest ? graph.getSuccessors(current) : graph.getPredecessors(current)) {
      budget->spend(1);
      if (setOf[edge.other] != setOf[current] || edge.other == current)
        continue;
      const int64_t weight = edge.getWeight(interval);
      const int64_t cycle = isEarliest ? earliest[current] + weight : latest[current] - weight;
      if (isEarliest ? cycle <= earliest[edge.other] : cycle >= latest[edge.other])
        continue;
      setBound(edge.other, isEarliest, cycle);
      if (earliest[edge.other] > latest[edge.other])
        return false;
      work.push(getRank(edge.other));
    }
  }
  return true;
}

bool StartWindows::setEarliest(unsigned operation, int64_t cycle) {
  if (cycle <= earliest[operation])
    return true;
  setBound(operation, /*isEarliest=*/true, cycle);
  return cycle <= latest[operation] && propagate(operation, /*isEarliest=*/true);
}

bool StartWindows::setLatest(unsigned operation, int64_t cycle) {
  if (cycle >= latest[operation])
    return true;
  setBound(operation, /*isEarliest=*/false, cycle);
  return cycle >= earliest[operation] && propagate(operation, /*isEarliest=*/false);
}

void StartWindows::undo(size_t mark) {
  for (; trail.size() > mark; trail.pop_back())
    (trail.back().isEarliest ? earliest : latest)[trail.back().operation] = trail.back().before;
}
