//===- Correction.cpp - What a launch of a kernel of ours has to be told ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Correction.h"
#include "Registry.h"

namespace tileiras::cutile {

/// A function of the driver that only we need here; null where the driver has none.
template <typename Type>
static Type driverFunction(const char *name, std::atomic<void *> &known) noexcept {
  void *found = known.load(std::memory_order_acquire);
  if (!found && (found = findInDriver(name)))
    known.store(found, std::memory_order_release);
  return reinterpret_cast<Type>(found);
}
#define TILEIRAS_DRIVER_FUNCTION(NAME, ...)                                                                            \
  driverFunction<Result (*)(__VA_ARGS__)>(#NAME, []() -> std::atomic<void *> & {                                       \
    static constinit std::atomic<void *> known{nullptr};                                                               \
    return known;                                                                                                      \
  }())

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
    report(found.kernel->name + " needs " + std::to_string(bytes) +
           " bytes of dynamic shared memory, and the driver does not allow it (error " + std::to_string(result) +
           "): the device has less; compile with smaller tiles");
}

bool mayNeedCorrection(unsigned blockX, unsigned blockY, unsigned blockZ) noexcept {
  return (blockX == 1 && blockY == 1 && blockZ == 1) || __builtin_expect(isVerbose(), false);
}

static void explainBlock(const launch::KernelMetadata &kernel, const launch::Dimensions &block) {
  report(kernel.name + " is launched with block " + print(block) + ", and needs " + print(kernel.launchBlockSize) +
         ": left as it is, the driver decides; a launcher that does not know the block passes (1, 1, 1)");
}

static void explainCluster(const launch::KernelMetadata &kernel) {
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
  if (launch::Dimensions passed = {block[0], block[1], block[2]}; passed != launch::Dimensions{1, 1, 1}) {
    if (passed != kernel.launchBlockSize && isVerbose())
      explainBlock(kernel, passed);
    return false;
  }
  if (kernel.launchBlocks == launch::LaunchBlocks::Threads && kernel.hasCluster()) {
    if (isVerbose())
      explainCluster(kernel);
    return false;
  }
  bool changes = kernel.launchBlockSize != launch::Dimensions{1, 1, 1};
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
