//===- Graphs.cpp - Graphs of launches, fills, events and allocations ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch of a graph is one operation of its stream. Of the nodes that may run, the one that was added last does, so
// that a dependency that is missing shows.
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"
#include <algorithm>
#include <cstring>

using namespace emudriver;

namespace emudriver {

namespace {

struct GraphExec : Object {
  struct Step {
    void *node = nullptr;
    NodeWork work;
  };
  std::vector<Step> steps; ///< in an order that is allowed
  std::shared_ptr<GraphReferences> references;
};

} // namespace

std::shared_ptr<GraphNode> addNode(Graph &graph, std::vector<void *> after, NodeWork work) {
  auto node = make<GraphNode>();
  node->work = std::move(work);
  node->after = std::move(after);
  graph.nodes.push_back(node);
  return node;
}

const GraphNode *findNode(const Graph &graph, void *handle) {
  auto it = std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](const auto &n) { return n->handle == handle; });
  return it == graph.nodes.end() ? nullptr : it->get();
}

bool isBefore(const Graph &graph, const std::vector<void *> &from, void *node) {
  std::vector<void *> open = from, seen;
  while (!open.empty()) {
    void *next = open.back();
    open.pop_back();
    if (next == node)
      return true;
    if (std::find(seen.begin(), seen.end(), next) != seen.end())
      continue;
    seen.push_back(next);
    if (const GraphNode *found = findNode(graph, next))
      open.insert(open.end(), found->after.begin(), found->after.end());
  }
  return false;
}

/// Adds a node after `dependencies`, which are the graph's.
static std::shared_ptr<GraphNode> addNode(void *graphHandle, void **dependencies, size_t count, NodeWork work) {
  auto graph = find<Graph>(graphHandle, "graph", kInvalidValue);
  require(dependencies || !count, kInvalidValue, "dependencies are null");
  std::vector<void *> after(dependencies, dependencies + count);
  for (void *dependency : after)
    require(findNode(*graph, dependency), kInvalidValue, "a dependency is no node of the graph");
  return addNode(*graph, std::move(after), std::move(work));
}

static NodeWork makeKernelWork(const KernelNodeParamsV1 &params, void *kernel, void *contextHandle,
                               const std::array<unsigned, 3> &cluster) {
  NodeWork work;
  work.type = kKernelNode;
  work.cluster = cluster;
  work.context = contextHandle ? find<Context>(contextHandle, "context", kInvalidContext) : currentContext();
  auto function = functionToLaunch(params.function ? params.function : kernel, work.context);
  LaunchRequest request(params.grid, params.block, params.sharedBytes, params.kernelParams, params.extra);
  request.cluster = cluster;
  work.launch = prepare(function, request);
  return work;
}

static void setKernelWork(NodeWork &work, const KernelNodeParamsV1 *params, void *kernel, void *context) {
  require(params, kInvalidValue, "null parameters");
  require(work.type == kKernelNode, kInvalidValue, "the node is no kernel's");
  work = makeKernelWork(*params, kernel, context, work.cluster);
}

static GraphExec::Step &findStep(void *exec, void *node) {
  auto found = find<GraphExec>(exec, "executable graph", kInvalidValue);
  for (GraphExec::Step &step : found->steps)
    if (step.node == node)
      return step;
  refuse(kInvalidValue, "the executable graph was not made of this node");
}

/// The nodes in an order that is allowed, the last that was added first.
static std::vector<GraphExec::Step> orderNodes(const Graph &graph) {
  std::vector<GraphExec::Step> steps;
  auto isDone = [&](void *handle) {
    return std::any_of(steps.begin(), steps.end(), [&](const GraphExec::Step &step) { return step.node == handle; });
  };
  while (steps.size() < graph.nodes.size())
    for (size_t i = graph.nodes.size(); i-- > 0;) {
      const GraphNode &node = *graph.nodes[i];
      if (!isDone(node.handle) && std::all_of(node.after.begin(), node.after.end(), isDone)) {
        steps.push_back({node.handle, node.work});
        break;
      }
    }
  return steps;
}

