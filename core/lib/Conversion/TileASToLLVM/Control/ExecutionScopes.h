//===- ExecutionScopes.h - Regions that run at the same time become branches --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_CONTROL_EXECUTIONSCOPES_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_CONTROL_EXECUTIONSCOPES_H

#include "mlir/IR/BuiltinOps.h"
#include "tileiras/Lowering/LoweringContext.h"

namespace tileiras {

/// Whether `op` makes execution scopes, or ends a region that is one.
bool isScopeStructure(mlir::Operation *op);

/// Puts the regions of the ExecutionScopeOpInterface operations in `module` behind branches by the number of the warp.
/// Everything in them has been lowered. Warpgroups whose regions say how many registers they need have as many there.
/// Fails, with a diagnostic, where somebody in a region waits for threads that do not run it.
mlir::LogicalResult inlineExecutionScopes(const LoweringContext &lowering, mlir::ModuleOp module);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_CONTROL_EXECUTIONSCOPES_H
