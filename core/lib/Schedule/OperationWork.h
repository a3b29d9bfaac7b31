//===- OperationWork.h - What an operation makes a CTA do -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_SCHEDULE_OPERATIONWORK_H
#define TILEIRAS_LIB_SCHEDULE_OPERATIONWORK_H

#include "mlir/IR/Operation.h"
#include "tileiras/Target/Footprint.h"

namespace tileiras {

/// The works of `op` and of what is nested in it, one after the other. None for what costs nothing at run time:
/// constants, shapes, tokens, views. An operation nobody knows counts as integer arithmetic on its results.
llvm::SmallVector<WorkQuery> getOperationWork(mlir::Operation *op);

} // namespace tileiras

#endif // TILEIRAS_LIB_SCHEDULE_OPERATIONWORK_H
