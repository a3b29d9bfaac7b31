//===- CtaSlots.h - Tiles that go through control flow ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a loop hands on from iteration to iteration, or a conditional gives, has one layout: that of its slot.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_CLUSTER_CTASLOTS_H
#define TILEIRAS_PLUGINS_CLUSTER_CTASLOTS_H

#include "mlir/IR/Value.h"

namespace tileiras::cluster {

/// The value that stands for all that has the layout of `tile`: itself, or the result of a loop of which it is an
/// argument.
mlir::Value getSlot(mlir::Value tile);
/// All values of a slot: what is used of it.
llvm::SmallVector<mlir::Value> getValuesOfSlot(mlir::Value slot);
/// The uses that give a slot its value; none for results of ordinary operations.
llvm::SmallVector<mlir::OpOperand *> getSourcesOfSlot(mlir::Value slot);
/// The slot that gets its value from `use`; null where the use is an ordinary one.
mlir::Value getTargetOfUse(mlir::OpOperand &use);

} // namespace tileiras::cluster

#endif // TILEIRAS_PLUGINS_CLUSTER_CTASLOTS_H
