//===- OperandStages.h - Stages that MMAs read ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pipelines whose stages are operands of products in tensor memory: the products themselves release a stage, when they
// have read it, and no thread waits for them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_OPERANDSTAGES_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_OPERANDSTAGES_H

#include "AccumulatorMemory.h"

namespace tileiras {

/// Lets products release the stages that nothing but `products` reads. Where accumulators are stages, too
/// (`hasAccumulatorStages`), a release of other stages waits for the products of its scope. Returns whether products
/// release the stages of all pipelines.
bool commitStages(const KernelProducts &products, const AccumulatorMemory &memory, bool hasAccumulatorStages);

/// Waits for tokens of `products` become waits for all products that have been started. Where products release all
/// stages (`allCommitted`), none is needed. Copies have waits of their own.
void replaceWaits(const KernelProducts &products, const AccumulatorMemory &memory, bool allCommitted);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_OPERANDSTAGES_H
