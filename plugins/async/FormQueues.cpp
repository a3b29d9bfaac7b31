//===- FormQueues.cpp - tileaa-form-queues --------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "QueueLoads.h"
#include "ReadInPlace.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Pipeline/Remarks.h"
#include "tileiras/Target/ModuleTarget.h"
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

void remarkNotQueued(Operation *op, const Twine &reason) {
  remarkMissed(op, "NotQueued", "form-queues") << ("is not loaded ahead of its iteration: " + reason).str();
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
    llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), operands);
    return llvm::any_of(operands, [&](Value value) { return reached.contains(value.getDefiningOp()); });
  };
  for (Operation *op = products.front(); op != products.back(); op = op->getNextNode())
    if (!reached.contains(op) && readsReached(op)) {
      reached.insert(op);
      dependent.insert(op);
    }

  SmallVector<Operation *> work(body.getArrayRef());
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), operands);
    for (Value operand : operands)
      if (Operation *source = operand.getDefiningOp(); dependent.contains(source) && needed.insert(source))
        work.push_back(source);
  }
}

/// The tiles as they are, as soon as somebody wants one of them.
void planWholeGet(QueueGroup &group) {
  for (QueueLoad &entry : group.loads)
    for (Operation *user : entry.load.getValue().getUsers()) {
      Operation *reader = entry.load->getBlock()->findAncestorOpInBlock(*user);
      if (!group.position || reader->isBeforeInBlock(group.position))
        group.position = reader;
    }
}

/// The body of the get and its place: that of the last product, so that all operands are there. Says why not, if
/// something with an effect would have to change its place.
std::optional<std::string> planGet(QueueGroup &group) {
  llvm::SetVector<Operation *> products, body, dependent, needed;
  for (QueueLoad &entry : group.loads) {
    products.insert_range(entry.products);
    body.insert_range(entry.between);
  }
  body.insert_range(products);
  SmallVector<Operation *> ordered = products.takeVector();
  sortByOrder(ordered);
  group.position = ordered.back();
  findBetween(ordered, body, dependent, needed);
  for (Operation *op : dependent)
    if (!isMemoryEffectFree(op))
      return nameOperation(op) + " stands between the products that read it";
  body.insert_range(needed);
  dependent.remove_if([&](Operation *op) { return body.contains(op); });
  group.followers = dependent.takeVector();
  group.body = body.takeVector();
  sortByOrder(group.body);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

void createPut(Value queue, QueueGroup &group, scf::ForOp loop) {
  SmallVector<Operation *> loads, address;
  llvm::SetVector<Operation *> needed;
  for (QueueLoad &entry : group.loads) {
    loads.push_back(entry.load);
    needed.insert_range(entry.address);
  }
  address = needed.takeVector();
  sortByOrder(address);

  OpBuilder builder(*llvm::min_element(loads, [](auto *lhs, auto *rhs) { return lhs->isBeforeInBlock(rhs); }));
  auto put = aa::QueuePutOp::create(builder, loads.front()->getLoc(), queue, loop.getInductionVar());
  builder.createBlock(&put.getBody());
  IRMapping mapping;
  for (Operation *op : address)
    builder.clone(*op, mapping);
  SmallVector<Value> tiles;
  for (QueueLoad &entry : group.loads) {
    if (Value token = entry.load.getToken()) {
      SmallVector<Value> tokens(entry.tokens.getArrayRef());
      mapping.map(token, tokens.size() == 1 ? tokens.front()
                                            : Value(aa::JoinMemTokenOp::create(builder, entry.load.getLoc(), tokens)));
    }
    tiles.push_back(builder.clone(*entry.load, mapping)->getResult(0));
  }
  aa::QueueYieldOp::create(builder, put.getLoc(), tiles);
}

/// What the operations of the body give to others; the tiles, if there are none.
SmallVector<Value> findResults(QueueGroup &group, Block *loopBody) {
  SmallVector<Value> results;
  if (group.body.empty())
    for (QueueLoad &entry : group.loads)
      results.push_back(entry.load.getValue());
  llvm::SmallPtrSet<Operation *, 8> inBody(group.body.begin(), group.body.end());
  for (Operation *op : group.body)
    for (Value result : op->getResults())
      if (!llvm::all_of(result.getUsers(),
                        [&](Operation *user) { return inBody.contains(loopBody->findAncestorOpInBlock(*user)); }))
        results.push_back(result);
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
    Value tile = entry.load.getValue();
    tile.replaceAllUsesWith(body->addArgument(tile.getType(), entry.load.getLoc()));
  }
  yield->moveBefore(body, body->end());
  Operation *last = get;
  for (Operation *op : group.followers) {
    op->moveAfter(last);
    last = op;
  }
}

