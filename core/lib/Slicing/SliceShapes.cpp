//===- SliceShapes.cpp - How tiles are cut into slices --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SliceShapes.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tileiras::slicing {

/// Some of its tiles are parts of another one.
static bool isPart(Operation *op) {
  return isa<aa::CatOp, aa::ExtractSliceOp, aa::InsertSliceOp>(op);
}

static RankedTensorType getTile(Value value) {
  return value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
}

bool keepsSlices(Operation *op) {
  if (OpTrait::hasElementwiseMappableTraits(op))
    return true;
  const aa::SliceKind kind = aa::getSliceKind(op);
  if (kind == aa::SliceKind::Whole || op->getNumRegions() != 0 || isa_and_nonnull<aa::TileAADialect>(op->getDialect()))
    return false;
  SmallVector<RankedTensorType> tiles;
  for (Value operand : op->getOperands())
    if (RankedTensorType tile = getTile(operand))
      tiles.push_back(tile);
  bool givesTiles = false;
  for (Value result : op->getResults()) {
    RankedTensorType tile = getTile(result);
    if (!tile && !isa<aa::MemTokenType>(result.getType()))
      return false;
    givesTiles |= bool(tile);
    if (tile)
      tiles.push_back(tile);
  }
  return (givesTiles || kind == aa::SliceKind::Effect) &&
         llvm::all_of(tiles, [&](RankedTensorType tile) { return tile.getShape() == tiles.front().getShape(); });
}

bool isElementwiseBody(Region &body) {
  return llvm::all_of(body.front(), [](Operation &op) {
    return OpTrait::hasElementwiseMappableTraits(&op) || op.hasTrait<OpTrait::ConstantLike>() || isa<aa::YieldOp>(op);
  });
}

SmallVector<ViewSegment> getViewSegments(ArrayRef<int64_t> source, ArrayRef<int64_t> result) {
  SmallVector<ViewSegment> segments;
  unsigned s = 0, r = 0;
  while (s < source.size() || r < result.size()) {
    ViewSegment &segment = segments.emplace_back();
    int64_t ofSource = 1, ofResult = 1;
    auto takeSource = [&] { ofSource *= source[s], segment.source.push_back(s++); };
    auto takeResult = [&] { ofResult *= result[r], segment.result.push_back(r++); };
    if (s < source.size())
      takeSource();
    if (r < result.size())
      takeResult();
    while (ofSource != ofResult)
      ofSource < ofResult ? takeSource() : takeResult();
  }
  return segments;
}

//===----------------------------------------------------------------------===//
// What operations tie together
//===----------------------------------------------------------------------===//

void SliceShapes::addTile(Value value) {
  RankedTensorType tile = getTile(value);
  if (!tile)
    return;
  tiles.push_back(value);
  AxisList &list = axes[value];
  for (int64_t size : tile.getShape()) {
    list.push_back(sizes.size());
    sizes.push_back(size);
  }
}

void SliceShapes::join(Value a, unsigned axisOfA, Value b, unsigned axisOfB) {
  classes.join(axes.at(a)[axisOfA], axes.at(b)[axisOfB]);
}

/// Axes of extent 1 that meet longer ones are repeated along them.
void SliceShapes::joinEqualAxes(ValueRange values) {
  Value first;
  for (Value value : values) {
    RankedTensorType tile = getTile(value);
    if (!tile)
      continue;
    if (!first)
      first = value;
    for (int64_t axis = 0; axis < tile.getRank(); ++axis)
      if (tile.getDimSize(axis) == getTile(first).getDimSize(axis))
        join(first, axis, value, axis);
  }
}

void SliceShapes::joinAllAxes(ValueRange values) {
  for (Value value : values)
    for (int64_t axis = 0; axis < getTile(value).getRank(); ++axis)
      join(values.front(), axis, value, axis);
}

void SliceShapes::relateControlFlow(Operation *op) {
  RegionBranchSuccessorMapping passed;
  cast<RegionBranchOpInterface>(op).getSuccessorOperandInputMapping(passed);
  for (auto &[operand, receivers] : passed)
    for (Value receiver : receivers)
      if (getTile(receiver))
        joinEqualAxes({operand->get(), receiver});
}

