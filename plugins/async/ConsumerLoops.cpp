//===- ConsumerLoops.cpp - Loops that read pipelines ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConsumerLoops.h"
#include "CountedLoop.h"
#include "DeferredWaits.h"
#include "HandOff.h"
#include "Remarks.h"
#include "ScheduleExpansion.h"
#include "StageAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tileiras::async {

int64_t getNumStepsAhead(scf::ForOp loop) {
  int64_t ahead = 0;
  for (Operation &op : loop.getBody()->without_terminator())
    if (auto stage = op.getAttrOfType<IntegerAttr>(kScheduleStage))
      ahead = std::max(ahead, stage.getInt());
  return ahead;
}

void followSchedule(RewriterBase &rewriter, scf::ForOp loop) {
  auto function = loop->getParentOfType<FunctionOpInterface>();
  if (function->hasAttr(kKeepsOrder))
    return;
  const SmallVector<StagedOperation> order = takeStages(loop);
  if (order.empty())
    return;
  if (std::string reason = checkExpansion(loop, order); !reason.empty()) {
    remarkOn(loop, Missed::UnspecializedPipeline) << ("Failed to follow its schedule: " + reason);
    return;
  }
  expandSchedule(rewriter, loop, order);
  countPendingProducts(function.getFunctionBody());
}

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
    followSchedule(rewriter, loop);
  }
}

} // namespace tileiras::async
