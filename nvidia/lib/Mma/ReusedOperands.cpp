//===- ReusedOperands.cpp - Operands that outlive other products ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// ptxas 13.0, from -O1 on, may give the operands A of two products of warpgroups the same registers although one of
// them is used again in the next iteration of the loop: where a product reads what was made before the loop, another
// one of the loop reads something that is made behind it, and there is a branch between them, as of the wait for a
// stage. What it assembled gave wrong results on an H200 (2026-11-26), right ones with -O0. Moves do not help, and
// other arithmetic ptxas may move out of the loop; values that change in the loop, also those that go round it, keep
// their registers.
//
//===----------------------------------------------------------------------===//

#include "tileiras/NVIDIA/ReusedOperands.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Target/Atoms.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras {
namespace {

/// A wait hands registers on.
Value skipWaits(Value value) {
  while (auto wait = value.getDefiningOp<as::AsyncFutureWaitOp>())
    value = wait.getValues()[cast<OpResult>(value).getResultNumber()];
  return value;
}

/// The operand A that `op`, if it is a product of warpgroups, has in registers; else null.
Value findRegisterOperand(Operation *op, const AtomCatalogue &atoms) {
  auto find = [&](auto product) {
    const MmaAtom *atom = product.getAtom().findMma(atoms);
    const bool isInRegisters = atom && as::isWarpgroupAtom(*atom) && !as::isMemoryTensor(product.getA().getType());
    return isInRegisters ? skipWaits(product.getA()) : Value();
  };
  if (auto product = dyn_cast<as::DotOp>(op))
    return find(product);
  if (auto product = dyn_cast<as::AsyncDotOp>(op))
    return find(product);
  return {};
}

/// What `value` is computed from: it changes only where one of them does.
llvm::SmallSetVector<Value, 4> findSources(Value value) {
  llvm::SmallSetVector<Value, 4> sources;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    Value next = skipWaits(values[i]);
    Operation *op = next.getDefiningOp();
    if (op && isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
        llvm::none_of(op->getOperandTypes(), as::isMemoryTensor))
      values.insert_range(op->getOperands());
    else
      sources.insert(next);
  }
  return sources;
}

/// Follows the ways on which a product comes to its next execution with the same operand.
class NextExecutions {
public:
  NextExecutions(Operation *product, const AtomCatalogue &atoms)
      : product(product), atoms(atoms), operand(findRegisterOperand(product, atoms)), sources(findSources(operand)) {}

  /// There is one with a product that has another operand.
  bool meetOthers() {
    if (follow(product->getBlock(), std::next(product->getIterator()), /*met=*/false))
      return true;
    while (!pending.empty()) {
      auto [block, met] = pending.pop_back_val();
      if (follow(block, block->begin(), met))
        return true;
    }
    return false;
  }

private:
  /// To the end of the block. True when it gets to the product and has met another one.
  bool follow(Block *block, Block::iterator op, bool met) {
    for (; op != block->end(); ++op) {
      if (&*op == product)
        return met;
      if (llvm::any_of(op->getResults(), [&](Value result) { return sources.contains(result); }))
        return false;
      if (op->isProperAncestor(product)) {
        add(findEntry(*op), met);
        return false;
      }
      met |= holdsOther(*op);
    }
    for (Block *next : block->getSuccessors())
      add(next, met);
    // Behind a region, its operation goes on.
    Operation *around = block->getParentOp();
    if (block->hasNoSuccessors() && around->getBlock() && !around->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return follow(around->getBlock(), std::next(around->getIterator()), met);
    return false;
  }

  /// Of the region of `around` that holds the product.
  Block *findEntry(Operation &around) const {
    Region *region = product->getParentRegion();
    while (region->getParentOp() != &around)
      region = region->getParentOp()->getParentRegion();
    return &region->front();
  }

  bool holdsOther(Operation &op) const {
    return op
        .walk([&](Operation *inner) {
          Value other = findRegisterOperand(inner, atoms);
          return other && other != operand ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void add(Block *block, bool met) {
    const bool changes = llvm::any_of(block->getArguments(), [&](Value value) { return sources.contains(value); });
    if (!changes && (met ? seenBehind : seen).insert(block).second)
      pending.push_back({block, met});
  }

  Operation *product;
  const AtomCatalogue &atoms;
  Value operand;
  llvm::SmallSetVector<Value, 4> sources;
  llvm::DenseSet<Block *> seen, seenBehind; ///< another product
  SmallVector<std::pair<Block *, bool>> pending;
};

} // namespace

void markReusedOperands(const AtomCatalogue &atoms, Operation *scope) {
  SmallVector<Operation *> products;
  scope->walk([&](Operation *op) {
    if (findRegisterOperand(op, atoms))
      products.push_back(op);
  });
  for (Operation *product : products)
    if (NextExecutions(product, atoms).meetOthers())
      llvm::TypeSwitch<Operation *>(product).Case<as::DotOp, as::AsyncDotOp>(
          [](auto product) { product.setCopiesOperand(true); });
}

} // namespace tileiras