static void runStep(const NodeWork &work, Context &context) {
  if (work.work)
    return work.work();
  switch (work.type) {
  case kChildGraphNode:
    for (const GraphExec::Step &step : orderNodes(*work.child))
      if (context.lost == kSuccess)
        runStep(step.work, context);
    return;
  case kKernelNode:
    return runKernel(work.launch, context);
  case kMemsetNode:
    checkFill(work.fill);
    return fillMemory(work.fill);
  case kEventRecordNode:
    return setMoment(*work.event->time);
  default: // waits are the operation's; memory is there all the time
    return;
  }
}

static void launchGraph(const std::shared_ptr<GraphExec> &exec, const std::shared_ptr<Stream> &stream) {
  for (const GraphExec::Step &step : exec->steps) {
    const NodeWork &work = step.work;
    if (work.type == kKernelNode) // assumed; the real driver may crash
      require(isLoaded(*work.launch.function), kInvalidHandle,
              "the module of kernel '" + work.launch.function->name + "' was unloaded");
    if (work.type == kWaitEventNode && work.event->record)
      stream->waits.push_back(work.event->record);
  }
  const bool isCaptured = stream->capture != nullptr;
  auto operation = enqueue(stream, [steps = exec->steps, context = stream->context] {
    for (const GraphExec::Step &step : steps)
      if (context->lost == kSuccess)
        runStep(step.work, *context);
  });
  for (const GraphExec::Step &step : exec->steps)
    if (step.work.type == kEventRecordNode && !isCaptured) {
      step.work.event->time = makeMoment();
      step.work.event->record = operation;
    }
  if (Configuration::get().isBlocking)
    complete(operation);
}

static NodeWork makeEventWork(int type, void *event) {
  NodeWork work;
  work.type = type;
  work.event = find<Event>(event, "event");
  return work;
}

} // namespace emudriver

//===----------------------------------------------------------------------===//
// Graphs and their nodes
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuGraphCreate(void **graph, unsigned flags) {
  return call("cuGraphCreate", [&] {
    require(graph && flags == 0, kInvalidValue, "a null pointer, or flags");
    *graph = make<Graph>()->handle;
  });
}

EMULATED_CUDA_API cuGraphDestroy(void *handle) {
  return call("cuGraphDestroy", [&] {
    auto graph = find<Graph>(handle, "graph", kInvalidValue);
    for (auto &node : graph->nodes)
      State::get().remove(node->handle);
    State::get().remove(handle);
  });
}

EMULATED_CUDA_API cuGraphAddKernelNode(void **node, void *graph, void **dependencies, size_t count,
                                       const KernelNodeParamsV1 *params) {
  return call("cuGraphAddKernelNode", [&] {
    require(node && params, kInvalidValue, "a null pointer");
    *node = addNode(graph, dependencies, count, makeKernelWork(*params, nullptr, nullptr, {}))->handle;
  });
}

EMULATED_CUDA_API cuGraphAddKernelNode_v2(void **node, void *graph, void **dependencies, size_t count,
                                          const KernelNodeParams *params) {
  return call("cuGraphAddKernelNode", [&] {
    require(node && params, kInvalidValue, "a null pointer");
    auto work = makeKernelWork(*params, params->kernel, params->context, {});
    *node = addNode(graph, dependencies, count, std::move(work))->handle;
  });
}

EMULATED_CUDA_API cuGraphAddNode_v2(void **node, void *graph, void **dependencies, const void *edges, size_t count,
                                    GraphNodeParams *params) {
  return call("cuGraphAddNode", [&] {
    require(node && params, kInvalidValue, "a null pointer");
    require(!edges, kNotSupported, "the emulated driver knows plain edges only");
    require(params->type == kKernelNode || params->type == kEmptyNode, kNotSupported,
            "the emulated driver adds kernels and empty nodes by cuGraphAddNode, others by functions of their own");
    NodeWork work;
    if (params->type == kKernelNode)
      work = makeKernelWork(params->kernel, params->kernel.kernel, params->kernel.context, {});
    *node = addNode(graph, dependencies, count, std::move(work))->handle;
  });
}

EMULATED_CUDA_API cuGraphAddNode(void **node, void *graph, void **dependencies, size_t count, GraphNodeParams *params) {
  return cuGraphAddNode_v2(node, graph, dependencies, nullptr, count, params);
}

