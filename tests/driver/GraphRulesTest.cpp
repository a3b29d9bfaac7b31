//===- GraphRulesTest.cpp - Graphs of launches ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RulesTest.h"

using namespace emudriver;
using namespace emudriver::testing;

namespace {

/// A graph of stores into one word.
struct StoreGraph {
  TestContext context;
  TestModule module{storePtx(".reqntid 32, 1, 1")};
  DevicePointer out = allocateWords(2);
  void *graph = nullptr, *exec = nullptr;
  StoreGraph() { REQUIRE(cuGraphCreate(&graph, 0) == kSuccess); }

  KernelNodeParams params(std::vector<void *> &arguments, unsigned &value) {
    arguments = {&out, &value};
    KernelNodeParams p;
    p.function = module.function;
    p.block[0] = 32;
    p.kernelParams = arguments.data();
    return p;
  }
  void *addStore(unsigned value, std::vector<void *> after = {}) {
    std::vector<void *> arguments;
    KernelNodeParams p = params(arguments, value);
    void *node = nullptr;
    REQUIRE(cuGraphAddKernelNode_v2(&node, graph, after.data(), after.size(), &p) == kSuccess);
    return node;
  }
  unsigned run() {
    if (!exec)
      REQUIRE(cuGraphInstantiateWithFlags(&exec, graph, 0) == kSuccess);
    REQUIRE(cuGraphLaunch(exec, nullptr) == kSuccess);
    return readWords(out, 1)[0];
  }
};

} // namespace

TEST_CASE("Nodes of a graph run after those that they name") {
  StoreGraph g;
  void *first = g.addStore(1);
  SECTION("and in no order otherwise") {
    g.addStore(2);
    CHECK(g.run() == 1);
  }
  SECTION("kernels after kernels") {
    g.addStore(2, {first});
    CHECK(g.run() == 2);
  }
  SECTION("fills after kernels") {
    MemsetNodeParams fill{.destination = g.out, .value = 77, .elementSize = 4, .width = 1, .height = 1};
    void *node = nullptr;
    REQUIRE(cuGraphAddMemsetNode(&node, g.graph, &first, 1, &fill, g.context.handle) == kSuccess);
    CHECK(g.run() == 77);
    fill.width = 3;
    CHECK(cuGraphAddMemsetNode(&node, g.graph, &first, 1, &fill, g.context.handle) == kInvalidValue);
  }
  SECTION("a dependency is a node of the graph") {
    void *other = nullptr, *node = nullptr;
    REQUIRE(cuGraphCreate(&other, 0) == kSuccess);
    CHECK(cuGraphAddEmptyNode(&node, other, &first, 1) == kInvalidValue);
  }
}

TEST_CASE("Kernel nodes have the rules of launches") {
  StoreGraph g;
  std::vector<void *> arguments;
  unsigned value = 4;
  KernelNodeParams p = g.params(arguments, value);
  void *node = nullptr;
  auto add = [&] { return cuGraphAddKernelNode_v2(&node, g.graph, nullptr, 0, &p); };
  SECTION("the block") {
    p.block[0] = 1;
    CHECK(add() == kInvalidValue);
  }
  SECTION("the arguments") {
    p.kernelParams = nullptr;
    CHECK(add() == kInvalidValue);
  }
  SECTION("the function") {
    p.function = nullptr;
    CHECK(add() == kInvalidHandle);
  }
  SECTION("arguments are copied when the node is added") {
    REQUIRE(add() == kSuccess);
    value = 5;
    CHECK(g.run() == 4);
  }
  SECTION("the first version of the parameters") {
    REQUIRE(cuGraphAddKernelNode(&node, g.graph, nullptr, 0, &p) == kSuccess);
    CHECK(g.run() == 4);
  }
  SECTION("a node of the general kind") {
    GraphNodeParams general;
    general.kernel = p;
    REQUIRE(cuGraphAddNode(&node, g.graph, nullptr, 0, &general) == kSuccess);
    CHECK(g.run() == 4);
  }
}

