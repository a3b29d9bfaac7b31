//===- SchedulePressure.h - Registers of scheduled loops --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_SCHEDULEPRESSURE_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_SCHEDULEPRESSURE_H

#include "tileiras/Schedule/ScheduleAnalysis.h"
#include "tileiras/Target/Atoms.h"

namespace tileiras::async {

/// Registers that a thread of the function around `loop` needs when the loop follows `schedule`, or why it cannot.
/// Nothing is changed: a copy of the function is expanded.
struct ScheduledRegisters {
  int64_t needed = 0;
  std::string reason; ///< empty, or why the schedule cannot be emitted
};
ScheduledRegisters estimateScheduledRegisters(mlir::scf::ForOp loop, const LoopSchedule &schedule,
                                              const ChipTarget &chip);

/// Registers that a thread of the function around `loop` has on `target`: of its compute agent, where there are to be
/// agents and there can be. None where that is not known.
std::optional<int64_t> getScheduledRegisterLimit(mlir::scf::ForOp loop, const ChipTarget &target, bool withAgents);

/// Of these, what values of iterations may take: without those that the loop keeps for all of them, and what
/// instructions work with. 0: not known.
uint32_t countIterationRegisters(mlir::scf::ForOp loop, const ChipTarget &target, bool withAgents);

/// Asks that what products read from registers is finished before the products of the next iteration start, so that
/// tiles on the way there and new sums need not be alive at once; and that the products that read it before have been
/// waited for by then. Returns whether there was anything to ask for.
bool addPressureDependences(mlir::scf::ForOp loop, ScheduleProblem &problem);

/// The same of products whose sums are in tensor memory, which take no registers there: new ones start as soon as those
/// before have been taken out, and are waited for when what products read is finished. Of products whose sums are in
/// registers: what they read from registers is written anew when they are over (else ptxas serialises them, C7513).
void addOperandDependences(mlir::scf::ForOp loop, ScheduleProblem &problem, const AtomCatalogue *atoms);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_SCHEDULEPRESSURE_H
