//===- TensorMemoryBarriers.h - Order in tensor memory ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_TENSORMEMORYBARRIERS_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_TENSORMEMORYBARRIERS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tileiras {

/// Drops waits for products where none can have started since the one before, or at all.
void dropRepeatedWaits(mlir::Region &body);

/// Lets threads wait for what they load from tensor memory not where they load it but in front of its first use, of
/// what is done to `isOverwritten` tiles, or of the end of the block. To be called before barriers are placed.
void postponeCompletion(mlir::Operation *function,
                        llvm::function_ref<bool(mlir::Operation *writer, mlir::Value tile)> isOverwritten);

/// The hardware barrier from which on product groups meet alone in a loop or agents; null: the scope meets.
using GroupBarrier = llvm::function_ref<mlir::IntegerAttr(mlir::Operation *op)>;

/// Lets the threads of a scope meet (`tensor_memory_barrier`) where what one of them does to tensor memory must come
/// behind what another has done: products behind copies and, where warps may reach the same rows, stores behind loads
/// and loads behind stores. Loads may pass each other, and so may stores; `wait_products` is a meeting, too.
void placeTensorMemoryBarriers(mlir::Operation *function, GroupBarrier findBarrier);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_TENSORMEMORYBARRIERS_H
