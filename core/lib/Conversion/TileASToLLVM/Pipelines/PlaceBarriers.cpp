//===- PlaceBarriers.cpp - Where the threads of a CTA have to meet --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile program is sequential; its lowered form runs in many threads. They have to meet
//  * before a place in shared memory is written that is still being read or written, and before what has been written
//    there is read,
//  * between accesses to global memory that tokens order and that may touch the same elements from different threads,
//  * before a release and after an acquire, which one thread performs for all,
//  * before and after an operation whose regions run at the same time.
// Where a cluster runs the tile block, the threads of all its CTAs have to meet for the sake of global memory. Shared
// memory is each CTA's own, but for stages into which other CTAs copy: before they do, nobody may use it otherwise; and
// for what they read in an exchange: before all have met again, nobody may write there, or leave.
// The stages of a pipeline are handed from producers to consumers by their own barriers: accesses by one pipeline need
// no other order. A stage that tensor copies fill is filled by one thread, between whose steps nobody can meet. What an
// asynchronous product reads, it reads until it is waited for: a barrier before that says nothing about it. Control
// flow is the same in all threads of a scope, so a barrier may stand anywhere. One walk over the structured program
// places them, as late as possible; what the end of a loop leaves pending is found out before.
//
//===----------------------------------------------------------------------===//

#include "ExclusiveSections.h"
#include "ExpandPipelines.h"
#include "ProducerNumbers.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEASPLACEBARRIERS
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// Every thread accesses exactly the elements in `b` that it accesses in `a`: program order is enough.
bool touchesSameElements(as::MemoryAccessOpInterface a, as::MemoryAccessOpInterface b) {
  Type tile = a.getAccessedTile();
  if (!isa_and_nonnull<RankedTensorType>(tile) || tile != b.getAccessedTile() ||
      a.getAddressOperands() != b.getAddressOperands())
    return false;
  // Copies break the correspondence: all holders load, one stores.
  LinearLayout layout = getLayout(tile);
  return aa::getSharedCtas(a) == 0 && aa::getSharedCtas(b) == 0 && layout.getReplicationMask(LayoutDim::Lane) == 0 &&
         layout.getReplicationMask(LayoutDim::Warp) == 0;
}

/// A use of shared memory.
struct SharedUse {
  int64_t begin, end;
  bool isWrite;
  Value pipeline = {};     ///< whose stages it is a use of; null for none
  bool isByEngine = false; ///< a copy engine or an asynchronous product: another proxy
  bool isByPeers = false;  ///< other CTAs copy to the stages, too

  bool overlaps(const SharedUse &other) const { return begin < other.end && other.begin < end; }
  bool conflicts(const SharedUse &other) const {
    return (isWrite || other.isWrite) && overlaps(other) && (!pipeline || pipeline != other.pipeline);
  }
  bool operator==(const SharedUse &other) const = default;
};

constexpr int64_t kAnywhere = INT64_MAX;

/// The memory that `buffer` names, and the pipeline of which it is a stage.
std::pair<as::AllocTensorOp, Value> findMemory(Value buffer) {
  buffer = as::skipViews(buffer);
  if (auto slot = buffer.getDefiningOp<as::SlotOp>()) {
    auto create = slot.getPipeline().getDefiningOp<as::CreatePipelineOp>();
    if (!create || slot.getIndex() >= create.getBuffers().size())
      return {};
    return {create.getBuffers()[slot.getIndex()].getDefiningOp<as::AllocTensorOp>(), create.getPipeline()};
  }
  auto argument = dyn_cast<BlockArgument>(buffer);
  auto stage = argument ? dyn_cast<as::PipelineRegionOpInterface>(argument.getOwner()->getParentOp()) : nullptr;
  if (!stage)
    return {buffer.getDefiningOp<as::AllocTensorOp>(), Value()};
  Value owner = stage.getStageOwner();
  if (auto acquire = owner.getDefiningOp<as::ProducerAcquireOp>())
    owner = acquire.getPipeline();
  else if (auto wait = owner.getDefiningOp<as::ConsumerWaitOp>())
    owner = wait.getPipeline();
  auto create = owner.getDefiningOp<as::CreatePipelineOp>();
  if (!create || argument.getArgNumber() >= create.getBuffers().size())
    return {};
  return {create.getBuffers()[argument.getArgNumber()].getDefiningOp<as::AllocTensorOp>(), owner};
}

