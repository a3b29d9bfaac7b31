//===- Graphs.h - Graphs and their nodes ------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EMULATED_GRAPHS_H
#define TILEIRAS_EMULATED_GRAPHS_H

#include "Launch.h"

namespace emudriver {

/// Memory of an allocation node. The real driver gives and takes it with each launch of the graph; here it is there as
/// long as the node, and the executable graphs that were made of it.
struct GraphMemory {
  uint64_t address = 0;
  ~GraphMemory() {
    // Whoever called cuMemFree was first.
    if (auto &allocations = State::get().allocations; allocations.count(address))
      freeMemory(address);
  }
};

struct Graph;

struct NodeWork {
  int type = kEmptyNode;
  PreparedLaunch launch;
  std::shared_ptr<Context> context; ///< of a kernel
  std::array<unsigned, 3> cluster{};
  Fill fill;
  std::function<void()> work; ///< of what is nothing of the others: a copy, a function of the host
  std::shared_ptr<Event> event;
  std::shared_ptr<GraphMemory> memory;
  std::shared_ptr<Graph> child;
};

struct GraphNode : Object {
  NodeWork work;
  std::vector<void *> after;
  std::vector<void *> argumentPointers; ///< to what cuGraphKernelNodeGetParams answers
};

struct UserObject;
/// Objects of the program's that live as long as the graph and what was made of it.
struct GraphReferences {
  std::map<std::shared_ptr<UserObject>, unsigned> objects; ///< and how many references there are
  ~GraphReferences();
};

struct Graph : Object {
  std::vector<std::shared_ptr<GraphNode>> nodes;
  std::shared_ptr<GraphReferences> references = std::make_shared<GraphReferences>();
};

/// Adds a node after `after`, which are the graph's.
std::shared_ptr<GraphNode> addNode(Graph &, std::vector<void *> after, NodeWork);
/// Null: it is none of the graph.
const GraphNode *findNode(const Graph &, void *handle);
/// What copies rows or slices; refuses what it cannot.
std::function<void()> makeCopy(const Copy3D &);
/// Whether `node` is one of `from`, or of those that they follow.
bool isBefore(const Graph &, const std::vector<void *> &from, void *node);

} // namespace emudriver

#endif // TILEIRAS_EMULATED_GRAPHS_H
