//===- AccumulatorStages.h - Accumulators that change hands -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pipelines whose stages are accumulators in tensor memory: one agent issues the products, another one uses the sums.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORSTAGES_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORSTAGES_H

#include "tileiras/Dialect/TileAS/Pipelines.h"

namespace tileiras {

bool isFilledByProducts(as::CreatePipelineOp create);

/// The memory of their stages, in tensor memory.
llvm::SmallVector<as::AllocTensorOp> findAccumulatorRings(mlir::Operation *function);

/// The products themselves hand stages to the consumers, when they are complete, and fences stand where stages change
/// hands (PTX ISA, "tcgen05 memory consistency model").
void handOverAccumulators(mlir::Operation *function);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORSTAGES_H
