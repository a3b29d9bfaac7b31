//===- CaptureRulesTest.cpp - Streams whose work becomes a graph ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RulesTest.h"
#include <cstdio>
#include <fstream>
#include <iterator>

using namespace emudriver;
using namespace emudriver::testing;

namespace {

constexpr int kRelaxed = 2;

/// A stream, and words that it works on.
struct CapturedWork {
  TestContext context;
  TestModule module{storePtx()};
  DevicePointer out = allocateWords(4);
  void *stream = nullptr, *graph = nullptr, *exec = nullptr;
  CapturedWork() { REQUIRE(cuStreamCreate(&stream, kStreamNonBlocking) == kSuccess); }

  void store(unsigned value, void *on = nullptr, DevicePointer where = 0) {
    DevicePointer place = where ? where : out;
    REQUIRE(Launch{.stream = on ? on : stream}(module.function, {&place, &value}) == kSuccess);
  }
  void begin() { REQUIRE(cuStreamBeginCapture_v2(stream, kRelaxed) == kSuccess); }
  void end() { REQUIRE(cuStreamEndCapture(stream, &graph) == kSuccess); }
  void run() {
    if (!exec)
      REQUIRE(cuGraphInstantiateWithFlags(&exec, graph, 0) == kSuccess);
    REQUIRE(cuGraphLaunch(exec, stream) == kSuccess);
    REQUIRE(cuStreamSynchronize(stream) == kSuccess);
  }
  std::vector<void *> nodes() {
    size_t count = 0;
    REQUIRE(cuGraphGetNodes(graph, nullptr, &count) == kSuccess);
    std::vector<void *> handles(count);
    REQUIRE(cuGraphGetNodes(graph, handles.data(), &count) == kSuccess);
    return handles;
  }
};

} // namespace

TEST_CASE("What a captured stream is asked is done when the graph is launched") {
  CapturedWork w;
  unsigned host = 3, back = 0;
  w.begin();
  int status = 0;
  CHECK(cuStreamIsCapturing(w.stream, &status) == kSuccess);
  CHECK(status == 1);
  w.store(5);
  REQUIRE(cuMemcpyHtoDAsync_v2(w.out + 4, &host, 4, w.stream) == kSuccess);
  REQUIRE(cuMemsetD32Async(w.out + 8, 7, 2, w.stream) == kSuccess);
  REQUIRE(cuMemcpyDtoHAsync_v2(&back, w.out, 4, w.stream) == kSuccess);
  CHECK(cuStreamSynchronize(w.stream) == kCaptureUnsupported);
  CHECK(cuStreamQuery(w.stream) == kCaptureUnsupported);
  w.end();
  CHECK(readWords(w.out, 4) == std::vector<unsigned>{0, 0, 0, 0});
  host = 4; // read when the graph runs
  w.run();
  CHECK(readWords(w.out, 4) == std::vector<unsigned>{5, 4, 7, 7});
  CHECK(back == 5);
  const auto nodes = w.nodes();
  REQUIRE(nodes.size() == 4);
  int type = -1;
  CHECK(cuGraphNodeGetType(nodes[0], &type) == kSuccess);
  CHECK(type == kKernelNode);
  CHECK(cuGraphNodeGetType(nodes[1], &type) == kSuccess);
  CHECK(type == kMemcpyNode);
  CHECK(cuGraphNodeGetType(nodes[2], &type) == kSuccess);
  CHECK(type == kMemsetNode);
  size_t count = 0;
  CHECK(cuGraphNodeGetDependencies(nodes[1], nullptr, &count) == kSuccess);
  CHECK(count == 1);
  CHECK(cuGraphGetRootNodes(w.graph, nullptr, &count) == kSuccess);
  CHECK(count == 1);
  CHECK(cuStreamIsCapturing(w.stream, &status) == kSuccess);
  CHECK(status == 0);
}

TEST_CASE("An event takes another stream into the capture, and back") {
  CapturedWork w;
  void *other = nullptr, *forked = nullptr, *joined = nullptr, *graph = nullptr;
  REQUIRE(cuStreamCreate(&other, kStreamNonBlocking) == kSuccess);
  REQUIRE(cuEventCreate(&forked, 0) == kSuccess);
  REQUIRE(cuEventCreate(&joined, 0) == kSuccess);
  w.begin();
  w.store(1);
  REQUIRE(cuEventRecord(forked, w.stream) == kSuccess);
  REQUIRE(cuStreamWaitEvent(other, forked, 0) == kSuccess);
  int status = 0;
  CHECK(cuStreamIsCapturing(other, &status) == kSuccess);
  CHECK(status == 1);
  w.store(2, other);
  REQUIRE(cuEventRecord(joined, other) == kSuccess);
  SECTION("waited for") {
    REQUIRE(cuStreamWaitEvent(w.stream, joined, 0) == kSuccess);
    w.store(3);
    w.end();
    w.run();
    CHECK(readWords(w.out, 1)[0] == 3);
    CHECK(w.nodes().size() == 3);
  }
  SECTION("not waited for") {
    CHECK(cuStreamEndCapture(w.stream, &graph) == kCaptureUnjoined);
    CHECK(graph == nullptr);
  }
  CHECK(cuStreamIsCapturing(other, &status) == kSuccess);
  CHECK(status == 0);
}

