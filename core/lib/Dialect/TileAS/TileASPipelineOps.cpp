//===- TileASPipelineOps.cpp - Producers and consumers --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineVerification.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Target/IsaLimits.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

/// Buffers have the types of the payload, barriers have one type: the text names none of them.
static ParseResult parseBufferTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types, Type &barriersType,
                                    Type pipeline, ArrayRef<OpAsmParser::UnresolvedOperand> buffers,
                                    std::optional<OpAsmParser::UnresolvedOperand> barriers) {
  if (!buffers.empty())
    llvm::append_range(types, as::detail::getPipelineParameters(pipeline).second);
  if (barriers)
    barriersType = getStageBarriersType(parser.getContext());
  return success();
}

static void printBufferTypes(OpAsmPrinter &, Operation *, TypeRange, Type, Type, OperandRange, Value) {}

RankedTensorType as::getStageBarriersType(MLIRContext *context) {
  return RankedTensorType::get({2}, IntegerType::get(context, 64), SharedAttr::get(context, "2,1"));
}

#include "tileiras/Dialect/TileAS/PipelineInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASPipelineOps.cpp.inc"

void TileASDialect::registerPipelineOps() {
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/TileASPipelineOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Into the body, then on behind the operation with what the body gives for its results.
static void appendSuccessors(PipelineRegionOpInterface op, RegionBranchPoint point,
                             SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    successors.emplace_back(&op.getPipelineBody());
  else
    successors.emplace_back(op, op.getBodyResults());
}

void ProduceOneOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  appendSuccessors(*this, point, successors);
}
void ProduceOneAsyncOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  appendSuccessors(*this, point, successors);
}
void ConsumeOneOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  appendSuccessors(*this, point, successors);
}
void ConsumeOneAsyncOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  appendSuccessors(*this, point, successors);
}
void ProducerWriteOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  appendSuccessors(*this, point, successors);
}
void ConsumerReadOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  appendSuccessors(*this, point, successors);
}

