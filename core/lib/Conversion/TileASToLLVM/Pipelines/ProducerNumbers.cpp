//===- ProducerNumbers.cpp - What producers load of coordinates -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProducerNumbers.h"
#include "ExpandPipelines.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tileiras {

/// Nothing that `op` uses is of `block`: neither stages nor what is computed there.
static bool isIndependent(Operation &op, Block *block) {
  llvm::SetVector<Value> used(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), used);
  return llvm::none_of(used, [&](Value value) { return value.getParentBlock() == block; });
}

/// Threads share it out.
static bool isOfTiles(Operation &op) {
  return llvm::any_of(op.getResultTypes(), as::isDistributedTensor) ||
         llvm::any_of(op.getOperandTypes(), as::isDistributedTensor);
}

void hoistProducerNumbers(Operation *function) {
  function->walk([](as::ProduceOneOp produce) {
    auto create = produce.getPipeline().getDefiningOp<as::CreatePipelineOp>();
    if (!create || !isFilledByTensorCopies(create))
      return;
    Block *body = &produce.getBody().front();
    llvm::SmallPtrSet<Operation *, 8> wanted; // what is of tiles, and what that needs
    for (Operation &op : llvm::reverse(body->without_terminator()))
      if (isOfTiles(op) || llvm::any_of(op.getUsers(), [&](Operation *user) { return wanted.contains(user); }))
        wanted.insert(&op);
    for (Operation &op : llvm::make_early_inc_range(body->without_terminator()))
      if (wanted.contains(&op) && isIndependent(op, body))
        op.moveBefore(produce);
  });
}

} // namespace tileiras
