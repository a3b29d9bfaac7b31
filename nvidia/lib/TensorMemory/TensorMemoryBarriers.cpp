//===- TensorMemoryBarriers.cpp - Order in tensor memory ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMemoryBarriers.h"
#include "PendingProducts.h"
#include "StructuredFlow.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/CarriedValues.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Lowering/ExecutionScope.h"

using namespace mlir;

namespace tileiras {
namespace {

/// What threads may have done since they met.
struct PendingCopies {
  bool loads = false, stores = false;

  bool any() const { return loads || stores; }
  bool merge(PendingCopies other) {
    const bool grows = (other.loads && !loads) || (other.stores && !stores);
    loads |= other.loads;
    stores |= other.stores;
    return grows;
  }
};

class BarrierPlacer {
public:
  BarrierPlacer(bool inserts, GroupBarrier findBarrier, IntegerAttr ofGroup = {})
      : inserts(inserts), findBarrier(findBarrier), ofGroup(ofGroup) {}

  PendingCopies visit(Region &region, PendingCopies pending) {
    for (Operation &op : region.getOps())
      pending = visit(&op, pending);
    return pending;
  }

private:
  PendingCopies visit(Operation *op, PendingCopies pending) {
    if (op->getNumRegions() != 0)
      return visitRegions(op, pending);
    if (isa<as::WaitProductsOp, as::AllocTensorMemoryOp, as::StoreScalesOp>(op)) // All meet there.
      return {};
    if (isProduct(op))
      return meet(op, pending, pending.any());
    if (isa<as::ScaleTensorMemoryOp>(op)) {
      meet(op, pending, sharesRows() && pending.any());
      return {/*loads=*/true, /*stores=*/true};
    }
    if (isa<as::CompleteLoadOp>(op)) // Products write there when it is complete.
      pending.loads = true;
    auto copy = dyn_cast<as::CopyOp>(op);
    if (!copy)
      return pending;
    if (as::isTensorMemoryTensor(copy.getSource().getType())) {
      pending = meet(op, pending, sharesRows() && pending.stores);
      pending.loads = true;
    } else if (copy.getDestination() && as::isTensorMemoryTensor(copy.getDestination().getType())) {
      pending = meet(op, pending, sharesRows() && pending.loads);
      pending.stores = true;
    }
    return pending;
  }

  /// The four warps of a product group reach a quarter of the rows each: what one has loaded or stored, the others do
  /// not see.
  bool sharesRows() const { return !ofGroup; }

  static bool isProduct(Operation *op) {
    auto product = dyn_cast<as::AsyncDotOp>(op);
    return product && as::isTensorMemoryTensor(product.getC().getType());
  }

  static bool hasProducts(Operation *op) {
    return op->walk([](Operation *inner) { return WalkResult(failure(isProduct(inner))); }).wasInterrupted();
  }

  PendingCopies meet(Operation *op, PendingCopies pending, bool isNeeded) const {
    if (!isNeeded)
      return pending;
    if (inserts) {
      OpBuilder builder(op);
      as::TensorMemoryBarrierOp::create(builder, op->getLoc(), ofGroup);
    }
    return {};
  }

  PendingCopies visitRegions(Operation *op, PendingCopies pending) {
    const IntegerAttr barrier = ofGroup ? ofGroup : findBarrier(op);
    auto visitBy = [&](bool insertsThere) {
      return [this, barrier, insertsThere](Region &region, PendingCopies before) {
        return BarrierPlacer(insertsThere, findBarrier, barrier).visit(region, before);
      };
    };
    if (isa<LoopLikeOpInterface>(op)) {
      // Threads meet before the loop rather than in each iteration.
      pending = meet(op, pending, pending.any() && hasProducts(op));
      pending = findLoopState(op, pending, visitBy(/*insertsThere=*/false));
    }
    const PendingCopies after = visitRegionsOnce(op, pending, visitBy(inserts));
    // Groups that have met alone know nothing of the others.
    return barrier != ofGroup ? PendingCopies{/*loads=*/true, /*stores=*/true} : after;
  }

