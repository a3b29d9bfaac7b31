//===- RecomputeTiles.cpp - Wide tiles that are computed twice ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecomputeTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/AssignedLayouts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace mlir;

namespace tileiras {

/// A thread's; a row value in each of its elements is one.
static int64_t countRegistersOf(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  if (!tile || !as::isDistributedTensor(tile) || as::isRematerializable(value))
    return 0;
  return llvm::divideCeil(as::getNumRegisters(tile) * tile.getElementTypeBitWidth(), 32);
}

/// Of 16-bit floats, which fill registers two by two.
static bool isExtension(Operation *op) {
  auto tile = isa<arith::ExtFOp>(op) ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
  return tile && as::isDistributedTensor(tile) && tile.getElementType().isF32() && as::getNumRegisters(tile) % 2 == 0 &&
         getElementTypeOrSelf(op->getOperand(0)).getIntOrFloatBitWidth() == 16;
}

/// An instruction an element at most.
static bool isCheap(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp, math::FmaOp, math::AbsFOp>(op) ||
         isExtension(op) || isa<as::BroadcastOp, as::ExpandDimsOp>(op);
}

static bool isUsedAfter(Value value, Operation *reduction) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    Operation *ancestor = reduction->getBlock()->findAncestorOpInBlock(*user);
    return ancestor && reduction->isBeforeInBlock(ancestor);
  });
}

namespace {

/// What a tile is computed from.
struct Roots {
  llvm::SetVector<Value> packed; ///< by extensions
  llvm::SetVector<Value> others;
};

} // namespace

/// `kept`: tiles that stay in registers.
static void collectRoots(Value value, const llvm::DenseSet<Value> &kept, Roots &roots) {
  Operation *op = value.getDefiningOp();
  if (kept.contains(value) || as::isRematerializable(value))
    return;
  if (!op || !isCheap(op)) {
    roots.others.insert(value);
    return;
  }
  if (isExtension(op)) {
    roots.packed.insert(op->getOperand(0));
    return;
  }
  for (Value operand : op->getOperands())
    collectRoots(operand, kept, roots);
}

/// Of the tiles that are computed before `reduction` and used behind it those that take more than what has to be there
/// to compute them again; the others become `kept`.
static SmallVector<Value> findTiles(Operation *reduction, llvm::DenseSet<Value> &kept) {
  constexpr int64_t kFewRegisters = 4;
  SmallVector<Value> tiles;
  llvm::DenseSet<Value> needed;
  for (Operation &op : llvm::make_range(reduction->getBlock()->begin(), reduction->getIterator())) {
    if (!isCheap(&op) || !getElementTypeOrSelf(op.getResult(0)).isF32() || !isUsedAfter(op.getResult(0), reduction))
      continue;
    const Value tile = op.getResult(0);
    Roots roots;
    collectRoots(tile, kept, roots);
    auto isNew = [&](Value root) { return !needed.contains(root) && !isUsedAfter(root, reduction); };
    int64_t instead = 0;
    for (Value root : roots.packed)
      instead += isNew(root) ? countRegistersOf(root) : 0;
    const bool needsTiles =
        llvm::any_of(roots.others, [&](Value other) { return countRegistersOf(other) > kFewRegisters; });
    if (roots.packed.empty() || needsTiles || instead >= countRegistersOf(tile)) {
      kept.insert(tile);
      continue;
    }
    tiles.push_back(tile);
    needed.insert_range(roots.packed);
  }
  return tiles;
}

RecomputedTiles::RecomputedTiles(LLVM::LLVMFuncOp kernel) {
  SmallVector<Operation *> reductions;
  kernel.walk([&](as::ReduceOp reduction) { reductions.push_back(reduction); });
  for (Operation *reduction : reductions)
    visit(reduction);
}

void RecomputedTiles::visit(Operation *reduction) {
  llvm::DenseSet<Value> kept;
  llvm::DenseMap<Value, Value> copied;
  const SmallVector<Value> tiles = findTiles(reduction, kept);
  for (Value tile : kept)
    copied[tile] = tile;
  Operation *position = reduction;
  for (Value tile : tiles)
    for (OpOperand &use : llvm::make_early_inc_range(tile.getUses())) {
      Operation *ancestor = reduction->getBlock()->findAncestorOpInBlock(*use.getOwner());
      if (!ancestor || !reduction->isBeforeInBlock(ancestor) || llvm::is_contained(copies, use.getOwner()))
        continue;
      uses.push_back({&use, tile});
      use.set(copy(tile, position, copied));
    }
}

/// Behind `position`, which becomes the last operation that was made.
Value RecomputedTiles::copy(Value value, Operation *&position, llvm::DenseMap<Value, Value> &copied) {
  Operation *op = value.getDefiningOp();
  if (Value known = copied.lookup(value))
    return known;
  if (!op || !isCheap(op) || as::isRematerializable(value))
    return value;
  SmallVector<Value> operands(op->getOperands());
  if (!isExtension(op))
    for (Value &operand : operands)
      operand = copy(operand, position, copied);
  if (!isExtension(op) && llvm::equal(operands, op->getOperands()))
    return copied[value] = value;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(position);
  Operation *again = builder.clone(*op);
  again->setOperands(operands);
  if (isExtension(op))
    again->setAttr(kRecomputedAttr, builder.getUnitAttr());
  copies.push_back(again);
  position = again;
  return copied[value] = again->getResult(0);
}

void RecomputedTiles::undo() {
  for (auto &[use, tile] : llvm::reverse(uses))
    use->set(tile);
  for (Operation *op : llvm::reverse(copies))
    op->erase();
  uses.clear();
  copies.clear();
}

} // namespace tileiras
