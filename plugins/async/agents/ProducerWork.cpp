//===- ProducerWork.cpp - What a producer does besides copies -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProducerWork.h"
#include "common/QueueLoads.h"
#include "common/TokenOrder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAS/AsyncCopies.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

using namespace mlir;

namespace tileiras::async {

static RankedTensorType asRegisterTile(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && !as::isMemoryTensor(tile) ? tile : RankedTensorType();
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// A thread has what threads of several warps had, in further registers: whatever warps could compute from what they
/// hold, fewer of them can, too.
static RankedTensorType giveToWarps(RankedTensorType tile, int64_t numWarps) {
  const LinearLayout layout = as::getLinearLayout(tile);
  if (layout.getInSize(LayoutDim::Warp) <= numWarps)
    return tile;
  LinearLayout result = layout.dropInDim(LayoutDim::Warp);
  for (auto [bit, basis] : llvm::enumerate(layout.getBases(LayoutDim::Warp))) {
    if (int64_t(1) << bit < numWarps)
      result.addBasis(LayoutDim::Warp, basis);
    else if (layout.getFlatBasis(LayoutDim::Warp, bit) != 0)
      result.addBasis(LayoutDim::Register, basis);
  }
  return tile.cloneWithEncoding(as::LinearAttr::get(tile.getContext(), result));
}

static void giveToWarps(Value value, int64_t numWarps) {
  RankedTensorType tile = asRegisterTile(value.getType());
  if (!tile)
    return;
  RankedTensorType type = giveToWarps(tile, numWarps);
  value.setType(type);
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).reshape(type));
}

void giveTilesToWarps(Region &producer, int64_t numWarps) {
  producer.walk([&](Operation *op) {
    for (Value result : op->getResults())
      giveToWarps(result, numWarps);
    // Its plan was for all warps.
    if (auto conversion = dyn_cast<as::ConvertLayoutOp>(op))
      conversion.removeAtomPlanAttr();
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        giveToWarps(argument, numWarps);
  });
}

//===----------------------------------------------------------------------===//
// What it may do
//===----------------------------------------------------------------------===//

/// Each thread computes what it holds, from what it holds.
static bool isDistributed(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<DenseElementsAttr>(constant.getValue());
  return isa<ViewLikeOpInterface, as::TiledLoadOp, as::LoadOp, as::ExtractSliceOp, as::ExtractOp, as::SplatOp,
             as::MakeRangeOp, as::BroadcastOp, as::ConvertLayoutOp, aa::AddPtrOp>(op) ||
         OpTrait::hasElementwiseMappableTraits(op);
}

static std::string findTileObstacle(Operation *op, int64_t numWarps, const TuningModel &tuning) {
  int64_t most = 0;
  auto measure = [&](TypeRange types) {
    for (Type type : types)
      if (RankedTensorType tile = asRegisterTile(type))
        most = std::max(most, tile.getNumElements());
  };
  measure(op->getOperandTypes());
  measure(op->getResultTypes());
  // One warp has few registers; those of several are counted when it is known what they do.
  if (numWarps == 1 && most > tuning.mostProducerTileElements)
    return "a tile of " + std::to_string(most) + " elements, " + nameOperation(op);
  return most == 0 || isDistributed(op) ? "" : "a tile, by " + nameOperation(op);
}

std::string findProducerObstacle(Operation *op, int64_t numWarps, const TuningModel &tuning) {
  if (isa<as::MakeTiledTmaDescOp>(op))
    return "";
  if (auto access = dyn_cast<as::MemoryAccessOpInterface>(op);
      access && isWeakRead(op) && !hasEffect<MemoryEffects::Write>(op)) {
    // The compute agent loads at another time: what is read must be the same all along.
    if (isBehindWrites(access.getToken()))
      return nameOperation(op) + ", which comes after a write";
    if (isBeforeWrites(access.getResultToken()))
      return nameOperation(op) + ", after which comes a write";
  } else if (!isMemoryEffectFree(op)) {
    return nameOperation(op);
  }
  return findTileObstacle(op, numWarps, tuning);
}

