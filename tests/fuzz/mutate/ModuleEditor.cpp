//===- ModuleEditor.cpp - A module under change, and choices in it ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleEditor.h"
#include "Edits.h"

using namespace mlir;
using namespace tileiras::fuzz;
namespace ct = tileiras::cuda_tile;

SmallVector<Operation *> ModuleEditor::listOps(ct::ModuleOp from) {
  SmallVector<Operation *> ops;
  from.walk([&](Operation *op) {
    if (op != from)
      ops.push_back(op);
  });
  return ops;
}

Operation *ModuleEditor::pickOp(ct::ModuleOp from) {
  SmallVector<Operation *> ops = listOps(from);
  return ops.empty() ? nullptr : ops[random.below(ops.size())];
}

Operation *ModuleEditor::pickOpWhere(llvm::function_ref<bool(Operation *)> isWanted) {
  SmallVector<Operation *> ops = listOps(module);
  llvm::erase_if(ops, [&](Operation *op) { return !isWanted(op); });
  return ops.empty() ? nullptr : ops[random.below(ops.size())];
}

Value ModuleEditor::pickValue(Operation *at, Type type, Operation *except) {
  SmallVector<Value> values;
  auto add = [&](auto range) {
    for (Value value : range)
      if (value.getType() == type)
        values.push_back(value);
  };
  for (Operation *op = at; op && op->getBlock() && !isa<ct::EntryOp, ct::GlobalOp>(op); op = op->getParentOp()) {
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      if (before != except)
        add(before->getResults());
    add(op->getBlock()->getArguments());
  }
  return values.empty() ? Value() : values[random.below(values.size())];
}

Value ModuleEditor::pickOrMakeValue(Operation *at, Type type) {
  if (Value value = random.chance(75) ? pickValue(at, type) : Value())
    return value;
  OpBuilder builder(at);
  Value made = random.chance(50) ? makeEdgeConstant(at, type) : Value();
  if (!made)
    made = makeStandIn(builder, at->getLoc(), type);
  return made ? made : pickValue(at, type);
}

Attribute tileiras::fuzz::pickEdge(Type type, Random &random) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    auto number = [&](uint64_t bits) { return APInt(width, bits, /*isSigned=*/false, /*implicitTrunc=*/true); };
    return IntegerAttr::get(
        type, random.pick({number(0), number(1), number(2), number(~uint64_t(0)), APInt::getSignedMinValue(width),
                           APInt::getSignedMaxValue(width), number(width - 1), number(width), number(width + 1),
                           number(uint64_t(1) << 31), number((uint64_t(1) << 31) - 1), number(uint64_t(1) << 32),
                           number(pickNumber(random))}));
  }
  auto number = dyn_cast<FloatType>(type);
  if (!number)
    return {};
  const llvm::fltSemantics &semantics = number.getFloatSemantics();
  SmallVector<APFloat> edges{APFloat::getSmallest(semantics), APFloat::getSmallestNormalized(semantics),
                             APFloat::getLargest(semantics), APFloat::getOne(semantics)};
  if (APFloat::semanticsHasZero(semantics))
    edges.push_back(APFloat::getZero(semantics));
  if (APFloat::semanticsHasSignedRepr(semantics)) {
    edges.push_back(APFloat::getLargest(semantics, /*Negative=*/true));
    edges.push_back(APFloat::getSmallest(semantics, /*Negative=*/true));
    edges.push_back(APFloat::getZero(semantics, /*Negative=*/true));
  }
  if (APFloat::semanticsHasInf(semantics)) {
    edges.push_back(APFloat::getInf(semantics));
    edges.push_back(APFloat::getInf(semantics, /*Negative=*/true));
  }
  if (APFloat::semanticsHasNaN(semantics))
    edges.push_back(APFloat::getNaN(semantics));
  return FloatAttr::get(type, random.pick(llvm::ArrayRef<APFloat>(edges)));
}

Value ModuleEditor::makeEdgeConstant(Operation *at, Type type) {
  auto tile = dyn_cast<ct::TileType>(type);
  Attribute edge = tile ? pickEdge(tile.getElementType(), random) : Attribute();
  if (!edge)
    return {};
  OpBuilder builder(at);
  return ct::ConstantOp::create(builder, at->getLoc(), tile,
                                cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(tile, edge)));
}

Attribute ModuleEditor::findAttribute(llvm::StringRef name) {
  SmallVector<Attribute> found;
  for (ct::ModuleOp from : {module, donor})
    if (from)
      from.walk([&](Operation *op) {
        if (Attribute attribute = op->getAttr(name))
          found.push_back(attribute);
      });
  Attribute fresh = createAttribute(context, name, random);
  if (found.empty() || (fresh && random.chance(30)))
    return fresh;
  return found[random.below(found.size())];
}

void ModuleEditor::useSoon(Operation *op) {
  SmallVector<OpOperand *> uses;
  for (Operation *after = op->getNextNode(); after; after = after->getNextNode())
    for (OpOperand &operand : after->getOpOperands())
      if (llvm::is_contained(op->getResultTypes(), operand.get().getType()))
        uses.push_back(&operand);
  if (uses.empty())
    return;
  OpOperand *use = uses[random.below(uses.size())];
  for (Value result : op->getResults())
    if (result.getType() == use->get().getType())
      return use->set(result);
}

void tileiras::fuzz::fillDefaults(Operation *op) {
  if (OpaqueProperties properties = op->getPropertiesStorage())
    op->getName().populateDefaultProperties(properties);
}
