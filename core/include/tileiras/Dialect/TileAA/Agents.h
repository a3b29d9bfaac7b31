//===- Agents.h - Operations of several agents ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `nv_tileaa.execute` and `nv_tileas.async.pipeline.agent_switch` have in common.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_AGENTS_H
#define TILEIRAS_DIALECT_TILEAA_AGENTS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace tileiras::aa {
/// Warps of the largest CTA (CUDA C++ Programming Guide, technical specifications: 1024 threads).
inline constexpr int64_t kMaxWarpsPerCTA = 32;
} // namespace tileiras::aa

namespace tileiras::aa::detail {
/// Regions, registers, warps and isolation of an AgentLikeOpInterface operation.
mlir::LogicalResult verifyAgents(mlir::Operation *op);
} // namespace tileiras::aa::detail

#include "tileiras/Dialect/TileAA/AgentInterfaces.h.inc"

namespace tileiras::aa {
/// Whether `root` has agents in it: what stands around them runs in all warps of the block.
bool hasAgents(mlir::Operation *root);
} // namespace tileiras::aa

#endif // TILEIRAS_DIALECT_TILEAA_AGENTS_H
