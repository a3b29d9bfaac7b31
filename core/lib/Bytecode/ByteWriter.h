//===- ByteWriter.h - Writing of bytes --------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_BYTEWRITER_H
#define TILEIRAS_LIB_BYTECODE_BYTEWRITER_H

#include "Format.h"
#include "llvm/ADT/SmallVector.h"
#include <type_traits>

namespace tileiras::bytecode {

/// Collects bytes. The counterpart of ByteReader.
class ByteWriter {
public:
  void writeByte(uint8_t value) { bytes.push_back(static_cast<char>(value)); }

  void writeVarint(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      writeByte(static_cast<uint8_t>(value) | 0x80);
    writeByte(static_cast<uint8_t>(value));
  }

  void writeSignedVarint(int64_t value) {
    writeVarint((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
  }

  void writeBytes(llvm::StringRef value) { bytes.append(value.begin(), value.end()); }

  template <typename T>
  void writeInteger(T value) {
    auto bits = static_cast<std::make_unsigned_t<T>>(value);
    for (size_t i = 0; i < sizeof(T); ++i)
      writeByte(static_cast<uint8_t>(bits >> (8 * i)));
  }

  /// A count and that many little-endian integers.
  template <typename T>
  void writeIntegers(llvm::ArrayRef<T> values) {
    writeVarint(values.size());
    for (T value : values)
      writeInteger(value);
  }

  void padTo(uint64_t alignment) {
    while (bytes.size() % alignment != 0)
      writeByte(kPaddingByte);
  }

  /// An offset table (see Format.h) of `entries`, with offsets of type Index.
  template <typename Index>
  void writeOffsetTable(llvm::ArrayRef<llvm::StringRef> entries) {
    writeVarint(entries.size());
    padTo(sizeof(Index));
    Index offset = 0;
    for (llvm::StringRef entry : entries) {
      writeInteger(offset);
      offset += static_cast<Index>(entry.size());
    }
    for (llvm::StringRef entry : entries)
      writeBytes(entry);
  }

  /// A section with its header. An alignment of 1 is left out of the header.
  void writeSection(SectionId id, uint64_t alignment, llvm::StringRef payload) {
    writeByte(static_cast<uint8_t>(id) | (alignment > 1 ? 0x80 : 0));
    writeVarint(payload.size());
    if (alignment > 1) {
      writeVarint(alignment);
      padTo(alignment);
    }
    writeBytes(payload);
  }

  bool empty() const { return bytes.empty(); }
  llvm::StringRef str() const { return {bytes.data(), bytes.size()}; }

private:
  llvm::SmallVector<char, 0> bytes;
};

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_BYTEWRITER_H
