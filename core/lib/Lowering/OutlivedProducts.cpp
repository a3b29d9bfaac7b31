//===- OutlivedProducts.cpp - Sums that are read while the next one grows -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// An asynchronous product owns its registers until it has been waited for. A wait hands them on, result for operand in
// one register each; where the result must have another register than the product, a register allocator may put the
// copy in front of the wait, where nothing may read yet. That can only be where a result, or what becomes of it in a
// block argument, is alive when a product is issued that would have the same registers: two sums then want them.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/OutlivedProducts.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tileiras {
namespace {

/// `value` and the block arguments that it becomes.
llvm::SmallSetVector<Value, 4> followBranches(Value value) {
  llvm::SmallSetVector<Value, 4> followed;
  followed.insert(value);
  for (size_t i = 0; i < followed.size(); ++i)
    for (OpOperand &use : followed[i].getUses())
      if (auto branch = dyn_cast<BranchOpInterface>(use.getOwner()))
        if (std::optional<BlockArgument> argument = branch.getSuccessorBlockArgument(use.getOperandNumber()))
          followed.insert(*argument);
  return followed;
}

/// Values that share registers if nothing is in the way: the sums of a product, before and behind a wait, on both sides
/// of a branch.
class RegisterWebs {
public:
  explicit RegisterWebs(Operation *scope) {
    scope->walk([&](Operation *op) {
      if (auto product = dyn_cast<as::AsyncDotOp>(op)) {
        if (!matchPattern(product.getC(), m_Constant()))
          join(product.getC(), product.getResult());
      } else if (auto wait = dyn_cast<as::AsyncFutureWaitOp>(op)) {
        for (auto [value, result] : llvm::zip_equal(wait.getValues(), wait.getResults()))
          join(value, result);
      } else if (auto branch = dyn_cast<BranchOpInterface>(op)) {
        for (OpOperand &operand : op->getOpOperands())
          if (std::optional<BlockArgument> argument = branch.getSuccessorBlockArgument(operand.getOperandNumber()))
            join(operand.get(), *argument);
      }
    });
  }

  bool areJoined(Value a, Value b) const {
    return classes.isEquivalent(a.getAsOpaquePointer(), b.getAsOpaquePointer());
  }

private:
  void join(Value a, Value b) { classes.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer()); }

  llvm::EquivalenceClasses<const void *> classes;
};

/// `value` is used behind `product`, which it does not come from.
bool outlives(Value value, as::AsyncDotOp product, const Liveness &liveness) {
  Block *block = product->getBlock();
  const bool isAvailable = liveness.getLiveness(block)->isLiveIn(value) ||
                           (value.getParentBlock() == block &&
                            (isa<BlockArgument>(value) || value.getDefiningOp()->isBeforeInBlock(product)));
  return isAvailable && !liveness.isDeadAfter(value, product);
}

} // namespace

void markOutlivedProducts(Operation *scope) {
  SmallVector<as::AsyncFutureWaitOp> waits;
  SmallVector<as::AsyncDotOp> products;
  scope->walk([&](Operation *op) {
    if (auto wait = dyn_cast<as::AsyncFutureWaitOp>(op))
      waits.push_back(wait);
    else if (auto product = dyn_cast<as::AsyncDotOp>(op))
      products.push_back(product);
  });
  if (waits.empty() || products.empty())
    return;
  const Liveness liveness(scope);
  const RegisterWebs webs(scope);
  for (as::AsyncFutureWaitOp wait : waits)
    for (Value result : wait.getResults())
      for (Value value : followBranches(result))
        if (llvm::any_of(products, [&](as::AsyncDotOp product) {
              return webs.areJoined(product.getResult(), value) && outlives(value, product, liveness);
            }))
          wait->setAttr(kOutlivesProductAttr, UnitAttr::get(wait.getContext()));
}

} // namespace tileiras
