//===- PipelineVerification.h - Rules of pipelines --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_DIALECT_TILEAS_PIPELINEVERIFICATION_H
#define TILEIRAS_LIB_DIALECT_TILEAS_PIPELINEVERIFICATION_H

#include "tileiras/Dialect/TileAS/Pipelines.h"

namespace tileiras::as {

/// The region ends with `async.pipeline.yield`.
mlir::LogicalResult verifyPipelineEnd(mlir::Operation *op, mlir::Region &region);

/// The iterator began as one of this pipeline, whatever control flow it has come through.
mlir::LogicalResult verifyIterator(mlir::Operation *op, mlir::Value pipeline, mlir::Value iterator);

/// What begins as this iterator becomes one with those of no other pipeline, used or not.
mlir::LogicalResult verifyMerges(mlir::Value iterator);

/// As verifyIterator, and the pipeline, as far as it can be seen, has such a consumer.
mlir::LogicalResult verifyConsumer(mlir::Operation *op, mlir::Value pipeline, mlir::Value iterator, uint32_t index);

/// Whoever gets a stage passes it on, once on every path.
mlir::LogicalResult verifyPassedOn(mlir::Operation *op, mlir::Value token);

/// Nothing reads the slots of a stage after it has been released.
mlir::LogicalResult verifySlots(ConsumerWaitOp op);
mlir::LogicalResult verifySlots(ConsumerReadOp op);

/// The stage whose commit waits for the bytes of a copy, which `barrier` is, or the operation around, is one of the
/// pipeline that `destination` is a slot of.
mlir::LogicalResult verifyBarrier(mlir::Operation *copy, mlir::Value destination, mlir::Value barrier);

} // namespace tileiras::as

#endif // TILEIRAS_LIB_DIALECT_TILEAS_PIPELINEVERIFICATION_H
