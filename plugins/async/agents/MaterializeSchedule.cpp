//===- MaterializeSchedule.cpp - tileas-materialize-schedule --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AgentChoice.h"
#include "AgentMemory.h"
#include "DualSimt.h"
#include "Passes.h"
#include "PipelineAliases.h"
#include "ProductAgent.h"
#include "Remarks.h"
#include "WarpSpecialization.h"
#include "common/ConsumerLoops.h"
#include "common/ConsumerSteps.h"
#include "common/CountedLoop.h"
#include "common/DeferredWaits.h"
#include "common/HandOff.h"
#include "common/StageAttributes.h"
#include "tileiras/Diagnostics/PassFailure.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASMATERIALIZESCHEDULE
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// The name of the pass below.
constexpr llvm::StringLiteral kMaterializeSchedule = "tileas-materialize-schedule";

/// A loop is not what its schedule asks for.
void missSchedule(Operation *loop, const Twine &reason) {
  remarkOn(loop, Missed::MaterializeSchedule) << reason.str();
  markPassFailure(loop, kMaterializeSchedule, FailureKind::Missed);
}

/// For loops of `agent`, which only read pipelines: MMAs go on while the next iteration begins, and the order of
/// schedules is followed.
void overlapConsumers(Region &agent) {
  SmallVector<scf::ForOp> loops;
  agent.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(agent.getContext());
  for (scf::ForOp loop : loops) {
    for (auto consume : llvm::to_vector(loop.getBody()->getOps<as::ConsumeOneOp>()))
      if (consume.getPipeline().getType().getStages() > 1 && canDeferWaits(loop, consume))
        loop = deferWaits(rewriter, loop, consume);
    if (const int64_t ahead = getNumStepsAhead(loop); ahead != 0 && !canCompareAhead(loop, ahead))
      countFromZero(rewriter, loop);
    if (std::string reason = followSchedule(rewriter, loop); !reason.empty())
      missSchedule(loop, reason);
  }
}

