//===- UnspecializedPipeline.cpp - Loops whose loads run ahead ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadsToRegisters.h"
#include "Passes.h"
#include "Remarks.h"
#include "StageMap.h"
#include "common/ConsumerLoops.h"
#include "common/CountedLoop.h"
#include "common/DeferredWaits.h"
#include "common/HandOff.h"
#include "common/StageAttributes.h"
#include "common/UsedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Diagnostics/PassFailure.h"
#include "tileiras/Dialect/TileAA/Agents.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASUNSPECIALIZEDPIPELINE
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// How the stages of a pipeline are filled.
enum class Filling {
  AtOnce,        ///< by a producer that is done when its stage is full
  ByCopies,      ///< by copies that take their time
  FromRegisters, ///< by a producer that stores what loads have brought
};

/// Both ends of one pipeline in one loop.
struct LoopPipeline {
  as::ProduceOneOp produce;
  as::ConsumeOneOp consume; ///< null where its steps are single operations
  Filling filling = Filling::AtOnce;
  Value consumed = {};                 ///< the consumer's iterator behind the iteration
  SmallVector<Operation *> loads = {}; ///< in front of `produce`, which stores what they load
  unsigned ahead = 0;                  ///< iterations that it is filled before it is emptied
  Value startsAfter = {};              ///< the pipeline after whose wait copies to it start; null: where it stands

  /// Whether it is filled elsewhere than where it stands.
  bool isMoved() const { return ahead != 0 || startsAfter; }
  bool startsCopies() { return as::startsCopies(produce.getBody()); }
  int64_t getStages() { return produce.getPipeline().getType().getStages(); }
};

/// The pipelines that the body of a loop fills and empties once in an iteration, or why there are none to expand.
struct LoopPipelines {
  SmallVector<LoopPipeline> pipelines;
  std::string reason;
  bool fillsByGroups; ///< threads start copies to all stages, or loads for them, and meet when they wait for one
  bool repeatsLastLoads = false; ///< instead of loading nothing ahead of the last iterations

  LoopPipelines(scf::ForOp loop, const ChipTarget &target) {
    for (Operation &op : *loop.getBody())
      if (auto produce = dyn_cast<as::ProduceOneOp>(op))
        pipelines.push_back({produce, nullptr});
    for (LoopPipeline &pipeline : pipelines)
      findConsumer(loop, pipeline);
    fillsByGroups = target && target.chip->features.fillsByGroups() &&
                    llvm::all_of(pipelines, [](const LoopPipeline &pipeline) { return pipeline.consume; });
    for (LoopPipeline &pipeline : pipelines)
      pipeline.filling = getFilling(pipeline);
  }

  bool isAnyFilledFromRegisters() const {
    return llvm::any_of(pipelines,
                        [](const LoopPipeline &pipeline) { return pipeline.filling == Filling::FromRegisters; });
  }

  bool isLoadToRegisters(Operation *op) const {
    return llvm::any_of(pipelines,
                        [&](const LoopPipeline &pipeline) { return llvm::is_contained(pipeline.loads, op); });
  }

  /// What starts behind the wait for `pipeline`, so that it takes its time while the stage is used: copies that fill
  /// others, or loads of what will fill them.
  bool startsBehindWait(Operation *op, Value pipeline) const {
    if (auto produce = dyn_cast<as::ProduceOneOp>(op))
      return llvm::any_of(pipelines, [&](const LoopPipeline &filled) {
        return op == filled.produce && filled.startsAfter == pipeline;
      });
    return llvm::any_of(pipelines, [&](LoopPipeline filled) {
      return filled.produce.getPipeline() == pipeline && llvm::is_contained(filled.loads, op);
    });
  }

private:
  Filling getFilling(LoopPipeline &pipeline) const {
    if (fillsByGroups && pipeline.startsCopies() && !as::loadsToRegisters(pipeline.produce.getBody()))
      return Filling::ByCopies;
    const bool loadsTiles = pipeline.consume && !findLoadsToRegisters(pipeline.produce).empty();
    return fillsByGroups || loadsTiles ? Filling::FromRegisters : Filling::AtOnce;
  }

