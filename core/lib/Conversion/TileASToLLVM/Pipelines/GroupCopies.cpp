//===- GroupCopies.cpp - Stages that are filled by groups of copies -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without barriers that count bytes a stage is full when every thread has waited for the group of copies that fills it,
// and all have met; then all have also read the stages before. So one meeting an iteration is enough both for those who
// read a stage and for those who fill the one before it again, as long as one stage at least is left between them
// (CUTLASS's multistage loops do the same). What cannot be copied asynchronously goes through registers to the same
// stages: it is there when all have met.
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Analysis/BranchFlow.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEASGROUPCOPIES
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// What operations say of pipelines: `fills` has one for each stage that is filled, at the place where its copies are
/// committed, `waits` for each that is waited for, `releases` where one has been read.
struct StageEvents {
  llvm::MapVector<Operation *, Value> fills, waits, acquires, releases;
};

/// The stages that have been filled on some way and not been waited for, of each pipeline from the oldest on: how many
/// groups have been committed later, at least.
class FilledStages {
public:
  void fill(Value pipeline, bool isGroup) {
    if (isGroup)
      for (auto &[other, stages] : filled)
        for (unsigned &later : stages)
          ++later;
    SmallVector<unsigned> &stages = filled[pipeline];
    if (int64_t(stages.size()) < cast<as::PipelineType>(pipeline.getType()).getStages())
      stages.push_back(0);
    else
      llvm::fill(stages, 0); // Not to be understood: all are waited for.
  }
  /// Returns how many later groups may be open; 0 where it is not known that the stage has been filled.
  unsigned wait(Value pipeline) {
    meet();
    reading.insert(pipeline);
    SmallVector<unsigned> &stages = filled[pipeline];
    if (stages.empty() || unknown.contains(pipeline))
      return 0;
    const unsigned later = stages.front();
    stages.erase(stages.begin());
    return later;
  }
  /// The stage that was waited for is read by others until all have met again.
  void release(Value pipeline) {
    reading.remove(pipeline);
    read.insert(pipeline);
  }
  /// Stages that are not free: filled, or read by some thread.
  unsigned countTaken(Value pipeline) const {
    return countAhead(pipeline) + (reading.contains(pipeline) || read.contains(pipeline));
  }
  unsigned countAhead(Value pipeline) const {
    if (unknown.contains(pipeline))
      return cast<as::PipelineType>(pipeline.getType()).getStages();
    auto found = filled.find(pipeline);
    return found == filled.end() ? 0 : found->second.size();
  }
  /// All stages that have really been filled have been waited for.
  void drain(Value pipeline) { filled.erase(pipeline); }
  /// What is filled here, and on from here, nobody knows.
  void forget(Value pipeline) { unknown.insert(pipeline); }

  void pass(ValueRange, ValueRange) {}
  bool merge(const FilledStages &other) {
    bool hasChanged = unknown.set_union(other.unknown);
    hasChanged |= reading.set_union(other.reading);
    hasChanged |= read.set_union(other.read);
    for (const auto &[pipeline, theirs] : other.filled) {
      SmallVector<unsigned> &mine = filled[pipeline];
      for (auto [index, later] : llvm::enumerate(theirs)) {
        if (index == mine.size()) {
          mine.push_back(later);
          hasChanged = true;
        } else if (later < mine[index]) {
          mine[index] = later;
          hasChanged = true;
        }
      }
    }
    return hasChanged;
  }

private:
  void meet() { read.clear(); }

  llvm::MapVector<Value, SmallVector<unsigned>> filled;
  llvm::SetVector<Value> unknown;
  llvm::SetVector<Value> reading, read; ///< now, and since all have met
};

/// Those who fill stages after the loop go on where its consumer is: what was filled has been waited for.
bool leavesNothing(scf::ForOp loop, Value pipeline) {
  auto fills = [&](Operation *user) {
    auto produce = dyn_cast<as::ProduceOneOp>(user);
    auto acquire = dyn_cast<as::ProducerAcquireOp>(user);
    return (produce && produce.getPipeline() == pipeline) || (acquire && acquire.getPipeline() == pipeline);
  };
  return llvm::none_of(llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()), [&](auto carried) {
    auto [argument, result] = carried;
    return !result.use_empty() && llvm::any_of(argument.getUsers(), fills);
  });
}

