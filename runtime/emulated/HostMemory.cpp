//===- HostMemory.cpp - Page-locked and managed memory --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory of the host that kernels reach: it has the same address for both. What is allocated here lies in a part of the
// address space that the host's allocators and the emulator's leave alone.
//
//===----------------------------------------------------------------------===//

#include "HostMemory.h"
#include "State.h"
#include <cstring>
#include <sys/mman.h>

using namespace emudriver;

namespace emudriver {

/// Mapped memory, or null. Addresses are not used again, so that a pointer to what is freed is noticed.
static void *mapMemory(uint64_t bytes) {
  static uint64_t next = uint64_t(0x2000) << 32;
  constexpr uint64_t kDistance = 1 << 16;
  void *memory = mmap(reinterpret_cast<void *>(next), bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  next += (bytes + 2 * kDistance) / kDistance * kDistance;
  return memory == MAP_FAILED ? nullptr : memory;
}

static const char *nameOf(MemoryKind kind) {
  return kind == MemoryKind::Managed ? "managed memory" : "page-locked memory";
}

void *allocateHostMemory(uint64_t bytes, MemoryKind kind, unsigned flags) {
  require(bytes > 0, kInvalidValue, "an allocation of no bytes");
  auto context = currentContext();
  State &state = State::get();
  const uint64_t room = Configuration::get().memory - state.allocated;
  require(kind != MemoryKind::Managed || bytes <= room, kOutOfMemory,
          std::to_string(bytes) + " bytes are asked for, " + std::to_string(room) + " are free (EMULATED_CUDA_MEMORY)");
  void *memory = mapMemory(bytes);
  require(memory != nullptr, kOutOfMemory, "the host has no more memory");
  const uint64_t base = reinterpret_cast<uintptr_t>(memory);
  state.device.adopt(memory, bytes, nameOf(kind));
  state.allocations[base] = {base, bytes, context, kind, flags};
  state.allocated += kind == MemoryKind::Managed ? bytes : 0;
  return memory;
}

void freeHostMemory(uint64_t address) {
  State &state = State::get();
  auto it = state.allocations.find(address);
  state.device.release(reinterpret_cast<void *>(address));
  munmap(reinterpret_cast<void *>(address), it->second.bytes);
  state.allocations.erase(it);
}

/// The allocation that begins there.
static Allocation &findHost(const void *pointer, MemoryKind kind, Result code) {
  auto &allocations = State::get().allocations;
  auto it = allocations.find(reinterpret_cast<uintptr_t>(pointer));
  require(it != allocations.end() && it->second.kind == kind, code, "the pointer is not the start of such memory");
  return it->second;
}

} // namespace emudriver

EMULATED_CUDA_API cuMemAllocHost_v2(void **pointer, size_t bytes) {
  return cuMemHostAlloc(pointer, bytes, 0);
}

EMULATED_CUDA_API cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return call("cuMemHostAlloc", [&] {
    require(pointer, kInvalidValue, "a null pointer");
    require(flags <= 7, kInvalidValue, "unknown flags");
    *pointer = allocateHostMemory(bytes, MemoryKind::Host, flags);
  });
}

EMULATED_CUDA_API cuMemFreeHost(void *pointer) {
  return call("cuMemFreeHost", [&] {
    completeContext(currentContext());
    freeHostMemory(findHost(pointer, MemoryKind::Host, kInvalidValue).base);
  });
}

EMULATED_CUDA_API cuMemAllocManaged(DevicePointer *pointer, size_t bytes, unsigned flags) {
  return call("cuMemAllocManaged", [&] {
    require(pointer, kInvalidValue, "a null pointer");
    require(flags == 1 || flags == 2, kInvalidValue, "flags are those of CUmemAttach_flags: global, or host");
    *pointer = reinterpret_cast<uintptr_t>(allocateHostMemory(bytes, MemoryKind::Managed, flags));
  });
}

EMULATED_CUDA_API cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags) {
  return call("cuMemHostRegister", [&] {
    require(pointer && bytes, kInvalidValue, "a null pointer, or no bytes");
    auto context = currentContext();
    const uint64_t base = reinterpret_cast<uintptr_t>(pointer);
    require(!findAllocation(base), kHostMemoryAlreadyRegistered, "the memory is page-locked already");
    try {
      State::get().device.adopt(pointer, bytes, "registered memory");
    } catch (const ptxemu::InputError &error) {
      refuse(kHostMemoryAlreadyRegistered, error.what());
    }
    State::get().allocations[base] = {base, bytes, context, MemoryKind::Registered, flags};
  });
}

EMULATED_CUDA_API cuMemHostUnregister(void *pointer) {
  return call("cuMemHostUnregister", [&] {
    completeContext(currentContext());
    findHost(pointer, MemoryKind::Registered, kHostMemoryNotRegistered);
    State::get().device.release(pointer);
    State::get().allocations.erase(reinterpret_cast<uintptr_t>(pointer));
  });
}

