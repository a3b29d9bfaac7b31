//===- VerifySchedule.cpp - tileas-verify-schedule ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASVERIFYSCHEDULE
#include "Passes.h.inc"

namespace {

/// The scheduled operations are the loop's, in the same order.
static bool isStillCurrent(mlir::scf::ForOp loop, const LoopSchedule &schedule) {
  auto body = loop.getBody()->without_terminator();
  auto scheduled =
      llvm::map_range(schedule.problem.operations, [](const ScheduleOperation &entry) { return entry.op; });
  return llvm::equal(llvm::make_pointer_range(body), scheduled);
}

struct TileASVerifySchedule : impl::TileASVerifyScheduleBase<TileASVerifySchedule> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASVerifySchedule)

  void runOnOperation() override {
    markAllAnalysesPreserved();
    auto analysis = getCachedAnalysis<ScheduleAnalysis>();
    if (!analysis || !analysis->get().isPublished()) {
      getOperation()->emitError(
          "cleanup pass invalidated ScheduleAnalysis; rerun constraint generation or remove the pass");
      return signalPassFailure();
    }
    getOperation()->walk([&](mlir::scf::ForOp loop) {
      const LoopSchedule *schedule = analysis->get().lookup(loop);
      if (schedule && isStillCurrent(loop, *schedule))
        return;
      loop.emitError("this loop is not the one that was scheduled: a pass after 'tileas-generate-schedule' changed it "
                     "but claims to preserve ScheduleAnalysis");
      signalPassFailure();
    });
  }
};

} // namespace
} // namespace tileiras::async
