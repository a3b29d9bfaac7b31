//===- AgentWarps.h - Warps and registers of agents -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_AGENTWARPS_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_AGENTWARPS_H

#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Target/ContextTargets.h"

namespace tileiras::async {

/// What a producer and a compute agent are made of.
struct AgentWarps {
  int32_t total = 0;          ///< warps of a CTA; the producer's are the last ones
  int32_t copying = 1;        ///< warps of the producer that work: more than one where one does not fill all stages
  int64_t atLaunch = 0;       ///< registers of a thread when the kernel starts
  int64_t producer = 0;       ///< of a thread of the producer
  int64_t compute = 0;        ///< of a thread of the compute agent
  bool isTransferred = false; ///< the producer gives registers to the compute agent (`setmaxnreg`)
};

/// Bytes of a stage that threads copy without holding them.
int64_t countBytesOfThreads(as::CreatePipelineOp pipeline);

/// One warp fills the stages of the pipeline: it starts tensor copies, and what it copies besides is little.
bool isFilledByOneWarp(as::CreatePipelineOp pipeline, const TuningModel &tuning);

/// The compute agent has the warps that `kernel` says, which has no agents yet. Where these are whole warpgroups the
/// producer has a warpgroup of its own, since registers are given to warpgroups; one warp of it works, or all where
/// one does not fill all stages. `products` further warps, of an agent that issues products, come behind those that
/// copy, with as many registers. `least`: registers that a thread of either is known to need.
AgentWarps planAgentWarps(aa::FuncOp kernel, const ChipTarget &target, int32_t products = 0, int64_t least = 0);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_AGENTWARPS_H
