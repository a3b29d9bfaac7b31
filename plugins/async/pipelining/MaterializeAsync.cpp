//===- MaterializeAsync.cpp - What goes on behind an operation ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Diagnostics/PassFailure.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASMATERIALIZEASYNC
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// What a token stands for is complete after one wait for it: later waits for the same token have nothing to wait for.
struct AsyncWaitOpRemoval : OpRewritePattern<as::AsyncWaitOp> {
  AsyncWaitOpRemoval(MLIRContext *context, const DominanceInfo &dominance)
      : OpRewritePattern(context), dominance(dominance) {}

  LogicalResult matchAndRewrite(as::AsyncWaitOp op, PatternRewriter &rewriter) const override {
    if (op.getTokens().empty()) // for all MMAs: nothing can have been started in between
      return isa_and_nonnull<as::AsyncWaitOp>(op->getPrevNode()) && op->getPrevNode()->getNumOperands() == 0
                 ? (rewriter.eraseOp(op), success())
                 : failure();
    SmallVector<Value> open =
        llvm::filter_to_vector(op.getTokens(), [&](Value token) { return !isComplete(token, op); });
    if (open.size() == op.getTokens().size())
      return failure();
    if (open.empty())
      rewriter.eraseOp(op);
    else
      rewriter.modifyOpInPlace(op, [&] { op.getTokensMutable().assign(open); });
    return success();
  }

private:
  bool isComplete(Value token, as::AsyncWaitOp at) const {
    return llvm::any_of(token.getUsers(), [&](Operation *user) {
      return isa<as::AsyncWaitOp, as::AsyncFutureWaitOp>(user) && dominance.properlyDominates(user, at);
    });
  }

  const DominanceInfo &dominance;
};

/// A slice of what an asynchronous operation computes is complete when that is.
struct ExtractSliceOpToAsync : OpRewritePattern<as::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(as::ExtractSliceOp op, PatternRewriter &rewriter) const override {
    auto product = op.getSource().getDefiningOp<as::AsyncDotOp>();
    if (!product || !product.getToken())
      return failure();
    auto slice =
        as::AsyncExtractSliceOp::create(rewriter, op.getLoc(), op.getType(), rewriter.getType<as::AsyncTokenType>(),
                                        op.getSource(), op.getIndices(), product.getToken());
    auto wait = as::AsyncFutureWaitOp::create(rewriter, op.getLoc(), slice.getToken(), ValueRange(slice.getResult()));
    rewriter.replaceOp(op, wait.getResults());
    return success();
  }
};

struct TileASMaterializeAsync : impl::TileASMaterializeAsyncBase<TileASMaterializeAsync> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASMaterializeAsync)
  using TileASMaterializeAsyncBase::TileASMaterializeAsyncBase;

  void runOnOperation() override {
    startProducts();
    if (failed(reconcileProducers()))
      return markPassFailure(getOperation(), getArgument());
    RewritePatternSet patterns(&getContext());
    const DominanceInfo dominance(getOperation());
    patterns.add<AsyncWaitOpRemoval>(&getContext(), dominance);
    patterns.add<ExtractSliceOpToAsync>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }

  /// Products of a warpgroup go on behind their operation. Here each is waited for at once; who knows the loops around
  /// it moves the wait. Sums of 16 bits in registers share these, and the back end takes them apart before somebody has
  /// waited: their products end with their operation. So do those with scales in registers, whose place in tensor
  /// memory is used again.
  void startProducts() {
    ChipTarget target = findModuleTarget(getOperation(), gpuName);
    if (!target)
      return;
    SmallVector<as::DotOp> products;
    getOperation()->walk([&](as::DotOp dot) {
      const MmaAtom *atom = dot.getAtom().findMma(target.atoms());
      const bool isStarted = atom && as::isWarpgroupAtom(*atom) &&
                             (atom->c.bits == 32 || atom->spaceC == MemorySpace::Tensor) &&
                             (!dot.isBlockScaled() || dot.hasScalesInMemory());
      if (isStarted)
        products.push_back(dot);
    });
    for (as::DotOp dot : products)
      as::startProduct(dot);
  }

  /// Where threads bring a part of a stage, they are who arrives.
  static as::ProducerKind findProducerKind(as::PipelineRegionOpInterface producer) {
    bool hasEngine = false, hasAsyncCopies = false, hasStores = false;
    producer.getPipelineBody().walk([&](Operation *op) {
      hasEngine |= isa<as::AsyncTiledTmaLoadOp, as::AsyncGatherTmaLoadOp>(op);
      hasAsyncCopies |= isa<as::AsyncTiledLoadOp, as::AsyncLoadOp>(op);
      hasStores |= isa<as::CopyOp>(op) && op->getNumResults() == 0;
    });
    if (hasAsyncCopies)
      return as::ProducerKind::AsyncCopy;
    return hasEngine && !hasStores ? as::ProducerKind::Tma : as::ProducerKind::Registers;
  }

  /// What fills a stage; null for operations that do not.
  as::ProducerKindAttr findProducerKindAttr(Operation *user) {
    if (!isa<as::ProduceOneOp, as::ProduceOneAsyncOp>(user))
      return as::getProducerKindAttr(user);
    return as::ProducerKindAttr::get(&getContext(), findProducerKind(cast<as::PipelineRegionOpInterface>(user)));
  }

  /// One family of instructions fills a pipeline: its barriers count what that family brings. Pipelines that two would
  /// fill stay as they are.
  LogicalResult reconcileProducers() {
    WalkResult result = getOperation()->walk([&](as::CreatePipelineOp pipeline) {
      as::ProducerKindAttr kind;
      for (Operation *user : pipeline->getUsers()) {
        as::ProducerKindAttr other = findProducerKindAttr(user);
        if (!other || other == kind)
          continue;
        if (kind) {
          InFlightDiagnostic diagnostic =
              user->emitError() << "there are two `produce-one-like` operations using different instructions to "
                                   "generate data into the same pipeline. It's a bug of MaterializeAsync Pass.";
          diagnostic.attachNote(pipeline.getLoc()) << "this is the pipeline";
          return WalkResult::interrupt();
        }
        kind = other;
      }
      if (kind)
        setProducerKind(pipeline, kind);
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  static void setProducerKind(as::CreatePipelineOp pipeline, as::ProducerKindAttr kind) {
    pipeline.setProducerKindAttr(kind);
    for (Operation *user : pipeline->getUsers())
      TypeSwitch<Operation *>(user).Case<as::ProduceOneOp, as::ProduceOneAsyncOp>(
          [&](auto producer) { producer.setProducerKindAttr(kind); });
  }
};

} // namespace
} // namespace tileiras::async
