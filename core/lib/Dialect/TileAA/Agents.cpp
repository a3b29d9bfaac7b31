//===- Agents.cpp - Operations of several agents --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/Agents.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tileiras::aa;

#include "tileiras/Dialect/TileAA/AgentInterfaces.cpp.inc"

/// What `setmaxnreg` takes (PTX ISA).
static constexpr int32_t kMinRegisters = 24, kMaxRegisters = 240, kRegisterUnit = 8;

static LogicalResult verifyRegisters(AgentLikeOpInterface op) {
  std::optional<ArrayRef<int32_t>> registers = op.getMaxRegs();
  if (!registers)
    return success();
  if (registers->size() != op.getAgents().size())
    return op->emitOpError() << "expects max_regs for each of the " << op.getAgents().size() << " agents, but got "
                             << registers->size();
  for (int32_t count : *registers)
    if (count != 0 && (count < kMinRegisters || count > kMaxRegisters || count % kRegisterUnit != 0))
      return op->emitOpError() << "expects max_regs that are multiples of " << kRegisterUnit << " from "
                               << kMinRegisters << " to " << kMaxRegisters << ", or 0, but got " << count;
  return success();
}

static LogicalResult verifyWarps(AgentLikeOpInterface op) {
  std::optional<ArrayRef<int32_t>> warps = op.getNumWarps();
  if (!warps)
    return success();
  if (warps->size() != op.getAgents().size())
    return op->emitOpError() << "agent regions disagree on warp count: there are " << op.getAgents().size()
                             << " agents, and num_warps is for " << warps->size();
  if (llvm::any_of(*warps, [](int32_t count) { return count < 1; }))
    return op->emitOpError() << "expects at least one warp for each agent";
  const int64_t total = llvm::sum_of(llvm::map_range(*warps, [](int32_t count) { return int64_t(count); }), int64_t(0));
  if (total > kMaxWarpsPerCTA)
    return op->emitOpError() << "agent warp count exceeds module budget: " << total << " warps of " << kMaxWarpsPerCTA;
  return success();
}

static LogicalResult verifyIsolation(AgentLikeOpInterface op) {
  if (!op.getIsolated())
    return success();
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (op.isDistributed(value.getType())) {
      InFlightDiagnostic diagnostic = op->emitOpError() << "has isolated agents, but one of them uses a tile of the "
                                                           "function around them; hand it over through a pipeline";
      diagnostic.attachNote(value.getLoc()) << "the tile is defined here";
      return diagnostic;
    }
  return success();
}

bool tileiras::aa::hasAgents(Operation *root) {
  return root->walk([](AgentLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
}

LogicalResult tileiras::aa::detail::verifyAgents(Operation *op) {
  auto agents = cast<AgentLikeOpInterface>(op);
  if (agents.getAgents().empty())
    return op->emitOpError() << "expects at least one agent";
  for (Region &agent : agents.getAgents())
    if (agent.empty() || agent.getNumArguments() != 0)
      return op->emitOpError() << "expects agents with a body and without arguments";
  if (std::optional<uint32_t> group = agents.getNumAgentsPerGroup())
    if (agents.getAgents().size() % *group != 0)
      return op->emitOpError() << "expects whole groups of " << *group << " agents, but there are "
                               << agents.getAgents().size();
  return success(succeeded(verifyRegisters(agents)) && succeeded(verifyWarps(agents)) &&
                 succeeded(verifyIsolation(agents)));
}
