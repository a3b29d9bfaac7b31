//===- Devices.cpp - Initialisation, devices, contexts -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <utility>

using namespace emudriver;

static void checkDevice(DeviceOrdinal device) {
  require(device == 0 && Configuration::get().devices == 1, kInvalidDevice,
          "there is no device " + std::to_string(device));
}

EMULATED_CUDA_API cuInit(unsigned flags) {
  return callBeforeInit("cuInit", [&] {
    require(flags == 0, kInvalidValue, "flags must be 0");
    require(Configuration::get().devices == 1, kNoDevice, "EMULATED_CUDA_DEVICES=0");
    State &state = State::get();
    if (!state.isInitialized)
      state.process = getpid();
    state.isInitialized = true;
  });
}

EMULATED_CUDA_API cuDriverGetVersion(int *version) {
  return callBeforeInit("cuDriverGetVersion", [&] {
    require(version, kInvalidValue, "a null pointer");
    *version = Configuration::get().version;
  });
}

EMULATED_CUDA_API cuGetErrorName(Result result, const char **text) {
  return callBeforeInit("cuGetErrorName", [&] {
    require(text, kInvalidValue, "a null pointer");
    *text = resultName(result);
    require(*text, kInvalidValue, "no such result");
  });
}

EMULATED_CUDA_API cuGetErrorString(Result result, const char **text) {
  return callBeforeInit("cuGetErrorString", [&] {
    require(text, kInvalidValue, "a null pointer");
    *text = resultText(result);
    require(*text, kInvalidValue, "no such result");
  });
}

EMULATED_CUDA_API cuDeviceGetCount(int *count) {
  return call("cuDeviceGetCount", [&] {
    require(count, kInvalidValue, "a null pointer");
    *count = Configuration::get().devices;
  });
}

EMULATED_CUDA_API cuDeviceGet(DeviceOrdinal *device, int ordinal) {
  return call("cuDeviceGet", [&] {
    require(device, kInvalidValue, "a null pointer");
    checkDevice(ordinal);
    *device = ordinal;
  });
}

EMULATED_CUDA_API cuDeviceGetName(char *name, int length, DeviceOrdinal device) {
  return call("cuDeviceGetName", [&] {
    require(name && length > 0, kInvalidValue, "no room for the name");
    checkDevice(device);
    std::snprintf(name, static_cast<size_t>(length), "%s", Configuration::get().deviceName().c_str());
  });
}

EMULATED_CUDA_API cuDeviceGetAttribute(int *value, int attribute, DeviceOrdinal device) {
  return call("cuDeviceGetAttribute", [&] {
    require(value, kInvalidValue, "a null pointer");
    checkDevice(device);
    auto known = Configuration::get().deviceAttribute(attribute);
    require(known.has_value(), kInvalidValue, "no device attribute " + std::to_string(attribute));
    *value = *known;
  });
}

EMULATED_CUDA_API cuDeviceTotalMem_v2(size_t *bytes, DeviceOrdinal device) {
  return call("cuDeviceTotalMem", [&] {
    require(bytes, kInvalidValue, "a null pointer");
    checkDevice(device);
    *bytes = Configuration::get().memory;
  });
}

// One for each kind of GPU.
EMULATED_CUDA_API cuDeviceGetUuid_v2(Uuid *uuid, DeviceOrdinal device) {
  return call("cuDeviceGetUuid", [&] {
    require(uuid, kInvalidValue, "a null pointer");
    checkDevice(device);
    std::memset(uuid->bytes, 0, sizeof uuid->bytes);
    std::snprintf(uuid->bytes, sizeof uuid->bytes, "emulated sm_%d", Configuration::get().computeCapability());
  });
}
EMULATED_CUDA_API cuDeviceGetUuid(Uuid *uuid, DeviceOrdinal device) {
  return cuDeviceGetUuid_v2(uuid, device);
}

EMULATED_CUDA_API cuDeviceComputeCapability(int *major, int *minor, DeviceOrdinal device) {
  return call("cuDeviceComputeCapability", [&] {
    require(major && minor, kInvalidValue, "a null pointer");
    checkDevice(device);
    *major = Configuration::get().major;
    *minor = Configuration::get().minor;
  });
}

static constexpr char kBusId[] = "0000:00:00.0";

EMULATED_CUDA_API cuDeviceGetPCIBusId(char *id, int length, DeviceOrdinal device) {
  return call("cuDeviceGetPCIBusId", [&] {
    require(id && length > 0, kInvalidValue, "no room for the name");
    checkDevice(device);
    std::snprintf(id, static_cast<size_t>(length), "%s", kBusId);
  });
}

