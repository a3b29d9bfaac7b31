//===- ConstantReader.cpp - The constants of a bytecode file --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantReader.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

LogicalResult ConstantReader::initialize(ByteReader section, uint64_t fileSize) {
  budget = fileSize * kConstantGrowth + kConstantBaseBytes;
  SmallVector<ByteReader, 0> entries;
  if (failed(readOffsetTable(section, 8, "constant", entries)))
    return failure();
  for (ByteReader &entry : entries) {
    uint64_t size;
    if (failed(entry.readVarint(size, "constant size")) ||
        failed(entry.readBytes(size, buffers.emplace_back(), "constant")))
      return failure();
    if (entry.remaining())
      return entry.error() << "a constant is followed by " << entry.remaining() << " bytes that belong to nothing";
  }
  return success();
}

LogicalResult ConstantReader::read(ByteReader &reader, Type type, DenseElementsAttr &value, bool &isOpen) {
  const uint64_t start = reader.offset();
  uint64_t index;
  if (failed(reader.readVarint(index, "constant")))
    return failure();
  if (index >= buffers.size())
    return reader.errorAt(start) << "constant " << index << " does not exist, there are only " << buffers.size();
  auto tile = dyn_cast<cuda_tile::TileType>(type);
  if (!tile || !tile.getElementType().isIntOrFloat())
    return reader.errorAt(start) << "a constant must be a tile of numbers, not " << type;

  auto [it, isNew] = cache.try_emplace({type, index});
  if (isNew) {
    ArrayRef<uint8_t> raw = buffers[index];
    if (raw.size() > budget)
      return reader.errorAt(start) << "constants take too much memory for a file of this size";
    budget -= raw.size();
    if (failed(tile.getElementType().isInteger(1) ? decodeI1(reader, start, raw, tile, it->second)
                                                  : decode(reader, start, raw, tile, it->second.attribute)))
      return failure();
  }
  value = it->second.attribute;
  isOpen = it->second.isOpen;
  return success();
}

LogicalResult ConstantReader::decode(ByteReader &reader, uint64_t start, ArrayRef<uint8_t> raw, ShapedType type,
                                     DenseElementsAttr &value) {
  const unsigned width = type.getElementTypeBitWidth();
  const uint64_t bytes = llvm::divideCeil(width, 8);
  const uint64_t elements = type.getNumElements();
  if (raw.size() != bytes && raw.size() != bytes * elements)
    return reader.errorAt(start) << "a constant of type " << type << " has " << bytes << " or " << bytes * elements
                                 << " bytes, not " << raw.size();
  // MLIR expects the bits beyond the element's width to be zero.
  if (const unsigned used = width % 8; used != 0)
    for (size_t last = bytes - 1; last < raw.size(); last += bytes)
      if (raw[last] >> used)
        return reader.errorAt(start) << "an element of a constant of type " << type << " does not fit in " << width
                                     << " bits";
  value = DenseElementsAttr::getFromRawBuffer(type, ArrayRef(reinterpret_cast<const char *>(raw.data()), raw.size()));
  return success();
}

LogicalResult ConstantReader::decodeI1(ByteReader &reader, uint64_t start, ArrayRef<uint8_t> raw, ShapedType type,
                                       Value &value) {
  const uint64_t elements = type.getNumElements();
  const uint64_t packedSize = llvm::divideCeil(elements, 8);
  const bool canBePacked = raw.size() == packedSize;
  const bool canBeUnpacked = raw.size() == elements;
  const auto splat = [&](bool bit) { return DenseElementsAttr::get(type, ArrayRef<bool>(bit)); };

  if (raw.size() == 1 && (elements == 1 || raw[0] == 0x00 || raw[0] == 0xff || !canBePacked)) {
    if (raw[0] > 0x01 && raw[0] != 0xff)
      return reader.errorAt(start) << "a constant of type " << type << " has the element "
                                   << static_cast<unsigned>(raw[0]) << ", which is neither 0 nor 1";
    (raw[0] == 0x01 && elements > 1 ? sawUnpacked : sawPacked) |= raw[0] != 0x00 && elements > 1;
    value.attribute = splat(raw[0] & 1);
    return success();
  }
  if (!canBePacked && !canBeUnpacked)
    return reader.errorAt(start) << "a constant of type " << type << " has 1, " << packedSize << " or " << elements
                                 << " bytes, not " << raw.size();
  // With more than one element the two sizes differ, so exactly one of them holds.
  sawPacked |= canBePacked && raw.size() > 1;
  sawUnpacked |= canBeUnpacked;
  value.isOpen = canBePacked && raw.size() == 1 && raw[0] == 0x01;
  SmallVector<bool> bits(elements);
  for (uint64_t i = 0; i < elements; ++i) {
    if (canBeUnpacked && raw[i] > 1)
      return reader.errorAt(start) << "a constant of type " << type << " has the element "
                                   << static_cast<unsigned>(raw[i]) << ", which is neither 0 nor 1";
    bits[i] = canBeUnpacked ? raw[i] : (raw[i / 8] >> (i % 8)) & 1;
  }
  value.attribute = DenseElementsAttr::get(type, bits);
  return success();
}

void ConstantReader::finish() {
  if (!sawUnpacked || sawPacked)
    return;
  for (auto [op, name] : deferred) {
    auto value = op->getAttrOfType<DenseElementsAttr>(name);
    op->setAttr(name, DenseElementsAttr::get(value.getType(), ArrayRef<bool>(true)));
  }
}
