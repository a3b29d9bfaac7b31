//===- PipelineTypes.cpp - All that belongs to one pipeline ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

namespace {

/// The pipeline's value, iterators and tokens. Types would not do: two pipelines may have equal ones.
class PipelineMembers {
public:
  explicit PipelineMembers(CreatePipelineOp pipeline) {
    add(pipeline.getPipeline());
    for (size_t next = 0; next < members.size(); ++next)
      follow(members[next]);
  }

  ArrayRef<Value> getMembers() const { return members.getArrayRef(); }
  /// Operations whose bodies work on a stage, as they were found.
  ArrayRef<Operation *> getStageOps() const { return stageOps.getArrayRef(); }
  bool hasStageOp(Operation *op) const { return stageOps.contains(op); }

private:
  struct Passed {
    RegionBranchSuccessorMapping to;
    RegionBranchInverseSuccessorMapping from;
  };

  void add(Value value) {
    if (isa<PipelineType, IteratorType, ProducerTokenType, ConsumerTokenType>(value.getType()))
      members.insert(value);
  }

  const Passed &getPassed(RegionBranchOpInterface op) {
    auto [it, isNew] = passed.try_emplace(op);
    if (isNew) {
      op.getSuccessorOperandInputMapping(it->second.to);
      op.getSuccessorInputOperandMapping(it->second.from);
    }
    return it->second;
  }

  /// What control flow makes of an operand, or an argument or result from.
  void followInto(OpOperand &use, RegionBranchOpInterface op) {
    const Passed &now = getPassed(op);
    if (auto it = now.to.find(&use); it != now.to.end())
      llvm::for_each(SmallVector<Value>(it->second), [&](Value value) { add(value); });
  }
  void followBack(Value value, Operation *op) {
    auto branch = dyn_cast_or_null<RegionBranchOpInterface>(op);
    if (!branch)
      return;
    const Passed &now = getPassed(branch);
    if (auto it = now.from.find(value); it != now.from.end())
      for (OpOperand *operand : it->second)
        add(operand->get());
  }

  /// The results that `op` itself makes: what its body yields may belong to other pipelines.
  void followOperation(Operation *op) {
    auto stage = dyn_cast<PipelineRegionOpInterface>(op);
    ResultRange yielded = stage ? stage.getBodyResults() : op->getResults().take_front(0);
    if (stage)
      stageOps.insert(op);
    for (Value result : op->getResults())
      if (!llvm::is_contained(yielded, result))
        add(result);
  }

  /// What hands on one of its operands as it is.
  void followEqual(Operation *op) {
    if (!isa_and_nonnull<SelectLikeOpInterface, aa::MarkForReuseOp>(op))
      return;
    llvm::for_each(op->getOperands(), [&](Value value) { add(value); });
    llvm::for_each(op->getResults(), [&](Value value) { add(value); });
  }

  /// The iterator number `i` of `agents`: where it begins, where each agent has come to, and what follows.
  void addIterator(AgentSwitchOp agents, unsigned i) {
    add(agents.getBegins()[i]);
    add(agents.getEnds()[i]);
    for (Region &agent : agents->getRegions())
      if (Operation *yield = agent.back().getTerminator(); i < yield->getNumOperands())
        add(yield->getOperand(i));
  }

  void followAgents(Value value) {
    if (auto agents = value.getDefiningOp<AgentSwitchOp>())
      addIterator(agents, cast<OpResult>(value).getResultNumber());
    for (OpOperand &use : value.getUses()) {
      auto agents = dyn_cast<AgentSwitchOp>(use.getOwner());
      if (!agents && isa<PipelineYieldOp>(use.getOwner()))
        agents = dyn_cast<AgentSwitchOp>(use.getOwner()->getParentOp());
      if (agents)
        addIterator(agents, use.getOperandNumber());
    }
  }

  void follow(Value value) {
    followEqual(value.getDefiningOp());
    followAgents(value);
    followBack(value, isa<BlockArgument>(value) ? value.getParentBlock()->getParentOp() : value.getDefiningOp());
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      followEqual(user);
      if (auto branch = dyn_cast<RegionBranchOpInterface>(user))
        followInto(use, branch);
      else if (auto parent = dyn_cast_or_null<RegionBranchOpInterface>(user->getParentOp());
               parent && isa<RegionBranchTerminatorOpInterface>(user))
        followInto(use, parent);
      if (isa_and_nonnull<TileASDialect>(user->getDialect()) && !user->hasTrait<OpTrait::IsTerminator>() &&
          !isa<AgentSwitchOp>(user))
        followOperation(user);
    }
  }

  llvm::SetVector<Value> members;
  llvm::SetVector<Operation *> stageOps;
  DenseMap<Operation *, Passed> passed;
};

} // namespace

