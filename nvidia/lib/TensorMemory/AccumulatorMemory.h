//===- AccumulatorMemory.h - A kernel's tensor memory -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORMEMORY_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORMEMORY_H

#include "AccumulatorBarriers.h"
#include "AccumulatorColumns.h"

namespace tileiras {

/// The tensor memory that a kernel takes, and the barriers of the products in it.
struct AccumulatorMemory {
  as::AllocTensorMemoryOp op;
  /// By scope with products, in the order of their barriers: the variable in which its threads keep the parity.
  llvm::MapVector<mlir::Region *, mlir::Value> phases;
  AccumulatorBarriers barriers;         ///< of webs that are waited for alone
  llvm::SmallVector<mlir::Value> tiles; ///< of the webs, by their numbers

  mlir::Value getBase() const { return as::AllocTensorMemoryOp(op).getBase(); }
  mlir::Value getBarriers() const { return as::AllocTensorMemoryOp(op).getBarriers(); }
};

/// Takes the columns where the kernel begins, and gives them back where it returns. `rings` get their places, and are
/// erased; webs get tiles, operands do not yet.
AccumulatorMemory createMemory(const KernelProducts &products, llvm::ArrayRef<as::AllocTensorOp> rings,
                               const AccumulatorWebs &webs, const ColumnPlan &columns, const LoweringContext &lowering);

/// The place of `tile`, operand `axis` of products by `atom`, from `column` on.
mlir::Value createTile(mlir::OpBuilder &builder, mlir::Location location, mlir::RankedTensorType tile,
                       as::AtomAttr atom, as::OperandAxis axis, int64_t column, const AccumulatorMemory &memory,
                       const LoweringContext &lowering);

/// A wait, at the builder's place, for all products that the scope of `user` has started.
void emitWait(mlir::OpBuilder &builder, mlir::Location location, mlir::Operation *user,
              const AccumulatorMemory &memory);
/// The same for those of web `web`, where they are waited for alone; else for all.
void emitWait(mlir::OpBuilder &builder, mlir::Location location, mlir::Operation *user, unsigned web,
              const AccumulatorMemory &memory, const LoweringContext &lowering);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORMEMORY_H
