//===- Remarks.h - Remarks of asynchronous agents ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_AGENTS_REMARKS_H
#define TILEIRAS_PLUGINS_ASYNC_AGENTS_REMARKS_H

#include "tileiras/Diagnostics/Remarks.h"

namespace tileiras::async {
inline namespace agents {

#define ASYNC_AGENTS_REMARKS(PASSED, MISSED, ANALYSIS)                                                                 \
  MISSED(CtaPair, "CtaPair", PipelineRemarks, "The two CTAs of a pair do not multiply together.",                      \
         "Remove the obstacle that the message names; pairs need tiles of 128 or 256 rows and a cluster of an even "   \
         "number of CTAs.")                                                                                            \
  ANALYSIS(CtaPair, "CtaPair", PipelineRemarks,                                                                        \
           "One instruction multiplies for two CTAs of a cluster, which hold one half of operand B each.",             \
           "Nothing; `--set cta-pairs=false` forms no pairs.")                                                         \
  MISSED(MaterializeSchedule, "MaterializeSchedule", ScheduleRemarks,                                                  \
         "A loop keeps the order of the program although it has a schedule.",                                          \
         "Remove the obstacle that the message names.")                                                                \
  MISSED(WarpSpecialization, "WarpSpecialization", ScheduleRemarks,                                                    \
         "All warps load and compute; none is specialised.", "Remove the obstacle that the message names.")            \
  ANALYSIS(WarpSpecialization, "WarpSpecialization", ScheduleRemarks,                                                  \
           "Which warps load and which compute, or that all do both, and the figures that decide it.",                 \
           "`--profile o3-ws` specialises warps wherever that is possible, `--profile o3-unspecialized` never.")       \
  ANALYSIS(DualSimt, "DualSimt", ScheduleRemarks,                                                                      \
           "Whether one or two groups of warps compute, and the figures that decide it.",                              \
           "Nothing; `--set use-dual-simt=true` or `false` decides.")                                                  \
  MISSED(ProductAgent, "ProductAgent", ScheduleRemarks,                                                                \
         "Warps that compute also issue the MMAs; no warp is specialised for that.",                                   \
         "Remove the obstacle that the message names.")                                                                \
  ANALYSIS(ProductAgent, "ProductAgent", ScheduleRemarks,                                                              \
           "Whether a warp of its own issues the MMAs, and how much tensor memory their accumulators take.",           \
           "Nothing; `--set mma-agent=true` or `false` decides.")

TILEIRAS_REMARK_TABLE(ASYNC_AGENTS_REMARKS)

} // namespace agents
} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_AGENTS_REMARKS_H
