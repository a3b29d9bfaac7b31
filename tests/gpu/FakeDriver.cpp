//===- FakeDriver.cpp - A libcuda.so.1 that tests the launcher ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Has no GPU and runs no kernel: a launch copies the results that lie beside the case into its buffers, fake_NAME where
// there is one, else what the emulator left. Where there is a file fake_error, its number is what the driver answers to
// the wait that follows; -1 ends the process. fake_launch has what a launch must pass: grid, block, dynamic shared
// memory, number of attributes. A case that has to trap does. So what is tested is what the launcher does with a GPU's
// answers.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <vector>

using namespace tileiras::cuda;

static std::vector<void *> allocations;
static Result pending = 0;

static std::string emulated(const std::string &buffer) {
  std::ifstream in("compare.txt");
  for (std::string line, against, name, file; std::getline(in, line);)
    if (std::istringstream(line) >> against >> name >> file && against == "emulator" && name == buffer)
      return file;
  return "";
}

static void fill(const std::string &name, void *buffer, size_t bytes) {
  std::ifstream in("fake_" + name, std::ios::binary);
  if (!in.is_open())
    in.open(emulated(name), std::ios::binary);
  std::vector<char> data{std::istreambuf_iterator<char>(in), {}};
  std::memcpy(buffer, data.data(), std::min(bytes, data.size()));
}

/// launch.txt names the buffers in the order in which the launcher allocates them.
static void runCase() {
  std::ifstream in("launch.txt");
  std::map<std::string, void *> placed;
  for (std::string line; std::getline(in, line);) {
    std::istringstream s(line);
    std::string kind, name;
    size_t bytes = 0;
    s >> kind >> name;
    if (kind == "buffer" || kind == "table")
      placed[name] = allocations.at(placed.size());
    else if (kind == "read" && s >> bytes)
      fill(name, placed.at(name), bytes);
  }
}

static bool launchesAs(const LaunchConfig &config) {
  std::ifstream in("fake_launch");
  unsigned passed[] = {config.grid[0],  config.grid[1],  config.grid[2],     config.block[0],
                       config.block[1], config.block[2], config.sharedBytes, config.attributeCount};
  unsigned wanted = 0;
  for (unsigned value : passed)
    if (in >> wanted && wanted != value)
      return false;
  return true;
}

extern "C" {
Result cuInit(unsigned) {
  return std::getenv("FAKE_NO_GPU") ? 100 : 0;
}
Result cuDeviceGetCount(int *count) {
  return *count = 1, 0;
}
Result cuDeviceGet(int *device, int) {
  return *device = 0, 0;
}
Result cuDeviceGetName(char *name, int size, int) {
  std::snprintf(name, static_cast<size_t>(size), "Fake \"GPU\"");
  return 0;
}
Result cuDeviceGetAttribute(int *value, int attribute, int) {
  return *value = attribute == kMajor ? 9 : 0, 0;
}
Result cuDriverGetVersion(int *version) {
  return *version = 12080, 0;
}
Result cuDevicePrimaryCtxRetain(void **context, int) {
  return *context = &allocations, 0;
}
Result cuCtxSetCurrent(void *) {
  return 0;
}
Result cuCtxGetCurrent(Context *context) {
  return *context = &allocations, 0;
}
Result cuCtxGetDevice(Device *device) {
  return *device = 0, 0;
}
Result cuCtxSynchronize() {
  return pending;
}
Result cuModuleLoadData(void **module, const void *) {
  return *module = &allocations, 0;
}
Result cuModuleUnload(Module) {
  return 0;
}
Result cuModuleGetGlobal_v2(DevicePointer *, size_t *, Module, const char *) {
  return kNotFound;
}
Result cuModuleGetFunction(void **function, void *, const char *) {
  return *function = &allocations, 0;
}
Result cuFuncSetAttribute(void *, int, int) {
  return 0;
}
Result cuFuncGetAttribute(int *value, int attribute, void *) {
  return *value = attribute == kRegisters ? 42 : 16, 0;
}
Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function, int, size_t) {
  return *blocks = 1, 0;
}
Result cuStreamCreate(Stream *stream, unsigned) {
  return *stream = &allocations, 0;
}
Result cuStreamDestroy_v2(Stream) {
  return 0;
}
Result cuStreamSynchronize(Stream) {
  return pending;
}
Result cuEventCreate(void **event, unsigned) {
  return *event = &allocations, 0;
}
Result cuEventRecord(void *, void *) {
  return 0;
}
Result cuEventDestroy_v2(Event) {
  return 0;
}
Result cuEventSynchronize(Event) {
  return pending;
}
Result cuEventElapsedTime(float *milliseconds, void *, void *) {
  return *milliseconds = 0.0025f, 0;
}
Result cuMemAlloc_v2(DevicePointer *pointer, size_t bytes) {
  allocations.push_back(std::calloc(bytes, 1));
  *pointer = reinterpret_cast<DevicePointer>(allocations.back());
  return 0;
}
Result cuMemFree_v2(DevicePointer) {
  return 0;
}
Result cuMemGetInfo_v2(size_t *free, size_t *total) {
  return *free = *total = size_t{1} << 30, 0;
}
Result cuMemsetD8_v2(DevicePointer to, unsigned char value, size_t bytes) {
  return std::memset(reinterpret_cast<void *>(to), value, bytes), 0;
}
Result cuMemsetD8Async(DevicePointer to, unsigned char value, size_t bytes, Stream) {
  return std::memset(reinterpret_cast<void *>(to), value, bytes), 0;
}
Result cuMemcpyHtoD_v2(DevicePointer to, const void *from, size_t bytes) {
  return std::memcpy(reinterpret_cast<void *>(to), from, bytes), 0;
}
Result cuMemcpyDtoH_v2(void *to, DevicePointer from, size_t bytes) {
  return std::memcpy(to, reinterpret_cast<const void *>(from), bytes), 0;
}
Result cuMemcpyHtoDAsync_v2(DevicePointer to, const void *from, size_t bytes, Stream) {
  return cuMemcpyHtoD_v2(to, from, bytes);
}
Result cuMemcpyDtoHAsync_v2(void *to, DevicePointer from, size_t bytes, Stream) {
  return cuMemcpyDtoH_v2(to, from, bytes);
}
Result cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, size_t bytes, Stream) {
  return cuMemcpyHtoD_v2(to, reinterpret_cast<const void *>(from), bytes);
}
Result cuLaunchKernelEx(const LaunchConfig *config, void *, void **, void **) {
  if (!launchesAs(*config))
    return kInvalidValue;
  pending = std::ifstream("traps.txt") ? 719 : 0;
  if (std::ifstream error("fake_error"); error)
    error >> pending;
  if (pending < 0)
    std::abort();
  runCase();
  return 0;
}
Result cuGetErrorName(Result result, const char **name) {
  *name = result == 100   ? "CUDA_ERROR_NO_DEVICE"
          : result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                          : "CUDA_ERROR_LAUNCH_FAILED";
  return 0;
}
Result cuGetErrorString(Result, const char **text) {
  return *text = "what a driver that only pretends says", 0;
}
Result cuTensorMapEncodeTiled(TensorMap *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *,
                              const uint32_t *, int, int, int, int) {
  return 0;
}
}
