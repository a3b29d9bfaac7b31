//===- Edits.h - Changes of a module that keep it one -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What reducers and mutators do alike. A module that verified may not verify afterwards: the caller looks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_EDITS_H
#define TILEIRAS_FUZZ_EDITS_H

#include "mlir/IR/Builders.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"

namespace tileiras::fuzz {

/// A value that stands for any other of the type: zero (of f8E8M0FNU, one), or a token. Null for types that have none
/// (pointers, views).
mlir::Value makeStandIn(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type);

/// Takes an operation out; what used its results uses a constant instead, or an operand of the type. False if there is
/// neither.
bool eraseOperation(mlir::Operation *op);

/// A branch becomes its then (or else) side, a loop its first iteration. False where the region is left from its
/// middle.
bool flattenOperation(mlir::Operation *op, bool second);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_EDITS_H
