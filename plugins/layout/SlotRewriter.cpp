//===- SlotRewriter.cpp - Moves the stages of pipelines to memory ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SlotRewriter.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tileiras::layout {

//===----------------------------------------------------------------------===//
// Producers
//===----------------------------------------------------------------------===//

/// Behind what makes the value, so that it does not live longer than it must.
static void setInsertionPointBehind(OpBuilder &builder, Value value, Block &body) {
  Operation *op = value.getDefiningOp();
  if (op && op->getBlock() == &body)
    builder.setInsertionPointAfter(op);
  else
    builder.setInsertionPointToStart(&body);
}

static void fillSlots(as::PipelineRegionOpInterface producer) {
  Block &body = producer.getPipelineBody().front();
  Operation *yield = body.getTerminator();
  SmallVector<Value> values(yield->getOperands());
  if (values.empty())
    return;
  yield->setOperands({});
  if (body.getNumArguments() == 0)
    for (auto [type, value] : llvm::zip(producer.getPayload(), values))
      body.addArgument(type, value.getLoc());
  OpBuilder builder(producer.getContext());
  llvm::SetVector<Operation *> conversions;
  for (auto [slot, value] : llvm::zip(body.getArguments(), values)) {
    // A conversion that only brought the value into the payload's layout is not needed any more.
    auto conversion = value.getDefiningOp<as::ConvertLayoutOp>();
    Value source = conversion ? Value(conversion.getSource()) : value;
    setInsertionPointBehind(builder, source, body);
    as::CopyOp::create(builder, source.getLoc(), Type(), source, slot, as::AtomAttr::getAnyCopy(builder.getContext()));
    if (conversion)
      conversions.insert(conversion);
  }
  for (Operation *conversion : conversions)
    if (conversion->use_empty())
      conversion->erase();
}

//===----------------------------------------------------------------------===//
// Consumers
//===----------------------------------------------------------------------===//

/// The operand as the slot itself, seen as the operations on the way see the entry.
static Value seeThrough(OpBuilder &builder, Value slot, ArrayRef<Operation *> path) {
  for (Operation *op : path) {
    auto shape = dyn_cast<as::ShapeLayoutOpInterface>(op);
    if (!shape)
      continue;
    auto from = cast<RankedTensorType>(slot.getType());
    const LinearLayout layout = *shape.deriveResultLayout(cantFail(as::getSharedLayout(from)));
    Operation *now = builder.clone(*op);
    now->setOperand(0, slot);
    now->getResult(0).setType(as::getSharedType(getElementTypeOrSelf(op->getResult(0)), layout));
    slot = now->getResult(0);
  }
  return slot;
}

/// A tile, or a slot, in registers.
static void setRegisterOperand(as::DotOp product, Attribute layout) {
  OpBuilder builder(product);
  auto from = cast<RankedTensorType>(product.getA().getType());
  RankedTensorType type = from.cloneWithEncoding(layout);
  if (as::isMemoryTensor(from))
    product.getAMutable().set(as::CopyOp::create(builder, product.getLoc(), type, product.getA(), Value(),
                                                 as::AtomAttr::getAnyCopy(builder.getContext()))
                                  .getResult());
  else if (from != type)
    product.getAMutable().set(as::ConvertLayoutOp::create(builder, product.getLoc(), type, product.getA()));
}

/// The product reads the slot that the start of the path is a copy of.
static void readInPlace(ProductUse &use, const WarpgroupProduct &chosen) {
  if (use.isScale && !chosen.scalesInMemory)
    return;
  OpBuilder builder(use.product);
  Value entry = use.path.empty() ? use.getOperand().get() : use.path.front()->getOperand(0);
  use.getOperand().set(seeThrough(builder, entry.getDefiningOp<as::CopyOp>().getSource(), use.path));
  use.product.setAtomAttr(as::AtomAttr::get(use.product.getContext(), chosen.atom->name));
  as::setAccumulator(use.product, chosen.c);
  if (!chosen.scalesInMemory)
    as::setScales(use.product, chosen.scales);
  const bool isEntryA = chosen.placeA != as::OperandPlace::Registers;
  if (chosen.a && !use.isScale && isEntryA == (use.axis == as::OperandAxis::A))
    setRegisterOperand(use.product, chosen.a);
}

static void moveReads(PipelineEntry &entry, const ProductChoices &products) {
  // At first everybody reads a copy in registers.
  llvm::SetVector<Operation *> perhapsDead;
  for (BlockArgument slot : entry.arguments) {
    OpBuilder builder = OpBuilder::atBlockBegin(slot.getOwner());
    auto copy = as::CopyOp::create(builder, slot.getLoc(), entry.type, slot, Value(),
                                   as::AtomAttr::getAnyCopy(builder.getContext()));
    slot.replaceAllUsesExcept(copy.getResult(), copy);
    perhapsDead.insert(copy);
  }
  for (ProductUse &use : entry.products)
    if (const WarpgroupProduct *chosen = products.find(use.product)) {
      readInPlace(use, *chosen);
      perhapsDead.insert_range(use.path);
    }
  for (Operation *op : llvm::reverse(perhapsDead))
    if (op->use_empty())
      op->erase();
}

void moveToMemory(PipelineGroup &group, ArrayRef<as::SharedAttr> encodings, const ProductChoices &products) {
  SmallVector<Type> payload;
  for (auto [entry, encoding] : llvm::zip(group.entries, encodings))
    payload.push_back(entry.type.cloneWithEncoding(encoding));
  const int64_t stages = group.pipeline.getPipeline().getType().getStages();
  as::setPipelineType(group.pipeline, as::PipelineType::get(group.pipeline.getContext(), stages, payload));
  for (as::PipelineRegionOpInterface producer : group.producers)
    fillSlots(producer);
  // Each goes in front of what is there: from the last to the first.
  for (PipelineEntry &entry : llvm::reverse(group.entries))
    moveReads(entry, products);
}

} // namespace tileiras::layout
