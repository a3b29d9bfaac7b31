//===- FormQueues.cpp - tileaa-form-queues --------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadsAhead.h"
#include "Passes.h"
#include "ReadInPlace.h"
#include "Remarks.h"
#include "common/HandOff.h"
#include "common/QueueLoads.h"
#include "common/TmaEligibility.h"
#include "common/UsedValues.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "tileiras/Analysis/LoadsInFlight.h"
#include "tileiras/Dialect/TileAA/AccessHints.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEAAFORMQUEUES
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// Loads that are put into one queue, and all that reads their tiles.
struct QueueGroup {
  SmallVector<QueueLoad> loads;
  /// What goes into the body of the get, in program order, and what has to follow the get.
  SmallVector<Operation *> body, followers;
  /// Where the get stands.
  Operation *position = nullptr;
};

void sortByOrder(SmallVectorImpl<Operation *> &operations) {
  llvm::sort(operations, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });
}

bool holdsProducts(scf::ForOp loop) {
  return holdsAny<aa::DotOp, aa::MmaBlockScaleOp>(loop);
}

void remarkNotQueued(Operation *op, const Twine &reason) {
  remarkOn(op, Missed::NotQueued) << ("is not loaded ahead of its iteration: " + reason).str();
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// Everything between the first and the last of `products` that comes after one of them; and of that, what they and
/// the operations of `body` need.
void findBetween(ArrayRef<Operation *> products, const llvm::SetVector<Operation *> &body,
                 llvm::SetVector<Operation *> &dependent, llvm::SetVector<Operation *> &needed) {
  llvm::SmallPtrSet<Operation *, 8> reached(products.begin(), products.end());
  auto readsReached = [&](Operation *op) {
    return llvm::any_of(getUsedValues(op), [&](Value value) { return reached.contains(value.getDefiningOp()); });
  };
  for (Operation *op = products.front(); op != products.back(); op = op->getNextNode())
    if (!reached.contains(op) && readsReached(op)) {
      reached.insert(op);
      dependent.insert(op);
    }

  SmallVector<Operation *> work(body.getArrayRef());
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    for (Value operand : getUsedValues(op))
      if (Operation *source = operand.getDefiningOp(); dependent.contains(source) && needed.insert(source))
        work.push_back(source);
  }
}

/// The tiles as they are, as soon as somebody wants one of them.
void planWholeGet(QueueGroup &group) {
  for (QueueLoad &entry : group.loads)
    for (Operation *user : entry.getEntry().getUsers()) {
      Operation *reader = entry.load->getBlock()->findAncestorOpInBlock(*user);
      if (!group.position || reader->isBeforeInBlock(group.position))
        group.position = reader;
    }
}

/// Moves the get to the first operation outside of its body that reads what it gives. Says why not, where something
/// that its body needs is only known later.
std::optional<std::string> moveBeforeOthers(QueueGroup &group) {
  Block *block = group.position->getBlock();
  llvm::SmallPtrSet<Operation *, 8> inside(group.body.begin(), group.body.end());
  inside.insert(group.followers.begin(), group.followers.end());
  SmallVector<Value> given;
  for (QueueLoad &entry : group.loads) {
    inside.insert(entry.load);
    inside.insert(entry.conversions.begin(), entry.conversions.end());
    given.push_back(entry.getEntry());
  }
  for (Operation *op : group.body)
    llvm::append_range(given, op->getResults());
  Operation *first = group.position;
  for (Value value : given)
    for (Operation *user : value.getUsers())
      if (Operation *reader = block->findAncestorOpInBlock(*user);
          reader && !inside.contains(reader) && reader->isBeforeInBlock(first))
        first = reader;
  if (first == group.position)
    return std::nullopt;
  for (Operation *op : group.body)
    for (Value operand : getUsedValues(op)) {
      Operation *source = operand.getDefiningOp();
      source = source ? block->findAncestorOpInBlock(*source) : nullptr;
      if (source && !inside.contains(source) && !source->isBeforeInBlock(first))
        return nameOperation(first) + " reads it before " + nameOperation(source) + ", which its MMA needs";
    }
  group.position = first;
  // Those behind it stay where they are: they may need what other readers compute.
  llvm::erase_if(group.followers, [&](Operation *op) { return !op->isBeforeInBlock(first); });
  return std::nullopt;
}

