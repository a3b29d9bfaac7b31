//===- ByteReader.h - Bounds-checked reading of bytes -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_BYTEREADER_H
#define TILEIRAS_LIB_BYTECODE_BYTEREADER_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace tileiras::bytecode {

/// Reads the bytes of one stretch of a file. Every read that fails has emitted an error with the file offset at which
/// it started; `what` names, for that message, the thing that was to be read.
class ByteReader {
public:
  /// `file` is the location of the errors, `offset` where `bytes` starts in the file.
  ByteReader(llvm::ArrayRef<uint8_t> bytes, uint64_t offset, mlir::Location file)
      : bytes(bytes), base(offset), file(file) {}

  uint64_t offset() const { return base + position; }
  size_t remaining() const { return bytes.size() - position; }
  mlir::Location location() const { return file; }

  mlir::InFlightDiagnostic errorAt(uint64_t offset) const {
    return mlir::emitError(file) << "at offset " << offset << ": ";
  }
  mlir::InFlightDiagnostic error() const { return errorAt(offset()); }

  llvm::LogicalResult readByte(uint8_t &value, llvm::StringRef what);
  llvm::LogicalResult readVarint(uint64_t &value, llvm::StringRef what);
  llvm::LogicalResult readSignedVarint(int64_t &value, llvm::StringRef what);
  /// Reads 64 bits that were written as a signed varint. Some producers take them for an unsigned number, whose zigzag
  /// encoding has 65 bits when the highest one is set; that is understood, too.
  llvm::LogicalResult readZigzagBits(uint64_t &bits, llvm::StringRef what);
  llvm::LogicalResult readBytes(uint64_t size, llvm::ArrayRef<uint8_t> &value, llvm::StringRef what);

  /// Reads a varint that counts things of which each takes at least `bytesEach` of the bytes that follow, so that what
  /// a caller allocates for them is bounded by the input.
  llvm::LogicalResult readCount(uint64_t &count, llvm::StringRef what, uint64_t bytesEach = 1);

  /// Reads a little-endian integer of sizeof(T) bytes.
  template <typename T>
  llvm::LogicalResult readInteger(T &value, llvm::StringRef what) {
    llvm::ArrayRef<uint8_t> raw;
    if (failed(readBytes(sizeof(T), raw, what)))
      return llvm::failure();
    std::make_unsigned_t<T> bits = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      bits |= static_cast<std::make_unsigned_t<T>>(raw[i]) << (8 * i);
    value = static_cast<T>(bits);
    return llvm::success();
  }

  /// Reads a count and that many little-endian integers.
  template <typename T>
  llvm::LogicalResult readIntegers(llvm::SmallVectorImpl<T> &values, llvm::StringRef what) {
    uint64_t count;
    if (failed(readCount(count, what, sizeof(T))))
      return llvm::failure();
    values.resize(count);
    for (T &value : values)
      if (failed(readInteger(value, what)))
        return llvm::failure();
    return llvm::success();
  }

  /// Skips up to the next multiple of `alignment` from the start of the stretch.
  llvm::LogicalResult skipPadding(uint64_t alignment);

  /// A reader of the next `size` bytes, which this one skips.
  mlir::FailureOr<ByteReader> sub(uint64_t size, llvm::StringRef what);

private:
  llvm::LogicalResult readVarint65(uint64_t &value, bool &bit64, llvm::StringRef what);

  llvm::ArrayRef<uint8_t> bytes;
  size_t position = 0;
  uint64_t base;
  mlir::Location file;
};

/// Reads an offset table (see Format.h) whose offsets take `indexSize` bytes: one reader per entry. The data reaches to
/// the end of `reader`.
llvm::LogicalResult readOffsetTable(ByteReader &reader, unsigned indexSize, llvm::StringRef what,
                                    llvm::SmallVectorImpl<ByteReader> &entries);

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_BYTEREADER_H