/// The part of shared memory that `buffer` names; all of it where that cannot be told.
SharedUse getSharedUse(Value buffer, bool isWrite) {
  auto [alloc, pipeline] = buffer ? findMemory(buffer) : std::pair<as::AllocTensorOp, Value>();
  if (!alloc || !alloc.getRange())
    return {0, kAnywhere, isWrite};
  auto create = pipeline ? pipeline.getDefiningOp<as::CreatePipelineOp>() : nullptr;
  SharedUse use = {alloc.getRange()->getOffset(),
                   alloc.getRange()->getEnd(),
                   isWrite,
                   pipeline,
                   /*isByEngine=*/false,
                   /*isByPeers=*/create && create.getSharedCtas() != 0};
  // One of several tiles of an allocation that no pipeline hands out.
  if (std::optional<int64_t> elements = as::getViewOffset(buffer); elements && !pipeline && alloc.getStages()) {
    auto tile = cast<RankedTensorType>(buffer.getType());
    use.begin += *elements * as::getSharedBits(tile.getElementType()) / 8;
    use.end = use.begin + as::getSharedBytes(tile);
  }
  return use;
}

bool usesEngine(Operation *op) {
  return isa<as::AsyncDotOp, as::DotOp, as::BlockScaledMmaOp, as::AsyncTiledTmaLoadOp, as::AsyncTiledTmaStoreOp,
             as::AsyncGatherTmaLoadOp, as::AsyncScatterTmaStoreOp, as::AsyncStoreWaitOp>(op);
}

/// What `op` itself, not counting what is nested in it, does to tensors in shared memory.
SmallVector<SharedUse> getSharedUses(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || llvm::none_of(op->getOperandTypes(), as::isSharedTensor) || isa<as::CreatePipelineOp>(op))
    return {};
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  SmallVector<SharedUse> uses;
  const bool isByEngine = usesEngine(op);
  for (const MemoryEffects::EffectInstance &effect : instances) {
    // What an engine does to no value is done to global memory, and what a copy reads.
    const bool isGlobal = isByEngine || isa<as::AsyncTiledLoadOp, as::AsyncLoadOp>(op);
    const bool isShared = effect.getValue() ? as::isSharedTensor(effect.getValue().getType()) : !isGlobal;
    if (!isShared || !isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()))
      continue;
    uses.push_back(getSharedUse(effect.getValue(), isa<MemoryEffects::Write>(effect.getEffect())));
    uses.back().isByEngine = isByEngine;
  }
  return uses;
}

bool waitsForStores(as::AsyncWaitOp wait) {
  return llvm::any_of(wait.getTokens(), [](Value token) {
    return isa_and_nonnull<as::AsyncTiledTmaStoreOp, as::AsyncScatterTmaStoreOp>(token.getDefiningOp());
  });
}

/// One thread runs the body: nobody can meet there.
bool isRunByOneThread(Operation *op) {
  auto produce = dyn_cast<as::ProduceOneOp>(op);
  auto create = produce ? produce.getPipeline().getDefiningOp<as::CreatePipelineOp>() : nullptr;
  return create && isFilledByTensorCopies(create);
}

/// What is done to shared memory in the body of `op`.
SmallVector<SharedUse> getNestedUses(Operation *op) {
  SmallVector<SharedUse> uses;
  op->walk([&](Operation *inner) { llvm::append_range(uses, getSharedUses(inner)); });
  return uses;
}

using SharedUses = SmallVector<SharedUse, 4>;

void addUse(SharedUses &uses, const SharedUse &use) {
  if (!llvm::is_contained(uses, use))
    uses.push_back(use);
}

bool areSameUses(const SharedUses &a, const SharedUses &b) {
  return a.size() == b.size() && llvm::all_of(a, [&](const SharedUse &use) { return llvm::is_contained(b, use); });
}

/// What has happened since the last barrier, on any path.
struct Pending {
  SharedUses shared;
  SharedUses own;                                ///< since all CTAs have met: what their peers do not know of
  SharedUses inFlight;                           ///< those of products that go on, maybe after the next barrier
  SharedUses peers;                              ///< what other CTAs may be reading here, since all have met
  llvm::SmallSetVector<Operation *, 8> accesses; ///< to global memory