TEST_CASE("What cannot be captured is refused") {
  CapturedWork w;
  CHECK(cuStreamEndCapture(w.stream, &w.graph) == kCaptureUnmatched);
  CHECK(cuStreamBeginCapture_v2(nullptr, kRelaxed) == kCaptureUnsupported);
  CHECK(cuStreamBeginCapture_v2(w.stream, 3) == kInvalidValue);
  w.begin();
  CHECK(cuStreamBeginCapture_v2(w.stream, kRelaxed) == kCaptureUnsupported);
  w.end();
  w.run(); // nothing
}

TEST_CASE("A captured graph's kernels get other parameters, and another graph's") {
  CapturedWork w;
  w.begin();
  w.store(1);
  w.end();
  w.run();
  KernelNodeParams params;
  REQUIRE(cuGraphKernelNodeGetParams_v2(w.nodes()[0], &params) == kSuccess);
  unsigned ten = 10;
  params.kernelParams[1] = &ten;
  REQUIRE(cuGraphExecKernelNodeSetParams_v2(w.exec, w.nodes()[0], &params) == kSuccess);
  w.run();
  CHECK(readWords(w.out, 1)[0] == 10);
  void *exec = w.exec;
  w.begin();
  w.store(20);
  w.end();
  UpdateResult result;
  REQUIRE(cuGraphExecUpdate_v2(exec, w.graph, &result) == kSuccess);
  w.run();
  CHECK(readWords(w.out, 1)[0] == 20);
  w.begin();
  w.store(1);
  w.store(2);
  w.end();
  CHECK(cuGraphExecUpdate_v2(exec, w.graph, &result) == kGraphExecUpdateFailure);
}

static void addOne(void *data) {
  ++*static_cast<int *>(data);
}

TEST_CASE("The host's functions are called in their turn, captured or not") {
  CapturedWork w;
  int calls = 0;
  REQUIRE(cuLaunchHostFunc(w.stream, addOne, &calls) == kSuccess);
  CHECK(calls == 0);
  REQUIRE(cuStreamSynchronize(w.stream) == kSuccess);
  CHECK(calls == 1);
  w.begin();
  REQUIRE(cuLaunchHostFunc(w.stream, addOne, &calls) == kSuccess);
  w.end();
  w.run();
  w.run();
  CHECK(calls == 3);
}

TEST_CASE("Memory that a captured stream allocates is there as long as the graph") {
  CapturedWork w;
  DevicePointer memory = 0;
  w.begin();
  REQUIRE(cuMemAllocAsync(&memory, 4, w.stream) == kSuccess);
  w.store(6, nullptr, memory);
  REQUIRE(cuMemcpyDtoDAsync_v2(w.out, memory, 4, w.stream) == kSuccess);
  REQUIRE(cuMemFreeAsync(memory, w.stream) == kSuccess);
  w.end();
  w.run();
  CHECK(readWords(w.out, 1)[0] == 6);
}

TEST_CASE("Copies and graphs are nodes of graphs") {
  CapturedWork w;
  w.begin();
  w.store(8);
  w.end();
  void *outer = nullptr, *child = nullptr, *node = nullptr;
  REQUIRE(cuGraphCreate(&outer, 0) == kSuccess);
  REQUIRE(cuGraphAddChildGraphNode(&child, outer, nullptr, 0, w.graph) == kSuccess);
  Copy3D copy;
  copy.source.memoryType = copy.destination.memoryType = kMemoryTypeDevice;
  copy.source.device = w.out;
  copy.destination.device = w.out + 8;
  copy.width = 4;
  copy.height = copy.depth = 1;
  REQUIRE(cuGraphAddMemcpyNode(&node, outer, nullptr, 0, &copy, nullptr) == kSuccess);
  REQUIRE(cuGraphAddDependencies(outer, &child, &node, 1) == kSuccess);
  CHECK(cuGraphAddDependencies(outer, &node, &child, 1) == kInvalidValue);
  w.graph = outer;
  w.run();
  CHECK(readWords(w.out, 4) == std::vector<unsigned>{8, 0, 8, 0});
}