EMULATED_CUDA_API cuGraphAddEmptyNode(void **node, void *graph, void **dependencies, size_t count) {
  return call("cuGraphAddEmptyNode", [&] {
    require(node, kInvalidValue, "a null pointer");
    *node = addNode(graph, dependencies, count, {})->handle;
  });
}

EMULATED_CUDA_API cuGraphAddMemsetNode(void **node, void *graph, void **dependencies, size_t count,
                                       const MemsetNodeParams *params, void *context) {
  return call("cuGraphAddMemsetNode", [&] {
    require(node && params, kInvalidValue, "a null pointer");
    NodeWork work;
    work.type = kMemsetNode;
    work.fill = {params->destination, params->pitch, params->value, params->elementSize, params->width, params->height};
    checkFill(work.fill);
    *node = addNode(graph, dependencies, count, std::move(work))->handle;
  });
}

EMULATED_CUDA_API cuGraphAddMemcpyNode(void **node, void *graph, void **dependencies, size_t count,
                                       const Copy3D *params, void *context) {
  return call("cuGraphAddMemcpyNode", [&] {
    require(node && params, kInvalidValue, "a null pointer");
    NodeWork work;
    work.type = kMemcpyNode;
    work.work = makeCopy(*params);
    *node = addNode(graph, dependencies, count, std::move(work))->handle;
  });
}

EMULATED_CUDA_API cuGraphAddHostNode(void **node, void *graph, void **dependencies, size_t count,
                                     const HostNodeParams *params) {
  return call("cuGraphAddHostNode", [&] {
    require(node && params && params->function, kInvalidValue, "a null pointer");
    NodeWork work;
    work.type = kHostNode;
    work.work = [params = *params] { params.function(params.data); };
    *node = addNode(graph, dependencies, count, std::move(work))->handle;
  });
}

EMULATED_CUDA_API cuGraphAddChildGraphNode(void **node, void *graph, void **dependencies, size_t count, void *child) {
  return call("cuGraphAddChildGraphNode", [&] {
    require(node, kInvalidValue, "a null pointer");
    NodeWork work;
    work.type = kChildGraphNode;
    work.child = std::make_shared<Graph>(*find<Graph>(child, "graph", kInvalidValue)); // as it is now
    *node = addNode(graph, dependencies, count, std::move(work))->handle;
  });
}

EMULATED_CUDA_API cuGraphAddDependencies(void *graphHandle, void **from, void **to, size_t count) {
  return call("cuGraphAddDependencies", [&] {
    auto graph = find<Graph>(graphHandle, "graph", kInvalidValue);
    require((from && to) || !count, kInvalidValue, "a null pointer");
    for (size_t i = 0; i < count; ++i) {
      require(findNode(*graph, from[i]) && findNode(*graph, to[i]), kInvalidValue, "a node is none of the graph");
      require(!isBefore(*graph, {from[i]}, to[i]), kInvalidValue, "the nodes would wait for each other");
      find<GraphNode>(to[i], "node", kInvalidValue)->after.push_back(from[i]);
    }
  });
}

EMULATED_CUDA_API cuGraphAddDependencies_v2(void *graph, void **from, void **to, const void *edges, size_t count) {
  if (edges)
    return call("cuGraphAddDependencies", [&] { refuse(kNotSupported, "the emulated driver knows plain edges only"); });
  return cuGraphAddDependencies(graph, from, to, count);
}

EMULATED_CUDA_API cuGraphAddEventRecordNode(void **node, void *graph, void **dependencies, size_t count, void *event) {
  return call("cuGraphAddEventRecordNode", [&] {
    require(node, kInvalidValue, "a null pointer");
    *node = addNode(graph, dependencies, count, makeEventWork(kEventRecordNode, event))->handle;
  });
}

EMULATED_CUDA_API cuGraphAddEventWaitNode(void **node, void *graph, void **dependencies, size_t count, void *event) {
  return call("cuGraphAddEventWaitNode", [&] {
    require(node, kInvalidValue, "a null pointer");
    *node = addNode(graph, dependencies, count, makeEventWork(kWaitEventNode, event))->handle;
  });
}

