//===- LateValues.h - What is computed where it is used ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_ANALYSIS_LATEVALUES_H
#define TILEIRAS_LIB_ANALYSIS_LATEVALUES_H

#include "tileiras/Analysis/RegisterPressure.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <memory>

namespace tileiras::as {

/// Elements of a tile that a thread holds; 1 of what is no tile of threads.
int64_t getCopies(mlir::Type type);

/// The registers of the result are those of the operand, perhaps repeated.
bool repeatsOperand(mlir::Operation *op);

/// Whose instructions go between those of elementwise operations: it neither waits nor moves anything.
bool isTransparent(mlir::Operation *op);

/// Finds the elementwise operations whose elements a compiler that is short of registers computes where they are used.
/// Valid as long as the program does not change. Each block is looked at once, in its order.
class LateValues {
public:
  /// The one user may compute the elements of `op`: what these are computed from is there anyway, or takes less until
  /// then, as floats of 16 bits do.
  bool isLate(mlir::Operation *op) const;

  /// Of a value, in one block.
  struct Uses {
    unsigned last = 0;  ///< the position of the last user in the block; 0 for none
    unsigned until = 0; ///< up to where registers hold it, or what it is computed from, anyway
  };

private:
  /// Of an operation, in its block.
  struct Place {
    unsigned position = 0; ///< from 1 on
    unsigned waits = 0;    ///< operations before it that wait for something, or move it
  };
  /// What a chain of operations starts from, once each; those that somebody needs later may count or not.
  struct Sources {
    llvm::SmallSetVector<mlir::Value, 4> values;
    bool areMany = false;
  };
  struct BlockFacts {
    llvm::DenseMap<mlir::Value, Uses> uses;
    llvm::DenseMap<mlir::Value, Sources> sources; ///< of the results of chains
  };

  const BlockFacts &getFacts(mlir::Block *block) const;
  void countUses(mlir::Block &block, BlockFacts &facts) const;
  static Sources findSources(mlir::ValueRange values, unsigned position, const BlockFacts &facts);
  bool isSmallerBefore(mlir::Operation *op, mlir::Operation *user, const BlockFacts &facts) const;

  mutable llvm::DenseMap<mlir::Block *, std::unique_ptr<BlockFacts>> blocks;
  mutable llvm::DenseMap<mlir::Operation *, Place> places;
};

} // namespace tileiras::as

#endif // TILEIRAS_LIB_ANALYSIS_LATEVALUES_H