  bool empty() const { return shared.empty() && own.empty() && peers.empty() && accesses.empty(); }
  /// All that access what is accessed; `isCluster`: those of other CTAs, too.
  void meet(bool isCluster) {
    shared.clear();
    if (!isCluster)
      return;
    own.clear();
    peers.clear();
    accesses.clear();
  }
  bool operator==(const Pending &other) const {
    return areSameUses(shared, other.shared) && areSameUses(own, other.own) && areSameUses(inFlight, other.inFlight) &&
           areSameUses(peers, other.peers) && accesses.size() == other.accesses.size() &&
           llvm::all_of(accesses, [&](Operation *op) { return other.accesses.contains(op); });
  }
  void add(Operation *op, const SharedUse &use) {
    addUse(shared, use);
    addUse(own, use);
    if (isa<as::AsyncDotOp>(op))
      addUse(inFlight, use);
  }
  /// Products are complete: all, or all but the last ones. Other threads do not know.
  void complete(bool areAll) {
    for (const SharedUse &use : inFlight)
      addUse(shared, use);
    if (areAll)
      inFlight.clear();
  }
  /// Returns whether this adds anything.
  bool merge(const Pending &other) {
    const size_t before = getSize();
    for (const SharedUse &use : other.shared)
      addUse(shared, use);
    for (const SharedUse &use : other.own)
      addUse(own, use);
    for (const SharedUse &use : other.inFlight)
      addUse(inFlight, use);
    for (const SharedUse &use : other.peers)
      addUse(peers, use);
    accesses.insert(other.accesses.begin(), other.accesses.end());
    return getSize() != before;
  }

private:
  size_t getSize() const { return shared.size() + own.size() + inFlight.size() + peers.size() + accesses.size(); }
};

class BarrierPlacement {
public:
  /// `isCluster`: the tile block runs in several CTAs.
  explicit BarrierPlacement(bool isCluster) : isCluster(isCluster) {}

  void run(Region &body) {
    body.walk([&](Operation *op) {
      for (const SharedUse &use : getSharedUses(op))
        if (use.isByEngine && !llvm::is_contained(engineUses, use))
          engineUses.push_back(use);
    });
    Pending pending;
    for (Block &block : body)
      visitBlock(block, pending, /*insert=*/true);
  }

private:
  void visitBlock(Block &block, Pending &pending, bool insert) {
    for (Operation &op : llvm::make_early_inc_range(block))
      visit(&op, pending, insert);
  }

  void visit(Operation *op, Pending &pending, bool insert) {
    if (isa<as::ExecutionScopeOpInterface>(op))
      return visitScopes(op, pending, insert);
    if (isRunByOneThread(op))
      return visitUses(op, getNestedUses(op), pending, insert);
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      return visitBranch(branch, pending, insert);
    if (isa<as::BarrierOp>(op)) // tileas-group-copies has placed it.
      return pending.meet(!isCluster);
    auto access = dyn_cast<as::MemoryAccessOpInterface>(op);
    as::MemoryRangeAttr scratch = as::getScratch(op);
    const bool exchanges = bool(scratch);
    SmallVector<SharedUse> uses = getSharedUses(op);
    if (exchanges)
      uses.push_back({scratch.getOffset(), scratch.getEnd(), /*isWrite=*/true});
    // Behind an exchange, whose barrier is none between proxies, nobody would know of what was written before.
    if (needsOrderBefore(access, pending) || needsPeersBefore(uses, pending) || needsPeersBefore(op, pending))
      placeBarrier(op, pending, insert, isCluster);
    else if (needsBarrierBefore(uses, pending) || (exchanges && needsProxyFence(pending)))
      placeBarrier(op, pending, insert);
    if (access)
      pending.accesses.insert(op);
    if (exchanges) {
      // The exchange has a barrier of its own between its writes and its reads.
      pending.meet(/*isCluster=*/!isCluster || isa<as::ClusterExchangeOp>(op));
      uses.back().isWrite = false;
      if (isa<as::ClusterExchangeOp>(op))
        addUse(pending.peers, uses.back());
    }
    for (const SharedUse &use : uses)
      pending.add(op, use);
    if (isOnlyExchangeOfLoop(op)) // The next iteration writes there: before or after it is the same, but for the last.
      placeBarrier(op->getNextNode(), pending, insert, isCluster);
    if (auto wait = dyn_cast<as::AsyncWaitOp>(op); wait && !waitsForStores(wait))
      pending.complete(/*areAll=*/wait.getPending().value_or(0) == 0);
    else if (auto future = dyn_cast<as::AsyncFutureWaitOp>(op))
      pending.complete(/*areAll=*/future.getPending().value_or(0) == 0);
    else if (isa<as::WaitProductsOp>(op))
      pending.complete(/*areAll=*/true);
    if (access && access.isAcquire() && (isCluster || !exchanges))
      placeBarrier(op->getNextNode(), pending, insert, isCluster);
  }

