//===- SliceDemand.cpp - Who needs slices of which tile -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SliceDemand.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Work/WorkInterface.h"

using namespace mlir;

namespace tileiras::slicing {

/// Where costs end: each operation may add several of its operands.
constexpr int64_t kMaxCost = 1000;

SliceKind classify(Operation *op, const SliceShapes &shapes) {
  if (shapes.isWhole(op))
    return SliceKind::Whole;
  if (DenseElementsAttr elements; matchPattern(op, m_Constant(&elements)))
    return elements.isSplat() ? SliceKind::Free : SliceKind::Whole;
  const SliceKind kind = aa::getSliceKind(op);
  if (kind == SliceKind::Recompute && !isMemoryEffectFree(op))
    return SliceKind::Whole;
  // How the core's own operations are cut is known here.
  return isa_and_nonnull<aa::TileAADialect>(op->getDialect()) || keepsSlices(op) ? kind : SliceKind::Whole;
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

int64_t SliceDemand::getOwnCost(Operation *op) const {
  const std::optional<ElementWork> work = getElementWork(op);
  if (!work || isCostly(*work))
    return tuning.costOfSlicedFunction;
  if (*work == ElementWork::Move)
    return tuning.costOfKeptSlice;
  return *work == ElementWork::Free ? 0 : 1;
}

void SliceDemand::countCost(Operation *op) {
  int64_t cost = tuning.costOfKeptSlice;
  SliceKind kind = classify(op, shapes);
  if (kind == SliceKind::Free) {
    cost = 0;
  } else if (kind == SliceKind::Recompute) {
    cost = getOwnCost(op);
    for (Value operand : op->getOperands())
      cost += isa<BlockArgument>(operand) && shapes.isSliced(operand) ? tuning.costOfKeptSlice : costs.lookup(operand);
  }
  for (Value result : op->getResults())
    if (shapes.isSliced(result))
      costs[result] = std::min(cost, kMaxCost);
}

//===----------------------------------------------------------------------===//
// Demand
//===----------------------------------------------------------------------===//

/// The operation runs loops at its place.
bool SliceDemand::runsLoop(Operation *op) const {
  SliceKind kind = classify(op, shapes);
  return isKept(op) || kind == SliceKind::Effect || kind == SliceKind::Whole ||
         llvm::none_of(op->getResults(), [&](Value result) { return shapes.isSliced(result); });
}

/// A slice of the operand is needed for several slices of the result.
bool SliceDemand::repeats(OpOperand &operand) const {
  Operation *op = operand.getOwner();
  if (isa<aa::BroadcastOp>(op))
    return shapes.getGrid(operand.get()) != shapes.getGrid(op->getResult(0));
  // One slice of the result is computed in a run of the loop.
  const bool runsInLoop = loops == CarriedTiles::RunForEachSlice && isa<scf::ForOp>(op->getParentOp());
  if (isa<aa::DotOp, aa::MmaBlockScaleOp>(op))
    return operand.getOperandNumber() != 2 && !runsInLoop;
  return false;
}

Value getUsedToken(Operation *op) {
  for (Value result : op->getResults())
    if (isa<aa::MemTokenType>(result.getType()) && !result.use_empty())
      return result;
  return {};
}

static bool isWeakLoad(Operation *op) {
  if (auto tiled = dyn_cast<aa::TiledLoadOp>(op))
    return tiled.getMemSemantic() == aa::MemSemantic::Weak;
  auto load = dyn_cast<aa::LoadOp>(op);
  return load && load.getMemSemantic() == aa::MemSemantic::Weak;
}

/// Whether a weak load whose token nobody uses stays before `op`.
static bool holdsLoads(Operation *op) {
  return !isMemoryEffectFree(op) && !isa<aa::LoadOp, aa::TiledLoadOp, aa::StoreOp, aa::TiledStoreOp>(op);
}

/// Weak loads whose tokens nobody uses can as well run at `user`, later in the block, as at `place`.
bool SliceDemand::mayMoveLoads(Operation *place, Operation *user) const {
  return obstacles.countFrom(place->getNextNode(), user) == 0;
}

bool SliceDemand::mayMoveTo(Operation *load, Operation *user) const {
  return isWeakLoad(load) && mayMoveLoads(load, user);
}

bool SliceDemand::shouldKeep(Operation *op, const Demand &demand) const {
  SliceKind kind = classify(op, shapes);
  if (getUsedToken(op))
    return true;
  if (demand.users.empty() || kind == SliceKind::Free)
    return false;
  if (kind == SliceKind::Kept || kind == SliceKind::Effect || kind == SliceKind::Whole)
    return true;
  Operation *user = *demand.users.begin();
  bool isNeededOnce = demand.users.size() == 1 && !demand.isRepeated && user->getBlock() == op->getBlock();
  if (kind == SliceKind::Recompute)
    return !isNeededOnce && costs.lookup(op->getResult(0)) > tuning.mostRecomputedForSlice;
  return !isNeededOnce || (!isMemoryEffectFree(op) && !mayMoveTo(op, user));
}

void SliceDemand::visit(Operation *op) {
  bool isControlFlow = isa<RegionBranchOpInterface>(op) ||
                       (op->hasTrait<OpTrait::IsTerminator>() && isa<RegionBranchOpInterface>(op->getParentOp()));
  if (!isControlFlow && !shapes.isSliced(op))
    return;
  Demand demand;
  if (!isControlFlow) {
    for (Value result : op->getResults()) {
      const Demand &ofResult = demands[result];
      demand.users.insert_range(ofResult.users);
      demand.isRepeated |= ofResult.isRepeated;
    }
    if (llvm::any_of(op->getResults(), [&](Value result) { return shapes.isSliced(result); }) && shouldKeep(op, demand))
      kept.insert(op);
  }
  if (isControlFlow || runsLoop(op))
    demand = {{op}, false};
  for (OpOperand &operand : op->getOpOperands()) {
    if (!shapes.isSliced(operand.get()))
      continue;
    Demand &ofOperand = demands[operand.get()];
    ofOperand.users.insert_range(demand.users);
    ofOperand.isRepeated |= demand.isRepeated || (!isControlFlow && repeats(operand));
  }
}

//===----------------------------------------------------------------------===//
// What is read
//===----------------------------------------------------------------------===//

/// Slice i of the operand is needed for slice i of the result, and only there.
static bool keepsPlace(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<aa::DotOp, aa::MmaBlockScaleOp>(op))
    return operand.getOperandNumber() == 2;
  return keepsSlices(op) || isa<aa::AssumeOp, aa::LoadOp>(op);
}

llvm::MapVector<Value, bool> SliceDemand::getReads(Value tile, function_ref<bool(Value)> isInMemory) const {
  llvm::MapVector<Value, bool> reads;
  SmallVector<std::pair<Value, bool>> worklist = {{tile, true}};
  llvm::DenseSet<std::pair<Value, int>> seen;
  while (!worklist.empty()) {
    auto [value, inPlace] = worklist.pop_back_val();
    if (!shapes.isSliced(value) || !seen.insert({value, inPlace}).second)
      continue;
    if (isInMemory(value)) {
      auto [entry, isNew] = reads.try_emplace(value, inPlace);
      entry->second &= inPlace;
      continue;
    }
    for (OpOperand &operand : value.getDefiningOp()->getOpOperands())
      worklist.push_back({operand.get(), inPlace && keepsPlace(operand)});
  }
  return reads;
}

//===----------------------------------------------------------------------===//
// Loop-carried tiles that are computed in place
//===----------------------------------------------------------------------===//

bool SliceDemand::isInMemory(Value tile) const {
  Operation *producer = tile.getDefiningOp();
  return !producer || isKept(producer) || isa<RegionBranchOpInterface>(producer);
}

/// Nobody needs slices of `carried` once `op` has begun, and it reads each before it writes it.
bool SliceDemand::isLastReader(Operation *op, BlockArgument carried) const {
  auto demand = demands.find(carried);
  if (demand == demands.end())
    return true;
  Block *body = carried.getOwner();
  for (Operation *user : demand->second.users) {
    Operation *around = body->findAncestorOpInBlock(*user);
    if (around == op) {
      if (user != op)
        return false;
      for (OpOperand &operand : op->getOpOperands())
        for (auto [value, inPlace] : getReads(operand.get(), [&](Value tile) { return isInMemory(tile); }))
          if (value == carried && !(inPlace && keepsPlace(operand)))
            return false;
    } else if (!around->isBeforeInBlock(op)) {
      return false;
    }
  }
  return true;
}

void SliceDemand::findReplaced(scf::ForOp loop) {
  for (auto [carried, yielded] : llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    Operation *op = yielded.getDefiningOp();
    if (op && shapes.isSliced(yielded) && isKept(op) && op->getBlock() == loop.getBody() &&
        (classify(op, shapes) == SliceKind::Once || classify(op, shapes) == SliceKind::Recompute) &&
        !replaced.contains(yielded) && isLastReader(op, carried))
      replaced[yielded] = carried;
  }
}

//===----------------------------------------------------------------------===//
// Loops that run anew for each slice
//===----------------------------------------------------------------------===//

/// What `tile` is computed from, as far as it is not kept, may as well be computed at `user`.
bool SliceDemand::mayMoveInit(Value init, Operation *user) const {
  llvm::SetVector<Value> tiles;
  tiles.insert(init);
  for (unsigned i = 0; i < tiles.size(); ++i) {
    Operation *op = tiles[i].getDefiningOp();
    if (!shapes.isSliced(tiles[i]) || (op && isKept(op)))
      continue;
    if (!op || op->getBlock() != user->getBlock() || isa<RegionBranchOpInterface>(op))
      return false;
    if (isa<aa::LoadOp, aa::TiledLoadOp>(op) && !mayMoveTo(op, user))
      return false;
    tiles.insert_range(op->getOperands());
  }
  return true;
}

/// What a loop does can be done again, or is done slice by slice.
static bool isRepeatable(Operation &op, const SliceShapes &shapes) {
  auto isCut = [&](Value value) { return shapes.isSliced(value); };
  if (isa<RegionBranchOpInterface>(op)) {
    auto passesTile = [&](Operation *inner) { return shapes.isSliced(inner); };
    auto visit = [&](Operation *inner) { return passesTile(inner) ? WalkResult::interrupt() : WalkResult::advance(); };
    return isMemoryEffectFree(&op) && !op.walk(visit).wasInterrupted();
  }
  if (shapes.isSliced(&op) && (classify(&op, shapes) == SliceKind::Whole || llvm::none_of(op.getResults(), isCut)))
    return false;
  return isMemoryEffectFree(&op) || isWeakLoad(&op);
}

bool SliceDemand::mayRunForEachSlice(scf::ForOp loop) const {
  std::optional<unsigned> cut;
  for (OpResult result : loop->getResults()) {
    if (shapes.isSliced(result) ? cut.has_value() : !result.use_empty())
      return false;
    if (shapes.isSliced(result))
      cut = result.getResultNumber();
  }
  if (!cut)
    return false;
  auto needed = demands.find(loop.getResult(*cut));
  if (needed == demands.end() || needed->second.users.size() != 1 || needed->second.isRepeated)
    return false;
  Operation *user = *needed->second.users.begin();
  if (user->getBlock() != loop->getBlock() || isa<RegionBranchOpInterface>(user) ||
      user->hasTrait<OpTrait::IsTerminator>() || !runsLoop(user) || classify(user, shapes) == SliceKind::Whole ||
      !mayMoveLoads(loop, user) || !mayMoveInit(loop.getInitArgs()[*cut], user))
    return false;
  for (Operation &op : loop.getBody()->without_terminator())
    if (isKept(&op) || !isRepeatable(op, shapes))
      return false;
  auto reads = getReads(loop.getYieldedValues()[*cut], [&](Value tile) { return isInMemory(tile); });
  return llvm::all_of(reads, [&](auto &read) { return read.first != loop.getRegionIterArg(*cut) || read.second; });
}

SliceDemand::SliceDemand(Operation *func, const SliceShapes &shapes, CarriedTiles loops, const TuningModel &tuning)
    : shapes(shapes), loops(loops), tuning(tuning), obstacles(holdsLoads) {
  func->walk<WalkOrder::PreOrder>([&](Operation *op) { countCost(op); });
  func->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) { visit(op); });
  func->walk([&](scf::ForOp loop) {
    if (loops == CarriedTiles::RunForEachSlice && mayRunForEachSlice(loop))
      repeated.insert(loop);
    else
      findReplaced(loop);
  });
  func->walk([&](RegionBranchOpInterface op) { passesTiles |= shapes.isSliced(op) && !repeated.contains(op); });
}

} // namespace tileiras::slicing