/// The body of the get and its place: that of the last product, so that all operands are there. Says why not, if
/// something with an effect would have to change its place.
std::optional<std::string> planGet(QueueGroup &group) {
  llvm::SetVector<Operation *> products, body, dependent, needed;
  for (QueueLoad &entry : group.loads) {
    products.insert_range(entry.products);
    body.insert_range(llvm::make_filter_range(
        entry.between, [&](Operation *op) { return !llvm::is_contained(entry.conversions, op); }));
  }
  body.insert_range(products);
  SmallVector<Operation *> ordered = products.takeVector();
  sortByOrder(ordered);
  group.position = ordered.back();
  findBetween(ordered, body, dependent, needed);
  for (Operation *op : dependent)
    if (!isMemoryEffectFree(op))
      return nameOperation(op) + " stands between the MMAs that read it";
  body.insert_range(needed);
  dependent.remove_if([&](Operation *op) { return body.contains(op); });
  group.followers = dependent.takeVector();
  group.body = body.takeVector();
  sortByOrder(group.body);
  return moveBeforeOthers(group);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

void createPut(Value queue, QueueGroup &group, scf::ForOp loop) {
  SmallVector<Operation *> loads;
  for (QueueLoad &entry : group.loads)
    loads.push_back(entry.load);
  OpBuilder builder(*llvm::min_element(loads, [](auto *lhs, auto *rhs) { return lhs->isBeforeInBlock(rhs); }));
  auto put = aa::QueuePutOp::create(builder, loads.front()->getLoc(), queue, loop.getInductionVar());
  builder.createBlock(&put.getBody());
  IRMapping mapping;
  for (const QueueLoad &entry : group.loads)
    mapTokens(builder, entry, mapping);
  for (Operation *op : collectAddresses(group.loads))
    builder.clone(*op, mapping);
  SmallVector<Value> tiles;
  for (QueueLoad &entry : group.loads) {
    builder.clone(*entry.load, mapping);
    for (Operation *op : entry.conversions)
      builder.clone(*op, mapping);
    tiles.push_back(mapping.lookup(entry.getEntry()));
  }
  aa::QueueYieldOp::create(builder, put.getLoc(), tiles);
}

/// What the operations of the body give to others; the tiles, if there are none.
SmallVector<Value> findResults(QueueGroup &group, Block *loopBody) {
  SmallVector<Value> results;
  if (group.body.empty())
    for (QueueLoad &entry : group.loads)
      results.push_back(entry.getEntry());
  llvm::SmallPtrSet<Operation *, 8> inBody(group.body.begin(), group.body.end());
  auto isOutside = [&](Operation *user) { return !inBody.contains(loopBody->findAncestorOpInBlock(*user)); };
  for (Operation *op : group.body)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), isOutside))
        results.push_back(result);
  // Tiles that others read, too.
  for (QueueLoad &entry : group.loads)
    if (!group.body.empty() && llvm::any_of(entry.getEntry().getUsers(), isOutside))
      results.push_back(entry.getEntry());
  return results;
}