TEST_CASE("A stream is captured into a graph that there is, after nodes of it") {
  CapturedWork w;
  void *first = nullptr;
  REQUIRE(cuGraphCreate(&w.graph, 0) == kSuccess);
  MemsetNodeParams fill{.destination = w.out, .value = 5, .elementSize = 4, .width = 4, .height = 1};
  REQUIRE(cuGraphAddMemsetNode(&first, w.graph, nullptr, 0, &fill, nullptr) == kSuccess);
  REQUIRE(cuStreamBeginCaptureToGraph(w.stream, w.graph, &first, nullptr, 1, kRelaxed) == kSuccess);
  w.store(6);
  const auto nodes = w.nodes();
  void **after = nullptr;
  size_t count = 0;
  int status = 0;
  REQUIRE(cuStreamGetCaptureInfo_v2(w.stream, &status, nullptr, nullptr, &after, &count) == kSuccess);
  REQUIRE((count == 1 && after[0] == nodes[1]));
  REQUIRE(cuStreamUpdateCaptureDependencies(w.stream, &first, 1, 1) == kSuccess); // not after the store
  w.store(7, nullptr, w.out + 4);
  REQUIRE(cuGraphNodeGetDependencies(w.nodes()[2], nullptr, &count) == kSuccess);
  CHECK(count == 1);
  REQUIRE(cuStreamUpdateCaptureDependencies(w.stream, const_cast<void **>(&nodes[1]), 1, 0) == kSuccess);
  void *same = w.graph;
  w.end();
  CHECK(w.graph == same);
  w.run();
  CHECK(readWords(w.out, 4) == std::vector<unsigned>{6, 7, 5, 5});
}

TEST_CASE("Graphs keep the program's objects, until nothing is left that was made of them") {
  CapturedWork w;
  int destroyed = 0;
  void *object = nullptr;
  CHECK(cuUserObjectCreate(&object, &destroyed, addOne, 1, 0) == kInvalidValue);
  REQUIRE(cuUserObjectCreate(&object, &destroyed, addOne, 1, 1) == kSuccess);
  REQUIRE(cuUserObjectRetain(object, 2) == kSuccess);
  REQUIRE(cuGraphCreate(&w.graph, 0) == kSuccess);
  REQUIRE(cuGraphRetainUserObject(w.graph, object, 1, 1) == kSuccess); // moved
  REQUIRE(cuUserObjectRelease(object, 2) == kSuccess);
  CHECK(cuUserObjectRelease(object, 2) == kInvalidValue);
  CHECK(destroyed == 0);
  w.run();
  REQUIRE(cuGraphDestroy(w.graph) == kSuccess);
  CHECK(destroyed == 0);
  REQUIRE(cuGraphExecDestroy(w.exec) == kSuccess);
  CHECK(destroyed == 1);
  CHECK(cuUserObjectRetain(object, 1) == kInvalidValue);
}

TEST_CASE("A graph says what it is made of") {
  CapturedWork w;
  w.begin();
  w.store(1);
  REQUIRE(cuMemsetD32Async(w.out + 4, 7, 1, w.stream) == kSuccess);
  w.end();
  const auto nodes = w.nodes();
  void *from = nullptr, *to = nullptr, *next = nullptr;
  size_t count = 0;
  REQUIRE(cuGraphGetEdges(w.graph, nullptr, nullptr, &count) == kSuccess);
  REQUIRE(count == 1);
  REQUIRE(cuGraphGetEdges_v2(w.graph, &from, &to, nullptr, &count) == kSuccess);
  CHECK((from == nodes[0] && to == nodes[1]));
  REQUIRE(cuGraphNodeGetDependentNodes(nodes[0], &next, &count) == kSuccess);
  CHECK((count == 1 && next == nodes[1]));
  const std::string path = "captured-graph.dot";
  REQUIRE(cuGraphDebugDotPrint(w.graph, path.c_str(), 0) == kSuccess);
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  CHECK(text == "digraph graph_of_kernels {\n  n0 [label=\"kernel k\"];\n  n1 [label=\"memset\"];\n  n0 -> n1;\n}\n");
  std::remove(path.c_str());
}

TEST_CASE("A primary context that is reset has nothing any more, and another takes its place") {
  void *context = nullptr, *other = nullptr;
  DevicePointer memory = 0;
  REQUIRE(cuInit(0) == kSuccess);
  REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == kSuccess);
  REQUIRE(cuCtxPushCurrent_v2(context) == kSuccess);
  REQUIRE(cuMemAlloc_v2(&memory, 64) == kSuccess);
  REQUIRE(cuDevicePrimaryCtxReset_v2(0) == kSuccess);
  CHECK(cuCtxSynchronize() == kContextIsDestroyed);
  REQUIRE(cuCtxPopCurrent_v2(nullptr) == kSuccess);
  REQUIRE(cuDevicePrimaryCtxRetain(&other, 0) == kSuccess);
  CHECK(other != context);
  REQUIRE(cuCtxPushCurrent_v2(other) == kSuccess);
  CHECK(cuMemFree_v2(memory) == kInvalidValue);
  REQUIRE(cuCtxPopCurrent_v2(nullptr) == kSuccess);
  CHECK(cuDevicePrimaryCtxRelease_v2(0) == kSuccess);
}