  void visitUses(Operation *op, ArrayRef<SharedUse> uses, Pending &pending, bool insert) {
    if (needsPeersBefore(uses, pending))
      placeBarrier(op, pending, insert, isCluster);
    else if (needsBarrierBefore(uses, pending))
      placeBarrier(op, pending, insert);
    for (const SharedUse &use : uses)
      pending.add(op, use);
  }

  /// Regions that run at the same time, each with barriers of its own.
  void visitScopes(Operation *op, Pending &pending, bool insert) {
    if (!pending.empty())
      placeBarrier(op, pending, insert, isCluster);
    for (Region &region : op->getRegions()) {
      Pending inside;
      visitBlock(region.front(), inside, insert);
    }
    if (!isa<as::ReleaseTensorMapsOp>(op->getNextNode())) // all meet there
      placeBarrier(op->getNextNode(), pending, insert, isCluster);
  }

  /// What control flow makes of what is pending before it.
  struct BranchEffect {
    Pending before;                             ///< the operation
    llvm::MapVector<Region *, Pending> entries; ///< of its regions, from before it or from regions that end
    Pending exit;                               ///< after it
  };

  void visitBranch(RegionBranchOpInterface op, Pending &pending, bool insert) {
    if (insert && paysToMeetBefore(op, pending))
      placeBarrier(op, pending, insert);
    BranchEffect effect = getBranchEffect(op, pending);
    if (insert)
      for (auto &[region, entry] : effect.entries)
        visitBlock(region->front(), entry, /*insert=*/true);
    pending = std::move(effect.exit);
  }

  /// Whether threads would meet in every iteration of an innermost loop for the sake of what is pending before it.
  bool paysToMeetBefore(RegionBranchOpInterface op, const Pending &pending) {
    auto isInner = [&](LoopLikeOpInterface inner) { return WalkResult(failure(inner != op.getOperation())); };
    if (!isa<LoopLikeOpInterface>(op.getOperation()) || pending.shared.empty() || op->walk(isInner).wasInterrupted())
      return false;
    Pending met = pending;
    met.meet(!isCluster);
    return countBarriers(op, met) < countBarriers(op, pending);
  }

  /// In one iteration of a loop that has none in it.
  unsigned countBarriers(RegionBranchOpInterface loop, const Pending &pending) {
    BranchEffect effect = getBranchEffect(loop, pending);
    const unsigned before = numPlaced;
    for (auto &[region, entry] : effect.entries)
      visitBlock(region->front(), entry, /*insert=*/false);
    return numPlaced - before;
  }

  /// A loop in loops is asked about again and again, mostly with the same pending before it: each answer is found once.
  BranchEffect getBranchEffect(RegionBranchOpInterface op, const Pending &before) {
    const bool isLoop = isa<LoopLikeOpInterface>(op.getOperation());
    if (isLoop)
      for (const BranchEffect &known : loopEffects[op])
        if (known.before == before)
          return known;
    BranchEffect effect = computeBranchEffect(op, before);
    if (isLoop)
      loopEffects[op].push_back(effect);
    return effect;
  }