  void findConsumer(scf::ForOp loop, LoopPipeline &pipeline) {
    for (Operation *user : pipeline.produce.getPipeline().getUsers()) {
      if (user == pipeline.produce || !loop->isProperAncestor(user))
        continue;
      Value next = user->getBlock() == loop.getBody() ? getConsumed(user) : Value();
      if (next && !pipeline.consumed)
        pipeline.consumed = next;
      else
        reason = "a pipeline is filled or emptied at several places of it";
      pipeline.consume = dyn_cast<as::ConsumeOneOp>(user);
    }
    if (!pipeline.consumed)
      reason = "it does not empty the pipeline that it fills";
  }

  /// The iterator behind a consumer, or behind the one that waits with `op`.
  static Value getConsumed(Operation *op) {
    if (auto consume = dyn_cast<as::ConsumeOneOp>(op))
      return consume.getNext();
    if (auto wait = dyn_cast<as::ConsumerWaitOp>(op))
      for (Operation *user : wait.getIterator().getUsers())
        if (auto next = dyn_cast<as::IncIterOp>(user); next && next->getBlock() == op->getBlock())
          return next.getNext();
    return {};
  }
};

/// The operations that run ahead: what fills pipelines, and what that needs.
class AheadOps {
public:
  explicit AheadOps(const LoopPipelines &found) {
    for (const LoopPipeline &pipeline : found.pipelines)
      loads.insert(pipeline.loads.begin(), pipeline.loads.end());
  }

  /// Fails, with the reason, where they need what is only known later.
  LogicalResult add(scf::ForOp loop, Operation *op, unsigned stage, std::string &reason) {
    auto [it, isNew] = stages.try_emplace(op, stage);
    if (!isNew && it->second <= stage)
      return success();
    it->second = stage;
    if (!isa<as::ProduceOneOp>(op) && !loads.contains(op) && !isPure(op)) {
      reason = ("what is loaded depends on '" + op->getName().getStringRef() + "', which cannot run ahead").str();
      return failure();
    }
    for (Value value : getUsedValues(op))
      if (failed(addDefinition(loop, value, stage, reason)))
        return failure();
    return success();
  }

  const llvm::DenseMap<Operation *, unsigned> &getStages() const { return stages; }
  /// They need values that go round the loop, besides its variable.
  bool needsCarried() const { return hasCarried; }

private:
  LogicalResult addDefinition(scf::ForOp loop, Value value, unsigned stage, std::string &reason) {
    auto argument = dyn_cast<BlockArgument>(value);
    const bool isCarried = argument && argument.getOwner() == loop.getBody();
    if (isCarried) {
      if (argument == loop.getInductionVar())
        return success();
      // What goes round the loop has to be made ahead, too.
      hasCarried = true;
      value = loop.getTiedLoopYieldedValue(argument)->get();
    }
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == loop.getBody())
      return add(loop, op, stage, reason);
    if (!isCarried)
      return success();
    reason = "what is loaded depends on a value that the loop carries, but does not make";
    return failure();
  }

  llvm::SmallPtrSet<Operation *, 4> loads; ///< to registers
  llvm::DenseMap<Operation *, unsigned> stages;
  bool hasCarried = false;
};

