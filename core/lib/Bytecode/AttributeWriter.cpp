//===- AttributeWriter.cpp - Attributes of operations ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttributeWriter.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

LogicalResult AttributeWriter::invalid(const Field &field, Attribute attribute) {
  return context.error() << "attribute '" << field.name << "' has the value " << attribute
                         << ", which cannot be written to Tile IR bytecode";
}

LogicalResult AttributeWriter::writeField(ByteWriter &writer, const Field &field, Attribute attribute) {
  switch (field.attribute) {
  case AttributeKind::None:
  case AttributeKind::Unit:
    return success();
  case AttributeKind::Enum: {
    std::optional<uint64_t> number = field.enumeration->number(attribute);
    if (!number)
      return invalid(field, attribute);
    writer.writeVarint(*number);
    return context.require(field.enumeration->since(*number),
                           Twine(field.enumeration->name) + " of attribute '" + field.name + "'");
  }
  case AttributeKind::I32:
  case AttributeKind::I64: {
    auto integer = dyn_cast<IntegerAttr>(attribute);
    if (!integer || !integer.getType().isInteger(field.attribute == AttributeKind::I32 ? 32 : 64))
      return invalid(field, attribute);
    writer.writeVarint(integer.getValue().getZExtValue());
    return success();
  }
  case AttributeKind::Bool:
    if (auto value = dyn_cast<BoolAttr>(attribute))
      return writer.writeByte(value.getValue()), success();
    return invalid(field, attribute);
  case AttributeKind::String:
    if (auto string = dyn_cast<StringAttr>(attribute))
      return writer.writeVarint(strings.index(string)), success();
    return invalid(field, attribute);
  case AttributeKind::Symbol:
    if (auto symbol = dyn_cast<FlatSymbolRefAttr>(attribute))
      return writer.writeVarint(strings.index(symbol.getValue())), success();
    return invalid(field, attribute);
  case AttributeKind::I32Array:
    if (auto array = dyn_cast<DenseI32ArrayAttr>(attribute))
      return writer.writeIntegers(array.asArrayRef()), success();
    return invalid(field, attribute);
  case AttributeKind::BoolArray: {
    auto array = dyn_cast<DenseBoolArrayAttr>(attribute);
    if (!array)
      return invalid(field, attribute);
    writer.writeVarint(array.size());
    for (bool value : array.asArrayRef())
      writer.writeByte(value);
    return success();
  }
  case AttributeKind::Constant:
    if (auto value = dyn_cast<DenseElementsAttr>(attribute))
      return writer.writeVarint(constants.index(value)), success();
    return invalid(field, attribute);
  case AttributeKind::Tagged:
    return writeTagged(writer, attribute);
  case AttributeKind::TaggedArray:
    if (auto array = dyn_cast<ArrayAttr>(attribute))
      return writeArray(writer, array);
    return invalid(field, attribute);
  case AttributeKind::Hints:
    if (auto hints = dyn_cast<cuda_tile::OptimizationHintsAttr>(attribute))
      return writeDictionary(writer, hints.getValue());
    return invalid(field, attribute);
  }
  return success();
}

static void writeTag(ByteWriter &writer, AttributeTag tag) {
  writer.writeVarint(static_cast<uint64_t>(tag));
}

static void writeTwoOptional(ByteWriter &writer, std::optional<int64_t> first, std::optional<int64_t> second) {
  writer.writeByte((first ? 1 : 0) | (second ? 2 : 0));
  for (std::optional<int64_t> value : {first, second})
    if (value)
      writer.writeSignedVarint(*value);
}

/// The bits of a float: a byte when they fit in one.
static void writeFloat(ByteWriter &writer, const APFloat &value) {
  const APInt bits = value.bitcastToAPInt();
  if (bits.getBitWidth() <= 8)
    writer.writeByte(static_cast<uint8_t>(bits.getZExtValue()));
  else
    writer.writeSignedVarint(static_cast<int64_t>(bits.getZExtValue()));
}

LogicalResult AttributeWriter::writeTagged(ByteWriter &writer, Attribute attribute) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(attribute)
      .Case([&](BoolAttr value) {
        writeTag(writer, AttributeTag::Bool);
        writer.writeByte(value.getValue());
        return success();
      })
      .Case([&](IntegerAttr value) {
        writeTag(writer, AttributeTag::Integer);
        if (failed(types.write(writer, value.getType())))
          return failure();
        writer.writeVarint(value.getValue().getZExtValue());
        return success();
      })
      .Case([&](FloatAttr value) {
        writeTag(writer, AttributeTag::Float);
        if (failed(types.write(writer, value.getType())))
          return failure();
        writeFloat(writer, value.getValue());
        return success();
      })
      .Case([&](TypeAttr value) {
        writeTag(writer, AttributeTag::Type);
        return types.write(writer, value.getValue());
      })
      .Case([&](StringAttr value) {
        writeTag(writer, AttributeTag::String);
        writer.writeVarint(strings.index(value));
        return success();
      })
      .Case([&](ArrayAttr value) {
        writeTag(writer, AttributeTag::Array);
        return writeArray(writer, value);
      })
      .Case([&](DictionaryAttr value) {
        writeTag(writer, AttributeTag::Dictionary);
        return writeDictionary(writer, value);
      })
      .Case([&](DenseElementsAttr value) {
        writeTag(writer, AttributeTag::DenseElements);
        if (failed(types.write(writer, value.getType())))
          return failure();
        writer.writeVarint(constants.index(value));
        return success();
      })
      .Case([&](cuda_tile::DivByAttr value) {
        writeTag(writer, AttributeTag::DivBy);
        writer.writeVarint(value.getDivisor());
        writeTwoOptional(writer, value.getEvery(), value.getAlong());
        return success();
      })
      .Case([&](cuda_tile::SameElementsAttr value) {
        writeTag(writer, AttributeTag::SameElements);
        writer.writeIntegers(value.getValues().asArrayRef());
        return success();
      })
      .Case([&](cuda_tile::OptimizationHintsAttr value) {
        writeTag(writer, AttributeTag::OptimizationHints);
        return writeDictionary(writer, value.getValue());
      })
      .Case([&](cuda_tile::BoundedAttr value) {
        writeTag(writer, AttributeTag::Bounded);
        writeTwoOptional(writer, value.getLb(), value.getUb());
        return success();
      })
      .Default([&](Attribute) -> LogicalResult {
        return context.error() << "attribute " << attribute << " cannot be written to Tile IR bytecode";
      });
}

LogicalResult AttributeWriter::writeArray(ByteWriter &writer, ArrayAttr array) {
  writer.writeVarint(array.size());
  for (Attribute element : array)
    if (failed(writeTagged(writer, element)))
      return failure();
  return success();
}

LogicalResult AttributeWriter::writeDictionary(ByteWriter &writer, DictionaryAttr dictionary) {
  writer.writeVarint(dictionary.size());
  for (NamedAttribute element : dictionary) {
    writer.writeVarint(strings.index(element.getName()));
    if (failed(writeTagged(writer, element.getValue())))
      return failure();
  }
  return success();
}
