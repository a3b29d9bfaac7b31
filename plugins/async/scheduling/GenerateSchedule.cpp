//===- GenerateSchedule.cpp - tileas-generate-schedule --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "PerturbModel.h"
#include "Remarks.h"
#include "ScheduleFiles.h"
#include "common/ConsumerSteps.h"
#include "common/SchedulePressure.h"
#include "schedulers/SerialScheduler.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Plugin/ContextRegistry.h"
#include "tileiras/Plugin/Registry.h"
#include "tileiras/Schedule/ProgressLine.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASGENERATESCHEDULE
#include "Passes.h.inc"

namespace {

/// The name that asks for no scheduler: the strategy NONE.
constexpr llvm::StringLiteral kNoScheduler = "synchronous";

struct TileASGenerateSchedule : impl::TileASGenerateScheduleBase<TileASGenerateSchedule> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASGenerateSchedule)
  using TileASGenerateScheduleBase::TileASGenerateScheduleBase;

  void runOnOperation() override {
    ChipTarget target = findTarget();
    std::unique_ptr<Scheduler> chosen = target ? makeScheduler(*target.chip) : nullptr;
    if (!chosen)
      return signalPassFailure();

    llvm::MapVector<mlir::Operation *, LoopSchedule> schedules;
    mlir::WalkResult result =
        getOperation()->walk([&](mlir::scf::ForOp loop) { return scheduleLoop(loop, target, *chosen, schedules); });
    if (result.wasInterrupted())
      return signalPassFailure();
    if (failed(writeReports(getOperation(), schedules, {scheduleTraceFile, scheduleSvg, dumpScheduleProblems})))
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

  /// DEFAULT pays where copies run by themselves.
  std::unique_ptr<Scheduler> makeScheduler(const ChipInfo &chip) {
    const Registry *registry = getAttachedRegistry(getContext());
    std::string name = scheduler;
    if (name.empty())
      name = chip.features.copiesAsynchronously() ? "cost-based" : "serial";
    if (const SchedulerEntry *entry = registry->findScheduler(name))
      return entry->create();
    std::vector<const SchedulerEntry *> known = registry->getSchedulers();
    auto names = llvm::map_range(known, [](const SchedulerEntry *entry) { return entry->name; });
    getOperation()->emitError("no scheduler is called '") << name << "'; there is: " << llvm::join(names, ", ");
    return nullptr;
  }

  SchedulerOptions getSchedulerOptions(const TuningModel &tuning) const {
    return {.maxConstraintIterations = maxConstraintIterations,
            .rrtSizeThreshold = rrtSizeThreshold,
            .enableRandomDelay = enableRandomDelay,
            .traceFile = scheduleTraceFile,
            .timeLimit = uint32_t(tuning.scheduleMilliseconds)};
  }

  /// Of its own: that of a loop inside is for that one's schedule.
  static bool hasAsynchronousWork(mlir::scf::ForOp loop) {
    return loop.getBody()
        ->walk<mlir::WalkOrder::PreOrder>([](mlir::Operation *op) {
          if (isa<mlir::LoopLikeOpInterface>(op))
            return mlir::WalkResult::skip();
          const bool isAsynchronous =
              isa<as::AsyncDotOp, as::AsyncTiledLoadOp, as::AsyncLoadOp, as::ProduceOneOp, as::ProduceOneAsyncOp,
                  as::ConsumeOneOp, as::ConsumeOneAsyncOp, as::ConsumerWaitOp>(op);
          auto dot = llvm::dyn_cast<as::DotOp>(op);
          return isAsynchronous || (dot && !dot.isUniversalFma()) ? mlir::WalkResult::interrupt()
                                                                  : mlir::WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// What the loop asks for, before what the pass does.
  ScheduleStrategy chooseStrategy(mlir::scf::ForOp loop, const ScheduleProblem &problem) const {
    if (scheduler == kNoScheduler)
      return ScheduleStrategy::None;
    // Schedulers that others bring are asked about every loop.
    const bool isOurs = scheduler.empty() || scheduler == "fast" || scheduler == "cost-based";
    if (loop->hasAttr("tileas.schedule.constraint.force_serial_execution") ||
        problem.operations.size() < serialThreshold || scheduler == "serial" || (isOurs && !hasAsynchronousWork(loop)))
      return ScheduleStrategy::Serial;
    if (scheduler == "fast")
      return ScheduleStrategy::Fast;
    return scheduler == "cost-based" ? ScheduleStrategy::CostBased : ScheduleStrategy::Default;
  }

  /// There is little to gain by another order than the program's, where nobody has asked for a scheduler.
  bool keepsOrder(const ScheduleProblem &problem, const TuningModel &tuning) const {
    return scheduler.empty() && problem.operations.size() < size_t(tuning.leastScheduledOperations);
  }

  static std::unique_ptr<Scheduler> find(const Registry &registry, llvm::StringRef name) {
    const SchedulerEntry *entry = registry.findScheduler(name);
    return entry ? entry->create() : nullptr;
  }

  mlir::LogicalResult ask(Scheduler &scheduler, mlir::scf::ForOp loop, const ChipTarget &target, LoopSchedule &entry) {
    const Registry &registry = *getAttachedRegistry(getContext());
    ProgressLine progress;
    SchedulerOptions options = getSchedulerOptions(target.tuning());
    options.progress =
        progress.getWriter("a loop of " + llvm::Twine(entry.problem.operations.size()) + " operations: ");
    llvm::Expected<Schedule> schedule =
        runScheduler(scheduler, entry.problem, options, [&](llvm::StringRef name) { return find(registry, name); });
    if (llvm::Error error = schedule.takeError()) {
      const llvm::StringRef text =
          error.isA<WrongSchedule>() ? "failed to legalize schedule" : "failed to find a schedule";
      return loop.emitError(text) << ": " << llvm::toString(std::move(error));
    }
    entry.schedule = std::move(*schedule);
    entry.scheduler = scheduler.getName().str();
    return mlir::success();
  }

  /// Why a loop whose steps are single operations cannot follow its schedule; empty if it can.
  std::string findObstacle(mlir::scf::ForOp loop, const ChipTarget &target, const LoopSchedule &schedule) const {
    if (schedule.schedule.getNumStages() == 1 || !hasOpenConsumers(loop))
      return "";
    const ScheduledRegisters registers = estimateScheduledRegisters(loop, schedule, target);
    const std::optional<int64_t> limit = getScheduledRegisterLimit(loop, target, withAgents);
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
    entry.problem.registersPerThread = countIterationRegisters(loop, target, withAgents);
    addOperandDependences(loop, entry.problem, &target.atoms());
    if (perturbMachineModel != 0)
      perturbFigures(entry.problem, perturbMachineModel);
    entry.strategy = chooseStrategy(loop, entry.problem);
    SerialScheduler serial;
    const bool isSerial = entry.strategy == ScheduleStrategy::Serial || entry.strategy == ScheduleStrategy::None ||
                          keepsOrder(entry.problem, target.tuning());
    Scheduler &chosen = isSerial ? serial : scheduler;
    if (failed(ask(chosen, loop, target, entry)))
      return mlir::WalkResult::interrupt();
    std::string obstacle = findObstacle(loop, target, entry);
    if (!obstacle.empty() && addPressureDependences(loop, entry.problem)) {
      if (failed(ask(chosen, loop, target, entry)))
        return mlir::WalkResult::interrupt();
      obstacle = findObstacle(loop, target, entry);
    }
    if (!obstacle.empty()) {
      remarkOn(loop, Missed::LoopSchedule) << ("the loop keeps its order: " + obstacle);
      if (failed(ask(serial, loop, target, entry)))
        return mlir::WalkResult::interrupt();
    }
    remarkOn(loop, Analysis::LoopSchedule) << entry.summarize() + describeBottleneck(entry.problem);
    schedules.insert({loop, std::move(entry)});
    return mlir::WalkResult::advance();
  }
};

} // namespace
} // namespace tileiras::async
