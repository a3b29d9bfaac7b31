//===- ScheduleAnalysis.h - The schedules of a function ------------ -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hand-off between schedule generation and materialisation. Generation publishes it once; passes in between must
// preserve it; materialisation only reads it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_SCHEDULEANALYSIS_H
#define TILEIRAS_SCHEDULE_SCHEDULEANALYSIS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/AnalysisManager.h"
#include "tileiras/Schedule/Scheduler.h"
#include "tileiras/Target/ContextTargets.h"
#include "llvm/ADT/MapVector.h"

namespace tileiras {

/// How a loop was to be scheduled.
enum class ScheduleStrategy : uint8_t {
  None,      ///< not at all: the loop stays synchronous
  Serial,    ///< one stage
  CostBased, ///< modulo schedule, refined
  Fast,      ///< modulo schedule, the first that is found
  Default,   ///< the target's choice
};
llvm::StringRef stringifyStrategy(ScheduleStrategy strategy); ///< "COST_BASED"

/// The schedule of one loop and the problem it answers.
struct LoopSchedule {
  ScheduleProblem problem;
  Schedule schedule;
  std::string scheduler; ///< who made it
  ScheduleStrategy strategy = ScheduleStrategy::Default;

  /// II, ResMII, RecMII, stages, and whether the II is proven minimal, as one line.
  std::string summarize() const;
  bool isProvenMinimal() const { return schedule.isProvenMinimal || schedule.initiationInterval == problem.getMinII(); }
};

/// The schedules of all loops of one function. Empty when constructed: the analysis manager makes the object, schedule
/// generation fills it.
class ScheduleAnalysis {
public:
  explicit ScheduleAnalysis(mlir::Operation *function) : function(function) {}

  mlir::Operation *getFunction() const { return function; }
  bool isPublished() const { return published; }
  void publish(llvm::MapVector<mlir::Operation *, LoopSchedule> schedules) {
    loops = std::move(schedules);
    published = true;
  }
  /// Keyed by the loop operation, in program order.
  const llvm::MapVector<mlir::Operation *, LoopSchedule> &getLoops() const { return loops; }
  const LoopSchedule *lookup(mlir::Operation *loop) const;

  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &preserved) {
    return !preserved.isPreserved<ScheduleAnalysis>();
  }

private:
  mlir::Operation *function;
  bool published = false;
  llvm::MapVector<mlir::Operation *, LoopSchedule> loops;
};

/// The scheduling problem of the body of `loop` on the chip: one operation for each operation of the body, in order.
/// Dependences come from SSA values, from the loop-carried values (distance 1), from side effects that must keep their
/// order, and from the uses of values in nested regions. Footprints are the target's. One that names a unit which the
/// chip's machine model does not have is an error, as is an operation the target cannot answer for. Registers are those
/// of the estimate; how many a thread has is for others to say.
mlir::FailureOr<ScheduleProblem> buildScheduleProblem(mlir::scf::ForOp loop, const ChipTarget &target);

} // namespace tileiras

#endif // TILEIRAS_SCHEDULE_SCHEDULEANALYSIS_H
