//===- GraphQueries.cpp - What graphs say of themselves -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"
#include <algorithm>
#include <fstream>

using namespace emudriver;

namespace emudriver {

/// A list as these functions give it: its length where there is no room, else as many as there is room for.
static void answerHandles(const std::vector<void *> &handles, void **room, size_t *count) {
  require(count, kInvalidValue, "a null pointer");
  if (room)
    std::copy_n(handles.begin(), std::min(*count, handles.size()), room);
  *count = handles.size();
}

/// Pairs of nodes: the second follows the first.
static void answerPairs(const std::vector<void *> &from, const std::vector<void *> &to, void **fromRoom, void **toRoom,
                        size_t *count) {
  require(count && !fromRoom == !toRoom, kInvalidValue, "a null pointer");
  size_t room = *count;
  answerHandles(from, fromRoom, &room);
  answerHandles(to, toRoom, count);
}

static const char *nameOfType(int type) {
  switch (type) {
  case kKernelNode:
    return "kernel";
  case kMemcpyNode:
    return "memcpy";
  case kMemsetNode:
    return "memset";
  case kHostNode:
    return "host";
  case kChildGraphNode:
    return "graph";
  case kWaitEventNode:
    return "wait for event";
  case kEventRecordNode:
    return "record event";
  case kMemAllocNode:
    return "allocate";
  case kMemFreeNode:
    return "free";
  default:
    return "empty";
  }
}

static std::string drawGraph(const Graph &graph) {
  auto number = [&](void *handle) {
    const auto isNode = [&](const auto &node) { return node->handle == handle; };
    return std::to_string(std::find_if(graph.nodes.begin(), graph.nodes.end(), isNode) - graph.nodes.begin());
  };
  std::string text = "digraph graph_of_kernels {\n";
  for (auto &node : graph.nodes) {
    std::string label = nameOfType(node->work.type);
    if (node->work.type == kKernelNode)
      label += " " + node->work.launch.function->name;
    text += "  n" + number(node->handle) + " [label=\"" + label + "\"];\n";
    for (void *before : node->after)
      text += "  n" + number(before) + " -> n" + number(node->handle) + ";\n";
  }
  return text + "}\n";
}

} // namespace emudriver

EMULATED_CUDA_API cuGraphGetNodes(void *graph, void **nodes, size_t *count) {
  return call("cuGraphGetNodes", [&] {
    std::vector<void *> handles;
    for (auto &node : find<Graph>(graph, "graph", kInvalidValue)->nodes)
      handles.push_back(node->handle);
    answerHandles(handles, nodes, count);
  });
}

EMULATED_CUDA_API cuGraphGetRootNodes(void *graph, void **nodes, size_t *count) {
  return call("cuGraphGetRootNodes", [&] {
    std::vector<void *> handles;
    for (auto &node : find<Graph>(graph, "graph", kInvalidValue)->nodes)
      if (node->after.empty())
        handles.push_back(node->handle);
    answerHandles(handles, nodes, count);
  });
}

EMULATED_CUDA_API cuGraphNodeGetDependencies(void *node, void **nodes, size_t *count) {
  return call("cuGraphNodeGetDependencies",
              [&] { answerHandles(find<GraphNode>(node, "node", kInvalidValue)->after, nodes, count); });
}

EMULATED_CUDA_API cuGraphNodeGetType(void *node, int *type) {
  return call("cuGraphNodeGetType", [&] {
    require(type, kInvalidValue, "a null pointer");
    *type = find<GraphNode>(node, "node", kInvalidValue)->work.type;
  });
}

EMULATED_CUDA_API cuGraphNodeGetDependencies_v2(void *node, void **nodes, void *edges, size_t *count) {
  return cuGraphNodeGetDependencies(node, nodes, count);
}

namespace emudriver {

static std::vector<void *> dependentsOf(void *handle) {
  find<GraphNode>(handle, "node", kInvalidValue);
  std::vector<void *> handles;
  for (auto &[other, object] : State::get().objects)
    if (auto node = std::dynamic_pointer_cast<GraphNode>(object))
      if (std::find(node->after.begin(), node->after.end(), handle) != node->after.end())
        handles.push_back(other);
  return handles;
}

} // namespace emudriver

EMULATED_CUDA_API cuGraphNodeGetDependentNodes(void *node, void **nodes, size_t *count) {
  return call("cuGraphNodeGetDependentNodes", [&] { answerHandles(dependentsOf(node), nodes, count); });
}
EMULATED_CUDA_API cuGraphNodeGetDependentNodes_v2(void *node, void **nodes, void *edges, size_t *count) {
  return cuGraphNodeGetDependentNodes(node, nodes, count);
}

EMULATED_CUDA_API cuGraphGetEdges(void *graph, void **from, void **to, size_t *count) {
  return call("cuGraphGetEdges", [&] {
    std::vector<void *> before, after;
    for (auto &node : find<Graph>(graph, "graph", kInvalidValue)->nodes)
      for (void *other : node->after) {
        before.push_back(other);
        after.push_back(node->handle);
      }
    answerPairs(before, after, from, to, count);
  });
}
EMULATED_CUDA_API cuGraphGetEdges_v2(void *graph, void **from, void **to, void *edges, size_t *count) {
  return cuGraphGetEdges(graph, from, to, count);
}

EMULATED_CUDA_API cuGraphDebugDotPrint(void *graph, const char *path, unsigned flags) {
  return call("cuGraphDebugDotPrint", [&] {
    require(path, kInvalidValue, "a null pointer");
    std::ofstream out(path);
    out << drawGraph(*find<Graph>(graph, "graph", kInvalidValue));
    require(out.flush().good(), kFileNotFound, std::string("cannot write ") + path);
  });
}
