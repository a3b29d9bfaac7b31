//===- ArithmeticModes.cpp - Flushing and approximation for a whole program ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options `ftz` and `approx` are what the language says of single operations, said of all of them: the reference
// interpreter computes the same from the program with these attributes.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::cuda_tile;

static void flush(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<AddFOp, SubFOp, MulFOp, DivFOp, FmaOp, SqrtOp, RsqrtOp, Exp2Op, MaxFOp, MinFOp>(
          [](auto operation) { operation.setFlushToZero(true); });
}

/// A direction to round in is the program's own wish.
static void approximate(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<DivFOp, SqrtOp>([](auto operation) {
        if (operation.getRoundingMode() == RoundingMode::NEAREST_EVEN)
          operation.setRoundingMode(RoundingMode::APPROX);
      })
      .Case<ExpOp, TanHOp>([](auto operation) { operation.setRoundingMode(RoundingMode::APPROX); });
}

void cuda_tile_to_aa::setArithmeticModes(EntryOp entry, bool flushes, bool approximates) {
  if (!flushes && !approximates)
    return;
  entry.walk([&](Operation *op) {
    if (op->getNumResults() != 1 || !getElementTypeOrSelf(op->getResult(0).getType()).isF32())
      return;
    if (flushes)
      flush(op);
    if (approximates)
      approximate(op);
  });
}