void SliceShapes::relateView(aa::ViewOp op) {
  AxisList &source = axes[op.getSource()], &result = axes[op.getResult()];
  for (ViewSegment &segment : getViewSegments(op.getSource().getType().getShape(), op.getType().getShape())) {
    if (segment.source.size() == 1 && segment.result.size() == 1) {
      join(op.getSource(), segment.source.front(), op.getResult(), segment.result.front());
      continue;
    }
    Segment tied;
    for (unsigned axis : segment.source)
      tied.sides[0].push_back(source[axis]);
    for (unsigned axis : segment.result)
      tied.sides[1].push_back(result[axis]);
    segments.push_back(std::move(tied));
  }
}

/// Axes M, N and K are the last ones; before them there may be a batch.
void SliceShapes::relateProduct(Value a, Value b, Value c, Value scaleA, Value scaleB) {
  const unsigned m = getTile(a).getRank() - 2, k = m + 1;
  for (Value other : {b, c, scaleA, scaleB})
    if (other && m == 1)
      join(a, 0, other, 0);
  join(a, m, c, m);
  join(b, k, c, k);
  join(a, k, b, m);
  if (scaleA) {
    join(a, m, scaleA, m);
    scalings.push_back({axes[a][k], axes[scaleA][k]});
  }
  if (scaleB) {
    join(b, k, scaleB, k);
    scalings.push_back({axes[b][m], axes[scaleB][m]});
  }
}

void SliceShapes::relateCombination(Operation *op, int64_t axis) {
  joinAllAxes(op->getOperands());
  Value source = op->getOperand(0);
  if (!isElementwiseBody(op->getRegion(0)))
    whole.insert(axes[source][axis]);
  for (Value result : op->getResults()) {
    RankedTensorType tile = getTile(result);
    if (!tile)
      continue;
    bool drops = tile.getRank() != getTile(source).getRank();
    for (int64_t i = 0; i < tile.getRank(); ++i)
      join(source, drops && i >= axis ? i + 1 : i, result, i);
  }
}

