//===- Pools.cpp - Memory that a stream allocates and frees ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Memory is there from the call on; it is freed when the stream comes to it. Who uses it before the stream would have
// allocated it is not noticed.

#include "Capture.h"
#include "Graphs.h"
#include <algorithm>
#include <cstring>

using namespace emudriver;

namespace emudriver {

namespace {

enum PoolAttribute : int {
  kReuseFollowEventDependencies = 1,
  kReuseAllowOpportunistic = 2,
  kReuseAllowInternalDependencies = 3,
  kReleaseThreshold = 4,
  kReservedCurrent = 5,
  kReservedHigh = 6,
  kUsedCurrent = 7,
  kUsedHigh = 8
};

struct Pool : Object {
  int reuse[4] = {0, 1, 1, 1}; ///< by attribute; allowed, as in the real driver
  uint64_t releaseThreshold = 0, used = 0, usedHigh = 0;
};

} // namespace

static std::shared_ptr<Pool> &defaultPool() {
  static auto &pool = *new std::shared_ptr<Pool>(make<Pool>());
  return pool;
}

/// cuDeviceSetMemPool's; null: the default one.
static std::shared_ptr<Pool> &devicePool() {
  static auto &pool = *new std::shared_ptr<Pool>();
  return pool;
}

static std::shared_ptr<Pool> currentPool() {
  return devicePool() ? devicePool() : defaultPool();
}

static uint64_t allocateFrom(Pool &pool, size_t bytes, const std::shared_ptr<Stream> &stream) {
  const uint64_t address = allocateMemory(bytes, stream->context);
  State::get().allocations.at(address).pool = pool.handle;
  pool.used += bytes;
  pool.usedHigh = std::max(pool.usedHigh, pool.used);
  if (stream->capture) { // as long as the graph
    NodeWork work;
    work.type = kMemAllocNode;
    work.memory = std::make_shared<GraphMemory>();
    work.memory->address = address;
    captureNode(*stream, std::move(work));
  }
  return address;
}

static void freeInStream(uint64_t address, const std::shared_ptr<Stream> &stream) {
  const Allocation &a = findRange(address, 1);
  require(a.base == address && a.kind == MemoryKind::Device, kInvalidValue,
          "the pointer is not the start of an allocation of the device");
  if (stream->capture) {
    NodeWork work;
    work.type = kMemFreeNode;
    return captureNode(*stream, std::move(work));
  }
  enqueue(stream, [address] {
    const Allocation *gone = findAllocation(address);
    if (!gone || gone->base != address) // freed twice, or by cuMemFree meanwhile
      return say("error: cuMemFreeAsync: the memory at " + showHex(address) + " has been freed before");
    auto it = State::get().objects.find(gone->pool);
    if (auto pool = it == State::get().objects.end() ? nullptr : std::dynamic_pointer_cast<Pool>(it->second))
      pool->used -= gone->bytes;
    freeMemory(address);
  });
}

static void checkPoolDevice(DeviceOrdinal device) {
  require(device == 0, kInvalidDevice, "there is no device " + std::to_string(device));
}

/// Numbers of 32 bits for how memory is reused, of 64 for amounts.
static void accessAttribute(Pool &pool, int attribute, void *value, bool isWritten) {
  require(value, kInvalidValue, "a null pointer");
  auto access = [&](auto &member) {
    isWritten ? std::memcpy(&member, value, sizeof member) : std::memcpy(value, &member, sizeof member);
  };
  switch (attribute) {
  case kReuseFollowEventDependencies:
  case kReuseAllowOpportunistic:
  case kReuseAllowInternalDependencies:
    return access(pool.reuse[attribute]);
  case kReleaseThreshold:
    return access(pool.releaseThreshold);
  case kReservedHigh:
  case kUsedHigh:
    if (isWritten) // to 0: from now on
      pool.usedHigh = pool.used;
    else
      access(pool.usedHigh);
    return;
  case kReservedCurrent:
  case kUsedCurrent:
    require(!isWritten, kInvalidValue, "the attribute cannot be set");
    return access(pool.used);
  default:
    refuse(kInvalidValue, "no attribute " + std::to_string(attribute) + " of a memory pool");
  }
}

} // namespace emudriver

EMULATED_CUDA_API cuMemAllocAsync(DevicePointer *pointer, size_t bytes, void *stream) {
  return call("cuMemAllocAsync", [&] {
    require(pointer, kInvalidValue, "a null pointer");
    *pointer = allocateFrom(*currentPool(), bytes, findStream(stream));
  });
}

EMULATED_CUDA_API cuMemAllocFromPoolAsync(DevicePointer *pointer, size_t bytes, void *pool, void *stream) {
  return call("cuMemAllocFromPoolAsync", [&] {
    require(pointer, kInvalidValue, "a null pointer");
    *pointer = allocateFrom(*find<Pool>(pool, "memory pool", kInvalidValue), bytes, findStream(stream));
  });
}

