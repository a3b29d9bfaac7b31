//===- Memory.cpp - Device memory, page-locked memory, copies ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device pointers are the emulator's addresses; page-locked and managed memory of the host has the same address there
// (HostMemory.cpp). Other memory of the host has none: a kernel that reads it makes an illegal access.
//
//===----------------------------------------------------------------------===//

#include "HostMemory.h"
#include "State.h"
#include <cstdlib>
#include <cstring>

using namespace emudriver;

namespace emudriver {

std::string showHex(uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

uint64_t allocateMemory(uint64_t bytes, const std::shared_ptr<Context> &context) {
  State &state = State::get();
  require(bytes > 0, kInvalidValue, "an allocation of no bytes");
  const uint64_t room = Configuration::get().memory - state.allocated;
  require(bytes <= room, kOutOfMemory,
          std::to_string(bytes) + " bytes are asked for, " + std::to_string(room) + " are free (EMULATED_CUDA_MEMORY)");
  const uint64_t base = state.device.allocate(bytes, "allocation " + std::to_string(state.allocations.size()));
  state.allocations[base] = {base, bytes, context};
  state.allocated += bytes;
  return base;
}

void freeMemory(uint64_t address) {
  State &state = State::get();
  auto it = state.allocations.find(address);
  const bool isStart = it != state.allocations.end();
  require(isStart && (it->second.kind == MemoryKind::Device || it->second.kind == MemoryKind::Managed), kInvalidValue,
          showHex(address) + " is not the start of an allocation");
  state.allocated -= it->second.bytes;
  if (it->second.kind == MemoryKind::Managed)
    return freeHostMemory(address);
  state.device.free(address);
  state.allocations.erase(it);
}

const Allocation *findAllocation(uint64_t address) {
  auto &allocations = State::get().allocations;
  auto it = allocations.upper_bound(address);
  if (it == allocations.begin())
    return nullptr;
  const Allocation &a = std::prev(it)->second;
  return address - a.base < a.bytes ? &a : nullptr;
}

const Allocation &findRange(uint64_t address, uint64_t bytes) {
  const Allocation *a = findAllocation(address);
  require(a, kInvalidValue, showHex(address) + " lies in no allocation");
  require(bytes <= a->bytes - (address - a->base), kInvalidValue,
          std::to_string(bytes) + " bytes at " + showHex(address) + " go beyond an allocation of " +
              std::to_string(a->bytes) + " bytes at " + showHex(a->base));
  return *a;
}

void checkFill(const Fill &f) {
  require(f.elementBytes == 1 || f.elementBytes == 2 || f.elementBytes == 4, kInvalidValue,
          "elements of a fill have 1, 2 or 4 bytes");
  require(f.address % f.elementBytes == 0, kInvalidValue, "the address is no multiple of the element's size");
  require(f.height <= 1 || f.pitch >= f.width * f.elementBytes, kInvalidValue, "the pitch is less than a row");
  if (f.width && f.height)
    findRange(f.address, (f.height - 1) * f.pitch + f.width * f.elementBytes);
}

void fillMemory(const Fill &f) {
  std::vector<uint8_t> row(f.width * f.elementBytes);
  for (size_t i = 0; i < row.size(); i += f.elementBytes)
    std::memcpy(&row[i], &f.value, f.elementBytes);
  for (uint64_t y = 0; y < f.height; ++y)
    State::get().device.write(f.address + y * f.pitch, row.data(), row.size());
}

bool isPageLocked(const void *host, size_t bytes) {
  const uint64_t at = reinterpret_cast<uintptr_t>(host);
  const Allocation *a = findAllocation(at);
  return a && (a->isOfHost() || a->kind == MemoryKind::Managed) && bytes <= a->bytes - (at - a->base);
}

void readMemory(uint64_t address, void *data, size_t bytes) {
  const Allocation *a = findAllocation(address);
  if (a && !a->isOfHost())
    return findRange(address, bytes), State::get().device.read(address, data, bytes);
  std::memcpy(data, reinterpret_cast<const void *>(address), bytes);
}

void writeMemory(uint64_t address, const void *data, size_t bytes) {
  const Allocation *a = findAllocation(address);
  if (a && !a->isOfHost())
    return findRange(address, bytes), State::get().device.write(address, data, bytes);
  std::memcpy(reinterpret_cast<void *>(address), data, bytes);
}

static std::shared_ptr<Operation> copyToDevice(uint64_t to, const void *from, size_t bytes,
                                               const std::shared_ptr<Stream> &stream) {
  require(from, kInvalidValue, "a null host pointer");
  findRange(to, bytes);
  auto write = [to, bytes](const void *data) {
    findRange(to, bytes);
    State::get().device.write(to, data, bytes);
  };
  // Of what is captured the contents count when the graph is launched.
  if (isPageLocked(from, bytes) || stream->capture)
    return enqueue(
        stream, [=] { write(from); }, kMemcpyNode);
  // The contents now: the driver copies them to memory of its own first.
  auto *first = static_cast<const uint8_t *>(from);
  return enqueue(
      stream, [=, data = std::vector<uint8_t>(first, first + bytes)] { write(data.data()); }, kMemcpyNode);
}

static std::shared_ptr<Operation> copyToHost(void *to, uint64_t from, size_t bytes,
                                             const std::shared_ptr<Stream> &stream) {
  require(to, kInvalidValue, "a null host pointer");
  findRange(from, bytes);
  return enqueue(
      stream,
      [=] {
        findRange(from, bytes);
        State::get().device.read(from, to, bytes);
      },
      kMemcpyNode);
}

static std::shared_ptr<Operation> copyOnDevice(uint64_t to, uint64_t from, size_t bytes,
                                               const std::shared_ptr<Stream> &stream) {
  findRange(from, bytes);
  findRange(to, bytes);
  return enqueue(
      stream,
      [=] {
        std::vector<uint8_t> data(bytes);
        State::get().device.read(from, data.data(), bytes);
        State::get().device.write(to, data.data(), bytes);
      },
      kMemcpyNode);
}

static std::shared_ptr<Operation> fill(const Fill &f, const std::shared_ptr<Stream> &stream) {
  checkFill(f);
  return enqueue(
      stream,
      [f] {
        checkFill(f);
        fillMemory(f);
      },
      kMemsetNode);
}

} // namespace emudriver

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuMemAlloc_v2(DevicePointer *pointer, size_t bytes) {
  return call("cuMemAlloc", [&] {
    require(pointer, kInvalidValue, "a null pointer");
    *pointer = allocateMemory(bytes, currentContext());
  });
}

EMULATED_CUDA_API cuMemFree_v2(DevicePointer pointer) {
  return call("cuMemFree", [&] {
    // As the real driver: nothing that runs may still use the memory.
    completeContext(currentContext());
    if (pointer)
      freeMemory(pointer);
  });
}

EMULATED_CUDA_API cuMemGetInfo_v2(size_t *available, size_t *total) {
  return call("cuMemGetInfo", [&] {
    require(available && total, kInvalidValue, "a null pointer");
    currentContext();
    *total = Configuration::get().memory;
    *available = *total - State::get().allocated;
  });
}

EMULATED_CUDA_API cuMemGetAddressRange_v2(DevicePointer *base, size_t *bytes, DevicePointer pointer) {
  return call("cuMemGetAddressRange", [&] {
    currentContext();
    const Allocation *a = findAllocation(pointer);
    require(a, kNotFound, showHex(pointer) + " lies in no allocation");
    if (base)
      *base = a->base;
    if (bytes)
      *bytes = a->bytes;
  });
}

// Memory is a process's own, as with the real driver where the system has no way to share it. cuTile Python's launcher
// wants the functions to be there.
static Result refuseSharing(const char *name) {
  return call(name, [] { refuse(kNotSupported, "the emulated driver shares no memory between processes"); });
}
EMULATED_CUDA_API cuIpcGetMemHandle(void *, DevicePointer) {
  return refuseSharing("cuIpcGetMemHandle");
}
EMULATED_CUDA_API cuIpcOpenMemHandle_v2(DevicePointer *, IpcMemHandle, unsigned) {
  return refuseSharing("cuIpcOpenMemHandle");
}
EMULATED_CUDA_API cuIpcOpenMemHandle(DevicePointer *, IpcMemHandle, unsigned) {
  return refuseSharing("cuIpcOpenMemHandle");
}
EMULATED_CUDA_API cuIpcCloseMemHandle(DevicePointer) {
  return refuseSharing("cuIpcCloseMemHandle");
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuMemcpyHtoD_v2(DevicePointer to, const void *from, size_t bytes) {
  return call("cuMemcpyHtoD", [&] {
    auto stream = defaultStream();
    if (bytes)
      complete(copyToDevice(to, from, bytes, stream));
  });
}

EMULATED_CUDA_API cuMemcpyDtoH_v2(void *to, DevicePointer from, size_t bytes) {
  return call("cuMemcpyDtoH", [&] {
    auto stream = defaultStream();
    if (bytes)
      complete(copyToHost(to, from, bytes, stream));
  });
}

EMULATED_CUDA_API cuMemcpyDtoD_v2(DevicePointer to, DevicePointer from, size_t bytes) {
  return call("cuMemcpyDtoD", [&] {
    auto stream = defaultStream();
    if (bytes)
      copyOnDevice(to, from, bytes, stream);
  });
}

EMULATED_CUDA_API cuMemcpyHtoDAsync_v2(DevicePointer to, const void *from, size_t bytes, void *stream) {
  return call("cuMemcpyHtoDAsync", [&] {
    auto found = findStream(stream);
    if (bytes)
      copyToDevice(to, from, bytes, found);
  });
}

EMULATED_CUDA_API cuMemcpyDtoHAsync_v2(void *to, DevicePointer from, size_t bytes, void *stream) {
  return call("cuMemcpyDtoHAsync", [&] {
    auto found = findStream(stream);
    if (!bytes)
      return;
    auto copy = copyToHost(to, from, bytes, found);
    // To pageable memory the copy has happened when the call returns (CUDA driver API, "API synchronization behavior").
    if (!isPageLocked(to, bytes) && !found->capture)
      complete(copy);
  });
}

EMULATED_CUDA_API cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, size_t bytes, void *stream) {
  return call("cuMemcpyDtoDAsync", [&] {
    auto found = findStream(stream);
    if (bytes)
      copyOnDevice(to, from, bytes, found);
  });
}

/// By addresses alone, whatever has them.
static void copyAnything(DevicePointer to, DevicePointer from, size_t bytes, const std::shared_ptr<Stream> &stream,
                         bool isDoneAtOnce) {
  require(to && from, kInvalidValue, "a null pointer");
  for (uint64_t address : {to, from})
    if (findAllocation(address))
      findRange(address, bytes);
  auto copy = enqueue(
      stream,
      [=] {
        std::vector<uint8_t> data(bytes);
        readMemory(from, data.data(), bytes);
        writeMemory(to, data.data(), bytes);
      },
      kMemcpyNode);
  if (isDoneAtOnce && !stream->capture)
    complete(copy);
}

/// Neither the device's nor page-locked: the driver does not go on before the copy has happened.
static bool isPageable(DevicePointer address) {
  return !findAllocation(address);
}

EMULATED_CUDA_API cuMemcpy(DevicePointer to, DevicePointer from, size_t bytes) {
  return call("cuMemcpy", [&] {
    auto stream = defaultStream();
    if (bytes)
      copyAnything(to, from, bytes, stream, true);
  });
}

EMULATED_CUDA_API cuMemcpyAsync(DevicePointer to, DevicePointer from, size_t bytes, void *stream) {
  return call("cuMemcpyAsync", [&] {
    auto found = findStream(stream);
    if (bytes)
      copyAnything(to, from, bytes, found, isPageable(to) || isPageable(from));
  });
}

EMULATED_CUDA_API cuMemcpyPeer(DevicePointer to, void *toContext, DevicePointer from, void *fromContext, size_t bytes) {
  return cuMemcpy(to, from, bytes);
}
EMULATED_CUDA_API cuMemcpyPeerAsync(DevicePointer to, void *toContext, DevicePointer from, void *fromContext,
                                    size_t bytes, void *stream) {
  return cuMemcpyAsync(to, from, bytes, stream);
}

EMULATED_CUDA_API cuMemsetD8_v2(DevicePointer to, unsigned char value, size_t count) {
  return call("cuMemsetD8", [&] { fill({to, 0, value, 1, count}, defaultStream()); });
}
EMULATED_CUDA_API cuMemsetD16_v2(DevicePointer to, unsigned short value, size_t count) {
  return call("cuMemsetD16", [&] { fill({to, 0, value, 2, count}, defaultStream()); });
}
EMULATED_CUDA_API cuMemsetD32_v2(DevicePointer to, unsigned value, size_t count) {
  return call("cuMemsetD32", [&] { fill({to, 0, value, 4, count}, defaultStream()); });
}
EMULATED_CUDA_API cuMemsetD8Async(DevicePointer to, unsigned char value, size_t count, void *stream) {
  return call("cuMemsetD8Async", [&] { fill({to, 0, value, 1, count}, findStream(stream)); });
}
EMULATED_CUDA_API cuMemsetD16Async(DevicePointer to, unsigned short value, size_t count, void *stream) {
  return call("cuMemsetD16Async", [&] { fill({to, 0, value, 2, count}, findStream(stream)); });
}
EMULATED_CUDA_API cuMemsetD32Async(DevicePointer to, unsigned value, size_t count, void *stream) {
  return call("cuMemsetD32Async", [&] { fill({to, 0, value, 4, count}, findStream(stream)); });
}

//===----------------------------------------------------------------------===//
// Rows of fills
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuMemsetD2D8_v2(DevicePointer to, size_t pitch, unsigned char value, size_t width, size_t height) {
  return call("cuMemsetD2D8", [&] { fill({to, pitch, value, 1, width, height}, defaultStream()); });
}
EMULATED_CUDA_API cuMemsetD2D16_v2(DevicePointer to, size_t pitch, unsigned short value, size_t width, size_t height) {
  return call("cuMemsetD2D16", [&] { fill({to, pitch, value, 2, width, height}, defaultStream()); });
}
EMULATED_CUDA_API cuMemsetD2D32_v2(DevicePointer to, size_t pitch, unsigned value, size_t width, size_t height) {
  return call("cuMemsetD2D32", [&] { fill({to, pitch, value, 4, width, height}, defaultStream()); });
}
EMULATED_CUDA_API cuMemsetD2D8Async(DevicePointer to, size_t pitch, unsigned char value, size_t width, size_t height,
                                    void *stream) {
  return call("cuMemsetD2D8Async", [&] { fill({to, pitch, value, 1, width, height}, findStream(stream)); });
}
EMULATED_CUDA_API cuMemsetD2D16Async(DevicePointer to, size_t pitch, unsigned short value, size_t width, size_t height,
                                     void *stream) {
  return call("cuMemsetD2D16Async", [&] { fill({to, pitch, value, 2, width, height}, findStream(stream)); });
}
EMULATED_CUDA_API cuMemsetD2D32Async(DevicePointer to, size_t pitch, unsigned value, size_t width, size_t height,
                                     void *stream) {
  return call("cuMemsetD2D32Async", [&] { fill({to, pitch, value, 4, width, height}, findStream(stream)); });
}
