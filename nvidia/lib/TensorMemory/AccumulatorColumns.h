//===- AccumulatorColumns.h - Columns of tensor memory ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which columns of tensor memory each accumulator and each operand has. What is not in use at the same time may have
// the same ones.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORCOLUMNS_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORCOLUMNS_H

#include "AccumulatorWebs.h"
#include "KernelProducts.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tileiras {

/// Neighbouring columns of tensor memory.
struct ColumnRange {
  int64_t first = 0, count = 0;

  bool operator==(const ColumnRange &other) const = default;
  bool overlaps(ColumnRange other) const { return first < other.first + other.count && other.first < first + count; }
};

/// What is where in tensor memory.
struct ColumnPlan {
  llvm::SmallVector<ColumnRange> webs;                   ///< by their numbers
  llvm::SmallVector<ColumnRange> rings;                  ///< of pipelines whose stages are accumulators
  llvm::MapVector<as::AsyncDotOp, ColumnRange> operands; ///< operand A of each product that has it there
  int64_t total = 0;                                     ///< what the kernel takes: a power of two
};

/// Finds columns for all of `webs`, `rings`, the scales and operands of `products`. Where they do not fit, products
/// share columns of scales first, then webs become smaller ones. Fails, with a diagnostic, where that is not enough.
mlir::FailureOr<ColumnPlan> fitColumns(const KernelProducts &products, llvm::ArrayRef<as::AllocTensorOp> rings,
                                       const LoweringContext &lowering, AccumulatorWebs &webs, ScaleColumns &scales);

/// Loops and execution scopes in which tiles have the same columns, or none that another has: what a group of warps
/// does there in its rows of one is nothing to the other groups. To be asked before accumulators are moved.
llvm::SmallPtrSet<mlir::Operation *, 4> findApart(mlir::Operation *kernel, const AccumulatorWebs &webs,
                                                  const ColumnPlan &columns);

/// What `product` adds to and reads. Stages of pipelines, in whose columns nothing else is, are left out here and
/// below.
llvm::SmallVector<ColumnRange> findUsed(as::AsyncDotOp product, const AccumulatorWebs &webs, const ColumnPlan &columns);

/// What `op` writes.
llvm::SmallVector<ColumnRange> findWritten(mlir::Operation *op, const AccumulatorWebs &webs, const ColumnPlan &columns);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORCOLUMNS_H
