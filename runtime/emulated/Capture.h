//===- Capture.h - Streams whose work becomes a graph -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EMULATED_CAPTURE_H
#define TILEIRAS_EMULATED_CAPTURE_H

#include "State.h"

namespace emudriver {

struct Graph;
struct NodeWork;

/// What streams are asked to do while one of them is captured.
struct Capture {
  std::shared_ptr<Graph> graph;
  std::weak_ptr<Stream> origin;
  std::vector<std::weak_ptr<Stream>> streams;
  uint64_t id = 0;
};

/// Adds a node behind the stream's last ones.
void captureNode(Stream &, NodeWork);
void captureWork(Stream &, std::function<void()> work, GraphNodeType);
/// The stream is captured from now on, too: it waits for an event of the capture.
void joinCapture(Stream &, const std::shared_ptr<Capture> &, const std::vector<void *> &frontier);
/// Refuses a stream that is captured: nobody can wait for it.
void refuseCaptured(const Stream &);
/// Like enqueue(); under CUDA_LAUNCH_BLOCKING it is done when this returns.
void enqueueNow(const std::shared_ptr<Stream> &, std::function<void()> work);

} // namespace emudriver

#endif // TILEIRAS_EMULATED_CAPTURE_H
