//===- SimpleTypes.h - Types that are only a tag ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_SIMPLETYPES_H
#define TILEIRAS_LIB_BYTECODE_SIMPLETYPES_H

#include "Format.h"
#include "mlir/IR/Types.h"

namespace tileiras::bytecode {

/// A type without parameters: numbers and tokens.
struct SimpleType {
  TypeTag tag;
  BytecodeVersion since;
  mlir::Type (*get)(mlir::MLIRContext *);
};

llvm::ArrayRef<SimpleType> getSimpleTypes();

/// Since when the types with parameters exist.
BytecodeVersion getTypeSince(TypeTag tag);

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_SIMPLETYPES_H
