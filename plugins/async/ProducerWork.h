//===- ProducerWork.h - What a producer does besides copies -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where tiles lie, and how many there are, may stand in memory: sizes of groups, numbers of experts. The producer, one
// warp, then loads these itself, small tiles that they are, and makes the tensor maps that follow from them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_PRODUCERWORK_H
#define TILEIRAS_PLUGINS_ASYNC_PRODUCERWORK_H

#include "mlir/IR/Region.h"
#include <string>

namespace tileiras::async {

/// Why a producer cannot do what `op` does in the warps of its kernel, while these do it, too; empty if it can.
std::string findProducerObstacle(mlir::Operation *op);

/// Gives the register tiles in `producer`, a region of one warp, layouts of one warp.
void giveTilesToOneWarp(mlir::Region &producer);

/// Tensor maps that are made again, in the loops of `producer`, wait for the copies that still read them.
void waitBeforeMapsChange(mlir::Region &producer);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_PRODUCERWORK_H
