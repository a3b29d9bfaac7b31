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

/// The block of a kernel, as it grows.
class DeviceHeapBlock {
public:
  explicit DeviceHeapBlock(mlir::LLVM::LLVMFuncOp kernel) : kernel(kernel) {}

  bool empty() const { return allocas.empty(); }
  /// Gives `op` its place in the block.
  void add(aa::AllocaOp op);
  /// Takes the block at the beginning of the kernel and gives it back at its end. `addresses` is the offset of
  /// kHeapAddressBytes in shared memory, where allocas find it.
  void emit(int64_t addresses);

private:
  mlir::LLVM::LLVMFuncOp kernel;
  llvm::SmallVector<aa::AllocaOp> allocas;
  int64_t bytes = 0, alignment = 1;
};

/// The address of an alloca that is on the heap. Without memory, the kernel traps.
mlir::Value emitHeapAddress(Emitter &emit, aa::AllocaOp op);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_MEMORY_DEVICEHEAP_H