/// Follows a function, and notes what is so on every way.
class StageWalk {
public:
  llvm::DenseMap<Operation *, unsigned> open;  ///< groups, at a wait: the fewest
  llvm::DenseMap<Operation *, unsigned> taken; ///< stages, before one is filled: the most

  explicit StageWalk(const StageEvents &events) : events(events) {}

  void visit(Region &region, FilledStages &filled) {
    for (Block &block : region)
      for (Operation &op : block)
        visit(&op, filled);
  }

private:
  void visit(Operation *op, FilledStages &filled) {
    if (auto acquire = events.acquires.find(op); acquire != events.acquires.end()) {
      unsigned &most = taken[op];
      most = std::max(most, filled.countTaken(acquire->second));
    }
    if (auto wait = events.waits.find(op); wait != events.waits.end()) {
      const unsigned later = filled.wait(wait->second);
      auto [fewest, isNew] = open.try_emplace(op, later);
      fewest->second = std::min(fewest->second, later);
    }
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
      followBranch(branch, filled, [&](Region &region, FilledStages &inside) { visit(region, inside); });
      endGuarded(op, filled);
    } else
      for (Region &region : op->getRegions())
        visit(region, filled);
    if (auto fill = events.fills.find(op); fill != events.fills.end())
      filled.fill(fill->second, isa<as::CommitCopiesOp>(op));
    if (auto release = events.releases.find(op); release != events.releases.end())
      filled.release(release->second);
  }

  /// Groups of stages that were not filled in the last iterations of a loop are nobody's after it.
  void endGuarded(Operation *op, FilledStages &filled) {
    for (auto &[commit, pipeline] : events.fills) {
      if (!isa<as::CommitCopiesOp>(commit) || !isa_and_nonnull<scf::IfOp>(commit->getPrevNode()) ||
          commit->getParentOp() != op)
        continue;
      auto loop = dyn_cast<scf::ForOp>(op);
      if (loop && leavesNothing(loop, pipeline) && waitsInEachIteration(loop, pipeline))
        filled.drain(pipeline);
      else
        filled.forget(pipeline);
    }
  }

  /// Nowhere else, where that is not certain.
  bool waitsInEachIteration(scf::ForOp loop, Value pipeline) const {
    return llvm::all_of(events.waits, [&](const auto &wait) {
      return wait.second != pipeline || !loop->isProperAncestor(wait.first) || wait.first->getParentOp() == loop;
    });
  }

  const StageEvents &events;
};

/// The pipelines of one function, without mbarriers.
class GroupExpansion {
public:
  /// `copies`: the chip has asynchronous ones.
  GroupExpansion(LLVM::LLVMFuncOp function, bool copies) : function(function), copies(copies) {}

  LogicalResult run() {
    SmallVector<as::CreatePipelineOp> pipelines;
    function.walk([&](as::CreatePipelineOp create) { pipelines.push_back(create); });
    if (pipelines.empty())
      return success();
    for (as::CreatePipelineOp create : pipelines)
      if (failed(verify(create)))
        return failure();
    splitBranches();
    collectEvents();
    for (Operation *stage : stages)
      if (isa<as::ProducerWriteOp, as::ConsumerReadOp>(stage))
        if (failed(verifyToken(cast<as::PipelineRegionOpInterface>(stage))))
          return failure();
    placeBarriers();
    for (Operation *stage : stages)
      expand(stage);
    removeBranches();
    for (as::CreatePipelineOp create : pipelines)
      create.getBarriersMutable().clear();
    return success();
  }

private:
  static LogicalResult verify(as::CreatePipelineOp create) {
    if (create.getBuffers().empty())
      return create.emitOpError() << "has no memory for its stages; give it buffers before tileas-group-copies";
    for (Operation *user : create.getPipeline().getUsers())
      if (getScopeRegion(user) != getScopeRegion(create)) {
        InFlightDiagnostic diagnostic =
            user->emitOpError()
            << "is in an agent, but the GPU has no barriers that count bytes: those who fill stages "
               "and those who read them meet, and have to be the same threads";
        diagnostic.attachNote(create.getLoc()) << "the pipeline is made here";
        return diagnostic;
      }
    return success();
  }

