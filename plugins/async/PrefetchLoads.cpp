//===- PrefetchLoads.cpp - tileaa-prefetch-loads --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CountedLoop.h"
#include "LoadsAhead.h"
#include "Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Analysis/LoadsInFlight.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "tileiras/Pipeline/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEAAPREFETCHLOADS
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// What stands in for a tile that nobody uses can be made.
bool hasZero(aa::TiledLoadOp load) {
  return isa<IntegerType, FloatType>(cast<RankedTensorType>(load.getValue().getType()).getElementType());
}

/// What runs ahead of the last iterations has nothing to load.
Operation *guardLoad(RewriterBase &rewriter, Operation *op, Value predicate) {
  if (isPure(op))
    return op;
  OpBuilder::InsertionGuard insertion(rewriter);
  auto load = cast<aa::TiledLoadOp>(op);
  rewriter.setInsertionPoint(op);
  auto branch = scf::IfOp::create(rewriter, op->getLoc(), op->getResultTypes(), predicate, /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> instead = {
      arith::ConstantOp::create(rewriter, op->getLoc(), rewriter.getZeroAttr(load.getValue().getType()))};
  if (load.getResultToken())
    instead.push_back(load.getToken());
  scf::YieldOp::create(rewriter, op->getLoc(), instead);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  auto yield = scf::YieldOp::create(rewriter, op->getLoc(), op->getResults());
  rewriter.moveOpBefore(op, yield);
  return branch;
}

struct TileAAPrefetchLoads : impl::TileAAPrefetchLoadsBase<TileAAPrefetchLoads> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAAPrefetchLoads)
  using TileAAPrefetchLoadsBase::TileAAPrefetchLoadsBase;

  void runOnOperation() override {
    const ChipTarget target = findModuleTarget(getOperation(), gpuName);
    if (target)
      getOperation()->walk([&](FunctionOpInterface func) { prefetchLoads(func, target); });
  }

  void prefetchLoads(FunctionOpInterface func, const ChipTarget &target) {
    SmallVector<scf::ForOp> loops;
    func->walk([&](scf::ForOp loop) {
      if (!holdsAny<LoopLikeOpInterface, aa::DotOp, aa::MmaBlockScaleOp, aa::QueuePutOp, aa::QueueGetOp>(loop))
        loops.push_back(loop);
    });
    if (loops.empty())
      return;
    const LoadsAhead loadsAhead(func, target);
    const int64_t queuedBytes = getBytesOfQueues(func);
    for (scf::ForOp loop : loops)
      prefetchLoads(loop, loadsAhead, queuedBytes);
  }

  static int64_t getBytesOfQueues(FunctionOpInterface func) {
    int64_t bytes = 0;
    func->walk([&](aa::CreateQueueOp queue) {
      bytes += getRingBytes(queue.getQueue().getType().getTypes(), queue.getDepth().value_or(1));
    });
    return bytes;
  }

  static SmallVector<QueueLoad> findLoads(scf::ForOp loop) {
    SmallVector<QueueLoad> loads;
    Operation *barrier = findBarrier(loop);
    for (auto load : loop.getBody()->getOps<aa::TiledLoadOp>()) {
      QueueLoad entry = findReaders(load);
      if (!load.getValue().use_empty() && hasZero(load) && !findObstacle(entry, loop, barrier))
        loads.push_back(std::move(entry));
    }
    return loads;
  }

  void prefetchLoads(scf::ForOp loop, const LoadsAhead &loadsAhead, int64_t queuedBytes) {
    SmallVector<QueueLoad> loads = findLoads(loop);
    if (loads.empty())
      return;
    const int32_t most = limitByTrips(loop, std::max<int32_t>(numStages, 1)) - 1;
    const int32_t iterations = allLoads ? most : loadsAhead.chooseRegisters(loop, loads, most, queuedBytes).iterations;
    if (iterations <= 0)
      return;
    if (const char *obstacle = findObstacleOfLoop(loop)) {
      remarkMissed(loop, "NotPrefetched", "form-queues") << ("its loads do not run ahead: " + Twine(obstacle)).str();
      return;
    }
    IRRewriter rewriter(&getContext());
    if (!canCompareAhead(loop, iterations)) {
      countFromZero(rewriter, loop);
      loads = findLoads(loop);
    }
    rotate(rewriter, loop, loads, iterations);
  }

  /// What scf::pipelineForLoop does not know.
  static const char *findObstacleOfLoop(scf::ForOp loop) {
    auto isTileOfBefore = [](Value value) {
      return isa<BlockArgument>(value) && !isa<aa::MemTokenType>(value.getType());
    };
    if (llvm::any_of(loop.getYieldedValues(), isTileOfBefore))
      return "an iteration hands on a value that it was given";
    return nullptr;
  }

  /// It wants each value that goes round the loop to be made there.
  static void nameTokens(scf::ForOp loop) {
    OpBuilder builder(loop.getBody()->getTerminator());
    for (OpOperand &yielded : loop.getBody()->getTerminator()->getOpOperands())
      if (isa<BlockArgument>(yielded.get()))
        yielded.set(aa::JoinMemTokenOp::create(builder, loop.getLoc(), ValueRange(yielded.get())));
  }

  /// Copies of the loads and of what only they need, at the start of the body, take the place of the loads.
  static SmallVector<Operation *> separateLoads(scf::ForOp loop, ArrayRef<QueueLoad> loads) {
    OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
    IRMapping mapping;
    SmallVector<Operation *> copies;
    const SmallVector<Operation *> addresses = collectAddresses(loads);
    for (Operation *op : addresses)
      copies.push_back(builder.clone(*op, mapping));
    for (const QueueLoad &entry : loads) {
      auto load = cast<aa::TiledLoadOp>(entry.load);
      if (Value token = load.getToken()) {
        mapping.map(token, joinTokens(builder, entry));
        if (Operation *join = mapping.lookup(token).getDefiningOp(); join && join->getBlock() == loop.getBody())
          copies.push_back(join);
      }
      copies.push_back(builder.clone(*load, mapping));
      load.getValue().replaceAllUsesWith(copies.back()->getResult(0));
    }
    llvm::for_each(loads, eraseLoad);
    eraseUnused(addresses);
    return copies;
  }

  void rotate(IRRewriter &rewriter, scf::ForOp loop, ArrayRef<QueueLoad> loads, int32_t iterations) {
    const SmallVector<Operation *> ahead = separateLoads(loop, loads);
    nameTokens(loop);
    const llvm::SmallPtrSet<Operation *, 16> isAhead(ahead.begin(), ahead.end());
    scf::PipeliningOption options;
    options.supportDynamicLoops = true;
    options.peelEpilogue = false;
    options.predicateFn = guardLoad;
    options.getScheduleFn = [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &schedule) {
      for (Operation *op : ahead)
        schedule.emplace_back(op, 0);
      for (Operation &op : loop.getBody()->without_terminator())
        if (!isAhead.contains(&op))
          schedule.emplace_back(&op, iterations);
    };
    rewriter.setInsertionPoint(loop);
    const Location location = loop.getLoc();
    bool isModified = false;
    const FailureOr<scf::ForOp> rotated = scf::pipelineForLoop(rewriter, loop, options, &isModified);
    if (succeeded(rotated)) {
      remarkAnalysis(*rotated, "Prefetch", "form-queues")
          << llvm::formatv("loads {0} tile(s) to registers, {1} iteration(s) ahead", loads.size(), iterations).str();
      return;
    }
    if (!isModified) {
      remarkMissed(loop, "NotPrefetched", "form-queues")
          << "its loads do not run ahead: values go round it in a way that cannot be unrolled";
      return;
    }
    emitError(location) << "the loop could not be rotated, and is no longer what it was; --set pipeline-strategy=none "
                           "leaves loops alone";
    signalPassFailure();
  }
};

} // namespace
} // namespace tileiras::async
