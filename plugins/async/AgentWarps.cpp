//===- AgentWarps.cpp - Warps and registers of agents ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AgentWarps.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras::async {

/// Registers of a thread that starts copies: addresses, iterators and loop counters.
static constexpr int64_t kProducerRegisters = 24;
/// The most that `setmaxnreg` gives a thread (PTX ISA).
static constexpr int64_t kMostRegisters = 240;

AgentWarps planAgentWarps(aa::KernelSpecAttr spec, const ChipTarget &target) {
  const MachineModel &machine = target.machine();
  const int32_t warps = spec.getNumWarps(), group = machine.warpGranularity;
  const bool isWhole = warps % group == 0;
  AgentWarps agents;
  agents.total = warps + (isWhole ? group : 1);
  agents.atLaunch = machine.getRegistersPerThread(agents.total * kLanesPerWarp, std::max(spec.getOccupancy(), 1u));
  agents.producer = agents.compute = agents.atLaunch;
  if (isWhole && target.chip->features.registerTransfer && agents.atLaunch > kProducerRegisters &&
      agents.atLaunch < kMostRegisters) {
    const int64_t left = (agents.atLaunch * agents.total - kProducerRegisters * group) / warps;
    agents.producer = kProducerRegisters;
    agents.compute = std::min<int64_t>(llvm::alignDown(left, machine.registerAllocationUnit), kMostRegisters);
    agents.isTransferred = true;
  }
  return agents;
}

} // namespace tileiras::async
