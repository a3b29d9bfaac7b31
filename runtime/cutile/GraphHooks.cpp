//===- GraphHooks.cpp - Kernel nodes of graphs ----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Correction.h"

using namespace tileiras;
using namespace tileiras::cutile;

static constexpr int kKernelNode = 0; ///< a type of graph nodes

static bool correctNode(KernelNodeParams1 &params) noexcept {
  return correct(params.function, params.block, params.sharedBytes);
}

static bool correctNode(KernelNodeParams2 &params) noexcept {
  if (params.function)
    return correct(params.function, params.block, params.sharedBytes);
  return correct(params.kernel, params.block, params.sharedBytes, params.context);
}

static bool correctNode(GraphNodeParams &params) noexcept {
  return params.type == kKernelNode && correctNode(params.kernel);
}

/// The parameters to pass: the program's own, or a corrected copy. The driver writes to those of other types of nodes
/// only.
template <typename Params>
static Params *correctedNode(Params *params, std::remove_const_t<Params> &copy) noexcept {
  if (!params)
    return params;
  copy = *params;
  return correctNode(copy) ? &copy : params;
}

int cuGraphAddKernelNode(TILEIRAS_NODE_PARAMETERS, size_t dependencyCount, const KernelNodeParams1 *params) {
  KernelNodeParams1 copy;
  return callOriginal<&cuGraphAddKernelNode>(node, graph, dependencies, dependencyCount, correctedNode(params, copy));
}

int cuGraphAddKernelNode_v2(TILEIRAS_NODE_PARAMETERS, size_t dependencyCount, const KernelNodeParams2 *params) {
  KernelNodeParams2 copy;
  return callOriginal<&cuGraphAddKernelNode_v2>(node, graph, dependencies, dependencyCount,
                                                correctedNode(params, copy));
}

int cuGraphAddNode(TILEIRAS_NODE_PARAMETERS, size_t dependencyCount, GraphNodeParams *params) {
  GraphNodeParams copy;
  return callOriginal<&cuGraphAddNode>(node, graph, dependencies, dependencyCount, correctedNode(params, copy));
}

int cuGraphAddNode_v2(TILEIRAS_NODE_PARAMETERS, const void *edges, size_t dependencyCount, GraphNodeParams *params) {
  GraphNodeParams copy;
  return callOriginal<&cuGraphAddNode_v2>(node, graph, dependencies, edges, dependencyCount,
                                          correctedNode(params, copy));
}

int cuGraphKernelNodeSetParams(Handle node, const KernelNodeParams1 *params) {
  KernelNodeParams1 copy;
  return callOriginal<&cuGraphKernelNodeSetParams>(node, correctedNode(params, copy));
}

int cuGraphKernelNodeSetParams_v2(Handle node, const KernelNodeParams2 *params) {
  KernelNodeParams2 copy;
  return callOriginal<&cuGraphKernelNodeSetParams_v2>(node, correctedNode(params, copy));
}

int cuGraphExecKernelNodeSetParams(Handle graph, Handle node, const KernelNodeParams1 *params) {
  KernelNodeParams1 copy;
  return callOriginal<&cuGraphExecKernelNodeSetParams>(graph, node, correctedNode(params, copy));
}

int cuGraphExecKernelNodeSetParams_v2(Handle graph, Handle node, const KernelNodeParams2 *params) {
  KernelNodeParams2 copy;
  return callOriginal<&cuGraphExecKernelNodeSetParams_v2>(graph, node, correctedNode(params, copy));
}

int cuGraphNodeSetParams(Handle node, GraphNodeParams *params) {
  GraphNodeParams copy;
  return callOriginal<&cuGraphNodeSetParams>(node, correctedNode(params, copy));
}

int cuGraphExecNodeSetParams(Handle graph, Handle node, GraphNodeParams *params) {
  GraphNodeParams copy;
  return callOriginal<&cuGraphExecNodeSetParams>(graph, node, correctedNode(params, copy));
}