void SliceShapes::relate(Operation *op) {
  if (isa<RegionBranchOpInterface>(op))
    return relateControlFlow(op);
  SmallVector<Value> around(op->getOperands());
  llvm::append_range(around, op->getResults());
  if (auto view = dyn_cast<aa::ViewOp>(op)) {
    relateView(view);
  } else if (auto expand = dyn_cast<aa::ExpandDimsOp>(op)) {
    unsigned added = expand.getAxis();
    for (int64_t i = 0; i < getTile(expand.getSource()).getRank(); ++i)
      join(expand.getSource(), i, expand.getResult(), i < added ? i : i + 1);
  } else if (auto permute = dyn_cast<aa::PermuteOp>(op)) {
    for (auto [i, axis] : llvm::enumerate(permute.getPermutation()))
      join(permute.getSource(), axis, permute.getResult(), i);
  } else if (auto dot = dyn_cast<aa::DotOp>(op)) {
    relateProduct(dot.getA(), dot.getB(), dot.getC(), {}, {});
    joinAllAxes({dot.getC(), dot.getResult()});
  } else if (auto scaled = dyn_cast<aa::MmaBlockScaleOp>(op)) {
    relateProduct(scaled.getA(), scaled.getB(), scaled.getC(), scaled.getSfa(), scaled.getSfb());
    joinAllAxes({scaled.getC(), scaled.getResult()});
  } else if (auto reduce = dyn_cast<aa::ReduceOp>(op)) {
    relateCombination(op, reduce.getAxis());
  } else if (auto scan = dyn_cast<aa::ScanOp>(op)) {
    relateCombination(op, scan.getAxis());
  } else if (isa<aa::PackOp, aa::UnpackOp>(op)) {
    scalings.push_back({axes[op->getOperand(0)][0], axes[op->getResult(0)][0]});
  } else if (isPart(op)) {
    llvm::erase_if(around, [](Value value) { return !getTile(value); });
    joinAllAxes(around);
  } else if (isa<aa::TiledLoadOp, aa::TiledStoreOp, aa::TiledAtomicRMWOp>(op)) {
    auto view = llvm::find_if(around, [](Value value) { return isa<aa::TiledViewType>(value.getType()); });
    auto tile = llvm::find_if(around, [&](Value value) {
      return getTile(value) && getTile(value).getShape() == cast<aa::TiledViewType>((*view).getType()).getTileShape();
    });
    int32_t sparse = cast<aa::TiledViewType>((*view).getType()).getSparseDim();
    for (Value value : around)
      if (getTile(value) && value != *tile)
        join(value, 0, *tile, sparse);
  } else if (keepsSlices(op) ||
             isa<aa::BroadcastOp, aa::AssumeOp, aa::LoadOp, aa::StoreOp, aa::AtomicCASOp, aa::AtomicRMWOp>(op)) {
    joinEqualAxes(around);
  }
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

int64_t SliceShapes::getExtent(unsigned axis) const {
  return std::min(sizes[axis], extents[classes.findLeader(axis)]);
}

/// Slices themselves are not cut.
int64_t SliceShapes::getExtent(Value tile, unsigned axis) const {
  auto known = axes.find(tile);
  return known == axes.end() ? getTile(tile).getDimSize(axis) : getExtent(known->second[axis]);
}

int64_t SliceShapes::getSliceElements(Value tile) const {
  int64_t elements = 1;
  for (unsigned axis : axes.at(tile))
    elements *= getExtent(axis);
  return elements;
}

/// Every class that has to be halved along with that of `leader`; false if one of them cannot be.
bool SliceShapes::collectHalved(unsigned leader, llvm::SmallSetVector<unsigned, 8> &halved) const {
  if (!halved.insert(leader))
    return true;
  if (extents[leader] <= 1 || whole.contains(leader))
    return false;
  auto becomesShorter = [&](unsigned axis) {
    return classes.findLeader(axis) == leader && sizes[axis] >= extents[leader];
  };
  auto isLong = [&](unsigned axis) { return getExtent(axis) > 1; };
  const auto tied = ties.find(leader);
  if (tied == ties.end())
    return true;
  for (unsigned number : tied->second.scalings) {
    const Scaling &scaling = scalings[number];
    if (becomesShorter(scaling.first) && !collectHalved(classes.findLeader(scaling.second), halved))
      return false;
    if (becomesShorter(scaling.second) && !collectHalved(classes.findLeader(scaling.first), halved))
      return false;
  }
  for (unsigned number : tied->second.segments)
    for (int side : {0, 1}) {
      const Segment &segment = segments[number];
      // Only the outermost axis that is not cut to pieces already, which the other side has to follow.
      ArrayRef<unsigned> here = segment.sides[side], there = segment.sides[1 - side];
      if (llvm::none_of(here, becomesShorter))
        continue;
      auto outermost = llvm::find_if(here, isLong), opposite = llvm::find_if(there, isLong);
      if (outermost == here.end() || opposite == there.end() || !becomesShorter(*outermost) ||
          llvm::count_if(here, becomesShorter) > 1 || sizes[*opposite] < extents[classes.findLeader(*opposite)])
        return false;
      if (!collectHalved(classes.findLeader(*opposite), halved))
        return false;
    }
  return true;
}

bool SliceShapes::halve(unsigned leader) {
  if (auto known = obstructed.find(leader); known != obstructed.end() && known->second == numHalved)
    return false;
  llvm::SmallSetVector<unsigned, 8> halved;
  if (!collectHalved(leader, halved)) {
    obstructed[leader] = numHalved;
    return false;
  }
  for (unsigned each : halved)
    extents[each] /= 2;
  numHalved += halved.size();
  return true;
}

/// Along its longest axis that allows it, the outermost of equal ones.
bool SliceShapes::halve(Value tile) {
  AxisList order = axes[tile];
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return getExtent(a) > getExtent(b); });
  return llvm::any_of(order, [&](unsigned axis) {
    unsigned leader = classes.findLeader(axis);
    return sizes[axis] >= extents[leader] && halve(leader);
  });
}

void SliceShapes::indexTies() {
  ties.clear();
  obstructed.clear();
  auto add = [&](unsigned axis, llvm::SmallVector<unsigned, 2> Ties::*list, unsigned number) {
    auto &numbers = ties[classes.findLeader(axis)].*list;
    if (numbers.empty() || numbers.back() != number)
      numbers.push_back(number);
  };
  for (auto [number, scaling] : llvm::enumerate(scalings))
    for (unsigned axis : {scaling.first, scaling.second})
      add(axis, &Ties::scalings, number);
  for (auto [number, segment] : llvm::enumerate(segments))
    for (unsigned axis : llvm::concat<unsigned>(segment.sides[0], segment.sides[1]))
      add(axis, &Ties::segments, number);
}

