//===- SliceOps.cpp - One slice of what an operation computes -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SliceRewriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/CombiningBody.h"
#include "tileiras/Dialect/TileAA/Coordinates.h"

using namespace mlir;

namespace tileiras::slicing {

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Value SliceRewriter::constant(int64_t value) {
  Value &known = constants[value];
  if (!known) {
    auto entry = OpBuilder::atBlockBegin(&func.getBody().front());
    known = arith::ConstantIntOp::create(entry, func.getLoc(), value, 32);
    constantValues[known] = value;
  }
  return known;
}

std::optional<int64_t> SliceRewriter::getConstant(Value index) const {
  auto known = constantValues.find(index);
  return known == constantValues.end() ? std::nullopt : std::optional(known->second);
}

template <typename OpTy>
Value SliceRewriter::makeIndex(Value a, Value b) {
  Value result = builder.createOrFold<OpTy>(location, a, b);
  llvm::APInt value;
  if (!matchPattern(result, m_ConstantInt(&value)) || getConstant(result))
    return result;
  Operation *folded = result.getDefiningOp();
  result = constant(value.getSExtValue());
  if (folded->use_empty())
    folded->erase();
  return result;
}

Value SliceRewriter::add(Value a, Value b) {
  return makeIndex<arith::AddIOp>(a, b);
}
Value SliceRewriter::sub(Value a, Value b) {
  return makeIndex<arith::SubIOp>(a, b);
}
Value SliceRewriter::mul(Value a, int64_t b) {
  return makeIndex<arith::MulIOp>(a, constant(b));
}
Value SliceRewriter::div(Value a, int64_t b) {
  return makeIndex<arith::DivUIOp>(a, constant(b));
}
Value SliceRewriter::rem(Value a, int64_t b) {
  return makeIndex<arith::RemUIOp>(a, constant(b));
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Value SliceRewriter::getSlice(Value tile, Indices indices) {
  if (!shapes.isSliced(tile))
    return tile;
  Block *current = builder.getInsertionBlock();
  for (KnownSlice &entry : known[tile]) {
    Block *block = entry.slice.getParentBlock();
    bool isVisible = block == current || block->findAncestorOpInBlock(*current->getParentOp());
    if (isVisible && Indices(entry.indices) == indices)
      return entry.slice;
  }
  auto remember = [&](Value whole, Value slice) { known[whole].push_back({IndexList(indices), slice}); };
  if (Value memory = memories.lookup(tile)) {
    Value slice = as::LoadSliceOp::create(builder, location, shapes.getSliceType(tile), memory, ValueRange(indices));
    remember(tile, slice);
    return slice;
  }
  Operation *op = tile.getDefiningOp();
  SmallVector<Value> slices = makeSlices(op, indices);
  for (auto [result, slice] : llvm::zip(op->getResults(), slices))
    if (slice)
      remember(result, slice);
  return slices[cast<OpResult>(tile).getResultNumber()];
}

void SliceRewriter::forEachSlice(Value tile, function_ref<void(Indices)> visit) {
  SmallVector<int64_t> grid = shapes.getGrid(tile);
  IndexList indices(grid.size());
  for (int64_t i = 0; i < llvm::product_of(grid); ++i) {
    for (int64_t axis = grid.size() - 1, rest = i; axis >= 0; rest /= grid[axis--])
      indices[axis] = constant(rest % grid[axis]);
    visit(indices);
  }
}

Value SliceRewriter::getWhole(Value tile) {
  Value whole = ub::PoisonOp::create(builder, location, tile.getType());
  forEachSlice(tile, [&](Indices indices) {
    whole = aa::InsertSliceOp::create(builder, location, tile.getType(), getSlice(tile, indices), whole, indices);
  });
  return whole;
}

SmallVector<Value> SliceRewriter::makeSlices(Operation *op, Indices indices) {
  if (matchPattern(op, m_Constant()))
    return {sliceConstant(op)};
  if (auto assume = dyn_cast<aa::AssumeOp>(op)) // What is known of the whole need not be true of a slice.
    return {getSlice(assume.getValue(), indices)};
  if (auto range = dyn_cast<aa::MakeRangeOp>(op))
    return {sliceRange(range, indices)};
  if (auto view = dyn_cast<aa::ViewOp>(op))
    return {sliceView(view, indices)};
  if (auto cat = dyn_cast<aa::CatOp>(op))
    return {sliceCat(cat, indices)};
  if (auto extract = dyn_cast<aa::ExtractSliceOp>(op))
    return {sliceExtracted(extract, indices)};
  if (auto insert = dyn_cast<aa::InsertSliceOp>(op))
    return {sliceInserted(insert, indices)};
  if (auto reduce = dyn_cast<aa::ReduceOp>(op))
    return sliceReduction(reduce, indices);
  if (isa<aa::DotOp, aa::MmaBlockScaleOp>(op))
    return {sliceProduct(op, indices)};
  if (isa<aa::TiledLoadOp, aa::TiledStoreOp, aa::TiledAtomicRMWOp>(op))
    return sliceViewAccess(op, indices);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    SmallVector<Value> slices(op->getNumResults());
    auto cut = llvm::find_if(op->getResults(), [&](Value result) { return shapes.isSliced(result); });
    slices[(*cut).getResultNumber()] = runLoop(loop, indices);
    return slices;
  }
  return cloneOnSlices(op, indices);
}

/// Which slice of an operand that the operation takes as it is, or repeats or reorders axes of.
static IndexList getOperandIndices(Operation *op, Value operand, Indices indices, Value zero) {
  IndexList result(indices);
  if (auto expand = dyn_cast<aa::ExpandDimsOp>(op)) {
    result.erase(result.begin() + expand.getAxis());
  } else if (auto permute = dyn_cast<aa::PermuteOp>(op)) {
    for (auto [i, axis] : llvm::enumerate(permute.getPermutation()))
      result[axis] = indices[i];
  } else if (isa<aa::BroadcastOp>(op)) {
    for (auto [axis, size] : llvm::enumerate(cast<RankedTensorType>(operand.getType()).getShape()))
      if (size == 1)
        result[axis] = zero;
  }
  return result;
}

/// The operation on slices instead of tiles.
SmallVector<Value> SliceRewriter::cloneOnSlices(Operation *op, Indices indices) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      mapping.map(operand, getSlice(operand, getOperandIndices(op, operand, indices, constant(0))));
  Operation *now = builder.clone(*op, mapping);
  for (auto [result, slice] : llvm::zip(op->getResults(), now->getResults()))
    if (shapes.isSliced(result))
      slice.setType(shapes.getSliceType(result));
  return llvm::to_vector_of<Value>(now->getResults());
}

