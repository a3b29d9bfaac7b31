//===- AccumulatorMoves.cpp - To and from tensor memory -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccumulatorMoves.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "tileiras/Lowering/LoweringContext.h"

using namespace mlir;

namespace tileiras {

static void createStore(OpBuilder &builder, Location location, Value tile, Value place) {
  as::CopyOp::create(builder, location, Type(), tile, place,
                     as::AtomAttr::get(builder.getContext(), as::kTensorMemoryStore));
}

void moveOperands(const ColumnPlan &columns, const AccumulatorMemory &memory, const LoweringContext &lowering) {
  for (auto [product, range] : columns.operands) {
    const Location location = product.getLoc();
    OpBuilder builder(product);
    Value place = createTile(builder, location, product.getA().getType(), product.getAtom(), as::OperandAxis::A,
                             range.first, memory, lowering);
    // A product of the same web, or any, may still read what was there.
    if (std::optional<unsigned> web = memory.barriers.findWeb(product))
      emitWait(builder, location, product, *web, memory, lowering);
    else
      emitWait(builder, location, product, memory);
    createStore(builder, location, product.getA(), place);
    product.getAMutable().assign(place);
  }
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// The value in registers. Whether a product is still under way there is not known.
static Value loadValue(Value value, const AccumulatorWebs &webs, const AccumulatorMemory &memory,
                       const LoweringContext &lowering) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  emitWait(builder, value.getLoc(), &*builder.getInsertionPoint(), webs.getNumber(value), memory, lowering);
  return as::CopyOp::create(builder, value.getLoc(), value.getType(), value, Value(),
                            as::AtomAttr::get(builder.getContext(), as::kTensorMemoryLoad))
      .getResult();
}

/// Gives registers to all that uses the value, but what passes it on. A sum of a product that nothing uses is loaded,
/// too: the load waits for the product.
static void loadForUses(Value value, const AccumulatorWebs &webs, const AccumulatorMemory &memory,
                        const LoweringContext &lowering) {
  SmallVector<OpOperand *> others;
  for (OpOperand &use : value.getUses())
    if (!webs.isPassedOn(use))
      others.push_back(&use);
  if (others.empty() && (!value.use_empty() || !value.getDefiningOp<as::AsyncDotOp>()))
    return;
  Value loaded = loadValue(value, webs, memory, lowering);
  for (OpOperand *use : others)
    use->set(loaded);
}

/// What the load of `value` is multiplied by to be `tile`; null where that is not all that it is loaded for.
static Value findScaleOfLoad(Value value, Value tile) {
  for (Value factor : tile.getDefiningOp()->getOperands())
    if (auto load = factor.getDefiningOp<as::CopyOp>(); load && load.getSource() == value)
      return AccumulatorWebs::findScale(factor, tile);
  return {};
}

/// Scales what is in `place`, instead of a load, the multiplication `scaled` by `scale`, and a store.
static void scaleInPlace(OpBuilder &builder, Operation *user, Operation *scaled, Value scale, Value place) {
  Operation *load = scaled->getOperand(scaled->getOperand(0) == scale ? 1 : 0).getDefiningOp();
  as::ScaleTensorMemoryOp::create(builder, user->getLoc(), place, scale);
  user->replaceUsesOfWith(scaled->getResult(0), place);
  scaled->erase();
  load->erase();
}

/// Moves what `entry` takes to web `web`. `scaled`: the value of the web of which it is a multiple; null if of none.
static void enterWeb(OpOperand &entry, Value scaled, unsigned web, const AccumulatorMemory &memory,
                     const LoweringContext &lowering) {
  Operation *user = entry.getOwner();
  Value place = memory.tiles[web], tile = entry.get();
  OpBuilder builder(user);
  auto product = dyn_cast<as::AsyncDotOp>(user);
  const bool overwrites = product && product.getToken() && as::isZeroTile(tile); // Products with scales have none.
  Value scale = scaled ? findScaleOfLoad(scaled, tile) : Value();
  if (scale || !overwrites)
    emitWait(builder, user->getLoc(), user, web, memory, lowering);
  if (scale)
    scaleInPlace(builder, user, tile.getDefiningOp(), scale, place);
  else if (!overwrites)
    createStore(builder, user->getLoc(), tile, place);
  entry.set(place);
  if (overwrites) // Which moves the operands.
    product.getOverwritesMutable().assign(
        LLVM::ConstantOp::create(builder, product.getLoc(), builder.getI1Type(), builder.getBoolAttr(true)));
}

void moveAccumulators(const AccumulatorWebs &webs, const AccumulatorMemory &memory, const LoweringContext &lowering) {
  const llvm::MapVector<OpOperand *, Value> scaled = webs.findScaledEntries();
  // While all values still have the types of registers.
  for (Value value : webs.getValues())
    loadForUses(value, webs, memory, lowering);
  for (auto [number, web] : llvm::enumerate(webs.getWebs()))
    for (OpOperand *entry : web.entries)
      if (!webs.contains(entry->get()) || !webs.isPassedOn(*entry))
        enterWeb(*entry, scaled.lookup(entry), number, memory, lowering);
  for (auto [web, tile] : llvm::zip_equal(webs.getWebs(), memory.tiles))
    for (Value value : web.values)
      value.setType(tile.getType());
}

} // namespace tileiras
