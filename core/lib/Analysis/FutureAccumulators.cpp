//===- FutureAccumulators.cpp - What will be in tensor memory -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Analysis/FutureAccumulators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Dialect/TileAS/CarriedValues.h"

using namespace mlir;

namespace tileiras::as {

bool sumsInTensorMemory(const AtomCatalogue *atoms, AtomAttr atom) {
  const MmaAtom *found = atoms ? atom.findMma(*atoms) : nullptr;
  return found && found->kind == MmaKind::TensorMemory;
}

bool takesOperandInTensorMemory(const AtomCatalogue *atoms, AsyncDotOp product) {
  const MmaAtom *found = atoms ? product.getAtom().findMma(*atoms) : nullptr;
  return found && found->spaceA == MemorySpace::Tensor && isDistributedTensor(product.getA().getType());
}

bool FutureAccumulators::isAddedTo(OpOperand &use) const {
  auto isSumOf = [&](auto product) {
    return product && use.get() == product.getC() && sumsInTensorMemory(atoms, product.getAtom());
  };
  return isSumOf(dyn_cast<AsyncDotOp>(use.getOwner())) || isSumOf(dyn_cast<DotOp>(use.getOwner()));
}

bool FutureAccumulators::isInTensorMemory(Value value) {
  return isSum(value) && llvm::all_of(value.getUses(), [&](OpOperand &use) { return staysThere(use); });
}

bool FutureAccumulators::isSum(Value value) {
  auto [known, isNew] = sums.try_emplace(value, false); // What it goes round to says nothing about it.
  if (!isNew)
    return known->second;
  const bool found = findSum(value);
  return sums[value] = found;
}

bool FutureAccumulators::findSum(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto product = dyn_cast_or_null<AsyncDotOp>(op))
    return value == product.getResult() && sumsInTensorMemory(atoms, product.getAtom());
  if (auto product = dyn_cast_or_null<DotOp>(op))
    return sumsInTensorMemory(atoms, product.getAtom());
  if (auto wait = dyn_cast_or_null<AsyncFutureWaitOp>(op))
    return isSum(wait.getValues()[cast<OpResult>(value).getResultNumber()]);
  if (op && isScaled(op))
    return true;
  return llvm::any_of(findSources(value), [&](Value source) { return isSum(source); });
}

/// A product adds to what `op` makes, which is a sum times something.
bool FutureAccumulators::isScaled(Operation *op) {
  return isa<arith::MulFOp>(op) && op->hasOneUse() && isAddedTo(*op->use_begin()) &&
         llvm::any_of(op->getOperands(), [&](Value operand) { return operand.hasOneUse() && isSum(operand); });
}

bool FutureAccumulators::staysThere(OpOperand &use) {
  return isa<AsyncFutureWaitOp>(use.getOwner()) || isAddedTo(use) || getCarried(use) || isScaled(use.getOwner());
}

} // namespace tileiras::as
