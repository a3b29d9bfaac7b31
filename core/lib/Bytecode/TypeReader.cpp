//===- TypeReader.cpp - The types of a bytecode file ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypeReader.h"
#include "SimpleTypes.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

LogicalResult tileiras::bytecode::readEnum(ByteReader &reader, const EnumEncoding &encoding, BytecodeVersion version,
                                           MLIRContext *context, Attribute &attribute) {
  const uint64_t start = reader.offset();
  uint64_t number;
  if (failed(reader.readVarint(number, encoding.name)))
    return failure();
  attribute = encoding.make(context, number);
  if (!attribute)
    return reader.errorAt(start) << "invalid " << encoding.name << " " << number;
  if (encoding.since(number) > version)
    return reader.errorAt(start) << encoding.name << " " << number << " requires version "
                                 << encoding.since(number).str() << ", the file has version " << version.str();
  return success();
}

LogicalResult TypeReader::initialize(ByteReader section) {
  if (failed(readOffsetTable(section, 4, "type", entries)))
    return failure();
  types.resize(entries.size());
  return success();
}

LogicalResult TypeReader::read(ByteReader &reader, Type &type, StringRef what) {
  const uint64_t start = reader.offset();
  uint64_t index;
  if (failed(reader.readVarint(index, what)))
    return failure();
  if (index >= entries.size())
    return reader.errorAt(start) << what << " is type " << index << ", but there are only " << entries.size();
  type = types[index];
  if (type)
    return success();
  // Catches types that contain themselves, too.
  if (depth >= kMaxTypeDepth)
    return reader.errorAt(start) << "types are nested deeper than " << kMaxTypeDepth;
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  if (failed(decode(entries[index], type)))
    return failure();
  types[index] = type;
  return success();
}

LogicalResult TypeReader::decode(ByteReader entry, Type &type) {
  const uint64_t start = entry.offset();
  uint64_t number;
  if (failed(entry.readVarint(number, "type tag")))
    return failure();
  const auto tag = static_cast<TypeTag>(number <= UINT8_MAX ? number : UINT8_MAX);
  const SimpleType *simple = llvm::find_if(getSimpleTypes(), [&](const SimpleType &t) { return t.tag == tag; });
  const bool isSimple = simple != getSimpleTypes().end();
  const BytecodeVersion since = isSimple ? simple->since : getTypeSince(tag);
  if (since > version)
    return entry.errorAt(start) << "type tag " << number << " requires version " << since.str()
                                << ", the file has version " << version.str();
  if (isSimple) {
    type = simple->get(context);
    return success();
  }
  switch (tag) {
  case TypeTag::Pointer:
    return decodePointer(entry, type);
  case TypeTag::Tile:
    return decodeTile(entry, type);
  case TypeTag::TensorView:
    return decodeTensorView(entry, type);
  case TypeTag::PartitionView:
    return decodePartitionView(entry, type);
  case TypeTag::StridedView:
    return decodeStridedView(entry, type);
  case TypeTag::GatherScatterView:
    return decodeGatherScatterView(entry, type);
  case TypeTag::Function:
    return decodeFunction(entry, type);
  case TypeTag::F8E5M3FNU:
    return entry.errorAt(start) << "type f8E5M3FNU is not supported";
  default:
    return entry.errorAt(start) << "unknown type tag " << number;
  }
}

LogicalResult TypeReader::readFlag(ByteReader &entry, bool &present) {
  const uint64_t start = entry.offset();
  uint64_t flags;
  if (failed(entry.readVarint(flags, "type flags")))
    return failure();
  if (flags > 1)
    return entry.errorAt(start) << "unknown type flags " << flags;
  present = flags == 1;
  return success();
}

/// Makes a type whose verifier reports at the entry's start.
template <typename T, typename... Args>
static LogicalResult make(ByteReader &entry, uint64_t start, Type &type, MLIRContext *context, Args &&...args) {
  type = T::getChecked([&] { return entry.errorAt(start); }, context, std::forward<Args>(args)...);
  return success(type != nullptr);
}

LogicalResult TypeReader::decodePointer(ByteReader &entry, Type &type) {
  const uint64_t start = entry.offset();
  bool hasAttribute = false;
  Type pointee;
  Attribute attribute;
  if ((version >= k13_4 && failed(readFlag(entry, hasAttribute))) || failed(read(entry, pointee, "pointee type")) ||
      (hasAttribute && failed(readEnum(entry, kPtrAttr, version, context, attribute))))
    return failure();
  return make<cuda_tile::PointerType>(entry, start, type, context, pointee,
                                      dyn_cast_or_null<cuda_tile::PtrAttrAttr>(attribute));
}

LogicalResult TypeReader::decodeTile(ByteReader &entry, Type &type) {
  const uint64_t start = entry.offset();
  Type element;
  SmallVector<int64_t> shape;
  if (failed(read(entry, element, "element type of a tile")) || failed(entry.readIntegers(shape, "tile shape")))
    return failure();
  return make<cuda_tile::TileType>(entry, start, type, context, ArrayRef<int64_t>(shape), element);
}

