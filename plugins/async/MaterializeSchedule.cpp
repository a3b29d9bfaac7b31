//===- MaterializeSchedule.cpp - tileas-materialize-schedule --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConsumerLoops.h"
#include "Passes.h"
#include "StageAttributes.h"
#include "WarpSpecialization.h"
#include "tileiras/Pipeline/Remarks.h"
#include "tileiras/Target/ModuleTarget.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASMATERIALIZESCHEDULE
#include "Passes.h.inc"

using namespace mlir;

namespace {

struct TileASMaterializeSchedule : impl::TileASMaterializeScheduleBase<TileASMaterializeSchedule> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASMaterializeSchedule)
  using TileASMaterializeScheduleBase::TileASMaterializeScheduleBase;

  void runOnOperation() override {
    auto analysis = getCachedAnalysis<ScheduleAnalysis>();
    if (!analysis || !analysis->get().isPublished()) {
      getOperation()->emitError("there is no ScheduleAnalysis; run tileas-generate-schedule before, and only passes "
                                "that preserve it in between");
      return signalPassFailure();
    }
    for (auto &[op, schedule] : analysis->get().getLoops())
      if (auto loop = dyn_cast<scf::ForOp>(op); loop && isOpen(loop))
        if (std::string reason = writeStages(loop, schedule); !reason.empty())
          remarkMissed(loop, "MaterializeSchedule", "schedule") << ("the loop keeps its order: " + reason);
    if (!useAUS && hasPipelines())
      makeAgents();
  }

  bool hasPipelines() {
    return getOperation()->walk([](as::CreatePipelineOp) { return WalkResult::interrupt(); }).wasInterrupted();
  }

  /// AWS; where that is not possible, one set of warps does everything.
  void makeAgents() {
    ChipTarget target = findModuleTarget(getOperation(), gpuName);
    if (!target)
      return;
    SpecializationObstacle obstacle = specializeWarps(getOperation(), target);
    if (obstacle.op) {
      remarkMissed(obstacle.op, "WarpSpecialization", "schedule")
          << ("one set of warps loads and computes: " + obstacle.reason);
      return;
    }
    getOperation()->walk([&](as::AgentSwitchOp agents) {
      for (Region &agent : agents->getRegions())
        overlapConsumers(agent);
      remarkAnalysis(agents, "WarpSpecialization", "schedule") << describe(agents);
    });
  }

  static std::string describe(as::AgentSwitchOp agents) {
    std::string text =
        llvm::formatv("{0} producer warp, {1} compute warps", agents.getNumWarps(0), agents.getNumWarps(1));
    if (std::optional<ArrayRef<int32_t>> registers = agents.getMaxRegs())
      text += llvm::formatv(", with {0} and {1} registers a thread", (*registers)[0], (*registers)[1]);
    return text;
  }

  /// Its consumers have been taken apart.
  static bool isOpen(scf::ForOp loop) { return !loop.getBody()->getOps<as::ConsumerReadOp>().empty(); }
};

} // namespace
} // namespace tileiras::async
