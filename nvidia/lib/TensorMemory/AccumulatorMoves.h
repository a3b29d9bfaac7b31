//===- AccumulatorMoves.h - To and from tensor memory -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORMOVES_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORMOVES_H

#include "AccumulatorMemory.h"

namespace tileiras {

/// Products whose operand A has columns find it there: it is stored before each of them.
void moveOperands(const ColumnPlan &columns, const AccumulatorMemory &memory, const LoweringContext &lowering);

/// The values of each web become its tile. What enters a web is stored there, or scaled in its place, and what is used
/// otherwise is loaded as soon as it is made.
void moveAccumulators(const AccumulatorWebs &webs, const AccumulatorMemory &memory, const LoweringContext &lowering);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORMOVES_H
