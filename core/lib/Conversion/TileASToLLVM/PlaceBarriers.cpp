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
//  * before and behind an operation whose regions run at the same time.
// Engines see what threads have written to shared memory only behind a fence of their proxy, which the barrier before
// their first access brings along.
// Control flow is the same in all threads of a scope, so a barrier may stand anywhere. One walk over the structured
// program places them, as late as possible; what the end of a loop leaves pending is found out before.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
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
  return layout.getReplicationMask(LayoutDim::Lane) == 0 && layout.getReplicationMask(LayoutDim::Warp) == 0;
}

/// A use of shared memory.
struct SharedUse {
  int64_t begin, end;
  bool isWrite;
  bool isByEngine = false;

  bool conflicts(const SharedUse &other) const {
    return (isWrite || other.isWrite) && begin < other.end && other.begin < end;
  }
  bool operator==(const SharedUse &other) const = default;
};

constexpr int64_t kAnywhere = INT64_MAX;

/// The part of shared memory that `buffer` names; all of it where that cannot be told.
SharedUse getSharedUse(Value buffer, bool isWrite, bool isByEngine) {
  auto alloc = buffer ? buffer.getDefiningOp<as::AllocTensorOp>() : nullptr;
  if (!alloc || !alloc.getSlot())
    return {0, kAnywhere, isWrite, isByEngine};
  return {alloc.getSlot()->getOffset(), alloc.getSlot()->getEnd(), isWrite, isByEngine};
}

/// Threads leave their accesses to an engine, which sees memory by a proxy of its own.
bool isByEngine(Operation *op) {
  return isa<as::DotOp, as::AsyncDotOp, as::AsyncTiledTmaLoadOp, as::AsyncTiledTmaStoreOp>(op);
}

/// What `op` itself, not counting what is nested in it, does to tensors in shared memory.
SmallVector<SharedUse> getSharedUses(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || llvm::none_of(op->getOperandTypes(), as::isSharedTensor))
    return {};
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  SmallVector<SharedUse> uses;
  for (const MemoryEffects::EffectInstance &effect : instances)
    if (isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()) &&
        (!effect.getValue() || as::isSharedTensor(effect.getValue().getType())))
      uses.push_back(getSharedUse(effect.getValue(), isa<MemoryEffects::Write>(effect.getEffect()), isByEngine(op)));
  return uses;
}

/// What has happened since the last barrier, on any path.
struct Pending {
  SmallVector<SharedUse, 4> shared;
  SmallVector<SharedUse, 4> unfenced;            ///< writes by threads since the last fence of the engines' proxy
  llvm::SmallSetVector<Operation *, 8> accesses; ///< to global memory

  bool empty() const { return shared.empty() && accesses.empty(); }
  void clear(bool isFenced) {
    shared.clear();
    accesses.clear();
    if (isFenced)
      unfenced.clear();
  }
  size_t size() const { return shared.size() + unfenced.size() + accesses.size(); }
  bool operator==(const Pending &other) const {
    auto contain = [](ArrayRef<SharedUse> uses, ArrayRef<SharedUse> others) {
      return llvm::all_of(others, [&](const SharedUse &use) { return llvm::is_contained(uses, use); });
    };
    return shared.size() == other.shared.size() && unfenced.size() == other.unfenced.size() &&
           accesses.size() == other.accesses.size() && contain(other.shared, shared) &&
           contain(other.unfenced, unfenced) &&
           llvm::all_of(accesses, [&](Operation *op) { return other.accesses.contains(op); });
  }
  void add(const SharedUse &use) {
    if (!llvm::is_contained(shared, use))
      shared.push_back(use);
  }
  void addUnfenced(const SharedUse &use) {
    if (use.isWrite && !use.isByEngine && !llvm::is_contained(unfenced, use))
      unfenced.push_back(use);
  }
  /// Returns whether this adds anything.
  bool merge(const Pending &other) {
    const size_t before = size();
    for (const SharedUse &use : other.shared)
      add(use);
    for (const SharedUse &use : other.unfenced)
      addUnfenced(use);
    accesses.insert(other.accesses.begin(), other.accesses.end());
    return size() != before;
  }
};

