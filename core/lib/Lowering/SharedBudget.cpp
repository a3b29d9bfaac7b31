//===- SharedBudget.cpp - Who gets shared memory --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/SharedBudget.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/KnownSlices.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras {

/// Of passes that come when stages have been counted: answers of launch control, where tensor memory is, barriers of
/// accumulators.
static constexpr int64_t kLateBytes = 512;

int64_t getWantedCTAs(FunctionOpInterface op) {
  auto function = dyn_cast<aa::FuncOp>(op.getOperation());
  aa::KernelSpecAttr spec = function ? function.getKernelSpecAttr() : aa::KernelSpecAttr();
  return std::max<int64_t>(spec ? spec.getOccupancy() : 0, 1);
}

/// The barriers of stages lie one behind the other, tiles begin at what swizzles are aligned to.
int64_t getTileBytes(as::AllocTensorOp tile) {
  if (!as::isSharedTensor(tile.getType()))
    return 0; // columns of tensor memory
  const int64_t bytes = as::getSharedBytes(tile.getType());
  if (!tile.getStages())
    return bytes;
  auto isBarriers = [&](Operation *user) {
    auto create = dyn_cast<as::CreatePipelineOp>(user);
    return create && create.getBarriers() == tile.getResult();
  };
  return (llvm::any_of(tile->getUsers(), isBarriers) ? bytes : as::getStageBytes(tile.getType())) * *tile.getStages();
}

static int64_t getPayloadBytes(Type payload) {
  auto tile = dyn_cast<RankedTensorType>(payload);
  return tile ? as::getStageBytes(tile) : as::kTileAlignment;
}

static RankedTensorType getBarriersType(ArrayRef<Type> payload) {
  return as::getStageBarriersType(payload.front().getContext());
}

static int64_t getBarrierBytes(ArrayRef<Type> payload) {
  return payload.empty() ? 0 : as::getSharedBytes(getBarriersType(payload));
}

int64_t getStageBytes(ArrayRef<Type> payload) {
  int64_t bytes = getBarrierBytes(payload);
  for (Type type : payload)
    bytes += getPayloadBytes(type);
  return bytes;
}

int64_t getRingBytes(ArrayRef<Type> payload, int64_t stages) {
  return llvm::alignTo(stages * getStageBytes(payload), as::kTileAlignment);
}

/// Threads work with their own elements, and no other thread learns what these are.
static bool staysWithinThreads(Operation *op) {
  auto isWeak = [](auto access) { return access.getMemSemantic() == aa::MemSemantic::Weak; };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<as::LoadOp, as::TiledLoadOp>(isWeak)
      .Case<as::StoreOp, as::TiledStoreOp>([](Operation *) { return true; })
      .Case([](as::DotOp product) { return !product.isUniversalFma(); })
      .Case([](as::ExtractSliceOp slice) { return as::findSliceRegisters(slice).has_value(); })
      .Default(false);
}

/// Exchanges are fast with so many bytes, whatever they exchange. Stages need the rest of the memory.
static int64_t getExchangeBytes(const ChipTarget &target) {
  return std::min<int64_t>(target.tuning().exchangeBytes, target.machine().sharedMemoryBytes / 3);
}

/// Of the tiles that `op` may exchange between threads; those that have no layout yet may become anything, and take
/// `unknown`.
static int64_t countExchangedBytes(Operation *op, int64_t unknown) {
  const bool isExchange = isa<as::ExchangeOpInterface>(op) && !staysWithinThreads(op);
  int64_t bytes = 0;
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
    auto tile = dyn_cast<RankedTensorType>(type);
    if (tile && !tile.getEncoding())
      return unknown;
    if (tile && isExchange && as::isDistributedTensor(tile))
      bytes += tile.getNumElements() * as::getSharedBits(tile.getElementType()) / 8;
  }
  return bytes;
}

int64_t countExchangedBytes(FunctionOpInterface function, const ChipTarget &target, Operation *except) {
  int64_t most = 0;
  const int64_t unknown = getExchangeBytes(target);
  function->walk([&](Operation *op) {
    if (op != except)
      most = std::max(most, countExchangedBytes(op, unknown));
  });
  return most;
}

/// What lanes of a warp exchange has its way without shared memory.
static bool staysWithinWarps(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](as::ConvertLayoutOp convert) { return convert.getAtomPlan() && convert.getAtomPlan()->getTag() == 0; })
      .Case([](as::ReduceOp reduce) {
        auto tile = cast<RankedTensorType>(reduce.getInputs().front().getType());
        return tile.getEncoding() && llvm::all_of(as::getLinearLayout(tile).getBases(LayoutDim::Warp),
                                                  [&](auto basis) { return basis[reduce.getAxis()] == 0; });
      })
      .Default(false);
}

