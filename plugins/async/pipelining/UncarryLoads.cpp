//===- UncarryLoads.cpp - tileaa-uncarry-loads ----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Remarks.h"
#include "common/QueueLoads.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/TileAA.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEAAUNCARRYLOADS
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// Pointers without offsets of zero, which only canonicalisation takes away.
Value skipZeroOffsets(Value value) {
  while (auto moved = value.getDefiningOp<aa::AddPtrOp>())
    if (matchPattern(moved.getOffset(), m_Zero()))
      value = moved.getBase();
    else
      break;
  return value;
}

/// Both are computed, or loaded, in the same way from the same values.
bool isSame(Value a, Value b) {
  a = skipZeroOffsets(a);
  b = skipZeroOffsets(b);
  if (a == b)
    return true;
  Operation *lhs = a.getDefiningOp(), *rhs = b.getDefiningOp();
  if (!lhs || !rhs || cast<OpResult>(a).getResultNumber() != cast<OpResult>(b).getResultNumber() ||
      !(isPure(lhs) || isWeakLoad(lhs)) || lhs->getNumRegions() != 0)
    return false;
  auto check = [](Value x, Value y) { return success(isSame(x, y)); };
  return OperationEquivalence::isEquivalentTo(lhs, rhs, check, /*markEquivalent=*/nullptr,
                                              OperationEquivalence::IgnoreLocations);
}

/// A tile that a loop carries: the one of the next iteration, loaded in this one, and before the loop that of the
/// first.
struct CarriedTile {
  BlockArgument carried;
  llvm::SetVector<Operation *> made = {}; ///< what loads it and computes where, from the loop's variable
};

std::optional<CarriedTile> findCarriedTile(scf::ForOp loop, BlockArgument carried) {
  Value next = loop.getTiedLoopYieldedValue(carried)->get();
  if (!isa<RankedTensorType>(carried.getType()) || !loop.getTiedLoopResult(carried).use_empty() ||
      !next.getDefiningOp() || next.getDefiningOp()->getBlock() != loop.getBody())
    return std::nullopt;
  CarriedTile tile{carried};
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return op->getBlock() == loop.getBody(); };
  if (failed(getBackwardSlice(next, &tile.made, options)))
    return std::nullopt;
  bool loads = false;
  for (Operation *op : tile.made) {
    loads |= isWeakLoad(op);
    if (!(isPure(op) || isWeakLoad(op)) || op->getNumRegions() != 0)
      return std::nullopt;
    for (Value operand : op->getOperands())
      if (auto argument = dyn_cast<BlockArgument>(operand);
          argument && argument.getOwner() == loop.getBody() && argument != loop.getInductionVar())
        return std::nullopt;
    // Who else reads the tile needs it now.
    auto isElsewhere = [&](Operation *user) {
      return !tile.made.contains(user) && user != loop.getBody()->getTerminator();
    };
    if (isWeakLoad(op) && llvm::any_of(op->getUsers(), isElsewhere))
      return std::nullopt;
  }
  return loads ? std::optional(std::move(tile)) : std::nullopt;
}

/// What `tile` is made of once more, of the variable's value `number`; what can be folded is.
Value makeAgain(OpBuilder &builder, scf::ForOp loop, const CarriedTile &tile, Value number,
                SmallVectorImpl<Operation *> *made = nullptr) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), number);
  for (Operation *op : tile.made) {
    Operation *now = builder.clone(*op, mapping);
    SmallVector<Value> folded;
    if (succeeded(builder.tryFold(now, folded)) && !folded.empty()) {
      for (auto [result, value] : llvm::zip_equal(op->getResults(), folded))
        mapping.map(result, value);
      now->erase();
    } else if (made)
      made->push_back(now);
  }
  return mapping.lookup(loop.getTiedLoopYieldedValue(tile.carried)->get());
}

/// The first tile is what the loop would have loaded for it an iteration earlier.
bool beginsWithSame(scf::ForOp loop, const CarriedTile &tile) {
  OpBuilder builder(loop);
  Value before = builder.createOrFold<arith::SubIOp>(loop.getLoc(), loop.getLowerBound(), loop.getStep());
  SmallVector<Operation *> made;
  const bool same = isSame(makeAgain(builder, loop, tile, before, &made), loop.getTiedLoopInit(tile.carried)->get());
  eraseUnused(made);
  if (Operation *op = before.getDefiningOp(); op && op->use_empty())
    op->erase();
  return same;
}

/// Whether something in `around` may write to memory, or orders accesses.
bool holdsWrite(Operation *around) {
  auto isWrite = [](Operation *op) {
    return !isWeakLoad(op) && !isMemoryEffectFree(op) && !isa<scf::SCFDialect>(op->getDialect());
  };
  return around->walk([&](Operation *op) { return isWrite(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// What loads the first tile, as far as the loop does not use the same values. Null where that is not beside the loop.
Operation *findFirstLoad(scf::ForOp loop, const CarriedTile &tile) {
  llvm::SmallPtrSet<Operation *, 8> shared;
  for (Operation *op : tile.made)
    for (Value operand : op->getOperands())
      if (loop.isDefinedOutsideOfLoop(operand))
        shared.insert(operand.getDefiningOp());
  llvm::SetVector<Operation *> made;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return !shared.contains(op); };
  Operation *first = loop.getTiedLoopInit(tile.carried)->get().getDefiningOp();
  if (!first || failed(getBackwardSlice(first, &made, options)))
    return nullptr;
  first = nullptr;
  for (Operation *op : made)
    if (isWeakLoad(op)) {
      if (op->getBlock() != loop->getBlock())
        return nullptr;
      if (!first || op->isBeforeInBlock(first))
        first = op;
    }
  return first;
}

/// Nothing writes to memory in the loop, or between it and what is loaded before it.
bool isUndisturbed(scf::ForOp loop, const CarriedTile &tile) {
  Operation *first = findFirstLoad(loop, tile);
  if (!first || holdsWrite(loop))
    return false;
  for (Operation *op = first; op != loop; op = op->getNextNode())
    if (holdsWrite(op))
      return false;
  return true;
}

struct TileAAUncarryLoads : impl::TileAAUncarryLoadsBase<TileAAUncarryLoads> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAAUncarryLoads)

  void runOnOperation() override {
    getOperation()->walk([](scf::ForOp loop) {
      if (holdsAny<aa::DotOp, aa::MmaBlockScaleOp>(loop))
        for (BlockArgument carried : loop.getRegionIterArgs())
          if (std::optional<CarriedTile> tile = findCarriedTile(loop, carried))
            uncarry(loop, *tile);
    });
  }

  static void uncarry(scf::ForOp loop, const CarriedTile &tile) {
    if (!beginsWithSame(loop, tile) || !isUndisturbed(loop, tile))
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
    Value before = arith::SubIOp::create(builder, loop.getLoc(), loop.getInductionVar(), loop.getStep());
    Value now = makeAgain(builder, loop, tile, before);
    BlockArgument carried = tile.carried;
    carried.replaceAllUsesWith(now);
    loop.getTiedLoopYieldedValue(carried)->set(carried);
    eraseUnused(tile.made.getArrayRef());
    remarkOn(loop, Analysis::Queue) << "loads a tile in the iteration that uses it, instead of the one before";
  }
};

} // namespace
} // namespace tileiras::async
