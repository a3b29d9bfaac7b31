//===- AttributeReader.cpp - Strings and attributes -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttributeReader.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

LogicalResult StringReader::initialize(ByteReader section) {
  SmallVector<ByteReader, 0> entries;
  if (failed(readOffsetTable(section, 4, "string", entries)))
    return failure();
  for (ByteReader &entry : entries) {
    ArrayRef<uint8_t> bytes;
    if (failed(entry.readBytes(entry.remaining(), bytes, "string")))
      return failure();
    strings.emplace_back(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  }
  attributes.resize(strings.size());
  return success();
}

LogicalResult StringReader::read(ByteReader &reader, StringAttr &value, StringRef what) {
  const uint64_t start = reader.offset();
  uint64_t index;
  if (failed(reader.readVarint(index, what)))
    return failure();
  if (index >= strings.size())
    return reader.errorAt(start) << what << " is string " << index << ", but there are only " << strings.size();
  if (!attributes[index])
    attributes[index] = StringAttr::get(context, strings[index]);
  value = attributes[index];
  return success();
}

LogicalResult StringReader::readName(ByteReader &reader, StringAttr &value, StringRef what) {
  const uint64_t start = reader.offset();
  if (failed(read(reader, value, what)))
    return failure();
  if (value.empty())
    return reader.errorAt(start) << what << " must not be empty";
  return success();
}

//===----------------------------------------------------------------------===//
// Attributes of fields
//===----------------------------------------------------------------------===//

LogicalResult AttributeReader::readField(ByteReader &reader, const Field &field, Type resultType, Attribute &attribute,
                                         bool &isOpen) {
  switch (field.attribute) {
  case AttributeKind::None:
    return success();
  case AttributeKind::Enum:
    return readEnum(reader, *field.enumeration, version, context, attribute);
  case AttributeKind::I32:
    return readInteger(reader, IntegerType::get(context, 32), attribute);
  case AttributeKind::I64:
    return readInteger(reader, IntegerType::get(context, 64), attribute);
  case AttributeKind::Bool:
    return readBool(reader, attribute);
  case AttributeKind::Unit:
    attribute = UnitAttr::get(context);
    return success();
  case AttributeKind::String:
  case AttributeKind::Symbol: {
    const bool isSymbol = field.attribute == AttributeKind::Symbol;
    StringAttr string;
    if (failed(isSymbol ? strings.readName(reader, string, field.name) : strings.read(reader, string, field.name)))
      return failure();
    attribute = isSymbol ? Attribute(FlatSymbolRefAttr::get(string)) : Attribute(string);
    return success();
  }
  case AttributeKind::I32Array: {
    SmallVector<int32_t> values;
    if (failed(reader.readIntegers(values, field.name)))
      return failure();
    attribute = DenseI32ArrayAttr::get(context, values);
    return success();
  }
  case AttributeKind::BoolArray: {
    SmallVector<uint8_t> values;
    if (failed(reader.readIntegers(values, field.name)))
      return failure();
    attribute = DenseBoolArrayAttr::get(context, llvm::map_to_vector(values, [](uint8_t v) { return v != 0; }));
    return success();
  }
  case AttributeKind::Constant: {
    DenseElementsAttr value;
    if (failed(constants.read(reader, resultType, value, isOpen)))
      return failure();
    attribute = value;
    return success();
  }
  case AttributeKind::Tagged:
    return readTagged(reader, attribute);
  case AttributeKind::TaggedArray:
    return readArray(reader, attribute);
  case AttributeKind::Hints:
    return readHints(reader, attribute);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Attributes with tags
//===----------------------------------------------------------------------===//

LogicalResult AttributeReader::readTagged(ByteReader &reader, Attribute &attribute) {
  const uint64_t start = reader.offset();
  if (depth >= kMaxAttributeDepth)
    return reader.errorAt(start) << "attributes are nested deeper than " << kMaxAttributeDepth;
  ++depth;
  llvm::scope_exit leave([&] { --depth; });

  uint64_t number;
  if (failed(reader.readVarint(number, "attribute tag")))
    return failure();
  switch (static_cast<AttributeTag>(number <= UINT8_MAX ? number : 0)) {
  case AttributeTag::Integer: {
    IntegerType type;
    return failure(failed(types.read(reader, type, "type of an integer attribute")) ||
                   failed(readInteger(reader, type, attribute)));
  }
  case AttributeTag::Float: {
    FloatType type;
    return failure(failed(types.read(reader, type, "type of a float attribute")) ||
                   failed(readFloat(reader, type, attribute)));
  }
  case AttributeTag::Bool:
    return readBool(reader, attribute);
  case AttributeTag::Type: {
    Type type;
    if (failed(types.read(reader, type, "type attribute")))
      return failure();
    attribute = TypeAttr::get(type);
    return success();
  }
  case AttributeTag::String: {
    StringAttr string;
    if (failed(strings.read(reader, string, "string attribute")))
      return failure();
    attribute = string;
    return success();
  }
  case AttributeTag::Array:
    return readArray(reader, attribute);
  case AttributeTag::DenseElements: {
    Type type;
    DenseElementsAttr value;
    bool isOpen = false; // stays packed: nothing can be deferred inside of an attribute
    if (failed(types.read(reader, type, "type of a constant")) || failed(constants.read(reader, type, value, isOpen)))
      return failure();
    attribute = value;
    return success();
  }
  case AttributeTag::DivBy:
    return readDivBy(reader, attribute);
  case AttributeTag::SameElements:
    return readSameElements(reader, attribute);
  case AttributeTag::Dictionary:
    return readDictionary(reader, attribute);
  case AttributeTag::OptimizationHints:
    return readHints(reader, attribute);
  case AttributeTag::Bounded:
    return readBounded(reader, attribute);
  }
  return reader.errorAt(start) << "unknown attribute tag " << number;
}

LogicalResult AttributeReader::readInteger(ByteReader &reader, IntegerType type, Attribute &attribute) {
  const uint64_t start = reader.offset();
  uint64_t value;
  if (failed(reader.readVarint(value, "integer attribute")))
    return failure();
  if (!llvm::isUIntN(type.getWidth(), value))
    return reader.errorAt(start) << "integer attribute " << value << " does not fit in " << type;
  attribute = IntegerAttr::get(type, APInt(type.getWidth(), value));
  return success();
}

LogicalResult AttributeReader::readFloat(ByteReader &reader, FloatType type, Attribute &attribute) {
  const uint64_t start = reader.offset();
  const unsigned width = type.getWidth();
  uint64_t bits;
  if (uint8_t byte; width <= 8) {
    if (failed(reader.readByte(byte, "float attribute")))
      return failure();
    bits = byte;
  } else if (failed(reader.readZigzagBits(bits, "float attribute"))) {
    return failure();
  }
  if (!llvm::isUIntN(width, bits))
    return reader.errorAt(start) << "the bits " << bits << " of a float attribute do not fit in " << type;
  attribute = FloatAttr::get(type, APFloat(type.getFloatSemantics(), APInt(width, bits)));
  return success();
}

LogicalResult AttributeReader::readBool(ByteReader &reader, Attribute &attribute) {
  uint8_t value;
  if (failed(reader.readByte(value, "bool attribute")))
    return failure();
  attribute = BoolAttr::get(context, value != 0);
  return success();
}

LogicalResult AttributeReader::readArray(ByteReader &reader, Attribute &attribute) {
  uint64_t count;
  if (failed(reader.readCount(count, "array size")))
    return failure();
  SmallVector<Attribute> elements(count);
  for (Attribute &element : elements)
    if (failed(readTagged(reader, element)))
      return failure();
  attribute = ArrayAttr::get(context, elements);
  return success();
}

LogicalResult AttributeReader::readDictionary(ByteReader &reader, Attribute &attribute) {
  const uint64_t start = reader.offset();
  uint64_t count;
  if (failed(reader.readCount(count, "dictionary size", 2)))
    return failure();
  SmallVector<NamedAttribute> elements;
  for (uint64_t i = 0; i < count; ++i) {
    StringAttr key;
    Attribute value;
    if (failed(strings.readName(reader, key, "dictionary key")) || failed(readTagged(reader, value)))
      return failure();
    elements.emplace_back(key, value);
  }
  if (std::optional<NamedAttribute> duplicate = DictionaryAttr::findDuplicate(elements, /*isSorted=*/false))
    return reader.errorAt(start) << "duplicate dictionary key " << duplicate->getName();
  attribute = DictionaryAttr::get(context, elements);
  return success();
}

LogicalResult AttributeReader::readHints(ByteReader &reader, Attribute &attribute) {
  const uint64_t start = reader.offset();
  if (failed(readDictionary(reader, attribute)))
    return failure();
  attribute = cuda_tile::OptimizationHintsAttr::getChecked([&] { return reader.errorAt(start); }, context,
                                                           cast<DictionaryAttr>(attribute));
  return success(attribute != nullptr);
}

LogicalResult AttributeReader::readTwoOptional(ByteReader &reader, std::optional<int64_t> &first,
                                               std::optional<int64_t> &second, StringRef what) {
  const uint64_t start = reader.offset();
  uint8_t flags;
  if (failed(reader.readByte(flags, what)))
    return failure();
  if (flags > 3)
    return reader.errorAt(start) << "unknown flags " << static_cast<unsigned>(flags) << " of " << what;
  return failure((flags & 1 && failed(reader.readSignedVarint(first.emplace(), what))) ||
                 (flags & 2 && failed(reader.readSignedVarint(second.emplace(), what))));
}

LogicalResult AttributeReader::readDivBy(ByteReader &reader, Attribute &attribute) {
  uint64_t divisor;
  std::optional<int64_t> every, along;
  if (failed(reader.readVarint(divisor, "divisor")) || failed(readTwoOptional(reader, every, along, "div_by")))
    return failure();
  attribute = cuda_tile::DivByAttr::get(context, divisor, every, along);
  return success();
}

LogicalResult AttributeReader::readBounded(ByteReader &reader, Attribute &attribute) {
  std::optional<int64_t> lower, upper;
  if (failed(readTwoOptional(reader, lower, upper, "bounded")))
    return failure();
  attribute = cuda_tile::BoundedAttr::get(context, lower, upper);
  return success();
}

LogicalResult AttributeReader::readSameElements(ByteReader &reader, Attribute &attribute) {
  SmallVector<int64_t> values;
  if (failed(reader.readIntegers(values, "same_elements")))
    return failure();
  attribute = cuda_tile::SameElementsAttr::get(context, DenseI64ArrayAttr::get(context, values));
  return success();
}
