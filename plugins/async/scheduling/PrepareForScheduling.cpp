//===- PrepareForScheduling.cpp - tileas-prepare-for-scheduling -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Remarks.h"
#include "common/ConsumerSteps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASPREPAREFORSCHEDULING
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// Something in the same iteration waits for what the consumer gives.
bool isUsedInIteration(as::ConsumeOneOp consume) {
  return llvm::any_of(consume.getValues(), [&](Value value) {
    return llvm::any_of(value.getUsers(), [](Operation *user) { return !isa<scf::YieldOp>(user); });
  });
}

struct TileASPrepareForScheduling : impl::TileASPrepareForSchedulingBase<TileASPrepareForScheduling> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASPrepareForScheduling)

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      prepareLoop(loop);
  }

  /// Products that others of the iteration need are worth a schedule; those that only add up overlap without one.
  void prepareLoop(scf::ForOp loop) {
    SmallVector<as::ConsumeOneOp> consumers = llvm::to_vector(loop.getBody()->getOps<as::ConsumeOneOp>());
    auto isWorthwhile = [](as::ConsumeOneOp consume) {
      return !getProducts(consume).empty() && isUsedInIteration(consume);
    };
    if (llvm::none_of(consumers, isWorthwhile))
      return;
    for (as::ConsumeOneOp consume : consumers)
      if (std::string reason; !canOpenConsumer(consume, reason)) {
        remarkOn(consume, Missed::PrepareForScheduling)
            << ("the loop is not scheduled by single operations: " + reason);
        return;
      }
    IRRewriter rewriter(&getContext());
    const ChipTarget target = findModuleTarget(getOperation(), /*fallbackChip=*/"");
    for (as::ConsumeOneOp consume : consumers)
      openConsumer(rewriter, consume, target ? &target.atoms() : nullptr);
  }
};

} // namespace
} // namespace tileiras::async
