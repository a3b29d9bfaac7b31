//===- MergeDimensions.cpp - tileaa-merge-dimensions ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Target/TensorCopyRule.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEAAMERGEDIMENSIONS
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// How many of the last dimensions of the tile that `load` reads are one with the dimension before them: tiles have all
/// of their elements, which are neighbours in memory. 0 where the tile's rows are long enough as they are for tensor
/// copies: threads copy as many bytes at once.
unsigned countMergeable(aa::TiledLoadOp load, const TensorCopyRule &rule) {
  const aa::TiledViewType view = load.getView().getType();
  const aa::TileMemRefType array = view.getSource();
  ArrayRef<int64_t> shape = array.getShape(), strides = array.getStrides(), tile = view.getTileShape();
  const unsigned rank = view.getRank();
  if (view.getKind() != aa::ViewKind::Partition || !view.hasIdentityDimMap() || rank == 0 || strides.back() != 1 ||
      tile.back() * view.getElementType().getIntOrFloatBitWidth() >= 8 * rule.getLimits().rowAlignment)
    return 0;
  unsigned count = 0;
  int64_t merged = shape.back(); // elements in one row so far, and how far apart such rows are
  for (unsigned dim = rank - 1; dim > 0; --dim, ++count) {
    const bool isWhole = shape[dim] == tile[dim] && matchPattern(load.getCoordinates()[dim], m_Zero());
    if (!isWhole || ShapedType::isDynamic(shape[dim - 1]) || strides[dim - 1] != merged ||
        llvm::MulOverflow(merged, shape[dim - 1], merged))
      break;
  }
  return count;
}

/// `extents` with the product of the last ones in place of them.
SmallVector<int64_t> mergeExtents(ArrayRef<int64_t> extents, unsigned count) {
  SmallVector<int64_t> merged(extents.drop_back(count + 1));
  merged.push_back(llvm::product_of(extents.take_back(count + 1)));
  return merged;
}

/// What `tiles` is of the array of `make`, with dimensions merged.
Value mergeView(OpBuilder &builder, aa::BlockTileOp tiles, aa::MakeMemRefOp make, unsigned count) {
  const aa::TiledViewType view = tiles.getType();
  const aa::TileMemRefType array = view.getSource();
  SmallVector<int64_t> strides(array.getStrides().drop_back(count + 1));
  strides.push_back(1);
  auto merged = aa::TileMemRefType::get(builder.getContext(), mergeExtents(array.getShape(), count),
                                        array.getElementType(), strides, array.getAddressSpace());
  builder.setInsertionPoint(tiles);
  Value memref = aa::MakeMemRefOp::create(builder, make.getLoc(), merged, make.getBase(), make.getSizes(),
                                          make.getStrides(), make.getAliasScopeAttr());
  auto type = aa::TiledViewType::get(builder.getContext(), mergeExtents(view.getTileShape(), count), merged,
                                     view.getKind(), view.getDimMap().drop_back(count), /*traversalStrides=*/{},
                                     /*sparseDim=*/-1, view.getPadding());
  return aa::BlockTileOp::create(builder, tiles.getLoc(), type, memref);
}

/// Has `load` read what it reads through `view`, `count` dimensions of which are one with the dimension before.
void readThrough(OpBuilder &builder, aa::TiledLoadOp load, Value view, unsigned count) {
  auto before = cast<RankedTensorType>(load.getValue().getType());
  load.getViewMutable().assign(view);
  load.getCoordinatesMutable().erase(before.getRank() - count, count);
  if (std::optional<ArrayRef<bool>> inBounds = load.getInBounds())
    load.setInBounds(inBounds->drop_back(count));
  load.getValue().setType(cast<aa::TiledViewType>(view.getType()).getTileType());
  builder.setInsertionPointAfter(load);
  auto asBefore = aa::ViewOp::create(builder, load.getLoc(), before, load.getValue());
  load.getValue().replaceAllUsesExcept(asBefore, asBefore);
}

struct TileAAMergeDimensions : impl::TileAAMergeDimensionsBase<TileAAMergeDimensions> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAAMergeDimensions)

  void runOnOperation() override {
    const TensorCopyRule rule(findModuleTarget(getOperation(), /*fallbackChip=*/""));
    OpBuilder builder(&getContext());
    DenseMap<std::pair<Value, unsigned>, Value> views;
    SmallVector<aa::TiledLoadOp> loads;
    getOperation()->walk([&](aa::TiledLoadOp load) { loads.push_back(load); });
    for (aa::TiledLoadOp load : loads) {
      auto tiles = load.getView().getDefiningOp<aa::BlockTileOp>();
      auto make = tiles ? tiles.getSource().getDefiningOp<aa::MakeMemRefOp>() : aa::MakeMemRefOp();
      const unsigned count = make ? countMergeable(load, rule) : 0;
      if (count == 0)
        continue;
      Value &view = views[{load.getView(), count}];
      if (!view)
        view = mergeView(builder, tiles, make, count);
      readThrough(builder, load, view, count);
    }
  }
};

} // namespace
} // namespace tileiras::async
