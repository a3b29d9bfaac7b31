//===- AgentChoice.h - Whether agents win -----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_AGENTS_AGENTCHOICE_H
#define TILEIRAS_PLUGINS_ASYNC_AGENTS_AGENTCHOICE_H

#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"

namespace tileiras::async {

/// A decision and the numbers that it was made by, to be shown.
struct AgentChoice {
  bool agentsWin = false;
  std::string reason;
};

/// Whether `function`, whose pipelines have memory and whose loops have `schedules`, is faster as a producer and a
/// compute agent than with one set of warps that does both. Agents win where all of this holds:
///
///  * there is something to decouple: the compute agent has two warpgroups or more, or a loop around the pipelined one
///    lets the producer run ahead across its iterations;
///  * there is room to run ahead: each pipeline has at least two stages, and its iterations do not all fit in them;
///  * an iteration keeps the busiest unit busy for longer than a producer needs to fill a stage;
///  * the compute agent has the registers that the tiles need;
///  * the producer's warps do not cost a CTA on the multiprocessor: what runs in another CTA overlaps as well.
AgentChoice chooseAgents(aa::FuncOp function, const ScheduleAnalysis &schedules, const ChipTarget &target);

/// Where agents are wanted whatever it costs: lowers the occupancy that a hint asks for until the warps that compute
/// have the registers that their tiles need, with a remark.
void relaxOccupancy(aa::FuncOp function, const ScheduleAnalysis &schedules, const ChipTarget &target);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_AGENTS_AGENTCHOICE_H