/// What a producer yields goes into the stage, not to its results.
MutableOperandRange PipelineYieldOp::getMutableSuccessorOperands(RegionSuccessor) {
  auto parent = dyn_cast<PipelineRegionOpInterface>((*this)->getParentOp());
  MutableOperandRange values = getValuesMutable();
  return parent && parent.isProducer() ? values.slice(0, 0) : values;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Those that fill one pipeline do so by one family of instructions: its consumers wait in one way.
static LogicalResult verifyProducers(CreatePipelineOp op) {
  ProducerKindAttr kind;
  for (Operation *user : op.getPipeline().getUsers()) {
    ProducerKindAttr userKind = getProducerKindAttr(user);
    if (userKind && kind && kind != userKind)
      return user->emitOpError() << "there are two `produce-one-like` operations using different instructions to "
                                    "generate data into the same pipeline. It's a bug of MaterializeAsync Pass.";
    if (userKind)
      kind = userKind;
  }
  return success();
}

void CreatePipelineOp::build(OpBuilder &builder, OperationState &state, PipelineType pipeline) {
  build(builder, state, pipeline, /*buffers=*/ValueRange(), /*barriers=*/Value(), /*producer_group=*/nullptr,
        /*consumer_group=*/nullptr, /*num_consumers=*/1, /*producer_kind=*/nullptr, /*arrivals=*/nullptr,
        /*shared_ctas=*/0, /*product_releases=*/false, /*cta_pair=*/false, /*stage_counts=*/nullptr);
}

LogicalResult CreatePipelineOp::verify() {
  PipelineType type = getPipeline().getType();
  if (!getBuffers().empty() && getBuffers().getTypes() != TypeRange(type.getPayload()))
    return emitOpError() << "expects a buffer of each payload's type, or none";
  if (getBarriers() && getBarriers().getType() != getStageBarriersType(getContext()))
    return emitOpError() << "expects barriers of type " << getStageBarriersType(getContext()) << ", but got "
                         << getBarriers().getType();
  if (getProducerKind() == ProducerKind::Mma && !llvm::all_of(type.getPayload(), isTensorMemoryTensor))
    return emitOpError() << "is filled by MMAs, which leave their accumulators in tensor memory, but its stages are "
                         << type;
  if (getArrivals() && getArrivals()->size() != 2)
    return emitOpError() << "expects the arrivals of two barriers, but got " << getArrivals()->size();
  for (Value buffer : getOperands()) {
    auto alloc = buffer.getDefiningOp<AllocTensorOp>();
    const int64_t stages = alloc ? alloc.getStages().value_or(1) : type.getStages();
    if (stages != type.getStages())
      return emitOpError() << "expects buffers of " << type.getStages() << " stages, but got one of " << stages;
  }
  if (failed(verifyProducers(*this)))
    return failure();
  for (Operation *user : getPipeline().getUsers())
    if (isa<CreateIteratorOp>(user) && user->getNumResults() == 1 && failed(verifyMerges(user->getResult(0))))
      return failure();
  return success();
}

LogicalResult SlotOp::verify() {
  ArrayRef<Type> payload = getPipeline().getType().getPayload();
  if (getIndex() >= payload.size() || payload[getIndex()] != getResult().getType())
    return emitOpError() << "expects the type of payload " << getIndex() << " of " << getPipeline().getType()
                         << ", but got " << getResult().getType();
  return verifyIterator(*this, getPipeline(), getIterator());
}

LogicalResult ProduceOneOp::verify() {
  return verifyIterator(*this, getPipeline(), getIterator());
}
LogicalResult ProduceOneAsyncOp::verify() {
  return verifyIterator(*this, getPipeline(), getIterator());
}
LogicalResult ConsumeOneOp::verify() {
  return verifyConsumer(*this, getPipeline(), getIterator(), getConsumerIdx());
}
LogicalResult ConsumeOneAsyncOp::verify() {
  return verifyConsumer(*this, getPipeline(), getIterator(), getConsumerIdx());
}

LogicalResult ProducerAcquireOp::verify() {
  if (failed(verifyIterator(*this, getPipeline(), getIterator())))
    return failure();
  return verifyPassedOn(*this, getToken());
}
LogicalResult ProducerDrainOp::verify() {
  return verifyIterator(*this, getPipeline(), getIterator());
}
LogicalResult ProducerWriteOp::verify() {
  return verifyPassedOn(*this, getWritten());
}
LogicalResult ConsumerWaitOp::verify() {
  if (failed(verifyConsumer(*this, getPipeline(), getIterator(), getConsumerIdx())))
    return failure();
  if (failed(verifyPassedOn(*this, getToken())))
    return failure();
  return verifySlots(*this);
}
LogicalResult ConsumerReadOp::verify() {
  if (failed(verifyPassedOn(*this, getDone())))
    return failure();
  return verifySlots(*this);
}

/// Whether all is said of the warps; which ones they are is the interfaces' to check.
static LogicalResult verifyWarpIds(AgentSwitchOp op) {
  std::optional<ArrayRef<int32_t>> warps = op.getNumWarps(), ids = op.getWarpId(), strides = op.getAgentStrides();
  if (warps.has_value() != ids.has_value())
    return op.emitOpError() << "expects num_warps and warp_id together: execution units are mapped, or they are not";
  if (!warps)
    return success();
  if (ids->size() != warps->size())
    return op.emitOpError() << "expects a warp_id for each entry of num_warps";
  if (strides && strides->size() != warps->size())
    return op.emitOpError() << "expects an agent stride for each entry of num_warps";
  return success();
}

/// All warps of a warpgroup, as the ISA defines it for all chips, run `setmaxnreg` together: where one agent does,
/// another has as many registers, or no work.
static LogicalResult verifyRegisterChanges(AgentSwitchOp op) {
  const unsigned count = op.getAgents().size();
  auto getFirstGroup = [&](unsigned agent) { return op.getFirstWarp(agent) / IsaLimits::kWarpsOfWarpgroup; };
  auto getLastGroup = [&](unsigned agent) {
    return (op.getFirstWarp(agent) + op.getNumWarps(agent) - 1) / IsaLimits::kWarpsOfWarpgroup;
  };
  for (unsigned agent = 0; op.hasWarps() && agent < count; ++agent)
    for (unsigned other = 0; op.getRegisters(agent) != 0 && other < count; ++other) {
      const bool isIdle = op.getRegisters(other) == 0 && llvm::hasSingleElement(op.getAgents()[other].front());
      // One change for all of its warps.
      const bool isTogether = op.getRegisters(agent) == op.getRegisters(other) &&
                              getFirstGroup(agent) == getLastGroup(agent) &&
                              getFirstGroup(other) == getLastGroup(other);
      if (agent != other && !isIdle && !isTogether && getFirstGroup(agent) <= getLastGroup(other) &&
          getFirstGroup(other) <= getLastGroup(agent))
        return op.emitOpError() << "expects agents that change their registers to share no warpgroup, but agents "
                                << agent << " and " << other
                                << " do; give each warpgroups of its own, or both as many registers";
    }
  return success();
}

/// A warpgroup for each, all of an agent's or none.
static LogicalResult verifyProductGroups(AgentSwitchOp op) {
  std::optional<ArrayRef<int32_t>> groups = op.getProductGroups();
  if (!groups)
    return success();
  if (!op.hasWarps() || groups->size() != op.getAgents().size())
    return op.emitOpError() << "expects product_groups for each of its agents, which have warps by then";
  for (unsigned agent = 0; agent < groups->size(); ++agent)
    if (int64_t count = (*groups)[agent];
        count != 1 && (count < 1 || op.getNumWarps(agent) != count * IsaLimits::kWarpsOfWarpgroup))
      return op.emitOpError() << "expects agent " << agent << ", of " << op.getNumWarps(agent)
                              << " warps, to have one group of MMAs, or one for each warpgroup, but got " << count;
  return success();
}

LogicalResult AgentSwitchOp::verifyRegions() {
  for (Region &agent : getAgents()) {
    if (failed(verifyPipelineEnd(*this, agent)))
      return failure();
    const TypeRange yielded(agent.back().getTerminator()->getOperandTypes()), expected(getEnds().getTypes());
    if (yielded != expected)
      return emitOpError() << "expects agents to yield where its iterators are, [" << expected << "], but got: ["
                           << yielded << "]";
  }
  return success(succeeded(verifyWarpIds(*this)) && succeeded(verifyRegisterChanges(*this)) &&
                 succeeded(verifyProductGroups(*this)));
}
