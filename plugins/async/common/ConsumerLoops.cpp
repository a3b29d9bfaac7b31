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
#include "mlir/Dialect/SCF/Utils/Utils.h"
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

/// How often the loop runs is known, and all of it can be written out.
static bool canWriteOut(scf::ForOp loop) {
  constexpr uint64_t kMostOperations = 4096;
  const std::optional<APInt> trips = loop.getStaticTripCount();
  return trips && trips->getLimitedValue(kMostOperations) * loop.getBody()->getOperations().size() <= kMostOperations;
}

std::string followSchedule(RewriterBase &rewriter, scf::ForOp loop) {
  auto function = loop->getParentOfType<FunctionOpInterface>();
  const bool staysExpanded = function->hasAttr(kKeepsOrder);
  if (staysExpanded && !canWriteOut(loop))
    return "";
  std::string reason = checkWrittenStages(loop);
  const SmallVector<StagedOperation> order = takeStages(loop);
  if (order.empty() && reason.empty())
    return "";
  if (reason.empty())
    reason = checkExpansion(loop, order);
  if (!reason.empty())
    return "Failed to follow its schedule: " + reason;
  scf::ForOp steady = expandSchedule(rewriter, loop, order);
  if (staysExpanded && failed(loopUnrollFull(steady)))
    return "Failed to write out its steady state";
  return "";
}

} // namespace tileiras::async
