//===- Module.h - Modules and kernels behind the C interface ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAUNCH_MODULE_H
#define TILEIRAS_LAUNCH_MODULE_H

#include "Driver.h"
#include "TensorMaps.h"
#include "tileiras/Launch/tileiras-launch.h"
#include <mutex>

namespace tileiras::launch {

/// What a function of the C interface reports. Text: what went wrong, why, what to do.
struct Failure {
  TileirasLaunchStatus status;
  std::string text;
  cuda::Result result = 0; ///< the driver's, where it is behind it
};

/// The driver, opened when it is first needed. Throws Failure where there is none; the next call tries again.
const cuda::Driver &getDriver();

/// The current context; where there is none, `otherwise` becomes current, or the primary context of device 0.
cuda::Context enterContext(const cuda::Driver &driver, cuda::Context otherwise = nullptr);

/// Throws Failure unless there is a value for each of the program's parameters.
void checkArguments(const KernelMetadata &kernel, const void *const *arguments, size_t count);

/// What a refused tensor map was to be: the text of an error.
std::string explainTensorMap(const KernelMetadata &kernel, size_t map, const TensorMapArguments &arguments);

/// Throws Failure when `result` is an error: the driver's words, then cause and remedy. `when` says what was to be
/// done.
void check(const cuda::Driver &driver, cuda::Result result, const char *function, const std::string &when);

} // namespace tileiras::launch

struct TileirasKernel {
  TileirasModule *module = nullptr;
  const tileiras::launch::KernelMetadata *metadata = nullptr;
  std::vector<uint32_t> parameterBytes;
  tileiras::cuda::Function function = nullptr; ///< null until somebody asks for the kernel
  tileiras::cuda::LaunchAttribute cluster;

  /// Gets the function and allows it its shared memory. Once, under the module's lock.
  void prepare();
  /// `overlaps`: with the end of what is before it on the stream.
  void launch(const uint32_t grid[3], const void *const *arguments, size_t count, void *stream, bool overlaps) const;
  TileirasKernelInfo info() const;

private:
  /// A map in the driver's own encoding.
  std::vector<tileiras::cuda::TensorMap> encodeTensorMaps(const void *const *arguments) const;
  tileiras::cuda::LaunchConfig configure(const uint32_t grid[3]) const;
  void requireWait() const;
  void allowShared() const;
  void allowCluster() const;
  std::string explainLaunch(tileiras::cuda::Result result) const;
};

struct TileirasModule {
  /// Loads the image into the current context. Throws Failure.
  TileirasModule(const void *cubin, size_t size, const char *json);
  TileirasModule(const TileirasModule &) = delete;

  /// Waits for kernels that run; what the driver reports is the result, the module is gone in any case.
  void unload();
  TileirasKernel &getKernel(const char *name);
  /// Allocates them, for kernels that take tensor maps. Once, under the module's lock.
  void placeEmptyArrays();

  tileiras::launch::Metadata metadata;
  std::vector<TileirasKernel> kernels; ///< in the order of the metadata
  const tileiras::cuda::Driver &driver;
  tileiras::cuda::Context context = nullptr;
  tileiras::cuda::Module handle = nullptr;
  tileiras::cuda::DevicePointer emptyArrays = 0; ///< 0: no kernel has needed them yet

private:
  void load(const void *cubin);
  std::string listKernels() const;
  std::mutex mutex;
};

#endif // TILEIRAS_LAUNCH_MODULE_H
