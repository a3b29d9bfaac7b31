//===- CarriedValues.h - Values that loops and branches carry ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_CARRIEDVALUES_H
#define TILEIRAS_DIALECT_TILEAS_CARRIEDVALUES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace tileiras::as {

/// `op` reads a stage: it runs its region once, and the first of its results are what that yields.
bool isRead(mlir::Operation *op);

/// The result of `scf.for` that `value` is, or is the variable of; null for other values.
mlir::OpResult getLoopResult(mlir::Value value);

/// What a variable or result of `scf.for`, or a result of `scf.if` or of the read of a stage, may be; nothing for other
/// values.
llvm::SmallVector<mlir::Value> findSources(mlir::Value value);

/// The result of a loop, of a branch or of the read of a stage that the use becomes; null if it becomes none.
mlir::Value getCarried(mlir::OpOperand &use);

} // namespace tileiras::as

#endif // TILEIRAS_DIALECT_TILEAS_CARRIEDVALUES_H
