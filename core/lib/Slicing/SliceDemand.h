//===- SliceDemand.h - Who needs slices of which tile -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tiles are kept in memory. The others are computed slice by slice in the loops of those who need them: the
// operations with an effect, those whose results are kept, those with a result that is not cut, and control flow.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_SLICING_SLICEDEMAND_H
#define TILEIRAS_LIB_SLICING_SLICEDEMAND_H

#include "SliceShapes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Analysis/OperationCount.h"
#include "tileiras/Target/TuningModel.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tileiras::slicing {

using aa::SliceKind;
/// What the operation says, as far as it can be done with the slices that its tiles have.
SliceKind classify(mlir::Operation *op, const SliceShapes &shapes);

/// The token result of `op` if others are ordered after it, else null.
mlir::Value getUsedToken(mlir::Operation *op);

/// What becomes of cut tiles that go round loops.
enum class CarriedTiles {
  KeepInMemory,
  RunForEachSlice, ///< the loop runs anew for each slice; only where `keepsNothing` then
};

class SliceDemand {
public:
  SliceDemand(mlir::Operation *func, const SliceShapes &shapes, CarriedTiles loops, const TuningModel &tuning);

  /// The results of `op` are kept in memory.
  bool isKept(mlir::Operation *op) const { return kept.contains(op); }
  /// The loop runs anew for each slice of the only cut tile that it carries, in the loop of the one that needs them:
  /// each slice goes round by itself, and what else the loop does may be done again.
  bool runsForEachSlice(mlir::scf::ForOp loop) const { return repeated.contains(loop); }
  /// Some loop does, and no tile is kept in memory: the demand can be met.
  bool keepsNothing() const { return !repeated.empty() && kept.empty() && !passesTiles; }
  /// The loop-carried tile that `result` replaces, if it may be computed right into the memory of it.
  mlir::BlockArgument getReplaced(mlir::Value result) const { return replaced.lookup(result); }

  /// The tiles in memory (as far as `isInMemory` says) whose slices a slice of `tile` is computed from, with whether it
  /// is the same slice each time.
  llvm::MapVector<mlir::Value, bool> getReads(mlir::Value tile, llvm::function_ref<bool(mlir::Value)> isInMemory) const;

private:
  struct Demand {
    llvm::SmallPtrSet<mlir::Operation *, 2> users; ///< in whose loops slices are needed
    bool isRepeated = false;                       ///< a slice is needed more than once
  };

  int64_t getOwnCost(mlir::Operation *op) const;
  void countCost(mlir::Operation *op);
  void visit(mlir::Operation *op);
  bool shouldKeep(mlir::Operation *op, const Demand &demand) const;
  bool runsLoop(mlir::Operation *op) const;
  bool repeats(mlir::OpOperand &operand) const;
  void findReplaced(mlir::scf::ForOp loop);
  bool isLastReader(mlir::Operation *op, mlir::BlockArgument carried) const;
  bool isInMemory(mlir::Value tile) const;
  bool mayRunForEachSlice(mlir::scf::ForOp loop) const;
  bool mayMoveInit(mlir::Value init, mlir::Operation *user) const;
  bool mayMoveLoads(mlir::Operation *place, mlir::Operation *user) const;
  bool mayMoveTo(mlir::Operation *load, mlir::Operation *user) const;

  const SliceShapes &shapes;
  const CarriedTiles loops;
  const TuningModel &tuning;
  const OperationCount obstacles;             ///< to weak loads that might run later
  llvm::DenseMap<mlir::Value, int64_t> costs; ///< of a slice, from what is kept
  llvm::DenseMap<mlir::Value, Demand> demands;
  llvm::DenseSet<mlir::Operation *> kept;
  llvm::DenseMap<mlir::Value, mlir::BlockArgument> replaced;
  llvm::DenseSet<mlir::Operation *> repeated;
  bool passesTiles = false; ///< control flow does, in memory
};

} // namespace tileiras::slicing

#endif // TILEIRAS_LIB_SLICING_SLICEDEMAND_H
