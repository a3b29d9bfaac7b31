//===- PersistenceChoice.h - Whether persistence pays ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_CLUSTER_PERSISTENCECHOICE_H
#define TILEIRAS_PLUGINS_CLUSTER_PERSISTENCECHOICE_H

#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Target/ContextTargets.h"

namespace tileiras::cluster {

struct PersistenceChoice {
  bool isPersistent = false;
  std::string reason; ///< with its figures; empty where nobody would expect the kernel to be persistent
};

/// The rule, a model of what a tile block costs before and behind its products and not a measurement: the kernel takes
/// over other tile blocks where
///  * an instruction hands them out, so that one that is launched alone pays for no more than a question; or
///    `hasAgents`, warps of their own that load by a copy engine, so that the next tile block's operands come while
///    this one's results are stored, and all tile blocks take the same time, as a stride deals them out whoever is
///    ahead: a loop of the kernel has the only product, how often it runs depends on no number of the tile block and on
///    nothing loaded, and what is computed behind it leaves registers for the others;
///  * a loop multiplies, whose operands take `stages` stages of shared memory: filling these is what comes first;
///  * where tile blocks are handed out, there is room for all of these and for a tile of results, which cannot lie
///    where the stages are while the next ones are filled;
///  * with them, and with the accumulators in registers, no more than one tile block runs on a multiprocessor at once
///    (MachineModel::countResidentCTAs), and nobody asked for more: no other one works while this one begins and ends;
///  * nothing may wait for another tile block, by atomics or ordered loads in a `while` loop: the one that it waits for
///    could be the next of its own.
PersistenceChoice choosePersistence(aa::FuncOp kernel, const ChipTarget &target, int64_t stages, bool hasAgents);

} // namespace tileiras::cluster

#endif // TILEIRAS_PLUGINS_CLUSTER_PERSISTENCECHOICE_H
