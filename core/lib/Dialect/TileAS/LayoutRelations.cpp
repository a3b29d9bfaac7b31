//===- LayoutRelations.cpp - Operations and layout assignment -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/LayoutRelations.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

#include "tileiras/Dialect/TileAS/LayoutInterfaces.cpp.inc"

bool as::isTile(Value value) {
  return isa<RankedTensorType>(value.getType()) && !isMemoryTensor(value.getType());
}

as::LayoutRelations::~LayoutRelations() = default;

Attribute as::LayoutEncoder::encode(const LinearLayout &layout) {
  auto [it, isNew] = known.try_emplace(layout);
  if (isNew)
    it->second = LinearAttr::get(context, layout);
  return it->second;
}

as::OpLayouts::OpLayouts(Operation *op, LayoutEncoder &encoder)
    : operands(op->getNumOperands()), results(op->getNumResults()), isFree(op->getNumOperands(), false), op(op),
      encoder(encoder) {}

static LinearLayout toLinear(Attribute layout, Value tile) {
  return cast<DistributedLayoutAttrInterface>(layout).toLinearLayout(cast<RankedTensorType>(tile.getType()).getShape());
}

LinearLayout as::OpLayouts::getOperandLayout(unsigned i) const {
  return toLinear(operands[i], op->getOperand(i));
}

LinearLayout as::OpLayouts::getResultLayout(unsigned i) const {
  return toLinear(results[i], op->getResult(i));
}

void as::OpLayouts::set(Value tile, Attribute layout) {
  if (tile.getDefiningOp() == op)
    results[cast<OpResult>(tile).getResultNumber()] = layout;
  else
    operands[llvm::find(op->getOperands(), tile).getIndex()] = layout;
}

void as::OpLayouts::takeAnyOperands() {
  llvm::fill(operands, Attribute());
}

void as::OpLayouts::setAll(Attribute layout) {
  for (auto [value, chosen] : llvm::zip(op->getOperands(), operands))
    if (isTile(value))
      chosen = layout;
  for (auto [value, chosen] : llvm::zip(op->getResults(), results))
    if (isTile(value))
      chosen = layout;
}