/// Fails if what is tied together cannot have one extent.
bool SliceShapes::chooseExtents(TilePredicate isTooLarge) {
  indexTies();
  extents.assign(sizes.size(), 0);
  llvm::DenseSet<unsigned> leaders;
  for (unsigned axis : whole)
    leaders.insert(classes.findLeader(axis));
  whole = std::move(leaders);
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    int64_t &extent = extents[classes.findLeader(axis)];
    extent = std::max(extent, size);
  }
  for (auto [axis, size] : llvm::enumerate(sizes))
    while (extents[classes.findLeader(axis)] > size)
      if (!halve(classes.findLeader(axis)))
        return false;
  auto isSliceTooLarge = [&](Value tile) {
    return sliceElements == kFitting ? isTooLarge(getSliceType(tile)) : getSliceElements(tile) > sliceElements;
  };
  for (Value tile : tiles)
    if (isTooLarge(getTile(tile)))
      while (isSliceTooLarge(tile) && halve(tile)) {
      }
  slicedTiles.clear();
  for (Value tile : tiles)
    if (getSliceElements(tile) != getTile(tile).getNumElements())
      slicedTiles.insert(tile);
  return true;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

SliceShapes::SliceShapes(Operation *func, TilePredicate isTooLarge, int64_t sliceElements)
    : sliceElements(sliceElements) {
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), [&](Value value) { addTile(value); });
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        addTile(argument);
  });
  if (llvm::none_of(tiles, [&](Value tile) { return isTooLarge(getTile(tile)); }))
    return;
  classes.grow(sizes.size());
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isPart(op))
      relate(op);
  });
  chooseExtents(isTooLarge);
  relateParts(func, isTooLarge);
}

/// No slice reaches over the edge of a part: parts bound the slices of the whole, but only where there have to be
/// slices.
void SliceShapes::relateParts(Operation *func, TilePredicate isTooLarge) {
  SmallVector<Operation *> parts;
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isPart(op))
      parts.push_back(op);
  });
  auto isConcerned = [&](Operation *op) {
    auto isCut = [&](Value value) { return getTile(value) && (isSliced(value) || isTooLarge(getTile(value))); };
    return llvm::any_of(op->getOperands(), isCut) || llvm::any_of(op->getResults(), isCut);
  };
  while (true) {
    auto concerned = std::stable_partition(parts.begin(), parts.end(), [&](Operation *op) { return !isConcerned(op); });
    if (concerned == parts.end())
      return;
    relateParts(llvm::ArrayRef(parts).drop_front(concerned - parts.begin()), isTooLarge);
    parts.erase(concerned, parts.end());
  }
}

/// All at once, if that is possible; else one half after the other.
void SliceShapes::relateParts(llvm::ArrayRef<Operation *> parts, TilePredicate isTooLarge) {
  llvm::IntEqClasses before = classes;
  llvm::for_each(parts, [&](Operation *op) { relate(op); });
  if (chooseExtents(isTooLarge))
    return;
  classes = std::move(before);
  if (parts.size() == 1) {
    wholeOps.insert(parts.front());
    chooseExtents(isTooLarge);
    return;
  }
  relateParts(parts.take_front(parts.size() / 2), isTooLarge);
  relateParts(parts.drop_front(parts.size() / 2), isTooLarge);
}

bool SliceShapes::isSliced(Operation *op) const {
  auto isCut = [&](Value value) { return isSliced(value); };
  return llvm::any_of(op->getOperands(), isCut) || llvm::any_of(op->getResults(), isCut);
}

SmallVector<int64_t> SliceShapes::getGrid(Value tile) const {
  SmallVector<int64_t> grid;
  for (auto [axis, size] : llvm::enumerate(getTile(tile).getShape()))
    grid.push_back(size / getExtent(tile, axis));
  return grid;
}

RankedTensorType SliceShapes::getSliceType(Value tile) const {
  SmallVector<int64_t> shape;
  for (int64_t axis = 0; axis < getTile(tile).getRank(); ++axis)
    shape.push_back(getExtent(tile, axis));
  return RankedTensorType::get(shape, getTile(tile).getElementType());
}

void SliceShapes::addCopy(Value tile, Value copy) {
  AxisList copied = axes.at(tile);
  axes[copy] = std::move(copied);
  if (slicedTiles.contains(tile))
    slicedTiles.insert(copy);
}

void SliceShapes::forget(Value tile) {
  axes.erase(tile);
  slicedTiles.erase(tile);
}

} // namespace tileiras::slicing