/// What exchanges of `function` are fast with, without those of operations that will not be there. Where warps that
/// fill stages also empty them, stages are nobody's when all have been emptied, and leave their place to exchanges.
static int64_t countExchangeBytes(FunctionOpInterface function, const ProgramOrder &order,
                                  ArrayRef<Operation *> vanishing, int64_t enough, bool fillsByGroups) {
  int64_t end = 0, most = 0;
  bool hasQueues = false;
  function->walk([&](Operation *op) {
    hasQueues |= isa<aa::CreateQueueOp>(op);
    if (isa<as::CreatePipelineOp>(op))
      end = std::max(end, order.getLifetime(op->getResult(0)).end);
  });
  if (hasQueues || end == 0)
    end = order.getWhole().end; // Who will be beside whom is not known yet.
  auto isBesideStages = [&](Operation *op) { return !fillsByGroups || order.getLifetime(op).begin <= end; };
  function->walk([&](Operation *op) {
    if (!llvm::is_contained(vanishing, op) && isBesideStages(op) && !staysWithinWarps(op))
      most = std::max(most, countExchangedBytes(op, enough));
    return most < enough ? WalkResult::advance() : WalkResult::interrupt();
  });
  return std::min<int64_t>(llvm::alignTo(most, as::kTileAlignment), enough);
}

static bool isReadByProducts(as::AllocTensorOp tile) {
  return llvm::any_of(tile->getUsers(), llvm::IsaPred<as::DotOp, as::AsyncDotOp>);
}

SharedBudget::SharedBudget(FunctionOpInterface function, const ChipTarget &target, int64_t ctas, StageCount countStages,
                           ArrayRef<Operation *> vanishing)
    : order(function.getFunctionBody()), limit(target.machine().getSharedBytesPerCTA(ctas) - kLateBytes -
                                               countExchangeBytes(function, order, vanishing, getExchangeBytes(target),
                                                                  target.chip->features.fillsByGroups())),
      staticLimit(int64_t(target.machine().staticSharedMemoryBytes) - getExchangeBytes(target)),
      hasBarriers(!target.chip->features.fillsByGroups()) {
  // When products with sums in tensor memory have read an operand, no value says: it keeps its place.
  const bool keepsOperands = target.chip->features.tcgen05;
  function->walk([&](Operation *op) {
    auto pipeline = dyn_cast<as::CreatePipelineOp>(op);
    auto tile = dyn_cast<as::AllocTensorOp>(op);
    const bool isShared = tile && as::isSharedTensor(tile.getType());
    if (isa<aa::CreateQueueOp>(op) || (isShared && keepsOperands && isReadByProducts(tile)))
      tenants.push_back({op, order.getWhole()});
    else if (isShared || (pipeline && pipeline.getBuffers().empty()))
      tenants.push_back({op, order.getLifetime(op->getResult(0))});
  });
  layOut(countStages);
}

void SharedBudget::placeStages(ArrayRef<Type> payload, int64_t stages, Lifetime lifetime) {
  for (Type type : payload)
    arena.allocate(stages * getPayloadBytes(type), as::kTileAlignment, lifetime);
  if (hasBarriers && !payload.empty())
    arena.allocate(stages * getBarrierBytes(payload), as::getTileAlignment(getBarriersType(payload)), order.getWhole());
}

void SharedBudget::layOut(StageCount countStages) {
  arena = SharedArena();
  for (auto [op, lifetime] : tenants)
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](as::CreatePipelineOp pipeline) {
          placeStages(pipeline.getType().getPayload(), countStages ? countStages(pipeline) : 1, lifetime);
        })
        .Case([&](aa::CreateQueueOp queue) {
          placeStages(queue.getQueue().getType().getTypes(), /*stages=*/1, lifetime);
        })
        .Case([&](as::AllocTensorOp tile) {
          if (!as::isSharedTensor(tile.getType()))
            return;
          arena.allocate(getTileBytes(tile), as::getTileAlignment(tile.getType()), lifetime);
        });
}

void SharedBudget::keepStatic() {
  if (getTaken() <= staticLimit)
    limit = std::min(limit, staticLimit);
}

int64_t SharedBudget::getFree(Lifetime lifetime) const {
  return std::max<int64_t>(limit - arena.find(limit, as::kTileAlignment, lifetime), 0);
}

bool SharedBudget::take(int64_t bytes, Lifetime lifetime) {
  const int64_t offset = arena.find(bytes, as::kTileAlignment, lifetime);
  if (offset + bytes > limit)
    return false;
  arena.take(offset, bytes, lifetime);
  return true;
}

} // namespace tileiras
