//===- AsyncOps.h - Operations that go on behind them -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of TileASAsyncOps.td, TileASTmaOps.td and TileASTensorMemoryOps.td. They are not a part of TileAS.h
// because most of the compiler has no use for them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_ASYNCOPS_H
#define TILEIRAS_DIALECT_TILEAS_ASYNCOPS_H

#include "tileiras/Dialect/TileAS/TileAS.h"

namespace tileiras::as {
/// The atoms of operations with a tensor map.
inline constexpr llvm::StringLiteral kTmaLoad = "tma_load", kTmaStore = "tma_store", kTmaReduce = "tma_redg";
} // namespace tileiras::as

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASAsyncOps.h.inc"
#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASTmaOps.h.inc"
#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASTensorMemoryOps.h.inc"

namespace tileiras::as {
/// The product in two operations: one that starts it, which is returned, and a wait for its result.
AsyncDotOp startProduct(DotOp product);

/// One instruction gathers or scatters so many rows (mode gather4, scatter4).
inline constexpr int64_t kRowsOfCopy = 4;
/// How the indices of `count` rows, a power of two and at least kRowsOfCopy, are held by the lanes that start their
/// copies.
LinearLayout getRowLayout(int64_t count, int64_t numWarps);
} // namespace tileiras::as

#endif // TILEIRAS_DIALECT_TILEAS_ASYNCOPS_H
