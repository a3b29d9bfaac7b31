//===- MemoryVerification.h - What memory accesses share --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_DIALECT_CUDATILE_MEMORYVERIFICATION_H
#define TILEIRAS_LIB_DIALECT_CUDATILE_MEMORYVERIFICATION_H

#include "tileiras/Dialect/CudaTile/CudaTile.h"

namespace tileiras::cuda_tile {

using MemoryEffectList = llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>;

/// Effects of an access: what it does to memory, and a write if it orders memory for others.
void addAccessEffects(MemoryEffectList &effects, MemoryOrderingSemantics order, bool reads, bool writes);

/// A load is weak, relaxed or acquire; a store weak, relaxed or release; a scope goes with all but weak.
llvm::LogicalResult verifyLoadOrder(mlir::Operation *op, MemoryOrderingSemantics order,
                                    std::optional<MemoryScope> scope);
llvm::LogicalResult verifyStoreOrder(mlir::Operation *op, MemoryOrderingSemantics order,
                                     std::optional<MemoryScope> scope);
/// An atomic operation is anything but weak.
llvm::LogicalResult verifyAtomicOrder(mlir::Operation *op, MemoryOrderingSemantics order);

/// The mode must be one that elements of this type have.
llvm::LogicalResult verifyAtomicMode(mlir::Operation *op, AtomicRMWMode mode, mlir::Type elementType);

} // namespace tileiras::cuda_tile

#endif // TILEIRAS_LIB_DIALECT_CUDATILE_MEMORYVERIFICATION_H
