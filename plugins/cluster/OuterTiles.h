//===- OuterTiles.h - Tiles of a function that has agents -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_CLUSTER_OUTERTILES_H
#define TILEIRAS_PLUGINS_CLUSTER_OUTERTILES_H

#include "tileiras/Dialect/TileAA/TileAA.h"

namespace tileiras::cluster {

/// All warps of the block run what stands around agents. Tiles there that are for fewer get copies in the others, MMAs
/// divide their work; the block's warps become a power of two, as layouts need it. Agents have their own tiles by now.
/// Fails, with a diagnostic, where an MMA is asynchronous.
mlir::LogicalResult giveOuterTilesToAllWarps(aa::FuncOp kernel);

} // namespace tileiras::cluster

#endif // TILEIRAS_PLUGINS_CLUSTER_OUTERTILES_H
