//===- FunctionReader.h - The operations of a function ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_FUNCTIONREADER_H
#define TILEIRAS_LIB_BYTECODE_FUNCTIONREADER_H

#include "DebugReader.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/OperationSupport.h"

namespace tileiras::bytecode {

/// Reads the body of a function as OpTable.h describes. Operands are numbers of values: those of the function's and the
/// enclosing blocks' arguments and of the results before, in order of appearance. The values of a block lose their
/// numbers at its end.
class FunctionReader {
public:
  FunctionReader(mlir::MLIRContext *context, BytecodeVersion version, TypeReader &types, AttributeReader &attributes,
                 ConstantReader &constants, DebugReader &debug);

  /// Fills `block`, whose arguments are the function's parameters.
  llvm::LogicalResult readBody(ByteReader body, mlir::Block &block);

private:
  llvm::LogicalResult readOperation(ByteReader &reader, mlir::Block &block);
  llvm::LogicalResult readResultTypes(ByteReader &reader, const OpEncoding &encoding, mlir::OperationState &state,
                                      size_t &numNumbered);
  /// Reads the attributes and operands.
  llvm::LogicalResult readFields(ByteReader &reader, const OpEncoding &encoding, mlir::OperationState &state,
                                 llvm::StringRef &openAttribute);
  llvm::LogicalResult readAttribute(ByteReader &reader, const Field &field, bool isThere, mlir::OperationState &state,
                                    llvm::StringRef &openAttribute);
  llvm::LogicalResult readOperands(ByteReader &reader, const Field &field, bool isThere, mlir::OperationState &state);
  llvm::LogicalResult readRegions(ByteReader &reader, const OpEncoding &encoding, mlir::OperationState &state);
  llvm::LogicalResult readBlock(ByteReader &reader, mlir::Location loc, mlir::Region &region);

  mlir::MLIRContext *context;
  BytecodeVersion version;
  TypeReader &types;
  AttributeReader &attributes;
  ConstantReader &constants;
  DebugReader &debug;
  llvm::DenseMap<const OpEncoding *, mlir::OperationName> names;
  std::vector<mlir::Value> values;
  unsigned regionDepth = 0;
};

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_FUNCTIONREADER_H