  BranchEffect computeBranchEffect(RegionBranchOpInterface op, const Pending &before) {
    BranchEffect effect{before, {}, {}};
    SmallVector<Region *> grown;
    auto flow = [&](ArrayRef<RegionSuccessor> successors, const Pending &pending) {
      for (const RegionSuccessor &successor : successors) {
        if (successor.isParent()) {
          effect.exit.merge(pending);
          continue;
        }
        Region *region = successor.getSuccessor();
        auto [entry, isNew] = effect.entries.try_emplace(region);
        if ((entry->second.merge(pending) || isNew) && !llvm::is_contained(grown, region))
          grown.push_back(region);
      }
    };
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
    flow(successors, before);
    while (!grown.empty()) {
      Region *region = grown.pop_back_val();
      Pending end = effect.entries[region];
      visitBlock(region->front(), end, /*insert=*/false);
      successors.clear();
      op.getSuccessorRegions(*region, successors);
      flow(successors, end);
    }
    return effect;
  }

  static bool needsBarrierBefore(ArrayRef<SharedUse> uses, const Pending &pending) {
    return llvm::any_of(uses, [&](const SharedUse &use) {
      return llvm::any_of(pending.shared, [&](const SharedUse &earlier) { return earlier.conflicts(use); });
    });
  }

  /// Barriers are made where others may read, or the CTA ends.
  static bool needsPeersBefore(Operation *op, const Pending &pending) {
    if (isa<LLVM::ReturnOp>(op) && isa_and_nonnull<as::ReleaseTensorMapsOp>(op->getPrevNode())) // All meet there.
      return false;
    return !pending.peers.empty() && isa<LLVM::ReturnOp, as::CreatePipelineOp>(op);
  }

  static bool isOnlyExchangeOfLoop(Operation *op) {
    auto loop = isa<as::ClusterExchangeOp>(op) ? op->getParentOfType<LoopLikeOpInterface>() : nullptr;
    unsigned count = 0;
    if (loop)
      loop->walk([&](as::ClusterExchangeOp) { ++count; });
    return count == 1;
  }

  /// Peers copy to where this CTA has done something else that they do not know of, or read where it writes.
  static bool needsPeersBefore(ArrayRef<SharedUse> uses, const Pending &pending) {
    auto isRead = [&](const SharedUse &use) {
      return llvm::any_of(pending.peers, [&](const SharedUse &read) { return read.overlaps(use); });
    };
    return llvm::any_of(uses, [&](const SharedUse &use) {
      if (use.isWrite && isRead(use))
        return true;
      return use.isByPeers && use.isWrite && llvm::any_of(pending.own, [&](const SharedUse &earlier) {
               return earlier.overlaps(use) && earlier.pipeline != use.pipeline;
             });
    });
  }

  /// For the sake of global memory. Threads rather meet once than that each access, and each branch, looks at very many
  /// that are pending.
  bool needsOrderBefore(as::MemoryAccessOpInterface access, const Pending &pending) {
    return access && ((access.isRelease() && !pending.accesses.empty()) || conflictsWithPending(access, pending) ||
                      pending.accesses.size() > kMostPending);
  }

  /// Whether a pending access that this one is ordered after, by tokens, may conflict with it.
  bool conflictsWithPending(as::MemoryAccessOpInterface access, const Pending &pending) {
    if (!access.getToken() || pending.accesses.empty())
      return false;
    llvm::SmallSetVector<Value, 16> tokens;
    tokens.insert(access.getToken());
    for (unsigned i = 0; i < tokens.size(); ++i) {
      if (tokens.size() > kMostTokens)
        return true;
      Value token = tokens[i];
      auto earlier = token.getDefiningOp<as::MemoryAccessOpInterface>();
      if (!earlier) {
        collectSources(token, tokens);
        continue;
      }
      // Behind an access that is not pending there is a barrier already.
      if (!pending.accesses.contains(earlier))
        continue;
      if ((access.isWrite() || earlier.isWrite()) && !touchesSameElements(earlier, access))
        return true;
      if (earlier.getToken())
        tokens.insert(earlier.getToken());
    }
    return false;
  }

