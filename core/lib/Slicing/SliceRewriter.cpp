//===- SliceRewriter.cpp - Operations on tiles as loops over slices -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SliceRewriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tileiras::slicing {

SliceRewriter::SliceRewriter(aa::FuncOp func, SliceShapes &shapes, const SliceDemand &demand)
    : func(func), shapes(shapes), demand(demand), builder(func.getContext()), location(func.getLoc()) {}

LogicalResult SliceRewriter::rewrite() {
  if (failed(rewriteBlock(func.getBody().front())))
    return failure();
  return eraseReplaced();
}

LogicalResult SliceRewriter::rewriteBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    if (failed(rewriteOp(&op)))
      return failure();
  return success();
}

LogicalResult SliceRewriter::rewriteOp(Operation *op) {
  builder.setInsertionPoint(op);
  location = op->getLoc();
  known.clear();
  if (op->getNumRegions() != 0 && !isa<aa::ReduceOp, aa::ScanOp>(op))
    return rewriteRegions(op);
  bool isPlaceholder = isa<ub::PoisonOp>(op) && memories.contains(op->getResult(0));
  if (!shapes.isSliced(op) || isPlaceholder)
    return success();
  SliceKind kind = classify(op, shapes);
  if (kind == SliceKind::Whole) {
    rewriteWhole(op);
    return success();
  }
  replaced.push_back(op);
  if (auto scan = dyn_cast<aa::ScanOp>(op);
      scan && demand.isKept(op) && shapes.getGrid(scan.getResults().front())[scan.getAxis()] > 1)
    rewriteScan(scan);
  else if (kind == SliceKind::Effect || demand.isKept(op))
    rewriteLoop(op);
  else if (llvm::none_of(op->getResults(), [&](Value result) { return shapes.isSliced(result); }))
    replaceUncut(op);
  return success();
}

