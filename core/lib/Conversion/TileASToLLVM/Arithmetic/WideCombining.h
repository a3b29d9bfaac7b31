//===- WideCombining.h - More than two elements at a time -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_WIDECOMBINING_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_WIDECOMBINING_H

#include "Conversion/TileASToLLVM/Patterns.h"

namespace tileiras {

/// An element of a tile, and the register of the tile that it was in.
struct RegisterElement {
  unsigned reg;
  mlir::Value value;
};

/// Combines f32 elements that a thread has, in an order of its own, by instructions that take more than two of them:
/// sums and products of packed pairs, extrema of three.
class WideCombiner {
public:
  /// Null if the chip has no such instruction for `op`, which combines two elements.
  static std::optional<WideCombiner> find(Emitter &emit, const LoweringContext &lowering, mlir::Operation *op);

  /// What the elements of each group combine to. All have as many, a power of two.
  llvm::SmallVector<mlir::Value> combine(llvm::SmallVector<llvm::SmallVector<RegisterElement>> groups);

private:
  WideCombiner(Emitter &emit, const LoweringContext &lowering, std::string opcode, bool takesThree)
      : emit(emit), lowering(lowering), opcode(std::move(opcode)), takesThree(takesThree) {}

  mlir::Value combineThrees(llvm::ArrayRef<RegisterElement> group);
  llvm::SmallVector<mlir::Value> combinePairs(llvm::ArrayRef<llvm::SmallVector<RegisterElement>> groups);

  Emitter &emit;
  const LoweringContext &lowering;
  std::string opcode; ///< without the type
  bool takesThree;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_WIDECOMBINING_H
