//===- PendingProducts.h - Products that may be under way -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_PENDINGPRODUCTS_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_PENDINGPRODUCTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras {

/// Products in tensor memory are started by `op`, or in its regions.
bool startsProducts(mlir::Operation *op);

/// Which products in tensor memory may be under way at operations: those that have been started, and for which nobody
/// has waited since. So may a `commit_products` be: it signals its stage's barrier after what was started before, and
/// who waits for a later product waits for it, too.
class PendingProducts {
public:
  struct Products : llvm::SmallSetVector<mlir::Operation *, 8> {
    bool merge(const Products &others);
  };

  /// Waits are `wait_products` and those for the product's accumulator; not the latter, by which each group knows but
  /// of its own products, with `ofAllGroups`.
  PendingProducts(mlir::Operation *function, bool ofAllGroups, llvm::ArrayRef<mlir::Operation *> asked);

  /// Before `op`, which was asked about.
  const Products &getBefore(mlir::Operation *op) const { return before.find(op)->second; }

private:
  Products visit(mlir::Region &region, Products pending);
  Products visit(mlir::Operation *op, Products pending);

  bool ofAllGroups;
  llvm::DenseMap<mlir::Operation *, Products> before;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_PENDINGPRODUCTS_H
