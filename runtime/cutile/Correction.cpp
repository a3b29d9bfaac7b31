//===- Correction.cpp - What a launch of a kernel of ours has to be told ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Correction.h"
#include "Registry.h"
#include <algorithm>

namespace tileiras::cutile {

/// Of the current context, or of `context`.
static Result getDevice(cuda::Context context, cuda::Device &device) noexcept {
  auto *get = TILEIRAS_DRIVER_FUNCTION(cuCtxGetDevice, cuda::Device *);
  auto *push = TILEIRAS_DRIVER_FUNCTION(cuCtxPushCurrent_v2, cuda::Context);
  auto *pop = TILEIRAS_DRIVER_FUNCTION(cuCtxPopCurrent_v2, cuda::Context *);
  if (!get || !push || !pop)
    return cuda::kNotFound;
  if (!context)
    return get(&device);
  Result result = push(context);
  if (result != 0)
    return result;
  result = get(&device);
  pop(&context);
  return result;
}

static Result setSharedBytes(Handle function, const KernelEntry &entry, uint32_t bytes, cuda::Device device) noexcept {
  auto *setOfKernel = TILEIRAS_DRIVER_FUNCTION(cuKernelSetAttribute, int, int, Handle, cuda::Device);
  auto *setOfFunction = TILEIRAS_DRIVER_FUNCTION(cuFuncSetAttribute, Handle, int, int);
  int value = static_cast<int>(bytes);
  if (entry.ofLibrary.load(std::memory_order_relaxed))
    return setOfKernel ? setOfKernel(cuda::kMaximumDynamicShared, value, function, device) : cuda::kNotFound;
  return setOfFunction ? setOfFunction(function, cuda::kMaximumDynamicShared, value) : cuda::kNotFound;
}

[[gnu::cold]] static void explainShared(const launch::KernelMetadata &kernel, Result result) {
  report(kernel.name + " needs " + std::to_string(kernel.dynamicSharedBytes) +
         " bytes of dynamic shared memory, and the driver does not allow it (error " + std::to_string(result) +
         "): the device has less; compile with smaller tiles");
}

/// Allows the kernel its dynamic shared memory. Always, as what a kernel may have without being asked depends on its
/// static shared memory; once, as the driver takes a lock for it.
static void optIn(Handle function, const KernelTable::Found &found, cuda::Context context) noexcept {
  uint32_t bytes = found.kernel->dynamicSharedBytes;
  if (bytes == 0)
    return;
  cuda::Device device = 0;
  if (found.entry->ofLibrary.load(std::memory_order_relaxed) && getDevice(context, device) != 0)
    return; // no context: the launch will say so
  uint64_t bit = uint64_t{1} << (device < 63 ? device : 63);
  // Devices that share a bit are asked each time.
  if (device < 63 && (found.entry->optedIn.load(std::memory_order_acquire) & bit))
    return;
  Result result = setSharedBytes(function, *found.entry, bytes, device);
  if (result == 0)
    found.entry->optedIn.fetch_or(bit, std::memory_order_release);
  else if (isVerbose())
    explainShared(*found.kernel, result);
}

/// One number after the other: they have just been stored so, and reading them at once would wait for that.
template <typename Dimensions>
static bool isOne(const Dimensions &dimensions) noexcept {
  return dimensions[0] == 1 && dimensions[1] == 1 && dimensions[2] == 1;
}

[[gnu::cold]] static void explainBlock(const launch::KernelMetadata &kernel, const launch::Dimensions &block) {
  report(kernel.name + " is launched with block " + print(block) + ", and needs " + print(kernel.launchBlockSize) +
         ": left as it is, the driver decides; a launcher that does not know the block passes (1, 1, 1)");
}

[[gnu::cold]] static void explainCluster(const launch::KernelMetadata &kernel) {
  report(
      kernel.name + " has clusters of " + print(kernel.clusterSize) +
      " that a launcher has to ask for, which is left to the program; compile without launch-blocks=threads: then the "
      "image says it");
}

bool correct(Handle function, unsigned (&block)[3], unsigned &sharedBytes, cuda::Context context) noexcept {
  KernelTable::Found found = Registry::get().find(function);
  if (!found.kernel)
    return false;
  const launch::KernelMetadata &kernel = *found.kernel;
  if (!isOne(block)) {
    if (isVerbose() && !std::equal(block, block + 3, kernel.launchBlockSize.begin()))
      explainBlock(kernel, {block[0], block[1], block[2]});
    return false;
  }
  if (kernel.launchBlocks == launch::LaunchBlocks::Threads && !isOne(kernel.clusterSize)) {
    if (isVerbose())
      explainCluster(kernel);
    return false;
  }
  bool changes = !isOne(kernel.launchBlockSize);
  for (int i = 0; i < 3; ++i)
    block[i] = kernel.launchBlockSize[i];
  if (sharedBytes == 0 && kernel.dynamicSharedBytes > 0) {
    sharedBytes = kernel.dynamicSharedBytes;
    optIn(function, found, context);
    changes = true;
  }
  return changes;
}

} // namespace tileiras::cutile
