//===- QueueToPipeline.cpp - tileas-queue-to-pipeline ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "common/IteratorPropagation.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Diagnostics/PassFailure.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASQUEUETOPIPELINE
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// What create_queue and the type of a pipeline take.
constexpr int32_t kMostStages = 1024;

/// The end of a queue that an operation works at: -1 for the producer, else the number of the consumer.
int64_t getEnd(Operation *access) {
  auto get = dyn_cast<aa::QueueGetOp>(access);
  return get ? int64_t(get.getConsumerIdx()) : -1;
}

/// The agent that `access` belongs to; null where the queue belongs to that agent, too, or there is none.
Region *getAgent(Operation *access) {
  Operation *queue = access->getOperand(0).getDefiningOp();
  Region *region = access->getParentRegion();
  while (!region->isAncestor(queue->getParentRegion()) && !isa<aa::ExecuteOp>(region->getParentOp()))
    region = region->getParentRegion();
  return region->isAncestor(queue->getParentRegion()) ? nullptr : region;
}

/// Whether `agent` starts again in each iteration of a loop, but the pipeline goes on where it was.
bool startsAgain(Operation *queue, Region *agent) {
  for (Operation *op = agent->getParentOp(); op->getParentRegion() != queue->getParentRegion(); op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op->getParentOp()))
      return true;
  return false;
}

/// The agent in which the iterator of `access` begins; null where it begins beside the queue.
Region *getBegin(Operation *access) {
  Region *agent = getAgent(access);
  return agent && !startsAgain(access->getOperand(0).getDefiningOp(), agent) ? agent : nullptr;
}

//===----------------------------------------------------------------------===//
// What cannot become a pipeline
//===----------------------------------------------------------------------===//

/// An iterator has to come to `access` from where it begins.
LogicalResult verifyWay(Operation *access) {
  Region *agent = getBegin(access);
  Region *begin = agent ? agent : access->getOperand(0).getDefiningOp()->getParentRegion();
  for (Region *region = access->getParentRegion();; region = region->getParentRegion()) {
    if (!region->hasOneBlock())
      return access->emitOpError() << "cannot become a stage of a pipeline: iterators do not follow branches between "
                                      "blocks; use structured control flow, as scf has it";
    if (region == begin)
      return success();
    Operation *around = region->getParentOp();
    auto get = dyn_cast<aa::QueueGetOp>(around);
    const bool isOwn = get && get.getQueue() == access->getOperand(0) && getEnd(get) == getEnd(access);
    if (carriesIterators(around) && !isOwn)
      continue;
    InFlightDiagnostic diagnostic =
        access->emitOpError()
        << "cannot become a stage of a pipeline: no iterator comes out of the operation around it";
    diagnostic.attachNote(around->getLoc()) << "it is this one; move the queue's operation before or after it";
    return diagnostic;
  }
}

/// The puts and gets of each queue, in the order of the program.
using QueueAccesses = llvm::MapVector<aa::CreateQueueOp, SmallVector<Operation *>>;

QueueAccesses findQueues(Operation *func) {
  QueueAccesses queues;
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto queue = dyn_cast<aa::CreateQueueOp>(op))
      queues[queue];
    else if (isa<aa::QueuePutOp, aa::QueueGetOp>(op))
      queues[op->getOperand(0).getDefiningOp<aa::CreateQueueOp>()].push_back(op);
  });
  return queues;
}

