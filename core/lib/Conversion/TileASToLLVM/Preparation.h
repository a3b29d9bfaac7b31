//===- Preparation.h - Before operations are lowered ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PREPARATION_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PREPARATION_H

#include "Lowering.h"

namespace tileiras {

/// Inserts the CTA barriers that the semantics of tiles demand. `body` is structured (scf), its operations are those of
/// nv_tileas.
void placeBarriers(const LoweringContext &lowering, mlir::Region &body);

/// An array of shared memory, of `bytes`; of a size that the launch decides when `bytes` is 0.
void createSharedArray(mlir::OpBuilder &builder, mlir::Location location, const std::string &name, int64_t bytes,
                       int64_t alignment);

/// Gives each alloca of `function` its memory: an array of shared memory, or a part of one block of the device's heap
/// for those that other tile blocks can use and those that are too large. Returns the bytes of shared memory they take.
int64_t allocateOwnMemory(const LoweringContext &lowering, mlir::LLVM::LLVMFuncOp function);

/// Whether an alloca has been given memory of the heap.
bool isOnHeap(aa::AllocaOp op);

/// Gives `function` a scratch area for its exchanges: the largest that one of them takes, since none outlives its
/// operation. Reports a kernel that takes more than the chip has; `ownBytes` is what its allocas take.
mlir::LogicalResult allocateScratch(const LoweringContext &lowering, mlir::LLVM::LLVMFuncOp function, int64_t ownBytes);

/// Where the tiles of a kernel do not fit in registers: says so, and lets the assembler spill to shared memory that
/// allocateScratch has left, if it `canShare`.
void provideForSpills(const LoweringContext &lowering, mlir::LLVM::LLVMFuncOp function, bool canShare);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PREPARATION_H
