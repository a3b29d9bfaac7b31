//===- Remarks.h - Remarks of the cluster plugin ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_CLUSTER_REMARKS_H
#define TILEIRAS_PLUGINS_CLUSTER_REMARKS_H

#include "tileiras/Diagnostics/Remarks.h"

namespace tileiras::cluster {

inline constexpr RemarkCategory ClusterRemarks{"cluster", "Tile blocks that run in clusters of CTAs."};
inline constexpr RemarkCategory GridRemarks{"grid-dependency",
                                            "Kernels that start before those they depend on have ended."};
inline constexpr RemarkCategory NegationRemarks{"negf", "Negations that are moved into MMAs."};
inline constexpr RemarkCategory OrderRemarks{"block-order", "The order in which tile blocks are launched."};
inline constexpr RemarkCategory PersistentRemarks{"persistent", "Whether a tile block runs the programs of several."};

#define CLUSTER_REMARKS(PASSED, MISSED, ANALYSIS)                                                                      \
  ANALYSIS(Cluster, "Cluster", ClusterRemarks, "Each tile block runs in a cluster of so many CTAs.",                   \
           "Nothing; the hint `num_cta_in_cga` or `num-ctas` sets the number.")                                        \
  MISSED(SmallerCluster, "SmallerCluster", ClusterRemarks,                                                             \
         "A tile block runs in fewer CTAs than the program asks for.",                                                 \
         "Remove the obstacle that the message names, use larger tiles, or ask for fewer CTAs.")                       \
  MISSED(SinkNegF, "SinkNegF", NegationRemarks, "A negation stays where it is: no broadcast or expansion follows it.", \
         "Nothing; it costs one instruction for each element.")                                                        \
  ANALYSIS(ExecutionUnitMapping, "ExecutionUnitMapping", ScheduleRemarks,                                              \
           "Which warps run which agent, and how many registers their threads have.",                                  \
           "Nothing; `num-warps` sets the warps that compute.")                                                        \
  MISSED(AgentBoundary, "AgentBoundary", ScheduleRemarks,                                                              \
         "An agent gets a tile of the function around it through shared memory.",                                      \
         "Load or compute the tile in the agent.")                                                                     \
  ANALYSIS(LongestFirst, "LongestFirst", OrderRemarks,                                                                 \
           "Tile blocks with long loops are launched before those with short ones.",                                   \
           "`--set longest-first=false` keeps the order of the grid.")                                                 \
  ANALYSIS(GridDependency, "GridDependency", GridRemarks,                                                              \
           "The kernel waits itself for the grids before it, and says when those after it may start.",                 \
           "Launch it with programmatic stream serialisation; `--set pdl=none` leaves it to the stream.")              \
  MISSED(GridDependency, "GridDependency", GridRemarks,                                                                \
         "`pdl=auto` places no grid dependency control in this kernel.",                                               \
         "Nothing; programs with operations of their own say themselves when grids may overlap.")                      \
  ANALYSIS(Persistent, "Persistent", PersistentRemarks,                                                                \
           "A tile block runs the programs of several, one after the other.",                                          \
           "`--set dynamic-persistent=false` runs one program in each tile block.")                                    \
  MISSED(Persistent, "Persistent", PersistentRemarks,                                                                  \
         "Each tile block runs one program, since running several would not pay or is not possible.",                  \
         "`--set dynamic-persistent=true` runs several wherever that is possible.")

TILEIRAS_REMARK_TABLE(CLUSTER_REMARKS)

} // namespace tileiras::cluster

#endif // TILEIRAS_PLUGINS_CLUSTER_REMARKS_H
