//===- DeadArguments.h - Arguments that nothing uses ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_DEADARGUMENTS_H
#define TILEIRAS_PLUGINS_LAYOUT_DEADARGUMENTS_H

#include "mlir/IR/Operation.h"

namespace tileiras::layout {

/// Removes arguments of region-branch operations in `root` that nothing uses, with their incoming operands and results.
void removeDeadArguments(mlir::Operation *root);

} // namespace tileiras::layout

#endif // TILEIRAS_PLUGINS_LAYOUT_DEADARGUMENTS_H