/// Lets loads to registers that run ahead of the last iteration load its tiles again: they need no branch, from which
/// tiles would come element by element. False where there are none, where more than the loop's variable says what they
/// load, or where its last value is not known.
bool repeatLastLoads(RewriterBase &rewriter, scf::ForOp loop, const LoopPipelines &found) {
  AheadOps needed(found);
  std::string reason;
  for (const LoopPipeline &pipeline : found.pipelines)
    for (Operation *load : pipeline.loads)
      if (failed(needed.add(loop, load, /*stage=*/0, reason)))
        return false;
  if (needed.getStages().empty() || needed.needsCarried() || loop.getUnsignedCmp() ||
      !isConstantIntValue(loop.getStep(), 1))
    return false;
  Value variable = loop.getInductionVar();
  const Location location = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value one = arith::ConstantOp::create(rewriter, location, rewriter.getIntegerAttr(variable.getType(), 1));
  Value last = rewriter.createOrFold<arith::SubIOp>(location, loop.getUpperBound(), one);
  rewriter.setInsertionPointToStart(loop.getBody());
  Value limited = arith::MinSIOp::create(rewriter, location, variable, last);
  rewriter.replaceUsesWithIf(variable, limited, [&](OpOperand &use) {
    return llvm::any_of(needed.getStages(), [&](const auto &op) { return op.first->isAncestor(use.getOwner()); });
  });
  return true;
}

/// Behind the loop everything that was produced has been consumed: the two iterators are equal again, and the
/// consumer's is the one that counts no stage that was never filled.
void joinIterators(RewriterBase &rewriter, scf::ForOp loop, LoopPipeline &pipeline) {
  rewriter.setInsertionPoint(pipeline.produce);
  auto ahead = as::IncIterOp::create(rewriter, pipeline.produce.getLoc(), pipeline.produce.getNext().getType(),
                                     pipeline.produce.getIterator());
  auto find = [&](Value next) -> Value {
    for (auto [yielded, result] : llvm::zip(loop.getYieldedValues(), loop.getResults()))
      if (yielded == next)
        return result;
    return {};
  };
  Value produced = find(pipeline.produce.getNext()), consumed = find(pipeline.consumed);
  if (produced && consumed)
    rewriter.replaceAllUsesWith(produced, consumed);
  rewriter.replaceAllUsesWith(pipeline.produce.getNext(), ahead.getNext());
}

/// What runs ahead of the last iterations has nothing to do.
Operation *guard(RewriterBase &rewriter, Operation *op, Value predicate) {
  if (isPure(op))
    return op;
  if (op->getNumResults() != 0 && !isa<as::ProduceOneOp>(op))
    return guardLoad(rewriter, op, predicate);
  OpBuilder::InsertionGuard insertion(rewriter);
  rewriter.setInsertionPoint(op);
  auto branch = scf::IfOp::create(rewriter, op->getLoc(), predicate, /*withElseRegion=*/false);
  for (StringRef name : {kScheduleStage, kScheduleOrder})
    if (Attribute place = op->removeAttr(name))
      branch->setAttr(name, place);
  rewriter.moveOpBefore(op, branch.thenYield());
  return branch;
}