void createGet(Value queue, QueueGroup &group, scf::ForOp loop) {
  const SmallVector<Value> results = findResults(group, loop.getBody());
  OpBuilder builder(group.position);
  auto get = aa::QueueGetOp::create(builder, group.position->getLoc(), TypeRange(ValueRange(results)), queue,
                                    loop.getInductionVar(), /*consumer_idx=*/0);
  Block *body = builder.createBlock(&get.getBody());
  for (Operation *op : group.body)
    op->moveBefore(body, body->end());
  auto yield = aa::QueueYieldOp::create(builder, get.getLoc(), results);
  for (auto [inside, outside] : llvm::zip_equal(results, get.getValues()))
    Value(inside).replaceUsesWithIf(outside, [&](OpOperand &use) { return !get->isAncestor(use.getOwner()); });
  for (QueueLoad &entry : group.loads) {
    Value tile = entry.getEntry();
    tile.replaceAllUsesWith(body->addArgument(tile.getType(), entry.load->getLoc()));
  }
  yield->moveBefore(body, body->end());
  Operation *last = get;
  for (Operation *op : group.followers) {
    op->moveAfter(last);
    last = op;
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Of the function, also where an agent has both ends of a queue: agents may begin more than once.
Block *getEntryBlock(scf::ForOp loop) {
  return &loop->getParentOfType<FunctionOpInterface>().getFunctionBody().front();
}

using RelatedLoads = llvm::EquivalenceClasses<Operation *>;

/// What needs one of `products` and stands before another.
llvm::SetVector<Operation *> findInside(SmallVector<Operation *> products) {
  llvm::SetVector<Operation *> dependent, needed;
  sortByOrder(products);
  findBetween(products, /*body=*/{}, dependent, needed);
  return dependent;
}

/// Two queues cannot be read alternately: where a product of one load stands between those of another and needs one of
/// them, as in the gradients of attention, both loads go together.
void relateInterleaved(ArrayRef<QueueLoad> loads, RelatedLoads &related) {
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    llvm::MapVector<Operation *, llvm::SetVector<Operation *>> groups; // products, by leader
    for (const QueueLoad &entry : loads)
      groups[related.getLeaderValue(entry.load)].insert_range(entry.products);
    for (auto &[leader, products] : groups)
      if (products.size() > 1)
        for (Operation *op : findInside(SmallVector<Operation *>(products.getArrayRef())))
          if (related.contains(op) && !related.isEquivalent(op, leader)) { // A product of other loads.
            related.unionSets(leader, op);
            isChanged = true;
          }
  }
}

/// Loads with a product in common go together; the others, too.
std::vector<QueueGroup> groupLoads(SmallVectorImpl<QueueLoad> &loads) {
  RelatedLoads related;
  Operation *whole = nullptr;
  for (QueueLoad &entry : loads) {
    related.insert(entry.load);
    for (Operation *product : entry.products)
      related.unionSets(entry.load, product);
    if (!entry.products.empty())
      continue;
    if (!whole)
      whole = entry.load;
    related.unionSets(whole, entry.load);
  }
  relateInterleaved(loads, related);
  llvm::MapVector<Operation *, QueueGroup> groups;
  for (QueueLoad &entry : loads)
    groups[related.getLeaderValue(entry.load)].loads.push_back(std::move(entry));
  std::vector<QueueGroup> result;
  for (auto &[leader, group] : groups)
    result.push_back(std::move(group));
  return result;
}

/// Arrays that are the same in each iteration are made before the loop: the engine is told of each once. Tiles would
/// take registers there.
void hoistArrays(LoopLikeOpInterface loop) {
  moveLoopInvariantCode(
      loop.getLoopRegions(), [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [](Operation *op, Region *) {
        return isPure(op) && llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType, aa::TiledViewType>);
      },
      [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
}

struct TileAAFormQueues : impl::TileAAFormQueuesBase<TileAAFormQueues> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAAFormQueues)
  using TileAAFormQueuesBase::TileAAFormQueuesBase;

  void runOnOperation() override {
    target = findModuleTarget(getOperation(), gpuName);
    getOperation()->walk(hoistArrays);
    getOperation()->walk([&](FunctionOpInterface func) { formQueues(func); });
  }

  void formQueues(FunctionOpInterface func) {
    convertAtLoads(func);
    SmallVector<scf::ForOp> loops;
    func->walk([&](scf::ForOp loop) {
      if (!holdsAny<LoopLikeOpInterface>(loop))
        loops.push_back(loop);
    });
    loadsAhead = std::nullopt;
    sharedMemory = std::nullopt;
    if (target && !loops.empty()) {
      loadsAhead.emplace(func, target);
      sharedMemory.emplace(func, target, /*ctas=*/1);
    }
    for (scf::ForOp loop : loops)
      formQueues(loop);
    func->walk(remarkIgnoredLatency);
  }

  static void remarkIgnoredLatency(aa::TiledLoadOp load) {
    if (aa::getLatency(load) && !load->getParentOfType<aa::QueuePutOp>())
      remarkOn(load, tileiras::Missed::IgnoredHint) << "hint 'latency' ignored: the load is not made ahead of its use";
  }

  /// Nothing copies to shared memory while threads go on.
  bool goesThroughRegisters() const { return target && !target.chip->features.copiesAsynchronously(); }

  /// What goes through registers stays in them for an iteration, however many entries there are.
  int32_t getNumStages() const { return goesThroughRegisters() ? std::min<int32_t>(numStages, 2) : numStages; }

  void formQueues(scf::ForOp loop) {
    SmallVector<QueueLoad> loads = findLoads(loop);
    const int32_t stages = std::max<int32_t>(getNumStages(), 1);
    const int32_t depth = limitByTrips(loop, stages);
    if (depth < 2) {
      for (QueueLoad &entry : loads)
        remarkNotQueued(entry.load, stages < 2 ? "a queue of one entry would hold nothing ahead"
                                               : "its loop has no more than one iteration");
      return;
    }
    const SmallVector<Operation *> addresses = collectAddresses(loads);
    for (QueueGroup &group : groupLoads(loads)) {
      const int32_t most = limitByTrips(loop, getDepth(group));
      if (int32_t wanted = chooseDepth(group, loop, most); wanted != 0 && plan(group, wanted)) {
        remarkFewerStages(group, wanted, most);
        const int32_t welcome = getMostDepth(group, loop);
        aa::CreateQueueOp queue = createQueue(group, loop, wanted);
        if (welcome > wanted)
          queue.setStageCountsAttr(aa::StageCountsAttr::get(&getContext(), /*wanted=*/0, /*most=*/welcome));
      }
    }
    eraseUnused(addresses);
  }

  /// The most that a hint of the group asks for; without one, what the option says.
  int32_t getDepth(const QueueGroup &group) {
    const int32_t depth = getHintedDepth(group);
    return depth ? depth : getNumStages();
  }

  /// Operands of products come from memory later than usual where many wait for it: twice as many iterations, if that
  /// is no more than half of the loop. None where a hint says how many.
  int32_t getMostDepth(const QueueGroup &group, scf::ForOp loop) {
    const bool may =
        deepen && !goesThroughRegisters() && getHintedDepth(group) == 0 && !group.loads.front().products.empty();
    return may ? limitByTrips(loop, 4 * numStages) / 2 : 0;
  }

  static int32_t getHintedDepth(const QueueGroup &group) {
    int32_t depth = 0;
    for (const QueueLoad &entry : group.loads)
      if (std::optional<unsigned> latency = aa::getLatency(entry.load))
        depth = std::max<int32_t>(depth, aa::getQueueDepth(*latency));
    return depth;
  }

  /// Of the loads whose hints ask for more than `depth`; their loop has room for `most`.
  static void remarkFewerStages(const QueueGroup &group, int32_t depth, int32_t most) {
    for (const QueueLoad &entry : group.loads)
      if (std::optional<unsigned> latency = aa::getLatency(entry.load);
          latency && int32_t(aa::getQueueDepth(*latency)) > depth)
        remarkOn(entry.load, Missed::PipelineStages)
            << llvm::formatv(
                   "{0} of the {1} stages that hint 'latency' asks for: {2}", depth, aa::getQueueDepth(*latency),
                   depth == most ? "its loop has no more iterations" : "with more of them there is no more in flight")
                   .str();
  }

  /// Those that may run ahead.
  SmallVector<QueueLoad> findLoads(scf::ForOp loop) {
    SmallVector<QueueLoad> loads;
    SmallVector<std::pair<Operation *, std::string>> obstacles;
    Operation *barrier = findBarrier(loop);
    for (Operation &op : *loop.getBody()) {
      if (!isa<aa::TiledLoadOp, aa::LoadOp>(op) || !isa<RankedTensorType>(op.getResult(0).getType()))
        continue;
      Operation *load = &op;
      QueueLoad entry =
          findReaders(load, [&](aa::MmaBlockScaleOp product) { return readsScalesInPlace(product, target); });
      if (target && !multipliesAsynchronously())
        convertByThreads(entry, loop);
      else
        convertByEngine(TensorCopyRule(target), entry);
      if (entry.products.empty() && !entry.otherReader)
        continue;
      std::optional<std::string> obstacle;
      if (!sharesTile(entry)) {
        obstacle = findObstacleToWhole(entry, loop);
        if (entry.otherReader)
          entry.products.clear();
      }
      if (!obstacle)
        obstacle = findObstacle(entry, loop, barrier);
      if (obstacle)
        obstacles.emplace_back(load, *obstacle);
      else
        loads.push_back(std::move(entry));
    }
    if (target && !allLoads && !allProducts && multipliesAsynchronously())
      chooseByProducts(loads, loop);
    for (const auto &[load, obstacle] : obstacles)
      if (!isBesideAny(load, loads))
        remarkNotQueued(load, obstacle);
    for (size_t index = 0; index < loads.size();)
      if (isBesideAny(loads[index].load, loads))
        loads.erase(loads.begin() + index);
      else
        ++index;
    auto isOperand = [](const QueueLoad &entry) { return !entry.products.empty(); };
    if (!allLoads && holdsProducts(loop) && llvm::none_of(loads, isOperand)) {
      for (const QueueLoad &entry : loads)
        remarkNotQueued(entry.load, "no operand of the loop's MMAs is");
      loads.clear();
    }
    return loads;
  }

  /// One of `loads` depends on what `load` loads: that comes with its tile.
  static bool isBesideAny(Operation *load, ArrayRef<QueueLoad> loads) {
    return llvm::any_of(loads, [&](const QueueLoad &other) {
      return llvm::any_of(other.beside, [&](const QueueLoad &beside) { return beside.load == load; });
    });
  }

  /// Of a tile that products do not read where it lies, warps load fragments from the stages. That is worth a queue
  /// where it costs no thread anything to fill it, and where other tile blocks of the multiprocessor would not hide
  /// what little there is to wait for.
  void chooseByProducts(SmallVectorImpl<QueueLoad> &loads, scf::ForOp loop) {
    SmallVector<QueueLoad> inPlace(loads.begin(), loads.end());
    llvm::MapVector<Operation *, std::string> obstacles;
    keepReadInPlace(inPlace, loop, target,
                    [&](Operation *load, const Twine &obstacle) { obstacles[load] = obstacle.str(); });
    obstacles.remove_if([&](const auto &obstacle) { return isBesideAny(obstacle.first, inPlace); });
    SmallVector<QueueLoad> others;
    for (QueueLoad &entry : loads)
      if (obstacles.contains(entry.load) && readsAsScales(entry)) {
        entry.otherReader = entry.products.front();
        entry.products.clear();
        if (!findObstacleToWhole(entry, loop)) {
          obstacles.erase(entry.load);
          inPlace.push_back(entry);
        }
      }
    for (QueueLoad &entry : loads)
      if (auto tiled = dyn_cast<aa::TiledLoadOp>(entry.load); tiled && obstacles.contains(entry.load))
        if (std::string reason; canEngineLoad(TensorCopyRule(target), tiled, reason))
          others.push_back(entry);
    if (getQueueBytes(others, /*entries=*/1) < target.tuning().leastFragmentQueueBytes)
      others.clear();
    for (auto &[load, obstacle] : obstacles) {
      if (llvm::any_of(others, [&](const QueueLoad &entry) { return entry.load == load; }))
        remarkOn(load, Missed::NotInPlace) << "is loaded ahead, but " + obstacle;
      else
        remarkNotQueued(load, obstacle);
    }
    loads = std::move(inPlace);
    llvm::append_range(loads, others);
    llvm::sort(loads, [](const QueueLoad &a, const QueueLoad &b) { return a.load->isBeforeInBlock(b.load); });
  }

  /// Products read shared memory while their warps go on. Elsewhere warps load fragments from the stages (ldmatrix).
  bool multipliesAsynchronously() const { return target.chip->features.wgmma || target.chip->features.tcgen05; }

  /// Whoever else reads an operand's tile loads it from the same stage.
  bool sharesTile(const QueueLoad &entry) const { return entry.otherReader && !entry.products.empty() && target; }

  /// Why a tile that is no operand of a product cannot run ahead as a whole.
  std::optional<std::string> findObstacleToWhole(const QueueLoad &entry, scf::ForOp loop) {
    if (!entry.otherReader || allLoads)
      return std::nullopt;
    const bool isBesideProducts = holdsProducts(loop);
    const int64_t bytes = getBytesInMemory(entry.getTile().getType());
    if (!loadsAhead || (isBesideProducts && bytes > target.tuning().mostSideQueueBytes))
      return nameOperation(entry.otherReader) + " reads it, which is no operand of an MMA";
    auto tiled = dyn_cast<aa::TiledLoadOp>(entry.load);
    std::string reason;
    if (tiled && canEngineLoad(TensorCopyRule(target), tiled, reason))
      return std::nullopt;
    return "TMA cannot load it: " + (tiled ? reason : "it goes through pointers");
  }

  /// Iterations that the queue should hold; 0: none, with a remark.
  int32_t chooseDepth(QueueGroup &group, scf::ForOp loop, int32_t most) {
    if (allLoads || !group.loads.front().products.empty() || holdsProducts(loop))
      return most;
    const int64_t taken = sharedMemory->getTaken(), now = loadsAhead->countNow(loop, taken);
    const AheadChoice queue = loadsAhead->chooseQueue(loop, group.loads, most - 1, taken),
                      registers = loadsAhead->chooseRegisters(loop, group.loads, numStages, taken);
    if (queue.iterations != 0 && queue.inFlight > registers.inFlight &&
        registers.inFlight < target.tuning().bytesInFlight)
      return queue.iterations + 1;
    for (QueueLoad &entry : group.loads)
      remarkNotQueued(entry.load,
                      registers.iterations != 0
                          ? "as much is in flight when it is loaded ahead to registers"
                          : "loads of " + formatBytes(now) + " are in flight on a multiprocessor without that");
    return 0;
  }

  /// Room for that many stages, beside what else the function has in shared memory.
  bool takeSharedMemory(const QueueGroup &group, int32_t stages) {
    return !sharedMemory || sharedMemory->take(getQueueBytes(group.loads, stages), sharedMemory->getOrder().getWhole());
  }

  bool plan(QueueGroup &group, int32_t depth) {
    std::optional<std::string> obstacle;
    const bool isWhole = group.loads.front().products.empty();
    if (isWhole)
      planWholeGet(group);
    else
      obstacle = planGet(group);
    // Products gain by one stage, which they read where it lies; `tileas-assign-buffers` gives as many as fit.
    if (!obstacle && !takeSharedMemory(group, isWhole && !allLoads ? depth : 1))
      obstacle = "its tiles do not fit in shared memory; smaller ones take less";
    for (QueueLoad &entry : group.loads) {
      Operation *user = findTokenUserBefore(entry, group.position);
      for (const QueueLoad &beside : entry.beside)
        user = user ? user : findTokenUserBefore(beside, group.position);
      if (user && !obstacle)
        obstacle = nameOperation(user) + " has to wait for it before its tile is needed";
    }
    for (QueueLoad &entry : group.loads)
      if (obstacle)
        remarkNotQueued(entry.load, *obstacle);
    return !obstacle;
  }

  aa::CreateQueueOp createQueue(QueueGroup &group, scf::ForOp loop, int32_t depth) {
    SmallVector<Type> types;
    for (QueueLoad &entry : group.loads)
      types.push_back(entry.getEntry().getType());
    remarkOn(loop, Analysis::Queue)
        << llvm::formatv("loads {0} tile(s) ahead, {1} iterations deep", types.size(), depth).str();
    OpBuilder builder = OpBuilder::atBlockBegin(getEntryBlock(loop));
    auto queue =
        aa::CreateQueueOp::create(builder, loop.getLoc(), aa::QueueType::get(&getContext(), types, /*isolated=*/false),
                                  builder.getI32IntegerAttr(depth), /*producer_group=*/{}, /*consumer_group=*/{},
                                  builder.getI32IntegerAttr(1), /*stage_counts=*/aa::StageCountsAttr());
    createPut(queue, group, loop);
    createGet(queue, group, loop);
    // Nothing has to be ordered after a load that is known to be complete.
    llvm::for_each(group.loads, eraseLoad);
    return queue;
  }

  ChipTarget target;
  std::optional<LoadsAhead> loadsAhead;     ///< in the function; none where no GPU is named
  std::optional<SharedBudget> sharedMemory; ///< of the function; likewise
};

} // namespace
} // namespace tileiras::async
