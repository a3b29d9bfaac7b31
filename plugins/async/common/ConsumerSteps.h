//===- ConsumerSteps.h - Consumers in single steps --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_CONSUMERSTEPS_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_CONSUMERSTEPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Target/Atoms.h"

namespace tileiras::async {

/// The wait of a product that stands right behind it; null where there is none.
as::AsyncFutureWaitOp getWait(as::AsyncDotOp product);

/// The products that the body of `consume` itself starts.
llvm::SmallVector<as::AsyncDotOp> getProducts(as::ConsumeOneOp consume);

/// Takes the waits of `products` (not empty, in order) out of the body that they stand in, and gives the token of the
/// last one: those before it are complete when that is.
mlir::Value removeWaits(mlir::RewriterBase &rewriter, llvm::ArrayRef<as::AsyncDotOp> products);

/// Whether the body of `consume` does nothing but start products of the stage and wait for them, beside pure operations
/// that need neither stage nor products, or nothing but read the stage to registers: then openConsumer() can take it
/// apart. Else `reason` names what is in the way.
bool canOpenConsumer(as::ConsumeOneOp consume, std::string &reason);

/// Puts single steps in the place of `consume`, so that others can come between them: what the products read from
/// registers, a wait for the stage, the products (consumer_read), a wait for them, the release of the stage. Requires
/// canOpenConsumer(). `atoms` of the target; null if not known.
void openConsumer(mlir::RewriterBase &rewriter, as::ConsumeOneOp consume, const AtomCatalogue *atoms);

/// Whether `loop` is an scf.for whose own consumers are single steps.
bool hasOpenConsumers(mlir::Operation *loop);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_CONSUMERSTEPS_H
