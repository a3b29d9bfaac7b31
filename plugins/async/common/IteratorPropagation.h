//===- IteratorPropagation.h - Iterators through control flow ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A producer or consumer has one iterator, which every stage moves on: `produce_one` and `consume_one` take the one
// before and give the next, in the order of the program. Where stages stand in `scf.for`, `scf.if`, `scf.while`, in
// agents or in the body of a `consume_one`, the iterator goes in and comes out again.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_ITERATORPROPAGATION_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_ITERATORPROPAGATION_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras::async {

/// Whether an iterator can be carried through `op`, from and to operations in its regions.
bool carriesIterators(mlir::Operation *op);

/// Carries iterators through a function.
class IteratorPropagation {
public:
  /// `stage` takes the iterator that begins as `begin`, its operand, the result of a `create_iterator` in a region
  /// around it. A `produce_one`, `consume_one` or `inc_iter` moves it on. All operations between them carry iterators,
  /// unless `begin` is in them.
  void addStage(mlir::Operation *stage, mlir::Value begin);

  /// Visits all stages under `region`, in the order of the program. Operations that have to carry an iterator are
  /// replaced by ones with more operands and results.
  void run(mlir::Region &region);

private:
  void visit(mlir::Operation *op);
  /// What replaces `op`, through which the iterators that began as `begins` go.
  mlir::Operation *carry(mlir::Operation *op, llvm::ArrayRef<mlir::Value> begins);
  /// They come in as new arguments.
  void enterBlock(mlir::Block &block, llvm::ArrayRef<mlir::Value> begins);

  llvm::SmallVector<mlir::Value> getCurrent(llvm::ArrayRef<mlir::Value> begins) const;
  void setCurrent(llvm::ArrayRef<mlir::Value> begins, mlir::ValueRange values);

  llvm::DenseMap<mlir::Operation *, mlir::Value> stages;
  /// The iterators that have to go through each operation around a stage.
  llvm::DenseMap<mlir::Operation *, llvm::SetVector<mlir::Value>> carried;
  /// Where each iterator stands; absent while it has not moved.
  llvm::DenseMap<mlir::Value, mlir::Value> current;
};

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_ITERATORPROPAGATION_H