TEST_CASE("A kernel stands in the place of a function") {
  StoreGraph g;
  void *library = nullptr, *node = nullptr;
  REQUIRE(cuLibraryLoadData(&library, storePtx().c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) == kSuccess);
  std::vector<void *> arguments;
  unsigned value = 8;
  KernelNodeParams p = g.params(arguments, value);
  p.function = nullptr;
  p.context = g.context.handle;
  REQUIRE(cuLibraryGetKernel(&p.kernel, library, "k") == kSuccess);
  REQUIRE(cuGraphAddKernelNode_v2(&node, g.graph, nullptr, 0, &p) == kSuccess);
  CHECK(g.run() == 8);
  SECTION("until its library is unloaded") {
    REQUIRE(cuLibraryUnload(library) == kSuccess);
    CHECK(cuGraphLaunch(g.exec, nullptr) == kInvalidHandle);
  }
}

TEST_CASE("Parameters of nodes change") {
  StoreGraph g;
  void *node = g.addStore(1);
  CHECK(g.run() == 1);
  std::vector<void *> arguments;
  unsigned value = 2;
  KernelNodeParams p = g.params(arguments, value);
  SECTION("of an executable graph") {
    REQUIRE(cuGraphExecKernelNodeSetParams_v2(g.exec, node, &p) == kSuccess);
    CHECK(g.run() == 2);
    p.block[0] = 64;
    CHECK(cuGraphExecKernelNodeSetParams_v2(g.exec, node, &p) == kInvalidValue);
  }
  SECTION("of a graph, for those that are made of it") {
    REQUIRE(cuGraphKernelNodeSetParams_v2(node, &p) == kSuccess);
    CHECK(g.run() == 1);
    REQUIRE(cuGraphExecDestroy(g.exec) == kSuccess);
    g.exec = nullptr;
    CHECK(g.run() == 2);
  }
  SECTION("and can be asked for") {
    KernelNodeParams got;
    REQUIRE(cuGraphKernelNodeGetParams_v2(node, &got) == kSuccess);
    CHECK(got.function == g.module.function);
    CHECK(got.block[0] == 32);
    CHECK(*static_cast<unsigned *>(got.kernelParams[1]) == 1);
  }
}

TEST_CASE("A node has a cluster", "[sm_90]") {
  StoreGraph g;
  void *node = g.addStore(1);
  LaunchAttribute attribute;
  attribute.value.dimensions[0] = 2;
  attribute.value.dimensions[1] = attribute.value.dimensions[2] = 1;
  CHECK(cuGraphKernelNodeSetAttribute(node, kAttributeClusterDimension, &attribute.value) == kInvalidValue); // grid 1
  attribute.value.dimensions[0] = 1;
  CHECK(cuGraphKernelNodeSetAttribute(node, kAttributeClusterDimension, &attribute.value) == kSuccess);
  CHECK(g.run() == 1);
}

TEST_CASE("Events and memory in a graph") {
  StoreGraph g;
  void *begin = nullptr, *end = nullptr, *node = nullptr, *allocation = nullptr;
  REQUIRE(cuEventCreate(&begin, 0) == kSuccess);
  REQUIRE(cuEventCreate(&end, 0) == kSuccess);
  MemAllocNodeParams memory;
  memory.bytes = 64;
  REQUIRE(cuGraphAddMemAllocNode(&allocation, g.graph, nullptr, 0, &memory) == kSuccess);
  REQUIRE(cuGraphAddEventRecordNode(&begin, g.graph, &allocation, 1, begin) == kSuccess);
  CHECK(cuMemsetD8_v2(memory.pointer, 1, 64) == kSuccess);
  CHECK(cuGraphAddMemFreeNode(&node, g.graph, &begin, 1, memory.pointer) == kSuccess);
  CHECK(cuGraphAddMemFreeNode(&node, g.graph, &begin, 1, 64) == kInvalidValue);
  g.addStore(3, {begin});
  CHECK(g.run() == 3);
  REQUIRE(cuGraphDestroy(g.graph) == kSuccess);
  CHECK(cuGraphDestroy(g.graph) == kInvalidValue);
  CHECK(g.run() == 3);
  REQUIRE(cuGraphExecDestroy(g.exec) == kSuccess);
  CHECK(cuGraphLaunch(g.exec, nullptr) == kInvalidValue);
  CHECK(cuMemsetD8_v2(memory.pointer, 1, 64) == kInvalidValue);
}
