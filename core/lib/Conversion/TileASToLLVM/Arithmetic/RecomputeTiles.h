//===- RecomputeTiles.h - Wide tiles that are computed twice ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_RECOMPUTETILES_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_RECOMPUTETILES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Target/TuningModel.h"
#include "llvm/ADT/MapVector.h"

namespace tileiras {

/// On an extension of a tile whose elements have been extended before: compilers are not to find that out.
inline constexpr llvm::StringLiteral kRecomputedAttr = as::TileASDialect::RecomputedAttrHelper::getNameStr();

/// Tiles that stay in registers while a reduction runs, and are computed again after it from what was loaded: floats
/// of 16 bits, two of which share a register. Only a few additions and multiplications are done twice, which give what
/// they gave before, bit by bit.
class RecomputedTiles {
public:
  /// Changes the function where that takes fewer registers.
  RecomputedTiles(mlir::LLVM::LLVMFuncOp kernel, const TuningModel &tuning);

  bool empty() const { return copies.empty(); }
  /// Makes the function what it was.
  void undo();

private:
  class BlockWalk;
  void visit(mlir::Operation &op);
  mlir::Value copy(mlir::Value value, mlir::Operation *&position, llvm::DenseMap<mlir::Value, mlir::Value> &copied);

  const TuningModel &tuning;
  llvm::SmallVector<mlir::Operation *> copies;                       ///< each behind those that it uses
  llvm::SmallVector<std::pair<mlir::OpOperand *, mlir::Value>> uses; ///< and what they were of
};

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_RECOMPUTETILES_H
