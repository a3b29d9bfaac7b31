//===- CtaPlan.cpp - Which CTA has what of each tile -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CtaPlan.h"
#include "CarriedTiles.h"
#include "CtaAnchors.h"

using namespace mlir;

namespace tileiras::cluster {

CtaPlan::CtaPlan(aa::FuncOp func, unsigned numBits, unsigned mostRepeated)
    : func(func), numBits(numBits), mostRepeated(mostRepeated), copies(aa::CtaLayout::getCopies(numBits)) {
  for (Operation *op : collectOperations(func))
    if (std::optional<CtaRelation> relation = findRelation(op))
      relations.try_emplace(op, std::move(*relation));
  seed();
}

bool CtaPlan::usesBit(unsigned bit) const {
  return llvm::any_of(owns, [&](const auto &own) { return own.second.getDims()[bit] != aa::CtaLayout::kCopies; });
}

aa::CtaLayout CtaPlan::getOwn(Operation *op) const {
  auto found = owns.find(op);
  return found == owns.end() ? copies : found->second;
}

aa::CtaLayout CtaPlan::getLayout(Value tile) const {
  auto found = layouts.find(getRepresentative(tile));
  return found == layouts.end() ? copies : found->second;
}

//===----------------------------------------------------------------------===//
// Spreading
//===----------------------------------------------------------------------===//

void CtaPlan::seed() {
  for (Operation *anchor : collectAnchors(func, relations)) {
    if (owns.contains(anchor))
      continue;
    setOwn(anchor, chooseOwn(anchor, relations, numBits));
    propagate();
  }
}

void CtaPlan::propagate() {
  while (!worklist.empty()) {
    Value tile = worklist.front();
    worklist.pop_front();
    stepBackward(tile);
    stepForward(tile);
  }
}

void CtaPlan::setOwn(Operation *op, const aa::CtaLayout &own) {
  const CtaRelation &relation = relations.at(op);
  const aa::CtaLayout restricted = relation.restrict(op, own);
  if (!owns.try_emplace(op, restricted).second)
    return;
  for (OpResult result : op->getResults())
    if (getTile(result))
      setLayout(result, relation.getResultLayout(result.getResultNumber(), restricted));
  for (OpOperand &operand : op->getOpOperands())
    if (getTile(operand.get()))
      propose(operand.get(), relation.getOperandLayout(operand.getOperandNumber(), restricted));
}

void CtaPlan::setLayout(Value tile, const aa::CtaLayout &layout) {
  if (layouts.try_emplace(getRepresentative(tile), layout).second)
    worklist.push_back(getRepresentative(tile));
}

void CtaPlan::propose(Value tile, const aa::CtaLayout &layout) {
  Value representative = getRepresentative(tile);
  if (layouts.contains(representative))
    return;
  auto relation = relations.find(representative.getDefiningOp());
  if (relation == relations.end())
    return setLayout(representative, layout);
  const unsigned number = cast<OpResult>(representative).getResultNumber();
  // Copies of what is left of a dimension say nothing about it.
  if (layout.isSplit() || relation->second.isKnownBy(number))
    setOwn(relation->first, relation->second.fromResult(number, layout));
}

void CtaPlan::stepBackward(Value tile) {
  const aa::CtaLayout layout = layouts.at(tile);
  for (OpOperand *source : getSources(tile))
    propose(source->get(), layout);
}

void CtaPlan::stepForward(Value tile) {
  const aa::CtaLayout layout = layouts.at(tile);
  if (!layout.isSplit())
    return;
  for (Value value : getRepresented(tile)) {
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (Value target = getTargetOfUse(use)) {
        setLayout(target, layout);
        continue;
      }
      auto relation = relations.find(user);
      if (relation == relations.end() || owns.contains(user))
        continue;
      const aa::CtaLayout own =
          relation->second.restrict(user, relation->second.fromOperand(use.getOperandNumber(), layout));
      if (own.isSplit())
        setOwn(user, own);
    }
  }
}

//===----------------------------------------------------------------------===//
// Reconciling
//===----------------------------------------------------------------------===//

void CtaPlan::reconcile() {
  SmallVector<OpOperand *> uses;
  for (Operation *op : collectOperations(func))
    for (OpOperand &use : op->getOpOperands())
      if (getTile(use.get()))
        uses.push_back(&use);
  for (OpOperand *use : uses) {
    if (Value target = getTargetOfUse(*use))
      bring(*use, getLayout(target));
    else
      bring(*use, relations.at(use->getOwner()).getOperandLayout(use->getOperandNumber(), getOwn(use->getOwner())));
  }
}

void CtaPlan::bring(OpOperand &use, const aa::CtaLayout &wanted) {
  Value tile = use.get();
  const aa::CtaLayout layout = getLayout(tile);
  if (layout == wanted)
    return;
  unsigned budget = mostRepeated;
  if (Value repeated = repeat(tile, wanted, use.getOwner(), budget))
    return use.set(repeated);
  auto &known = brought[tile];
  for (auto &[to, value] : known)
    if (to == wanted)
      return use.set(value);
  OpBuilder builder(func.getContext());
  builder.setInsertionPointAfterValue(tile);
  Value exchanged = aa::ClusterExchangeOp::create(builder, tile.getLoc(), tile.getType(), tile, layout.getDims(),
                                                  wanted.getDims(), /*first=*/false);
  layouts.try_emplace(exchanged, wanted);
  known.push_back({wanted, exchanged});
  use.set(exchanged);
}

/// Makes `tile`, whose operands are cheap to make, too, again before `user`; null where that takes more than `budget`
/// operations.
Value CtaPlan::repeat(Value tile, const aa::CtaLayout &wanted, Operation *user, unsigned &budget) {
  if (getLayout(tile) == wanted)
    return tile;
  Operation *op = tile.getDefiningOp();
  if (!op || !isCheapToRepeat(op) || op->getNumResults() != 1 || budget == 0)
    return {};
  --budget;
  const CtaRelation relation = relations.at(op);
  const aa::CtaLayout own = relation.restrict(op, relation.fromResult(0, wanted));
  if (relation.getResultLayout(0, own) != wanted)
    return {};
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    Value repeated = operand.get();
    if (getTile(repeated))
      repeated = repeat(repeated, relation.getOperandLayout(operand.getOperandNumber(), own), user, budget);
    if (!repeated)
      return {};
    operands.push_back(repeated);
  }
  OpBuilder builder(user);
  Operation *again = builder.clone(*op);
  again->setOperands(operands);
  relations.try_emplace(again, relation);
  owns.try_emplace(again, own);
  layouts.try_emplace(again->getResult(0), wanted);
  return again->getResult(0);
}

} // namespace tileiras::cluster