EMULATED_CUDA_API cuGraphAddMemAllocNode(void **node, void *graph, void **dependencies, size_t count,
                                         MemAllocNodeParams *params) {
  return call("cuGraphAddMemAllocNode", [&] {
    require(node && params, kInvalidValue, "a null pointer");
    NodeWork work;
    work.type = kMemAllocNode;
    work.memory = std::make_shared<GraphMemory>();
    work.memory->address = allocateMemory(params->bytes, currentContext());
    params->pointer = work.memory->address;
    *node = addNode(graph, dependencies, count, std::move(work))->handle;
  });
}

EMULATED_CUDA_API cuGraphAddMemFreeNode(void **node, void *graph, void **dependencies, size_t count,
                                        DevicePointer pointer) {
  return call("cuGraphAddMemFreeNode", [&] {
    require(node, kInvalidValue, "a null pointer");
    require(findRange(pointer, 1).base == pointer, kInvalidValue, "the pointer is not the start of an allocation");
    NodeWork work;
    work.type = kMemFreeNode;
    *node = addNode(graph, dependencies, count, std::move(work))->handle;
  });
}

EMULATED_CUDA_API cuGraphKernelNodeSetParams(void *node, const KernelNodeParamsV1 *params) {
  return call("cuGraphKernelNodeSetParams",
              [&] { setKernelWork(find<GraphNode>(node, "node", kInvalidValue)->work, params, nullptr, nullptr); });
}

EMULATED_CUDA_API cuGraphKernelNodeSetParams_v2(void *node, const KernelNodeParams *params) {
  return call("cuGraphKernelNodeSetParams", [&] {
    require(params, kInvalidValue, "null parameters");
    setKernelWork(find<GraphNode>(node, "node", kInvalidValue)->work, params, params->kernel, params->context);
  });
}

EMULATED_CUDA_API cuGraphNodeSetParams(void *node, GraphNodeParams *params) {
  return call("cuGraphNodeSetParams", [&] {
    require(params && params->type == kKernelNode, kNotSupported, "the emulated driver changes kernels only");
    setKernelWork(find<GraphNode>(node, "node", kInvalidValue)->work, &params->kernel, params->kernel.kernel,
                  params->kernel.context);
  });
}

static void answerKernelNode(void *handle, KernelNodeParamsV1 *params) {
  require(params, kInvalidValue, "a null pointer");
  auto node = find<GraphNode>(handle, "node", kInvalidValue);
  require(node->work.type == kKernelNode, kInvalidValue, "the node is no kernel's");
  ptxemu::LaunchOptions &options = node->work.launch.options;
  node->argumentPointers.clear();
  for (auto &argument : options.arguments)
    node->argumentPointers.push_back(argument.data());
  params->function = node->work.launch.function->handle;
  std::copy(options.grid.begin(), options.grid.end(), params->grid);
  std::copy(options.block.begin(), options.block.end(), params->block);
  params->sharedBytes = options.dynamicShared;
  params->kernelParams = node->argumentPointers.data();
  params->extra = nullptr;
}

EMULATED_CUDA_API cuGraphKernelNodeGetParams(void *node, KernelNodeParamsV1 *params) {
  return call("cuGraphKernelNodeGetParams", [&] { answerKernelNode(node, params); });
}

EMULATED_CUDA_API cuGraphKernelNodeGetParams_v2(void *node, KernelNodeParams *params) {
  return call("cuGraphKernelNodeGetParams", [&] {
    answerKernelNode(node, params);
    params->kernel = nullptr;
    params->context = find<GraphNode>(node, "node")->work.context->handle;
  });
}

EMULATED_CUDA_API cuGraphKernelNodeSetAttribute(void *handle, int attribute, const void *value) {
  return call("cuGraphKernelNodeSetAttribute", [&] {
    require(value, kInvalidValue, "a null pointer");
    auto node = find<GraphNode>(handle, "node", kInvalidValue);
    KernelNodeParams params;
    answerKernelNode(handle, &params);
    LaunchRequest request(params.grid, params.block, params.sharedBytes, params.kernelParams, nullptr);
    request.cluster = node->work.cluster;
    LaunchAttribute asked;
    asked.id = attribute;
    std::memcpy(&asked.value, value, sizeof asked.value);
    request.apply(asked);
    node->work.launch = prepare(node->work.launch.function, request);
    node->work.cluster = request.cluster;
  });
}

