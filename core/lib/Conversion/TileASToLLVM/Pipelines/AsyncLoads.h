//===- AsyncLoads.h - Copies that threads start -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_ASYNCLOADS_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_ASYNCLOADS_H

#include "Conversion/TileASToLLVM/Patterns.h"

namespace tileiras {

void populateAsyncLoadPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);

/// What a thread accesses itself through a tile of pointers (of registers with copies, the first), one group of
/// neighbours for each instruction.
llvm::SmallVector<llvm::SmallVector<unsigned>> getPointerAccesses(mlir::Type pointerType,
                                                                  std::optional<llvm::ArrayRef<int64_t>> contiguity);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_ASYNCLOADS_H
