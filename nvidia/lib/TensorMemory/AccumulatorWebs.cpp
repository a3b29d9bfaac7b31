//===- AccumulatorWebs.cpp - Values that are one accumulator --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccumulatorWebs.h"
#include "AccumulatorContents.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAS/CarriedValues.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;

namespace tileiras {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

AccumulatorWebs::AccumulatorWebs(Operation *function, ArrayRef<as::AsyncDotOp> all, ArrayRef<OpResult> inRegisters)
    : function(function), excluded(inRegisters.begin(), inRegisters.end()) {
  for (as::AsyncDotOp product : all)
    products.insert(product);
  collect();
}

bool AccumulatorWebs::startsProduct(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return products.contains(user) && cast<as::AsyncDotOp>(user).getC() == value;
  });
}

/// Returns whether the results of `op` add anything.
bool AccumulatorWebs::grow(Operation *op) {
  bool grows = false;
  if (auto wait = dyn_cast<as::AsyncFutureWaitOp>(op)) {
    for (auto [value, result] : llvm::zip_equal(wait.getValues(), wait.getResults()))
      if (contains(value))
        grows |= values.insert(result);
    return grows;
  }
  if (!isa<scf::ForOp, scf::IfOp>(op) && !as::isRead(op))
    return false;
  for (OpResult result : op->getResults()) {
    if (excluded.contains(result))
      continue;
    auto loop = dyn_cast<scf::ForOp>(op);
    Value variable = loop ? Value(loop.getRegionIterArg(result.getResultNumber())) : Value();
    const SmallVector<Value> sources = as::findSources(result);
    if (llvm::any_of(sources, [&](Value source) { return contains(source); }) ||
        (variable && startsProduct(variable))) {
      grows |= values.insert(result);
      if (variable)
        grows |= values.insert(variable);
    }
  }
  return grows;
}

void AccumulatorWebs::collect() {
  values.clear();
  function->walk([&](as::AsyncDotOp product) {
    if (products.contains(product))
      values.insert(product.getResult());
  });
  for (bool grows = true; grows;) {
    grows = false;
    function->walk([&](Operation *op) { grows |= grow(op); });
  }
  apart.clear();
  findShortLived();
  do
    join();
  while (findConflicts());
}

Value AccumulatorWebs::getNext(OpOperand &use) const {
  Value next = as::getCarried(use);
  if (auto product = dyn_cast<as::AsyncDotOp>(use.getOwner());
      product && products.contains(product) && &use == &product.getCMutable())
    next = product.getResult();
  else if (auto wait = dyn_cast<as::AsyncFutureWaitOp>(use.getOwner()); wait && use.getOperandNumber() != 0)
    next = wait.getResults()[use.getOperandNumber() - 1];
  return next && contains(next) ? next : Value();
}

/// Element by element, as instructions round by default.
static bool isProductOfFloats(Operation *op) {
  if (!op || op->getNumResults() != 1 || !getElementTypeOrSelf(op->getResult(0)).isF32())
    return false;
  auto rounded = dyn_cast<aa::MulFOp>(op);
  return isa<arith::MulFOp>(op) ||
         (rounded && rounded.getRounding() == aa::RoundingMode::NearestEven && !rounded.getFtz());
}

Value AccumulatorWebs::findScale(Value value, Value tile) {
  Operation *product = tile.getDefiningOp();
  if (!value.hasOneUse() || !isProductOfFloats(product) || !product->hasOneUse() ||
      !getElementTypeOrSelf(tile.getType()).isF32())
    return {};
  for (unsigned i : {0, 1})
    if (product->getOperand(i) == value)
      return product->getOperand(1 - i);
  return {};
}

bool AccumulatorWebs::isPassedOn(OpOperand &use) const {
  return contains(use.get()) && !apart.contains(use.get()) && getNext(use);
}

/// Something between `value` and `user`, which is nested deeper, runs several times, or beside others.
static bool isRepeated(Value value, Operation *user) {
  for (Region *region = user->getParentRegion(); region != value.getParentRegion();
       region = region->getParentOp()->getParentRegion())
    if (isa<LoopLikeOpInterface, as::ExecutionScopeOpInterface>(region->getParentOp()))
      return true;
  return false;
}

OpOperand *AccumulatorWebs::findScaledEntry(Value value) const {
  if (apart.contains(value) || copied.contains(value) || !value.hasOneUse())
    return nullptr;
  Operation *user = *value.getUsers().begin();
  if (user->getNumResults() != 1 || !findScale(value, user->getResult(0)))
    return nullptr;
  OpOperand &use = *user->getResult(0).use_begin();
  return getNext(use) && !isRepeated(value, use.getOwner()) ? &use : nullptr;
}

