//===- GpuKernel.h - A kernel on the GPU, ready to be launched --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_GPUKERNEL_H
#define TILEIRAS_RUNTIME_RUN_GPUKERNEL_H

#include "Gpu.h"
#include "Kernel.h"
#include <memory>

namespace tileiras::run {

/// A kernel in the GPU's memory: a cubin goes through the launch library, PTX through the driver's own compiler.
class GpuKernel {
public:
  virtual ~GpuKernel() = default;
  /// `grid` as the description gives it, `arguments` one a parameter. Asynchronous, on the default stream.
  virtual void launch(const std::array<unsigned, 3> &grid, const std::vector<std::vector<uint8_t>> &arguments) = 0;
  virtual Resources getResources() const = 0;
};

/// `shape` says what the description and the command line give: entry, block, cluster, shared memory. Throws RunError
/// or cuda::Error.
std::unique_ptr<GpuKernel> loadOnGpu(const Kernel &, const ptxemu::LaunchOptions &shape, const Gpu &);

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_GPUKERNEL_H
