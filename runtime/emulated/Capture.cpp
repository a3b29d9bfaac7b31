//===- Capture.cpp - Streams whose work becomes a graph -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Capture.h"
#include "Graphs.h"
#include <algorithm>

using namespace emudriver;

namespace emudriver {

void captureNode(Stream &stream, NodeWork work) {
  stream.frontier = {addNode(*stream.capture->graph, stream.frontier, std::move(work))->handle};
}

void captureWork(Stream &stream, std::function<void()> work, GraphNodeType type) {
  NodeWork node;
  node.type = type;
  node.work = std::move(work);
  captureNode(stream, std::move(node));
}

void joinCapture(Stream &stream, const std::shared_ptr<Capture> &capture, const std::vector<void *> &frontier) {
  require(!stream.capture || stream.capture == capture, kCaptureUnsupported, "two captures would become one");
  if (!stream.capture) {
    stream.capture = capture;
    capture->streams.push_back(find<Stream>(stream.handle, "stream"));
  }
  for (void *node : frontier)
    if (std::find(stream.frontier.begin(), stream.frontier.end(), node) == stream.frontier.end())
      stream.frontier.push_back(node);
}

void refuseCaptured(const Stream &stream) {
  require(!stream.capture, kCaptureUnsupported, "the stream is captured: nobody can wait for it");
}

void enqueueNow(const std::shared_ptr<Stream> &stream, std::function<void()> work) {
  auto operation = enqueue(stream, std::move(work));
  if (Configuration::get().isBlocking)
    complete(operation);
}

static void beginCapture(const std::shared_ptr<Stream> &stream, std::shared_ptr<Graph> graph) {
  require(!stream->capture, kCaptureUnsupported, "the stream is captured already");
  require(stream != stream->context->legacy, kCaptureUnsupported, "the legacy default stream is not captured");
  stream->capture = std::make_shared<Capture>();
  stream->capture->graph = std::move(graph);
  stream->capture->origin = stream;
  stream->capture->streams = {stream};
  stream->capture->id = ++State::get().nextId;
  stream->frontier.clear();
}

static std::shared_ptr<Graph> endCapture(const std::shared_ptr<Stream> &stream) {
  auto capture = stream->capture;
  require(capture && capture->origin.lock() == stream, kCaptureUnmatched, "no capture began with this stream");
  bool isJoined = true;
  for (auto &weak : capture->streams)
    if (auto other = weak.lock()) {
      for (void *node : other->frontier)
        isJoined = isJoined && isBefore(*capture->graph, stream->frontier, node);
      other->capture = nullptr;
    }
  for (auto &weak : capture->streams)
    if (auto other = weak.lock())
      other->frontier.clear();
  require(isJoined, kCaptureUnjoined, "a stream of the capture was not waited for before its end");
  return capture->graph;
}

static void answerCapture(const Stream &stream, int *status, unsigned long long *id, void **graph, void ***dependencies,
                          size_t *count) {
  require(status, kInvalidValue, "a null pointer");
  constexpr int kNone = 0, kActive = 1;
  *status = stream.capture ? kActive : kNone;
  if (!stream.capture)
    return;
  if (id)
    *id = stream.capture->id;
  if (graph)
    *graph = stream.capture->graph->handle;
  if (dependencies)
    *dependencies = const_cast<void **>(stream.frontier.data());
  if (count)
    *count = stream.frontier.size();
}

} // namespace emudriver

// `mode` says which other calls are forbidden meanwhile; here only those are that could not be done.
EMULATED_CUDA_API cuStreamBeginCapture_v2(void *handle, int mode) {
  return call("cuStreamBeginCapture", [&] {
    require(mode >= 0 && mode <= 2, kInvalidValue, "no such mode");
    beginCapture(findStream(handle), make<Graph>());
  });
}

EMULATED_CUDA_API cuStreamBeginCaptureToGraph(void *handle, void *graph, void **dependencies, const void *edges,
                                              size_t count, int mode) {
  return call("cuStreamBeginCaptureToGraph", [&] {
    require(mode >= 0 && mode <= 2 && (dependencies || !count), kInvalidValue, "no such mode, or a null pointer");
    require(!edges, kNotSupported, "the emulated driver knows plain edges only");
    auto stream = findStream(handle);
    beginCapture(stream, find<Graph>(graph, "graph", kInvalidValue));
    stream->frontier.assign(dependencies, dependencies + count);
  });
}

EMULATED_CUDA_API cuStreamUpdateCaptureDependencies(void *handle, void **dependencies, size_t count, unsigned flags) {
  return call("cuStreamUpdateCaptureDependencies", [&] {
    constexpr unsigned kSet = 1; // else they are added
    require((dependencies || !count) && flags <= kSet, kInvalidValue, "a null pointer, or unknown flags");
    auto stream = findStream(handle);
    require(stream->capture != nullptr, kInvalidValue, "the stream is not captured");
    if (flags == kSet)
      stream->frontier.clear();
    stream->frontier.insert(stream->frontier.end(), dependencies, dependencies + count);
  });
}

EMULATED_CUDA_API cuStreamUpdateCaptureDependencies_v2(void *handle, void **dependencies, const void *edges,
                                                       size_t count, unsigned flags) {
  if (edges)
    return call("cuStreamUpdateCaptureDependencies",
                [&] { refuse(kNotSupported, "the emulated driver knows plain edges only"); });
  return cuStreamUpdateCaptureDependencies(handle, dependencies, count, flags);
}

EMULATED_CUDA_API cuStreamEndCapture(void *handle, void **graph) {
  return call("cuStreamEndCapture", [&] {
    require(graph, kInvalidValue, "a null pointer");
    *graph = nullptr;
    *graph = endCapture(findStream(handle))->handle;
  });
}

EMULATED_CUDA_API cuStreamIsCapturing(void *handle, int *status) {
  return call("cuStreamIsCapturing",
              [&] { answerCapture(*findStream(handle), status, nullptr, nullptr, nullptr, nullptr); });
}

EMULATED_CUDA_API cuStreamGetCaptureInfo_v2(void *handle, int *status, unsigned long long *id, void **graph,
                                            void ***dependencies, size_t *count) {
  return call("cuStreamGetCaptureInfo",
              [&] { answerCapture(*findStream(handle), status, id, graph, dependencies, count); });
}

EMULATED_CUDA_API cuStreamGetCaptureInfo_v3(void *handle, int *status, unsigned long long *id, void **graph,
                                            void ***dependencies, const void **edges, size_t *count) {
  return call("cuStreamGetCaptureInfo", [&] {
    answerCapture(*findStream(handle), status, id, graph, dependencies, count);
    if (edges) // plain ones
      *edges = nullptr;
  });
}

EMULATED_CUDA_API cuThreadExchangeStreamCaptureMode(int *mode) {
  return call("cuThreadExchangeStreamCaptureMode", [&] {
    require(mode && *mode >= 0 && *mode <= 2, kInvalidValue, "a null pointer, or no such mode");
    thread_local int ofThread = 0;
    std::swap(ofThread, *mode);
  });
}
