//===- LoadsToRegisters.h - Stages that are filled from registers -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_PIPELINING_LOADSTOREGISTERS_H
#define TILEIRAS_PLUGINS_ASYNC_PIPELINING_LOADSTOREGISTERS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

namespace tileiras::async {

/// Where no copies run by themselves, a tile takes two steps to its stage: it is loaded to registers, and stored from
/// there when it has come (CUTLASS's `MmaPipelined` does the same). Other work, as MMAs, stands between the two.

/// Loads of `produce` that can stand in front of it: nothing is ordered behind them, and what they need is there.
llvm::SmallVector<mlir::Operation *> findLoadsToRegisters(as::ProduceOneOp produce);

/// Moves these loads in front of `produce`, which then only stores what they have loaded.
void moveLoadsInFront(mlir::RewriterBase &rewriter, as::ProduceOneOp produce, llvm::ArrayRef<mlir::Operation *> loads);

/// Lets `load` load only where `predicate` is true, and be zero elsewhere.
mlir::scf::IfOp guardLoad(mlir::RewriterBase &rewriter, mlir::Operation *load, mlir::Value predicate);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_PIPELINING_LOADSTOREGISTERS_H
