//===- ExecutionScope.h - Which warps run an operation ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile operation runs in all warps of the scope it stands in: the CTA, or an agent inside it. Thread and warp
// numbers, barriers and exchanges are those of the scope.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_EXECUTIONSCOPE_H
#define TILEIRAS_LOWERING_EXECUTIONSCOPE_H

#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Layout/RegisterLayouts.h"

namespace tileiras {

struct ExecutionScope {
  int64_t firstWarp = 0; ///< of the CTA
  int64_t numWarps = aa::FuncOp::kDefaultWarps;
  unsigned barrier = 0; ///< hardware barrier of the scope; 0 is the CTA's
  unsigned numCtas = 1; ///< of the cluster that runs a tile block
  /// Its warpgroups that start the products in tensor memory of their own rows; 1: its first warp starts all.
  int64_t productGroups = 1;

  int64_t getFirstThread() const { return firstWarp * kLanesPerWarp; }
  int64_t getNumThreads() const { return numWarps * kLanesPerWarp; }
  bool isCta() const { return barrier == 0; }
};

/// The scope `op` stands in: that of the nearest region of an ExecutionScopeOpInterface operation around it, else the
/// CTA of its function, be that still nv_tileaa's or LLVM's already.
ExecutionScope getExecutionScope(mlir::Operation *op);

/// The region that makes the scope of `op`: of an ExecutionScopeOpInterface operation, or the body of its function.
mlir::Region *getScopeRegion(mlir::Operation *op);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_EXECUTIONSCOPE_H