LogicalResult TypeReader::decodeTensorView(ByteReader &entry, Type &type) {
  const uint64_t start = entry.offset();
  bool hasAttribute = false;
  Type element;
  SmallVector<int64_t> shape, strides;
  Attribute attribute;
  if ((version >= k13_4 && failed(readFlag(entry, hasAttribute))) ||
      failed(read(entry, element, "element type of a tensor view")) ||
      failed(entry.readIntegers(shape, "tensor shape")) || failed(entry.readIntegers(strides, "tensor strides")) ||
      (hasAttribute && failed(readEnum(entry, kPtrAttr, version, context, attribute))))
    return failure();
  return make<cuda_tile::TensorViewType>(entry, start, type, context, element, ArrayRef<int64_t>(shape),
                                         ArrayRef<int64_t>(strides),
                                         dyn_cast_or_null<cuda_tile::PtrAttrAttr>(attribute));
}

LogicalResult TypeReader::decodePartitionView(ByteReader &entry, Type &type) {
  const uint64_t start = entry.offset();
  // Before 13.3 the flag stood directly before the padding value.
  const bool flagFirst = version >= k13_3;
  bool hasPadding = false;
  SmallVector<int32_t> tile, dimMap;
  cuda_tile::TensorViewType tensor;
  Attribute padding;
  if ((flagFirst && failed(readFlag(entry, hasPadding))) || failed(entry.readIntegers(tile, "tile shape")) ||
      failed(read(entry, tensor, "tensor of a partition view")) ||
      failed(entry.readIntegers(dimMap, "dimension map")) || (!flagFirst && failed(readFlag(entry, hasPadding))) ||
      (hasPadding && failed(readEnum(entry, kPaddingValue, version, context, padding))))
    return failure();
  return make<cuda_tile::PartitionViewType>(entry, start, type, context, ArrayRef<int32_t>(tile), tensor,
                                            ArrayRef<int32_t>(dimMap),
                                            dyn_cast_or_null<cuda_tile::PaddingValueAttr>(padding));
}

LogicalResult TypeReader::decodeStridedView(ByteReader &entry, Type &type) {
  const uint64_t start = entry.offset();
  bool hasPadding = false;
  SmallVector<int32_t> tile, strides, dimMap;
  cuda_tile::TensorViewType tensor;
  Attribute padding;
  if (failed(readFlag(entry, hasPadding)) || failed(entry.readIntegers(tile, "tile shape")) ||
      failed(entry.readIntegers(strides, "traversal strides")) ||
      failed(read(entry, tensor, "tensor of a strided view")) || failed(entry.readIntegers(dimMap, "dimension map")) ||
      (hasPadding && failed(readEnum(entry, kPaddingValue, version, context, padding))))
    return failure();
  return make<cuda_tile::StridedViewType>(entry, start, type, context, ArrayRef<int32_t>(tile),
                                          ArrayRef<int32_t>(strides), tensor, ArrayRef<int32_t>(dimMap),
                                          dyn_cast_or_null<cuda_tile::PaddingValueAttr>(padding));
}

LogicalResult TypeReader::decodeGatherScatterView(ByteReader &entry, Type &type) {
  const uint64_t start = entry.offset();
  bool hasPadding = false;
  SmallVector<int32_t> tile;
  cuda_tile::TensorViewType tensor;
  uint64_t sparseDim;
  Attribute padding;
  if (failed(readFlag(entry, hasPadding)) || failed(entry.readIntegers(tile, "tile shape")) ||
      failed(read(entry, tensor, "tensor of a gather/scatter view")) ||
      failed(entry.readVarint(sparseDim, "sparse dimension")) ||
      (hasPadding && failed(readEnum(entry, kPaddingValue, version, context, padding))))
    return failure();
  if (sparseDim > INT32_MAX)
    return entry.errorAt(start) << "sparse dimension " << sparseDim << " is out of range";
  return make<cuda_tile::GatherScatterViewType>(entry, start, type, context, ArrayRef<int32_t>(tile), tensor,
                                                static_cast<int32_t>(sparseDim),
                                                dyn_cast_or_null<cuda_tile::PaddingValueAttr>(padding));
}

LogicalResult TypeReader::decodeFunction(ByteReader &entry, Type &type) {
  SmallVector<Type> inputs, results;
  for (auto [list, what] : {std::pair(&inputs, StringRef("parameter")), std::pair(&results, StringRef("result"))}) {
    uint64_t count;
    if (failed(entry.readCount(count, (what + " count").str())))
      return failure();
    list->resize(count);
    for (Type &element : *list)
      if (failed(read(entry, element, (what + " type").str())))
        return failure();
  }
  type = FunctionType::get(context, inputs, results);
  return success();
}
