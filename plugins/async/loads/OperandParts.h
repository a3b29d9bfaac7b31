//===- OperandParts.h - Parts of an MMA's operands --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_LOADS_OPERANDPARTS_H
#define TILEIRAS_PLUGINS_ASYNC_LOADS_OPERANDPARTS_H

#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace tileiras::async {
inline namespace loads {

/// Neither changes memory nor makes threads meet: reads may be put off to after it.
bool isInvisible(mlir::Operation &op);

/// An operand of MMAs that can be had in parts along K: what of it is read from shared memory, the elementwise
/// operations on that, and tiles in registers that are cut.
class OperandParts {
public:
  /// `products`: in one block, which take the operand, `last` the last of them; parts are to be made there, `extent`
  /// elements of dimension `dim` each. Nothing where that cannot be done, or where nothing is read that could be moved.
  static std::optional<OperandParts> find(mlir::Value operand, unsigned dim, int64_t extent, mlir::Operation *last,
                                          const llvm::SmallPtrSetImpl<mlir::Operation *> &products);

  /// Copies from shared memory, which are no longer needed after all parts have been made.
  llvm::ArrayRef<as::CopyOp> getLoads() const { return loads.getArrayRef(); }
  /// Reads part number `part` of each of getLoads(), from the memory that `mapping` says.
  llvm::SmallVector<mlir::Value> load(mlir::OpBuilder &builder, int64_t part,
                                      const mlir::IRMapping &mapping = {}) const;
  /// The types of what load() reads.
  llvm::SmallVector<mlir::Type> getLoadTypes() const;
  /// Part number `part` of the operand, of what has been loaded for it.
  mlir::Value make(mlir::OpBuilder &builder, int64_t part, mlir::ValueRange loaded) const;

private:
  OperandParts(mlir::Value operand, unsigned dim, int64_t extent) : operand(operand), dim(dim), extent(extent) {}

  bool collect(mlir::Value tile, mlir::Operation *last, const llvm::SmallPtrSetImpl<mlir::Operation *> &users);
  bool canExtract(mlir::Value tile) const;
  mlir::RankedTensorType getPartType(mlir::Value tile) const;
  mlir::Value make(mlir::OpBuilder &builder, mlir::Value tile, int64_t part, mlir::ValueRange loaded) const;

  mlir::Value operand;
  unsigned dim;
  int64_t extent;
  llvm::SetVector<as::CopyOp> loads;
  llvm::SmallPtrSet<mlir::Operation *, 4> elementwise;
};

} // namespace loads
} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_LOADS_OPERANDPARTS_H
