//===- AccumulatorStages.cpp - Accumulators that change hands -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccumulatorStages.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras {

bool isFilledByProducts(as::CreatePipelineOp create) {
  return create.getProducerKind() == as::ProducerKind::Mma;
}

SmallVector<as::AllocTensorOp> findAccumulatorRings(Operation *function) {
  SmallVector<as::AllocTensorOp> rings;
  function->walk([&](as::AllocTensorOp tile) {
    if (as::isTensorMemoryTensor(tile.getType()))
      rings.push_back(tile);
  });
  return rings;
}

static void emitFence(OpBuilder builder, Location location, bool isAfterWait) {
  as::FenceTensorMemoryOp::create(builder, location, isAfterWait);
}

/// What the producer has started completes the stage.
static void commitStage(as::ProducerAcquireOp acquire) {
  auto create = acquire.getPipeline().getDefiningOp<as::CreatePipelineOp>();
  OpBuilder builder(acquire);
  builder.setInsertionPointAfter(acquire);
  emitFence(builder, acquire.getLoc(), /*isAfterWait=*/true);
  for (Operation *user : llvm::make_early_inc_range(acquire.getToken().getUsers()))
    if (auto commit = dyn_cast<as::ProducerCommitOp>(user)) {
      OpBuilder atCommit(commit);
      as::CommitProductsOp::create(atCommit, commit.getLoc(), commit.getToken(), create.getCtaPair());
      commit.erase();
    }
}

static void fenceBody(as::ConsumeOneOp consume) {
  Block &body = consume.getBody().front();
  emitFence(OpBuilder::atBlockBegin(&body), consume.getLoc(), /*isAfterWait=*/true);
  emitFence(OpBuilder(body.getTerminator()), consume.getLoc(), /*isAfterWait=*/false);
}

void handOverAccumulators(Operation *function) {
  SmallVector<as::CreatePipelineOp> pipelines;
  function->walk([&](as::CreatePipelineOp create) {
    if (isFilledByProducts(create))
      pipelines.push_back(create);
  });
  for (as::CreatePipelineOp create : pipelines)
    for (Operation *user : create->getUsers())
      llvm::TypeSwitch<Operation *>(user)
          .Case([](as::ProducerAcquireOp acquire) { commitStage(acquire); })
          .Case([](as::ConsumeOneOp consume) { fenceBody(consume); })
          .Case([](as::ConsumerWaitOp wait) {
            OpBuilder builder(wait);
            builder.setInsertionPointAfter(wait);
            emitFence(builder, wait.getLoc(), /*isAfterWait=*/true);
          });
  function->walk([&](as::ConsumerReleaseOp release) {
    if (llvm::all_of(as::detail::getPipelineParameters(release.getToken().getType()).second, as::isTensorMemoryTensor))
      emitFence(OpBuilder(release), release.getLoc(), /*isAfterWait=*/false);
  });
}

} // namespace tileiras
