//===- ExecutionUnits.cpp - How many warps run a region -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutionUnits.h"
#include "tileiras/Dialect/TileAA/Agents.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace mlir;

namespace tileiras::cluster {

static std::optional<int32_t> getTileWarps(TypeRange types) {
  for (Type type : types)
    if (as::isDistributedTensor(type))
      return cast<as::DistributedLayoutAttrInterface>(cast<RankedTensorType>(type).getEncoding()).getNumWarps();
  return std::nullopt;
}

/// What makes a tile may take it from other warps; what only uses tiles, such as a store, runs in theirs.
static std::optional<int32_t> getTileWarps(Operation *op) {
  const std::optional<int32_t> made = getTileWarps(op->getResultTypes());
  return made || op->getNumRegions() != 0 ? made : getTileWarps(op->getOperandTypes());
}

namespace {

class WarpCount {
public:
  LogicalResult add(Operation *op, std::optional<int32_t> warps) {
    if (!warps)
      return success();
    if (!found) {
      found = warps;
      first = op;
      return success();
    }
    if (*found == *warps)
      return success();
    InFlightDiagnostic diagnostic = op->emitError("inconsistent numWarps in the agent switch, maybe it is called in "
                                                  "different agents with different numWarps");
    diagnostic << ": " << *warps << " warps run this operation";
    diagnostic.attachNote(first->getLoc()) << *found << " run this one";
    return failure();
  }

  std::optional<int32_t> found;

private:
  Operation *first = nullptr;
};

} // namespace

FailureOr<std::optional<int32_t>> findNumWarps(Region &region) {
  WarpCount count;
  WalkResult walk = region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<aa::AgentLikeOpInterface>(op))
      return WalkResult::skip();
    auto said = op->getAttrOfType<IntegerAttr>(kNumWarpsAttr);
    if (failed(count.add(op, said ? std::optional<int32_t>(said.getInt()) : getTileWarps(op))))
      return WalkResult::interrupt();
    return said ? WalkResult::skip() : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return count.found;
}

} // namespace tileiras::cluster
