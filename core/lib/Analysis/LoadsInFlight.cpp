//===- LoadsInFlight.cpp - How much is on its way from memory -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Analysis/LoadsInFlight.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras {
namespace {

class LoadWalk {
public:
  LoadWalk(llvm::function_ref<int64_t(Operation *)> loadedBytes, llvm::function_ref<bool(Operation *)> forwards)
      : loadedBytes(loadedBytes), forwards(forwards) {}

  /// What iterations before have loaded and this one, or one after it, uses: the oldest is the first to be complete.
  void enter(Block &body) {
    auto loop = dyn_cast<scf::ForOp>(body.getParentOp());
    if (!loop)
      return;
    llvm::MapVector<Value, Carried> carried;
    for (BlockArgument argument : loop.getRegionIterArgs())
      carried[argument] = trace(loop, argument);
    SmallVector<std::pair<Value, Carried>> ordered = llvm::to_vector(carried);
    llvm::stable_sort(ordered, [](auto &lhs, auto &rhs) { return lhs.second.age > rhs.second.age; });
    for (auto &[argument, from] : ordered)
      if (from.bytes != 0)
        issuedUpTo[argument] = result.total += from.bytes;
    result.most = before = result.total;
  }

  void visit(Block &block) {
    for (Operation &op : block) {
      if (forwards(&op)) {
        forward(&op);
        continue;
      }
      if (isa<scf::YieldOp>(op)) {
        if (auto branch = dyn_cast<scf::IfOp>(op.getParentOp()))
          handOn(op.getOperands(), branch.getResults());
        continue;
      }
      waitFor(&op);
      if (int64_t bytes = loadedBytes(&op))
        issue(&op, bytes);
      if (!isa<LoopLikeOpInterface>(op))
        for (Region &region : op.getRegions())
          for (Block &inner : region)
            visit(inner);
    }
  }

  LoadsInFlight getResult() const { return {result.most, result.total - before}; }

private:
  /// A loop-carried value: what was loaded for it, and in which iteration before this one.
  struct Carried {
    int64_t bytes = 0, age = 0;
  };

  Carried trace(scf::ForOp loop, BlockArgument argument) {
    Carried from;
    Value value = argument;
    // Arguments that are handed round in a circle are no loads.
    while (from.age < loop.getNumRegionIterArgs() && llvm::is_contained(loop.getRegionIterArgs(), value)) {
      value = loop.getTiedLoopYieldedValue(cast<BlockArgument>(value))->get();
      ++from.age;
    }
    while (Operation *op = value.getDefiningOp()) {
      if (auto branch = dyn_cast<scf::IfOp>(op))
        value = branch.thenYield()->getOperand(cast<OpResult>(value).getResultNumber());
      else if (forwards(op))
        value = op->getOperand(0);
      else
        break;
    }
    if (Operation *op = value.getDefiningOp(); op && loop->isProperAncestor(op))
      from.bytes = loadedBytes(op);
    return from;
  }

  /// The later of what either branch gives.
  void handOn(ValueRange values, ValueRange results) {
    for (auto [value, result] : llvm::zip_equal(values, results))
      issuedUpTo[result] = std::max(issuedUpTo[result], getIssuedUpTo(value));
  }

  /// What has been issued up to the load that gives `value`, that one included; 0 if none does.
  int64_t getIssuedUpTo(Value value) const { return issuedUpTo.lookup(value); }

  void issue(Operation *op, int64_t bytes) {
    result.total += bytes;
    result.most = std::max(result.most, result.total - complete);
    for (Value value : op->getResults())
      issuedUpTo[value] = result.total;
  }

  void forward(Operation *op) {
    int64_t issued = 0;
    for (Value operand : op->getOperands())
      issued = std::max(issued, getIssuedUpTo(operand));
    for (Value value : op->getResults())
      issuedUpTo[value] = issued;
  }

  /// Loads complete in the order in which they were issued: memory is equally far away for all of them. A loop waits
  /// for what its body uses.
  void waitFor(Operation *op) {
    auto complete = [&](Operation *user) {
      for (Value operand : user->getOperands())
        this->complete = std::max(this->complete, getIssuedUpTo(operand));
    };
    if (isa<LoopLikeOpInterface>(op))
      op->walk(complete);
    else
      complete(op);
  }

  llvm::function_ref<int64_t(Operation *)> loadedBytes;
  llvm::function_ref<bool(Operation *)> forwards;
  LoadsInFlight result;
  int64_t before = 0; ///< bytes that iterations before have loaded
  llvm::DenseMap<Value, int64_t> issuedUpTo;
  int64_t complete = 0; ///< bytes
};

} // namespace

LoadsInFlight measureLoadsInFlight(Block &block, llvm::function_ref<int64_t(Operation *)> loadedBytes,
                                   llvm::function_ref<bool(Operation *)> forwards) {
  LoadWalk walk(loadedBytes, forwards);
  walk.enter(block);
  walk.visit(block);
  return walk.getResult();
}

int64_t getBytesInMemory(Type type) {
  const Type element = getElementTypeOrSelf(type);
  const int64_t bits = element.isIntOrFloat() ? std::max(8u, element.getIntOrFloatBitWidth()) : 64;
  auto tile = dyn_cast<ShapedType>(type);
  return llvm::divideCeil((tile ? tile.getNumElements() : 1) * bits, 8);
}

std::string formatBytes(int64_t bytes) {
  return bytes % 1024 == 0 ? llvm::formatv("{0} KiB", bytes / 1024).str() : llvm::formatv("{0} bytes", bytes).str();
}

} // namespace tileiras
