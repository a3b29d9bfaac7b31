//===- TableWriters.cpp - Tables of a bytecode file -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableWriters.h"
#include "SimpleTypes.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

LogicalResult WriterContext::require(BytecodeVersion since, const Twine &what) const {
  if (since <= version)
    return success();
  return error() << what << " requires bytecode version " << since.str() << ", cannot be written as version "
                 << version.str();
}

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

uint64_t StringWriter::index(StringRef string) {
  auto [it, isNew] = indices.try_emplace(string, strings.size());
  if (isNew)
    strings.push_back(it->first());
  return it->second;
}

void StringWriter::write(ByteWriter &section) const {
  section.writeOffsetTable<uint32_t>(strings);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult TypeWriter::write(ByteWriter &writer, Type type) {
  auto it = indices.find(type);
  if (it == indices.end()) {
    // Encoding the type gives the types it refers to their indices first.
    ByteWriter entry;
    if (failed(encode(entry, type)))
      return failure();
    it = indices.try_emplace(type, entries.size()).first;
    entries.push_back(std::move(entry));
  }
  writer.writeVarint(it->second);
  return success();
}

void TypeWriter::writeSection(ByteWriter &section) const {
  writeEntries<uint32_t>(section, entries);
}

static void writeTag(ByteWriter &entry, TypeTag tag) {
  entry.writeVarint(static_cast<uint64_t>(tag));
}

/// The value of an optional parameter whose flag has been written.
static void writeOptional(ByteWriter &entry, const EnumEncoding &encoding, Attribute attribute) {
  if (attribute)
    entry.writeVarint(*encoding.number(attribute));
}

LogicalResult TypeWriter::encode(ByteWriter &entry, Type type) {
  for (const SimpleType &simple : getSimpleTypes())
    if (simple.get(type.getContext()) == type) {
      writeTag(entry, simple.tag);
      return context.require(simple.since, llvm::formatv("type {0}", type).str());
    }
  return llvm::TypeSwitch<Type, LogicalResult>(type)
      .Case<cuda_tile::PointerType, cuda_tile::TileType, cuda_tile::TensorViewType, cuda_tile::PartitionViewType,
            cuda_tile::StridedViewType, cuda_tile::GatherScatterViewType, FunctionType>(
          [&](auto concrete) { return encodeParameters(entry, concrete); })
      .Default([&](Type) -> LogicalResult {
        return context.error() << "type " << type << " cannot be written to Tile IR bytecode";
      });
}

LogicalResult TypeWriter::encodePtrFlag(ByteWriter &entry, Attribute ptrAttr) {
  if (ptrAttr && failed(context.require(k13_4, "a pointer attribute")))
    return failure();
  if (context.version >= k13_4)
    entry.writeVarint(ptrAttr != nullptr);
  return success();
}

LogicalResult TypeWriter::encodeParameters(ByteWriter &entry, cuda_tile::PointerType pointer) {
  writeTag(entry, TypeTag::Pointer);
  if (failed(encodePtrFlag(entry, pointer.getPtrAttr())) || failed(write(entry, pointer.getPointeeType())))
    return failure();
  writeOptional(entry, kPtrAttr, pointer.getPtrAttr());
  return success();
}

LogicalResult TypeWriter::encodeParameters(ByteWriter &entry, cuda_tile::TileType tile) {
  writeTag(entry, TypeTag::Tile);
  if (failed(write(entry, tile.getElementType())))
    return failure();
  entry.writeIntegers(tile.getShape());
  return success();
}

LogicalResult TypeWriter::encodeParameters(ByteWriter &entry, cuda_tile::TensorViewType tensor) {
  writeTag(entry, TypeTag::TensorView);
  if (failed(encodePtrFlag(entry, tensor.getPtrAttr())) || failed(write(entry, tensor.getElementType())))
    return failure();
  entry.writeIntegers(tensor.getShape());
  entry.writeIntegers(tensor.getStrides());
  writeOptional(entry, kPtrAttr, tensor.getPtrAttr());
  return success();
}

LogicalResult TypeWriter::encodeParameters(ByteWriter &entry, cuda_tile::PartitionViewType view) {
  // Before 13.3 the flag stands directly before the padding value.
  const bool flagFirst = context.version >= k13_3;
  const bool hasPadding = view.getPaddingValue() != nullptr;
  writeTag(entry, TypeTag::PartitionView);
  if (flagFirst)
    entry.writeVarint(hasPadding);
  entry.writeIntegers(view.getTileShape());
  if (failed(write(entry, view.getTensorView())))
    return failure();
  entry.writeIntegers(view.getDimMap());
  if (!flagFirst)
    entry.writeVarint(hasPadding);
  writeOptional(entry, kPaddingValue, view.getPaddingValue());
  return success();
}

LogicalResult TypeWriter::encodeParameters(ByteWriter &entry, cuda_tile::StridedViewType view) {
  writeTag(entry, TypeTag::StridedView);
  entry.writeVarint(view.getPaddingValue() != nullptr);
  entry.writeIntegers(view.getTileShape());
  entry.writeIntegers(view.getTraversalStrides());
  if (failed(write(entry, view.getTensorView())))
    return failure();
  entry.writeIntegers(view.getDimMap());
  writeOptional(entry, kPaddingValue, view.getPaddingValue());
  return context.require(getTypeSince(TypeTag::StridedView), "a strided view");
}

LogicalResult TypeWriter::encodeParameters(ByteWriter &entry, cuda_tile::GatherScatterViewType view) {
  writeTag(entry, TypeTag::GatherScatterView);
  entry.writeVarint(view.getPaddingValue() != nullptr);
  entry.writeIntegers(view.getTileShape());
  if (failed(write(entry, view.getTensorView())))
    return failure();
  entry.writeVarint(static_cast<uint32_t>(view.getSparseDim()));
  writeOptional(entry, kPaddingValue, view.getPaddingValue());
  return context.require(getTypeSince(TypeTag::GatherScatterView), "a gather/scatter view");
}

LogicalResult TypeWriter::encodeParameters(ByteWriter &entry, FunctionType function) {
  writeTag(entry, TypeTag::Function);
  for (ArrayRef<Type> list : {function.getInputs(), function.getResults()}) {
    entry.writeVarint(list.size());
    for (Type type : list)
      if (failed(write(entry, type)))
        return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The elements of an i1 constant in the packed form, whatever MLIR's own.
static SmallVector<char> packI1(DenseElementsAttr value) {
  if (value.isSplat())
    return {static_cast<char>(value.getSplatValue<bool>() ? 0xff : 0x00)};
  SmallVector<char> bytes(llvm::divideCeil(value.getNumElements(), 8));
  for (auto [i, bit] : llvm::enumerate(value.getValues<bool>()))
    bytes[i / 8] |= static_cast<char>(bit << (i % 8));
  return bytes;
}

uint64_t ConstantWriter::index(DenseElementsAttr value) {
  auto [it, isNew] = indices.try_emplace(value, entries.size());
  if (isNew) {
    SmallVector<char> packed;
    ArrayRef<char> raw = value.getRawData();
    if (value.getElementType().isInteger(1)) {
      packed = packI1(value);
      raw = packed;
    }
    ByteWriter &entry = entries.emplace_back();
    entry.writeVarint(raw.size());
    entry.writeBytes(StringRef(raw.data(), raw.size()));
  }
  return it->second;
}

void ConstantWriter::write(ByteWriter &section) const {
  writeEntries<uint64_t>(section, entries);
}
