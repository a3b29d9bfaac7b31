//===- SliceMemory.h - Memory of tiles that are kept as slices --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_MEMORY_SLICEMEMORY_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_MEMORY_SLICEMEMORY_H

#include "tileiras/Lowering/LoweringContext.h"

namespace tileiras {

/// What a thread reads or writes at once, and what its part of a slice is a multiple of.
inline constexpr int64_t kSliceVectorBytes = 16;

/// Bytes that one thread takes for all slices.
int64_t getThreadBytes(const LoweringContext &lowering, as::SlicesType type);

/// The local memory of each thread of `function`, in which slices lie: a pointer.
mlir::Value createLocalArena(mlir::LLVM::LLVMFuncOp function, int64_t bytes);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_MEMORY_SLICEMEMORY_H
