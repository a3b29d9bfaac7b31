//===- TileASSliceOps.cpp - Tiles that are kept as grids of slices --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace mlir;

namespace tileiras::as {

template <typename OpTy>
static LogicalResult verifySliceAccess(OpTy op) {
  size_t rank = op.getSlices().getType().getGrid().size();
  if (op.getIndices().size() != rank)
    return op.emitOpError() << "expects " << rank << " indices, not " << op.getIndices().size();
  if (!op.getSlices().template getDefiningOp<AllocSlicesOp>())
    return op.emitOpError() << "expects the slices of an 'nv_tileas.alloc_slices'";
  return success();
}
LogicalResult LoadSliceOp::verify() {
  return verifySliceAccess(*this);
}
LogicalResult StoreSliceOp::verify() {
  return verifySliceAccess(*this);
}

/// All that goes through one piece of memory has one layout.
static void tieSlices(Value slices, LayoutRelations &relations) {
  SmallVector<Value> tiles;
  for (Operation *user : slices.getUsers())
    llvm::append_range(tiles, isa<LoadSliceOp>(user) ? ValueRange(user->getResults())
                                                     : ValueRange(cast<StoreSliceOp>(user).getTile()));
  relations.tie(tiles);
}
void LoadSliceOp::collectLayoutRelations(LayoutRelations &relations) {
  tieSlices(getSlices(), relations);
}
void StoreSliceOp::collectLayoutRelations(LayoutRelations &relations) {
  tieSlices(getSlices(), relations);
}

void LoadSliceOp::adaptLayouts(OpLayouts &layouts) {
  layouts.setAll(getSlices().getType().getSlice().getEncoding());
}
void StoreSliceOp::adaptLayouts(OpLayouts &layouts) {
  layouts.setAll(getSlices().getType().getSlice().getEncoding());
}

} // namespace tileiras::as