/// What threads copy past their registers, fewer of them have to be able to copy, too.
static bool canCopy(Operation *op, int64_t numWarps) {
  if (auto load = dyn_cast<as::AsyncTiledLoadOp>(op))
    return bool(as::planAsyncCopy(load.getView(), load.getDestination().getType(), load.getInBounds(), numWarps));
  if (auto load = dyn_cast<as::AsyncLoadOp>(op))
    return bool(as::planAsyncCopy(giveToWarps(load.getPointer().getType(), numWarps), load.getDestination().getType(),
                                  load.getContiguity()));
  return true;
}

std::string findFillingObstacle(as::ProduceOneOp produce, int64_t numWarps) {
  std::string obstacle;
  produce.getBody().walk([&](Operation *op) {
    auto access = dyn_cast<as::MemoryAccessOpInterface>(op);
    if (isWeakRead(op) && isBehindWrites(access.getToken()))
      obstacle = "what is copied is read by " + nameOperation(op) + ", which comes after a write";
    else if (!canCopy(op, numWarps))
      obstacle = std::to_string(numWarps) + " warps cannot copy what all warps can, " + nameOperation(op);
    return obstacle.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return obstacle;
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// All values that iterators of `pipeline` take.
static llvm::SetVector<Value> collectIterators(Value pipeline) {
  llvm::SetVector<Value> iterators;
  for (Operation *user : pipeline.getUsers())
    if (auto create = dyn_cast<as::CreateIteratorOp>(user))
      iterators.insert(create.getResult());
  for (unsigned i = 0; i < iterators.size(); ++i)
    for (OpOperand &use : iterators[i].getUses()) {
      Operation *user = use.getOwner();
      if (auto produce = dyn_cast<as::ProduceOneOp>(user)) {
        iterators.insert(produce.getNext());
        continue;
      }
      if (isa<as::IncIterOp, arith::SelectOp>(user))
        iterators.insert(user->getResult(0));
      Operation *control = user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user;
      if (auto branch = dyn_cast<RegionBranchOpInterface>(control)) {
        RegionBranchSuccessorMapping mapping;
        branch.getSuccessorOperandInputMapping(mapping);
        iterators.insert_range(mapping.lookup(&use));
      }
    }
  return iterators;
}

/// The one of `iterators` that is current at `op`: an iterator goes through the program in one line.
static Value findCurrent(const llvm::SetVector<Value> &iterators, Operation *op) {
  for (; op && op->getBlock(); op = op->getParentOp()) {
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      for (Value result : before->getResults())
        if (iterators.contains(result))
          return result;
    for (Value argument : op->getBlock()->getArguments())
      if (iterators.contains(argument))
        return argument;
  }
  return {};
}

/// Nothing is copied between a wait in front of `op` and `op`.
static bool hasWaited(Operation *op) {
  for (Operation *before = op->getPrevNode(); before && before->getNumRegions() == 0; before = before->getPrevNode())
    if (isa<as::ProducerDrainOp>(before))
      return true;
  return false;
}

void waitBeforeMapsChange(Region &producer) {
  llvm::SetVector<Value> pipelines;
  SmallVector<as::MakeTiledTmaDescOp> maps;
  producer.walk([&](Operation *op) {
    if (auto produce = dyn_cast<as::ProduceOneOp>(op))
      pipelines.insert(produce.getPipeline());
    else if (auto map = dyn_cast<as::MakeTiledTmaDescOp>(op); map && map->getParentOfType<LoopLikeOpInterface>())
      maps.push_back(map);
  });
  for (as::MakeTiledTmaDescOp map : maps) {
    if (hasWaited(map))
      continue;
    OpBuilder builder(map);
    for (Value pipeline : pipelines)
      as::ProducerDrainOp::create(builder, map.getLoc(), pipeline, findCurrent(collectIterators(pipeline), map));
  }
}

} // namespace tileiras::async
