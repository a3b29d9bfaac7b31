//===- ScaleColumns.cpp - Scales in tensor memory -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScaleColumns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Dialect/TileAA/BlockScale.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"

using namespace mlir;

namespace tileiras {

void ScaleColumns::open(as::DotOp product) {
  int64_t &columns = places[getScopeRegion(product)].columns;
  columns = std::max(columns, as::countScaleColumns(getMmaQuery(product)));
  OpBuilder builder(product);
  auto started =
      as::AsyncDotOp::create(builder, product.getLoc(), product.getType(), /*token=*/Type(), product.getA(),
                             product.getB(), product.getC(), product.getAtomAttr(), product.getSignednessAAttr(),
                             product.getSignednessBAttr(), product.getFastAcc(), product.getNegate(),
                             /*cta_pair=*/false, /*overwrites=*/Value(), /*scale_a=*/Value(), /*scale_b=*/Value(),
                             /*scale_columns=*/Value());
  products.push_back(
      {started, product.getScaleA(), product.getScaleB(), product.getPacked(), product.getPositiveScales()});
  product.replaceAllUsesWith(started.getResult());
  product.erase();
}

void ScaleColumns::allocate(SharedArena &arena, Lifetime whole) {
  for (auto &[scope, place] : places)
    place.first = arena.allocate(place.columns, as::kScaleAlignment, whole);
  for (CopyingProduct &product : copying)
    product.first = arena.allocate(as::countScaleColumns(product.op) * product.sets, as::kScaleAlignment, whole);
}

bool ScaleColumns::shareSets() {
  bool isChanged = false;
  for (CopyingProduct &product : copying)
    isChanged |= std::exchange(product.sets, 1) != 1;
  return isChanged;
}

void ScaleColumns::setColumns(const CopyingProduct &product, Value base,
                              llvm::function_ref<void(OpBuilder &, Operation *)> emitWait) const {
  as::AsyncDotOp op = product.op;
  const Location location = op.getLoc();
  OpBuilder builder(op);
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(builder, location, builder.getI32IntegerAttr(value));
  };
  Value columns = arith::AddIOp::create(builder, location, base, constant(product.first));
  if (product.sets == 1) {
    emitWait(builder, op);
  } else {
    Value stage = as::StageNumberOp::create(builder, location, builder.getI32Type(), as::findStageIterator(op));
    Value offset = arith::MulIOp::create(builder, location, stage, constant(as::countScaleColumns(op)));
    columns = arith::AddIOp::create(builder, location, columns, offset);
  }
  op.getScaleColumnsMutable().assign(columns);
}

void ScaleColumns::replaceProducts(Value base, llvm::function_ref<void(OpBuilder &, Operation *)> emitWait) const {
  for (const CopyingProduct &product : copying)
    setColumns(product, base, emitWait);
  for (const Product &product : products) {
    as::AsyncDotOp op = product.op;
    OpBuilder builder(op);
    auto stored = as::StoreScalesOp::create(builder, op.getLoc(), product.scaleA, product.scaleB, base,
                                            int32_t(places.lookup(getScopeRegion(op)).first));
    auto mma = as::BlockScaledMmaOp::create(builder, op.getLoc(), op.getA(), product.scaleA, op.getB(), product.scaleB,
                                            op.getC(), stored.getStored(), stored.getNegative(), op.getAtomAttr());
    stored.setPositiveScales(product.hasPositiveScales);
    mma.setPositiveScales(product.hasPositiveScales);
    mma.setPacked(product.isPacked);
    emitWait(builder, mma);
    op.getResult().replaceAllUsesWith(op.getC());
    op.erase();
  }
}

} // namespace tileiras