EMULATED_CUDA_API cuMemHostGetDevicePointer_v2(DevicePointer *device, void *pointer, unsigned flags) {
  return call("cuMemHostGetDevicePointer", [&] {
    require(device && flags == 0, kInvalidValue, "a null pointer, or flags");
    require(isPageLocked(pointer, 1), kInvalidValue, "the memory is not page-locked");
    *device = reinterpret_cast<uintptr_t>(pointer);
  });
}

EMULATED_CUDA_API cuMemHostGetFlags(unsigned *flags, void *pointer) {
  return call("cuMemHostGetFlags", [&] {
    require(flags, kInvalidValue, "a null pointer");
    *flags = findHost(pointer, MemoryKind::Host, kInvalidValue).flags;
  });
}

//===----------------------------------------------------------------------===//
// Managed memory
//===----------------------------------------------------------------------===//

// Where managed memory lies changes no result.
static Result hintOf(const char *name, DevicePointer pointer, size_t bytes) {
  return call(name, [&] {
    require(findRange(pointer, bytes).kind == MemoryKind::Managed, kInvalidValue, "the memory is not managed");
  });
}
EMULATED_CUDA_API cuMemAdvise(DevicePointer pointer, size_t bytes, int advice, DeviceOrdinal device) {
  return hintOf("cuMemAdvise", pointer, bytes);
}
EMULATED_CUDA_API cuMemAdvise_v2(DevicePointer pointer, size_t bytes, int advice, MemoryLocation where) {
  return hintOf("cuMemAdvise", pointer, bytes);
}
EMULATED_CUDA_API cuMemPrefetchAsync(DevicePointer pointer, size_t bytes, DeviceOrdinal device, void *stream) {
  return hintOf("cuMemPrefetchAsync", pointer, bytes);
}
EMULATED_CUDA_API cuMemPrefetchAsync_v2(DevicePointer pointer, size_t bytes, MemoryLocation where, unsigned flags,
                                        void *stream) {
  return hintOf("cuMemPrefetchAsync", pointer, bytes);
}

//===----------------------------------------------------------------------===//
// What a pointer is
//===----------------------------------------------------------------------===//

static void answerPointerAttribute(void *data, int attribute, DevicePointer pointer) {
  const Allocation *a = findAllocation(pointer);
  require(a, kInvalidValue, showHex(pointer) + " is neither device memory nor page-locked");
  auto answer = [&](auto value) { std::memcpy(data, &value, sizeof value); };
  switch (attribute) {
  case kPointerContext:
    return answer(a->context->handle);
  case kPointerMemoryType:
    return answer(a->isOfHost() ? kMemoryTypeHost : kMemoryTypeDevice);
  case kPointerDevicePointer:
    return answer(pointer);
  case kPointerHostPointer:
    require(a->isOfHost() || a->kind == MemoryKind::Managed, kInvalidValue, "the memory is the device's alone");
    return answer(pointer);
  case kPointerIsManaged:
    return answer(a->kind == MemoryKind::Managed);
  case kPointerDeviceOrdinal:
    return answer(DeviceOrdinal(0));
  case kPointerRangeStart:
    return answer(DevicePointer(a->base));
  case kPointerRangeBytes:
    return answer(size_t(a->bytes));
  case kPointerIsMapped:
    return answer(true);
  case kPointerBufferId:
    return answer(static_cast<unsigned long long>(a->base));
  case kPointerMemoryPool:
    return answer(a->pool);
  default:
    refuse(kInvalidValue, "the emulated driver does not know pointer attribute " + std::to_string(attribute));
  }
}

EMULATED_CUDA_API cuPointerGetAttribute(void *data, int attribute, DevicePointer pointer) {
  return call("cuPointerGetAttribute", [&] {
    require(data, kInvalidValue, "a null pointer");
    answerPointerAttribute(data, attribute, pointer);
  });
}

// Of memory that the driver does not know they are 0, and that is no error (CUDA driver API).
EMULATED_CUDA_API cuPointerGetAttributes(unsigned count, int *attributes, void **data, DevicePointer pointer) {
  return call("cuPointerGetAttributes", [&] {
    require((attributes && data) || !count, kInvalidValue, "a null pointer");
    for (unsigned i = 0; i < count; ++i) {
      const bool isNumber = attributes[i] == kPointerMemoryType || attributes[i] == kPointerDeviceOrdinal;
      const bool isFlag = attributes[i] == kPointerIsManaged || attributes[i] == kPointerIsMapped;
      if (findAllocation(pointer))
        answerPointerAttribute(data[i], attributes[i], pointer);
      else
        std::memset(data[i], attributes[i] == kPointerDeviceOrdinal ? 0xff : 0, isFlag ? 1 : isNumber ? 4 : 8);
    }
  });
}
