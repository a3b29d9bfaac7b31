//===- Gpu.cpp - The GPU of this machine ----------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gpu.h"
#include "DriverError.h"
#include "LaunchError.h"
#include <cstring>

namespace tileiras::run {

std::unique_ptr<Gpu> Gpu::open(std::string &why) {
  try {
    std::unique_ptr<Gpu> gpu(new Gpu);
    const cuda::Driver &driver = gpu->driver;
    int count = 0;
    if (cuda::Result result = driver.init(0))
      throw cuda::Error(result, driver.describe(result, "cuInit"));
    driver.check(driver.deviceCount(&count), "cuDeviceGetCount");
    if (count == 0)
      throw cuda::Error(cuda::kNoDevice, "the driver sees no GPU");
    driver.check(driver.deviceGet(&gpu->device, 0), "cuDeviceGet");
    char name[256] = {};
    driver.check(driver.deviceName(name, sizeof(name) - 1, gpu->device), "cuDeviceGetName");
    gpu->name = name;
    gpu->gpuName = "sm_" + std::to_string(gpu->attribute(cuda::kMajor)) + std::to_string(gpu->attribute(cuda::kMinor));
    cuda::Context context = nullptr;
    driver.check(driver.retainContext(&context, gpu->device), "cuDevicePrimaryCtxRetain");
    driver.check(driver.setContext(context), "cuCtxSetCurrent");
    return gpu;
  } catch (const cuda::Error &error) {
    const std::string remedy =
        error.result ? cuda::explain(error.result) : "NVIDIA's driver of CUDA 12.0 or newer has to be installed";
    why = error.what() + (remedy.empty() ? "" : "; " + remedy);
    return nullptr;
  }
}

int Gpu::attribute(cuda::DeviceAttribute attribute) const {
  int value = 0;
  driver.check(driver.deviceAttribute(&value, attribute, device), "cuDeviceGetAttribute");
  return value;
}

GpuMemory::~GpuMemory() {
  for (cuda::DevicePointer pointer : allocations)
    driver.free(pointer); // fails where a kernel has ruined the context, which frees everything itself
}

uint64_t GpuMemory::allocate(uint64_t bytes, const std::string &name, uint64_t) {
  cuda::DevicePointer pointer = 0;
  const uint64_t size = std::max<uint64_t>(bytes, 1); // the driver refuses to allocate nothing
  cuda::Result result = driver.allocate(&pointer, size);
  if (result == cuda::kOutOfMemory) {
    size_t free = 0, total = 0;
    driver.memoryInfo(&free, &total);
    throw LaunchError("buffer '" + name + "' has " + std::to_string(bytes) + " bytes, the GPU has " +
                      std::to_string(free) + " of " + std::to_string(total) + " left: " + cuda::explain(result));
  }
  driver.check(result, "cuMemAlloc");
  allocations.push_back(pointer);
  driver.check(driver.fill(pointer, 0, size), "cuMemsetD8");
  return pointer;
}

void GpuMemory::write(uint64_t address, const void *data, uint64_t bytes) {
  if (bytes)
    driver.check(driver.toDevice(address, data, bytes), "cuMemcpyHtoD");
}

void GpuMemory::read(uint64_t address, void *data, uint64_t bytes) const {
  if (bytes)
    driver.check(driver.toHost(data, address, bytes), "cuMemcpyDtoH");
}

std::array<uint8_t, 128> encodeTensorMap(const cuda::Driver &driver, const ptxemu::TensorMap &map) {
  // The driver numbers the modes as the emulator does, not the types. Descriptions have tiled maps only.
  constexpr int kPromoteL2 = 0;
  std::array<uint64_t, 5> size{};
  std::copy(map.size.begin(), map.size.end(), size.begin());
  static constexpr int kElements[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12};
  cuda::TensorMap encoded{};
  driver.check(driver.encodeTiled(&encoded, kElements[map.element], map.rank, reinterpret_cast<void *>(map.address),
                                  size.data(), map.stride.data(), map.box.data(), map.elementStride.data(),
                                  map.interleave, map.swizzle, kPromoteL2, map.fill),
               "cuTensorMapEncodeTiled");
  std::array<uint8_t, 128> bytes{};
  std::memcpy(bytes.data(), &encoded, bytes.size());
  return bytes;
}

} // namespace tileiras::run