/// One end of a queue belongs to agents of one `execute`, or to nobody but the function.
LogicalResult verifyQueue(ArrayRef<Operation *> accesses) {
  llvm::SmallDenseMap<int64_t, Operation *> owners;
  for (Operation *access : accesses) {
    Region *agent = getAgent(access);
    Operation *owner = agent ? agent->getParentOp() : nullptr;
    if (failed(verifyWay(access)))
      return failure();
    auto [known, isNew] = owners.insert({getEnd(access), owner});
    if (!isNew && known->second != owner)
      return access->emitOpError() << "is at an end of the queue at which agents of another place work, too; use "
                                      "another queue";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The body of `from`, for `to`.
void takeBody(Region &from, Region &to) {
  to.takeBody(from);
  Operation *yield = to.back().getTerminator();
  OpBuilder builder(yield);
  as::PipelineYieldOp::create(builder, yield->getLoc(), yield->getOperands());
  yield->erase();
}

class QueueRewriter {
public:
  explicit QueueRewriter(int32_t numStages) : numStages(numStages) {}

  void rewrite(FunctionOpInterface func, const QueueAccesses &queues) {
    for (auto &[queue, accesses] : queues)
      rewriteQueue(queue, accesses);
    func->walk([&](aa::ExecuteOp execute) { rewriteAgents(execute); });
    func->walk([&](aa::MarkForReuseOp mark) {
      mark.replaceAllUsesWith(mark.getValue());
      mark.erase();
    });
    IteratorPropagation propagation;
    func->walk<WalkOrder::PreOrder>([&](as::PipelineRegionOpInterface stage) {
      if (isa<as::ProduceOneOp, as::ConsumeOneOp>(stage) && begins.contains(stage->getOperand(1)))
        propagation.addStage(stage, stage->getOperand(1));
    });
    propagation.run(func.getFunctionBody());
  }

private:
  void rewriteQueue(aa::CreateQueueOp queue, ArrayRef<Operation *> accesses);
  void rewriteAccess(Operation *access, Value pipeline);
  void rewriteAgents(aa::ExecuteOp execute);
  Value getIterator(Operation *access, Value pipeline);

  int32_t numStages;
  /// What the iterators of each pipeline's ends begin as, in the function or in an agent.
  llvm::DenseMap<std::tuple<Value, int64_t, Region *>, Value> iterators;
  llvm::DenseSet<Value> begins;
};

void QueueRewriter::rewriteQueue(aa::CreateQueueOp queue, ArrayRef<Operation *> accesses) {
  if (accesses.empty())
    return queue.erase();
  OpBuilder builder(queue);
  auto type = as::PipelineType::get(queue.getContext(), queue.getDepth().value_or(numStages),
                                    queue.getQueue().getType().getTypes());
  auto pipeline = as::CreatePipelineOp::create(builder, queue.getLoc(), type);
  if (IntegerAttr group = queue.getProducerGroupAttr())
    pipeline.setProducerGroupAttr(group);
  if (IntegerAttr group = queue.getConsumerGroupAttr())
    pipeline.setConsumerGroupAttr(group);
  pipeline.setNumConsumers(queue.getNumConsumers());
  if (aa::StageCountsAttr counts = queue.getStageCountsAttr())
    pipeline.setStageCountsAttr(counts);
  pipeline->setDiscardableAttrs(queue->getDiscardableAttrDictionary());
  for (Operation *access : accesses)
    rewriteAccess(access, pipeline);
  queue.erase();
}

Value QueueRewriter::getIterator(Operation *access, Value pipeline) {
  Region *agent = getBegin(access);
  Value &iterator = iterators[{pipeline, getEnd(access), agent}];
  if (!iterator) {
    OpBuilder builder(access->getContext());
    if (agent)
      builder.setInsertionPointToStart(&agent->front());
    else
      builder.setInsertionPoint(access->getOperand(0).getDefiningOp());
    iterator =
        as::CreateIteratorOp::create(builder, pipeline.getLoc(), as::IteratorType::get(pipeline.getType()), pipeline);
    begins.insert(iterator);
  }
  return iterator;
}

void QueueRewriter::rewriteAccess(Operation *access, Value pipeline) {
  OpBuilder builder(access);
  Value iterator = getIterator(access, pipeline);
  Operation *stage;
  if (auto get = dyn_cast<aa::QueueGetOp>(access))
    stage = as::ConsumeOneOp::create(builder, access->getLoc(), get->getResultTypes(), iterator.getType(), pipeline,
                                     iterator, get.getConsumerIdx());
  else
    stage = as::ProduceOneOp::create(builder, access->getLoc(), iterator.getType(), pipeline, iterator,
                                     as::ProducerKindAttr());
  stage->setDiscardableAttrs(access->getDiscardableAttrDictionary());
  takeBody(access->getRegion(0), stage->getRegion(0));
  access->replaceAllUsesWith(stage->getResults().drop_back());
  access->erase();
}

void QueueRewriter::rewriteAgents(aa::ExecuteOp execute) {
  OpBuilder builder(execute);
  OperationState state(execute.getLoc(), as::AgentSwitchOp::getOperationName(), {}, {}, execute->getAttrs());
  for (unsigned i = 0; i < execute->getNumRegions(); ++i)
    state.addRegion();
  Operation *agents = builder.create(state);
  for (auto [from, to] : llvm::zip_equal(execute.getAgents(), agents->getRegions()))
    takeBody(from, to);
  execute.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct TileASQueueToPipeline : impl::TileASQueueToPipelineBase<TileASQueueToPipeline> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASQueueToPipeline)
  using TileASQueueToPipelineBase::TileASQueueToPipelineBase;

  void runOnOperation() override {
    if (numStages < 1 || numStages > kMostStages) {
      getOperation()->emitError("expects 'num-stages' of tileas-queue-to-pipeline to be 1 to ")
          << kMostStages << ", but got " << numStages.getValue();
      return signalPassFailure();
    }
    getOperation()->walk([&](FunctionOpInterface func) {
      const QueueAccesses queues = findQueues(func);
      if (llvm::all_of(queues, [](auto &queue) { return succeeded(verifyQueue(queue.second)); }))
        QueueRewriter(numStages).rewrite(func, queues);
      else
        markPassFailure(func, getArgument());
    });
  }
};

} // namespace
} // namespace tileiras::async
