//===- Memory.cpp - Global memory of the interpreter ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras-interpreter/Memory.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;

namespace tileiras::interpreter {

/// A stray pointer has to miss by this much to hit another allocation.
static constexpr uint64_t kGap = uint64_t(1) << 20;

uint64_t Memory::allocate(uint64_t bytes, StringRef name, uint64_t alignment) {
  uint64_t address = llvm::alignTo(next, std::max<uint64_t>(alignment, 16));
  next = address + bytes + kGap;
  Allocation &allocation = allocations[address];
  allocation.name = name.str();
  // Without room for a byte an empty allocation would have no address.
  allocation.bytes.reserve(std::max<uint64_t>(bytes, 1));
  allocation.bytes.resize(bytes);
  return address;
}

void Memory::release(uint64_t address) {
  allocations.erase(address);
}

void Memory::protect(uint64_t address) {
  allocations.at(address).isProtected = true;
}

Memory::Allocations::const_iterator Memory::find(uint64_t address, uint64_t bytes) const {
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return allocations.end();
  auto candidate = std::prev(after);
  uint64_t offset = address - candidate->first, size = candidate->second.bytes.size();
  return offset <= size && bytes <= size - offset ? candidate : allocations.end();
}

const uint8_t *Memory::access(uint64_t address, uint64_t bytes) const {
  auto it = find(address, bytes);
  return it == allocations.end() ? nullptr : it->second.bytes.data() + (address - it->first);
}

uint8_t *Memory::access(uint64_t address, uint64_t bytes) {
  return const_cast<uint8_t *>(std::as_const(*this).access(address, bytes));
}

bool Memory::isProtected(uint64_t address) const {
  auto it = find(address, 0);
  return it != allocations.end() && it->second.isProtected;
}

std::string Memory::explain(uint64_t address, uint64_t bytes) const {
  std::string text = llvm::formatv("{0} bytes at {1:x}", bytes, address);
  if (address == 0)
    return text + ": a null pointer";
  auto after = allocations.upper_bound(address);
  uint64_t before = after == allocations.end() ? ~uint64_t(0) : after->first - address;
  uint64_t behind = ~uint64_t(0);
  if (after != allocations.begin()) {
    auto &[start, allocation] = *std::prev(after);
    uint64_t end = start + allocation.bytes.size();
    behind = address < end ? 0 : address - end;
    if (behind < kGap && behind <= before)
      return text + (address < end ? std::string(", which reach over the end of '") + allocation.name + "' ("
                                   : llvm::formatv(", {0} bytes past the end of '{1}' (", behind, allocation.name))
                        .append(std::to_string(allocation.bytes.size()) + " bytes)");
  }
  if (before < kGap)
    return text + llvm::formatv(", {0} bytes before '{1}'", before, after->second.name).str();
  return text + ", far from every allocation";
}

//===----------------------------------------------------------------------===//
// Writers
//===----------------------------------------------------------------------===//

void Memory::setWriter(const Writer &writer) {
  if (tracksWriters)
    writers.push_back(writer);
}

void Memory::recordWrite(uint64_t address, uint64_t bytes, double bound) {
  if (!tracksWriters)
    return;
  auto it = find(address, bytes);
  assert(it != allocations.end() && "the write has been checked");
  Allocation &allocation = const_cast<Allocation &>(it->second);
  const uint64_t offset = address - it->first, size = allocation.bytes.size();
  allocation.writers.resize(size);
  std::fill_n(allocation.writers.begin() + offset, bytes, static_cast<uint32_t>(writers.size()));
  if (bound != 0)
    allocation.bounds.resize(size);
  if (!allocation.bounds.empty())
    allocation.bounds[offset] = bound;
}

std::optional<Writer> Memory::getWriter(uint64_t address) const {
  auto it = find(address, 1);
  if (it == allocations.end() || it->second.writers.empty())
    return std::nullopt;
  uint32_t number = it->second.writers[address - it->first];
  return number ? std::optional(writers[number - 1]) : std::nullopt;
}

double Memory::getBound(uint64_t address) const {
  auto it = find(address, 1);
  return it == allocations.end() || it->second.bounds.empty() ? 0 : it->second.bounds[address - it->first];
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

unsigned getStorageBits(Type elementType) {
  if (isa<cuda_tile::PointerType>(elementType))
    return 64;
  if (isa<FloatTF32Type>(elementType))
    return 32;
  unsigned width = elementType.getIntOrFloatBitWidth();
  return width == 1 ? 8 : width;
}

unsigned getStorageAlignment(Type elementType) {
  return llvm::divideCeil(getStorageBits(elementType), 8);
}

/// An f32 holds a tf32 in its upper 19 bits.
static constexpr unsigned kTF32Shift = 13;

uint64_t readElement(Type elementType, const uint8_t *bytes, unsigned half) {
  const unsigned bits = getStorageBits(elementType);
  if (bits == 4)
    return *bytes >> (4 * half) & 15;
  uint64_t word = 0;
  std::memcpy(&word, bytes, bits / 8);
  if (elementType.isInteger(1))
    return word != 0;
  return isa<FloatTF32Type>(elementType) ? word >> kTF32Shift : word;
}

bool writeElement(Type elementType, uint8_t *bytes, unsigned half, uint64_t word) {
  const unsigned bits = getStorageBits(elementType);
  if (bits == 4)
    word = (*bytes & (half ? 0x0f : 0xf0)) | word << (4 * half);
  else if (isa<FloatTF32Type>(elementType))
    word <<= kTF32Shift;
  const size_t size = llvm::divideCeil(bits, 8);
  if (std::memcmp(bytes, &word, size) == 0)
    return false;
  std::memcpy(bytes, &word, size);
  return true;
}

} // namespace tileiras::interpreter
