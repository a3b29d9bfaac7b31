//===- LoadsInFlight.cpp - How much is on its way from memory -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Analysis/LoadsInFlight.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras {
namespace {

class LoadWalk {
public:
  LoadWalk(llvm::function_ref<int64_t(Operation *)> loadedBytes, llvm::function_ref<bool(Operation *)> forwards)
      : loadedBytes(loadedBytes), forwards(forwards) {}

  void visit(Block &block) {
    for (Operation &op : block) {
      if (forwards(&op)) {
        forward(&op);
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

  LoadsInFlight result;

private:
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
  llvm::DenseMap<Value, int64_t> issuedUpTo;
  int64_t complete = 0; ///< bytes
};

} // namespace

LoadsInFlight measureLoadsInFlight(Block &block, llvm::function_ref<int64_t(Operation *)> loadedBytes,
                                   llvm::function_ref<bool(Operation *)> forwards) {
  LoadWalk walk(loadedBytes, forwards);
  walk.visit(block);
  return walk.result;
}

std::string formatBytes(int64_t bytes) {
  return bytes % 1024 == 0 ? llvm::formatv("{0} KiB", bytes / 1024).str() : llvm::formatv("{0} bytes", bytes).str();
}

} // namespace tileiras
