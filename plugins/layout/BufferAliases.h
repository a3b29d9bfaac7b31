//===- BufferAliases.h - Which memory a value is ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_BUFFERALIASES_H
#define TILEIRAS_PLUGINS_LAYOUT_BUFFERALIASES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseSet.h"

namespace tileiras::layout {

/// A tile in memory under another name. Base, place and type together say where its elements are: two aliases of one
/// type in one place of one base are the same.
struct BufferAlias {
  mlir::Value base; ///< an allocation, or what a pipeline calls a stage
  llvm::SmallVector<mlir::Operation *> views =
      {};             ///< from the base to the value: they rename elements, or begin elsewhere
  int64_t offset = 0; ///< elements from the base to the value, `positions` come to them
  llvm::SmallVector<mlir::Value> positions = {};

  bool isSamePlace(const BufferAlias &other) const {
    return base == other.base && offset == other.offset && positions == other.positions;
  }
  /// Elements from the base to the value.
  mlir::Value createPosition(mlir::OpBuilder &builder, mlir::Location location) const;
  /// The value made anew from its base.
  mlir::Value rebuild(mlir::OpBuilder &builder) const;
};

/// Where a tile is that is one of two in one allocation.
mlir::FailureOr<BufferAlias> selectPlace(mlir::OpBuilder &builder, mlir::arith::SelectOp select);

/// Follows a tile in memory through views, selections and control flow to its base. Fails, with a diagnostic, where it
/// has none, or several.
class BufferTracer {
public:
  mlir::FailureOr<BufferAlias> trace(mlir::Value value);

private:
  mlir::FailureOr<BufferAlias> follow(mlir::Value value);
  mlir::FailureOr<BufferAlias> followMerge(mlir::Operation *merge, mlir::ValueRange sides);
  mlir::FailureOr<BufferAlias> followRegion(mlir::Operation *op, mlir::Value value);

  llvm::DenseSet<mlir::Value> underway; ///< round a loop
};

} // namespace tileiras::layout

#endif // TILEIRAS_PLUGINS_LAYOUT_BUFFERALIASES_H
