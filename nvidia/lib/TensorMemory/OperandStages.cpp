//===- OperandStages.cpp - Stages that MMAs read --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandStages.h"
#include "AccumulatorStages.h"
#include "tileiras/Dialect/TileAS/CarriedValues.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"

using namespace mlir;

namespace tileiras {

/// The pipeline of the stage that is released; null if that is not known.
static as::CreatePipelineOp findPipeline(Value token) {
  as::CreatePipelineOp found;
  llvm::SmallSetVector<Value, 4> sources;
  sources.insert(token);
  for (size_t i = 0; i < sources.size(); ++i) {
    Operation *maker = sources[i].getDefiningOp();
    SmallVector<Value> next = as::findSources(sources[i]);
    if (auto wait = dyn_cast_or_null<as::ConsumerWaitOp>(maker)) {
      auto create = wait.getPipeline().getDefiningOp<as::CreatePipelineOp>();
      if (!create || (found && found != create))
        return {};
      found = create;
    } else if (auto read = dyn_cast_or_null<as::ConsumerReadOp>(maker)) {
      next = {read.getToken()};
    } else if (!isa_and_nonnull<as::CreateNoneOp>(maker) && next.empty()) {
      return {};
    }
    sources.insert_range(next);
  }
  return found;
}

/// Nothing but products reads `memory`.
static bool isReadByProducts(Value memory, const KernelProducts &products) {
  return llvm::all_of(memory.getUsers(), [&](Operation *user) {
    if (isa<ViewLikeOpInterface>(user))
      return isReadByProducts(user->getResult(0), products);
    return llvm::is_contained(products.all, user);
  });
}

namespace {

/// The steps of consumers with the stages of one pipeline.
struct StageUses {
  SmallVector<as::ConsumerReadOp> reads;
  SmallVector<as::ConsumerReleaseOp> releases;
};

struct PipelineUses {
  llvm::MapVector<as::CreatePipelineOp, StageUses> uses; ///< null: of pipelines that are not known
  llvm::SmallPtrSet<Operation *, 4> others;              ///< pipelines that products do not release
  bool isKnown = true;                                   ///< of which pipeline each stage is
};

} // namespace

static PipelineUses findPipelineUses(const KernelProducts &products) {
  PipelineUses found;
  auto exclude = [&](as::CreatePipelineOp create) {
    if (!create || !isFilledByProducts(create))
      found.others.insert(create);
  };
  LLVM::LLVMFuncOp(products.kernel).walk([&](Operation *op) {
    if (auto release = dyn_cast<as::ConsumerReleaseOp>(op)) {
      as::CreatePipelineOp create = findPipeline(release.getToken());
      found.isKnown &= bool(create);
      if (!create || !isFilledByProducts(create))
        found.uses[create].releases.push_back(release);
    } else if (auto consume = dyn_cast<as::ConsumeOneOp>(op)) {
      exclude(consume.getPipeline().getDefiningOp<as::CreatePipelineOp>());
    } else if (auto read = dyn_cast<as::ConsumerReadOp>(op)) {
      as::CreatePipelineOp create = findPipeline(read.getToken());
      found.isKnown &= bool(create);
      found.uses[create].reads.push_back(read);
      if (!llvm::all_of(read.getBody().getArguments(), [&](Value slot) { return isReadByProducts(slot, products); }))
        exclude(create);
    }
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Releases
//===----------------------------------------------------------------------===//

/// Each stage is read once, by the products that are started there, after the wait for it.
static bool isReadOnce(const StageUses &uses) {
  llvm::SmallPtrSet<Operation *, 4> waits;
  return llvm::all_of(uses.reads, [&](as::ConsumerReadOp read) {
    auto wait = read.getToken().getDefiningOp<as::ConsumerWaitOp>();
    return wait && wait->getBlock() == read->getBlock() && waits.insert(wait).second;
  });
}

/// Which no longer waits for a stage when it has started products that read it.
static bool isOfOneWarp(Operation *op) {
  return getExecutionScope(op).numWarps == 1;
}

/// Products release the stage, and no thread waits for them: where it is read, if that is known, for the sooner they
/// are committed, the fewer others come with them.
static void commitPipeline(as::CreatePipelineOp create, const StageUses &uses) {
  create.setProductReleases(true);
  const bool isEarly = isReadOnce(uses);
  for (as::ConsumerReleaseOp release : uses.releases) {
    OpBuilder builder(release);
    if (!isEarly)
      as::CommitProductsOp::create(builder, release.getLoc(), release.getToken(), create.getCtaPair(),
                                   create.getSharedCtas());
    if (isEarly || isOfOneWarp(release))
      release.erase();
  }
  if (!isEarly)
    return;
  for (as::ConsumerReadOp read : uses.reads) {
    OpBuilder builder(read->getContext());
    builder.setInsertionPointAfter(read);
    Value none = as::CreateNoneOp::create(builder, read.getLoc(), read.getDone().getType());
    read.getDone().replaceAllUsesWith(none);
    as::CommitProductsOp::create(builder, read.getLoc(), read.getDone(), create.getCtaPair(), create.getSharedCtas());
    if (!isOfOneWarp(read))
      as::ConsumerReleaseOp::create(builder, read.getLoc(), read.getDone());
  }
}

/// Products whose accumulator was in tensor memory before are waited for where what they read is released.
static void completeBefore(as::ConsumerReleaseOp release, const KernelProducts &products,
                           const AccumulatorMemory &memory) {
  if (!products.scopes.contains(getScopeRegion(release)))
    return;
  OpBuilder builder(release);
  emitWait(builder, release.getLoc(), release, memory);
}

bool commitStages(const KernelProducts &products, const AccumulatorMemory &memory, bool hasAccumulatorStages) {
  const PipelineUses found = findPipelineUses(products);
  for (auto [create, uses] : found.uses) {
    if (found.isKnown && !found.others.contains(create))
      commitPipeline(create, uses);
    else if (hasAccumulatorStages)
      for (as::ConsumerReleaseOp release : uses.releases)
        completeBefore(release, products, memory);
  }
  return found.isKnown && found.others.empty();
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

/// The token is that of one of the products, perhaps of an iteration before.
static bool isOfProducts(Value token, const KernelProducts &products) {
  llvm::SmallSetVector<Value, 4> sources;
  sources.insert(token);
  for (size_t i = 0; i < sources.size(); ++i) {
    if (auto product = sources[i].getDefiningOp<as::AsyncDotOp>())
      return llvm::is_contained(products.all, product);
    for (Value source : as::findSources(sources[i]))
      sources.insert(source);
  }
  return false;
}

/// Waits without tokens are for products, too.
static bool waitsForProducts(Operation *op, const KernelProducts &products) {
  if (auto future = dyn_cast<as::AsyncFutureWaitOp>(op))
    return isOfProducts(future.getToken(), products);
  auto wait = dyn_cast<as::AsyncWaitOp>(op);
  return wait && (wait.getTokens().empty() ||
                  llvm::any_of(wait.getTokens(), [&](Value token) { return isOfProducts(token, products); }));
}

void replaceWaits(const KernelProducts &products, const AccumulatorMemory &memory, bool allCommitted) {
  SmallVector<Operation *> waits;
  LLVM::LLVMFuncOp(products.kernel).walk([&](Operation *op) {
    if (waitsForProducts(op, products))
      waits.push_back(op);
  });
  for (Operation *wait : waits) {
    OpBuilder builder(wait);
    if (!allCommitted)
      emitWait(builder, wait->getLoc(), wait, memory);
    if (auto future = dyn_cast<as::AsyncFutureWaitOp>(wait))
      future.replaceAllUsesWith(future.getValues());
    wait->erase();
  }
}

} // namespace tileiras