  /// Stages are worked on by who has just waited for them.
  static LogicalResult verifyToken(as::PipelineRegionOpInterface stage) {
    Value token = llvm::TypeSwitch<Operation *, Value>(stage).Case<as::ProducerWriteOp, as::ConsumerReadOp>(
        [](auto op) { return op.getToken(); });
    while (Operation *op = token ? token.getDefiningOp() : nullptr) {
      if (isa<as::ProducerAcquireOp, as::ConsumerWaitOp>(op))
        return success();
      token = llvm::TypeSwitch<Operation *, Value>(op)
                  .Case<as::ProducerWriteOp, as::ConsumerReadOp>([](auto other) { return other.getToken(); })
                  .Default([](Operation *) { return Value(); });
      if (!token)
        break;
    }
    return stage.emitOpError() << "works on a stage that it is not told where it was acquired: expects the token of a "
                                  "producer_acquire or consumer_wait in the same block";
  }

  /// Where a branch has nothing in it but the producer and its loads, groups are committed whether it is taken or not:
  /// who waits knows how many there are (an empty group is complete).
  static Operation *findCommitPlace(Operation *producer) {
    auto branch = dyn_cast<scf::IfOp>(producer->getParentOp());
    const bool isAlone = branch && branch.getNumResults() == 0 && branch.getElseRegion().empty() &&
                         llvm::all_of(branch.thenBlock()->without_terminator(), [&](Operation &op) {
                           return &op == producer || isa<as::TiledLoadOp, as::LoadOp>(op) || isMemoryEffectFree(&op);
                         });
    return isAlone ? branch.getOperation() : producer;
  }

  /// A branch with several producers, and nothing else in it that does anything, becomes one for each, so that each has
  /// groups of its own.
  void splitBranches() {
    SmallVector<scf::IfOp> branches;
    function.walk([&](scf::IfOp branch) {
      auto isProducer = llvm::IsaPred<as::ProduceOneOp>;
      auto inside = branch.thenBlock()->without_terminator();
      if (branch.getNumResults() == 0 && branch.getElseRegion().empty() && llvm::count_if(inside, isProducer) > 1 &&
          llvm::all_of(inside, [&](Operation &op) { return isProducer(op) || isPure(&op); }))
        branches.push_back(branch);
    });
    llvm::for_each(branches, splitBranch);
  }

  static void splitBranch(scf::IfOp branch) {
    OpBuilder builder(branch);
    Operation *last = nullptr;
    for (Operation &op : llvm::make_early_inc_range(branch.thenBlock()->without_terminator())) {
      auto produce = dyn_cast<as::ProduceOneOp>(op);
      if (!produce) {
        op.moveBefore(branch);
        continue;
      }
      if (!produce->use_empty())
        produce.getNext().replaceAllUsesWith(emitNext(branch, produce.getIterator()));
      if (last) {
        builder.setInsertionPointAfter(last);
        auto own = scf::IfOp::create(builder, branch.getLoc(), branch.getCondition(), /*withElseRegion=*/false);
        produce->moveBefore(own.thenYield());
        last = own;
      } else
        last = branch;
    }
  }

  void addFill(Operation *at, Value pipeline, bool isGroup) {
    Operation *place = findCommitPlace(at);
    if (place != at)
      guards.insert(place);
    if (!isGroup) {
      events.fills[at] = pipeline;
      return;
    }
    OpBuilder builder(at->getContext());
    builder.setInsertionPointAfter(place);
    events.fills[as::CommitCopiesOp::create(builder, at->getLoc())] = pipeline;
  }

  void collectEvents() {
    function.walk([&](Operation *op) {
      if (isa<as::PipelineRegionOpInterface, as::ProducerAcquireOp, as::ProducerCommitOp, as::ProducerDrainOp,
              as::ConsumerWaitOp, as::ConsumerReleaseOp>(op))
        stages.push_back(op);
    });
    for (Operation *op : stages)
      llvm::TypeSwitch<Operation *>(op)
          .Case([&](as::ProduceOneOp produce) {
            events.acquires[op] = produce.getPipeline();
            addFill(op, produce.getPipeline(), as::startsCopies(produce.getBody()));
          })
          .Case([&](as::ProducerAcquireOp acquire) { events.acquires[op] = acquire.getPipeline(); })
          .Case([&](as::ProducerCommitOp commit) {
            bool isGroup = false;
            Value token = commit.getToken();
            for (; auto write = token.getDefiningOp<as::ProducerWriteOp>(); token = write.getToken())
              isGroup |= as::startsCopies(write.getBody());
            if (auto acquire = token.getDefiningOp<as::ProducerAcquireOp>())
              addFill(op, acquire.getPipeline(), isGroup);
          })
          .Case([&](as::ConsumeOneOp consume) { events.waits[op] = events.releases[op] = consume.getPipeline(); })
          .Case([&](as::ConsumerReleaseOp release) {
            Value token = release.getToken();
            while (auto read = token.getDefiningOp<as::ConsumerReadOp>())
              token = read.getToken();
            if (auto wait = token.getDefiningOp<as::ConsumerWaitOp>())
              events.releases[op] = wait.getPipeline();
          })
          .Case([&](as::ConsumerWaitOp wait) { events.waits[op] = wait.getPipeline(); });
  }

