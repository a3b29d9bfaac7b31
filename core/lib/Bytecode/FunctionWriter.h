//===- FunctionWriter.h - The operations of a function ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_FUNCTIONWRITER_H
#define TILEIRAS_LIB_BYTECODE_FUNCTIONWRITER_H

#include "AttributeWriter.h"
#include "DebugWriter.h"

namespace tileiras::bytecode {

/// Writes the body of a function; the counterpart of FunctionReader.
class FunctionWriter {
public:
  FunctionWriter(WriterContext &context, TypeWriter &types, AttributeWriter &attributes, DebugWriter &debug)
      : context(context), types(types), attributes(attributes), debug(debug) {}

  /// `number` is the function's number in the debug section.
  llvm::LogicalResult writeBody(ByteWriter &writer, mlir::Block &block, uint64_t number);

private:
  llvm::LogicalResult writeOperation(ByteWriter &writer, mlir::Operation &op);
  /// Refuses what the encoding has no place for.
  llvm::LogicalResult checkAttributes(mlir::Operation &op, const OpEncoding &encoding);
  mlir::ResultRange getWrittenResults(mlir::Operation &op, const OpEncoding &encoding) const;
  llvm::LogicalResult writeResultTypes(ByteWriter &writer, mlir::Operation &op, const OpEncoding &encoding);
  llvm::LogicalResult writeFields(ByteWriter &writer, mlir::Operation &op, const OpEncoding &encoding);
  llvm::LogicalResult writeAttribute(ByteWriter &writer, const Field &field, mlir::Attribute attribute);
  llvm::LogicalResult writeOperands(ByteWriter &writer, const Field &field, mlir::ValueRange operands);
  llvm::LogicalResult writeRegions(ByteWriter &writer, mlir::Operation &op, const OpEncoding &encoding);
  llvm::LogicalResult writeBlock(ByteWriter &writer, mlir::Block &block);
  void number(mlir::ValueRange values);

  WriterContext &context;
  TypeWriter &types;
  AttributeWriter &attributes;
  DebugWriter &debug;
  uint64_t function = 0;
  llvm::DenseMap<mlir::Value, uint64_t> numbers;
  uint64_t nextNumber = 0;
};

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_FUNCTIONWRITER_H
