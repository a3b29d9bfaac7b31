//===- FutureAccumulators.h - What will be in tensor memory -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Until `tileas-place-accumulators` all sums have types of registers. Who counts registers before asks here.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_ANALYSIS_FUTUREACCUMULATORS_H
#define TILEIRAS_ANALYSIS_FUTUREACCUMULATORS_H

#include "mlir/IR/Value.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Target/Atoms.h"
#include "llvm/ADT/DenseMap.h"

namespace tileiras::as {

/// The atom's sums are in tensor memory. False for names of no atom, and without `atoms`.
bool sumsInTensorMemory(const AtomCatalogue *atoms, AtomAttr atom);

/// The product's atom reads operand A in tensor memory, and it comes from registers. False without `atoms`.
bool takesOperandInTensorMemory(const AtomCatalogue *atoms, AsyncDotOp product);

class FutureAccumulators {
public:
  /// `atoms` of the target, which outlive this; null if not known.
  explicit FutureAccumulators(const AtomCatalogue *atoms) : atoms(atoms) {}

  /// A sum that nobody takes out of tensor memory: products add to it, loops and branches pass it on, and factors of
  /// its rows are multiplied into it where it is.
  bool isInTensorMemory(mlir::Value value);

private:
  bool isSum(mlir::Value value);
  bool findSum(mlir::Value value);
  bool isScaled(mlir::Operation *op);
  bool isAddedTo(mlir::OpOperand &use) const;
  bool staysThere(mlir::OpOperand &use);

  const AtomCatalogue *atoms;
  llvm::DenseMap<mlir::Value, bool> sums;
};

} // namespace tileiras::as

#endif // TILEIRAS_ANALYSIS_FUTUREACCUMULATORS_H