llvm::MapVector<OpOperand *, Value> AccumulatorWebs::findScaledEntries() const {
  llvm::MapVector<OpOperand *, Value> entries;
  for (Value value : values)
    if (OpOperand *entry = findScaledEntry(value))
      entries.insert({entry, value});
  return entries;
}

/// Values that are taken over more than once.
void AccumulatorWebs::findShortLived() {
  for (Value value : values) {
    unsigned count = 0;
    bool repeats = false;
    for (OpOperand &use : value.getUses())
      if (getNext(use)) {
        ++count;
        repeats |= isRepeated(value, use.getOwner());
      }
    if (count > 1 || repeats)
      apart.insert(value);
  }
}

//===----------------------------------------------------------------------===//
// Webs
//===----------------------------------------------------------------------===//

void AccumulatorWebs::join() {
  llvm::EquivalenceClasses<const void *> classes;
  auto unite = [&](Value a, Value b) { classes.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer()); };
  for (Value value : values) {
    classes.insert(value.getAsOpaquePointer());
    if (OpResult result = as::getLoopResult(value))
      unite(value, result);
    for (OpOperand &use : value.getUses())
      if (isPassedOn(use))
        unite(value, getNext(use));
  }
  for (auto [entry, value] : findScaledEntries())
    unite(value, getNext(*entry));
  webs.clear();
  numbers.clear();
  llvm::DenseMap<const void *, unsigned> leaders;
  for (Value value : values) {
    auto [it, isNew] = leaders.insert({classes.getLeaderValue(value.getAsOpaquePointer()), webs.size()});
    if (isNew)
      webs.push_back({cast<RankedTensorType>(value.getType()), {}, {}, {}});
    webs[it->second].values.push_back(value);
    numbers[value] = it->second;
  }
  function->walk([&](Operation *op) {
    for (OpOperand &use : op->getOpOperands())
      if (Value next = getNext(use)) {
        Web &web = webs[numbers.lookup(next)];
        web.entries.push_back(&use);
        web.operations.push_back(op);
      }
  });
  // A use that passes the value on may be of an operation behind the one that makes it.
  for (Web &web : webs)
    for (Value value : web.values)
      if (Operation *op = value.getDefiningOp())
        web.operations.push_back(op);
}

/// Keeps the values of webs apart in which one would be overwritten before it is taken; returns whether any is.
bool AccumulatorWebs::findConflicts() {
  const llvm::SmallSetVector<unsigned, 4> lost = findOverwrittenWebs(*this, function);
  for (unsigned number : lost) {
    ArrayRef<Value> all = webs[number].values;
    if (!separateScaled(all) && !separateOld(all))
      apart.insert_range(all);
  }
  return !lost.empty();
}

/// Something takes the value, or the variable of the loop that it is the result of, over.
bool AccumulatorWebs::isTaken(Value value) const {
  auto result = dyn_cast<OpResult>(value);
  auto loop = result ? dyn_cast<scf::ForOp>(result.getOwner()) : nullptr;
  auto isTakenHere = [&](Value here) {
    return findScaledEntry(here) || llvm::any_of(here.getUses(), [&](OpOperand &use) { return isPassedOn(use); });
  };
  return isTakenHere(value) || (loop && isTakenHere(loop.getRegionIterArg(result.getResultNumber())));
}

/// Sums that a loop or branch hands on only for somebody to read them.
bool AccumulatorWebs::separateOld(ArrayRef<Value> all) {
  bool any = false;
  for (Value value : all)
    for (OpOperand &use : value.getUses())
      if (Value next = as::getCarried(use); next && isPassedOn(use) && !isTaken(next))
        any |= apart.insert(value).second;
  return any;
}

bool AccumulatorWebs::separateScaled(ArrayRef<Value> all) {
  bool any = false;
  for (Value value : all)
    if (findScaledEntry(value))
      any |= copied.insert(value).second;
  return any;
}

bool AccumulatorWebs::separateScaled() {
  const bool any = separateScaled(values.getArrayRef());
  if (any)
    collect();
  return any;
}

bool AccumulatorWebs::keepInRegisters() {
  for (const Web &web : llvm::reverse(webs)) {
    bool any = false;
    for (Value value : web.values)
      if (auto result = dyn_cast<OpResult>(value);
          result && (isa<scf::ForOp, scf::IfOp>(result.getOwner()) || as::isRead(result.getOwner())))
        any |= excluded.insert(result).second;
    if (any) {
      collect();
      return true;
    }
  }
  return false;
}

} // namespace tileiras
