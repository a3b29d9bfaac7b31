//===- ExecutionScopes.cpp - Regions that run at the same time become branches -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutionScopes.h"
#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Lowering/Emitter.h"

using namespace mlir;

namespace tileiras {

bool isScopeStructure(Operation *op) {
  return isa<as::ExecutionScopeOpInterface>(op) ||
         (op->hasTrait<OpTrait::IsTerminator>() && isa_and_nonnull<as::ExecutionScopeOpInterface>(op->getParentOp()) &&
          op->getNumSuccessors() == 0);
}

/// Ends of a region go on at `after`.
static void redirectEnds(Region &region, Block *after) {
  for (Block &block : region) {
    Operation *end = block.getTerminator();
    if (end->getNumSuccessors() != 0)
      continue;
    OpBuilder builder(end);
    LLVM::BrOp::create(builder, end->getLoc(), ValueRange(), after);
    end->erase();
  }
}

static void inlineScopes(as::ExecutionScopeOpInterface op) {
  Block *before = op->getBlock(), *after = before->splitBlock(op->getNextNode());
  OpBuilder builder(op);
  Emitter emit(builder, op);
  Value warp = emit.warpId();
  for (Region &region : op->getRegions()) {
    const unsigned number = region.getRegionNumber();
    Block *entry = &region.front(), *next = new Block;
    redirectEnds(region, after);
    after->getParent()->getBlocks().splice(after->getIterator(), region.getBlocks());
    after->getParent()->getBlocks().insert(after->getIterator(), next);
    // One comparison: warps before the first one wrap around.
    Value position = emit.sub(warp, emit.i32(op.getFirstWarp(number)));
    Value runs = emit.icmp(LLVM::ICmpPredicate::ult, position, emit.i32(op.getNumWarps(number)));
    LLVM::CondBrOp::create(builder, op->getLoc(), runs, entry, next);
    builder.setInsertionPointToEnd(next);
  }
  LLVM::BrOp::create(builder, op->getLoc(), ValueRange(), after);
  op->erase();
}

void inlineExecutionScopes(ModuleOp module) {
  SmallVector<as::ExecutionScopeOpInterface> scopes;
  module.walk<WalkOrder::PostOrder>([&](as::ExecutionScopeOpInterface op) { scopes.push_back(op); });
  for (as::ExecutionScopeOpInterface op : scopes)
    inlineScopes(op);
}

} // namespace tileiras
