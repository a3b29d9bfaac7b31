//===- ModuleTarget.h - What a function is compiled for ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_MODULETARGET_H
#define TILEIRAS_DIALECT_TILEAA_MODULETARGET_H

#include "tileiras/Target/ContextTargets.h"

namespace tileiras {

/// The chip that the innermost module around `func` names, else `fallbackChip`, and the target that serves it.
/// Empty when no chip is named or no plugin in the session serves it.
ChipTarget findModuleTarget(mlir::Operation *func, llvm::StringRef fallbackChip);

/// The machine model of that chip; where there is none, one with the limits that MachineModel has by default.
const MachineModel &findModuleMachine(mlir::Operation *func, llvm::StringRef fallbackChip);

} // namespace tileiras

#endif // TILEIRAS_DIALECT_TILEAA_MODULETARGET_H