struct TileASUnspecializedPipeline : impl::TileASUnspecializedPipelineBase<TileASUnspecializedPipeline> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASUnspecializedPipeline)
  using TileASUnspecializedPipelineBase::TileASUnspecializedPipelineBase;

  void runOnOperation() override {
    if (aa::hasAgents(getOperation()))
      return;
    if (numStages <= 1)
      return remarkAll("no more than one stage is asked for");
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](LoopLikeOpInterface loop) {
      if (auto counted = dyn_cast<scf::ForOp>(*loop))
        loops.push_back(counted);
      else if (fillsPipeline(loop))
        fail(loop, "the number of its iterations is not known before it begins");
    });
    for (scf::ForOp loop : loops)
      pipelineLoop(loop);
  }

  void remarkAll(const Twine &reason) {
    getOperation()->walk([&](LoopLikeOpInterface loop) {
      if (fillsPipeline(loop))
        remarkOn(loop, Missed::UnspecializedPipeline) << ("Failed to pipeline loop: " + reason).str();
    });
  }

  /// By itself, not by a loop in it.
  static bool fillsPipeline(LoopLikeOpInterface loop) {
    return llvm::any_of(loop.getLoopRegions(), [](Region *region) {
      return llvm::any_of(region->getOps(),
                          [](Operation &op) { return isa<as::ProduceOneOp, as::ProduceOneAsyncOp>(op); });
    });
  }

  void pipelineLoop(scf::ForOp loop) {
    if (loop->hasAttr(kNotPipelined))
      return;
    IRRewriter rewriter(&getContext());
    if (StageMap map = readStageMap(loop, numStages); !map.order.empty() || !map.reason.empty())
      return followMap(rewriter, loop, map);
    LoopPipelines found(loop, findModuleTarget(getOperation(), /*gpuName=*/""));
    placeFills(loop, found);
    unsigned depth = 1;
    for (LoopPipeline &pipeline : found.pipelines)
      depth = std::max(depth, pipeline.ahead + 1);
    // Everything that can be in the way is known before something changes.
    if (std::string reason = findObstacle(loop, found, depth); !reason.empty())
      return fail(loop, reason);
    if (found.pipelines.empty())
      return;
    for (LoopPipeline &pipeline : found.pipelines)
      joinIterators(rewriter, loop, pipeline);
    if (!canCompareAhead(loop, depth - 1 + getNumStepsAhead(loop)))
      countFromZero(rewriter, loop);
    for (LoopPipeline &pipeline : found.pipelines)
      if (pipeline.filling == Filling::FromRegisters) {
        pipeline.loads = findLoadsToRegisters(pipeline.produce);
        moveLoadsInFront(rewriter, pipeline.produce, pipeline.loads);
      }
    found.repeatsLastLoads = repeatLastLoads(rewriter, loop, found);
    AheadOps ahead(found);
    [[maybe_unused]] const std::string obstacle = collectAhead(loop, found, depth, ahead);
    assert(obstacle.empty() && "findObstacle has looked for one");
    for (LoopPipeline &pipeline : found.pipelines)
      if (pipeline.ahead != 0 && pipeline.consume && canDeferWaits(loop, pipeline.consume))
        loop = deferWaits(rewriter, loop, pipeline.consume);
    if (found.fillsByGroups)
      splitConsumers(rewriter, found);
    expand(rewriter, loop, ahead.getStages(), depth, found);
  }

  /// A pipeline is filled as many iterations ahead as leave a stage to who empties it. Where threads start copies and
  /// all meet when they wait for a stage, the stage that the last iteration had is filled after the pipeline's own
  /// wait. If there is only one stage, nobody reads it any more after the next wait for another pipeline: in the same
  /// iteration for the next one, or at the beginning of its own. So keys are loaded while others are multiplied by
  /// values, and values while keys are, as in FlashAttention-2.
  void placeFills(scf::ForOp loop, LoopPipelines &found) {
    SmallVector<LoopPipeline *> order;
    for (LoopPipeline &pipeline : found.pipelines) {
      pipeline.ahead = getDepth(pipeline, found) - 1;
      if (pipeline.filling != Filling::ByCopies)
        continue;
      order.push_back(&pipeline);
      if (pipeline.ahead != 0)
        pipeline.startsAfter = pipeline.produce.getPipeline();
    }
    if (order.size() < 2)
      return;
    llvm::sort(order, [](LoopPipeline *a, LoopPipeline *b) { return a->consume->isBeforeInBlock(b->consume); });
    for (auto [index, pipeline] : llvm::enumerate(order)) {
      AheadOps needed(found);
      std::string reason;
      if (pipeline->ahead != 0 || failed(needed.add(loop, pipeline->produce, /*stage=*/0, reason)))
        continue;
      const bool isLast = index + 1 == order.size();
      pipeline->ahead = isLast ? 0 : 1;
      pipeline->startsAfter = order[isLast ? 0 : index + 1]->produce.getPipeline();
    }
  }

  /// Then the next copies start between the wait and what is done with the stage: they take their time meanwhile.
  static void splitConsumers(RewriterBase &rewriter, LoopPipelines &found) {
    for (LoopPipeline &pipeline : found.pipelines) {
      as::ConsumerReadOp read = as::splitConsumer(rewriter, pipeline.consume, /*token=*/Value());
      rewriter.setInsertionPointAfter(read);
      as::ConsumerReleaseOp::create(rewriter, read.getLoc(), read.getDone());
      pipeline.consume = nullptr;
    }
  }

  std::string findObstacle(scf::ForOp loop, LoopPipelines &found, unsigned depth) {
    if (llvm::any_of(*loop.getBody(), llvm::IsaPred<as::ProduceOneAsyncOp>))
      return "what fills a pipeline of it with 'produce_one_async' has tokens that say when; 'stage' on its operations "
             "lets it run ahead";
    if (found.pipelines.empty() || !found.reason.empty())
      return found.reason;
    if (depth == 1)
      return "there is room for one stage only";
    for (Value value : loop.getYieldedValues())
      if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == loop.getBody())
        return "it has loop-carried values in a form that cannot be unrolled";
    AheadOps ahead(found);
    return collectAhead(loop, found, depth, ahead);
  }

  /// Why something cannot run ahead; empty if everything can.
  std::string collectAhead(scf::ForOp loop, LoopPipelines &found, unsigned depth, AheadOps &ahead) {
    std::string reason;
    for (LoopPipeline &pipeline : found.pipelines)
      if (pipeline.isMoved() && failed(ahead.add(loop, pipeline.produce, depth - 1 - pipeline.ahead, reason)))
        break;
    return reason;
  }

  /// The stages that operations ask for themselves, instead of those of pipelines.
  void followMap(RewriterBase &rewriter, scf::ForOp loop, StageMap &map) {
    if (!map.reason.empty())
      return fail(loop, "its stages are impossible: " + map.reason);
    const unsigned last = llvm::max_element(map.order, [](const StagedOperation &a, const StagedOperation &b) {
                            return a.stage < b.stage;
                          })->stage;
    if (!canCompareAhead(loop, last)) {
      countFromZero(rewriter, loop);
      map = readStageMap(loop, numStages);
    }
    for (auto [op, stage] : map.order)
      op->removeAttr(kIterOffset);
    expandSchedule(rewriter, loop, map.order);
  }

  /// Iterations that are under way at once: as many as there are stages, and no more than were asked for. Where threads
  /// meet for each stage, it may be the only one: while one tile is in registers, it is read, and filled after that.
  unsigned getDepth(LoopPipeline &pipeline, const LoopPipelines &found) {
    const bool isInRegisters =
        found.fillsByGroups && pipeline.filling == Filling::FromRegisters && !pipeline.startsCopies();
    return std::min<int64_t>(isInRegisters ? 2 : pipeline.getStages(), numStages);
  }

  /// First what uses a stage, then what fills the one that has become free. What takes its time starts earlier, and
  /// before that what it needs.
  static void orderSteps(scf::ForOp loop, const llvm::DenseMap<Operation *, unsigned> &stages, unsigned depth,
                         const LoopPipelines &found, std::vector<std::pair<Operation *, unsigned>> &schedule) {
    const bool startsEarlier = found.fillsByGroups;
    auto ops = loop.getBody()->without_terminator();
    llvm::SmallPtrSet<Operation *, 16> done;
    auto appendAhead = [&](auto isWanted) {
      for (Operation &op : ops)
        if (auto it = stages.find(&op); it != stages.end() && isWanted(op) && done.insert(&op).second)
          schedule.emplace_back(&op, it->second);
    };
    auto isProducer = [](Operation &op) { return isa<as::ProduceOneOp>(op); };
    auto isNeeded = [&](Operation &op) { return isPure(&op) && !isProducer(op); };
    if (startsEarlier || found.isAnyFilledFromRegisters())
      appendAhead(isNeeded);
    if (!startsEarlier)
      appendAhead([&](Operation &op) { return found.isLoadToRegisters(&op); });
    llvm::SmallPtrSet<Operation *, 4> early;
    auto append = [&](Operation *op) {
      schedule.emplace_back(op, depth - 1);
      if (auto wait = dyn_cast<as::ConsumerWaitOp>(op); wait && startsEarlier)
        appendAhead([&](Operation &other) { return found.startsBehindWait(&other, wait.getPipeline()); });
    };
    for (Operation &op : ops) {
      if (!stages.contains(&op) && !early.contains(&op))
        append(&op);
      if (Operation *wait = findRefill(loop, found, &op))
        append(*early.insert(wait).first);
    }
    appendAhead([](Operation &) { return true; });
  }

  /// The wait after which the only stage that `op` releases is filled again, if any: it may as well follow at once, so
  /// that who fills the stage does not wait for what is computed with the tile that was there.
  static Operation *findRefill(scf::ForOp loop, const LoopPipelines &found, Operation *op) {
    auto release = dyn_cast<as::ConsumerReleaseOp>(op);
    auto read = release ? release.getToken().getDefiningOp<as::ConsumerReadOp>() : as::ConsumerReadOp();
    auto wait = read ? read.getToken().getDefiningOp<as::ConsumerWaitOp>() : as::ConsumerWaitOp();
    if (!wait)
      return nullptr;
    auto isEmptied = [&](LoopPipeline pipeline) {
      return pipeline.produce.getPipeline() == wait.getPipeline() && pipeline.ahead == 1 && pipeline.startsAfter &&
             pipeline.startsAfter != wait.getPipeline();
    };
    auto pipeline = llvm::find_if(found.pipelines, isEmptied);
    if (pipeline == found.pipelines.end())
      return nullptr;
    auto waits = loop.getBody()->getOps<as::ConsumerWaitOp>();
    auto next =
        llvm::find_if(waits, [&](as::ConsumerWaitOp other) { return other.getPipeline() == pipeline->startsAfter; });
    Operation *iterator = next == waits.end() ? op : (*next).getIterator().getDefiningOp();
    const bool isReady = !iterator || iterator->getBlock() != op->getBlock() || iterator->isBeforeInBlock(op);
    return next != waits.end() && isReady ? (*next).getOperation() : nullptr;
  }

  void expand(RewriterBase &rewriter, scf::ForOp loop, const llvm::DenseMap<Operation *, unsigned> &stages,
              unsigned depth, const LoopPipelines &found) {
    scf::PipeliningOption options;
    options.supportDynamicLoops = true;
    options.peelEpilogue = false;
    Operation *around = loop->getParentOp();
    options.predicateFn = [&](RewriterBase &rewriter, Operation *op, Value predicate) {
      const bool isRepeated = found.repeatsLastLoads && isa<as::TiledLoadOp, as::LoadOp>(op);
      return isRepeated && op->getParentOp() != around ? op : guard(rewriter, op, predicate);
    };
    options.getScheduleFn = [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &schedule) {
      orderSteps(loop, stages, depth, found, schedule);
    };
    bool isModified = false;
    Location location = loop.getLoc();
    rewriter.setInsertionPoint(loop);
    if (FailureOr<scf::ForOp> pipelined = scf::pipelineForLoop(rewriter, loop, options, &isModified);
        succeeded(pipelined)) {
      if (std::string reason = followSchedule(rewriter, *pipelined); !reason.empty())
        miss(*pipelined, reason);
      return;
    }
    if (!isModified)
      return fail(loop, "it has loop-carried values in a form that cannot be unrolled");
    emitError(location) << "the loop could not be pipelined, and is no longer what it was; --set "
                           "pipeline-strategy=none leaves loops alone";
    signalPassFailure();
  }

  void fail(Operation *loop, const Twine &reason) {
    miss(loop, "Failed to pipeline loop: " + reason);
    loop->setAttr(kNotPipelined, UnitAttr::get(&getContext()));
  }

  void miss(Operation *loop, const Twine &reason) {
    remarkOn(loop, Missed::UnspecializedPipeline) << reason.str();
    markPassFailure(loop, getArgument(), FailureKind::Missed);
  }
};

} // namespace
} // namespace tileiras::async
