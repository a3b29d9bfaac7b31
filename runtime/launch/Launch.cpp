//===- Launch.cpp - The C interface of the launch library -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Everything else of the library is hidden.
#pragma GCC visibility push(default)
#include "tileiras/Launch/tileiras-launch.h"
#pragma GCC visibility pop

#include "Module.h"
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

using namespace tileiras;
using namespace tileiras::launch;

namespace {

struct LastError {
  std::string text;
  cuda::Result result = 0;
};
thread_local LastError lastError;

/// Runs one function of the interface: no exception leaves it.
template <class F>
TileirasLaunchStatus guarded(F &&body) noexcept {
  lastError.text.clear();
  lastError.result = 0;
  try {
    body();
    return TILEIRAS_LAUNCH_SUCCESS;
  } catch (Failure &failure) {
    lastError.text = std::move(failure.text);
    lastError.result = failure.result;
    return failure.status;
  } catch (const std::bad_alloc &) {
    lastError.text.assign("out of memory"); // fits where a string needs no allocation
    return TILEIRAS_LAUNCH_ERROR_ALLOCATION;
  } catch (...) {
    lastError.text.assign("internal error");
    return TILEIRAS_LAUNCH_ERROR_ALLOCATION;
  }
}

void requireNonNull(const void *pointer, const char *name) {
  if (!pointer)
    throw Failure{TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT, std::string(name) + " is null"};
}

} // namespace

TileirasLaunchStatus tileirasModuleLoad(TileirasModule **module, const void *cubin, size_t cubinSize,
                                        const char *metadata) {
  if (module)
    *module = nullptr;
  return guarded([&] {
    requireNonNull(module, "module");
    requireNonNull(cubin, "cubin");
    *module = new TileirasModule(cubin, cubinSize, metadata);
  });
}

TileirasLaunchStatus tileirasModuleUnload(TileirasModule *module) {
  return guarded([&] {
    if (module)
      module->unload();
  });
}

TileirasLaunchStatus tileirasModuleGetKernelNames(const TileirasModule *module, const char **names, size_t *count) {
  return guarded([&] {
    requireNonNull(module, "module");
    if (names)
      requireNonNull(count, "count, which says how many names there is room for,");
    for (size_t i = 0; names && i < std::min(*count, module->kernels.size()); ++i)
      names[i] = module->kernels[i].metadata->name.c_str();
    if (count)
      *count = module->kernels.size();
  });
}

TileirasLaunchStatus tileirasModuleGetKernel(TileirasModule *module, const char *name, const TileirasKernel **kernel) {
  if (kernel)
    *kernel = nullptr;
  return guarded([&] {
    requireNonNull(module, "module");
    requireNonNull(kernel, "kernel");
    *kernel = &module->getKernel(name);
  });
}

TileirasLaunchStatus tileirasKernelGetInfo(const TileirasKernel *kernel, TileirasKernelInfo *info) {
  return guarded([&] {
    requireNonNull(kernel, "kernel");
    requireNonNull(info, "info");
    size_t room = info->structSize;
    if (room < sizeof room)
      throw Failure{TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT,
                    "info->structSize is not set: initialise it with TILEIRAS_KERNEL_INFO_INIT"};
    TileirasKernelInfo all = kernel->info();
    all.structSize = room;
    std::memcpy(info, &all, std::min(room, sizeof all));
  });
}

TileirasLaunchStatus tileirasLaunch(const TileirasKernel *kernel, const uint32_t grid[3], const void *const *arguments,
                                    size_t argumentCount, void *stream) {
  return guarded([&] {
    requireNonNull(kernel, "kernel");
    requireNonNull(grid, "grid");
    kernel->launch(grid, arguments, argumentCount, stream);
  });
}

const char *tileirasLaunchGetErrorText(void) {
  return lastError.text.c_str();
}

int tileirasLaunchGetDriverResult(void) {
  return lastError.result;
}

TileirasLaunchStatus tileirasImageGetMetadata(const void *cubin, size_t cubinSize, const char **metadata,
                                              size_t *metadataSize) {
  if (metadata)
    *metadata = nullptr;
  if (metadataSize)
    *metadataSize = 0;
  return guarded([&] {
    requireNonNull(cubin, "cubin");
    requireNonNull(metadata, "metadata");
    requireNonNull(metadataSize, "metadataSize");
    EmbeddedMetadata found = findMetadata(cubin, cubinSize);
    if (found.kind != EmbeddedMetadata::Present)
      throw Failure{TILEIRAS_LAUNCH_ERROR_BAD_IMAGE, found.error};
    *metadata = found.text.data();
    *metadataSize = found.text.size();
  });
}
