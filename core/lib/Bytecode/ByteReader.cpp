//===- ByteReader.cpp - Bounds-checked reading of bytes -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ByteReader.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras::bytecode;

LogicalResult ByteReader::readByte(uint8_t &value, StringRef what) {
  if (remaining() == 0)
    return error() << "unexpected end of data, expected " << what;
  value = bytes[position++];
  return success();
}

LogicalResult ByteReader::readVarint65(uint64_t &value, bool &bit64, StringRef what) {
  const uint64_t start = offset();
  value = 0;
  for (unsigned shift = 0; position < bytes.size(); shift += 7) {
    const uint64_t byte = bytes[position++];
    if (shift > 63 || (shift == 63 && (byte & 0x7f) > 3))
      return errorAt(start) << what << " does not fit in 64 bits";
    value |= (byte & 0x7f) << shift;
    bit64 = shift == 63 && (byte & 2);
    if (!(byte & 0x80))
      return success();
  }
  return errorAt(start) << "unexpected end of data, expected " << what;
}

LogicalResult ByteReader::readVarint(uint64_t &value, StringRef what) {
  const uint64_t start = offset();
  bool bit64;
  if (failed(readVarint65(value, bit64, what)))
    return failure();
  if (bit64)
    return errorAt(start) << what << " does not fit in 64 bits";
  return success();
}

static uint64_t undoZigzag(uint64_t zigzag) {
  return (zigzag >> 1) ^ (~(zigzag & 1) + 1);
}

LogicalResult ByteReader::readSignedVarint(int64_t &value, StringRef what) {
  uint64_t zigzag;
  if (failed(readVarint(zigzag, what)))
    return failure();
  value = static_cast<int64_t>(undoZigzag(zigzag));
  return success();
}

LogicalResult ByteReader::readZigzagBits(uint64_t &bits, StringRef what) {
  uint64_t zigzag;
  bool bit64;
  if (failed(readVarint65(zigzag, bit64, what)))
    return failure();
  bits = bit64 ? (zigzag >> 1) | (uint64_t(1) << 63) : undoZigzag(zigzag);
  return success();
}

LogicalResult ByteReader::readBytes(uint64_t size, ArrayRef<uint8_t> &value, StringRef what) {
  if (size > remaining())
    return error() << "unexpected end of data, expected " << what << " of " << size << " bytes but only " << remaining()
                   << " remain";
  value = bytes.slice(position, size);
  position += size;
  return success();
}

LogicalResult ByteReader::readCount(uint64_t &count, StringRef what, uint64_t bytesEach) {
  const uint64_t start = offset();
  if (failed(readVarint(count, what)))
    return failure();
  if (count > remaining() / bytesEach)
    return errorAt(start) << what << " " << count << " is more than the remaining " << remaining() << " bytes can hold";
  return success();
}

LogicalResult ByteReader::skipPadding(uint64_t alignment) {
  ArrayRef<uint8_t> padding;
  return readBytes(llvm::offsetToAlignment(position, llvm::Align(alignment)), padding, "padding");
}

mlir::FailureOr<ByteReader> ByteReader::sub(uint64_t size, StringRef what) {
  const uint64_t start = offset();
  ArrayRef<uint8_t> part;
  if (failed(readBytes(size, part, what)))
    return failure();
  return ByteReader(part, start, file);
}

LogicalResult tileiras::bytecode::readOffsetTable(ByteReader &reader, unsigned indexSize, StringRef what,
                                                  SmallVectorImpl<ByteReader> &entries) {
  uint64_t count;
  if (failed(reader.readCount(count, (what + " count").str(), indexSize)))
    return failure();
  if (count == 0)
    return success();
  if (failed(reader.skipPadding(indexSize)))
    return failure();
  const uint64_t tableStart = reader.offset();
  SmallVector<uint64_t> offsets(count);
  for (uint64_t &offset : offsets) {
    uint32_t narrow = 0;
    if (failed(indexSize == 8 ? reader.readInteger(offset, "offset") : reader.readInteger(narrow, "offset")))
      return failure();
    if (indexSize != 8)
      offset = narrow;
  }
  offsets.push_back(reader.remaining());
  if (offsets.front() != 0)
    return reader.errorAt(tableStart) << "the first " << what << " does not start at 0";
  for (uint64_t i = 0; i < count; ++i) {
    if (offsets[i] > offsets[i + 1])
      return reader.errorAt(tableStart + i * indexSize)
             << what << " " << i << " starts at " << offsets[i] << ", past its end at " << offsets[i + 1];
    // The ends increase and the last one is what remains, so every slice is in bounds.
    entries.push_back(*reader.sub(offsets[i + 1] - offsets[i], what));
  }
  return success();
}
