//===- ReusedMemory.h - Products that nobody has waited for -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_REUSEDMEMORY_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_REUSEDMEMORY_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tileiras {
class LoweringContext;

/// Who reads a sum in tensor memory waits for its products; those of a sum that nobody reads go on, and so may the
/// signal that a stage has been read. They are waited for (`emitWait`, before the operation) where another use of
/// shared memory may get the memory that they read, and at the end of their execution scope. Only what `isWatched`
/// holds for.
void awaitBeforeReuse(mlir::Operation *function, const LoweringContext &lowering,
                      llvm::function_ref<bool(mlir::Operation *)> isWatched,
                      llvm::function_ref<void(mlir::OpBuilder &, mlir::Operation *)> emitWait);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_REUSEDMEMORY_H
