//===- DebugWriter.h - The debug section of a bytecode file -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_DEBUGWRITER_H
#define TILEIRAS_LIB_BYTECODE_DEBUGWRITER_H

#include "TableWriters.h"
#include "llvm/ADT/DenseSet.h"

namespace tileiras::bytecode {

/// Collects the locations of functions and operations. DebugReader.h describes what is written.
class DebugWriter {
public:
  DebugWriter(WriterContext &context, StringWriter &strings) : context(context), strings(strings) {}

  /// Gives a function its number, 0 when its location has no debug scope.
  mlir::FailureOr<uint64_t> addFunction(mlir::LocationAttr location);
  /// Adds the location of an operation of the function with this number.
  llvm::LogicalResult addOperation(uint64_t function, mlir::LocationAttr location);

  /// Writes the section; false when there is nothing to write. Strings may get their index here.
  bool write(ByteWriter &section);

private:
  llvm::LogicalResult check(mlir::Attribute location);
  uint64_t index(mlir::Attribute attribute);
  void encode(ByteWriter &entry, mlir::Attribute attribute);

  WriterContext &context;
  StringWriter &strings;
  llvm::SmallVector<llvm::SmallVector<uint64_t, 0>> functions;
  llvm::DenseMap<mlir::Attribute, uint64_t> indices;
  llvm::SmallVector<mlir::Attribute, 0> attributes;
  llvm::DenseSet<mlir::Attribute> checked; ///< call sites
};

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_DEBUGWRITER_H
