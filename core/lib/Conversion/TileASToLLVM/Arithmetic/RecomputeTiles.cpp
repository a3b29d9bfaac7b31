//===- RecomputeTiles.cpp - Wide tiles that are computed twice ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecomputeTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Analysis/AssignedLayouts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Work/WorkInterface.h"

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
  const bool isArithmetic = OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() == 1 &&
                            isMemoryEffectFree(op) && getElementWork(op) == ElementWork::Float;
  return isArithmetic || isExtension(op) || isa<as::BroadcastOp, as::ExpandDimsOp>(op);
}

namespace {

/// What a tile is computed from, and by what.
struct Roots {
  llvm::SetVector<Value> packed; ///< by extensions
  llvm::SetVector<Value> others;
  bool isFar = false; ///< more than TuningModel::mostRecomputedForRegisters are between; the roots are not all
};

} // namespace

/// `kept`: tiles that stay in registers.
static Roots findRoots(Value tile, const llvm::DenseSet<Value> &kept, const TuningModel &tuning) {
  Roots roots;
  llvm::SmallSetVector<Value, 8> values;
  values.insert(tile);
  for (size_t i = 0; i < values.size() && !roots.isFar; ++i) {
    const Value value = values[i];
    Operation *op = value.getDefiningOp();
    if (kept.contains(value) || as::isRematerializable(value))
      continue;
    if (!op || !isCheap(op))
      roots.others.insert(value);
    else if (isExtension(op))
      roots.packed.insert(op->getOperand(0));
    else
      values.insert(op->operand_begin(), op->operand_end());
    roots.isFar = int64_t(i) >= tuning.mostRecomputedForRegisters;
  }
  return roots;
}

/// The reductions of one block, in their order, and the tiles that are alive with them.
class RecomputedTiles::BlockWalk {
public:
  BlockWalk(RecomputedTiles &recomputed, Block &block) : recomputed(recomputed), block(block) {
    for (Operation &op : block) {
      positions[&op] = ++numPositions;
      op.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          lastUses[operand] = numPositions;
      });
    }
  }

  void run() {
    for (Operation &op : block) { // What is made on the way comes after its reduction.
      recomputed.visit(op);
      if (isa<as::ReduceOp>(op))
        visit(&op);
      if (isCheap(&op) && getElementTypeOrSelf(op.getResult(0)).isF32())
        alive.push_back(op.getResult(0));
    }
  }

private:
  bool isUsedAfter(Value value, unsigned position) const { return lastUses.lookup(value) > position; }

  /// Of the tiles that are computed before `reduction` and used after it those that take more than what has to be there
  /// to compute them again; the others become `kept`.
  SmallVector<Value> findTiles(unsigned position, llvm::DenseSet<Value> &kept) {
    llvm::erase_if(alive, [&](Value value) { return !isUsedAfter(value, position); });
    SmallVector<Value> tiles;
    llvm::DenseSet<Value> needed;
    for (Value tile : alive) {
      const Roots roots = findRoots(tile, kept, recomputed.tuning);
      if (!saves(tile, roots, position, needed)) {
        kept.insert(tile);
        continue;
      }
      tiles.push_back(tile);
      needed.insert_range(roots.packed);
    }
    return tiles;
  }

  /// `needed`: roots that are there for other tiles.
  bool saves(Value tile, const Roots &roots, unsigned position, const llvm::DenseSet<Value> &needed) const {
    int64_t instead = 0;
    for (Value root : roots.packed)
      if (!needed.contains(root) && !isUsedAfter(root, position))
        instead += countRegistersOf(root);
    const bool needsTiles = llvm::any_of(
        roots.others, [&](Value other) { return countRegistersOf(other) > recomputed.tuning.registersOfRoots; });
    return !roots.isFar && !roots.packed.empty() && !needsTiles && instead < countRegistersOf(tile);
  }

  void visit(Operation *reduction) {
    const unsigned position = positions.lookup(reduction);
    llvm::DenseSet<Value> kept;
    const SmallVector<Value> tiles = findTiles(position, kept);
    if (tiles.empty())
      return;
    llvm::DenseMap<Value, Value> copied;
    for (Value tile : kept)
      copied[tile] = tile;
    Operation *last = reduction;
    for (Value tile : tiles)
      replaceUses(tile, position, last, copied);
    // The copies come after the reduction, before what is after it.
    for (Operation *op = reduction; op != last;) {
      op = op->getNextNode();
      positions[op] = position;
      for (Value operand : op->getOperands())
        lastUses[operand] = std::max(lastUses[operand], position);
    }
  }

  void replaceUses(Value tile, unsigned position, Operation *&last, llvm::DenseMap<Value, Value> &copied) {
    const unsigned lastUse = lastUses.lookup(tile);
    for (OpOperand &use : llvm::make_early_inc_range(tile.getUses())) {
      Operation *ancestor = block.findAncestorOpInBlock(*use.getOwner());
      if (!ancestor || positions.lookup(ancestor) <= position)
        continue;
      recomputed.uses.push_back({&use, tile});
      const Value again = recomputed.copy(tile, last, copied);
      lastUses[again] = std::max(lastUses[again], lastUse);
      use.set(again);
    }
    lastUses[tile] = position;
  }

  RecomputedTiles &recomputed;
  Block &block;
  unsigned numPositions = 0;
  llvm::DenseMap<Operation *, unsigned> positions; ///< from 1 on; none of copies in the making
  llvm::DenseMap<Value, unsigned> lastUses;        ///< positions of users, or of what these are nested in
  SmallVector<Value> alive;                        ///< cheap tiles that may be used later
};

RecomputedTiles::RecomputedTiles(LLVM::LLVMFuncOp kernel, const TuningModel &tuning) : tuning(tuning) {
  visit(*kernel.getOperation());
}

/// What is nested in `op`.
void RecomputedTiles::visit(Operation &op) {
  for (Region &region : op.getRegions())
    for (Block &block : region)
      if (!block.getOps<as::ReduceOp>().empty())
        BlockWalk(*this, block).run();
      else
        for (Operation &inner : block)
          visit(inner);
}

/// After `position`, which becomes the last operation that was made.
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
