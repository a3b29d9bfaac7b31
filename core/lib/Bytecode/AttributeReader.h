//===- AttributeReader.h - Strings and attributes ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_ATTRIBUTEREADER_H
#define TILEIRAS_LIB_BYTECODE_ATTRIBUTEREADER_H

#include "ConstantReader.h"
#include "TypeReader.h"

namespace tileiras::bytecode {

/// The string section.
class StringReader {
public:
  explicit StringReader(mlir::MLIRContext *context) : context(context) {}

  llvm::LogicalResult initialize(ByteReader section);

  /// Reads the index of a string; `what` names its use.
  llvm::LogicalResult read(ByteReader &reader, mlir::StringAttr &value, llvm::StringRef what);
  /// The same for names, which must not be empty.
  llvm::LogicalResult readName(ByteReader &reader, mlir::StringAttr &value, llvm::StringRef what);

private:
  mlir::MLIRContext *context;
  llvm::SmallVector<llvm::StringRef, 0> strings;
  llvm::SmallVector<mlir::StringAttr, 0> attributes; ///< null until asked for
};

/// Reads the attributes that operations and functions carry.
class AttributeReader {
public:
  AttributeReader(mlir::MLIRContext *context, BytecodeVersion version, StringReader &strings, TypeReader &types,
                  ConstantReader &constants)
      : context(context), version(version), strings(strings), types(types), constants(constants) {}

  /// Reads the attribute of a field. `resultType` is the type of constants; `isOpen` is as in ConstantReader.
  llvm::LogicalResult readField(ByteReader &reader, const Field &field, mlir::Type resultType,
                                mlir::Attribute &attribute, bool &isOpen);

  /// Reads an attribute that starts with its tag.
  llvm::LogicalResult readTagged(ByteReader &reader, mlir::Attribute &attribute);

private:
  llvm::LogicalResult readInteger(ByteReader &reader, mlir::IntegerType type, mlir::Attribute &attribute);
  llvm::LogicalResult readFloat(ByteReader &reader, mlir::FloatType type, mlir::Attribute &attribute);
  llvm::LogicalResult readBool(ByteReader &reader, mlir::Attribute &attribute);
  llvm::LogicalResult readArray(ByteReader &reader, mlir::Attribute &attribute);
  llvm::LogicalResult readDictionary(ByteReader &reader, mlir::Attribute &attribute);
  llvm::LogicalResult readHints(ByteReader &reader, mlir::Attribute &attribute);
  llvm::LogicalResult readDivBy(ByteReader &reader, mlir::Attribute &attribute);
  llvm::LogicalResult readBounded(ByteReader &reader, mlir::Attribute &attribute);
  llvm::LogicalResult readSameElements(ByteReader &reader, mlir::Attribute &attribute);
  /// Reads a byte with two presence bits and the signed numbers that are there.
  llvm::LogicalResult readTwoOptional(ByteReader &reader, std::optional<int64_t> &first, std::optional<int64_t> &second,
                                      llvm::StringRef what);

  mlir::MLIRContext *context;
  BytecodeVersion version;
  StringReader &strings;
  TypeReader &types;
  ConstantReader &constants;
  unsigned depth = 0;
};

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_ATTRIBUTEREADER_H
