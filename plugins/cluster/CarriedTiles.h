//===- CarriedTiles.h - Tiles that go through control flow -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a loop hands on from iteration to iteration, or a conditional gives, has one layout: that of its representative,
// the operation's result.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_CLUSTER_CARRIEDTILES_H
#define TILEIRAS_PLUGINS_CLUSTER_CARRIEDTILES_H

#include "mlir/IR/Value.h"

namespace tileiras::cluster {

/// The value that stands for all that has the layout of `tile`: itself, or the result of a loop of which it is an
/// argument.
mlir::Value getRepresentative(mlir::Value tile);
/// All values that `representative` stands for: what is used of it.
llvm::SmallVector<mlir::Value> getRepresented(mlir::Value representative);
/// The uses that give `representative` its value; none for results of ordinary operations.
llvm::SmallVector<mlir::OpOperand *> getSources(mlir::Value representative);
/// The representative of what gets its value from `use`; null where the use is an ordinary one.
mlir::Value getTargetOfUse(mlir::OpOperand &use);

} // namespace tileiras::cluster

#endif // TILEIRAS_PLUGINS_CLUSTER_CARRIEDTILES_H
