//===- Pipelines.cpp - Rings of stages and their barriers -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "Conversion/TileASToLLVM/Patterns.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "tileiras/Lowering/ControlFlow.h"
#include "tileiras/Lowering/Mbarrier.h"
#include "tileiras/Lowering/StageAddress.h"
#include "tileiras/Lowering/ThreadIndexing.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {
namespace {

//===----------------------------------------------------------------------===//
// Pipelines and iterators
//===----------------------------------------------------------------------===//

/// Threads of both CTAs of a pair fill stages, which those who start products in the even one learn from their like in
/// the other one.
bool tellsLeader(as::CreatePipelineOp op) {
  return op && op.getCtaPair() && op.getProducerKind() == as::ProducerKind::AsyncCopy;
}

struct CreatePipelinePattern final : TilePattern<as::CreatePipelineOp> {
  using TilePattern::TilePattern;

  /// All threads meet for something else that is prepared before anybody can use the pipeline.
  static bool meetsBeforeUse(as::CreatePipelineOp op) {
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
      if (isa<as::CreatePipelineOp, as::ClaimTensorMapsOp>(next))
        return true;
      if (!isa<as::AllocTensorOp>(next) && !isMemoryEffectFree(next)) // which names memory, and does nothing with it
        return false;
    }
    return false;
  }

  LogicalResult matchAndRewrite(as::CreatePipelineOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getBuffers().empty())
      return failure();
    Emitter emit(rewriter, op);
    Value structure = emit.poison(convert(op.getType()));
    for (auto [i, ring] : llvm::enumerate(adaptor.getBuffers()))
      structure = emit.insertField(structure, ring, 1 + i);
    if (!op.getBarriers() && !as::hasHandshakes(op)) {
      rewriter.replaceOp(op, structure);
      return success();
    }
    if (!op.getBarriers() || !op.getArrivals())
      return failure();
    ArrayRef<int32_t> arrivals = *op.getArrivals();
    const int64_t stages = op.getType().getStages();
    // Of what copies bring, and of what threads of the other CTA have copied, the even CTA of a pair alone is told.
    constexpr int64_t kArrivalsAtLeader = 2;
    Value fewer;
    if (tellsLeader(op))
      fewer = emit.select(emitIsPairLeader(emit), emit.i32(0), emit.i32(kArrivalsAtLeader));
    SmallVector<MbarrierArrivals> barriers;
    for (int64_t stage = 0; stage < stages; ++stage) {
      const int64_t offset = stage * kStageBarrierBytes;
      barriers.push_back({offset + kFullBarrier, arrivals[0], fewer});
      barriers.push_back({offset + kEmptyBarrier, arrivals[1]});
    }
    emitIf(emit, emitIsFirstThread(emit), [&] { emitMbarrierInit(emit, adaptor.getBarriers(), barriers); });
    if (op.getSharedCtas() != 0 || op.getCtaPair())
      emit.clusterBarrier(); // Others copy to the stages and release them.
    else if (!meetsBeforeUse(op))
      emit.barrier();
    rewriter.replaceOp(op, emit.insertField(structure, adaptor.getBarriers(), 0));
    return success();
  }
};

struct CreateIteratorPattern final : TilePattern<as::CreateIteratorOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CreateIteratorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op, emit.zero(convert(op.getType())));
    return success();
  }
};

/// An iterator in registers.
struct StageIterator {
  Value stage, parity;

  static StageIterator unpack(Emitter &emit, as::IteratorType type, Value structure) {
    return {type.getStages() == 1 ? emit.i32(0) : emit.extractField(structure, 0), emit.extractField(structure, 1)};
  }
  Value pack(Emitter &emit, Type type) const {
    return emit.insertField(emit.insertField(emit.poison(type), stage, 0), parity, 1);
  }
};

StageIterator emitNext(Emitter &emit, StageIterator iterator, int64_t stages) {
  Value next = emit.add(iterator.stage, emit.i32(1)), wraps;
  if (llvm::isPowerOf2_64(stages)) {
    wraps = emit.lshr(next, llvm::Log2_64(stages));
    next = emit.bitAnd(next, emit.i32(stages - 1));
  } else {
    Value isFirst = emit.icmp(LLVM::ICmpPredicate::eq, next, emit.i32(stages));
    wraps = emit.zeroExtendOrTruncate(isFirst, 32);
    next = emit.select(isFirst, emit.i32(0), next);
  }
  return {next, emit.bitXor(iterator.parity, wraps)};
}

