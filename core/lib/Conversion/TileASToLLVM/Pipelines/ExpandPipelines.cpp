//===- ExpandPipelines.cpp - Stages without regions -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline that is filled by tensor copies alone has one producer, the first thread of the scope: it waits for the
// stage, says how many bytes will come and starts the copies. All others are filled by all warps, each of which arrives
// when it has stored its part, or by all threads, each of which arrives when the copies that it has started are
// complete; where they start tensor copies besides, the first thread does. Of rows that are gathered the lanes of the
// first warp copy some each: it is the producer then, and its first thread arrives. Products that fill a stage arrive
// once, when all of them are complete.
//
//===----------------------------------------------------------------------===//

#include "ExpandPipelines.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Lowering/Mbarrier.h"
#include "tileiras/Lowering/ThreadIndexing.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras {
namespace {

/// What one producer of `body` makes engines copy.
int64_t countTensorBytes(Region &body) {
  int64_t bytes = 0;
  body.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op).Case<as::AsyncTiledTmaLoadOp, as::AsyncGatherTmaLoadOp>([&](auto load) {
      RankedTensorType tile = load.getDestination().getType();
      bytes += tile.getNumElements() * as::getSharedBits(tile.getElementType()) / 8;
    });
  });
  return bytes;
}

bool gathersRows(Region &body) {
  return body.walk([](as::AsyncGatherTmaLoadOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Threads themselves read or write tiles in shared or tensor memory in `body`; those that leave it may be read behind
/// it.
bool accessesByThreads(Region &body) {
  WalkResult walk = body.walk([](Operation *op) {
    const bool isEngine = isa<as::AsyncDotOp, as::DotOp, as::BlockScaledMmaOp, as::AsyncTiledTmaLoadOp,
                              as::AsyncTiledTmaStoreOp, as::AsyncGatherTmaLoadOp, as::AsyncScatterTmaStoreOp>(op);
    // The sum of a product leaves for the next one.
    const bool accesses = !isEngine && !isa<ViewLikeOpInterface>(op) && llvm::any_of(op->getOperands(), [](Value tile) {
      return as::isSharedTensor(tile.getType()) ||
             (as::isTensorMemoryTensor(tile.getType()) && !tile.getDefiningOp<as::AsyncDotOp>());
    });
    return accesses ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// What threads store themselves is not covered by the arrival of copies.
LogicalResult verifyFilling(as::ProduceOneOp produce, bool byAsyncCopies) {
  if (as::startsCopies(produce.getBody()) && !byAsyncCopies)
    return produce.emitOpError() << "starts copies that the barriers of its pipeline do not wait for; expects "
                                    "producer_kind = async_copy";
  WalkResult walk = produce.getBody().walk([&](as::CopyOp copy) -> WalkResult {
    if (!byAsyncCopies || !copy.getDestination())
      return WalkResult::advance();
    return copy.emitOpError() << "stores to a stage that asynchronous copies alone are to fill (producer_kind = "
                                 "async_copy)";
  });
  return failure(walk.wasInterrupted());
}

/// Products arrive for their stage, and nobody else does.
LogicalResult verifyProducts(Operation *producer) {
  auto acquire = dyn_cast<as::ProducerAcquireOp>(producer);
  if (acquire && llvm::all_of(acquire.getToken().getUsers(), llvm::IsaPred<as::CommitProductsOp>))
    return success();
  return producer->emitOpError() << "fills a stage that MMAs alone are to fill (producer_kind = mma); expects "
                                    "producer_acquire, MMAs and producer_commit";
}

/// Where the token of a stage that is released comes from, round loops and out of branches.
class ReleasedStage {
public:
  explicit ReleasedStage(Value token) { visit(token); }

  /// Whether threads themselves have read the stage, as far as that can be told.
  bool isReadByThreads() const {
    return !isKnown || llvm::any_of(reads, [](as::ConsumerReadOp read) { return accessesByThreads(read.getBody()); });
  }
  /// The CTAs that fill it together, as in its pipeline.
  uint32_t getSharedCtas() const {
    uint32_t mask = 0;
    for (as::CreatePipelineOp create : getPipelines())
      mask |= create.getSharedCtas();
    return mask;
  }
  /// Products of a pair of CTAs fill it.
  bool isOfPair() const {
    return llvm::any_of(getPipelines(), [](as::CreatePipelineOp create) { return create.getCtaPair(); });
  }

private:
  SmallVector<as::CreatePipelineOp> getPipelines() const {
    SmallVector<as::CreatePipelineOp> pipelines;
    for (as::ConsumerWaitOp wait : waits)
      if (auto create = wait.getPipeline().getDefiningOp<as::CreatePipelineOp>())
        pipelines.push_back(create);
    return pipelines;
  }
  void visit(Value token) {
    if (!visited.insert(token).second)
      return;
    if (auto argument = dyn_cast<BlockArgument>(token)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (loop && argument.getArgNumber() != 0)
        visitLoop(loop, argument.getArgNumber() - 1);
      else
        isKnown = false;
      return;
    }
    const unsigned number = cast<OpResult>(token).getResultNumber();
    llvm::TypeSwitch<Operation *>(token.getDefiningOp())
        .Case([](as::CreateNoneOp) {})
        .Case([&](as::ConsumerWaitOp wait) { waits.push_back(wait); })
        .Case([&](as::ConsumerReadOp read) {
          reads.push_back(read);
          visit(read.getToken());
        })
        .Case([&](scf::ForOp loop) { visitLoop(loop, number); })
        .Case([&](scf::IfOp branch) {
          visit(branch.thenYield().getOperand(number));
          visit(branch.elseYield().getOperand(number));
        })
        .Default([&](Operation *) { isKnown = false; });
  }
  void visitLoop(scf::ForOp loop, unsigned number) {
    visit(loop.getInitArgs()[number]);
    visit(loop.getBody()->getTerminator()->getOperand(number));
  }

  bool isKnown = true;
  SmallVector<as::ConsumerWaitOp> waits;
  SmallVector<as::ConsumerReadOp> reads;
  llvm::SmallPtrSet<Value, 8> visited;
};

class PipelineExpansion {
public:
  explicit PipelineExpansion(Operation *function) : function(function) {}

  LogicalResult run() {
    SmallVector<as::CreatePipelineOp> pipelines;
    SmallVector<as::ConsumerReleaseOp> releases;
    SmallVector<as::PipelineRegionOpInterface> stages;
    function->walk([&](Operation *op) {
      if (auto create = dyn_cast<as::CreatePipelineOp>(op))
        pipelines.push_back(create);
      else if (auto release = dyn_cast<as::ConsumerReleaseOp>(op))
        releases.push_back(release);
      else if (auto stage = dyn_cast<as::PipelineRegionOpInterface>(op))
        stages.push_back(stage);
    });
    for (as::CreatePipelineOp create : pipelines)
      if (failed(countArrivals(create)))
        return failure();
    for (as::ConsumerReleaseOp release : releases) {
      const ReleasedStage stage(release.getToken());
      if (stage.isReadByThreads())
        joinLanes(release);
      release.setSharedCtas(stage.getSharedCtas()); // to which it is given back
      release.setCtaPair(stage.isOfPair());
    }
    // The walk was a post-order one: what stands in a body comes before what is around it.
    for (as::PipelineRegionOpInterface stage : stages)
      if (failed(expand(stage)))
        return failure();
    if (llvm::any_of(pipelines, [](as::CreatePipelineOp create) { return create.getSharedCtas() != 0; }))
      stayUntilAllAreDone();
    return success();
  }

private:
  //===--------------------------------------------------------------------===//
  // Who arrives
  //===--------------------------------------------------------------------===//

  LogicalResult countArrivals(as::CreatePipelineOp create) {
    if (!create.getBarriers() && !create.getBuffers().empty() && !as::hasHandshakes(create))
      return success(); // Those who use it meet.
    if (!create.getBarriers() || create.getBuffers().empty())
      return create.emitOpError() << "failed to find smem buffer address for mbarrier: it has no memory for its stages "
                                     "and barriers; give it buffers and barriers before convert-tileas-control-flow";
    if (!isa<FunctionOpInterface>(create->getParentOp()))
      return create.emitOpError() << (create.getCtaPair() ? "Failed" : "failed")
                                  << " to init mbarrier: barriers are initialised once, and a pipeline in control "
                                     "flow is made more often; make it in the entry block of its function";
    const bool isTma = isFilledByTensorCopies(create);
    const bool byAsyncCopies = create.getProducerKind() == as::ProducerKind::AsyncCopy;
    const bool byProducts = create.getProducerKind() == as::ProducerKind::Mma;
    int64_t producers = 1;
    llvm::MapVector<uint32_t, int64_t> consumers;
    for (Operation *user : create.getPipeline().getUsers()) {
      const int64_t warps = getExecutionScope(user).numWarps;
      if (auto produce = dyn_cast<as::ProduceOneOp>(user); produce && isTma && accessesByThreads(produce.getBody()))
        return produce.emitOpError() << "stores to a stage that tensor copies alone are to fill (producer_kind = tma)";
      if (isa<as::ProducerAcquireOp>(user) && isTma)
        return user->emitOpError() << "takes a stage of a pipeline whose producers are tensor copies (producer_kind = "
                                      "tma); use produce_one";
      if (byProducts && isa<as::ProduceOneOp, as::ProducerAcquireOp>(user) && failed(verifyProducts(user)))
        return failure();
      if (auto produce = dyn_cast<as::ProduceOneOp>(user))
        if (failed(verifyFilling(produce, byAsyncCopies)))
          return failure();
      if (isa<as::ProduceOneOp, as::ProducerAcquireOp>(user) && !isTma && !byProducts)
        producers = byAsyncCopies ? warps * kLanesPerWarp + startsTensorCopies(user) + create.getCtaPair() : warps;
      if (auto consume = dyn_cast<as::ConsumeOneOp>(user))
        consumers[consume.getConsumerIdx()] = countReleases(create, user);
      else if (auto wait = dyn_cast<as::ConsumerWaitOp>(user))
        consumers[wait.getConsumerIdx()] = countReleases(create, user);
    }
    int64_t releases = 0;
    for (auto [index, count] : consumers)
      releases += count;
    releases = std::max<int64_t>(releases, 1) * aa::getNumSharingCtas(create.getSharedCtas());
    if (byProducts && create.getCtaPair())
      releases *= 2;
    create.setArrivals(ArrayRef<int32_t>{int32_t(producers), int32_t(releases)});
    if (!byAsyncCopies && !byProducts)
      create.setProducerKind(isTma ? as::ProducerKind::Tma : as::ProducerKind::Registers);
    return success();
  }

  /// By warps of the scope, and by its products; a single warp leaves it to these.
  static int64_t countReleases(as::CreatePipelineOp create, Operation *consumer) {
    const ExecutionScope scope = getExecutionScope(consumer);
    if (!create.getProductReleases())
      return scope.numWarps;
    return scope.numWarps == 1 ? 1 : scope.numWarps + scope.productGroups;
  }

  /// Then one thread says how much they bring.
  static bool startsTensorCopies(Operation *producer) {
    auto produce = dyn_cast<as::ProduceOneOp>(producer);
    return produce && countTensorBytes(produce.getBody()) != 0;
  }

  /// One lane arrives for all of its warp when they have read.
  static void joinLanes(Operation *release) {
    OpBuilder builder(release);
    Emitter emit(builder, release);
    emitSyncWarp(emit);
  }

  /// Nobody leaves while others may still copy to its stages, or release theirs at its barriers.
  void stayUntilAllAreDone() {
    function->walk([](LLVM::ReturnOp end) {
      auto barrier = dyn_cast_or_null<as::BarrierOp>(end->getPrevNode());
      if (isa_and_nonnull<as::ReleaseTensorMapsOp>(end->getPrevNode()) || (barrier && barrier.getCluster()))
        return; // All meet there.
      OpBuilder builder(end);
      as::BarrierOp::create(builder, end.getLoc(), /*proxy_fence=*/false, /*cluster=*/true);
    });
  }

  //===--------------------------------------------------------------------===//
  // Bodies
  //===--------------------------------------------------------------------===//

  LogicalResult expand(as::PipelineRegionOpInterface stage) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(stage)
        .Case<as::ProduceOneOp, as::ConsumeOneOp, as::ProducerWriteOp, as::ConsumerReadOp>(
            [&](auto op) { return expandOp(op); })
        .Default([](Operation *) { return success(); }); // The conversion refuses them.
  }

  /// Moves the body of `stage` to the builder and returns what it yields.
  static SmallVector<Value> inlineBody(OpBuilder &builder, as::PipelineRegionOpInterface stage, Value pipeline,
                                       Value iterator) {
    Block &body = stage.getPipelineBody().front();
    for (BlockArgument argument : body.getArguments())
      argument.replaceAllUsesWith(as::SlotOp::create(builder, stage->getLoc(), argument.getType(), pipeline, iterator,
                                                     argument.getArgNumber()));
    Operation *yield = body.getTerminator();
    SmallVector<Value> values(yield->getOperands());
    yield->erase();
    builder.getInsertionBlock()->getOperations().splice(builder.getInsertionPoint(), body.getOperations());
    return values;
  }

  static LogicalResult verifyFills(Operation *producer, Region &body) {
    if (body.front().getTerminator()->getNumOperands() == 0)
      return success();
    return producer->emitOpError() << "yields what is to be put into the stage; expects a body that writes to the "
                                      "stage's memory itself";
  }

  /// Who runs the body of a producer: how far what one thread starts has to be kept from others.
  enum class Runner : uint8_t { FirstThread, FirstWarp, Scope };

  /// Copies in `body` complete the phase of `token`. Where all threads run it, one of them starts them, and its warp
  /// waits for it: the lanes go on together with what they copy themselves. Rows are for all lanes of that warp.
  static LogicalResult startCopies(Region &body, Value token, Runner runner) {
    SmallVector<Operation *> loads;
    body.walk([&](Operation *op) {
      if (isa<as::AsyncTiledTmaLoadOp, as::AsyncGatherTmaLoadOp>(op))
        loads.push_back(op);
    });
    for (Operation *load : loads) {
      if (load->getParentRegion() != &body)
        return load->emitOpError()
               << "failed to get expected tx-count: in control flow of a producer, the bytes that the "
                  "stage waits for are not known; copy before or after it";
      const bool isOfRows = isa<as::AsyncGatherTmaLoadOp>(load);
      llvm::TypeSwitch<Operation *>(load).Case<as::AsyncTiledTmaLoadOp, as::AsyncGatherTmaLoadOp>(
          [&](auto op) { op.getBarrierMutable().assign(token); });
      if (runner == Runner::FirstThread)
        continue;
      load->dropAllUses(); // Tokens, in the block that the copy leaves.
      OpBuilder builder(load);
      Operation *started = load;
      if (!isOfRows || runner == Runner::Scope) {
        auto branch = isOfRows ? emitFirstWarp(builder, load) : emitFirstThread(builder, load);
        load->moveBefore(branch.thenYield());
        started = branch;
      }
      if (load != loads.back())
        continue;
      Emitter emit(builder, started);
      builder.setInsertionPointAfter(started);
      emitSyncWarp(emit);
    }
    return success();
  }

  static scf::IfOp emitFirstThread(OpBuilder &builder, Operation *op) {
    Emitter emit(builder, op);
    return scf::IfOp::create(builder, op->getLoc(), emitIsFirstThread(emit), /*withElseRegion=*/false);
  }

  static scf::IfOp emitFirstWarp(OpBuilder &builder, Operation *op) {
    Emitter emit(builder, op);
    Value isFirst = emit.scope.numWarps == 1 ? emit.i1(true) : emitIsFirstWarp(emit);
    return scf::IfOp::create(builder, op->getLoc(), isFirst, /*withElseRegion=*/false);
  }

  static void emitCommit(OpBuilder &builder, Location location, Value token, int64_t bytes, bool byOne) {
    auto commit = as::ProducerCommitOp::create(builder, location, token, IntegerAttr(), byOne);
    if (bytes != 0)
      commit.setTxCount(bytes);
  }

  static Value emitNext(OpBuilder &builder, Location location, Value iterator) {
    return as::IncIterOp::create(builder, location, iterator.getType(), iterator);
  }

  static LogicalResult expandOp(as::ProduceOneOp op) {
    const Location location = op.getLoc();
    auto create = op.getPipeline().getDefiningOp<as::CreatePipelineOp>();
    const bool byOne = create && create.getProducerKind() == as::ProducerKind::Tma;
    const Runner runner = !byOne ? Runner::Scope : gathersRows(op.getBody()) ? Runner::FirstWarp : Runner::FirstThread;
    const int64_t bytes = countTensorBytes(op.getBody());
    if (failed(verifyFills(op, op.getBody())))
      return failure();
    OpBuilder builder(op);
    if (byOne) {
      auto branch = runner == Runner::FirstWarp ? emitFirstWarp(builder, op) : emitFirstThread(builder, op);
      builder.setInsertionPoint(branch.thenYield());
    }
    auto tokenType = as::ProducerTokenType::get(op.getPipeline().getType());
    Value token = as::ProducerAcquireOp::create(builder, location, tokenType, op.getPipeline(), op.getIterator(),
                                                op.getProducerKindAttr());
    if (failed(startCopies(op.getBody(), token, runner)))
      return failure();
    if (runner == Runner::FirstWarp) {
      OpBuilder inFirstThread(emitFirstThread(builder, token.getDefiningOp()).thenYield());
      emitCommit(inFirstThread, location, token, bytes, byOne);
    } else if (byOne) {
      emitCommit(builder, location, token, bytes, byOne);
    }
    inlineBody(builder, op, op.getPipeline(), op.getIterator());
    if (!byOne)
      emitCommit(builder, location, token, bytes, byOne);
    builder.setInsertionPoint(op);
    op.getNext().replaceAllUsesWith(emitNext(builder, location, op.getIterator()));
    op.erase();
    return success();
  }

  static LogicalResult expandOp(as::ConsumeOneOp op) {
    const Location location = op.getLoc();
    OpBuilder builder(op);
    // A body without arguments does the handshake itself.
    const bool owns = op.getBody().getNumArguments() != 0;
    const bool byThreads = accessesByThreads(op.getBody());
    auto tokenType = as::ConsumerTokenType::get(op.getPipeline().getType());
    Value token;
    if (owns)
      token = as::ConsumerWaitOp::create(builder, location, tokenType, op.getPipeline(), op.getIterator(),
                                         op.getConsumerIdx());
    SmallVector<Value> values = inlineBody(builder, op, op.getPipeline(), op.getIterator());
    if (owns) {
      auto release = as::ConsumerReleaseOp::create(builder, location, token);
      if (auto create = op.getPipeline().getDefiningOp<as::CreatePipelineOp>()) {
        release.setSharedCtas(create.getSharedCtas());
        release.setCtaPair(create.getCtaPair());
      }
      if (byThreads)
        joinLanes(release);
    }
    values.push_back(emitNext(builder, location, op.getIterator()));
    op->replaceAllUsesWith(values);
    op.erase();
    return success();
  }

  /// The pipeline of a token, where it comes straight from its acquisition.
  static FailureOr<Value> findPipeline(Operation *op, Value token) {
    if (auto acquire = token.getDefiningOp<as::ProducerAcquireOp>())
      return Value(acquire.getPipeline());
    if (auto wait = token.getDefiningOp<as::ConsumerWaitOp>())
      return Value(wait.getPipeline());
    return op->emitOpError() << "works on a stage that it is not told where it was acquired: expects the token of a "
                                "producer_acquire or consumer_wait in the same block";
  }

  static LogicalResult expandOp(as::ProducerWriteOp op) {
    FailureOr<Value> pipeline = findPipeline(op, op.getToken());
    if (failed(pipeline) || failed(verifyFills(op, op.getBody())))
      return failure();
    const int64_t bytes = countTensorBytes(op.getBody());
    if (failed(startCopies(op.getBody(), op.getToken(), Runner::Scope)))
      return failure();
    for (Operation *user : op.getWritten().getUsers())
      if (auto commit = dyn_cast<as::ProducerCommitOp>(user); commit && bytes != 0)
        commit.setTxCount(bytes);
    OpBuilder builder(op);
    inlineBody(builder, op, *pipeline, op.getIterator());
    op.getWritten().replaceAllUsesWith(op.getToken());
    op.erase();
    return success();
  }

  static LogicalResult expandOp(as::ConsumerReadOp op) {
    FailureOr<Value> pipeline = findPipeline(op, op.getToken());
    if (failed(pipeline))
      return failure();
    OpBuilder builder(op);
    SmallVector<Value> values = inlineBody(builder, op, *pipeline, op.getIterator());
    values.push_back(op.getToken());
    op->replaceAllUsesWith(values);
    op.erase();
    return success();
  }

  Operation *function;
};

} // namespace

bool isFilledByTensorCopies(as::CreatePipelineOp create) {
  if (std::optional<as::ProducerKind> kind = create.getProducerKind())
    return *kind == as::ProducerKind::Tma;
  for (Operation *user : create.getPipeline().getUsers()) {
    if (isa<as::ProducerAcquireOp>(user))
      return false;
    if (auto produce = dyn_cast<as::ProduceOneOp>(user))
      if (countTensorBytes(produce.getBody()) == 0 || accessesByThreads(produce.getBody()))
        return false;
  }
  return true;
}

LogicalResult expandPipelines(Operation *function) {
  return PipelineExpansion(function).run();
}

} // namespace tileiras
