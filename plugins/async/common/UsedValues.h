//===- UsedValues.h - What an operation needs -------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_USEDVALUES_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_USEDVALUES_H

#include "mlir/Transforms/RegionUtils.h"

namespace tileiras::async {

/// Operands of `op`, and values from outside that its regions use, each once.
inline llvm::SetVector<mlir::Value> getUsedValues(mlir::Operation *op) {
  llvm::SetVector<mlir::Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  used.insert(op->operand_begin(), op->operand_end());
  return used;
}

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_USEDVALUES_H