//===----------------------------------------------------------------------===//
// Values made of nothing
//===----------------------------------------------------------------------===//

Value SliceRewriter::sliceConstant(Operation *op) {
  DenseElementsAttr elements;
  matchPattern(op, m_Constant(&elements));
  RankedTensorType type = shapes.getSliceType(op->getResult(0));
  return op->getDialect()->materializeConstant(builder, elements.resizeSplat(type), type, location)->getResult(0);
}

Value SliceRewriter::sliceRange(aa::MakeRangeOp op, Indices indices) {
  RankedTensorType type = shapes.getSliceType(op.getResult());
  Type element = type.getElementType();
  Value first = mul(indices.front(), type.getDimSize(0));
  if (element.getIntOrFloatBitWidth() > 32)
    first = arith::ExtSIOp::create(builder, location, element, first);
  else if (element.getIntOrFloatBitWidth() < 32)
    first = arith::TruncIOp::create(builder, location, element, first);
  Value range = aa::MakeRangeOp::create(builder, location, type);
  return arith::AddIOp::create(builder, location, range, aa::SplatOp::create(builder, location, type, first));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Slices of a segment are numbered in the order of their elements, on both sides.
Value SliceRewriter::sliceView(aa::ViewOp op, Indices indices) {
  SmallVector<int64_t> sourceGrid = shapes.getGrid(op.getSource()), resultGrid = shapes.getGrid(op.getResult());
  IndexList sourceIndices(sourceGrid.size(), constant(0));
  for (ViewSegment &segment : getViewSegments(op.getSource().getType().getShape(), op.getType().getShape())) {
    Value number = constant(0);
    for (unsigned axis : segment.result)
      number = add(mul(number, resultGrid[axis]), indices[axis]);
    for (unsigned axis : llvm::reverse(segment.source)) {
      bool isOutermost = axis == segment.source.front();
      sourceIndices[axis] = isOutermost ? number : rem(number, sourceGrid[axis]);
      number = div(number, sourceGrid[axis]);
    }
  }
  return aa::ViewOp::create(builder, location, shapes.getSliceType(op.getResult()),
                            getSlice(op.getSource(), sourceIndices));
}

Value SliceRewriter::select(Value condition, RankedTensorType type, function_ref<Value()> ifTrue,
                            function_ref<Value()> ifFalse) {
  auto branch = scf::IfOp::create(builder, location, type, condition, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, location, ifTrue());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, location, ifFalse());
  return branch.getResult(0);
}

