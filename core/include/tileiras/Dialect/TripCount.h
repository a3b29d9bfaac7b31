//===- TripCount.h - How often a loop runs ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TRIPCOUNT_H
#define TILEIRAS_DIALECT_TRIPCOUNT_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileiras {

/// How often `loop` runs, where `builder` stands, in the type of its bounds: an unsigned number, exact whatever the
/// bounds are. (Upstream's `emitNormalizedLoopBounds` subtracts as signed, which may wrap.)
mlir::Value createTripCount(mlir::OpBuilder &builder, mlir::scf::ForOp loop);

} // namespace tileiras

#endif // TILEIRAS_DIALECT_TRIPCOUNT_H
