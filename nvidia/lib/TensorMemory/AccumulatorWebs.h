//===- AccumulatorWebs.h - Values that are one accumulator ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product changes its accumulator in place. The program has values instead: what goes in and what comes out of
// products, waits, loops and branches. A web is a set of such values of which no two are needed at the same time, so
// that they can be one place.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORWEBS_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORWEBS_H

#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras {

class AccumulatorWebs {
public:
  struct Web {
    mlir::RankedTensorType type;
    llvm::SmallVector<mlir::Value> values;
    llvm::SmallVector<mlir::OpOperand *> entries;    ///< operands through which it gets another value
    llvm::SmallVector<mlir::Operation *> operations; ///< while which it is in use, nested ones included
  };

  /// `inRegisters`: results of loops and branches that carry no accumulators.
  AccumulatorWebs(mlir::Operation *function, llvm::ArrayRef<as::AsyncDotOp> products,
                  llvm::ArrayRef<mlir::OpResult> inRegisters);

  llvm::ArrayRef<Web> getWebs() const { return webs; }
  llvm::ArrayRef<mlir::Value> getValues() const { return values.getArrayRef(); }
  bool contains(mlir::Value value) const { return values.contains(value); }
  /// The place of the web that has `value` among getWebs().
  unsigned getNumber(mlir::Value value) const { return numbers.lookup(value); }
  /// The use takes the value over without moving it: the value behind it is of the same web.
  bool isPassedOn(mlir::OpOperand &use) const;
  /// What `value` is multiplied by to be `tile`, element by element, if that is all that `value` is used for; null if
  /// it is not.
  static mlir::Value findScale(mlir::Value value, mlir::Value tile);
  /// Entries that are a value of the web, multiplied by something where it is, and those values.
  llvm::MapVector<mlir::OpOperand *, mlir::Value> findScaledEntries() const;
  /// The value of the web that the use becomes, in its place or moved there; null if it becomes none.
  mlir::Value getNext(mlir::OpOperand &use) const;

  /// Values that are scaled and those that are added to them then are of webs of their own, which live shorter. False
  /// if they are already.
  bool separateScaled();
  /// Loops and branches no longer carry the accumulator of the last web that they carry; the webs are other ones then.
  /// False if they carry none.
  bool keepInRegisters();

private:
  void collect();
  void join();
  bool grow(mlir::Operation *op);
  /// The use as which `value`, multiplied by something, becomes another one; null if it does not.
  mlir::OpOperand *findScaledEntry(mlir::Value value) const;
  bool startsProduct(mlir::Value value) const;
  void findShortLived();
  bool findConflicts();
  bool isTaken(mlir::Value value) const;
  bool separateScaled(llvm::ArrayRef<mlir::Value> all);
  bool separateOld(llvm::ArrayRef<mlir::Value> all);

  mlir::Operation *function;
  llvm::SmallPtrSet<mlir::Operation *, 8> products;
  llvm::SetVector<mlir::Value> values;
  llvm::DenseSet<mlir::Value> excluded; ///< results of loops and branches that stay in registers
  llvm::DenseSet<mlir::Value> apart;    ///< values that are not passed on but copied
  llvm::DenseSet<mlir::Value> copied;   ///< values that are not scaled in place
  llvm::SmallVector<Web> webs;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORWEBS_H
