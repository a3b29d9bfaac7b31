//===- TmaEligibility.h - What TMA can copy, of a program -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of a view is a box of a tensor map when the map can describe the array (alignment of its base and of its
// strides, one dimension of neighbouring elements), the tile's place in shared memory (box, swizzle), and what is read
// outside of the array. Here is what the program says of these; the rule itself is TensorCopyRule's.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_TMAELIGIBILITY_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_TMAELIGIBILITY_H

#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Target/TensorCopyRule.h"

namespace tileiras::async {

struct TmaAccess {
  mlir::Value memref;
  /// The dimensions of the map, slowest first: which of the memref, and which of the tile.
  llvm::SmallVector<int32_t> memRefDims, tileDims;
  as::TmaDescType descriptor; ///< box and swizzle, in the order of memRefDims
  std::optional<aa::PaddingValueAttr> oobMode;
};

/// Whether the program lets the engine do `access`, a load or a store through a view.
bool checkTmaHint(mlir::Operation *access, std::string &reason);

/// How the engine copies between a tile of `view` and `slot`, shared memory of the tile's shape, perhaps of elements
/// that it rounds to. Nothing if it cannot; then `reason` says why and what would help.
std::optional<TmaAccess> findTmaAccess(const TensorCopyRule &rule, mlir::Value view, mlir::RankedTensorType slot,
                                       std::string &reason);

/// Whether the engine leaves alone what lies behind the rows of the array when it stores by `access`, or combines: rows
/// must end with the last bytes that are written whole, or no tile reach their end; `inBounds` has one flag for each
/// dimension of the memref. If not, `reason` says what would help.
bool checkRowEnds(const TensorCopyRule &rule, const TmaAccess &access, llvm::ArrayRef<bool> inBounds,
                  std::string &reason);

/// How the engine copies what `load` reads into `slot`, shared memory of the tile's shape. Nothing if it cannot; then
/// `reason` says why and what would help.
std::optional<TmaAccess> findTmaAccess(const TensorCopyRule &rule, as::TiledLoadOp load, mlir::Value slot,
                                       std::string &reason);

/// How the engine gathers rows of `view`, which has a sparse dimension, into `slot`, or scatters them from there; those
/// that `load` reads.
std::optional<TmaAccess> findRowAccess(const TensorCopyRule &rule, mlir::Value view, mlir::RankedTensorType slot,
                                       std::string &reason);
std::optional<TmaAccess> findRowAccess(const TensorCopyRule &rule, as::TiledLoadOp load, mlir::RankedTensorType slot,
                                       std::string &reason);

/// The same question before the tile has a place in shared memory: whether there is one into which the engine could
/// copy what `load` reads.
bool canEngineLoad(const TensorCopyRule &rule, aa::TiledLoadOp load, std::string &reason);

/// The longest dimension of the view's tiles whose neighbours are neighbours in memory.
std::optional<unsigned> findContiguousDim(aa::TiledViewType view);

/// The memref with its dimensions in another order: dimension i of the result is dimension dims[i].
mlir::Value permuteMemRef(mlir::OpBuilder &builder, mlir::Value memref, llvm::ArrayRef<int32_t> dims);

/// The same memory with the tile's dimensions in another order.
mlir::Value permuteSlot(mlir::OpBuilder &builder, mlir::Location location, mlir::Value slot,
                        llvm::ArrayRef<int32_t> dims);

/// Where tile number `tile` of a view starts: i32 element indices, in the order of the map. From 2^31 on they are such
/// that no element of the tile is in an array.
llvm::SmallVector<mlir::Value> emitTmaCoordinates(mlir::OpBuilder &builder, mlir::Location location,
                                                  const TmaAccess &access, as::TiledViewType view,
                                                  mlir::ValueRange tile);

/// Of rows that are gathered: their indices as the lanes that start the copies take them, and where in them the tile
/// starts. Indices from 2^31 on are of no row.
mlir::Value emitTmaRows(mlir::OpBuilder &builder, mlir::Location location, mlir::Value rows, int64_t numWarps);
mlir::Value emitTmaColumn(mlir::OpBuilder &builder, mlir::Location location, const TmaAccess &access,
                          as::TiledViewType view, mlir::ValueRange tile);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_TMAELIGIBILITY_H
