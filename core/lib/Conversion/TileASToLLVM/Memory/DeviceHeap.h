//===- DeviceHeap.h - Allocas in the heap of the device ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocas that other tile blocks can use, and those that are too large for shared memory, are parts of one block of the
// device's heap: one thread takes it when the kernel starts and gives it back at the end.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_MEMORY_DEVICEHEAP_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_MEMORY_DEVICEHEAP_H

#include "Conversion/TileASToLLVM/Patterns.h"

namespace tileiras {

/// Shared memory that a kernel with a heap block needs for its addresses: bytes, at a multiple of 8.
inline constexpr int64_t kHeapAddressBytes = 16;

/// Gives `op` its place in the heap block of its kernel. Bytes used so far and the block's alignment grow.
void placeOnHeap(aa::AllocaOp op, int64_t &bytes, int64_t &alignment);

/// Takes a block at the beginning of `kernel` and gives it back at its end; `addresses` are kept in shared memory.
void emitHeapBlock(mlir::LLVM::LLVMFuncOp kernel, int64_t bytes, int64_t alignment, as::SlotAttr addresses);

/// The address of an alloca that is on the heap. Without memory, the kernel traps.
mlir::Value emitHeapAddress(Emitter &emit, aa::AllocaOp op);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_MEMORY_DEVICEHEAP_H
