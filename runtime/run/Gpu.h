//===- Gpu.h - The GPU of this machine --------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_GPU_H
#define TILEIRAS_RUNTIME_RUN_GPU_H

#include "Driver.h"
#include "ptx-emulator/Emulator.h"
#include "ptx-emulator/TensorMap.h"
#include <memory>
#include <string>
#include <vector>

namespace tileiras::run {

/// Device 0, and its primary context, which is current while this lives.
struct Gpu {
  /// Null, with the reason, when there is no driver or no GPU.
  static std::unique_ptr<Gpu> open(std::string &why);
  int attribute(cuda::DeviceAttribute) const;

  cuda::Driver driver;
  cuda::Device device = 0;
  std::string name;    ///< "NVIDIA H200"
  std::string gpuName; ///< "sm_90"

private:
  Gpu() = default;
};

/// Buffers of a launch on the GPU, freed with it. Functions throw cuda::Error.
class GpuMemory : public ptxemu::DeviceMemory {
public:
  explicit GpuMemory(const cuda::Driver &driver) : driver(driver) {}
  ~GpuMemory() override;
  GpuMemory(const GpuMemory &) = delete;

  uint64_t allocate(uint64_t bytes, const std::string &name, uint64_t alignment = 512) override;
  void write(uint64_t address, const void *data, uint64_t bytes) override;
  void read(uint64_t address, void *data, uint64_t bytes) const override;

private:
  const cuda::Driver &driver;
  std::vector<cuda::DevicePointer> allocations;
};

/// The driver's form of a tensor map. Throws cuda::Error.
std::array<uint8_t, 128> encodeTensorMap(const cuda::Driver &, const ptxemu::TensorMap &);

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_GPU_H
