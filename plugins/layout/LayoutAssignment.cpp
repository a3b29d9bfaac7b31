//===- LayoutAssignment.cpp - Which thread holds what ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutAssignment.h"
#include "LoadFacts.h"
#include "SlotWriters.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tileiras::layout {

/// The warps of the scope the value is made in.
static int64_t getNumWarps(Value value) {
  Operation *op = value.getDefiningOp();
  return getExecutionScope(op ? op : value.getParentBlock()->getParentOp()).numWarps;
}

static RankedTensorType getTile(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

static LinearLayout toLinear(Attribute layout, RankedTensorType tile) {
  return cast<as::DistributedLayoutAttrInterface>(layout).toLinearLayout(tile.getShape());
}

//===----------------------------------------------------------------------===//
// Classes and edges
//===----------------------------------------------------------------------===//

unsigned LayoutAssignment::getId(Value value) {
  auto [it, isNew] = ids.try_emplace(value, values.size());
  if (isNew) {
    values.push_back(value);
    classes.grow(values.size());
  }
  return it->second;
}

std::optional<unsigned> LayoutAssignment::getClass(Value value) const {
  auto it = ids.find(value);
  if (it == ids.end())
    return std::nullopt;
  return classes[it->second];
}

void LayoutAssignment::tie(ValueRange tiles) {
  std::optional<unsigned> first;
  for (Value value : tiles) {
    if (!value || !as::isTile(value) || as::isRematerializable(value))
      continue;
    unsigned id = getId(value);
    if (first)
      classes.join(*first, id);
    else
      first = id;
  }
}

void LayoutAssignment::addEdge(as::ShapeLayoutOpInterface op, Value source, Value result) {
  if (!as::isTile(source) || !as::isTile(result) || as::isRematerializable(source) || as::isRematerializable(result))
    return;
  getId(source);
  getId(result);
  edges.push_back({op, source, result});
}

void LayoutAssignment::closeClasses() {
  classes.compress();
  layouts.resize(classes.getNumClasses());
  edgesOfClass.resize(classes.getNumClasses());
  for (auto [i, edge] : llvm::enumerate(edges)) {
    unsigned source = *getClass(edge.source), result = *getClass(edge.result);
    edgesOfClass[source].push_back(i);
    if (result != source)
      edgesOfClass[result].push_back(i);
  }
}

//===----------------------------------------------------------------------===//
// Layouts of classes
//===----------------------------------------------------------------------===//

Attribute LayoutAssignment::getAssigned(Value value) const {
  std::optional<unsigned> id = getClass(value);
  return id ? layouts[*id] : Attribute();
}

static Attribute getDefaultLayout(Value tile) {
  RankedTensorType type = getTile(tile);
  Type element = type.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return as::encodeBlocked(type.getContext(), chooseBlockedParameters(type.getShape(), bits, getNumWarps(tile)));
}

Attribute LayoutAssignment::getLayout(Value tile) {
  Attribute assigned = getAssigned(tile);
  return assigned ? assigned : getDefaultLayout(tile);
}

void LayoutAssignment::assign(Value value, Attribute layout) {
  SmallVector<std::pair<Value, Attribute>> worklist = {{value, layout}};
  for (size_t next = 0; next < worklist.size(); ++next) {
    auto [tile, attribute] = worklist[next];
    std::optional<unsigned> id = getClass(tile);
    if (!id || layouts[*id])
      continue;
    layouts[*id] = attribute;
    LinearLayout linear = toLinear(attribute, getTile(tile));
    encoder.add(linear, attribute);
    for (unsigned i : edgesOfClass[*id]) {
      Edge &edge = edges[i];
      bool forward = getClass(edge.source) == id;
      Value neighbour = forward ? edge.result : edge.source;
      if (getAssigned(neighbour))
        continue;
      if (!edge.op) {
        worklist.push_back({neighbour, attribute});
        continue;
      }
      std::optional<LinearLayout> derived =
          forward ? edge.op.deriveResultLayout(linear) : edge.op.deriveSourceLayout(linear);
      if (derived)
        worklist.push_back({neighbour, encoder.encode(*derived)});
    }
  }
}

//===----------------------------------------------------------------------===//
// Anchors: matrix products
//===----------------------------------------------------------------------===//

/// Work along rows surrounds the products of some classes: columns are combined into a tile without them, or it is one
/// of a chain of products, each with the rows of the one before. Then no row should be spread over warps.
void LayoutAssignment::findRows() {
  rowsOfResult.resize(classes.getNumClasses());
  rowsOfA.resize(classes.getNumClasses());
  for (const Edge &edge : edges)
    if (auto reduce = dyn_cast_if_present<as::ReduceOp>(static_cast<Operation *>(edge.op)))
      if (reduce.getAxis() == 1)
        rowsOfResult.set(*getClass(edge.source));
  for (as::ProductOpInterface product : products) {
    if (std::optional<unsigned> ofA = getClass(product.getAMutable().get()))
      rowsOfResult.set(*ofA);
    if (std::optional<unsigned> ofResult = getClass(product->getResult(0)))
      rowsOfA.set(*ofResult);
  }
}

bool LayoutAssignment::prefersRows(as::ProductOpInterface product) const {
  const std::optional<unsigned> ofResult = getClass(product->getResult(0)), ofA = getClass(product.getAMutable().get());
  return (ofResult && rowsOfResult.test(*ofResult)) || (ofA && rowsOfA.test(*ofA));
}

void LayoutAssignment::keepMemoryProducts(Operation *func) {
  func->walk([&](as::ProductOpInterface product) {
    auto a = cast<RankedTensorType>(product.getAMutable().get().getType());
    auto b = cast<RankedTensorType>(product.getBMutable().get().getType());
    if (!as::isMemoryTensor(b))
      return;
    as::ProductLayouts &kept = productLayouts[product];
    kept.a = as::isMemoryTensor(a) ? Attribute() : a.getEncoding();
    kept.c = getTile(product->getResult(0)).getEncoding();
    if (auto scales = product.getScaleOperandNumbers()) {
      kept.scaleA = getTile(product->getOperand(scales->first)).getEncoding();
      kept.scaleB = getTile(product->getOperand(scales->second)).getEncoding();
    }
  });
}

/// Where the elements of a copy out of shared memory lie there, if `tile` is one or is computed from one, element by
/// element.
static std::optional<LinearLayout> findSharedLayout(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (auto copy = dyn_cast_if_present<as::CopyOp>(op)) {
    auto source = cast<RankedTensorType>(copy.getSource().getType());
    return as::isMemoryTensor(source) ? llvm::expectedToOptional(as::getSharedLayout(source)) : std::nullopt;
  }
  if (!op || op->getNumOperands() != 1 || !isa<RankedTensorType>(op->getOperand(0).getType()))
    return std::nullopt;
  std::optional<LinearLayout> layout = findSharedLayout(op->getOperand(0));
  if (auto shape = dyn_cast<as::ShapeLayoutOpInterface>(op); shape && layout)
    return shape.deriveResultLayout(*layout);
  const bool keepsPlaces = OpTrait::hasElementwiseMappableTraits(op) || isa<as::ConvertLayoutOp>(op);
  return keepsPlaces ? layout : std::nullopt;
}

static bool hasNeighboursAcross(Value operand, as::OperandAxis axis) {
  if (!getElementTypeOrSelf(operand).isIntOrFloat() || getElementTypeOrSelf(operand).getIntOrFloatBitWidth() != 8)
    return false;
  const std::optional<LinearLayout> layout = findSharedLayout(operand);
  return layout && layout::hasNeighboursAcross(*layout, axis);
}

static as::ByteNeighbours findByteNeighbours(as::ProductOpInterface product) {
  return {hasNeighboursAcross(product.getAMutable().get(), as::OperandAxis::A),
          hasNeighboursAcross(product.getBMutable().get(), as::OperandAxis::B)};
}

LogicalResult LayoutAssignment::assignProducts(const ChipTarget &target) {
  findRows();
  for (as::ProductOpInterface product : products) {
    if (auto kept = productLayouts.find(product); kept != productLayouts.end()) {
      assign(product->getResult(0), kept->second.c);
      continue;
    }
    FailureOr<const MmaAtom *> atom = as::findWarpAtom(product, target, findByteNeighbours(product));
    if (failed(atom))
      return failure();
    as::ProductLayouts &chosen = productLayouts[product];
    ArrayRef<int64_t> shape = getTile(product->getResult(0)).getShape();
    int64_t numWarps = getNumWarps(product->getResult(0));
    if (*atom) {
      product.setAtomAttr(as::AtomAttr::get(product.getContext(), (*atom)->name));
      chosen = as::getProductLayouts(product->getContext(), **atom, shape, numWarps, prefersRows(product));
    } else {
      // No arithmetic takes scales: such a product still waits for its place in memory.
      product.setAtomAttr(product.getScaleOperandNumbers() ? as::AtomAttr::getUnplaced(product.getContext())
                                                           : as::AtomAttr::getAnyMma(product.getContext()));
      chosen.c = as::encodeBlocked(product->getContext(), as::chooseFmaLayout(shape, numWarps, prefersRows(product)));
    }
    assign(product->getResult(0), chosen.c);
  }
  return success();
}

/// Whether a tile is a copy out of memory, a view of one, or computed from one, element by element. Conversions are not
/// worth doing for each of the warps that have the same fragments.
static bool isMadeOfCopy(Value tile) {
  llvm::SetVector<Value> made;
  made.insert(tile);
  for (size_t next = 0; next < made.size(); ++next) {
    Operation *op = made[next].getDefiningOp();
    if (isa_and_nonnull<as::CopyOp>(op))
      return true;
    if (op && (OpTrait::hasElementwiseMappableTraits(op) ||
               (isa<as::ShapeLayoutOpInterface>(op) && op->getNumOperands() == 1)))
      made.insert_range(llvm::make_filter_range(op->getOperands(), [&](Value operand) {
        return getElementTypeOrSelf(operand) == getElementTypeOrSelf(tile);
      }));
  }
  return false;
}

/// Any layout is as good as another to a copy: what a product wants costs nothing.
void LayoutAssignment::assignCopies() {
  for (as::ProductOpInterface product : products) {
    const as::ProductLayouts &chosen = productLayouts[product];
    for (auto [operand, layout] : {std::pair(&product.getAMutable(), chosen.a), {&product.getBMutable(), chosen.b}})
      if (layout && isMadeOfCopy(operand->get()))
        assign(operand->get(), layout);
  }
}

//===----------------------------------------------------------------------===//
// Anchors: memory
//===----------------------------------------------------------------------===//

static Attribute getPreferredLayout(const as::TileAccess &access) {
  const int64_t numWarps = getExecutionScope(access.op).numWarps;
  Value slot = access.isLoad ? findSlot(access.op->getResult(0)) : Value();
  std::optional<unsigned> slotDim = slot ? getFastestDim(cast<RankedTensorType>(slot.getType())) : std::nullopt;
  BlockedParameters chosen =
      slotDim ? chooseWriterLayout(access.pattern, *slotDim, as::getSharedBits(getElementTypeOrSelf(slot)), numWarps)
              : as::chooseAccessLayout(access.pattern, numWarps);
  return as::encodeBlocked(access.op->getContext(), chosen);
}

void LayoutAssignment::assignAccesses() {
  // Loads before stores, large tiles before small ones: the small ones adapt.
  auto rank = [](const as::TileAccess &access) {
    return std::pair(!access.isLoad, -access.pattern.tile.getNumElements() * access.pattern.elementBytes);
  };
  SmallVector<as::TileAccess> order = accesses;
  llvm::stable_sort(order, [&](const as::TileAccess &lhs, const as::TileAccess &rhs) { return rank(lhs) < rank(rhs); });
  for (const as::TileAccess &access : order)
    assign(access.tile, getPreferredLayout(access));
}

/// An access that may move runs in the layout of its tile if that is about as good as what it would choose.
void LayoutAssignment::chooseAccessLayouts() {
  for (const as::TileAccess &access : accesses) {
    RankedTensorType tile = access.pattern.tile;
    Attribute assigned = getAssigned(access.tile);
    Attribute preferred = getPreferredLayout(access);
    bool keep = assigned && (!access.mayMove ||
                             isGoodForAccess(access.pattern, toLinear(assigned, tile), toLinear(preferred, tile)));
    accessLayouts[access.op] = {access.tile, keep ? assigned : preferred};
  }
}

void LayoutAssignment::assignDefaults() {
  SmallVector<Value> order = values;
  llvm::stable_sort(order,
                    [](Value lhs, Value rhs) { return getTile(lhs).getNumElements() > getTile(rhs).getNumElements(); });
  for (Value value : order)
    if (!getAssigned(value))
      assign(value, getDefaultLayout(value));
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

LogicalResult LayoutAssignment::decide(Operation *func, const ChipTarget &target) {
  as::collectLayoutRelations(func, *this);
  closeClasses();
  if (failed(assignProducts(target)))
    return failure();
  assignCopies();
  for (auto [tile, layout] : wishes)
    assign(tile, layout);
  assignAccesses();
  assignDefaults();
  chooseAccessLayouts();
  return success();
}

void LayoutAssignment::choose(Operation *op, as::OpLayouts &layouts) {
  if (auto it = productLayouts.find(op); it != productLayouts.end())
    as::setProductLayouts(cast<as::ProductOpInterface>(op), it->second, layouts);
  if (auto it = accessLayouts.find(op); it != accessLayouts.end())
    layouts.set(it->second.first, it->second.second);
}

} // namespace tileiras::layout
