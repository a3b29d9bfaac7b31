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
#include <utility>

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

static_assert(TILEIRAS_EMPTY_ARRAYS_BYTES == std::tuple_size_v<EmptyArrays>);

const KernelMetadata &findKernel(const Metadata &metadata, const char *name) {
  if (!name && metadata.kernels.size() == 1)
    return metadata.kernels.front();
  for (const KernelMetadata &kernel : metadata.kernels)
    if (name && kernel.name == name)
      return kernel;
  throw Failure{TILEIRAS_LAUNCH_ERROR_NOT_FOUND,
                name ? std::string("the metadata has no kernel '") + name + "'"
                     : "the metadata has " + std::to_string(metadata.kernels.size()) + " kernels: say the name of one"};
}

/// `place`: 128 bytes.
void encodeMap(const KernelMetadata &kernel, size_t index, const void *const *arguments, uint64_t emptyArrays,
               TileirasEncodeTiled encode, void *place) {
  TensorMapArguments a = computeTensorMap(kernel, kernel.tensorMaps[index], arguments, emptyArrays);
  int result = encode(place, a.dataType, a.rank, reinterpret_cast<void *>(a.globalAddress), a.globalDim.data(),
                      a.globalStrides.data(), a.boxDim.data(), a.elementStrides.data(), a.interleave, a.swizzle,
                      a.l2Promotion, a.oobFill);
  if (result != 0)
    throw Failure{TILEIRAS_LAUNCH_ERROR_DRIVER,
                  explainTensorMap(kernel, index, a) + "; the encoder's result is " + std::to_string(result), result};
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
    kernel->launch(grid, arguments, argumentCount, stream, /*overlaps=*/false);
  });
}

TileirasLaunchStatus tileirasLaunchWithOptions(const TileirasKernel *kernel, const uint32_t grid[3],
                                               const void *const *arguments, size_t argumentCount,
                                               const TileirasLaunchOptions *options) {
  return guarded([&] {
    requireNonNull(kernel, "kernel");
    requireNonNull(grid, "grid");
    TileirasLaunchOptions all = TILEIRAS_LAUNCH_OPTIONS_INIT;
    if (options && options->structSize < sizeof options->structSize)
      throw Failure{TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT,
                    "options->structSize is not set: initialise it with TILEIRAS_LAUNCH_OPTIONS_INIT"};
    if (options)
      std::memcpy(&all, options, std::min(options->structSize, sizeof all));
    kernel->launch(grid, arguments, argumentCount, all.stream, all.overlaps != 0);
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

TileirasLaunchStatus tileirasTensorMapsEncode(const char *metadata, const char *kernel, const void *const *arguments,
                                              size_t argumentCount, uint64_t emptyArrays, TileirasEncodeTiled encode,
                                              void *maps, size_t *count) {
  return guarded([&] {
    requireNonNull(metadata, "metadata");
    requireNonNull(count, "count");
    std::string error;
    std::optional<Metadata> all = parseMetadata(metadata, error);
    if (!all)
      throw Failure{TILEIRAS_LAUNCH_ERROR_BAD_IMAGE, error};
    const KernelMetadata &found = findKernel(*all, kernel);
    const size_t room = std::exchange(*count, found.tensorMaps.size());
    if (!maps || found.tensorMaps.empty())
      return;
    requireNonNull(reinterpret_cast<const void *>(encode), "encode");
    checkArguments(found, arguments, argumentCount);
    if (reinterpret_cast<uintptr_t>(maps) % kTensorMapAlignment != 0)
      throw Failure{TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT, "maps is no multiple of 64"};
    if (!emptyArrays && needsEmptyArrays(found, arguments))
      throw Failure{TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT,
                    "an array of kernel '" + found.name +
                        "' has no elements: give the address of device memory for such in emptyArrays"};
    for (size_t i = 0; i < std::min(room, found.tensorMaps.size()); ++i)
      encodeMap(found, i, arguments, emptyArrays, encode, static_cast<char *>(maps) + i * kTensorMapBytes);
  });
}
