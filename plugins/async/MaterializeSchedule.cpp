//===- MaterializeSchedule.cpp - tileas-materialize-schedule --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "StageAttributes.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Pipeline/Remarks.h"

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
  }

  /// Its consumers have been taken apart.
  static bool isOpen(scf::ForOp loop) { return !loop.getBody()->getOps<as::ConsumerReadOp>().empty(); }
};

} // namespace
} // namespace tileiras::async
