//===- RecordingDriver.h - A driver that only writes down what it is told -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything succeeds. The handle of what was unloaded last is given to what is loaded next.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_CUTILE_RECORDINGDRIVER_H
#define TILEIRAS_TESTS_CUTILE_RECORDINGDRIVER_H

#include <cstddef>
#include <vector>

struct RecordedCall {
  const char *name;                  ///< of the function
  void *handle;                      ///< a function or kernel
  unsigned grid[3], block[3];        ///< of a launch
  unsigned sharedBytes;              ///< of a launch
  void *stream, *parameters, *extra; ///< of a launch, as they came
  const void *structure;             ///< a configuration or a node's parameters, where they came
  int attribute, value, device;      ///< of what sets an attribute
};

/// Calls of this thread since it has emptied them: launches, nodes of graphs, and attributes set.
using RecordedCalls = std::vector<RecordedCall> *();

/// What cuCtxGetDevice gives while no context is pushed; a context's own is its address.
using SetDevice = void(int device);

/// Launches are not written down from here on: what remains is the time that a call takes.
using RecordNothing = void();
/// The driver's own cuLaunchKernel and cuLaunchKernelEx, as a program gets them without us.
using OwnFunction = void *();

#endif // TILEIRAS_TESTS_CUTILE_RECORDINGDRIVER_H
