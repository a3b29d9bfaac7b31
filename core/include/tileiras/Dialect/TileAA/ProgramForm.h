//===- ProgramForm.h - What all programs keep to -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_PROGRAMFORM_H
#define TILEIRAS_DIALECT_TILEAA_PROGRAMFORM_H

#include "mlir/IR/Operation.h"

namespace tileiras::aa {

/// Integers and floats that registers hold and instructions know.
bool isNumberType(mlir::Type type);
/// These and pointers. Builtin tensors may have any elements.
bool isElementType(mlir::Type type);

/// The most elements of a tile, and of a global.
inline constexpr int64_t kMaxElements = int64_t(1) << 24;
/// The most bytes that memory is aligned to: what LLVM and PTX have 32 bits for.
inline constexpr int64_t kMaxAlignment = int64_t(1) << 31;

/// No value of `root` and what is nested in it has, or points to, numbers that no instruction knows.
mlir::LogicalResult verifyElementTypes(mlir::Operation *root);

/// What is computed stands in functions: a module orders nothing, and values of it may be made of each other.
mlir::LogicalResult verifyInFunctions(mlir::Operation *module);

} // namespace tileiras::aa

#endif // TILEIRAS_DIALECT_TILEAA_PROGRAMFORM_H
