//===- DualSimt.cpp - One compute agent or two ----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DualSimt.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

using namespace mlir;

namespace tileiras::async {

/// Nothing of loops in it: they have figures of their own.
template <typename Callback>
static void walkIteration(scf::ForOp loop, Callback callback) {
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<LoopLikeOpInterface>(op))
      return WalkResult::skip();
    callback(op);
    return WalkResult::advance();
  });
}

std::optional<DualSimtChoice> chooseDualSimt(FunctionOpInterface function, const ScheduleAnalysis &schedules) {
  std::optional<DualSimtChoice> chosen;
  for (auto &[op, schedule] : schedules.getLoops()) {
    auto loop = cast<scf::ForOp>(op);
    int64_t products = 0, stages = INT64_MAX;
    walkIteration(loop, [&](Operation *inner) {
      products += isa<as::AsyncDotOp>(inner);
      if (auto produce = dyn_cast<as::ProduceOneOp>(inner))
        stages = std::min<int64_t>(stages, produce.getPipeline().getType().getStages());
    });
    if (products == 0 || stages == INT64_MAX)
      continue;
    std::optional<APInt> trips = loop.getStaticTripCount();
    const int64_t iterations = trips ? std::max<int64_t>(trips->getLimitedValue(INT32_MAX), 1) : 1;
    const DualSimtChoice choice{stages, products * iterations, iterations};
    if (!chosen || choice.work > chosen->work)
      chosen = choice;
  }
  return chosen;
}

} // namespace tileiras::async
