//===- CtaRelations.cpp - How the tiles of an operation are cut together ---===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CtaRelations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;

namespace tileiras::cluster {

using Dims = SmallVector<int32_t>;

//===----------------------------------------------------------------------===//
// Layouts by relations
//===----------------------------------------------------------------------===//

static aa::CtaLayout toTile(ArrayRef<int32_t> dims, const aa::CtaLayout &own) {
  return aa::CtaLayout(llvm::map_to_vector(own.getDims(), [&](int32_t spaceDim) {
    auto found = llvm::find(dims, spaceDim);
    return spaceDim == aa::CtaLayout::kCopies || found == dims.end() ? aa::CtaLayout::kCopies
                                                                     : static_cast<int32_t>(found - dims.begin());
  }));
}

static aa::CtaLayout fromTile(ArrayRef<int32_t> dims, const aa::CtaLayout &layout) {
  return aa::CtaLayout(llvm::map_to_vector(layout.getDims(), [&](int32_t dim) {
    return dim == aa::CtaLayout::kCopies ? aa::CtaLayout::kCopies : dims[dim];
  }));
}

aa::CtaLayout CtaRelation::getOperandLayout(unsigned operand, const aa::CtaLayout &own) const {
  return toTile(operands[operand], own);
}
aa::CtaLayout CtaRelation::getResultLayout(unsigned result, const aa::CtaLayout &own) const {
  return toTile(results[result], own);
}
aa::CtaLayout CtaRelation::fromOperand(unsigned operand, const aa::CtaLayout &layout) const {
  return fromTile(operands[operand], layout);
}
aa::CtaLayout CtaRelation::fromResult(unsigned result, const aa::CtaLayout &layout) const {
  return fromTile(results[result], layout);
}

bool CtaRelation::isKnownBy(unsigned result) const {
  return llvm::all_of(llvm::seq<int32_t>(0, static_cast<int32_t>(space.size())),
                      [&](int32_t dim) { return isWhole[dim] || llvm::is_contained(results[result], dim); });
}

aa::CtaLayout CtaRelation::restrict(Operation *op, const aa::CtaLayout &own) const {
  Dims dims = llvm::to_vector(own.getDims());
  auto fitsAll = [&](const aa::CtaLayout &layout) {
    for (OpOperand &operand : op->getOpOperands())
      if (RankedTensorType tile = getTile(operand.get()))
        if (!getOperandLayout(operand.getOperandNumber(), layout).fits(tile.getShape()))
          return false;
    for (OpResult result : op->getResults())
      if (RankedTensorType tile = getTile(result))
        if (!getResultLayout(result.getResultNumber(), layout).fits(tile.getShape()))
          return false;
    return layout.fits(space);
  };
  Dims restricted(dims.size(), aa::CtaLayout::kCopies);
  for (auto [bit, dim] : llvm::enumerate(dims)) {
    if (dim == aa::CtaLayout::kCopies || isWhole[dim])
      continue;
    restricted[bit] = dim;
    if (!fitsAll(aa::CtaLayout(restricted)))
      restricted[bit] = aa::CtaLayout::kCopies;
  }
  return aa::CtaLayout(restricted);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

namespace {

/// A relation in which nothing is related yet.
CtaRelation makeRelation(Operation *op, llvm::StringLiteral rule, RankedTensorType space) {
  CtaRelation relation{rule, llvm::to_vector(space.getShape()), {}, {}, {}};
  relation.isWhole.assign(space.getRank(), false);
  auto getNone = [](Value value) {
    RankedTensorType tile = getTile(value);
    return Dims(tile ? tile.getRank() : 0, -1);
  };
  for (Value operand : op->getOperands())
    relation.operands.push_back(getNone(operand));
  for (Value result : op->getResults())
    relation.results.push_back(getNone(result));
  return relation;
}

/// All tiles have the dimensions of the space, in their order.
CtaRelation relateElementwise(Operation *op, llvm::StringLiteral rule, RankedTensorType space) {
  CtaRelation relation = makeRelation(op, rule, space);
  for (auto *tiles : {&relation.operands, &relation.results})
    for (Dims &dims : *tiles)
      std::iota(dims.begin(), dims.end(), 0);
  return relation;
}

/// Every CTA does all of it.
CtaRelation relateWhole(Operation *op, RankedTensorType space) {
  CtaRelation relation = makeRelation(op, "whole", space);
  relation.isWhole.assign(relation.space.size(), true);
  return relation;
}

CtaRelation relateBroadcast(aa::BroadcastOp op) {
  CtaRelation relation = relateElementwise(op, "broadcast", getTile(op.getResult()));
  for (auto [dim, extent] : llvm::enumerate(getTile(op.getSource()).getShape()))
    if (extent != relation.space[dim])
      relation.operands[0][dim] = -1;
  return relation;
}

CtaRelation relateExpandDims(aa::ExpandDimsOp op) {
  CtaRelation relation = relateElementwise(op, "expand-dims", getTile(op.getResult()));
  for (auto [dim, spaceDim] : llvm::enumerate(relation.operands[0]))
    spaceDim = static_cast<int32_t>(dim + (dim >= op.getAxis()));
  return relation;
}

CtaRelation relatePermute(aa::PermuteOp op) {
  CtaRelation relation = relateElementwise(op, "permute", getTile(op.getResult()));
  for (auto [dim, sourceDim] : llvm::enumerate(op.getPermutation()))
    relation.operands[0][sourceDim] = static_cast<int32_t>(dim);
  return relation;
}

/// Dimensions are the same where as many elements are before them, in row-major order.
CtaRelation relateView(aa::ViewOp op) {
  CtaRelation relation = relateElementwise(op, "view", getTile(op.getResult()));
  const ArrayRef<int64_t> source = getTile(op.getSource()).getShape(), result = relation.space;
  int64_t before = 1;
  for (auto [dim, extent] : llvm::enumerate(source)) {
    int32_t found = -1;
    int64_t beforeResult = 1;
    for (auto [resultDim, resultExtent] : llvm::enumerate(result)) {
      if (extent > 1 && resultExtent > 1 && beforeResult == before)
        found = static_cast<int32_t>(resultDim);
      beforeResult *= resultExtent;
    }
    relation.operands[0][dim] = found;
    before *= extent;
  }
  for (int32_t dim = 0; dim < int32_t(result.size()); ++dim)
    relation.isWhole[dim] = !llvm::is_contained(relation.operands[0], dim);
  return relation;
}

/// A tile and its slices: dimensions along which there are several of them are whole.
CtaRelation relateSlices(Operation *op, RankedTensorType tile, RankedTensorType slice) {
  CtaRelation relation = relateElementwise(op, "slice", slice);
  for (unsigned dim = 0; dim < slice.getRank(); ++dim)
    relation.isWhole[dim] = tile.getDimSize(dim) != slice.getDimSize(dim);
  return relation;
}

CtaRelation relateCat(aa::CatOp op) {
  CtaRelation relation = relateElementwise(op, "cat", getTile(op.getResult()));
  relation.isWhole[op.getAxis()] = true;
  return relation;
}

/// Rows of the result belong to rows of a, columns to columns of b.
CtaRelation relateProduct(Operation *op) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  CtaRelation relation = relateElementwise(op, "product", result);
  const int32_t row = static_cast<int32_t>(result.getRank()) - 2, column = row + 1;
  auto relate = [&](unsigned operand, Dims dims) {
    if (row == 1)
      dims.insert(dims.begin(), 0);
    relation.operands[operand] = std::move(dims);
  };
  relate(0, {row, -1});
  relate(1, {-1, column});
  relate(2, {row, column});
  if (auto scaled = dyn_cast<aa::MmaBlockScaleOp>(op)) {
    unsigned next = 3;
    if (scaled.getSfa())
      relate(next++, {row, -1});
    if (scaled.getSfb())
      relate(next, {-1, column});
  }
  return relation;
}

CtaRelation relateReduce(aa::ReduceOp op) {
  CtaRelation relation = relateElementwise(op, "reduce", getTile(op.getOperands().front()));
  for (Dims &dims : relation.results)
    for (auto [dim, spaceDim] : llvm::enumerate(dims))
      spaceDim = static_cast<int32_t>(dim + (dim >= op.getAxis()));
  return relation;
}

CtaRelation relateScan(aa::ScanOp op) {
  CtaRelation relation = relateElementwise(op, "scan", getTile(op.getOperands().front()));
  relation.isWhole[op.getAxis()] = true;
  return relation;
}

/// Indices of elements along a sparse dimension are cut as that is.
template <typename OpTy>
CtaRelation relateViewAccess(OpTy op, RankedTensorType tile) {
  if (!op.getView().template getDefiningOp<aa::BlockTileOp>())
    return relateWhole(op, tile);
  CtaRelation relation = relateElementwise(op, "view-access", tile);
  for (OpOperand &coordinate : op.getCoordinatesMutable())
    if (getTile(coordinate.get()))
      relation.operands[coordinate.getOperandNumber()] = {op.getView().getType().getSparseDim()};
  return relation;
}

RankedTensorType findAnyTile(Operation *op) {
  for (Value value : op->getResults())
    if (RankedTensorType tile = getTile(value))
      return tile;
  for (Value value : op->getOperands())
    if (RankedTensorType tile = getTile(value))
      return tile;
  return {};
}

CtaRelation relateConstant(Operation *op, RankedTensorType tile) {
  DenseElementsAttr elements;
  if (matchPattern(op, m_Constant(&elements)) && !elements.isSplat())
    return relateWhole(op, tile);
  return relateElementwise(op, "anything", tile);
}

} // namespace

std::optional<CtaRelation> findRelation(Operation *op) {
  RankedTensorType tile = findAnyTile(op);
  if (!tile || isa<scf::SCFDialect>(op->getDialect()))
    return std::nullopt;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return relateConstant(op, tile);
  return llvm::TypeSwitch<Operation *, CtaRelation>(op)
      .Case<aa::SplatOp, aa::MakeRangeOp>([&](Operation *) { return relateElementwise(op, "anything", tile); })
      .Case([](aa::BroadcastOp broadcast) { return relateBroadcast(broadcast); })
      .Case([](aa::ExpandDimsOp expand) { return relateExpandDims(expand); })
      .Case([](aa::PermuteOp permute) { return relatePermute(permute); })
      .Case([](aa::ViewOp view) { return relateView(view); })
      .Case([](aa::CatOp cat) { return relateCat(cat); })
      .Case([](aa::ExtractSliceOp slice) {
        return relateSlices(slice, getTile(slice.getSource()), getTile(slice.getResult()));
      })
      .Case([](aa::InsertSliceOp slice) {
        return relateSlices(slice, getTile(slice.getResult()), getTile(slice.getSource()));
      })
      .Case<aa::PackOp, aa::UnpackOp>([&](Operation *) { return relateElementwise(op, "pack", tile); })
      .Case<aa::DotOp, aa::MmaBlockScaleOp>([&](Operation *) { return relateProduct(op); })
      .Case([](aa::ReduceOp reduce) { return relateReduce(reduce); })
      .Case([](aa::ScanOp scan) { return relateScan(scan); })
      .Case<aa::LoadOp, aa::StoreOp, aa::AtomicRMWOp, aa::AtomicCASOp>(
          [&](Operation *) { return relateElementwise(op, "pointer-access", tile); })
      .Case([](aa::TiledLoadOp load) { return relateViewAccess(load, getTile(load.getValue())); })
      .Case<aa::TiledStoreOp, aa::TiledAtomicRMWOp>(
          [](auto store) { return relateViewAccess(store, getTile(store.getValue())); })
      .Default([&](Operation *) {
        const bool isElementwise = OpTrait::hasElementwiseMappableTraits(op) || isa<aa::AssumeOp>(op);
        return isElementwise ? relateElementwise(op, "elementwise", tile) : relateWhole(op, tile);
      });
}

SmallVector<Operation *> collectOperations(Operation *func) {
  SmallVector<Operation *> ops;
  for (Region &region : func->getRegions())
    region.walk<WalkOrder::PreOrder>([&](Operation *op) {
      ops.push_back(op);
      return isa<aa::ReduceOp, aa::ScanOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
  return ops;
}

bool isCheapToRepeat(Operation *op) {
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         (op->hasTrait<OpTrait::ConstantLike>() || OpTrait::hasElementwiseMappableTraits(op) ||
          isa<ViewLikeOpInterface, aa::SplatOp, aa::MakeRangeOp, aa::BroadcastOp, aa::AssumeOp>(op));
}

} // namespace tileiras::cluster