struct TileASMaterializeSchedule : impl::TileASMaterializeScheduleBase<TileASMaterializeSchedule> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASMaterializeSchedule)
  using TileASMaterializeScheduleBase::TileASMaterializeScheduleBase;

  void runOnOperation() override {
    auto analysis = getCachedAnalysis<ScheduleAnalysis>();
    if (!analysis || !analysis->get().isPublished()) {
      getOperation()->emitError("there is no ScheduleAnalysis; run tileas-generate-schedule before, and only passes "
                                "that preserve it in between");
      return markPassFailure(getOperation(), getArgument());
    }
    if (failed(verifyNoPipelineAliases(getOperation())))
      return markPassFailure(getOperation(), getArgument());
    const ScheduleAnalysis &schedules = analysis->get();
    if (keepSynchronous(schedules))
      return;
    const bool isSerial = makeSerial(schedules);
    std::optional<AgentChoice> choice;
    if (auto kernel = dyn_cast<aa::FuncOp>(getOperation().getOperation());
        kernel && kernel.isKernel() && hasPipelines() && !isSerial)
      choice = choose(kernel, schedules);
    if (!enableScheduleRewrite)
      getOperation()->setAttr(kKeepsOrder, UnitAttr::get(&getContext()));
    const ChipTarget chip = findModuleTarget(getOperation(), gpuName);
    for (auto &[op, schedule] : schedules.getLoops())
      if (hasOpenConsumers(op) && schedule.strategy != ScheduleStrategy::Serial)
        if (std::string reason = writeStages(cast<scf::ForOp>(op), schedule, chip); !reason.empty())
          missSchedule(op, "the loop keeps its order: " + reason);
    if (choice)
      makeAgents(*choice, schedules);
  }

  /// The strategy NONE: what loops load and compute is done iteration by iteration.
  static bool keepSynchronous(const ScheduleAnalysis &schedules) {
    bool isAsked = false;
    for (auto &[op, schedule] : schedules.getLoops())
      if (schedule.strategy == ScheduleStrategy::None) {
        op->setAttr(kNotPipelined, UnitAttr::get(op->getContext()));
        isAsked = true;
      }
    return isAsked;
  }

  /// The strategy SERIAL, where a loop fills pipelines: one set of warps (AUS), one stage, nothing runs ahead.
  bool makeSerial(const ScheduleAnalysis &schedules) {
    SetVector<Operation *> serial, others;
    for (auto &[op, schedule] : schedules.getLoops()) {
      const bool isSerial = schedule.strategy == ScheduleStrategy::Serial;
      for (auto produce : cast<scf::ForOp>(op).getBody()->getOps<as::ProduceOneOp>()) {
        (isSerial ? serial : others).insert(produce.getPipeline().getDefiningOp());
        if (isSerial)
          op->setAttr(kNotPipelined, UnitAttr::get(op->getContext()));
      }
    }
    for (Operation *op : serial)
      if (auto pipeline = dyn_cast_if_present<as::CreatePipelineOp>(op); pipeline && !others.contains(op)) {
        const as::PipelineType type = pipeline.getType();
        as::setPipelineType(pipeline, as::PipelineType::get(type.getContext(), /*stages=*/1, type.getPayload()));
        for (Value memory : pipeline->getOperands())
          if (auto allocation = memory.getDefiningOp<as::AllocTensorOp>())
            allocation.setStages(1);
      }
    return !serial.empty();
  }

  bool hasPipelines() {
    return getOperation()->walk([](as::CreatePipelineOp) { return WalkResult::interrupt(); }).wasInterrupted();
  }

  /// Nothing where there are to be no agents.
  std::optional<AgentChoice> choose(aa::FuncOp kernel, const ScheduleAnalysis &schedules) {
    target = useAUS ? ChipTarget() : findModuleTarget(kernel, gpuName);
    if (!target)
      return std::nullopt;
    if (!target.chip->features.tma) {
      constexpr StringLiteral why =
          "one set of warps loads and computes: the GPU has no barriers that count the bytes of copies";
      if (onlyWhereItWins)
        remarkOn(kernel, Analysis::WarpSpecialization) << why.str();
      else
        remarkOn(kernel, Missed::WarpSpecialization) << why.str();
      return std::nullopt;
    }
    if (!onlyWhereItWins)
      relaxOccupancy(kernel, schedules, target);
    AgentChoice choice = chooseAgents(kernel, schedules, target);
    if (!choice.agentsWin && mayBePairs() && findLoops().pairs.areThere())
      choice = {true, "MMAs of two CTAs have an agent of their own"};
    if (!onlyWhereItWins || choice.agentsWin)
      return choice;
    remarkOn(kernel, Analysis::WarpSpecialization)
        << ("one set of warps loads and computes, which is faster: " + choice.reason);
    return std::nullopt;
  }

  /// How many compute agents would be busy; what the user has said stands. Null for one.
  BoolAttr chooseComputeAgents(const ScheduleAnalysis &schedules) {
    std::optional<DualSimtChoice> dual = chooseDualSimt(getOperation(), schedules);
    if (!dual)
      return {};
    const bool isGiven = useDualSimt != Choice::Auto;
    const bool isDual = isGiven ? useDualSimt == Choice::Yes : dual->isDual();
    remarkOn(getOperation(), Analysis::DualSimt)
        << llvm::formatv("{0} for {1} compute agent{2}: {3} stages, {4} MMAs in {5} known iterations",
                         isGiven ? "an option asks" : "there is work", isDual ? 2 : 1, isDual ? "s" : "", dual->stages,
                         dual->work, dual->iterations)
               .str();
    return isDual ? BoolAttr::get(&getContext(), isGiven) : BoolAttr();
  }

  bool mayBePairs() const { return ctaPairs.getValue() != "false" && productAgent != Choice::No; }
  ProductLoops findLoops() { return findProductLoops(getOperation(), target, mayBePairs()); }

  /// Whether products can have an agent of their own, and are worth one.
  bool wantsProductAgent(const ProductLoops &products) {
    if (!products.areThere() || productAgent == Choice::No)
      return false;
    const SpecializationObstacle &obstacle = products.obstacle;
    if (obstacle.op) {
      remarkOn(obstacle.op, Missed::ProductAgent) << ("warps that compute also issue the MMAs: " + obstacle.reason);
      return false;
    }
    if (products.followEachOther || products.pairs.areThere() || productAgent == Choice::Yes)
      return true;
    remarkOn(getOperation(), Analysis::ProductAgent)
        << "warps that compute also issue the MMAs: no loop has more of them, under which an epilogue could run";
    return false;
  }

  /// Leaves the function as it was where that is not possible.
  bool makeProductAgent(const ProductLoops &products) {
    OwningOpRef<Operation *> before = getOperation()->clone();
    if (products.pairs.areThere())
      pairProducts(products.pairs, products.loops);
    SpecializationObstacle obstacle = specializeWarps(getOperation(), target, &products);
    if (!obstacle.op) {
      remarkPairs();
      remarkOn(getOperation(), Analysis::ProductAgent)
          << llvm::formatv("MMAs have a warp of their own: {0} stage{1} of accumulators, {2} columns of tensor memory",
                           products.stages, products.stages == 1 ? "" : "s", products.columns)
                 .str();
      return true;
    }
    remarkOn(obstacle.op, Missed::ProductAgent) << ("warps that compute also issue the MMAs: " + obstacle.reason);
    getOperation().getFunctionBody().takeBody(cast<FunctionOpInterface>(*before).getFunctionBody());
    return false;
  }

  void remarkPairs() {
    getOperation()->walk([](as::CreatePipelineOp pipeline) {
      const as::PipelineType type = pipeline.getType();
      if (pipeline.getCtaPair() && as::getProducerKind(pipeline) != as::ProducerKind::Mma)
        remarkOn(pipeline, Analysis::CtaPair)
            << llvm::formatv("two CTAs multiply together, with half of operand B in each: {0} stages of {1} bytes",
                             type.getStages(), getStageBytes(type.getPayload()))
                   .str();
    });
  }

  /// AWS; where that is not possible, one set of warps does everything.
  void makeAgents(const AgentChoice &choice, const ScheduleAnalysis &schedules) {
    const BoolAttr dual = chooseComputeAgents(schedules);
    const ProductLoops products = findLoops();
    if (const SpecializationObstacle &obstacle = products.pairs.obstacle; obstacle.op)
      remarkOn(obstacle.op, Missed::CtaPair) << ("each CTA multiplies for itself: " + obstacle.reason);
    SpecializationObstacle obstacle;
    if (!wantsProductAgent(products) || !makeProductAgent(products))
      obstacle = specializeWarps(getOperation(), target);
    if (obstacle.op) {
      remarkOn(obstacle.op, Missed::WarpSpecialization) << ("one set of warps loads and computes: " + obstacle.reason);
      return markPassFailure(getOperation(), getArgument(), FailureKind::Missed);
    }
    overlapInMemory();
    getOperation()->walk([&](as::AgentSwitchOp agents) {
      if (dual)
        agents.setDualSimtAttr(dual);
      remarkOn(agents, Analysis::WarpSpecialization)
          << (describe(agents) + (choice.agentsWin ? ": " : "; one set of warps would be faster: ") + choice.reason);
    });
  }

  /// In each agent what can be overlapped is, if shared memory has room for the tiles that are in use at the same time
  /// then; else the function stays as it was.
  void overlapInMemory() {
    OwningOpRef<Operation *> before = getOperation()->clone();
    const int64_t limit = SharedBudget(getOperation(), target, getWantedCTAs(getOperation())).getLimit();
    int64_t bytes = 0;
    getOperation()->walk([&](as::AgentSwitchOp agents) {
      for (Region &agent : agents->getRegions()) {
        overlapConsumers(agent);
        bytes = std::max(bytes, separateTiles(agent));
      }
    });
    if (bytes <= limit)
      return;
    getOperation().getFunctionBody().takeBody(cast<FunctionOpInterface>(*before).getFunctionBody());
    missSchedule(getOperation(), llvm::formatv("loops keep their order: tiles in shared memory that are in use at the "
                                               "same time otherwise take {0} bytes, of {1}",
                                               bytes, limit)
                                     .str());
  }

  static std::string describe(as::AgentSwitchOp agents) {
    const bool hasProductAgent = agents->getNumRegions() == 3;
    const unsigned compute = agents->getNumRegions() - 1;
    std::string text = llvm::formatv("{0} producer warp{1}, {2}{3} compute warps", agents.getNumWarps(0),
                                     agents.getNumWarps(0) == 1 ? "" : "s", hasProductAgent ? "1 MMA warp, " : "",
                                     agents.getNumWarps(compute));
    if (std::optional<ArrayRef<int32_t>> registers = agents.getMaxRegs())
      text += llvm::formatv(", with {0} and {1} registers a thread", registers->front(), registers->back());
    return text;
  }

  ChipTarget target;
};

} // namespace
} // namespace tileiras::async
