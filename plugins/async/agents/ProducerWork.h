//===- ProducerWork.h - What a producer does besides copies -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where tiles lie, and how many there are, may stand in memory: sizes of groups, numbers of experts, rows to gather.
// The producer then loads these itself, and makes the tensor maps that follow from them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_AGENTS_PRODUCERWORK_H
#define TILEIRAS_PLUGINS_ASYNC_AGENTS_PRODUCERWORK_H

#include "mlir/IR/Region.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Target/TuningModel.h"
#include <string>

namespace tileiras::async {

/// Why a producer of `numWarps` cannot do what `op` does in the warps of its kernel, while these do it, too; empty if
/// it can.
std::string findProducerObstacle(mlir::Operation *op, int64_t numWarps, const TuningModel &tuning);

/// Why `numWarps` cannot fill a stage as all warps of the kernel do; empty if they can.
std::string findFillingObstacle(as::ProduceOneOp produce, int64_t numWarps);

/// Register tiles in `producer` are held by `numWarps`: each has the parts of several of the warps that there were.
void giveTilesToWarps(mlir::Region &producer, int64_t numWarps);

/// Tensor maps that are made again, in the loops of `producer`, wait for the copies that still read them.
void waitBeforeMapsChange(mlir::Region &producer);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_AGENTS_PRODUCERWORK_H
