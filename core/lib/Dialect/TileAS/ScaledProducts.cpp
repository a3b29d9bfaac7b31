//===- ScaledProducts.cpp - Products whose scales go to tensor memory -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "tileiras/Target/Target.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

LinearAttr as::getScaleLayout(MLIRContext *context, OperandAxis axis, int64_t extent, int64_t blocks,
                              int64_t numWarps) {
  const unsigned dimOfMn = axis == OperandAxis::A ? 0 : 1;
  int64_t extents[2];
  extents[dimOfMn] = extent;
  extents[1 - dimOfMn] = blocks;
  LinearLayout layout(extents);
  auto add = [&](LayoutDim dim, int64_t mn, int64_t block) {
    LinearLayout::Basis basis(layout.getRank(), 0);
    basis[dimOfMn] = mn;
    basis[1 - dimOfMn] = block;
    layout.addBasis(dim, basis);
  };
  for (int64_t block = 1; block < std::min(blocks, kScalesOfWord); block *= 2)
    add(LayoutDim::Register, 0, block);
  for (int64_t mn = kRowsOfScaleColumn; mn < extent; mn *= 2)
    add(LayoutDim::Register, mn, 0);
  for (int64_t block = kScalesOfWord; block < blocks; block *= 2)
    add(LayoutDim::Register, 0, block);
  for (int64_t mn = 1; mn < kRowsOfScaleColumn; mn *= 2)
    add(LayoutDim::Lane, mn < extent ? mn : 0, 0);
  for (int64_t warp = 1; warp < numWarps; warp *= 2)
    add(LayoutDim::Warp, 0, 0);
  return LinearAttr::get(context, layout);
}

bool as::areScaleBlocks(RankedTensorType scales, unsigned mnDim) {
  llvm::Expected<LinearLayout> layout = getSharedLayout(scales);
  if (!layout) {
    llvm::consumeError(layout.takeError());
    return false;
  }
  return isScaleBlocks(*layout, mnDim);
}

int64_t as::countScaleColumns(int64_t extent, int64_t blocks) {
  // Instructions work on 128 rows, or columns as if there were so many.
  return std::max<int64_t>(4, llvm::divideCeil(extent, kRowsOfScaleColumn)) * llvm::divideCeil(blocks, kScalesOfWord);
}

int64_t as::countScaleColumns(const MmaQuery &query) {
  const int64_t blocks = query.k / query.scaleBlock;
  const int64_t columns = countScaleColumns(query.m, blocks) + countScaleColumns(query.n, blocks);
  return isa<Float8E4M3FNType>(query.elementScale) ? 2 * columns : columns;
}

int64_t as::countScaleColumns(AsyncDotOp product) {
  if (!product.isBlockScaled())
    return 0;
  const MmaQuery query = getMmaQuery(product);
  const int64_t blocks = query.k / query.scaleBlock;
  return countScaleColumns(query.m, blocks) + countScaleColumns(query.n, blocks);
}

Value as::findStageIterator(AsyncDotOp product) {
  return llvm::TypeSwitch<Operation *, Value>(product->getParentOp())
      .Case<ConsumeOneOp, ConsumerReadOp>([](auto stage) { return stage.getIterator(); })
      .Default(Value());
}

int64_t as::countScaleSets(AsyncDotOp product) {
  Value iterator = findStageIterator(product);
  return iterator ? cast<IteratorType>(iterator.getType()).getStages() : 1;
}

void as::setAccumulator(DotOp product, Attribute layout) {
  RankedTensorType around = product.getType(), type = around.cloneWithEncoding(layout);
  if (around == type)
    return;
  OpBuilder builder(product);
  Value c = skipConversions(product.getC());
  if (c.getType() != type)
    c = ConvertLayoutOp::create(builder, product.getLoc(), type, c);
  product.getCMutable().set(c);
  product.getResult().setType(type);
  builder.setInsertionPointAfter(product);
  auto back = ConvertLayoutOp::create(builder, product.getLoc(), around, product.getResult());
  product.getResult().replaceAllUsesExcept(back.getResult(), back);
}

void as::setScales(DotOp product, const ProductLayouts &chosen) {
  if (!product.isBlockScaled() || product.hasScalesInMemory())
    return;
  OpBuilder builder(product);
  auto convert = [&](OpOperand &scales, Attribute layout) {
    Value source = skipConversions(scales.get());
    auto type = cast<RankedTensorType>(source.getType()).cloneWithEncoding(layout);
    scales.set(source.getType() == type ? source
                                        : ConvertLayoutOp::create(builder, product.getLoc(), type, source).getResult());
  };
  convert(*product.getScaleAMutable().begin(), chosen.scaleA);
  convert(*product.getScaleBMutable().begin(), chosen.scaleB);
}
