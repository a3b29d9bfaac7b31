//===- ProducerWork.cpp - What a producer does besides copies -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProducerWork.h"
#include "QueueLoads.h"
#include "TokenOrder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAS/AssignedLayouts.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

using namespace mlir;

namespace tileiras::async {

/// Eight registers of each lane: a producer has few.
static constexpr int64_t kMostTileElements = 256;

//===----------------------------------------------------------------------===//
// What it may do
//===----------------------------------------------------------------------===//

static RankedTensorType asRegisterTile(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && !as::isMemoryTensor(tile) ? tile : RankedTensorType();
}

/// Any layouts do, as long as tiles of one shape have the same.
static bool takesAnyLayout(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<DenseElementsAttr>(constant.getValue());
  return isa<as::TiledLoadOp, as::ExtractSliceOp, as::ExtractOp>(op) || OpTrait::hasElementwiseMappableTraits(op);
}

static std::string findTileObstacle(Operation *op) {
  int64_t most = 0;
  auto measure = [&](TypeRange types) {
    for (Type type : types)
      if (RankedTensorType tile = asRegisterTile(type))
        most = std::max(most, tile.getNumElements());
  };
  measure(op->getOperandTypes());
  measure(op->getResultTypes());
  if (most > kMostTileElements)
    return "a tile of " + std::to_string(most) + " elements, " + nameOperation(op);
  return most == 0 || takesAnyLayout(op) ? "" : "a tile, by " + nameOperation(op);
}

std::string findProducerObstacle(Operation *op) {
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
  return findTileObstacle(op);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static void giveToOneWarp(Value value) {
  RankedTensorType tile = asRegisterTile(value.getType());
  if (!tile)
    return;
  RankedTensorType type = tile.cloneWithEncoding(as::getDefaultLayout(tile, /*numWarps=*/1));
  value.setType(type);
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).reshape(type));
}

void giveTilesToOneWarp(Region &producer) {
  producer.walk([](Operation *op) {
    llvm::for_each(op->getResults(), giveToOneWarp);
    for (Region &region : op->getRegions())
      llvm::for_each(region.getArguments(), giveToOneWarp);
  });
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
