//===- SliceControlFlow.cpp - Loops and branches that pass tiles ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cut tile that control flow passes is in memory: the operation, its regions and what comes behind name the same
// memory, and nothing is passed any more.
//
//===----------------------------------------------------------------------===//

#include "SliceRewriter.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tileiras::slicing {

LogicalResult SliceRewriter::rewriteRegions(Operation *op) {
  bool passes = shapes.isSliced(op) || llvm::any_of(op->getRegions(), [&](Region &region) {
                  return llvm::any_of(region.getArguments(), [&](Value value) { return shapes.isSliced(value); });
                });
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && demand.runsForEachSlice(loop)) {
    replaced.push_back(op);
    return success();
  }
  if (passes) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return rewriteFor(loop);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return rewriteIf(branch);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return rewriteWhile(loop);
    return op->emitOpError("passes a tile that is too large for registers; only scf.for, scf.if and scf.while can");
  }
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(rewriteBlock(block)))
        return failure();
  return success();
}

/// A tile that is cut as `tile` is and lies in `memory`.
Value SliceRewriter::makePlaceholder(Value tile, Value memory) {
  auto placeholder = ub::PoisonOp::create(builder, location, tile.getType());
  replaced.push_back(placeholder);
  shapes.addCopy(tile, placeholder);
  memories[placeholder] = memory;
  return placeholder;
}

/// In place of a block argument or result that is passed no more.
void SliceRewriter::replacePassed(Value tile, Value memory) {
  tile.replaceAllUsesWith(makePlaceholder(tile, memory));
  if (auto argument = dyn_cast<BlockArgument>(tile)) {
    argumentMemories[argument] = memory;
    shapes.forget(argument);
  }
}

/// Memory for each cut tile of `tiles`, null for the others.
SmallVector<Value> SliceRewriter::keepAll(ValueRange tiles) {
  SmallVector<Value> memory;
  for (Value tile : tiles)
    memory.push_back(shapes.isSliced(tile) ? allocate(tile) : Value());
  return memory;
}

/// Arguments of `block` from `first` on are in memory.
void SliceRewriter::dropArguments(Block &block, unsigned first, ArrayRef<Value> memory) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&block);
  for (auto [i, kept] : llvm::enumerate(memory))
    if (kept)
      replacePassed(block.getArgument(first + i), kept);
  unsigned argument = 0;
  block.eraseArguments([&](BlockArgument) {
    unsigned i = argument++;
    return i >= first && memory[i - first];
  });
}

void SliceRewriter::replaceResults(Operation *op, Operation *now, ArrayRef<Value> memory) {
  builder.setInsertionPointAfter(now);
  unsigned next = 0;
  for (auto [result, kept] : llvm::zip(op->getResults(), memory))
    if (kept)
      replacePassed(result, kept);
    else
      result.replaceAllUsesWith(now->getResult(next++));
  for (Value result : op->getResults())
    shapes.forget(result);
  op->erase();
}

/// Writes what a terminator passes on, its operands from `first` on, to the memory it is expected in.
void SliceRewriter::passOn(Operation *terminator, unsigned first, ArrayRef<Value> memory) {
  builder.setInsertionPoint(terminator);
  location = terminator->getLoc();
  // A tile that is computed from memory that is written here goes somewhere else first, unless each of its slices is
  // computed from the slice it replaces.
  llvm::SmallDenseMap<Value, unsigned> numReaders; ///< operands that are computed from each memory
  SmallVector<llvm::SmallMapVector<Value, bool, 2>> reads(
      memory.size()); ///< memory, and whether slices keep their place
  for (auto [i, kept] : llvm::enumerate(memory)) {
    if (!kept)
      continue;
    auto tiles =
        demand.getReads(terminator->getOperand(first + i), [&](Value tile) { return memories.contains(tile); });
    for (auto [tile, inPlace] : tiles) {
      auto [read, isNew] = reads[i].insert({memories.lookup(tile), true});
      read->second &= inPlace;
      numReaders[read->first] += isNew;
    }
  }
  const llvm::SmallDenseSet<Value> written(memory.begin(), memory.end());
  auto mayCopyFirst = [&](unsigned i) {
    return llvm::all_of(reads[i], [&](auto &read) {
      return !written.contains(read.first) || (read.first == memory[i] && read.second && numReaders[read.first] == 1);
    });
  };
  SmallVector<Value> sources(memory.size());
  for (auto [i, kept] : llvm::enumerate(memory)) {
    Value tile = kept ? terminator->getOperand(first + i) : Value();
    if (!kept || memories.lookup(tile) == kept)
      continue;
    sources[i] = tile;
    if (mayCopyFirst(i))
      continue;
    Value elsewhere = allocate(tile);
    copy(tile, elsewhere);
    sources[i] = makePlaceholder(tile, elsewhere);
  }
  for (auto [kept, source] : llvm::zip(memory, sources))
    if (source)
      copy(source, kept);
  SmallVector<Value> passed;
  for (auto [i, operand] : llvm::enumerate(terminator->getOperands()))
    if (i < first || !memory[i - first])
      passed.push_back(operand);
  terminator->setOperands(passed);
}

static SmallVector<Value> dropKept(ValueRange values, ArrayRef<Value> memory) {
  SmallVector<Value> others;
  for (auto [value, kept] : llvm::zip(values, memory))
    if (!kept)
      others.push_back(value);
  return others;
}

