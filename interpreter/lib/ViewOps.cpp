//===- ViewOps.cpp - Views of memory --------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Bounds.h"
#include "FloatFormat.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::interpreter {
namespace {

//===----------------------------------------------------------------------===//
// From indices to elements
//===----------------------------------------------------------------------===//

/// The tile of a view that an access transfers.
class ViewTile {
public:
  ViewTile(const TileView &view, OperandRange indices, const Evaluation &evaluation)
      : tensor(view.tensor), shape(cast<TileType>(view.type.getViewTileType()).getShape()) {
    steps = getSteps(view.type);
    dimMap = getDimMap(view.type);
    for (auto [d, index] : llvm::enumerate(indices)) {
      const Tile &tile = evaluation.tile(index);
      // Indices are unsigned in their type.
      SmallVector<uint64_t> &begin = begins.emplace_back();
      for (size_t i = 0; i < tile.size(); ++i)
        begin.push_back(tile[i]);
    }
    sparseDim = -1;
    if (auto gather = dyn_cast<GatherScatterViewType>(view.type))
      sparseDim = gather.getSparseDim();
  }

  /// How far apart, in elements, tiles with adjacent indices begin. The dense indices of a gather/scatter view count
  /// elements.
  static SmallVector<int64_t> getSteps(TileViewInterface view) {
    return llvm::TypeSwitch<Type, SmallVector<int64_t>>(view)
        .Case([](PartitionViewType type) { return SmallVector<int64_t>(type.getTileShape()); })
        .Case([](StridedViewType type) { return SmallVector<int64_t>(type.getTraversalStrides()); })
        .Case([](GatherScatterViewType type) { return SmallVector<int64_t>(type.getTileShape().size(), 1); });
  }

  static SmallVector<int64_t> getDimMap(TileViewInterface view) {
    return llvm::TypeSwitch<Type, SmallVector<int64_t>>(view)
        .Case<PartitionViewType, StridedViewType>([](auto type) { return SmallVector<int64_t>(type.getDimMap()); })
        .Case([](GatherScatterViewType type) {
          return llvm::to_vector(llvm::seq<int64_t>(0, type.getTileShape().size()));
        });
  }

  /// Along the tensor's dimension `dimMap[d]`, the coordinate of an element of the tile.
  __int128 getCoordinate(size_t d, int64_t inTile) const {
    if (static_cast<int64_t>(d) == sparseDim)
      return begins[d][inTile];
    return __int128(begins[d][0]) * steps[d] + inTile;
  }

  bool isInside(size_t d, int64_t inTile) const { return getCoordinate(d, inTile) < tensor.sizes[dimMap[d]]; }

  /// Where an element of the tile lies; nothing outside of the tensor.
  std::optional<Place> getPlace(ArrayRef<int64_t> inTile) const {
    __int128 offset = 0;
    for (size_t d = 0; d < inTile.size(); ++d) {
      if (!isInside(d, inTile[d]))
        return std::nullopt;
      offset += getCoordinate(d, inTile[d]) * tensor.strides[dimMap[d]];
    }
    const unsigned bits = getStorageBits(tensor.type.getElementType());
    if (bits >= 8)
      return Place{tensor.base + static_cast<uint64_t>(offset) * (bits / 8)};
    return Place{tensor.base + static_cast<uint64_t>(offset >> 1), static_cast<unsigned>(offset & 1)};
  }

