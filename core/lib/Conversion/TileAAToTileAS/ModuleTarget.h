//===- ModuleTarget.h - What a function is compiled for ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_MODULETARGET_H
#define TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_MODULETARGET_H

#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Target/ContextTargets.h"

namespace tileiras {

/// The chip that the innermost module around `func` names, else `fallbackChip`, and the target that serves it.
/// Empty when no chip is named or no plugin in the session serves it.
ChipTarget findModuleTarget(aa::FuncOp func, llvm::StringRef fallbackChip);

/// Warps among which the function's tiles are distributed.
int64_t getNumWarps(aa::FuncOp func);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_MODULETARGET_H
