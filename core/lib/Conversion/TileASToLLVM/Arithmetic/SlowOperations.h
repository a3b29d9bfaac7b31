//===- SlowOperations.h - What the GPU has no instruction for ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_SLOWOPERATIONS_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_SLOWOPERATIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "tileiras/Lowering/LoweringContext.h"

namespace tileiras {

/// Warns, once for each function and cause, of matmuls without the tensor core and of f8 conversions without an
/// instruction.
void warnOfSlowOperations(const LoweringContext &lowering, mlir::ModuleOp module);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_SLOWOPERATIONS_H
