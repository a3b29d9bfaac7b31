//===- Client.h - A program that uses the driver ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_CUTILE_CLIENT_H
#define TILEIRAS_TESTS_CUTILE_CLIENT_H

#include "Functions.h"
#include "RecordingDriver.h"
#include <string>
#include <vector>

#define TILEIRAS_TEST_FUNCTIONS(X)                                                                                     \
  X(cuLaunchKernel)                                                                                                    \
  X(cuLaunchKernel_ptsz)                                                                                               \
  X(cuLaunchCooperativeKernel)                                                                                         \
  X(cuLaunchCooperativeKernel_ptsz)                                                                                    \
  X(cuLaunchKernelEx)                                                                                                  \
  X(cuLaunchKernelEx_ptsz)                                                                                             \
  X(cuGraphAddKernelNode)                                                                                              \
  X(cuGraphAddKernelNode_v2)                                                                                           \
  X(cuGraphAddNode)                                                                                                    \
  X(cuGraphAddNode_v2)                                                                                                 \
  X(cuGraphKernelNodeSetParams)                                                                                        \
  X(cuGraphKernelNodeSetParams_v2)                                                                                     \
  X(cuGraphExecKernelNodeSetParams)                                                                                    \
  X(cuGraphExecKernelNodeSetParams_v2)                                                                                 \
  X(cuGraphNodeSetParams)                                                                                              \
  X(cuGraphExecNodeSetParams)                                                                                          \
  X(cuModuleLoad)                                                                                                      \
  X(cuModuleLoadData)                                                                                                  \
  X(cuModuleLoadDataEx)                                                                                                \
  X(cuModuleLoadFatBinary)                                                                                             \
  X(cuModuleUnload)                                                                                                    \
  X(cuModuleGetFunction)                                                                                               \
  X(cuModuleEnumerateFunctions)                                                                                        \
  X(cuLibraryEnumerateKernels)                                                                                         \
  X(cuLibraryLoadData)                                                                                                 \
  X(cuLibraryLoadFromFile)                                                                                             \
  X(cuLibraryUnload)                                                                                                   \
  X(cuLibraryGetKernel)                                                                                                \
  X(cuLibraryGetModule)                                                                                                \
  X(cuKernelGetFunction)

/// How the program gets the driver's functions. Linked: when it is built so.
enum class Way { Linked, Dlsym, GlobalDlsym, ProcAddress, ProcAddress2 };
std::vector<Way> ways();
std::string print(Way way);

struct Client {
  explicit Client(Way way);

#define MEMBER(NAME) decltype(&::NAME) NAME = nullptr;
  TILEIRAS_TEST_FUNCTIONS(MEMBER)
#undef MEMBER
};

/// The driver, opened.
void *driver();
std::vector<RecordedCall> &calls();
void setDevice(int device);

/// A function that launches, or makes or changes a node of a graph.
struct Launcher {
  std::string name;
  bool takesKernels = true; ///< a CUkernel as well as a CUfunction
  /// Where the parameters came from, when they are in a structure: that has to be what it was.
  const void *(*launch)(const Client &client, void *function, const unsigned (&block)[3], unsigned sharedBytes);
};
const std::vector<Launcher> &launchers();

#endif // TILEIRAS_TESTS_CUTILE_CLIENT_H
