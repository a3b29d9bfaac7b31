//===- ModuleTarget.h - What a function is compiled for ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TARGET_MODULETARGET_H
#define TILEIRAS_TARGET_MODULETARGET_H

#include "tileiras/Target/Target.h"

namespace tileiras {

/// The target that serves the chip named by the innermost module around `func` that names one, else `fallbackChip`.
/// Null when no chip is named or no plugin in the session serves it.
const Target *findModuleTarget(mlir::Operation *func, llvm::StringRef fallbackChip);

/// Warps among which the tiles of a kernel are distributed.
int64_t getNumWarps(mlir::Operation *func);

} // namespace tileiras

#endif // TILEIRAS_TARGET_MODULETARGET_H