EMULATED_CUDA_API cuDeviceGetByPCIBusId(DeviceOrdinal *device, const char *id) {
  return call("cuDeviceGetByPCIBusId", [&] {
    require(device && id, kInvalidValue, "a null pointer");
    require(std::strcmp(id, kBusId) == 0, kInvalidDevice, std::string("there is no device ") + id);
    *device = 0;
  });
}

EMULATED_CUDA_API cuDeviceCanAccessPeer(int *can, DeviceOrdinal device, DeviceOrdinal peer) {
  return call("cuDeviceCanAccessPeer", [&] {
    require(can, kInvalidValue, "a null pointer");
    checkDevice(device);
    checkDevice(peer);
    *can = 0; // itself is none
  });
}

EMULATED_CUDA_API cuProfilerStart() {
  return call("cuProfilerStart", [] {});
}
EMULATED_CUDA_API cuProfilerStop() {
  return call("cuProfilerStop", [] {});
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuDevicePrimaryCtxRetain(void **context, DeviceOrdinal device) {
  return call("cuDevicePrimaryCtxRetain", [&] {
    require(context, kInvalidValue, "a null pointer");
    checkDevice(device);
    State &state = State::get();
    if (!state.primary) {
      state.primary = makeContext();
      state.primary->isPrimary = true;
    }
    ++state.primary->retained;
    *context = state.primary->handle;
  });
}

// The primary context of the real driver goes away with its last user; this one stays, and what is in it.
EMULATED_CUDA_API cuDevicePrimaryCtxRelease_v2(DeviceOrdinal device) {
  return call("cuDevicePrimaryCtxRelease", [&] {
    checkDevice(device);
    auto &primary = State::get().primary;
    require(primary && primary->retained > 0, kInvalidContext, "nobody retains the primary context");
    --primary->retained;
  });
}

// What is in the context is gone; who retains it next gets another.
EMULATED_CUDA_API cuDevicePrimaryCtxReset_v2(DeviceOrdinal device) {
  return call("cuDevicePrimaryCtxReset", [&] {
    checkDevice(device);
    State &state = State::get();
    auto context = std::exchange(state.primary, nullptr);
    if (!context)
      return;
    const bool isUsable = context->lost == kSuccess;
    if (isUsable)
      completeContext(context);
    std::vector<uint64_t> own;
    for (auto &[base, allocation] : state.allocations)
      if (allocation.context == context &&
          (allocation.kind == MemoryKind::Device || allocation.kind == MemoryKind::Managed))
        own.push_back(base);
    for (uint64_t base : own)
      freeMemory(base);
    context->isDestroyed = true;
    state.remove(context->handle);
  });
}

EMULATED_CUDA_API cuDevicePrimaryCtxGetState(DeviceOrdinal device, unsigned *flags, int *active) {
  return call("cuDevicePrimaryCtxGetState", [&] {
    require(flags && active, kInvalidValue, "a null pointer");
    checkDevice(device);
    auto &primary = State::get().primary;
    *flags = 0;
    *active = primary && primary->retained > 0;
  });
}

EMULATED_CUDA_API cuCtxCreate_v2(void **context, unsigned flags, DeviceOrdinal device) {
  return call("cuCtxCreate", [&] {
    require(context, kInvalidValue, "a null pointer");
    checkDevice(device);
    auto made = makeContext();
    contextStack().push_back(made);
    *context = made->handle;
  });
}

EMULATED_CUDA_API cuCtxCreate_v3(void **context, const void *affinities, int count, unsigned flags,
                                 DeviceOrdinal device) {
  return cuCtxCreate_v2(context, flags, device);
}
EMULATED_CUDA_API cuCtxCreate_v4(void **context, const void *params, unsigned flags, DeviceOrdinal device) {
  return cuCtxCreate_v2(context, flags, device);
}

// How the host waits, and how the device gives its caches away, is of no consequence here.
EMULATED_CUDA_API cuDevicePrimaryCtxSetFlags_v2(DeviceOrdinal device, unsigned flags) {
  return call("cuDevicePrimaryCtxSetFlags", [&] { checkDevice(device); });
}
EMULATED_CUDA_API cuCtxGetFlags(unsigned *flags) {
  return call("cuCtxGetFlags", [&] {
    require(flags, kInvalidValue, "a null pointer");
    currentContext();
    *flags = 0;
  });
}
EMULATED_CUDA_API cuCtxSetFlags(unsigned flags) {
  return call("cuCtxSetFlags", [&] { currentContext(); });
}
EMULATED_CUDA_API cuCtxGetCacheConfig(int *config) {
  return call("cuCtxGetCacheConfig", [&] {
    require(config, kInvalidValue, "a null pointer");
    currentContext();
    *config = 0;
  });
}
EMULATED_CUDA_API cuCtxSetCacheConfig(int config) {
  return call("cuCtxSetCacheConfig", [&] { currentContext(); });
}
EMULATED_CUDA_API cuCtxResetPersistingL2Cache() {
  return call("cuCtxResetPersistingL2Cache", [&] { currentContext(); });
}

EMULATED_CUDA_API cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return call("cuCtxGetStreamPriorityRange", [&] {
    currentContext();
    if (least)
      *least = 0;
    if (greatest)
      *greatest = kHighestPriority;
  });
}