/// Those that have been replaced only use each other.
LogicalResult SliceRewriter::eraseReplaced() {
  for (Operation *op : llvm::reverse(replaced)) {
    if (!op->use_empty())
      return op->emitOpError("is still used as a whole after it has been cut into slices");
    op->erase();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value SliceRewriter::allocate(Value tile) {
  auto type = as::SlicesType::get(func.getContext(), shapes.getGrid(tile), shapes.getSliceType(tile),
                                  /*addressSpace=*/0);
  return as::AllocSlicesOp::create(builder, location, type, /*memory=*/Value(), as::MemoryRangeAttr());
}

void SliceRewriter::store(Value slice, Value memory, Indices indices) {
  as::StoreSliceOp::create(builder, location, slice, memory, ValueRange(indices));
}

void SliceRewriter::copy(Value tile, Value memory) {
  known.clear();
  makeLoops(shapes.getGrid(tile), {}, [&](Indices indices, ValueRange) -> SmallVector<Value> {
    store(getSlice(tile, indices), memory, indices);
    return {};
  });
  known.clear();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> SliceRewriter::makeLoops(ArrayRef<int64_t> grid, ValueRange carried, LoopBody body) {
  OpBuilder::InsertionGuard guard(builder);
  IndexList indices;
  SmallVector<scf::ForOp> loops;
  SmallVector<Value> current(carried);
  for (int64_t slices : grid) {
    if (slices == 1) {
      indices.push_back(constant(0));
      continue;
    }
    auto loop = scf::ForOp::create(builder, location, constant(0), constant(slices), constant(1), current);
    indices.push_back(loop.getInductionVar());
    current = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
    builder.setInsertionPointToStart(loop.getBody());
    loops.push_back(loop);
  }
  current = body(indices, current);
  for (scf::ForOp loop : llvm::reverse(loops)) {
    builder.setInsertionPointToEnd(loop.getBody());
    if (!carried.empty())
      scf::YieldOp::create(builder, location, current);
    current = llvm::to_vector_of<Value>(loop.getResults());
  }
  return current;
}

/// The tile whose slices an operation goes through.
static Value getDomain(Operation *op, const SliceShapes &shapes) {
  if (auto store = dyn_cast<aa::TiledStoreOp>(op))
    return store.getValue();
  if (auto atomic = dyn_cast<aa::TiledAtomicRMWOp>(op))
    return atomic.getValue();
  auto isSliced = [&](Value value) { return shapes.isSliced(value); };
  auto result = llvm::find_if(op->getResults(), isSliced);
  return result != op->getResults().end() ? Value(*result) : *llvm::find_if(op->getOperands(), isSliced);
}

/// Runs `op` slice by slice, and keeps the results that are used.
void SliceRewriter::rewriteLoop(Operation *op) {
  for (Value result : op->getResults())
    if (shapes.isSliced(result) && !result.use_empty()) {
      BlockArgument inPlace = demand.getReplaced(result);
      Value carried = inPlace ? argumentMemories.lookup(inPlace) : Value();
      memories[result] = carried ? carried : allocate(result);
    }
  Value token = getUsedToken(op);
  SmallVector<Value> tokens;
  if (token)
    tokens.push_back(aa::CreateMemTokenOp::create(builder, location));
  tokens = makeLoops(shapes.getGrid(getDomain(op, shapes)), tokens,
                     [&](Indices indices, ValueRange carried) -> SmallVector<Value> {
                       SmallVector<Value> slices = makeSlices(op, indices);
                       SmallVector<Value> next;
                       for (auto [result, slice] : llvm::zip(op->getResults(), slices)) {
                         if (Value memory = memories.lookup(result))
                           store(slice, memory, indices);
                         if (result == token)
                           next.push_back(aa::JoinMemTokenOp::create(builder, location, token.getType(),
                                                                     ValueRange{carried.front(), slice}));
                       }
                       return next;
                     });
  if (token)
    token.replaceAllUsesWith(tokens.front());
}

/// From slice to slice along the axis goes what the elements so far combine to.
void SliceRewriter::rewriteScan(aa::ScanOp op) {
  const unsigned axis = op.getAxis();
  SmallVector<Value> memory;
  for (Value result : op.getResults())
    memory.push_back(memories[result] = allocate(result));
  SmallVector<int64_t> grid = shapes.getGrid(op.getResults().front());
  SmallVector<int64_t> edge(shapes.getSliceType(op.getResults().front()).getShape());
  const int64_t slices = std::exchange(grid[axis], 1), length = std::exchange(edge[axis], 1);
  SmallVector<Type> edges;
  for (Type type : op.getResultTypes())
    edges.push_back(RankedTensorType::get(edge, getElementTypeOrSelf(type)));
  makeLoops(grid, {}, [&](Indices others, ValueRange) -> SmallVector<Value> {
    SmallVector<int64_t> line(grid.size(), 1);
    line[axis] = slices;
    SmallVector<Value> first = makeIdentities(op.getIdentities(), edges);
    makeLoops(line, first, [&](Indices along, ValueRange before) -> SmallVector<Value> {
      IndexList indices(others);
      indices[axis] = op.getReverse() ? sub(constant(slices - 1), along[axis]) : along[axis];
      SmallVector<Value> scanned = cloneOnSlices(op, indices), widened;
      for (auto [slice, combined] : llvm::zip(scanned, before))
        widened.push_back(aa::BroadcastOp::create(builder, location, slice.getType(), combined));
      SmallVector<Value> sums = combine(op.getBody(), scanned, widened), next;
      SmallVector<Value> last(grid.size(), constant(0));
      last[axis] = constant(op.getReverse() ? 0 : length - 1);
      for (auto [sum, kept, combined] : llvm::zip(sums, memory, before)) {
        store(sum, kept, indices);
        next.push_back(aa::ExtractSliceOp::create(builder, location, combined.getType(), sum, last));
      }
      return next;
    });
    return {};
  });
}

/// The results are uncut: one slice is all of them.
void SliceRewriter::replaceUncut(Operation *op) {
  unsigned rank = 0;
  if (op->getNumResults() != 0)
    if (auto tile = dyn_cast<RankedTensorType>(op->getResult(0).getType()))
      rank = tile.getRank();
  op->replaceAllUsesWith(makeSlices(op, IndexList(rank, constant(0))));
}

/// For operations that nobody has cut: tiles are put together before, and taken apart after.
void SliceRewriter::rewriteWhole(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    if (shapes.isSliced(operand.get()))
      operand.set(getWhole(operand.get()));
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    if (!shapes.isSliced(result) || result.use_empty())
      continue;
    Value memory = memories[result] = allocate(result);
    forEachSlice(result, [&](Indices indices) {
      store(aa::ExtractSliceOp::create(builder, location, shapes.getSliceType(result), result, indices), memory,
            indices);
    });
  }
}

} // namespace tileiras::slicing
