//===- DeferredWaits.h - Products in flight across iterations ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_DEFERREDWAITS_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_DEFERREDWAITS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

namespace tileiras::async {

/// Whether the products in `consume`, which stands in the body of `loop`, only add to accumulators that go round the
/// loop: then nobody has to wait for them inside of it.
bool canDeferWaits(mlir::scf::ForOp loop, as::ConsumeOneOp consume);

/// Moves the loop into a branch that is taken if it has an iteration; results are those of the branch then, what goes
/// in where there is none. Nothing to do where that is known.
void guardLoop(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop);

/// Lets the products of `consume` go on over the back edge of `loop`: an iteration waits for those of the one before,
/// then releases the stage that they read; behind the loop all are waited for. The pipeline needs two stages at least.
/// A loop that may have no iteration is put into a branch. Returns the loop that takes the place of `loop`, with two
/// more iteration arguments.
mlir::scf::ForOp deferWaits(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop, as::ConsumeOneOp consume);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_DEFERREDWAITS_H
