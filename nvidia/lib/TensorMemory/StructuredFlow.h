//===- StructuredFlow.h - What may hold in a structured program -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks that follow the order in which a program runs, with a state of what may hold on some path. A state has
// `bool merge(const State &)`, which adds what holds on another path and returns whether that is more; without
// arguments it is made for a place that no path leads to. `visit` takes a region and what may hold at its start to what
// may hold at its end.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_STRUCTUREDFLOW_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_STRUCTUREDFLOW_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

namespace tileiras {

/// What may hold after the regions of `op` have run once, or, where that is possible, not at all. Branches and agents
/// all start with `before`; other regions run one after the other.
template <typename State, typename Visit>
State visitRegionsOnce(mlir::Operation *op, const State &before, Visit visit) {
  const bool areApart = mlir::isa<mlir::scf::IfOp, as::ExecutionScopeOpInterface>(op);
  const bool maySkip =
      mlir::isa<mlir::LoopLikeOpInterface>(op) || (mlir::isa<mlir::scf::IfOp>(op) && op->getRegion(1).empty());
  State after = maySkip ? before : State(), last = before;
  for (mlir::Region &region : op->getRegions()) {
    last = visit(region, areApart ? before : last);
    if (areApart)
      after.merge(last);
  }
  if (!areApart)
    after.merge(last);
  return after;
}

/// What may hold when an iteration of `loop` starts, and when the last one has ended.
template <typename State, typename Visit>
State findLoopState(mlir::Operation *loop, State before, Visit visit) {
  while (before.merge(visitRegionsOnce(loop, before, visit)))
    continue;
  return before;
}

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_STRUCTUREDFLOW_H
