//===- StageMap.h - Stages that a program asks for --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_PIPELINING_STAGEMAP_H
#define TILEIRAS_PLUGINS_ASYNC_PIPELINING_STAGEMAP_H

#include "common/ScheduleExpansion.h"
#include <string>

namespace tileiras::async {

/// i32 on operations of a loop: the stage that they run in, and how many iterations back they run then, which is the
/// same number with a minus. Hints: without them a loop has another order, and the same results.
inline constexpr llvm::StringLiteral kStage = "stage", kIterOffset = "iter_offset";

/// The order that the stages of a loop make: later stages first, so that what empties a slot comes before what fills
/// it.
struct StageMap {
  llvm::SmallVector<StagedOperation> order; ///< of the whole body; empty: nothing is asked for
  std::string reason;                       ///< why it is impossible, or empty
};

/// Reads the map of `loop`, which is not changed. No stage may be `numStages` or more.
StageMap readStageMap(mlir::scf::ForOp loop, unsigned numStages);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_PIPELINING_STAGEMAP_H