EMULATED_CUDA_API cuMemFreeAsync(DevicePointer pointer, void *stream) {
  return call("cuMemFreeAsync", [&] {
    auto found = findStream(stream);
    if (pointer)
      freeInStream(pointer, found);
  });
}

EMULATED_CUDA_API cuDeviceGetDefaultMemPool(void **pool, DeviceOrdinal device) {
  return call("cuDeviceGetDefaultMemPool", [&] {
    require(pool, kInvalidValue, "a null pointer");
    checkPoolDevice(device);
    *pool = defaultPool()->handle;
  });
}

EMULATED_CUDA_API cuDeviceGetMemPool(void **pool, DeviceOrdinal device) {
  return call("cuDeviceGetMemPool", [&] {
    require(pool, kInvalidValue, "a null pointer");
    checkPoolDevice(device);
    *pool = currentPool()->handle;
  });
}

EMULATED_CUDA_API cuDeviceSetMemPool(DeviceOrdinal device, void *pool) {
  return call("cuDeviceSetMemPool", [&] {
    checkPoolDevice(device);
    devicePool() = find<Pool>(pool, "memory pool", kInvalidValue);
  });
}

namespace emudriver {

static void checkPoolPlace(const MemoryLocation *where, int type) {
  constexpr int kOfDevice = 1, kPinned = 1;
  require(where != nullptr, kInvalidValue, "a null pointer");
  require(where->type == kOfDevice && type == kPinned, kNotSupported,
          "the emulated driver has pools of the device only");
  checkPoolDevice(where->id);
}

} // namespace emudriver

EMULATED_CUDA_API cuMemGetDefaultMemPool(void **pool, const MemoryLocation *where, int type) {
  return call("cuMemGetDefaultMemPool", [&] {
    require(pool, kInvalidValue, "a null pointer");
    checkPoolPlace(where, type);
    *pool = defaultPool()->handle;
  });
}

EMULATED_CUDA_API cuMemGetMemPool(void **pool, const MemoryLocation *where, int type) {
  return call("cuMemGetMemPool", [&] {
    require(pool, kInvalidValue, "a null pointer");
    checkPoolPlace(where, type);
    *pool = currentPool()->handle;
  });
}

EMULATED_CUDA_API cuMemSetMemPool(const MemoryLocation *where, int type, void *pool) {
  return call("cuMemSetMemPool", [&] {
    checkPoolPlace(where, type);
    devicePool() = find<Pool>(pool, "memory pool", kInvalidValue);
  });
}

EMULATED_CUDA_API cuMemPoolCreate(void **pool, const MemoryPoolProps *props) {
  return call("cuMemPoolCreate", [&] {
    require(pool && props, kInvalidValue, "a null pointer");
    require(props->handleTypes == 0, kNotSupported, "the emulated driver shares no memory between processes");
    constexpr int kOfDevice = 1;
    require(props->locationType == kOfDevice, kNotSupported, "the emulated driver has pools of the device only");
    *pool = make<Pool>()->handle;
  });
}

// Memory that was allocated from it stays until it is freed.
EMULATED_CUDA_API cuMemPoolDestroy(void *pool) {
  return call("cuMemPoolDestroy", [&] {
    auto found = find<Pool>(pool, "memory pool", kInvalidValue);
    require(found != defaultPool(), kInvalidValue, "the default pool is not destroyed");
    if (devicePool() == found)
      devicePool() = nullptr;
    State::get().remove(pool);
  });
}

EMULATED_CUDA_API cuMemPoolGetAttribute(void *pool, int attribute, void *value) {
  return call("cuMemPoolGetAttribute",
              [&] { accessAttribute(*find<Pool>(pool, "memory pool", kInvalidValue), attribute, value, false); });
}

EMULATED_CUDA_API cuMemPoolSetAttribute(void *pool, int attribute, void *value) {
  return call("cuMemPoolSetAttribute",
              [&] { accessAttribute(*find<Pool>(pool, "memory pool", kInvalidValue), attribute, value, true); });
}

EMULATED_CUDA_API cuMemPoolTrimTo(void *pool, size_t bytes) {
  return call("cuMemPoolTrimTo", [&] { find<Pool>(pool, "memory pool", kInvalidValue); });
}

// There is one device, which reaches all of it.
EMULATED_CUDA_API cuMemPoolSetAccess(void *pool, const void *descriptions, size_t count) {
  return call("cuMemPoolSetAccess", [&] { find<Pool>(pool, "memory pool", kInvalidValue); });
}

EMULATED_CUDA_API cuMemPoolGetAccess(int *flags, void *pool, MemoryLocation *where) {
  return call("cuMemPoolGetAccess", [&] {
    require(flags && where, kInvalidValue, "a null pointer");
    find<Pool>(pool, "memory pool", kInvalidValue);
    constexpr int kReadWrite = 3;
    *flags = kReadWrite;
  });
}
