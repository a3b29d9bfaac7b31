//===- ReusedMemory.cpp - Products that nobody has waited for -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReusedMemory.h"
#include "PendingProducts.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "tileiras/Lowering/SharedArena.h"

using namespace mlir;

namespace tileiras {
namespace {

/// The shared memory of products, and who else may get it.
class ProductMemory {
public:
  ProductMemory(Operation *function, const LoweringContext &lowering)
      : lowering(lowering), order(function->getRegion(0)) {
    function->walk([&](as::CreatePipelineOp pipeline) {
      for (Operation *body : as::getStageBodies(pipeline))
        pipelines[body] = pipeline;
    });
  }

  /// Of stages of pipelines, operations are not asked about: these last from the start of the kernel.
  bool usesMemory(Operation *op) const {
    return lowering.getScratchBytes(op) != 0 ||
           (!startsProducts(op) && llvm::any_of(op->getOperands(), [](Value operand) {
             return as::isSharedTensor(operand.getType()) && as::skipViews(operand).getDefiningOp<as::AllocTensorOp>();
           }));
  }

  /// `op` may use what the product reads.
  bool mayReuse(Operation *op, Operation *product) const {
    const Lifetime uses = getLifetime(op);
    return llvm::any_of(product->getOperands(), [&](Value operand) {
      if (!as::isSharedTensor(operand.getType()))
        return false;
      const std::optional<Lifetime> lifetime = findLifetime(as::skipViews(operand));
      return !lifetime || !lifetime->overlaps(uses) || sharesPlace(op, as::skipViews(operand));
    });
  }

private:
  /// Of the stage that `memory` is; null if it is none.
  as::CreatePipelineOp findPipeline(Value memory) const {
    auto stage = dyn_cast<BlockArgument>(memory);
    return stage ? pipelines.lookup(stage.getOwner()->getParentOp()) : as::CreatePipelineOp();
  }

  /// Tiles got their places before, by lifetimes that were others then: `op` uses one that lies where `memory` does.
  bool sharesPlace(Operation *op, Value memory) const {
    as::CreatePipelineOp pipeline = findPipeline(memory);
    const SmallVector<Value> places = pipeline ? SmallVector<Value>(pipeline.getBuffers()) : SmallVector<Value>{memory};
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      auto used = as::skipViews(operand).getDefiningOp<as::AllocTensorOp>();
      return used && used.getRange() && llvm::any_of(places, [&](Value place) {
               auto other = place.getDefiningOp<as::AllocTensorOp>();
               return other && other != used && other.getRange() && other.getRange()->overlaps(*used.getRange());
             });
    });
  }

  std::optional<Lifetime> findLifetime(Value memory) const {
    if (memory.getDefiningOp<as::AllocTensorOp>())
      return order.getLifetime(memory);
    as::CreatePipelineOp pipeline = findPipeline(memory);
    return pipeline ? std::optional(order.getLifetime(pipeline.getPipeline())) : std::nullopt;
  }

  /// Of the memory that `op` uses: from the first time on that somebody does.
  Lifetime getLifetime(Operation *op) const {
    Lifetime lifetime = order.getLifetime(op);
    for (Value operand : op->getOperands())
      if (Value memory = as::skipViews(operand); memory.getDefiningOp<as::AllocTensorOp>())
        lifetime.begin = std::min(lifetime.begin, order.getLifetime(memory).begin);
    return lifetime;
  }

  const LoweringContext &lowering;
  ProgramOrder order;
  llvm::DenseMap<Operation *, as::CreatePipelineOp> pipelines; ///< by the operations whose bodies use the stages
};

} // namespace

/// The scope starts no more products, and the CTA's gives tensor memory back.
static bool endsScope(Operation *op) {
  return isa<as::FreeTensorMemoryOp>(op) ||
         (op->hasTrait<OpTrait::IsTerminator>() && isa<as::ExecutionScopeOpInterface>(op->getParentOp()));
}

void awaitBeforeReuse(Operation *function, const LoweringContext &lowering,
                      llvm::function_ref<bool(Operation *)> isWatched,
                      llvm::function_ref<void(OpBuilder &, Operation *)> emitWait) {
  const ProductMemory memory(function, lowering);
  SmallVector<Operation *> users;
  function->walk([&](Operation *op) {
    if (endsScope(op) || memory.usesMemory(op))
      users.push_back(op);
  });
  const PendingProducts pending(function, /*ofAllGroups=*/false, users);
  for (Operation *user : users) {
    const Region *scope = getScopeRegion(user);
    // Those of another scope are waited for at its end.
    if (llvm::none_of(pending.getBefore(user), [&](Operation *product) {
          return isWatched(product) && getScopeRegion(product) == scope &&
                 (endsScope(user) || memory.mayReuse(user, product));
        }))
      continue;
    OpBuilder builder(user);
    emitWait(builder, user);
  }
}

} // namespace tileiras
