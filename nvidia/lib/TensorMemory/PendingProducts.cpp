//===- PendingProducts.cpp - Products that may be under way ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PendingProducts.h"
#include "StructuredFlow.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"

using namespace mlir;

namespace tileiras {

bool startsProducts(Operation *op) {
  return op
      ->walk([](Operation *inner) { return WalkResult(failure(isa<as::AsyncDotOp, as::BlockScaledMmaOp>(inner))); })
      .wasInterrupted();
}

/// The product tells the accumulator's barrier `scope` when it is complete.
static bool commitsTo(Operation *product, uint32_t scope) {
  auto commit = dyn_cast_or_null<as::CommitAccumulatorOp>(product->getNextNode());
  return commit && commit.getScope() == scope;
}

/// Products that commit to the accumulator's barrier `scope`, and stages that are committed before the last of them.
static void dropAwaited(PendingProducts::Products &pending, uint32_t scope) {
  size_t end = pending.size();
  while (end != 0 && !commitsTo(pending[end - 1], scope))
    --end;
  const SmallVector<Operation *> before(pending.begin(), pending.begin() + end);
  for (Operation *op : before)
    if (isa<as::CommitProductsOp>(op) || commitsTo(op, scope))
      pending.remove(op);
}

bool PendingProducts::Products::merge(const Products &others) {
  const size_t known = size();
  insert_range(others);
  return size() != known;
}

PendingProducts::PendingProducts(Operation *function, bool ofAllGroups, ArrayRef<Operation *> asked)
    : ofAllGroups(ofAllGroups) {
  for (Operation *op : asked)
    before[op];
  for (Region &region : function->getRegions())
    visit(region, {});
}

PendingProducts::Products PendingProducts::visit(Region &region, Products pending) {
  for (Operation &op : region.getOps())
    pending = visit(&op, std::move(pending));
  return pending;
}

PendingProducts::Products PendingProducts::visit(Operation *op, Products pending) {
  if (auto asked = before.find(op); asked != before.end())
    asked->second.insert_range(pending);
  if (op->getNumRegions() != 0) {
    auto visitRegion = [&](Region &region, const Products &entry) { return visit(region, entry); };
    return isa<LoopLikeOpInterface>(op) ? findLoopState(op, std::move(pending), visitRegion)
                                        : visitRegionsOnce(op, pending, visitRegion);
  }
  if (isa<as::WaitProductsOp>(op))
    return {};
  auto wait = dyn_cast<as::WaitAccumulatorOp>(op);
  if (wait && !ofAllGroups)
    dropAwaited(pending, wait.getScope());
  if (isa<as::CommitProductsOp>(op)) {
    pending.remove(op); // It comes last, though it may be that of an iteration before.
    pending.insert(op);
  }
  if (isa<as::AsyncDotOp, as::BlockScaledMmaOp>(op))
    pending.insert(op);
  return pending;
}

} // namespace tileiras
