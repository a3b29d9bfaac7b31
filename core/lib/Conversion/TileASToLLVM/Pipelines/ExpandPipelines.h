//===- ExpandPipelines.h - Stages without regions ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_EXPANDPIPELINES_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_EXPANDPIPELINES_H

#include "tileiras/Dialect/TileAS/Pipelines.h"

namespace tileiras {

/// Producers fill the stages by tensor copies alone, each with a `produce_one` that one thread runs.
bool isFilledByTensorCopies(as::CreatePipelineOp create);

/// Puts the bodies of producers and consumers in `function` where they stand, between explicit handshakes, with the
/// slots of the stage for their arguments; counts who arrives at the barriers. Errors are reported.
mlir::LogicalResult expandPipelines(mlir::Operation *function);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_EXPANDPIPELINES_H