//===----------------------------------------------------------------------===//
// Executable graphs
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuGraphInstantiateWithFlags(void **handle, void *graphHandle, unsigned long long flags) {
  return call("cuGraphInstantiate", [&] {
    require(handle, kInvalidValue, "a null pointer");
    auto graph = find<Graph>(graphHandle, "graph", kInvalidValue);
    auto exec = make<GraphExec>();
    exec->steps = orderNodes(*graph);
    exec->references = graph->references;
    *handle = exec->handle;
  });
}

EMULATED_CUDA_API cuGraphInstantiateWithParams(void **exec, void *graph, InstantiateParams *params) {
  const Result result = cuGraphInstantiateWithFlags(exec, graph, params ? params->flags : 0);
  if (params)
    params->result = result == kSuccess ? 0 : 1;
  return result;
}

// With another graph of the same nodes: what was made of the first does what that does.
EMULATED_CUDA_API cuGraphExecUpdate_v2(void *execHandle, void *graphHandle, UpdateResult *info) {
  return call("cuGraphExecUpdate", [&] {
    auto exec = find<GraphExec>(execHandle, "executable graph", kInvalidValue);
    auto steps = orderNodes(*find<Graph>(graphHandle, "graph", kInvalidValue));
    const bool isSame = std::equal(steps.begin(), steps.end(), exec->steps.begin(), exec->steps.end(),
                                   [](const auto &a, const auto &b) { return a.work.type == b.work.type; });
    if (info)
      *info = {isSame ? 0 : 2, nullptr, nullptr}; // CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED
    require(isSame, kGraphExecUpdateFailure, "the graph has other nodes");
    for (size_t i = 0; i < steps.size(); ++i)
      exec->steps[i].work = steps[i].work;
  });
}

EMULATED_CUDA_API cuGraphInstantiate_v2(void **exec, void *graph, void **errorNode, char *log, size_t logBytes) {
  return cuGraphInstantiateWithFlags(exec, graph, 0);
}

EMULATED_CUDA_API cuGraphExecDestroy(void *handle) {
  return call("cuGraphExecDestroy", [&] {
    find<GraphExec>(handle, "executable graph", kInvalidValue);
    State::get().remove(handle);
  });
}

EMULATED_CUDA_API cuGraphExecKernelNodeSetParams(void *exec, void *node, const KernelNodeParamsV1 *params) {
  return call("cuGraphExecKernelNodeSetParams",
              [&] { setKernelWork(findStep(exec, node).work, params, nullptr, nullptr); });
}

EMULATED_CUDA_API cuGraphExecKernelNodeSetParams_v2(void *exec, void *node, const KernelNodeParams *params) {
  return call("cuGraphExecKernelNodeSetParams", [&] {
    require(params, kInvalidValue, "null parameters");
    setKernelWork(findStep(exec, node).work, params, params->kernel, params->context);
  });
}

EMULATED_CUDA_API cuGraphExecNodeSetParams(void *exec, void *node, GraphNodeParams *params) {
  return call("cuGraphExecNodeSetParams", [&] {
    require(params && params->type == kKernelNode, kNotSupported, "the emulated driver changes kernels only");
    setKernelWork(findStep(exec, node).work, &params->kernel, params->kernel.kernel, params->kernel.context);
  });
}

EMULATED_CUDA_API cuGraphLaunch(void *exec, void *stream) {
  return call("cuGraphLaunch",
              [&] { launchGraph(find<GraphExec>(exec, "executable graph", kInvalidValue), findStream(stream)); });
}
EMULATED_CUDA_API cuGraphLaunch_ptsz(void *exec, void *stream) {
  PerThreadScope perThread;
  return cuGraphLaunch(exec, stream);
}

EMULATED_CUDA_API cuGraphUpload(void *exec, void *stream) {
  return call("cuGraphUpload", [&] {
    find<GraphExec>(exec, "executable graph", kInvalidValue);
    findStream(stream);
  });
}
