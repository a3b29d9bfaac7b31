//===- AttributeWriter.h - Attributes of operations -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_ATTRIBUTEWRITER_H
#define TILEIRAS_LIB_BYTECODE_ATTRIBUTEWRITER_H

#include "TableWriters.h"

namespace tileiras::bytecode {

class AttributeWriter {
public:
  AttributeWriter(WriterContext &context, StringWriter &strings, TypeWriter &types, ConstantWriter &constants)
      : context(context), strings(strings), types(types), constants(constants) {}

  /// Writes the attribute of a field; it must be there.
  llvm::LogicalResult writeField(ByteWriter &writer, const Field &field, mlir::Attribute attribute);

  /// Writes an attribute with its tag.
  llvm::LogicalResult writeTagged(ByteWriter &writer, mlir::Attribute attribute);

private:
  llvm::LogicalResult writeArray(ByteWriter &writer, mlir::ArrayAttr array);
  llvm::LogicalResult writeDictionary(ByteWriter &writer, mlir::DictionaryAttr dictionary);
  llvm::LogicalResult invalid(const Field &field, mlir::Attribute attribute);

  WriterContext &context;
  StringWriter &strings;
  TypeWriter &types;
  ConstantWriter &constants;
};

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_ATTRIBUTEWRITER_H
