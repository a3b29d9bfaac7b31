//===- Driver.h - The CUDA driver's interface, opened at run time -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types, numbers and functions of the driver's ABI, declared here so that nothing needs a toolkit to build. Functions
// keep the driver's parameters and results; their units are the driver's: sizes in bytes, strides in bytes, grids in
// CTAs unless the image counts clusters.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAUNCH_DRIVER_H
#define TILEIRAS_LAUNCH_DRIVER_H

#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <stdexcept>
#include <string>

namespace tileiras::cuda {

using Result = int; ///< 0: success
using Device = int;
using DevicePointer = unsigned long long;
// The driver's opaque handles.
using Context = void *;
using Module = void *;
using Function = void *;
using Stream = void *;
using Event = void *;

/// Errors by the driver's numbers.
enum : Result {
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kDeinitialized = 4,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinaryForGpu = 209,
  kInvalidHandle = 400,
  kNotFound = 500,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kContextIsDestroyed = 709,
  kAssert = 710,
  kHardwareStackError = 714,
  kIllegalInstruction = 715,
  kMisalignedAddress = 716,
  kInvalidAddressSpace = 717,
  kInvalidProgramCounter = 718,
  kLaunchFailed = 719,
  kTensorMemoryLeak = 721,
  kStreamCaptureUnsupported = 900,
  kInvalidClusterSize = 912
};

enum DeviceAttribute : int {
  kMaximumThreadsPerBlock = 1,
  kMaximumGridX = 5,
  kMaximumGridY = 6,
  kMaximumGridZ = 7,
  kClockKilohertz = 13,
  kMultiprocessorCount = 16,
  kMemoryClockKilohertz = 36,
  kMemoryBusBits = 37,
  kL2CacheBytes = 38,
  kMaximumThreadsPerMultiprocessor = 39,
  kMajor = 75, ///< of the compute capability
  kMinor = 76,
  kMaximumSharedPerMultiprocessor = 81,
  kMaximumSharedPerBlockOptIn = 97
};

enum FunctionAttribute : int {
  kFunctionMaximumThreads = 0,
  kStaticSharedBytes = 1,
  kLocalBytes = 3, ///< of a thread: stack and spills
  kRegisters = 4,  ///< of a thread
  kBinaryVersion = 6,
  kMaximumDynamicShared = 8, ///< the opt-in to more than 48 KiB
  kNonPortableClusterAllowed = 14
};

struct alignas(8) LaunchAttribute {
  int id = 0;
  char pad[4] = {};
  union {
    char bytes[64];
    unsigned dimensions[3];
    int flag;
  } value = {};
};
// Launch attributes.
inline constexpr int kClusterDimension = 4, kProgrammaticStreamSerialization = 6;

struct LaunchConfig {
  unsigned grid[3], block[3];
  unsigned sharedBytes = 0; ///< dynamic, of a CTA
  Stream stream = nullptr;
  LaunchAttribute *attributes = nullptr;
  unsigned attributeCount = 0;
};

struct alignas(64) TensorMap {
  uint64_t opaque[16];
};

/// What the driver reports, by the name of the function that did.
class Error : public std::runtime_error {
public:
  Error(Result result, const std::string &text) : std::runtime_error(text), result(result) {}
  Result result; ///< 0 where there is no driver
};

/// libcuda.so.1, which stays open until the process ends: it does not bear being closed.
class Driver {
public:
  /// Throws Error when there is no driver, or it is older than what the functions below come from (CUDA 12.0).
  Driver() : library(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (!library)
      throw Error(0, dlerror());
    loadDevices();
    loadMemory();
    loadKernels();
  }

  /// "cuInit: CUDA_ERROR_NO_DEVICE (100, no CUDA-capable device is detected)".
  std::string describe(Result r, const char *what) const {
    const char *name = nullptr, *text = nullptr;
    errorName(r, &name);
    errorString(r, &text);
    return std::string(what) + ": " + (name ? name : "unknown error") + " (" + std::to_string(r) +
           (text ? std::string(", ") + text : "") + ")";
  }

  /// Throws Error with the driver's own name of the error.
  void check(Result r, const char *what) const {
    if (r != 0)
      throw Error(r, describe(r, what));
  }

  Result (*init)(unsigned flags);
  Result (*version)(int *);
  Result (*errorName)(Result, const char **);
  Result (*errorString)(Result, const char **);
  Result (*deviceCount)(int *);
  Result (*deviceGet)(Device *, int ordinal);
  Result (*deviceName)(char *, int size, Device);
  Result (*deviceAttribute)(int *, int, Device);
  Result (*retainContext)(Context *, Device);
  Result (*setContext)(Context);
  Result (*currentContext)(Context *);
  Result (*contextDevice)(Device *); ///< of the current context
  Result (*synchronize)();