static Type getMemberType(Type member, PipelineType pipeline) {
  return TypeSwitch<Type, Type>(member)
      .Case([&](PipelineType) { return pipeline; })
      .Case([&](IteratorType) { return IteratorType::get(pipeline); })
      .Case([&](ProducerTokenType) { return ProducerTokenType::get(pipeline); })
      .Case([&](ConsumerTokenType) { return ConsumerTokenType::get(pipeline); })
      .Default([](Type type) { return type; });
}

void as::setPipelineType(CreatePipelineOp pipeline, PipelineType type) {
  PipelineMembers found(pipeline);
  for (Value member : found.getMembers())
    member.setType(getMemberType(member.getType(), type));
  for (Operation *op : found.getStageOps())
    for (auto [argument, payload] :
         llvm::zip(cast<PipelineRegionOpInterface>(op).getPipelineBody().getArguments(), type.getPayload()))
      argument.setType(payload);
}

ProducerKindAttr as::getProducerKindAttr(Operation *producer) {
  return llvm::TypeSwitch<Operation *, ProducerKindAttr>(producer)
      .Case<ProduceOneOp, ProduceOneAsyncOp, ProducerAcquireOp>([](auto op) { return op.getProducerKindAttr(); })
      .Default(ProducerKindAttr());
}

ProducerKind as::getProducerKind(CreatePipelineOp pipeline) {
  return pipeline.getProducerKind().value_or(ProducerKind::Registers);
}

template <typename... OpTy>
static bool holdsAny(Region &region) {
  auto isOne = [](Operation *op) { return isa<OpTy...>(op) ? WalkResult::interrupt() : WalkResult::advance(); };
  return region.walk(isOne).wasInterrupted();
}

bool as::loadsToRegisters(Region &producer) {
  return holdsAny<TiledLoadOp, LoadOp>(producer);
}

bool as::hasHandshakes(CreatePipelineOp pipeline) {
  return !llvm::all_of(pipeline.getPipeline().getUsers(), llvm::IsaPred<CreateIteratorOp, SlotOp>);
}

bool as::startsCopies(Region &producer) {
  return holdsAny<AsyncTiledLoadOp, AsyncLoadOp>(producer);
}

SmallVector<PipelineRegionOpInterface> as::getStageBodies(CreatePipelineOp pipeline) {
  PipelineMembers found(pipeline);
  SmallVector<PipelineRegionOpInterface> bodies;
  // Bodies may be nested in each other: those that surround others come first.
  Operation *function = pipeline->getParentWithTrait<OpTrait::IsIsolatedFromAbove>();
  function->walk<WalkOrder::PreOrder>([&](PipelineRegionOpInterface op) {
    if (found.hasStageOp(op))
      bodies.push_back(op);
  });
  return bodies;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

template <typename OpTy>
static ConsumerReadOp split(RewriterBase &rewriter, OpTy consume, Value token) {
  rewriter.setInsertionPoint(consume);
  Location location = consume.getLoc();
  auto tokenType = ConsumerTokenType::get(consume.getPipeline().getType());
  auto wait = ConsumerWaitOp::create(rewriter, location, tokenType, consume.getPipeline(), consume.getIterator(),
                                     consume.getConsumerIdxAttr());
  SmallVector<Type> types(consume.getValues().getTypes());
  if (token)
    types.push_back(token.getType());
  auto read = ConsumerReadOp::create(rewriter, location, types, tokenType, wait.getToken(), consume.getIterator());
  rewriter.inlineRegionBefore(consume.getBody(), read.getBody(), read.getBody().end());
  if (token) {
    Operation *yield = read.getBody().front().getTerminator();
    rewriter.modifyOpInPlace(yield, [&] { yield->insertOperands(yield->getNumOperands(), token); });
  }
  read->setAttrs(consume->getDiscardableAttrDictionary());
  auto next = IncIterOp::create(rewriter, location, consume.getNext().getType(), consume.getIterator());
  rewriter.replaceAllUsesWith(consume.getNext(), next.getNext());
  rewriter.replaceAllUsesWith(consume.getValues(), read.getValues().take_front(consume.getValues().size()));
  return read;
}

ConsumerReadOp as::splitConsumer(RewriterBase &rewriter, ConsumeOneOp consume, Value token) {
  ConsumerReadOp read = split(rewriter, consume, token);
  rewriter.eraseOp(consume);
  return read;
}

ConsumerReadOp as::splitConsumer(RewriterBase &rewriter, ConsumeOneAsyncOp consume, Value token) {
  ConsumerReadOp read = split(rewriter, consume, token);
  if (token)
    rewriter.replaceAllUsesWith(consume.getToken(), read.getValues().back());
  rewriter.eraseOp(consume);
  return read;
}