  /// The tokens `token` stands for: operands of joins, what enters and leaves control flow.
  static void collectSources(Value token, llvm::SmallSetVector<Value, 16> &tokens) {
    SmallVector<Value> sources;
    auto collect = [&](Operation *op, RegionSuccessor successor, unsigned index) {
      if (auto branch = dyn_cast_or_null<RegionBranchOpInterface>(op))
        branch.getPredecessorValues(successor, index, sources);
    };
    if (auto argument = dyn_cast<BlockArgument>(token)) {
      Region *region = argument.getOwner()->getParent();
      auto inputs = region->getArguments();
      auto branch = dyn_cast<RegionBranchOpInterface>(region->getParentOp());
      if (!branch)
        return;
      // The region's first arguments may be the operation's own, such as an induction variable.
      unsigned own = inputs.size() - getForwarded(branch, region).size();
      if (argument.getArgNumber() >= own)
        collect(branch, RegionSuccessor(region, inputs.drop_front(own)), argument.getArgNumber() - own);
    } else {
      Operation *op = token.getDefiningOp();
      if (isa<RegionBranchOpInterface>(op))
        collect(op, RegionSuccessor(op, op->getResults()), cast<OpResult>(token).getResultNumber());
      else
        llvm::copy_if(op->getOperands(), std::back_inserter(sources),
                      [&](Value operand) { return operand.getType() == token.getType(); });
    }
    tokens.insert(sources.begin(), sources.end());
  }

  /// The arguments of `region` that its predecessors give.
  static ValueRange getForwarded(RegionBranchOpInterface op, Region *region) {
    SmallVector<RegionSuccessor> successors;
    for (RegionBranchPoint point : op.getAllRegionBranchPoints())
      op.getSuccessorRegions(point, successors);
    for (const RegionSuccessor &successor : successors)
      if (successor.getSuccessor() == region)
        return successor.getSuccessorInputs();
    return {};
  }

  /// `ofCluster`: all CTAs meet, and not only the threads of each.
  void placeBarrier(Operation *before, Pending &pending, bool insert, bool ofCluster = false) {
    const bool isFence = needsProxyFence(pending);
    pending.meet(/*isCluster=*/ofCluster || !isCluster);
    ++numPlaced;
    if (!insert)
      return;
    OpBuilder builder(before);
    as::BarrierOp::create(builder, before->getLoc(), isFence, ofCluster);
  }

  /// What threads have written may lie where engines read or write, be it now or later.
  bool needsProxyFence(const Pending &pending) const {
    return llvm::any_of(pending.shared, [&](const SharedUse &use) {
      return use.isWrite && !use.isByEngine &&
             llvm::any_of(engineUses, [&](const SharedUse &other) { return use.overlaps(other); });
    });
  }

  static constexpr unsigned kMostPending = 1024, kMostTokens = 256;

  const bool isCluster;
  unsigned numPlaced = 0; ///< also of barriers that only would be
  llvm::DenseMap<Operation *, SmallVector<BranchEffect, 2>> loopEffects;
  SmallVector<SharedUse> engineUses;
};

/// The threads may have to meet before or after `op`.
bool needsOrder(Operation *op) {
  return isa<as::MemoryAccessOpInterface, as::ExecutionScopeOpInterface>(op) || as::getScratch(op) ||
         !getSharedUses(op).empty();
}

/// A pass after tileir-verify-ops-analysis may have made regions of which nobody says when, and by whom, they are run.
LogicalResult verifyRegions(LLVM::LLVMFuncOp function) {
  WalkResult result = function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function || op->getNumRegions() == 0 || isa<RegionBranchOpInterface, as::ExecutionScopeOpInterface>(op))
      return WalkResult::advance();
    WalkResult nested = op->walk([&](Operation *inner) {
      return inner != op && needsOrder(inner) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!nested.wasInterrupted())
      return WalkResult::skip();
    InFlightDiagnostic diagnostic = op->emitOpError() << "has a region of which nobody knows when it runs";
    diagnostic.attachNote() << "no barriers can be placed for what it does to memory: the operation implements neither "
                               "RegionBranchOpInterface nor ExecutionScopeOpInterface";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

class PlaceBarriersPass final : public impl::TileASPlaceBarriersBase<PlaceBarriersPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (failed(verifyRegions(function)))
        return signalPassFailure();
      hoistProducerNumbers(function);
      BarrierPlacement(getExecutionScope(function).numCtas > 1).run(function.getBody());
      removeSectionsWithBarriers(function);
    }
    markAnalysesPreserved<LoweringAnalysis>();
  }
};

} // namespace
} // namespace tileiras
