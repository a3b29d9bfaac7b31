//===- AssignedLayouts.h - Putting layouts on a function --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every layout assignment shares, from the simplest (one layout for each shape) to that of a plugin: hearing what
// the operations have to say, and rewriting the function once it is decided.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_ANALYSIS_ASSIGNEDLAYOUTS_H
#define TILEIRAS_ANALYSIS_ASSIGNEDLAYOUTS_H

#include "tileiras/Dialect/TileAS/TileAS.h"

namespace tileiras::as {

/// Whether all tiles of `func`, with or without layouts, have shapes that layouts can have: static extents that are
/// powers of two. Otherwise an error has been emitted at the operation that makes the tile.
mlir::LogicalResult verifyTileShapes(mlir::Operation *func);

/// A tile that is made anew for each user, in the layout it wants: constants and whatever
/// LayoutOpInterface::isRematerializable says.
bool isRematerializable(mlir::Value value);

/// What all operations of `func` have to say, in program order.
void collectLayoutRelations(mlir::Operation *func, LayoutRelations &relations);

/// An assignment of layouts to the tiles of a function.
class LayoutChoice {
public:
  explicit LayoutChoice(mlir::MLIRContext *context) : encoder(context) {}
  virtual ~LayoutChoice();

  /// The layout a tile is to have; for one that is made anew, the layout for a user that takes any.
  virtual mlir::Attribute getLayout(mlir::Value tile) = 0;
  /// Whatever was chosen for the operation itself and not for the tiles around it, such as the fragments of a product.
  virtual void choose(mlir::Operation *op, OpLayouts &layouts) {}

  LayoutEncoder encoder;
};

/// Gives every tile of `func` its layout: types are changed in place, and where an operation needs a tile in another
/// layout, or gives it in another one, there is a `convert_layout`, once for each layout right behind the tile's
/// definition. Fails, with a diagnostic, at an operation that says nothing about layouts.
mlir::LogicalResult applyLayouts(mlir::Operation *func, LayoutChoice &choice);

/// A layout for a tile that says nothing but its shape: whole vectors of neighbours, then lanes, then warps.
mlir::Attribute getDefaultLayout(mlir::RankedTensorType tile, int64_t numWarps);

} // namespace tileiras::as

#endif // TILEIRAS_ANALYSIS_ASSIGNEDLAYOUTS_H