struct IncIterPattern final : TilePattern<as::IncIterOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::IncIterOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const StageIterator iterator = StageIterator::unpack(emit, op.getType(), adaptor.getIterator());
    rewriter.replaceOp(op, emitNext(emit, iterator, op.getType().getStages()).pack(emit, convert(op.getType())));
    return success();
  }
};

struct SlotPattern final : TilePattern<as::SlotOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::SlotOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    auto [stage, parity] = StageIterator::unpack(emit, op.getIterator().getType(), adaptor.getIterator());
    Value ring = emit.extractField(adaptor.getPipeline(), 1 + op.getIndex());
    if (as::isTensorMemoryTensor(op.getType())) {
      Value columns = emit.i32(as::countTensorMemoryColumns(op.getType()));
      rewriter.replaceOp(op, emit.add(ring, emit.mul(stage, columns)));
      return success();
    }
    rewriter.replaceOp(op, getStageAddress(emit, ring, stage, as::getStageBytes(op.getType())).emitPointer(emit));
    return success();
  }
};

struct StageNumberPattern final : TilePattern<as::StageNumberOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::StageNumberOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op, StageIterator::unpack(emit, op.getIterator().getType(), adaptor.getIterator()).stage);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Handshakes
//===----------------------------------------------------------------------===//

/// The token of the iterator's stage: the address of its barriers.
Value emitToken(Emitter &emit, Value pipeline, Value stage) {
  return getStageAddress(emit, emit.extractField(pipeline, 0), stage, kStageBarrierBytes).emit(emit);
}

bool isFilledBy(Value pipeline, as::ProducerKind kind) {
  auto create = pipeline.getDefiningOp<as::CreatePipelineOp>();
  return create && create.getProducerKind() == kind;
}

bool isOfPair(Value pipeline) {
  auto create = pipeline.getDefiningOp<as::CreatePipelineOp>();
  return create && create.getCtaPair();
}

Value emitIsFirstLane(Emitter &emit) {
  return emit.icmp(LLVM::ICmpPredicate::eq, emit.laneId(), emit.i32(0));
}

/// Waits for a barrier of the pipeline. Of a pair, products alone need to know of stages that copies have filled, and
/// of sums that have been read: there, the CTA waits that starts them.
void emitStageWait(Emitter &emit, Value pipeline, Mbarrier barrier, Value parity) {
  auto wait = [&] { emitMbarrierWait(emit, barrier, parity); };
  const bool isOfSums = isFilledBy(pipeline, as::ProducerKind::Mma), isEmpty = barrier.offset == kEmptyBarrier;
  if (isOfPair(pipeline) && isOfSums == isEmpty)
    emitIf(emit, emitIsPairLeader(emit), wait);
  else
    wait();
}

/// Waits in both CTAs of a pair for what their threads have copied, and in the even one for all of it.
void emitWaitForThreads(Emitter &emit, Mbarrier full, Value parity) {
  Value isLeader = emitIsPairLeader(emit);
  emitIf(emit, isLeader, [&] {
    emitMbarrierWait(emit, full, parity, ClusterMeaning::All);
    emitSharedProxyFence(emit);
  });
  emitIf(emit, emit.bitNot(isLeader), [&] {
    emitMbarrierWait(emit, full, parity);
    emitSharedProxyFence(emit);
    emitMbarrierArriveAt(emit, full, emitPairLeader(emit), emitIsFirstLane(emit), ClusterMeaning::All);
  });
}

struct ProducerAcquirePattern final : TilePattern<as::ProducerAcquireOp> {
  using TilePattern::TilePattern;

  /// All stages are free at the beginning: what is waited for is the phase before.
  LogicalResult matchAndRewrite(as::ProducerAcquireOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    auto [stage, parity] = StageIterator::unpack(emit, op.getIterator().getType(), adaptor.getIterator());
    Value token = emitToken(emit, adaptor.getPipeline(), stage);
    emitStageWait(emit, op.getPipeline(), {token, kEmptyBarrier}, emit.bitXor(parity, emit.i32(1)));
    rewriter.replaceOp(op, token);
    return success();
  }
};

struct ProducerDrainPattern final : TilePattern<as::ProducerDrainOp> {
  using TilePattern::TilePattern;

