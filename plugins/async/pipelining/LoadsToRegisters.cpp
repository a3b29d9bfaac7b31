//===- LoadsToRegisters.cpp - Stages that are filled from registers -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadsToRegisters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/RegisterOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tileiras::async {

/// `op`, and what it needs of the body that it stands in, in their order. False where that is more than pure.
static bool collectNeeded(Operation *op, Block &body, llvm::SetVector<Operation *> &needed) {
  for (Value value : op->getOperands()) {
    if (llvm::is_contained(body.getArguments(), value))
      return false;
    Operation *definition = value.getDefiningOp();
    if (definition && definition->getBlock() == &body && !needed.contains(definition) &&
        (!isPure(definition) || !collectNeeded(definition, body, needed)))
      return false;
  }
  needed.insert(op);
  return true;
}

SmallVector<Operation *> findLoadsToRegisters(as::ProduceOneOp produce) {
  SmallVector<Operation *> loads;
  Block &body = produce.getBody().front();
  for (Operation &op : body) {
    auto tile = isa<as::TiledLoadOp, as::LoadOp>(op) ? dyn_cast<RankedTensorType>(op.getResult(0).getType()) : nullptr;
    if (!tile || !tile.getElementType().isIntOrFloat())
      continue;
    llvm::SetVector<Operation *> needed;
    if (llvm::all_of(llvm::drop_begin(op.getResults()), [](Value token) { return token.use_empty(); }) &&
        collectNeeded(&op, body, needed))
      loads.push_back(&op);
  }
  return loads;
}

void moveLoadsInFront(RewriterBase &rewriter, as::ProduceOneOp produce, ArrayRef<Operation *> loads) {
  llvm::SetVector<Operation *> moved;
  for (Operation *load : loads)
    (void)collectNeeded(load, produce.getBody().front(), moved);
  for (Operation *op : moved)
    rewriter.moveOpBefore(op, produce);
}

/// Moves what stands between `load` and the branch before it, which has the same `predicate`, before that one: two
/// branches beside each other become one.
static void joinBranchBefore(RewriterBase &rewriter, Operation *load, Value predicate) {
  SmallVector<Operation *> between;
  Operation *op = load->getPrevNode();
  for (; op && isPure(op); op = op->getPrevNode())
    between.push_back(op);
  auto branch = dyn_cast_or_null<scf::IfOp>(op);
  auto usesBranch = [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value value) { return value.getDefiningOp() == branch; });
  };
  if (branch && branch.getCondition() == predicate && llvm::none_of(between, usesBranch))
    for (Operation *moved : llvm::reverse(between))
      rewriter.moveOpBefore(moved, branch);
}

scf::IfOp guardLoad(RewriterBase &rewriter, Operation *load, Value predicate) {
  OpBuilder::InsertionGuard insertion(rewriter);
  joinBranchBefore(rewriter, load, predicate);
  rewriter.setInsertionPoint(load);
  const Location location = load->getLoc();
  // Nobody uses the load's token.
  Value tile = load->getResult(0);
  auto branch = scf::IfOp::create(rewriter, location, load->getResultTypes(), predicate, /*withElseRegion=*/true);
  rewriter.moveOpBefore(load, branch.thenBlock(), branch.thenBlock()->end());
  rewriter.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(rewriter, location, load->getResults());
  rewriter.setInsertionPointToEnd(branch.elseBlock());
  SmallVector<Value> none = {arith::ConstantOp::create(rewriter, location, rewriter.getZeroAttr(tile.getType()))};
  for (Value token : llvm::drop_begin(load->getResults()))
    none.push_back(as::CreateNoneOp::create(rewriter, location, token.getType()));
  scf::YieldOp::create(rewriter, location, none);
  return branch;
}

} // namespace tileiras::async