Value SliceRewriter::sliceCat(aa::CatOp op, Indices indices) {
  const unsigned axis = op.getAxis();
  const int64_t ofLhs = shapes.getGrid(op.getLhs())[axis];
  Value isLhs = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ult, indices[axis], constant(ofLhs));
  return select(
      isLhs, shapes.getSliceType(op.getResult()), [&] { return getSlice(op.getLhs(), indices); },
      [&] {
        IndexList inRhs(indices);
        inRhs[axis] = sub(indices[axis], constant(ofLhs));
        return getSlice(op.getRhs(), inRhs);
      });
}

Value SliceRewriter::sliceExtracted(aa::ExtractSliceOp op, Indices indices) {
  SmallVector<int64_t> grid = shapes.getGrid(op.getResult());
  IndexList inSource;
  for (auto [index, slice, slices] : llvm::zip(op.getIndices(), indices, grid))
    inSource.push_back(add(mul(index, slices), slice));
  return getSlice(op.getSource(), inSource);
}

Value SliceRewriter::sliceInserted(aa::InsertSliceOp op, Indices indices) {
  SmallVector<int64_t> grid = shapes.getGrid(op.getSource());
  Value isInside;
  IndexList inSource;
  for (auto [index, slice, slices] : llvm::zip(op.getIndices(), indices, grid)) {
    Value number = sub(slice, mul(index, slices));
    Value isWithin = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ult, number, constant(slices));
    isInside = isInside ? Value(arith::AndIOp::create(builder, location, isInside, isWithin)) : isWithin;
    inSource.push_back(number);
  }
  if (!isInside)
    return getSlice(op.getSource(), inSource);
  return select(
      isInside, shapes.getSliceType(op.getResult()), [&] { return getSlice(op.getSource(), inSource); },
      [&] { return getSlice(op.getDestination(), indices); });
}

//===----------------------------------------------------------------------===//
// Combinations
//===----------------------------------------------------------------------===//

/// Over the slices along K; a batch, M and N are those of the result.
Value SliceRewriter::sliceProduct(Operation *op, Indices indices) {
  Value a = op->getOperand(0), b = op->getOperand(1), c = op->getOperand(2);
  const unsigned m = indices.size() - 2, n = m + 1;
  const int64_t slices = shapes.getGrid(a)[n];
  SmallVector<Value> sum = {getSlice(c, indices)};
  sum = makeLoops({slices}, sum, [&](Indices k, ValueRange carried) -> SmallVector<Value> {
    IndexList ofA(indices), ofB(indices);
    ofA[n] = k.front();
    ofB[m] = k.front();
    // By position: A and B may be one tile, in different slices.
    SmallVector<Value> operands = {getSlice(a, ofA), getSlice(b, ofB), carried.front()};
    if (auto scaled = dyn_cast<aa::MmaBlockScaleOp>(op)) {
      if (Value scale = scaled.getSfa())
        operands.push_back(getSlice(scale, ofA));
      if (Value scale = scaled.getSfb())
        operands.push_back(getSlice(scale, ofB));
    }
    Operation *now = builder.clone(*op);
    now->setOperands(operands);
    now->getResult(0).setType(carried.front().getType());
    return {now->getResult(0)};
  });
  return sum.front();
}

