//===- Pipelines.h - Producers and consumers --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of TileASPipelineOps.td. They are not a part of TileAS.h because most of the compiler has no use for
// them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_PIPELINES_H
#define TILEIRAS_DIALECT_TILEAS_PIPELINES_H

#include "tileiras/Dialect/TileAA/Agents.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

namespace tileiras::as::detail {
/// Arguments, terminator and results of a PipelineRegionOpInterface operation.
mlir::LogicalResult verifyPipelineRegion(mlir::Operation *op);
} // namespace tileiras::as::detail

namespace tileiras::as {
/// How the stages of a pipeline are filled (`producer_kind`).
inline constexpr llvm::StringLiteral kProducerTma = "tma", kProducerRegisters = "registers",
                                     kProducerAsyncCopy = "async_copy";

/// The memory of one stage's mbarriers, full and empty: 16 bytes, stages one behind the other.
mlir::RankedTensorType getStageBarriersType(mlir::MLIRContext *context);
} // namespace tileiras::as

#include "tileiras/Dialect/TileAS/PipelineInterfaces.h.inc"

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASPipelineOps.h.inc"

#endif // TILEIRAS_DIALECT_TILEAS_PIPELINES_H
