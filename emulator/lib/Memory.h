//===- Memory.h - Global, shared and local memory ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_MEMORY_H
#define PTX_EMULATOR_MEMORY_H

#include "Shadow.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ptxemu {

/// Frees what is not somebody else's.
struct BytesDeleter {
  bool isBorrowed = false;
  void operator()(uint8_t *bytes) const {
    if (!isBorrowed)
      delete[] bytes;
  }
};

/// A block of device memory.
struct Allocation {
  uint64_t base = 0, size = 0;
  std::string name;
  bool freed = false;
  bool constant = false; ///< .const: stores are mistakes
  bool heap = false;     ///< from device malloc
  std::unique_ptr<uint8_t[], BytesDeleter> bytes;
  ShadowMemory shadow; ///< who touched what, for race checking
};

/// Separate allocations with guard gaps between them.
class GlobalMemory {
public:
  Allocation &allocate(uint64_t size, uint64_t alignment, std::string name);
  /// Memory of the host, which has the same address here; null where that is taken.
  Allocation *adopt(uint8_t *bytes, uint64_t size, std::string name);
  /// As if it had never been.
  void forget(const Allocation &);
  /// Device malloc: null when the heap, which does not reuse what is freed, is used up.
  Allocation *allocateHeap(uint64_t size);
  /// The live allocation holding all of [address, address + size), or null.
  Allocation *find(uint64_t address, uint64_t size);
  /// For messages: the allocation the address lies in or after, freed ones included.
  const Allocation *nearest(uint64_t address) const;
  /// A sentence on why an access to this range is wrong.
  std::string explain(uint64_t address, uint64_t size) const;
  void resetShadow(); ///< between launches

  /// The contents now, and the way back to them: allocations made since disappear.
  struct Snapshot {
    struct Entry {
      const Allocation *allocation;
      std::vector<uint8_t> contents;
      bool freed;
    };
    std::vector<Entry> entries; ///< by ascending base
    uint64_t next = 0, heapUsed = 0;
  };
  Snapshot snapshot() const;
  void restore(const Snapshot &);

private:
  Allocation &insert(std::unique_ptr<Allocation>);
  /// The first allocation that touches the range or the unmapped bytes around it.
  const Allocation *obstacle(uint64_t base, uint64_t size) const;

  std::vector<std::unique_ptr<Allocation>> allocations; ///< by ascending base
  std::atomic<Allocation *> recent = nullptr;           ///< found last, by whichever host thread
  uint64_t next = 0x7f00'0000'0000, heapUsed = 0;
};

/// What a byte of shared memory holds.
enum ByteState : uint8_t {
  kUninitialized,
  kInitialized,
  kInFlight, ///< an asynchronous copy is about to write it
  kOpaque,   ///< part of an mbarrier object
};

/// The shared memory of one CTA: addresses count from the start of its window.
struct SharedMemory {
  void resize(uint32_t windowEnd);
  uint32_t size() const { return static_cast<uint32_t>(bytes.size()); }

  std::vector<uint8_t> bytes;
  std::vector<uint8_t> initialized; ///< a ByteState each
  ShadowMemory shadow;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_MEMORY_H
