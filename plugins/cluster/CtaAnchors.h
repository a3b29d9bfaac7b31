//===- CtaAnchors.h - Where layouts of clusters begin ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_CLUSTER_CTAANCHORS_H
#define TILEIRAS_PLUGINS_CLUSTER_CTAANCHORS_H

#include "CtaRelations.h"
#include "tileiras/Dialect/TileAA/TileAA.h"

namespace tileiras::cluster {

/// The operations that a plan begins with, the most important first: products in the order of the program; then what
/// writes tiles to memory, and what reads them, larger tiles first.
llvm::SmallVector<mlir::Operation *> collectAnchors(aa::FuncOp func, const CtaRelations &relations);

/// How an anchor is cut by the bits of the ranks of 2^`numBits` CTAs. A product is cut by its batch; else along the
/// longer of its rows and columns, by rows where both are as long, and while a part keeps the 64 rows of a warpgroup's
/// instruction. Anything else is cut along its first dimension, but rather along one that nobody combines.
aa::CtaLayout chooseOwn(mlir::Operation *anchor, const CtaRelations &relations, unsigned numBits);

} // namespace tileiras::cluster

#endif // TILEIRAS_PLUGINS_CLUSTER_CTAANCHORS_H
