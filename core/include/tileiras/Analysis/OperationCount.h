//===- OperationCount.h - Operations between two others ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_ANALYSIS_OPERATIONCOUNT_H
#define TILEIRAS_ANALYSIS_OPERATIONCOUNT_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace tileiras {

/// Counts something in stretches of blocks. Each block is gone through once, and not for every stretch: valid as long
/// as nothing in it changes.
class OperationCount {
public:
  /// `count`: what one operation has.
  explicit OperationCount(std::function<unsigned(mlir::Operation *)> count) : count(std::move(count)) {}

  /// Of the operations from `first` on, up to `end`, which does not count and comes after it in the same block.
  unsigned countFrom(mlir::Operation *first, mlir::Operation *end) const { return getBefore(end) - getBefore(first); }

private:
  unsigned getBefore(mlir::Operation *op) const {
    if (auto known = before.find(op); known != before.end())
      return known->second;
    unsigned current = 0;
    for (mlir::Operation &each : *op->getBlock()) {
      before[&each] = current;
      current += count(&each);
    }
    return before.lookup(op);
  }

  std::function<unsigned(mlir::Operation *)> count;
  mutable llvm::DenseMap<mlir::Operation *, unsigned> before; ///< in its block
};

} // namespace tileiras

#endif // TILEIRAS_ANALYSIS_OPERATIONCOUNT_H