  bool inserts;
  GroupBarrier findBarrier;
  IntegerAttr ofGroup; ///< where product groups meet alone
};

/// What a thread has waited for since a product may have started.
struct Complete {
  bool all = false;
  /// By scope; the wait itself as long as nobody has needed it.
  llvm::SmallDenseMap<uint32_t, as::WaitAccumulatorOp> accumulators;
  /// Scopes whose barriers products may have told since all were complete; nothing: that is not known.
  std::optional<llvm::SmallDenseSet<uint32_t>> started;

  bool isComplete(uint32_t scope) const { return all || (started && !started->contains(scope)); }
};

/// Of two waits, the one that is needed: the second one, if nothing has been done behind the first.
void dropOneOf(as::WaitAccumulatorOp wait, Complete &complete) {
  if (complete.isComplete(wait.getScope()))
    return wait.erase();
  auto [first, isFirst] = complete.accumulators.try_emplace(wait.getScope(), wait);
  if (!isFirst && !first->second) {
    wait.erase();
  } else if (!isFirst) {
    first->second.erase();
    first->second = wait;
  }
}

void dropWaits(Region &region, Complete &complete) {
  auto need = [&] {
    for (auto &[scope, wait] : complete.accumulators)
      wait = {};
  };
  for (Operation &op : llvm::make_early_inc_range(region.getOps())) {
    if (isa<as::WaitProductsOp>(op)) {
      complete.started.emplace();
      if (std::exchange(complete.all, true))
        op.erase();
    } else if (auto wait = dyn_cast<as::WaitAccumulatorOp>(op)) {
      dropOneOf(wait, complete);
    } else if (auto commit = dyn_cast<as::CommitAccumulatorOp>(op)) {
      complete.accumulators.erase(commit.getScope());
      if (complete.started)
        complete.started->insert(commit.getScope());
    } else if (isa<as::AsyncDotOp>(op)) {
      need();
      complete.all = false;
    } else if (isa<as::ConsumerReadOp>(op)) { // The same threads go on in its region.
      dropWaits(op.getRegion(0), complete);
    } else if (!isMemoryEffectFree(&op) && !isa<as::ConsumerWaitOp>(op)) {
      need();
      const bool starts = startsProducts(&op);
      for (Region &inner : op.getRegions()) {
        Complete before = starts ? Complete() : complete;
        dropWaits(inner, before);
      }
      if (starts)
        complete = Complete();
    }
  }
}

} // namespace

void dropRepeatedWaits(Region &body) {
  Complete complete;
  complete.all = true;
  complete.started.emplace();
  dropWaits(body, complete);
}

/// The operation of the block before which the load has to be complete; null if it is so anyway where it stands.
static Operation *findCompletion(as::CopyOp load, llvm::function_ref<bool(Operation *, Value)> isOverwritten) {
  bool gains = false;
  for (Operation *op = load->getNextNode(); op; op = op->getNextNode()) {
    const bool isNeeded = op->walk([&](Operation *inner) {
                              return WalkResult(failure(llvm::is_contained(inner->getOperands(), load.getResult()) ||
                                                        isOverwritten(inner, load.getSource())));
                            }).wasInterrupted();
    const bool isBranch = op->getNumRegions() != 0 && !as::isRead(op) && !isMemoryEffectFree(op);
    if (isNeeded || isBranch || op->hasTrait<OpTrait::IsTerminator>())
      return gains ? op : nullptr;
    gains |= !isMemoryEffectFree(op);
  }
  return nullptr;
}

void postponeCompletion(Operation *function, llvm::function_ref<bool(Operation *, Value)> isOverwritten) {
  function->walk([&](as::CopyOp load) {
    if (!as::isTensorMemoryTensor(load.getSource().getType()) ||
        load.getResult().getType().getElementTypeBitWidth() != 32) // Others are taken from their words.
      return;
    if (Operation *before = findCompletion(load, isOverwritten)) {
      OpBuilder builder(before);
      auto complete = as::CompleteLoadOp::create(builder, load.getLoc(), load.getResult());
      load.getResult().replaceAllUsesExcept(complete.getResult(), complete);
    }
  });
}

void placeTensorMemoryBarriers(Operation *function, GroupBarrier findBarrier) {
  for (Region &region : function->getRegions())
    BarrierPlacer(/*inserts=*/true, findBarrier).visit(region, {});
}

} // namespace tileiras