  const TensorView &tensor;
  ArrayRef<int64_t> shape;

private:
  SmallVector<int64_t> steps, dimMap;
  SmallVector<SmallVector<uint64_t>> begins; ///< one index, or one for each position along the sparse dimension
  int64_t sparseDim;
};

/// A flag in `inbounds` promises that the tile is inside of the tensor along its dimension.
LogicalResult checkInBounds(Operation *op, Evaluation &evaluation, const ViewTile &tile, ArrayRef<bool> inbounds) {
  for (auto [d, promised] : llvm::enumerate(inbounds))
    for (int64_t i = 0; promised && i < tile.shape[d]; ++i)
      if (!tile.isInside(d, i))
        return evaluation.undefined(op) << "the tile reaches out of the tensor along dimension " << d
                                        << ", where it is promised to be inside";
  return success();
}

uint64_t getPadding(TileViewInterface view) {
  Type element = cast<TileType>(view.getViewTileType()).getElementType();
  PaddingValueAttr padding =
      llvm::TypeSwitch<Type, PaddingValueAttr>(view).Case<PartitionViewType, StridedViewType, GatherScatterViewType>(
          [](auto type) { return type.getPaddingValue(); });
  if (!padding || !isFloat(element))
    return 0;
  const llvm::fltSemantics &semantics = getSemantics(element);
  auto infinity = [&](bool negative) {
    return encode(APFloat::semanticsHasInf(semantics) ? APFloat::getInf(semantics, negative)
                                                      : APFloat::getLargest(semantics, negative));
  };
  switch (padding.getValue()) {
  case PaddingValue::zero: // An f8E8M0FNU has no zero: its smallest number.
    return 0;
  case PaddingValue::neg_zero:
    return encode(APFloat::getZero(semantics, /*Negative=*/true));
  case PaddingValue::nan:
    return APFloat::semanticsHasNaN(semantics) ? getCanonicalNaN(element) : 0;
  case PaddingValue::pos_inf:
    return infinity(false);
  case PaddingValue::neg_inf:
    return infinity(true);
  }
  llvm_unreachable("all padding values are handled");
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Sets one result for each size; a size that does not fit in its type is undefined behaviour.
LogicalResult setSizes(Operation *op, Evaluation &evaluation, ArrayRef<int64_t> sizes) {
  for (auto [result, size] : llvm::zip_equal(op->getResults(), sizes)) {
    Tile tile = Tile::scalar(cast<TileType>(result.getType()).getElementType(), size);
    if (static_cast<int64_t>(tile[0]) != size)
      return evaluation.undefined(op) << "size " << size << " does not fit in " << tile.elementType;
    evaluation.set(result, std::move(tile));
  }
  return success();
}

} // namespace

//===----------------------------------------------------------------------===//
// The operations
//===----------------------------------------------------------------------===//

static LogicalResult evaluate(AtomicRedViewTkoOp op, Evaluation &evaluation) {
  const TileView &view = std::get<TileView>(evaluation.get(op.getView()));
  const Tile &value = evaluation.tile(op.getValue());
  ViewTile tile(view, op.getIndex(), evaluation);
  ElementAccess access(op, evaluation, value.elementType);
  access.beginWrites();
  IndexIterator at(value.shape);
  for (size_t i = 0; i < value.size(); ++i, ++at) {
    std::optional<Place> place = tile.getPlace(*at);
    if (!place)
      continue;
    FailureOr<uint64_t> old = access.load(*place, value.shape, i);
    if (failed(old))
      return failure();
    const uint64_t combined = combineAtomically(op.getMode(), value.elementType, *old, value[i]);
    double bound = 0;
    if (evaluation.options.computeBounds)
      bound = getAtomicBound(op.getMode(), value.elementType, combined, access.getBound(*place), value.bound(i));
    if (failed(access.store(*place, combined, bound, value.shape, i)))
      return failure();
  }
  evaluation.set(op.getResultToken(), Token());
  return success();
}

static LogicalResult evaluate(GetIndexSpaceShapeOp op, Evaluation &evaluation) {
  const TileView &view = std::get<TileView>(evaluation.get(op.getSrc()));
  const SmallVector<int64_t> dimMap = ViewTile::getDimMap(view.type);
  SmallVector<int64_t> sizes;
  for (auto [d, step] : llvm::enumerate(ViewTile::getSteps(view.type))) {
    const int64_t size = view.tensor.sizes[dimMap[d]];
    sizes.push_back(size / step + (size % step != 0)); // every tile that begins inside of the tensor
  }
  return setSizes(op, evaluation, sizes);
}

static LogicalResult evaluate(GetTensorShapeOp op, Evaluation &evaluation) {
  return setSizes(op, evaluation, std::get<TensorView>(evaluation.get(op.getSrc())).sizes);
}

static LogicalResult evaluate(LoadViewTkoOp op, Evaluation &evaluation) {
  const TileView &view = std::get<TileView>(evaluation.get(op.getView()));
  ViewTile tile(view, op.getIndex(), evaluation);
  if (failed(checkInBounds(op, evaluation, tile, op.getInbounds())))
    return failure();
  Tile result(op.getTile().getType());
  const uint64_t padding = getPadding(view.type);
  ElementAccess access(op, evaluation, result.elementType);
  IndexIterator at(result.shape);
  for (size_t i = 0; i < result.size(); ++i, ++at) {
    std::optional<Place> place = tile.getPlace(*at);
    if (!place) {
      result.elements[i] = padding;
      continue;
    }
    FailureOr<uint64_t> bits = access.load(*place, result.shape, i);
    if (failed(bits))
      return failure();
    result.elements[i] = *bits;
    if (double bound = access.getBound(*place)) {
      result.bounds.resize(result.size());
      result.bounds[i] = bound;
    }
  }
  evaluation.set(op.getTile(), std::move(result));
  evaluation.set(op.getResultToken(), Token());
  return success();
}

template <typename OpTy>
static LogicalResult makeTileView(OpTy op, Evaluation &evaluation) {
  TileView view{op.getType(), std::get<TensorView>(evaluation.get(op.getTensorView()))};
  evaluation.set(op, std::move(view));
  return success();
}

static LogicalResult evaluate(MakeGatherScatterViewOp op, Evaluation &evaluation) {
  return makeTileView(op, evaluation);
}

static LogicalResult evaluate(MakePartitionViewOp op, Evaluation &evaluation) {
  return makeTileView(op, evaluation);
}

static LogicalResult evaluate(MakeStridedViewOp op, Evaluation &evaluation) {
  return makeTileView(op, evaluation);
}

static LogicalResult evaluate(MakeTensorViewOp op, Evaluation &evaluation) {
  TensorView view{op.getType(), evaluation.scalar(op.getBase()), {}, {}};
  // Sizes and strides are unsigned; those beyond 2^63 name no memory there is.
  auto resolve = [&](ArrayRef<int64_t> known, OperandRange operands, SmallVector<int64_t, 4> &numbers) {
    auto operand = operands.begin();
    for (int64_t number : known)
      numbers.push_back(ShapedType::isDynamic(number) ? static_cast<int64_t>(evaluation.scalar(*operand++)) : number);
    return llvm::all_of(numbers, [](int64_t number) { return number >= 0; });
  };
  if (!resolve(op.getType().getShape(), op.getDynamicShape(), view.sizes) ||
      !resolve(op.getType().getStrides(), op.getDynamicStrides(), view.strides))
    return evaluation.undefined(op) << "a size or stride exceeds 63 bits";
  for (Value size : op.getDynamicShape())
    if (const Tile::Doubt *doubt = evaluation.getDoubt(size))
      return evaluation.undefined(*doubt, op);
  auto stride = op.getDynamicStrides().begin();
  for (auto [known, size] : llvm::zip(op.getType().getStrides(), view.sizes))
    if (ShapedType::isDynamic(known))
      if (const Tile::Doubt *doubt = evaluation.getDoubt(*stride++); doubt && size != 1)
        return evaluation.undefined(*doubt, op);
  evaluation.set(op, std::move(view));
  return success();
}

static LogicalResult evaluate(StoreViewTkoOp op, Evaluation &evaluation) {
  const TileView &view = std::get<TileView>(evaluation.get(op.getView()));
  const Tile &value = evaluation.tile(op.getTile());
  ViewTile tile(view, op.getIndex(), evaluation);
  if (failed(checkInBounds(op, evaluation, tile, op.getInbounds())))
    return failure();
  ElementAccess access(op, evaluation, value.elementType);
  access.beginWrites();
  IndexIterator at(value.shape);
  for (size_t i = 0; i < value.size(); ++i, ++at)
    if (std::optional<Place> place = tile.getPlace(*at))
      if (failed(access.storeOnce(*place, value[i], value.bound(i), value.shape, i)))
        return failure();
  evaluation.set(op.getResultToken(), Token());
  return success();
}

void registerViewOps(OperationTable &table) {
  table.add<AtomicRedViewTkoOp>("bit-exact; addf: 1 ulp of each intermediate sum, whose order is not specified");
  table.add<GetIndexSpaceShapeOp, GetTensorShapeOp, LoadViewTkoOp, MakeGatherScatterViewOp, MakePartitionViewOp,
            MakeStridedViewOp, MakeTensorViewOp, StoreViewTkoOp>(OperationTable::kExact);
}

} // namespace tileiras::interpreter