  Result (*allocate)(DevicePointer *, size_t);
  Result (*free)(DevicePointer);
  Result (*memoryInfo)(size_t *free, size_t *total);
  Result (*toDevice)(DevicePointer, const void *, size_t);
  Result (*toHost)(void *, DevicePointer, size_t);
  Result (*toDeviceAsync)(DevicePointer, const void *, size_t, Stream);
  Result (*toHostAsync)(void *, DevicePointer, size_t, Stream);
  Result (*copyAsync)(DevicePointer to, DevicePointer from, size_t, Stream);
  Result (*fill)(DevicePointer, unsigned char, size_t);
  Result (*fillAsync)(DevicePointer, unsigned char, size_t, Stream);
  Result (*createStream)(Stream *, unsigned flags);
  Result (*destroyStream)(Stream);
  Result (*synchronizeStream)(Stream);
  Result (*createEvent)(Event *, unsigned flags);
  Result (*destroyEvent)(Event);
  Result (*recordEvent)(Event, Stream);
  Result (*synchronizeEvent)(Event);
  Result (*elapsedTime)(float *milliseconds, Event begin, Event end);

  Result (*loadModule)(Module *, const void *image);
  Result (*unloadModule)(Module);
  Result (*getFunction)(Function *, Module, const char *);
  Result (*getGlobal)(DevicePointer *, size_t *, Module, const char *);
  Result (*functionAttribute)(int *, int, Function);
  Result (*setFunctionAttribute)(Function, int, int);
  Result (*launch)(const LaunchConfig *, Function, void **parameters, void **extra);
  Result (*occupancy)(int *blocks, Function, int blockThreads, size_t dynamicSharedBytes);
  Result (*encodeTiled)(TensorMap *, int type, uint32_t rank, void *, const uint64_t *sizes, const uint64_t *strides,
                        const uint32_t *box, const uint32_t *elementStrides, int interleave, int swizzle, int promotion,
                        int fill);

private:
  template <class F>
  void load(F &function, const char *name) {
    function = reinterpret_cast<F>(dlsym(library, name));
    if (!function)
      throw Error(0, std::string("libcuda.so.1 has no ") + name + ": it is older than CUDA 12.0");
  }
  void loadDevices() {
    load(init, "cuInit");
    load(version, "cuDriverGetVersion");
    load(errorName, "cuGetErrorName");
    load(errorString, "cuGetErrorString");
    load(deviceCount, "cuDeviceGetCount");
    load(deviceGet, "cuDeviceGet");
    load(deviceName, "cuDeviceGetName");
    load(deviceAttribute, "cuDeviceGetAttribute");
    load(retainContext, "cuDevicePrimaryCtxRetain");
    load(setContext, "cuCtxSetCurrent");
    load(currentContext, "cuCtxGetCurrent");
    load(contextDevice, "cuCtxGetDevice");
    load(synchronize, "cuCtxSynchronize");
  }
  void loadMemory() {
    load(allocate, "cuMemAlloc_v2");
    load(free, "cuMemFree_v2");
    load(memoryInfo, "cuMemGetInfo_v2");
    load(toDevice, "cuMemcpyHtoD_v2");
    load(toHost, "cuMemcpyDtoH_v2");
    load(toDeviceAsync, "cuMemcpyHtoDAsync_v2");
    load(toHostAsync, "cuMemcpyDtoHAsync_v2");
    load(copyAsync, "cuMemcpyDtoDAsync_v2");
    load(fill, "cuMemsetD8_v2");
    load(fillAsync, "cuMemsetD8Async");
    load(createStream, "cuStreamCreate");
    load(destroyStream, "cuStreamDestroy_v2");
    load(synchronizeStream, "cuStreamSynchronize");
    load(createEvent, "cuEventCreate");
    load(destroyEvent, "cuEventDestroy_v2");
    load(recordEvent, "cuEventRecord");
    load(synchronizeEvent, "cuEventSynchronize");
    load(elapsedTime, "cuEventElapsedTime");
  }
  void loadKernels() {
    load(loadModule, "cuModuleLoadData");
    load(unloadModule, "cuModuleUnload");
    load(getFunction, "cuModuleGetFunction");
    load(getGlobal, "cuModuleGetGlobal_v2");
    load(functionAttribute, "cuFuncGetAttribute");
    load(setFunctionAttribute, "cuFuncSetAttribute");
    load(launch, "cuLaunchKernelEx");
    load(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    load(encodeTiled, "cuTensorMapEncodeTiled");
  }
  void *library;
};

/// What a program's own trap gives: an assertion, an illegal instruction, a failed launch.
inline constexpr Result kTraps[] = {kAssert, kIllegalInstruction, kLaunchFailed};

} // namespace tileiras::cuda

#endif // TILEIRAS_LAUNCH_DRIVER_H
