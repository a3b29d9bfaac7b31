//===- ExecutionUnits.h - How many warps run a region -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_CLUSTER_EXECUTIONUNITS_H
#define TILEIRAS_PLUGINS_CLUSTER_EXECUTIONUNITS_H

#include "tileiras/Dialect/TileAS/TileAS.h"
#include <optional>

namespace tileiras::cluster {

/// How many warps run an operation, as an i32; how many run each agent, as an array of i32, on operations of agents.
inline constexpr llvm::StringLiteral kNumWarpsAttr = as::TileASDialect::NumWarpsAttrHelper::getNameStr();

/// The warps that run what stands in `region`, agents in it excepted: as `nv_tileas.num_warps` and the layouts of tiles
/// say; none where neither does. Fails, with a diagnostic at the second of two operations that disagree.
mlir::FailureOr<std::optional<int32_t>> findNumWarps(mlir::Region &region);

} // namespace tileiras::cluster

#endif // TILEIRAS_PLUGINS_CLUSTER_EXECUTIONUNITS_H
