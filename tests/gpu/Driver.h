//===- Driver.h - The few entry points of the CUDA driver that the launcher needs -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_GPU_DRIVER_H
#define TILEIRAS_TESTS_GPU_DRIVER_H

#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <stdexcept>
#include <string>

namespace gpu {

// The driver's ABI, declared here so that the launcher builds without a toolkit.
using Result = int; ///< 0: success
using DevicePointer = unsigned long long;

struct LaunchAttribute {
  int id = 0;
  char pad[4] = {};
  union {
    char bytes[64];
    unsigned dimensions[3];
  } value = {};
};
inline constexpr int kClusterDimension = 4;

struct LaunchConfig {
  unsigned grid[3], block[3];
  unsigned sharedBytes = 0;
  void *stream = nullptr;
  LaunchAttribute *attributes = nullptr;
  unsigned attributeCount = 0;
};

struct alignas(64) TensorMap {
  uint64_t opaque[16];
};

/// libcuda.so.1, loaded at run time.
class Driver {
public:
  /// Throws when there is no driver.
  Driver() : library(dlopen("libcuda.so.1", RTLD_NOW)) {
    if (!library)
      throw std::runtime_error(dlerror());
    load(init, "cuInit");
    load(deviceCount, "cuDeviceGetCount");
    load(deviceGet, "cuDeviceGet");
    load(deviceName, "cuDeviceGetName");
    load(deviceAttribute, "cuDeviceGetAttribute");
    load(version, "cuDriverGetVersion");
    load(retainContext, "cuDevicePrimaryCtxRetain");
    load(setContext, "cuCtxSetCurrent");
    load(synchronize, "cuCtxSynchronize");
    load(loadModule, "cuModuleLoadData");
    load(getFunction, "cuModuleGetFunction");
    load(setFunctionAttribute, "cuFuncSetAttribute");
    load(allocate, "cuMemAlloc_v2");
    load(toDevice, "cuMemcpyHtoD_v2");
    load(toHost, "cuMemcpyDtoH_v2");
    load(launch, "cuLaunchKernelEx");
    load(functionAttribute, "cuFuncGetAttribute");
    load(createEvent, "cuEventCreate");
    load(recordEvent, "cuEventRecord");
    load(elapsedTime, "cuEventElapsedTime");
    load(errorName, "cuGetErrorName");
    encodeTiled = reinterpret_cast<decltype(encodeTiled)>(dlsym(library, "cuTensorMapEncodeTiled"));
  }

  /// Throws with the driver's own name of the error.
  void check(Result r, const char *what) const {
    const char *name = nullptr;
    if (r == 0)
      return;
    errorName(r, &name);
    throw std::runtime_error(std::string(what) + ": " + (name ? name : "unknown error"));
  }

  Result (*init)(unsigned);
  Result (*deviceCount)(int *);
  Result (*deviceGet)(int *, int);
  Result (*deviceName)(char *, int, int);
  Result (*deviceAttribute)(int *, int, int);
  Result (*version)(int *);
  Result (*retainContext)(void **, int);
  Result (*setContext)(void *);
  Result (*synchronize)();
  Result (*loadModule)(void **, const void *);
  Result (*getFunction)(void **, void *, const char *);
  Result (*setFunctionAttribute)(void *, int, int);
  Result (*allocate)(DevicePointer *, size_t);
  Result (*toDevice)(DevicePointer, const void *, size_t);
  Result (*toHost)(void *, DevicePointer, size_t);
  Result (*launch)(const LaunchConfig *, void *, void **, void **);
  Result (*functionAttribute)(int *, int, void *);
  Result (*createEvent)(void **, unsigned);
  Result (*recordEvent)(void *, void *stream);
  Result (*elapsedTime)(float *milliseconds, void *, void *);
  Result (*errorName)(Result, const char **);
  /// Null before CUDA 12.
  Result (*encodeTiled)(TensorMap *, int type, uint32_t rank, void *, const uint64_t *sizes, const uint64_t *strides,
                        const uint32_t *box, const uint32_t *elementStrides, int interleave, int swizzle, int promotion,
                        int fill);

private:
  template <class F>
  void load(F &function, const char *name) {
    function = reinterpret_cast<F>(dlsym(library, name));
    if (!function)
      throw std::runtime_error(std::string("the driver has no ") + name);
  }
  void *library;
};

inline constexpr int kMajor = 75, kMinor = 76; ///< device attributes: compute capability
inline constexpr int kLocalBytes = 3, kRegisters = 4, kMaximumDynamicShared = 8; ///< function attributes
/// What a program's own trap gives: an assertion, an illegal instruction, a failed launch.
inline constexpr Result kTraps[] = {710, 715, 719};

} // namespace gpu

#endif // TILEIRAS_TESTS_GPU_DRIVER_H