SmallVector<Value> SliceRewriter::combine(Region &body, ValueRange elements, ValueRange accumulated) {
  auto tile = dyn_cast<RankedTensorType>(elements.front().getType());
  auto getType = [&](Type element) { return tile ? Type(tile.clone(element)) : element; };
  IRMapping mapping;
  for (auto [i, element, before] : llvm::enumerate(elements, accumulated)) {
    mapping.map(body.getArgument(2 * i), element);
    mapping.map(body.getArgument(2 * i + 1), before);
  }
  auto widen = [&](Value scalar) -> Value {
    return tile ? Value(aa::SplatOp::create(builder, location, getType(scalar.getType()), scalar)) : scalar;
  };
  auto get = [&](Value scalar) {
    if (!mapping.contains(scalar))
      mapping.map(scalar, widen(scalar));
    return mapping.lookup(scalar);
  };
  for (Operation &op : body.front().without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      mapping.map(op.getResult(0), widen(builder.clone(op)->getResult(0)));
      continue;
    }
    llvm::for_each(op.getOperands(), get);
    Operation *now = builder.clone(op, mapping);
    for (auto [scalar, result] : llvm::zip(op.getResults(), now->getResults()))
      result.setType(getType(scalar.getType()));
  }
  return llvm::map_to_vector(body.front().getTerminator()->getOperands(), get);
}

SmallVector<Value> SliceRewriter::makeIdentities(ArrayAttr identities, ArrayRef<Type> types) {
  SmallVector<Value> results;
  for (auto [identity, type] : llvm::zip_equal(identities, types)) {
    auto tile = dyn_cast<RankedTensorType>(type);
    auto value = tile ? cast<TypedAttr>(DenseElementsAttr::get(tile, identity)) : cast<TypedAttr>(identity);
    results.push_back(arith::ConstantOp::create(builder, location, value));
  }
  return results;
}

SmallVector<Value> SliceRewriter::reduceSlices(aa::ReduceOp op, ValueRange slices) {
  Operation *now = builder.clone(*op);
  now->setOperands(slices);
  for (auto [result, reduced] : llvm::zip(op->getResults(), now->getResults()))
    if (shapes.isSliced(result))
      reduced.setType(shapes.getSliceType(result));
  return llvm::to_vector_of<Value>(now->getResults());
}

