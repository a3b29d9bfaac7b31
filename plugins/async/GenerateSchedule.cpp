//===- GenerateSchedule.cpp - tileas-generate-schedule --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Plugin/Registry.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"
#include "tileiras/Target/Target.h"
#include "llvm/ADT/StringExtras.h"

namespace tileiras::async {
#define GEN_PASS_DECL_TILEASGENERATESCHEDULE
#define GEN_PASS_DEF_TILEASGENERATESCHEDULE
#include "Passes.h.inc"

namespace {

struct TileASGenerateSchedule : impl::TileASGenerateScheduleBase<TileASGenerateSchedule> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASGenerateSchedule)
  using TileASGenerateScheduleBase::TileASGenerateScheduleBase;

  void runOnOperation() override {
    const Target *target = lookupTarget(gpuName);
    if (!target) {
      getOperation()->emitError("failed to get compute capability")
          << ": no target serves '" << gpuName << "'; known GPUs: " << llvm::join(getPublishedChips(), ", ");
      return signalPassFailure();
    }
    std::unique_ptr<Scheduler> chosen = createScheduler(scheduler);
    if (!chosen) {
      getOperation()->emitError("no scheduler is called '")
          << scheduler << "'; known schedulers: " << llvm::join(getPublishedSchedulers(), ", ");
      return signalPassFailure();
    }

    llvm::MapVector<mlir::Operation *, LoopSchedule> schedules;
    mlir::WalkResult result = getOperation()->walk(
        [&](mlir::scf::ForOp loop) { return scheduleLoop(loop, target->machine(), *chosen, schedules); });
    if (result.wasInterrupted())
      return signalPassFailure();
    getAnalysis<ScheduleAnalysis>().publish(std::move(schedules));
    markAllAnalysesPreserved();
  }

  static mlir::WalkResult scheduleLoop(mlir::scf::ForOp loop, const MachineModel &machine, Scheduler &scheduler,
                                       llvm::MapVector<mlir::Operation *, LoopSchedule> &schedules) {
    LoopSchedule entry;
    entry.scheduler = scheduler.getName().str();
    entry.problem = buildScheduleProblem(loop, machine);
    llvm::Expected<Schedule> schedule = runScheduler(scheduler, entry.problem);
    if (!schedule) {
      loop.emitError("failed to find a schedule: ") << llvm::toString(schedule.takeError());
      return mlir::WalkResult::interrupt();
    }
    entry.schedule = std::move(*schedule);
    mlir::remark::analysis(loop.getLoc(), mlir::remark::RemarkOpts::name("LoopSchedule").category("schedule"))
        << entry.summarize();
    schedules.insert({loop, std::move(entry)});
    return mlir::WalkResult::advance();
  }
};

} // namespace
} // namespace tileiras::async
