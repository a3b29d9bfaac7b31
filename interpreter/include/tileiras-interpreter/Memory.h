//===- Memory.h - Global memory of the interpreter --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocations lie far apart, so an access that leaves one hits nothing. Sizes and addresses are in bytes, numbers are
// little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_INTERPRETER_MEMORY_H
#define TILEIRAS_INTERPRETER_MEMORY_H

#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include <array>
#include <map>
#include <optional>
#include <string>

namespace tileiras::interpreter {

/// The store (or atomic operation) that wrote a byte last.
struct Writer {
  mlir::Operation *op = nullptr;
  std::array<uint32_t, 3> tileBlock{};
};

class Memory {
public:
  /// With `tracksWriters`, memory remembers who wrote each byte, and the bounds of inexact elements.
  explicit Memory(bool tracksWriters = false) : tracksWriters(tracksWriters) {}

  /// Reserves zeroed memory; `name` appears in messages. The address is aligned to `alignment`, a power of two.
  uint64_t allocate(uint64_t bytes, llvm::StringRef name, uint64_t alignment = 512);
  void release(uint64_t address);
  /// Forbids the program to write the allocation at `address`.
  void protect(uint64_t address);

  /// The bytes from `address` on, or null if not all of them belong to one allocation.
  uint8_t *access(uint64_t address, uint64_t bytes);
  const uint8_t *access(uint64_t address, uint64_t bytes) const;
  bool isProtected(uint64_t address) const;
  /// Why an access that gave null is wrong: "is 4 bytes past the end of 'x' (64 bytes)".
  std::string explain(uint64_t address, uint64_t bytes) const;

  /// From here on, writes are said to come from `writer`.
  void setWriter(const Writer &writer);
  /// Notes a write of the bytes and how exact the element is.
  void recordWrite(uint64_t address, uint64_t bytes, double bound);
  std::optional<Writer> getWriter(uint64_t address) const;
  /// The bound of the element that starts at `address`; 0 where nothing is known.
  double getBound(uint64_t address) const;
  bool isTracking() const { return tracksWriters; }

  /// Counts changes of contents: a program that waits for memory makes no progress while this stands still.
  uint64_t changes = 0;

private:
  struct Allocation {
    std::string name;
    std::vector<uint8_t> bytes;
    bool isProtected = false;
    std::vector<uint32_t> writers; ///< for each byte 1 + the number of its writer; empty if there is none
    std::vector<double> bounds;    ///< for each byte that of the element starting there; empty if all are exact
  };
  using Allocations = std::map<uint64_t, Allocation>;

  Allocations::const_iterator find(uint64_t address, uint64_t bytes) const;

  bool tracksWriters;
  Allocations allocations;
  uint64_t next = uint64_t(1) << 36;
  std::vector<Writer> writers;
};

//===----------------------------------------------------------------------===//
// Elements in memory
//===----------------------------------------------------------------------===//

/// Bits an element occupies in memory: a byte for i1, a word for tf32, half a byte for i4 and f4E2M1FN (two share a
/// byte in an array, the first in its low half), its width otherwise.
unsigned getStorageBits(mlir::Type elementType);

/// The alignment that accesses to elements need, in bytes.
unsigned getStorageAlignment(mlir::Type elementType);

/// Reads an element at `bytes`, its `half` (0 or 1) for elements of half a byte.
uint64_t readElement(mlir::Type elementType, const uint8_t *bytes, unsigned half = 0);

/// Writes an element; true if that changed the memory.
bool writeElement(mlir::Type elementType, uint8_t *bytes, unsigned half, uint64_t bits);

} // namespace tileiras::interpreter

#endif // TILEIRAS_INTERPRETER_MEMORY_H
