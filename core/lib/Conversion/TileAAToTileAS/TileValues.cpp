//===- TileValues.cpp - Values in the layout a user needs -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;

static as::TiledViewType convertView(aa::TiledViewType view) {
  SmallVector<int64_t> steps;
  SmallVector<int32_t> dimMap(view.getDimMap());
  for (int32_t d = 0; d < view.getRank(); ++d) {
    steps.push_back(view.getStep(d));
    if (view.getDimMap().empty())
      dimMap.push_back(d);
  }
  return as::TiledViewType::get(view.getContext(), view.getTileShape(), view.getSource(), steps, dimMap,
                                view.getSparseDim());
}

Type TileValues::convertType(Type type, Attribute layout) {
  return TypeSwitch<Type, Type>(type)
      .Case(
          [&](RankedTensorType tile) { return RankedTensorType::get(tile.getShape(), tile.getElementType(), layout); })
      .Case([](aa::TiledViewType view) { return convertView(view); })
      .Case([](aa::MemTokenType token) { return as::MemTokenType::get(token.getContext()); })
      .Default([](Type other) { return other; });
}

Attribute TileValues::getLayout(Value original) const {
  auto tile = dyn_cast<RankedTensorType>(original.getType());
  if (!tile)
    return {};
  Attribute assigned = layouts.getLayout(original);
  return assigned ? assigned : layouts.getDefaultLayout(tile);
}

Value TileValues::rematerialize(OpBuilder &builder, Value original, Attribute layout) {
  Value &cached = remade[{{original, layout}, builder.getInsertionBlock()}];
  if (cached)
    return cached;
  auto type = cast<RankedTensorType>(convertType(original.getType(), layout));
  Location loc = original.getLoc();
  cached =
      TypeSwitch<Operation *, Value>(original.getDefiningOp())
          .Case([&](arith::ConstantOp constant) {
            auto elements = cast<DenseElementsAttr>(constant.getValue());
            return arith::ConstantOp::create(builder, loc, elements.reshape(type));
          })
          .Case([&](ub::PoisonOp poison) { return ub::PoisonOp::create(builder, loc, type, poison.getValueAttr()); })
          .Case([&](aa::SplatOp splat) {
            return as::SplatOp::create(builder, loc, type, get(builder, splat.getSource()));
          })
          .Case([&](aa::MakeRangeOp) { return as::MakeRangeOp::create(builder, loc, type); });
  return cached;
}

Value TileValues::get(OpBuilder &builder, Value original) {
  if (isRematerializable(original))
    return rematerialize(builder, original, getLayout(original));
  if (isa<RankedTensorType>(original.getType()))
    return get(builder, original, getLayout(original));
  return current.lookup(original);
}

Value TileValues::getAny(OpBuilder &builder, Value original) {
  return isRematerializable(original) ? get(builder, original) : current.lookup(original);
}

Value TileValues::get(OpBuilder &builder, Value original, Attribute layout) {
  if (isRematerializable(original))
    return rematerialize(builder, original, layout);
  Value value = current.lookup(original);
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getEncoding() == layout)
    return value;
  Value &cached = converted[{original, layout}];
  if (!cached) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(value);
    cached = as::ConvertLayoutOp::create(builder, original.getLoc(), convertType(type, layout), value);
  }
  return cached;
}