/// Nothing has to be ordered after a load that is known to be complete.
void eraseLoads(QueueGroup &group) {
  for (QueueLoad &entry : group.loads) {
    if (Value token = entry.load.getResultToken())
      token.replaceAllUsesWith(entry.load.getToken());
    entry.load.erase();
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The start of the function, or of the agent.
Block *getEntryBlock(scf::ForOp loop) {
  Region *region = loop->getParentRegion();
  while (!isa<FunctionOpInterface, aa::AgentLikeOpInterface>(region->getParentOp()))
    region = region->getParentRegion();
  return &region->front();
}

/// Loads with a product in common go together; the others, which are there only on request, too.
std::vector<QueueGroup> groupLoads(SmallVectorImpl<QueueLoad> &loads) {
  llvm::EquivalenceClasses<Operation *> related;
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

/// Of shared memory: for exchanges between threads, and for alignment.
constexpr int64_t kOtherBytes = 32 * 1024;

struct TileAAFormQueues : impl::TileAAFormQueuesBase<TileAAFormQueues> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAAFormQueues)
  using TileAAFormQueuesBase::TileAAFormQueuesBase;

  void runOnOperation() override {
    target = findModuleTarget(getOperation(), gpuName);
    if (target && !target.chip->features.tensorCopy)
      return remarkNoPipelines();
    getOperation()->walk(hoistArrays);
    SmallVector<scf::ForOp> loops;
    auto findInnermost = [&](scf::ForOp loop) {
      auto isLoop = [](LoopLikeOpInterface) { return WalkResult::interrupt(); };
      if (!loop.getBody()->walk(isLoop).wasInterrupted())
        loops.push_back(loop);
    };
    getOperation()->walk([&](FunctionOpInterface func) { func->walk(findInnermost); });
    for (scf::ForOp loop : loops)
      formQueues(loop);
  }

  /// Barriers that count bytes came with the engine that copies tiles.
  void remarkNoPipelines() {
    getOperation()->walk([&](FunctionOpInterface func) {
      auto isProduct = [](aa::DotOp) { return WalkResult::interrupt(); };
      if (func->walk(isProduct).wasInterrupted())
        remarkMissed(func, "NotQueued", "form-queues") << "loops are not pipelined for " << target.chip->name;
    });
  }

  void formQueues(scf::ForOp loop) {
    SmallVector<QueueLoad> loads = findLoads(loop);
    const uint64_t stages = std::max<int32_t>(numStages, 1);
    const std::optional<APInt> trips = loop.getStaticTripCount();
    const int32_t depth = trips ? trips->getLimitedValue(stages) : stages;
    if (depth < 2) {
      for (QueueLoad &entry : loads)
        remarkNotQueued(entry.load, stages < 2 ? "a queue of one entry would hold nothing ahead"
                                               : "its loop has no more than one iteration");
      return;
    }
    llvm::SetVector<Operation *> address;
    for (QueueLoad &entry : loads)
      address.insert_range(entry.address);
    for (QueueGroup &group : groupLoads(loads))
      if (plan(group))
        createQueue(group, loop, depth);
    SmallVector<Operation *> unused = address.takeVector();
    sortByOrder(unused);
    for (Operation *op : llvm::reverse(unused))
      if (isOpTriviallyDead(op))
        op->erase();
  }

  /// Those that may run ahead.
  SmallVector<QueueLoad> findLoads(scf::ForOp loop) {
    SmallVector<QueueLoad> loads;
    Operation *barrier = findBarrier(loop);
    for (auto load : loop.getBody()->getOps<aa::TiledLoadOp>()) {
      QueueLoad entry = findReaders(load);
      if (entry.products.empty() && !entry.otherReader)
        continue;
      if (entry.otherReader && !allLoads) {
        remarkNotQueued(load, nameOperation(entry.otherReader) + " reads it, which is no operand of a matrix product");
        continue;
      }
      if (entry.otherReader)
        entry.products.clear();
      if (std::optional<std::string> obstacle = findObstacle(entry, loop, barrier))
        remarkNotQueued(load, *obstacle);
      else
        loads.push_back(std::move(entry));
    }
    if (target && !allLoads && !allProducts)
      keepReadInPlace(loads, target, remarkNotQueued);
    return loads;
  }

  /// Two stages of what the group loads, beside those of other queues of the function and what else needs room there.
  bool takeSharedMemory(QueueGroup &group) {
    int64_t bytes = 0;
    for (QueueLoad &entry : group.loads) {
      auto tile = cast<RankedTensorType>(entry.load.getValue().getType());
      bytes += tile.getNumElements() * std::max(1u, tile.getElementTypeBitWidth() / 8);
    }
    int64_t &taken = takenBytes[entryBlockOf(group)];
    if (target && taken + 2 * bytes > target.machine().sharedMemoryBytes - kOtherBytes)
      return false;
    taken += 2 * bytes;
    return true;
  }
  static Block *entryBlockOf(QueueGroup &group) {
    return &group.loads.front().load->getParentOfType<FunctionOpInterface>().getFunctionBody().front();
  }

  bool plan(QueueGroup &group) {
    std::optional<std::string> obstacle;
    auto isGone = [&](Operation *op) { return op->getBlock() != group.loads.front().load->getBlock(); };
    if (group.loads.front().products.empty())
      planWholeGet(group);
    else if (llvm::any_of(group.loads, [&](QueueLoad &entry) { return llvm::any_of(entry.products, isGone); }))
      obstacle = "its product stands between those of another queue";
    else
      obstacle = planGet(group);
    if (!obstacle && !takeSharedMemory(group))
      obstacle = "the tiles of two iterations do not fit in shared memory; smaller tiles take less";
    for (QueueLoad &entry : group.loads)
      if (!obstacle)
        if (Operation *user = findTokenUserBefore(entry, group.position))
          obstacle = nameOperation(user) + " has to wait for it before its tile is needed";
    for (QueueLoad &entry : group.loads)
      if (obstacle)
        remarkNotQueued(entry.load, *obstacle);
    return !obstacle;
  }

  void createQueue(QueueGroup &group, scf::ForOp loop, int32_t depth) {
    SmallVector<Type> types;
    for (QueueLoad &entry : group.loads)
      types.push_back(entry.load.getValue().getType());
    remarkAnalysis(loop, "Queue", "form-queues")
        << llvm::formatv("loads {0} tile(s) ahead, {1} iterations deep", types.size(), depth).str();
    OpBuilder builder = OpBuilder::atBlockBegin(getEntryBlock(loop));
    Value queue =
        aa::CreateQueueOp::create(builder, loop.getLoc(), aa::QueueType::get(&getContext(), types, /*isolated=*/false),
                                  builder.getI32IntegerAttr(depth), /*producer_group=*/{}, /*consumer_group=*/{});
    createPut(queue, group, loop);
    createGet(queue, group, loop);
    eraseLoads(group);
  }

  ChipTarget target;
  llvm::DenseMap<Block *, int64_t> takenBytes; ///< by queues of a function
};

} // namespace
} // namespace tileiras::async
