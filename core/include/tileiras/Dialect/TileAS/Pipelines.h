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

/// The memory of one stage's mbarriers, full and empty: 16 bytes, stages one behind the other.
mlir::RankedTensorType getStageBarriersType(mlir::MLIRContext *context);
} // namespace tileiras::as

#include "tileiras/Dialect/TileAS/PipelineInterfaces.h.inc"

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASPipelineOps.h.inc"

namespace tileiras::as {

/// Gives a pipeline another type: its iterators and tokens, through whatever control flow they go, and the arguments of
/// bodies that work on its stages change along. Other values do not: buffers, what bodies do with their arguments and
/// what producers yield are the caller's to bring in line.
void setPipelineType(CreatePipelineOp pipeline, PipelineType type);

/// Puts consumer_wait, consumer_read with the body of `consume`, and inc_iter in its place. `token`, a value of that
/// body or null, is what the read gives last; that of a `consume_one_async` becomes it. Nobody releases the stage yet.
ConsumerReadOp splitConsumer(mlir::RewriterBase &rewriter, ConsumeOneOp consume, mlir::Value token);
ConsumerReadOp splitConsumer(mlir::RewriterBase &rewriter, ConsumeOneAsyncOp consume, mlir::Value token);

/// Somebody fills, reads or waits for its stages as such, and not only for the memory of their slots.
bool hasHandshakes(CreatePipelineOp pipeline);

/// What fills its stages: threads, from registers, where the pipeline does not say.
ProducerKind getProducerKind(CreatePipelineOp pipeline);
/// That of an operation that fills stages; null where nothing says it, or for others.
ProducerKindAttr getProducerKindAttr(mlir::Operation *producer);
/// In the body of a producer, threads load values to registers, or start copies that go on behind it.
bool loadsToRegisters(mlir::Region &producer);
bool startsCopies(mlir::Region &producer);

/// The operations whose bodies fill or read the pipeline's stages, in program order.
llvm::SmallVector<PipelineRegionOpInterface> getStageBodies(CreatePipelineOp pipeline);

} // namespace tileiras::as

#endif // TILEIRAS_DIALECT_TILEAS_PIPELINES_H