/// In the order of the elements, unless it does not matter: then slices are combined element by element, and only what
/// is left is reduced.
SmallVector<Value> SliceRewriter::sliceReduction(aa::ReduceOp op, Indices indices) {
  const unsigned axis = op.getAxis();
  SmallVector<Value> operands(op.getOperands());
  RankedTensorType slice = shapes.getSliceType(operands.front());
  SmallVector<int64_t> line(slice.getRank(), 1);
  line[axis] = shapes.getGrid(operands.front())[axis];
  IndexList ofOperand(indices);
  ofOperand.insert(ofOperand.begin() + axis, constant(0));
  auto getSlices = [&](Value along) {
    ofOperand[axis] = along;
    return llvm::map_to_vector(operands, [&](Value operand) { return getSlice(operand, ofOperand); });
  };
  if (line[axis] == 1)
    return reduceSlices(op, getSlices(constant(0)));
  if (isCommutative(op.getBody())) {
    SmallVector<Type> slices =
        llvm::map_to_vector(operands, [&](Value operand) -> Type { return shapes.getSliceType(operand); });
    SmallVector<Value> combined =
        makeLoops(line, makeIdentities(op.getIdentities(), slices), [&](Indices along, ValueRange carried) {
          return combine(op.getBody(), getSlices(along[axis]), carried);
        });
    return reduceSlices(op, combined);
  }
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(isa<RankedTensorType>(result.getType()) ? shapes.getSliceType(result) : result.getType());
  return makeLoops(line, makeIdentities(op.getIdentities(), types), [&](Indices along, ValueRange carried) {
    return combine(op.getBody(), reduceSlices(op, getSlices(along[axis])), carried);
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// A view of the same memref with smaller tiles.
SmallVector<Value> SliceRewriter::sliceViewAccess(Operation *op, Indices indices) {
  auto view = cast<TypedValue<aa::TiledViewType>>(op->getOperand(0));
  aa::TiledViewType type = view.getType();
  SmallVector<int64_t> extents, steps;
  SmallVector<Value> coordinates;
  Value tile;
  OperandRange old = op->getOperands();
  if (auto load = dyn_cast<aa::TiledLoadOp>(op)) {
    tile = load.getValue();
    old = load.getCoordinates();
  } else if (auto store = dyn_cast<aa::TiledStoreOp>(op)) {
    tile = store.getValue();
    old = store.getCoordinates();
  } else {
    tile = cast<aa::TiledAtomicRMWOp>(op).getValue();
    old = cast<aa::TiledAtomicRMWOp>(op).getCoordinates();
  }
  RankedTensorType slice = shapes.getSliceType(tile);
  for (auto [axis, coordinate] : llvm::enumerate(old)) {
    const int64_t extent = slice.getDimSize(axis), step = type.getStep(axis);
    extents.push_back(extent);
    if (type.isSparseAxis(axis)) {
      steps.push_back(1);
      coordinates.push_back(getSlice(coordinate, {indices[axis]}));
      continue;
    }
    // coordinate * step + index * extent, in units of the largest step that divides both.
    const int64_t unit = std::gcd(step, type.isGatherScatter() ? 1 : extent);
    steps.push_back(unit);
    if (step == unit && getConstant(indices[axis]) == 0) {
      coordinates.push_back(coordinate);
      continue;
    }
    auto scale = [&](Value wide, int64_t factor) -> Value {
      Value by = arith::ConstantIntOp::create(builder, location, factor, 64);
      return arith::MulIOp::create(builder, location, wide, by);
    };
    Value number = indices[axis];
    if (!number.getType().isInteger(64))
      number = arith::ExtUIOp::create(builder, location, builder.getI64Type(), number);
    Value first = scale(aa::widenCoordinate(builder, location, coordinate, step), step / unit);
    coordinates.push_back(arith::AddIOp::create(builder, location, first, scale(number, extent / unit)));
  }
  const bool isPartition = !type.isGatherScatter() && steps == extents;
  const aa::ViewKind kind = type.isGatherScatter() ? aa::ViewKind::GatherScatter
                            : isPartition          ? aa::ViewKind::Partition
                                                   : aa::ViewKind::Strided;
  if (kind != aa::ViewKind::Strided)
    steps.clear();
  auto now = aa::TiledViewType::get(type.getContext(), extents, type.getSource(), kind, type.getDimMap(), steps,
                                    type.getSparseDim(), type.getPadding());
  Value source = view.getDefiningOp<aa::BlockTileOp>().getSource();
  IRMapping mapping;
  mapping.map(view, aa::BlockTileOp::create(builder, location, now, source).getResult());
  if (!isa<aa::TiledLoadOp>(op))
    mapping.map(tile, getSlice(tile, indices));
  Operation *access = builder.clone(*op, mapping);
  for (auto [i, coordinate] : llvm::enumerate(coordinates))
    access->setOperand(old.getBeginOperandIndex() + i, coordinate);
  for (auto [result, part] : llvm::zip(op->getResults(), access->getResults()))
    if (shapes.isSliced(result))
      part.setType(shapes.getSliceType(result));
  return llvm::to_vector_of<Value>(access->getResults());
}

} // namespace tileiras::slicing
