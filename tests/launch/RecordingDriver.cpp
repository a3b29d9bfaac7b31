//===- RecordingDriver.cpp - A libcuda.so.1 that answers as it is told ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tests of the launch library: it runs nothing and keeps what it is asked. One GPU, an sm_90; two contexts, of
// which one is the primary one. A thread has no context at first.
//
//===----------------------------------------------------------------------===//

#include "RecordingDriver.h"
#include <cstdio>
#include <cstring>

using namespace launchtest;
using namespace tileiras::cuda;

static Recording recording;
static thread_local Context current = nullptr;
static int primary = 0, functions = 0;

/// Counts the call; the answer that the test wants.
static Result called(const char *function) {
  std::lock_guard lock(recording.mutex);
  ++recording.calls[function];
  auto it = recording.answers.find(function);
  return it == recording.answers.end() ? 0 : it->second;
}

extern "C" {
Recording *getRecording() {
  return &recording;
}

Result cuInit(unsigned) {
  return called("cuInit");
}
Result cuDriverGetVersion(int *version) {
  return *version = 13000, 0;
}
Result cuGetErrorName(Result result, const char **name) {
  static const std::map<Result, const char *> names = {{kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},
                                                       {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                       {kNoDevice, "CUDA_ERROR_NO_DEVICE"},
                                                       {kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS"}};
  auto it = names.find(result);
  return it == names.end() ? kInvalidValue : (*name = it->second, 0);
}
Result cuGetErrorString(Result result, const char **text) {
  const char *name = nullptr;
  if (cuGetErrorName(result, &name))
    return kInvalidValue;
  return *text = "a text", 0;
}
Result cuDeviceGetCount(int *count) {
  return *count = 1, 0;
}
Result cuDeviceGet(Device *device, int) {
  return *device = 0, called("cuDeviceGet");
}
Result cuDeviceGetName(char *name, int size, Device) {
  return std::snprintf(name, static_cast<size_t>(size), "NVIDIA Pretence"), 0;
}
Result cuDeviceGetAttribute(int *value, int attribute, Device) {
  *value = attribute == kMajor ? 9 : attribute == kMaximumSharedPerBlockOptIn ? kOptInBytes : 0;
  return called("cuDeviceGetAttribute");
}
Result cuDevicePrimaryCtxRetain(Context *context, Device) {
  return *context = &primary, called("cuDevicePrimaryCtxRetain");
}
Result cuCtxSetCurrent(Context context) {
  Result result = called("cuCtxSetCurrent");
  if (result == 0)
    current = context;
  return result;
}
Result cuCtxGetCurrent(Context *context) {
  return *context = current, called("cuCtxGetCurrent");
}
Result cuCtxGetDevice(Device *device) {
  return *device = 0, current ? called("cuCtxGetDevice") : kInvalidContext;
}
Result cuCtxSynchronize() {
  return current ? called("cuCtxSynchronize") : kInvalidContext;
}
Result cuModuleLoadData(Module *module, const void *) {
  Result result = called("cuModuleLoadData");
  if (result == 0)
    *module = &recording, ++recording.modules;
  return result;
}
Result cuModuleUnload(Module) {
  return --recording.modules, called("cuModuleUnload");
}
Result cuModuleGetFunction(Function *function, Module, const char *) {
  return *function = &functions, called("cuModuleGetFunction");
}
Result cuFuncSetAttribute(Function, int attribute, int value) {
  Result result = called("cuFuncSetAttribute");
  std::lock_guard lock(recording.mutex);
  recording.functionAttributes[attribute] = value;
  return result ? result : attribute == kMaximumDynamicShared && value > kOptInBytes ? kInvalidValue : 0;
}
Result cuFuncGetAttribute(int *value, int attribute, Function) {
  *value = attribute == kRegisters ? 42 : attribute == kLocalBytes ? 16 : attribute == kStaticSharedBytes ? 1024 : 0;
  return called("cuFuncGetAttribute");
}
Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function, int threads, size_t) {
  return *blocks = 2048 / threads, called("cuOccupancyMaxActiveBlocksPerMultiprocessor");
}
Result cuLaunchKernelEx(const LaunchConfig *config, Function function, void **parameters, void **) {
  Result result = called("cuLaunchKernelEx");
  Launch launch{*config, {}, function, std::vector<void *>(parameters, parameters + recording.parameterCount)};
  launch.attributes.assign(config->attributes, config->attributes + config->attributeCount);
  std::lock_guard lock(recording.mutex);
  recording.launches.push_back(launch);
  return result;
}
Result cuMemAlloc_v2(DevicePointer *pointer, size_t bytes) {
  Result result = called("cuMemAlloc_v2");
  std::lock_guard lock(recording.mutex);
  *pointer = kMemory;
  recording.memory.assign(result ? 0 : bytes, 0xcc);
  return result;
}
Result cuMemFree_v2(DevicePointer) {
  return called("cuMemFree_v2");
}
Result cuMemcpyHtoD_v2(DevicePointer to, const void *from, size_t bytes) {
  std::lock_guard lock(recording.mutex);
  std::memcpy(recording.memory.data() + (to - kMemory), from, bytes);
  return 0;
}
Result cuTensorMapEncodeTiled(TensorMap *map, int, uint32_t, void *address, const uint64_t *sizes, const uint64_t *,
                              const uint32_t *, const uint32_t *, int, int, int, int) {
  *map = {{reinterpret_cast<uint64_t>(address), sizes[0]}};
  return called("cuTensorMapEncodeTiled");
}

// What the library loads and does not call.
#define UNUSED(name)                                                                                                   \
  Result name() {                                                                                                      \
    return called(#name), kNotFound;                                                                                   \
  }
UNUSED(cuMemGetInfo_v2)
UNUSED(cuMemcpyDtoH_v2)
UNUSED(cuMemcpyHtoDAsync_v2)
UNUSED(cuMemcpyDtoHAsync_v2)
UNUSED(cuMemcpyDtoDAsync_v2)
UNUSED(cuMemsetD8_v2)
UNUSED(cuMemsetD8Async)
UNUSED(cuStreamCreate)
UNUSED(cuStreamDestroy_v2)
UNUSED(cuStreamSynchronize)
UNUSED(cuEventCreate)
UNUSED(cuEventDestroy_v2)
UNUSED(cuEventRecord)
UNUSED(cuEventSynchronize)
UNUSED(cuEventElapsedTime)
UNUSED(cuModuleGetGlobal_v2)
}