  /// Whoever waits for a stage meets the others after its own copies are there. Who fills one again meets those who
  /// have read it, unless all have met since: that is so as long as a stage is left between the last that is waited for
  /// and the one that is filled, or all have met after they have released the last one.
  void placeBarriers() {
    StageWalk walk(events);
    FilledStages none;
    walk.visit(function.getBody(), none);
    OpBuilder builder(function.getContext());
    for (auto &[op, pipeline] : events.waits) {
      builder.setInsertionPoint(op);
      if (isFilledByGroups(pipeline))
        as::AwaitCopiesOp::create(builder, op->getLoc(), walk.open.lookup(op));
      as::BarrierOp::create(builder, op->getLoc(), /*proxy_fence=*/false, /*cluster=*/false);
    }
    for (auto &[op, pipeline] : events.acquires)
      if (int64_t(walk.taken.lookup(op)) >= cast<as::PipelineType>(pipeline.getType()).getStages()) {
        builder.setInsertionPoint(op);
        as::BarrierOp::create(builder, op->getLoc(), /*proxy_fence=*/false, /*cluster=*/false);
      }
  }

  bool isFilledByGroups(Value pipeline) const {
    return llvm::any_of(
        events.fills, [&](const auto &fill) { return fill.second == pipeline && isa<as::CommitCopiesOp>(fill.first); });
  }

  //===--------------------------------------------------------------------===//
  // Bodies
  //===--------------------------------------------------------------------===//

  static SmallVector<Value> inlineBody(as::PipelineRegionOpInterface stage, Value pipeline, Value iterator) {
    OpBuilder builder(stage);
    Block &body = stage.getPipelineBody().front();
    for (BlockArgument argument : body.getArguments())
      argument.replaceAllUsesWith(as::SlotOp::create(builder, stage->getLoc(), argument.getType(), pipeline, iterator,
                                                     argument.getArgNumber()));
    Operation *yield = body.getTerminator();
    SmallVector<Value> values(yield->getOperands());
    yield->erase();
    stage->getBlock()->getOperations().splice(stage->getIterator(), body.getOperations());
    return values;
  }

  static Value emitNext(Operation *op, Value iterator) {
    OpBuilder builder(op);
    return as::IncIterOp::create(builder, op->getLoc(), iterator.getType(), iterator);
  }

  static Value emitNone(Operation *op, Type type) {
    OpBuilder builder(op);
    return as::CreateNoneOp::create(builder, op->getLoc(), type);
  }

  /// The stage's pipeline, by its token.
  Value findPipeline(Value token) const { return pipelines.lookup(token); }

