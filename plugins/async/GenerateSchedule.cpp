//===- GenerateSchedule.cpp - tileas-generate-schedule --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "SchedulePressure.h"
#include "SerialScheduler.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Pipeline/Remarks.h"
#include "tileiras/Plugin/Registry.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"
#include "tileiras/Target/ContextTargets.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASGENERATESCHEDULE
#include "Passes.h.inc"

namespace {

struct TileASGenerateSchedule : impl::TileASGenerateScheduleBase<TileASGenerateSchedule> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASGenerateSchedule)
  using TileASGenerateScheduleBase::TileASGenerateScheduleBase;

  void runOnOperation() override {
    ChipTarget target = findTarget();
    std::unique_ptr<Scheduler> chosen = target ? makeScheduler() : nullptr;
    if (!chosen)
      return signalPassFailure();

    llvm::MapVector<mlir::Operation *, LoopSchedule> schedules;
    mlir::WalkResult result =
        getOperation()->walk([&](mlir::scf::ForOp loop) { return scheduleLoop(loop, target, *chosen, schedules); });
    if (result.wasInterrupted())
      return signalPassFailure();
    getAnalysis<ScheduleAnalysis>().publish(std::move(schedules));
    markAllAnalysesPreserved();
  }

  ChipTarget findTarget() {
    std::string chip = gpuName;
    auto module = getOperation()->getParentOfType<mlir::ModuleOp>();
    if (chip.empty() && module)
      if (auto spec = module->getAttrOfType<aa::TargetSpecAttr>(aa::TileAADialect::getTargetSpecAttrName()))
        chip = spec.getChip().str();
    ChipTarget target = findChipTarget(getContext(), chip);
    if (!target)
      getOperation()->emitError("failed to get compute capability: no loaded target serves '")
          << chip << "'; give --gpu-name, or load the plugin of that GPU";
    return target;
  }

  std::unique_ptr<Scheduler> makeScheduler() {
    const Registry *registry = getAttachedRegistry(getContext());
    if (const SchedulerEntry *entry = registry->findScheduler(scheduler))
      return entry->create();
    std::vector<const SchedulerEntry *> known = registry->getSchedulers();
    auto names = llvm::map_range(known, [](const SchedulerEntry *entry) { return entry->name; });
    getOperation()->emitError("no scheduler is called '") << scheduler << "'; there is: " << llvm::join(names, ", ");
    return nullptr;
  }

  SchedulerOptions getSchedulerOptions() const {
    return {.maxConstraintIterations = maxConstraintIterations,
            .rrtSizeThreshold = rrtSizeThreshold,
            .enableRandomDelay = enableRandomDelay,
            .traceFile = scheduleTraceFile};
  }

  mlir::LogicalResult ask(Scheduler &scheduler, mlir::scf::ForOp loop, LoopSchedule &entry) {
    llvm::Expected<Schedule> schedule = runScheduler(scheduler, entry.problem, getSchedulerOptions());
    if (!schedule)
      return loop.emitError("failed to find a schedule: ") << llvm::toString(schedule.takeError());
    entry.schedule = std::move(*schedule);
    entry.scheduler = scheduler.getName().str();
    return mlir::success();
  }

  /// Why a loop whose steps are single operations cannot follow its schedule; empty if it can.
  static std::string findObstacle(mlir::scf::ForOp loop, const ChipTarget &target, const LoopSchedule &schedule) {
    if (schedule.schedule.getNumStages() == 1 || loop.getBody()->getOps<as::ConsumerReadOp>().empty())
      return "";
    const ScheduledRegisters registers = estimateScheduledRegisters(loop, schedule);
    const std::optional<int64_t> limit = getScheduledRegisterLimit(loop, target);
    if (!registers.reason.empty() || !limit || registers.needed <= *limit)
      return registers.reason;
    return llvm::formatv("a schedule of {0} stages needs about {1} registers per thread, of {2}",
                         schedule.schedule.getNumStages(), registers.needed, *limit)
        .str();
  }

  mlir::WalkResult scheduleLoop(mlir::scf::ForOp loop, const ChipTarget &target, Scheduler &scheduler,
                                llvm::MapVector<mlir::Operation *, LoopSchedule> &schedules) {
    mlir::FailureOr<ScheduleProblem> problem = buildScheduleProblem(loop, target);
    if (failed(problem))
      return mlir::WalkResult::interrupt();
    LoopSchedule entry;
    entry.problem = std::move(*problem);
    if (failed(ask(scheduler, loop, entry)))
      return mlir::WalkResult::interrupt();
    std::string obstacle = findObstacle(loop, target, entry);
    if (!obstacle.empty() && addPressureDependences(loop, entry.problem)) {
      if (failed(ask(scheduler, loop, entry)))
        return mlir::WalkResult::interrupt();
      obstacle = findObstacle(loop, target, entry);
    }
    if (!obstacle.empty()) {
      remarkMissed(loop, "LoopSchedule", "schedule") << ("the loop keeps its order: " + obstacle);
      SerialScheduler serial;
      if (failed(ask(serial, loop, entry)))
        return mlir::WalkResult::interrupt();
    }
    remarkAnalysis(loop, "LoopSchedule", "schedule") << entry.summarize();
    schedules.insert({loop, std::move(entry)});
    return mlir::WalkResult::advance();
  }
};

} // namespace
} // namespace tileiras::async
