//===- GridDependencies.h - What kernels do about other grids ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_CONTROL_GRIDDEPENDENCIES_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_CONTROL_GRIDDEPENDENCIES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tileiras {

/// The instructions of programmatic dependent launch that a kernel has.
struct GridDependencies {
  bool waits = false;    ///< for the grids before it: it may be launched before they have ended
  bool launches = false; ///< those after it, before it ends
};
GridDependencies findGridDependencies(mlir::LLVM::LLVMFuncOp kernel);

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_CONTROL_GRIDDEPENDENCIES_H