static SmallVector<Type> dropKeptTypes(ValueRange values, ArrayRef<Value> memory) {
  return llvm::to_vector(llvm::map_range(dropKept(values, memory), [](Value value) { return value.getType(); }));
}

LogicalResult SliceRewriter::rewriteFor(scf::ForOp op) {
  SmallVector<Value> memory = keepAll(op.getInitArgs());
  for (auto [init, kept] : llvm::zip(op.getInitArgs(), memory))
    if (kept)
      copy(init, kept);
  auto now = scf::ForOp::create(builder, op.getLoc(), op.getLowerBound(), op.getUpperBound(), op.getStep(),
                                dropKept(op.getInitArgs(), memory), nullptr, op.getUnsignedCmp());
  now->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  now.getRegion().takeBody(op.getRegion());
  dropArguments(*now.getBody(), 1, memory);
  if (failed(rewriteBlock(*now.getBody())))
    return failure();
  passOn(now.getBody()->getTerminator(), 0, memory);
  replaceResults(op, now, memory);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops that run for each slice
//===----------------------------------------------------------------------===//

/// What a copy of `op` gives is cut as it is in `op`.
void SliceRewriter::copyShapes(Operation *op, const IRMapping &copies) {
  auto copyShape = [&](Value tile) {
    if (shapes.isSliced(tile))
      shapes.addCopy(tile, copies.lookup(tile));
  };
  op->walk([&](Operation *inner) {
    llvm::for_each(inner->getResults(), copyShape);
    for (Region &region : inner->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), copyShape);
  });
}

/// Nobody needs what works on cut tiles any more.
void SliceRewriter::eraseCut(Block &block) {
  SmallVector<Operation *> cut;
  for (Operation &op : block.without_terminator())
    if (shapes.isSliced(&op))
      cut.push_back(&op);
  for (Operation *op : llvm::reverse(cut)) {
    for (Value result : op->getResults()) {
      shapes.forget(result);
      known.erase(result);
    }
    op->erase();
  }
}

Value SliceRewriter::runLoop(scf::ForOp op, Indices indices) {
  SmallVector<Value> inits = llvm::map_to_vector(op.getInitArgs(), [&](Value init) { return getSlice(init, indices); });
  IRMapping copies;
  auto whole = cast<scf::ForOp>(builder.clone(*op, copies));
  copyShapes(op, copies);
  auto now = scf::ForOp::create(builder, location, op.getLowerBound(), op.getUpperBound(), op.getStep(), inits, nullptr,
                                op.getUnsignedCmp());
  now->setDiscardableAttrs(op->getDiscardableAttrDictionary());

  OpBuilder::InsertionGuard guard(builder);
  now.getBody()->clear();
  builder.setInsertionPointToStart(now.getBody());
  Value cut;
  for (auto [before, argument] : llvm::zip_equal(whole.getBody()->getArguments(), now.getBody()->getArguments())) {
    Value replacement = argument;
    if (shapes.isSliced(before)) {
      cut = replacement = ub::PoisonOp::create(builder, location, before.getType());
      shapes.addCopy(before, cut);
      known[cut].push_back({IndexList(indices), argument});
      shapes.forget(before);
    }
    before.replaceAllUsesWith(replacement);
  }
  now.getBody()->getOperations().splice(now.getBody()->end(), whole.getBody()->getOperations());
  for (Value result : whole.getResults())
    shapes.forget(result);
  whole.erase();

  Operation *yield = now.getBody()->getTerminator();
  builder.setInsertionPoint(yield);
  Value slice;
  for (auto [operand, result] : llvm::zip_equal(yield->getOpOperands(), now.getResults()))
    if (shapes.isSliced(operand.get())) {
      operand.set(getSlice(operand.get(), indices));
      slice = result;
    }
  eraseCut(*now.getBody());
  return slice;
}

LogicalResult SliceRewriter::rewriteIf(scf::IfOp op) {
  SmallVector<Value> memory = keepAll(op.getResults());
  auto now = scf::IfOp::create(builder, op.getLoc(), dropKeptTypes(op.getResults(), memory), op.getCondition(),
                               /*addThenBlock=*/false, /*addElseBlock=*/false);
  now->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [region, target] : llvm::zip(op->getRegions(), now->getRegions())) {
    target.takeBody(region);
    if (target.empty())
      continue;
    if (failed(rewriteBlock(target.front())))
      return failure();
    passOn(target.front().getTerminator(), 0, memory);
  }
  replaceResults(op, now, memory);
  return success();
}

LogicalResult SliceRewriter::rewriteWhile(scf::WhileOp op) {
  SmallVector<Value> before = keepAll(op.getInits()), after = keepAll(op.getResults());
  for (auto [init, kept] : llvm::zip(op.getInits(), before))
    if (kept)
      copy(init, kept);
  auto now = scf::WhileOp::create(builder, op.getLoc(), dropKeptTypes(op.getResults(), after),
                                  dropKept(op.getInits(), before));
  now->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  now.getBefore().takeBody(op.getBefore());
  now.getAfter().takeBody(op.getAfter());
  dropArguments(*now.getBeforeBody(), 0, before);
  dropArguments(*now.getAfterBody(), 0, after);
  if (failed(rewriteBlock(*now.getBeforeBody())))
    return failure();
  passOn(now.getConditionOp(), 1, after);
  if (failed(rewriteBlock(*now.getAfterBody())))
    return failure();
  passOn(now.getYieldOp(), 0, before);
  replaceResults(op, now, after);
  return success();
}

} // namespace tileiras::slicing
