//===- StageAttributes.h - Schedules on operations --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_STAGEATTRIBUTES_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_STAGEATTRIBUTES_H

#include "ScheduleExpansion.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"
#include "tileiras/Target/Atoms.h"

namespace tileiras::async {

/// Writes stage and order of a schedule to the operations of `loop` that it is to move: stages begin where no product
/// is under way, but for those of `chip` (empty if not known) in tensor memory, and producers, which run ahead as far
/// as their pipelines allow, stand at the end of the stage that reads what they bring. Returns why that is not
/// possible, or an empty string. A schedule of one stage writes nothing.
std::string writeStages(mlir::scf::ForOp loop, const LoopSchedule &schedule, const ChipTarget &chip);

/// The stage that writeStages() has written to `op`; none where nobody has, nor where no loop could be unrolled so far.
std::optional<unsigned> getWrittenStage(mlir::Operation *op);

/// Which stage in the body of `loop` is impossible, or an empty string. People write stages, too.
std::string checkWrittenStages(mlir::scf::ForOp loop);

/// All operations of the body of `loop` in the order that writeStages() has written; the others, which have no effects,
/// in front of what needs them first. Empty if nothing was written. Takes the attributes away.
llvm::SmallVector<StagedOperation> takeStages(mlir::scf::ForOp loop);

/// All operations of the body of `loop`, those of `known` in their order.
llvm::SmallVector<StagedOperation> completeStages(mlir::scf::ForOp loop, llvm::ArrayRef<StagedOperation> known);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_STAGEATTRIBUTES_H
