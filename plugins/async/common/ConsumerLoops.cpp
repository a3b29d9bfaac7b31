//===- ConsumerLoops.cpp - Loops that read pipelines ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConsumerLoops.h"
#include "HandOff.h"
#include "ScheduleExpansion.h"
#include "StageAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tileiras::async {

int64_t getNumStepsAhead(scf::ForOp loop) {
  int64_t ahead = 0;
  for (Operation &op : loop.getBody()->without_terminator())
    if (std::optional<unsigned> stage = getWrittenStage(&op))
      ahead = std::max<int64_t>(ahead, *stage);
  return ahead;
}

std::string followSchedule(RewriterBase &rewriter, scf::ForOp loop) {
  auto function = loop->getParentOfType<FunctionOpInterface>();
  if (function->hasAttr(kKeepsOrder))
    return "";
  std::string reason = checkWrittenStages(loop);
  const SmallVector<StagedOperation> order = takeStages(loop);
  if (order.empty() && reason.empty())
    return "";
  if (reason.empty())
    reason = checkExpansion(loop, order);
  if (!reason.empty())
    return "Failed to follow its schedule: " + reason;
  expandSchedule(rewriter, loop, order);
  return "";
}

} // namespace tileiras::async