  /// From the stage that has been filled the longest time ago. Those that nobody has filled are in the phase after the
  /// one that is waited for.
  LogicalResult matchAndRewrite(as::ProducerDrainOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const int64_t stages = op.getIterator().getType().getStages();
    StageIterator iterator = StageIterator::unpack(emit, op.getIterator().getType(), adaptor.getIterator());
    for (int64_t i = 0; i < stages; ++i) {
      Value token = emitToken(emit, adaptor.getPipeline(), iterator.stage);
      emitMbarrierWait(emit, {token, kFullBarrier}, emit.bitXor(iterator.parity, emit.i32(1)));
      iterator = emitNext(emit, iterator, stages);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConsumerWaitPattern final : TilePattern<as::ConsumerWaitOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ConsumerWaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    auto [stage, parity] = StageIterator::unpack(emit, op.getIterator().getType(), adaptor.getIterator());
    Value token = emitToken(emit, adaptor.getPipeline(), stage);
    if (tellsLeader(op.getPipeline().getDefiningOp<as::CreatePipelineOp>())) {
      emitWaitForThreads(emit, {token, kFullBarrier}, parity);
    } else {
      emitStageWait(emit, op.getPipeline(), {token, kFullBarrier}, parity);
      // What others have copied, asynchronous products may read.
      if (isFilledBy(op.getPipeline(), as::ProducerKind::AsyncCopy))
        emitSharedProxyFence(emit);
    }
    rewriter.replaceOp(op, token);
    return success();
  }
};

/// Where `starts` (null: everywhere) holds, says how many bytes come to the CTA: of a pair, the even one for both.
void emitExpect(Emitter &emit, Mbarrier full, int64_t bytes, bool isPair, Value starts = {}) {
  if (isPair)
    emitMbarrierArriveExpect(emit, full, 2 * bytes, emit.conjunction(starts, emitIsPairLeader(emit)));
  else
    emitMbarrierArriveExpect(emit, full, bytes, starts);
}

struct ProducerCommitPattern final : TilePattern<as::ProducerCommitOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ProducerCommitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Mbarrier full = {adaptor.getToken(), kFullBarrier};
    const int64_t bytes = op.getTxCount().value_or(0);
    auto acquire = op.getToken().getDefiningOp<as::ProducerAcquireOp>();
    const bool isPair = acquire && isOfPair(acquire.getPipeline());
    if (acquire && isFilledBy(acquire.getPipeline(), as::ProducerKind::AsyncCopy)) {
      if (bytes != 0)
        emitExpect(emit, full, bytes, isPair, emitIsFirstThread(emit));
      emitMbarrierArriveCopies(emit, full);
      rewriter.eraseOp(op);
      return success();
    }
    if (isPair) {
      emitExpect(emit, full, bytes, isPair);
      rewriter.eraseOp(op);
      return success();
    }
    Value arrives;
    if (!op.getByOne()) {
      // What the lanes have stored may be read by asynchronous products; one arrives for all lanes of its warp.
      emitSharedProxyFence(emit);
      emitSyncWarp(emit);
      arrives = emitIsFirstLane(emit);
    }
    if (bytes != 0 && !op.getByOne()) {
      Value starts = emitIsFirstThread(emit);
      emitMbarrierArriveExpect(emit, full, bytes, starts);
      emitMbarrierArrive(emit, full, emit.bitAnd(arrives, emit.bitNot(starts)));
    } else if (bytes != 0) {
      emitMbarrierArriveExpect(emit, full, bytes, arrives);
    } else {
      emitMbarrierArrive(emit, full, arrives);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConsumerReleasePattern final : TilePattern<as::ConsumerReleaseOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ConsumerReleaseOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const uint32_t sharedCtas = aa::getSharedCtas(op);
    // One lane for each CTA that waits for the stage.
    Value arrives = sharedCtas == 0 ? emitIsFirstLane(emit)
                                    : emit.icmp(LLVM::ICmpPredicate::ult, emit.laneId(),
                                                emit.i32(aa::getNumSharingCtas(sharedCtas)));
    if (!op.getToken().getDefiningOp<as::ConsumerWaitOp>())
      arrives = emit.bitAnd(arrives, emit.icmp(LLVM::ICmpPredicate::ne, adaptor.getToken(), emit.i32(kNoBarrier)));
    const Mbarrier empty = {adaptor.getToken(), kEmptyBarrier};
    if (op.getCtaPair())
      emitMbarrierArriveAt(emit, empty, emitPairLeader(emit), arrives);
    else if (sharedCtas == 0)
      emitMbarrierArrive(emit, empty, arrives);
    else
      emitMbarrierArriveAt(emit, empty, emit.sharingCtaRank(sharedCtas, emit.laneId()), arrives);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populatePipelinePatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<CreatePipelinePattern, CreateIteratorPattern, IncIterPattern, SlotPattern, StageNumberPattern,
               ProducerAcquirePattern, ProducerDrainPattern, ConsumerWaitPattern, ProducerCommitPattern,
               ConsumerReleasePattern>(lowering);
}

} // namespace tileiras