class BarrierPlacement {
public:
  void run(Region &body) {
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
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      return visitBranch(branch, pending, insert);
    auto access = dyn_cast<as::MemoryAccessOpInterface>(op);
    auto scratch = op->getAttrOfType<as::SlotAttr>(as::kScratchAttr);
    const bool exchanges = bool(scratch);
    SmallVector<SharedUse> uses = getSharedUses(op);
    if (exchanges)
      uses.push_back({scratch.getOffset(), scratch.getEnd(), /*isWrite=*/true});
    const bool needsFence = needsFenceBefore(uses, pending);
    if (needsFence || needsBarrierBefore(access, uses, pending))
      placeBarrier(op, pending, insert, needsFence);
    if (access)
      pending.accesses.insert(op);
    for (const SharedUse &use : uses)
      pending.addUnfenced(use);
    if (exchanges) {
      // The exchange has a barrier of its own between its writes and its reads.
      pending.clear(/*isFenced=*/false);
      uses.back().isWrite = false;
    }
    for (const SharedUse &use : uses)
      pending.add(use);
    if (access && access.isAcquire() && !exchanges)
      placeBarrier(op->getNextNode(), pending, insert);
  }

  /// Regions that run at the same time, each with barriers of its own.
  void visitScopes(Operation *op, Pending &pending, bool insert) {
    if (!pending.empty())
      placeBarrier(op, pending, insert);
    Pending behind;
    for (Region &region : op->getRegions()) {
      Pending inside;
      inside.unfenced = pending.unfenced;
      visitBlock(region.front(), inside, insert);
      behind.merge(inside);
    }
    pending = std::move(behind);
    placeBarrier(op->getNextNode(), pending, insert);
  }

  /// What control flow makes of what is pending before it.
  struct BranchEffect {
    Pending before;                             ///< the operation
    llvm::MapVector<Region *, Pending> entries; ///< of its regions, from before it or from regions that end
    Pending exit;                               ///< behind it
  };

  void visitBranch(RegionBranchOpInterface op, Pending &pending, bool insert) {
    BranchEffect effect = getBranchEffect(op, pending);
    if (insert)
      for (auto &[region, entry] : effect.entries)
        visitBlock(region->front(), entry, /*insert=*/true);
    pending = std::move(effect.exit);
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

  /// An engine accesses what a thread has written.
  static bool needsFenceBefore(ArrayRef<SharedUse> uses, const Pending &pending) {
    return llvm::any_of(uses, [&](const SharedUse &use) {
      return use.isByEngine &&
             llvm::any_of(pending.unfenced, [&](const SharedUse &write) { return write.conflicts(use); });
    });
  }

  bool needsBarrierBefore(as::MemoryAccessOpInterface access, ArrayRef<SharedUse> uses, const Pending &pending) {
    for (const SharedUse &use : uses)
      if (llvm::any_of(pending.shared, [&](const SharedUse &earlier) { return earlier.conflicts(use); }))
        return true;
    if (!access)
      return false;
    if (access.isRelease() && !pending.accesses.empty())
      return true;
    return conflictsWithPending(access, pending);
  }

  /// Whether a pending access that this one is ordered after, by tokens, may conflict with it.
  bool conflictsWithPending(as::MemoryAccessOpInterface access, const Pending &pending) {
    if (!access.getToken() || pending.accesses.empty())
      return false;
    llvm::SmallSetVector<Value, 16> tokens;
    tokens.insert(access.getToken());
    for (unsigned i = 0; i < tokens.size(); ++i) {
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

  void placeBarrier(Operation *before, Pending &pending, bool insert, bool isFence = false) {
    pending.clear(isFence);
    if (!insert)
      return;
    OpBuilder builder(before);
    as::BarrierOp::create(builder, before->getLoc(), isFence);
  }

  llvm::DenseMap<Operation *, SmallVector<BranchEffect, 2>> loopEffects;
};

/// The threads may have to meet before or behind `op`.
bool needsOrder(Operation *op) {
  return isa<as::MemoryAccessOpInterface, as::ExecutionScopeOpInterface>(op) || op->hasAttr(as::kScratchAttr) ||
         !getSharedUses(op).empty();
}

/// A pass behind tileir-verify-ops-analysis may have made regions of which nobody says when, and by whom, they are run.
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
      BarrierPlacement().run(function.getBody());
    }
    markAnalysesPreserved<LoweringAnalysis>();
  }
};

} // namespace
} // namespace tileiras