EMULATED_CUDA_API cuCtxDestroy_v2(void *handle) {
  return call("cuCtxDestroy", [&] {
    auto context = find<Context>(handle, "context", kInvalidContext);
    require(!context->isPrimary, kInvalidContext, "the primary context is released, not destroyed");
    if (context->lost == kSuccess)
      completeContext(context);
    context->isDestroyed = true;
    State::get().remove(handle);
    auto &stack = contextStack();
    if (!stack.empty() && stack.back() == context)
      stack.pop_back();
  });
}

EMULATED_CUDA_API cuCtxGetCurrent(void **context) {
  return call("cuCtxGetCurrent", [&] {
    require(context, kInvalidValue, "a null pointer");
    auto &stack = contextStack();
    *context = stack.empty() || !stack.back() ? nullptr : stack.back()->handle;
  });
}

EMULATED_CUDA_API cuCtxSetCurrent(void *handle) {
  return call("cuCtxSetCurrent", [&] {
    auto &stack = contextStack();
    if (!stack.empty())
      stack.pop_back();
    if (handle)
      stack.push_back(find<Context>(handle, "context", kInvalidContext));
  });
}

EMULATED_CUDA_API cuCtxPushCurrent_v2(void *handle) {
  return call("cuCtxPushCurrent", [&] { contextStack().push_back(find<Context>(handle, "context", kInvalidContext)); });
}

EMULATED_CUDA_API cuCtxPopCurrent_v2(void **handle) {
  return call("cuCtxPopCurrent", [&] {
    auto &stack = contextStack();
    require(!stack.empty(), kInvalidContext, "the calling thread has no current context");
    if (handle)
      *handle = stack.back() ? stack.back()->handle : nullptr;
    stack.pop_back();
  });
}

EMULATED_CUDA_API cuCtxGetDevice(DeviceOrdinal *device) {
  return call("cuCtxGetDevice", [&] {
    require(device, kInvalidValue, "a null pointer");
    currentContext();
    *device = 0;
  });
}

EMULATED_CUDA_API cuCtxGetDevice_v2(DeviceOrdinal *device, void *context) {
  return call("cuCtxGetDevice", [&] {
    require(device, kInvalidValue, "a null pointer");
    checkUsable(context ? *find<Context>(context, "context", kInvalidContext) : *currentContext());
    *device = 0;
  });
}

EMULATED_CUDA_API cuCtxGetId(void *handle, unsigned long long *id) {
  return call("cuCtxGetId", [&] {
    require(id, kInvalidValue, "a null pointer");
    *id = (handle ? find<Context>(handle, "context", kContextIsDestroyed) : currentContext())->id;
  });
}

EMULATED_CUDA_API cuCtxGetApiVersion(void *handle, unsigned *version) {
  return call("cuCtxGetApiVersion", [&] {
    require(version, kInvalidValue, "a null pointer");
    if (handle)
      find<Context>(handle, "context", kInvalidContext);
    *version = 3020;
  });
}

// Kept, and without effect: stacks grow as they have to, and the emulator's heap has a size of its own.
EMULATED_CUDA_API cuCtxSetLimit(int limit, size_t value) {
  return call("cuCtxSetLimit", [&] {
    auto context = currentContext();
    require(limit >= 0 && limit < kLimits, kUnsupportedLimit, "no limit " + std::to_string(limit));
    context->limits[limit] = value;
  });
}

EMULATED_CUDA_API cuCtxGetLimit(size_t *value, int limit) {
  return call("cuCtxGetLimit", [&] {
    require(value, kInvalidValue, "a null pointer");
    require(limit >= 0 && limit < kLimits, kUnsupportedLimit, "no limit " + std::to_string(limit));
    *value = currentContext()->limits[limit];
  });
}

EMULATED_CUDA_API cuCtxSynchronize() {
  return call("cuCtxSynchronize", [&] { completeContext(currentContext()); });
}

EMULATED_CUDA_API cuCtxSynchronize_v2(void *context) {
  return call("cuCtxSynchronize", [&] {
    completeContext(context ? find<Context>(context, "context", kInvalidContext) : currentContext());
  });
}
