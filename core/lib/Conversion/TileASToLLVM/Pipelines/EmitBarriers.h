//===- EmitBarriers.h - Barriers become PTX ---------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_EMITBARRIERS_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_EMITBARRIERS_H

#include "mlir/IR/BuiltinOps.h"

namespace tileiras {

/// Makes PTX of the operations that patterns leave (as::EmittedLast). To be called when scopes are verified and
/// inlined, and waits are batched: PTX answers no questions. Fails, with a diagnostic, where another operation of
/// nv_tileas is left.
mlir::LogicalResult emitBarriers(mlir::ModuleOp module);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_EMITBARRIERS_H
