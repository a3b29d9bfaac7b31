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
#include <deque>

using namespace tileiras;
using namespace tileiras::async;

namespace {
/// For LLVM's algorithms, which walk pointers from an entry.
struct Node {
  unsigned operation = 0;
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

DependenceGraph::DependenceGraph(const ScheduleProblem &problem)
    : outgoing(problem.operations.size()), incoming(problem.operations.size()) {
  for (const ScheduleDependence &edge : problem.getAllDependences()) {
    outgoing[edge.source].push_back({edge.target, edge.latency, edge.distance, edge.isOrder});
    incoming[edge.target].push_back({edge.source, edge.latency, edge.distance, edge.isOrder});
  }
  findComponents();
}

void DependenceGraph::findComponents() {
  std::vector<Node> nodes(size() + 1);
  Node &entry = nodes.back();
  for (unsigned i = 0; i < size(); ++i) {
    nodes[i].operation = i;
    for (const Edge &edge : outgoing[i])
      nodes[i].successors.push_back(&nodes[edge.other]);
    entry.successors.push_back(&nodes[i]);
  }
  componentOf.resize(size());
  for (auto it = llvm::scc_begin(&entry); !it.isAtEnd(); ++it) {
    if (it->front() == &entry)
      continue;
    std::vector<unsigned> &members = components.emplace_back();
    for (Node *node : *it)
      members.push_back(node->operation);
    llvm::sort(members);
  }
  std::reverse(components.begin(), components.end()); // They come consumers first.
  for (auto [index, members] : llvm::enumerate(components))
    for (unsigned member : members)
      componentOf[member] = index;
}

std::vector<int64_t> DependenceGraph::getHeights(int64_t interval) const {
  std::vector<int64_t> heights(size());
  for (const std::vector<unsigned> &members : llvm::reverse(components))
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned member : members)
        for (const Edge &edge : outgoing[member])
          if (int64_t height = heights[edge.other] + edge.getWeight(interval); height > heights[member]) {
            heights[member] = height;
            changed |= members.size() > 1;
          }
    }
  return heights;
}

StartWindows::StartWindows(const DependenceGraph &graph, int64_t interval, llvm::ArrayRef<unsigned> members)
    : graph(graph), interval(interval), isMember(graph.size()), earliest(graph.size(), -kFar),
      latest(graph.size(), kFar) {
  for (unsigned member : members)
    isMember[member] = true;
}

bool StartWindows::setEarliest(unsigned operation, int64_t cycle) {
  std::deque<std::pair<unsigned, int64_t>> work = {{operation, cycle}};
  while (!work.empty()) {
    auto [current, bound] = work.front();
    work.pop_front();
    if (bound <= earliest[current])
      continue;
    trail.push_back({current, true, earliest[current]});
    earliest[current] = bound;
    if (bound > latest[current])
      return false;
    for (const DependenceGraph::Edge &edge : graph.getSuccessors(current))
      if (isMember[edge.other] && edge.other != current)
        work.push_back({edge.other, bound + edge.getWeight(interval)});
  }
  return true;
}

bool StartWindows::setLatest(unsigned operation, int64_t cycle) {
  std::deque<std::pair<unsigned, int64_t>> work = {{operation, cycle}};
  while (!work.empty()) {
    auto [current, bound] = work.front();
    work.pop_front();
    if (bound >= latest[current])
      continue;
    trail.push_back({current, false, latest[current]});
    latest[current] = bound;
    if (bound < earliest[current])
      return false;
    for (const DependenceGraph::Edge &edge : graph.getPredecessors(current))
      if (isMember[edge.other] && edge.other != current)
        work.push_back({edge.other, bound - edge.getWeight(interval)});
  }
  return true;
}

void StartWindows::undo(size_t mark) {
  for (; trail.size() > mark; trail.pop_back())
    (trail.back().isEarliest ? earliest : latest)[trail.back().operation] = trail.back().before;
}
