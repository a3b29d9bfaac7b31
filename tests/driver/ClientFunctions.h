//===- ClientFunctions.h - The functions of the driver that the client calls -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_DRIVER_CLIENTFUNCTIONS_H
#define TILEIRAS_TESTS_DRIVER_CLIENTFUNCTIONS_H

#include "Abi.h"
#include <stdexcept>
#include <string>

// name without a suffix, exported symbol, the CUDA version that is asked for, parameters
#define DRIVER_CLIENT_FUNCTIONS(X)                                                                                     \
  X(cuInit, cuInit, 2000, (unsigned))                                                                                  \
  X(cuDeviceGet, cuDeviceGet, 2000, (DeviceOrdinal *, int))                                                            \
  X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 7000, (void **, DeviceOrdinal))                                \
  X(cuCtxPushCurrent, cuCtxPushCurrent_v2, 4000, (void *))                                                             \
  X(cuCtxPopCurrent, cuCtxPopCurrent_v2, 4000, (void **))                                                              \
  X(cuCtxSynchronize, cuCtxSynchronize, 2000, ())                                                                      \
  X(cuGetErrorName, cuGetErrorName, 6000, (Result, const char **))                                                     \
  X(cuGetErrorString, cuGetErrorString, 6000, (Result, const char **))                                                 \
  X(cuStreamCreate, cuStreamCreate, 2000, (void **, unsigned))                                                         \
  X(cuStreamSynchronize, cuStreamSynchronize, 2000, (void *))                                                          \
  X(cuStreamDestroy, cuStreamDestroy_v2, 4000, (void *))                                                               \
  X(cuMemAlloc, cuMemAlloc_v2, 3020, (DevicePointer *, size_t))                                                        \
  X(cuMemFree, cuMemFree_v2, 3020, (DevicePointer))                                                                    \
  X(cuMemcpyHtoD, cuMemcpyHtoD_v2, 3020, (DevicePointer, const void *, size_t))                                        \
  X(cuMemcpyDtoH, cuMemcpyDtoH_v2, 3020, (void *, DevicePointer, size_t))                                              \
  X(cuLibraryLoadData, cuLibraryLoadData, 12000,                                                                       \
    (void **, const void *, int *, void **, unsigned, int *, void **, unsigned))                                       \
  X(cuLibraryGetKernel, cuLibraryGetKernel, 12000, (void **, void *, const char *))                                    \
  X(cuLibraryUnload, cuLibraryUnload, 12000, (void *))                                                                 \
  X(cuModuleLoadData, cuModuleLoadData, 2000, (void **, const void *))                                                 \
  X(cuModuleGetFunction, cuModuleGetFunction, 2000, (void **, void *, const char *))                                   \
  X(cuModuleUnload, cuModuleUnload, 2000, (void *))                                                                    \
  X(cuLaunchKernel, cuLaunchKernel, 4000,                                                                              \
    (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))          \
  X(cuLaunchKernelEx, cuLaunchKernelEx, 11060, (const LaunchConfig *, void *, void **, void **))                       \
  X(cuGraphCreate, cuGraphCreate, 10000, (void **, unsigned))                                                          \
  X(cuGraphAddKernelNode, cuGraphAddKernelNode_v2, 12000,                                                              \
    (void **, void *, void **, size_t, const KernelNodeParams *))                                                      \
  X(cuGraphInstantiateWithFlags, cuGraphInstantiateWithFlags, 11040, (void **, void *, unsigned long long))            \
  X(cuGraphLaunch, cuGraphLaunch, 10000, (void *, void *))                                                             \
  X(cuGraphExecDestroy, cuGraphExecDestroy, 10000, (void *))                                                           \
  X(cuGraphDestroy, cuGraphDestroy, 10000, (void *))

namespace emudriver {

/// How a program comes by the driver's functions.
enum class Lookup { Linked, Dlsym, GetProcAddress };

struct ClientFunctions {
#define DRIVER_CLIENT_MEMBER(name, symbol, version, parameters) Result(*name) parameters = nullptr;
  DRIVER_CLIENT_FUNCTIONS(DRIVER_CLIENT_MEMBER)
#undef DRIVER_CLIENT_MEMBER

  /// Throws std::runtime_error when the driver or a function is not there.
  explicit ClientFunctions(Lookup);
  /// Throws std::runtime_error with the error's name and text.
  void check(Result, const std::string &call) const;
};

} // namespace emudriver

#endif // TILEIRAS_TESTS_DRIVER_CLIENTFUNCTIONS_H
