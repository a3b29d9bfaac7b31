//===- ExtentChanges.cpp - Other types, everywhere alike -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleEditor.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace tileiras::fuzz;
namespace ct = tileiras::cuda_tile;

/// Changes the types of results, arguments and attributes of the operations. False if a type has no such change.
static bool applyTo(llvm::ArrayRef<Operation *> ops, const TypeChange &change) {
  auto changeValue = [&](Value value) {
    Type changed = change.apply(value.getType());
    if (changed)
      value.setType(changed);
    return changed != nullptr;
  };
  for (Operation *op : ops) {
    if (!llvm::all_of(op->getResults(), changeValue))
      return false;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!llvm::all_of(block.getArguments(), changeValue))
          return false;
    for (NamedAttribute attribute : llvm::to_vector(op->getAttrs())) {
      Attribute changed = change.apply(attribute.getValue());
      if (!changed)
        return false;
      if (changed != attribute.getValue())
        op->setAttr(attribute.getName(), changed);
    }
    fillDefaults(op);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Some change of the types in the module.
static TypeChange pickTypeChange(llvm::ArrayRef<Type> types, MLIRContext *context, Random &random) {
  TypeChange change;
  Type type = types[random.below(types.size())];
  auto tile = dyn_cast<ct::TileType>(type);
  if (!tile) {
    change.from = type;
    change.to = mutateView(type, random);
  } else if (tile.getRank() == 0 || random.chance(50)) {
    change.from = tile.getElementType();
    auto pointer = dyn_cast<ct::PointerType>(tile.getElementType());
    if (pointer)
      change.from = pointer.getPointeeType();
    change.to = pickElementType(context, random);
  } else {
    change.fromSize = tile.getDimSize(static_cast<unsigned>(random.below(static_cast<uint64_t>(tile.getRank()))));
    change.toSize = int64_t(1) << random.below(9);
  }
  return change;
}

static SmallVector<Type> listTypes(llvm::ArrayRef<Operation *> ops) {
  SmallVector<Type> types;
  for (Operation *op : ops)
    for (Type type : op->getResultTypes())
      if (!isa<ct::TokenType>(type))
        types.push_back(type);
  return types;
}

/// An element type, a view or a size: everywhere in the module at once, or in the results of one operation.
static bool changeTypes(ModuleEditor &editor) {
  SmallVector<Operation *> ops = editor.listOps(editor.module);
  SmallVector<Type> types = listTypes(ops);
  if (types.empty())
    return false;
  TypeChange change = pickTypeChange(types, editor.context, editor.random);
  if (!change.from && change.fromSize == change.toSize)
    return false;
  if (change.from && (!change.to || change.from == change.to))
    return false;
  if (editor.random.chance(20))
    ops = {ops[editor.random.below(ops.size())]};
  return applyTo(ops, change);
}

/// One size of tiles is doubled or halved wherever it occurs.
static bool scaleTiles(ModuleEditor &editor) {
  SmallVector<Operation *> ops = editor.listOps(editor.module);
  SmallVector<int64_t> sizes;
  for (Type type : listTypes(ops))
    if (auto tile = dyn_cast<ct::TileType>(type))
      llvm::append_range(sizes, tile.getShape());
  if (sizes.empty())
    return false;
  TypeChange change;
  change.fromSize = sizes[editor.random.below(sizes.size())];
  change.toSize = editor.random.chance(50) ? 2 * change.fromSize : change.fromSize / 2;
  return change.toSize > 0 && applyTo(ops, change);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// A size or stride of a tensor, by its number among the sizes, then the strides.
static int64_t &getExtent(MutableArrayRef<int64_t> shape, MutableArrayRef<int64_t> strides, size_t number) {
  return number < shape.size() ? shape[number] : strides[number - shape.size()];
}

/// Puts an operand in, or takes one out, where a list of extents has become another in its entry `index`.
static void changeOperands(MutableOperandRange operands, llvm::ArrayRef<int64_t> before, size_t index, Value made) {
  SmallVector<Value> values(OperandRange(operands).begin(), OperandRange(operands).end());
  auto at = values.begin() + llvm::count(before.take_front(index), ct::TensorViewType::kDynamic);
  if (made)
    values.insert(at, made);
  else
    values.erase(at);
  operands.assign(values);
}

/// An extent of a tensor becomes dynamic, with its value as an operand, or a number. All tensors of the type change.
static bool changeExtent(ModuleEditor &editor) {
  auto picked = cast_or_null<ct::MakeTensorViewOp>(editor.pickOpOf<ct::MakeTensorViewOp>());
  if (!picked || picked.getType().getRank() == 0)
    return false;
  Random &random = editor.random;
  ct::TensorViewType from = picked.getType();
  SmallVector<int64_t> shape(from.getShape()), strides(from.getStrides());
  size_t number = random.below(shape.size() + strides.size());
  int64_t &extent = getExtent(shape, strides, number);
  const bool becomesDynamic = extent != ct::TensorViewType::kDynamic;
  const int64_t value = extent;
  extent = becomesDynamic ? ct::TensorViewType::kDynamic
           : random.chance(60)
               ? int64_t(1) << random.below(13)
               : random.pick<int64_t>({1, 3, 1000, INT32_MAX, int64_t(1) << 31, (int64_t(1) << 31) + 512,
                                       int64_t(1) << 32, int64_t(1) << 40, INT64_MAX});
  TypeChange change;
  change.from = from;
  change.to = ct::TensorViewType::getChecked([&] { return emitError(picked.getLoc()); }, editor.context,
                                             from.getElementType(), llvm::ArrayRef<int64_t>(shape),
                                             llvm::ArrayRef<int64_t>(strides), from.getPtrAttr());
  if (!change.to)
    return false;
  // Tensors come of nothing else but this operation: no argument and no branch has their type.
  SmallVector<Operation *> ops = editor.listOps(editor.module);
  for (Operation *op : ops) {
    auto make = dyn_cast<ct::MakeTensorViewOp>(op);
    if (!make || make.getType() != from)
      continue;
    Value made;
    if (becomesDynamic) {
      OpBuilder builder(make);
      Type index = make->getNumOperands() > 1
                       ? make->getOperand(1).getType()
                       : Type(ct::TileType::get({}, builder.getIntegerType(value > INT32_MAX ? 64 : 32)));
      auto tile = cast<ct::TileType>(index);
      APInt bits(tile.getElementTypeBitWidth(), static_cast<uint64_t>(value), /*isSigned=*/false,
                 /*implicitTrunc=*/true);
      made = ct::ConstantOp::create(
          builder, make.getLoc(), tile,
          cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(tile, IntegerAttr::get(tile.getElementType(), bits))));
    }
    bool isSize = number < shape.size();
    changeOperands(isSize ? make.getDynamicShapeMutable() : make.getDynamicStridesMutable(),
                   isSize ? from.getShape() : from.getStrides(), isSize ? number : number - shape.size(), made);
  }
  return applyTo(ops, change);
}

/// A size, stride or index that is only known at run time becomes an edge, or another value of the kernel.
static bool changeDynamicExtent(ModuleEditor &editor) {
  SmallVector<OpOperand *> extents;
  editor.module.walk([&](Operation *op) {
    bool isView = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<ct::TileViewInterface>);
    for (OpOperand &operand : op->getOpOperands()) {
      auto tile = dyn_cast<ct::TileType>(operand.get().getType());
      if (tile && tile.getRank() == 0 && isa<IntegerType>(tile.getElementType()) &&
          (isView || isa<ct::MakeTensorViewOp>(op)))
        extents.push_back(&operand);
    }
  });
  if (extents.empty())
    return false;
  OpOperand *extent = extents[editor.random.below(extents.size())];
  Value value = editor.pickOrMakeValue(extent->getOwner(), extent->get().getType());
  if (!value || value == extent->get())
    return false;
  extent->set(value);
  return true;
}

llvm::ArrayRef<ChangeKind> tileiras::fuzz::getExtentChanges() {
  static constexpr ChangeKind kinds[] = {{"types", 4, changeTypes},
                                         {"tile-size", 5, scaleTiles},
                                         {"static-extent", 4, changeExtent},
                                         {"dynamic-extent", 3, changeDynamicExtent}};
  return kinds;
}
