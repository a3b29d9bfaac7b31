//===- SharedBudget.h - Shared memory that tiles may take -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SHAREDBUDGET_H
#define TILEIRAS_PLUGINS_ASYNC_SHAREDBUDGET_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Schedule/MachineModel.h"

namespace tileiras::async {

/// The blocks that a kernel wants to be resident on a multiprocessor: its hint, at least 1.
int64_t getWantedBlocks(mlir::FunctionOpInterface function);

/// Bytes for tiles in each of so many resident blocks, beside what conversions and reductions exchange data through.
int64_t getSharedBudget(const MachineModel &machine, int64_t blocks);

/// Bytes of one stage, its barriers included. All of the payload is in shared memory.
int64_t getPipelineStageBytes(as::PipelineType type);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SHAREDBUDGET_H