  void expand(Operation *op) {
    SmallVector<Value> results;
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](as::ProduceOneOp produce) {
          inlineBody(produce, produce.getPipeline(), produce.getIterator());
          results = {emitNext(op, produce.getIterator())};
        })
        .Case([&](as::ConsumeOneOp consume) {
          results = inlineBody(consume, consume.getPipeline(), consume.getIterator());
          results.push_back(emitNext(op, consume.getIterator()));
        })
        .Case<as::ProducerWriteOp, as::ConsumerReadOp>([&](auto stage) {
          results = inlineBody(stage, findPipeline(stage.getToken()), stage.getIterator());
          if (isa<as::ProducerWriteOp>(op))
            results.clear();
          results.push_back(stage.getToken());
        })
        .Case([&](as::ProducerDrainOp) {
          OpBuilder builder(op);
          if (copies)
            as::AwaitCopiesOp::create(builder, op->getLoc(), /*pending=*/0);
          as::BarrierOp::create(builder, op->getLoc(), /*proxy_fence=*/false, /*cluster=*/false);
        })
        .Case<as::ProducerAcquireOp, as::ConsumerWaitOp>([&](auto start) {
          Value token = emitNone(op, start.getToken().getType());
          pipelines[token] = start.getPipeline();
          results = {token};
        });
    op->replaceAllUsesWith(results);
    op->erase();
  }

  /// Moves copies, and what they need of their block, behind `last`, if the rest is pure.
  static void startBehind(Operation *last, ArrayRef<Operation *> copies) {
    BackwardSliceOptions options;
    options.filter = [&](Operation *op) { return op->getBlock() == last->getBlock() && last->isBeforeInBlock(op); };
    for (Operation *copy : copies) {
      llvm::SetVector<Operation *> needed;
      if (failed(getBackwardSlice(copy, &needed, options)) ||
          !llvm::all_of(needed, [](Operation *op) { return isPure(op); }))
        continue;
      needed.insert(copy);
      for (Operation *op : needed) {
        op->moveAfter(last);
        last = op;
      }
    }
  }

  /// Where all met last before `op`, in the same block: the stage that it fills has been free since.
  static Operation *findMeeting(Operation *op) {
    for (op = op->getPrevNode(); op; op = op->getPrevNode())
      if (isa<as::BarrierOp>(op))
        return op;
    return nullptr;
  }

  static bool isCopy(Operation &op) { return isa<as::AsyncTiledLoadOp, as::AsyncLoadOp>(op); }
  static bool isStore(Operation &op) {
    auto copy = dyn_cast<as::CopyOp>(op);
    return copy && copy.getDestination();
  }

  /// Nothing in it but what can be done without a branch: copies, which can be predicated, and the stores of a producer
  /// whose tiles are in registers. The stage that these would have filled is free, and nobody reads it afterwards.
  bool canBeRemoved(scf::IfOp branch) const {
    return branch.getNumResults() == 0 && branch.getElseRegion().empty() &&
           llvm::all_of(branch.thenBlock()->without_terminator(), [&](Operation &op) {
             return isPure(&op) || (isStore(op) && guards.contains(branch)) || (isCopy(op) && !isPredicated(op));
           });
  }

  /// MMAs around what a branch holds can then be computed between it. Copies start when their stage is free.
  void removeBranches() {
    function.walk([&](scf::IfOp branch) {
      if (!canBeRemoved(branch))
        return;
      SmallVector<Operation *> copies;
      for (Operation &op : llvm::make_early_inc_range(branch.thenBlock()->without_terminator())) {
        llvm::TypeSwitch<Operation *>(&op).Case<as::AsyncTiledLoadOp, as::AsyncLoadOp>([&](auto copy) {
          copy.getPredicateMutable().assign(branch.getCondition());
          copies.push_back(copy);
        });
        op.moveBefore(branch);
      }
      if (Operation *meeting = findMeeting(branch))
        startBehind(meeting, copies);
      branch.erase();
    });
  }

  static bool isPredicated(Operation &copy) {
    return llvm::TypeSwitch<Operation *, bool>(&copy).Case<as::AsyncTiledLoadOp, as::AsyncLoadOp>(
        [](auto load) { return bool(load.getPredicate()); });
  }

  LLVM::LLVMFuncOp function;
  const bool copies;
  StageEvents events;
  SmallVector<Operation *> stages; ///< all that is done to stages, bodies after what is in them
  llvm::DenseMap<Value, Value> pipelines;
  llvm::SmallPtrSet<Operation *, 4> guards; ///< branches with nothing in them but one producer
};

class GroupCopiesPass final : public impl::TileASGroupCopiesBase<GroupCopiesPass> {
  void runOnOperation() override {
    const LoweringContext *lowering = getAnalysis<LoweringAnalysis>().get();
    if (!lowering)
      return signalPassFailure();
    if (!lowering->features().fillsByGroups())
      return markAllAnalysesPreserved();
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (failed(GroupExpansion(function, lowering->features().copiesAsynchronously()).run()))
        return signalPassFailure();
    markAnalysesPreserved<LoweringAnalysis>();
  }
};

} // namespace
} // namespace tileiras
