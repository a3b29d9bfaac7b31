//===- PrefetchLoads.cpp - tileaa-prefetch-loads --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadsAhead.h"
#include "Passes.h"
#include "Remarks.h"
#include "common/CountedLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tileiras/Analysis/LoadsInFlight.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEAAPREFETCHLOADS
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// On what an iteration loads, and what it computes for that.
constexpr StringRef kAhead = "ahead";

/// Loads of all iterations that are one behind the other in `block` come before what the first computes.
void loadFirst(RewriterBase &rewriter, Block &block) {
  Operation *first = nullptr;
  bool isBehindLoads = false;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!op.hasAttr(kAhead)) {
      first = isBehindLoads && !first ? &op : first;
      continue;
    }
    isBehindLoads = true;
    if (first && succeeded(moveOperationDependencies(rewriter, &op, first)))
      rewriter.moveOpBefore(&op, first);
  }
}

/// The iterations that are left over: a loop from some number on by 1. Halves, quarters, ... of what is loaded at once
/// otherwise take its place.
class Remainder {
public:
  Remainder(RewriterBase &rewriter, scf::ForOp loop)
      : rewriter(rewriter), loop(loop), location(loop.getLoc()), values(loop.getInits()) {}

  /// `most`: iterations that there are.
  void unroll(int64_t most) {
    rewriter.setInsertionPoint(loop);
    Value distance = rewriter.createOrFold<arith::SubIOp>(location, loop.getUpperBound(), loop.getLowerBound());
    Value count = rewriter.createOrFold<arith::MaxSIOp>(location, distance, makeNumber(0));
    Value start = loop.getLowerBound();
    for (int64_t number = llvm::bit_floor<uint64_t>(most); number != 0; number /= 2) {
      addBlock(number, count, start);
      Value done = rewriter.createOrFold<arith::AndIOp>(location, count, makeNumber(-number));
      start = rewriter.createOrFold<arith::AddIOp>(location, loop.getLowerBound(), done);
    }
    rewriter.replaceOp(loop, values);
  }

private:
  Value makeNumber(int64_t number) {
    Type type = loop.getInductionVar().getType();
    return arith::ConstantOp::create(rewriter, location, rewriter.getIntegerAttr(type, number));
  }

  /// `number` iterations from `start` on, where `count` has that bit.
  void addBlock(int64_t number, Value count, Value start) {
    Value bit = rewriter.createOrFold<arith::AndIOp>(location, count, makeNumber(number));
    Value exists = rewriter.createOrFold<arith::CmpIOp>(location, arith::CmpIPredicate::ne, bit, makeNumber(0));
    auto branch = scf::IfOp::create(rewriter, location, loop.getResultTypes(), exists,
                                    /*withElseRegion=*/!values.empty());
    OpBuilder::InsertionGuard insertion(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    const SmallVector<Value> results = cloneIterations(number, start);
    if (values.empty())
      return;
    scf::YieldOp::create(rewriter, location, results);
    rewriter.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(rewriter, location, values);
    values.assign(branch.result_begin(), branch.result_end());
  }

  SmallVector<Value> cloneIterations(int64_t number, Value start) {
    SmallVector<IRMapping> mappings(number);
    for (auto [index, mapping] : llvm::enumerate(mappings)) {
      mapping.map(loop.getInductionVar(), rewriter.createOrFold<arith::AddIOp>(location, start, makeNumber(index)));
      cloneSome(mapping, /*isAhead=*/true);
    }
    SmallVector<Value> carried = values;
    for (IRMapping &mapping : mappings) {
      mapping.map(loop.getRegionIterArgs(), carried);
      cloneSome(mapping, /*isAhead=*/false);
      carried =
          llvm::map_to_vector(loop.getYieldedValues(), [&](Value value) { return mapping.lookupOrDefault(value); });
    }
    return carried;
  }

  void cloneSome(IRMapping &mapping, bool isAhead) {
    for (Operation &op : loop.getBody()->without_terminator())
      if (op.hasAttr(kAhead) == isAhead)
        rewriter.clone(op, mapping);
  }

  RewriterBase &rewriter;
  scf::ForOp loop;
  const Location location;
  SmallVector<Value> values; ///< that go round the loop
};

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
    LoadsAhead loadsAhead(func, target);
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
      // A load that depends on another one waits for that.
      if (!load.getValue().use_empty() && !findObstacle(entry, loop, barrier) && entry.beside.empty())
        loads.push_back(std::move(entry));
    }
    return loads;
  }

  void prefetchLoads(scf::ForOp loop, LoadsAhead &loadsAhead, int64_t queuedBytes) {
    SmallVector<QueueLoad> loads = findLoads(loop);
    if (loads.empty())
      return;
    const int32_t stages = std::max<int32_t>(numStages, 1);
    const AheadChoice choice = loadsAhead.chooseRegisters(loop, loads, stages, queuedBytes);
    const int32_t number = allLoads ? limitByTrips(loop, stages) : choice.iterations + 1;
    if (number <= 1)
      return;
    loadsAhead.use(choice);
    IRRewriter rewriter(&getContext());
    if (!isConstantIntValue(loop.getLowerBound(), 0) || !isConstantIntValue(loop.getStep(), 1) ||
        loop.getUnsignedCmp()) {
      countFromZero(rewriter, loop);
      loads = findLoads(loop);
    }
    unroll(rewriter, loop, loads, number);
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
        mapTokens(builder, entry, mapping);
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

  static void unroll(RewriterBase &rewriter, scf::ForOp loop, ArrayRef<QueueLoad> loads, int32_t number) {
    remarkOn(loop, Analysis::Prefetch)
        << llvm::formatv("loads {0} tile(s) to registers, of {1} iterations at once", loads.size(), number).str();
    for (Operation *op : separateLoads(loop, loads))
      op->setAttr(kAhead, rewriter.getUnitAttr());
    Block *around = loop->getBlock();
    FailureOr<UnrolledLoopInfo> unrolled = loopUnrollByFactor(loop, number);
    if (succeeded(unrolled)) {
      loadFirst(rewriter, unrolled->mainLoopOp ? *unrolled->mainLoopOp->getBody() : *around);
      if (unrolled->epilogueLoopOp)
        Remainder(rewriter, *unrolled->epilogueLoopOp).unroll(number - 1);
    }
    around->walk([](Operation *op) { op->removeAttr(kAhead); });
  }
};

} // namespace
} // namespace tileiras::async
