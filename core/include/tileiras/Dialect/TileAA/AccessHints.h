//===- AccessHints.h - Hints of the program on loads and stores -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Notes on loads and stores of tiles through views, of nv_tileaa and of nv_tileas. What is not as said here is no hint.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_ACCESSHINTS_H
#define TILEIRAS_DIALECT_TILEAA_ACCESSHINTS_H

#include "tileiras/Dialect/TileAA/TileAA.h"

namespace tileiras::aa {

/// Integer: how heavy the traffic of a load is, from kLowestLatency to kHighestLatency.
inline constexpr llvm::StringLiteral kLatencyAttr = TileAADialect::LatencyAttrHelper::getNameStr();
inline constexpr int64_t kLowestLatency = 1, kHighestLatency = 10;
/// Bool: whether the copy engine may do it.
inline constexpr llvm::StringLiteral kAllowTmaAttr = TileAADialect::AllowTmaAttrHelper::getNameStr();

inline bool allowsTma(mlir::Operation *access) {
  auto allowed = access->getAttrOfType<mlir::BoolAttr>(kAllowTmaAttr);
  return !allowed || allowed.getValue();
}

inline std::optional<unsigned> getLatency(mlir::Operation *load) {
  auto latency = load->getAttrOfType<mlir::IntegerAttr>(kLatencyAttr);
  if (!latency || latency.getInt() < kLowestLatency || latency.getInt() > kHighestLatency)
    return std::nullopt;
  return static_cast<unsigned>(latency.getInt());
}

/// Iterations that a queue of loads with this hint holds: as many as it says, and two at least, as fewer hold nothing
/// ahead.
inline unsigned getQueueDepth(unsigned latency) {
  return std::max(latency, 2u);
}

} // namespace tileiras::aa

#endif // TILEIRAS_DIALECT_TILEAA_ACCESSHINTS_H
