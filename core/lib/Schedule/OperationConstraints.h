//===- OperationConstraints.h - What a program asks of schedules -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_SCHEDULE_OPERATIONCONSTRAINTS_H
#define TILEIRAS_LIB_SCHEDULE_OPERATIONCONSTRAINTS_H

#include "mlir/IR/Operation.h"
#include "tileiras/Schedule/Problem.h"

namespace tileiras {

/// What the attributes `tileas.schedule.constraint.*` and `tileas.*` of `op` ask for. Numbers that are missing are 0,
/// but for `max_depth`, which is missing then. Fails, with a diagnostic, where one has the wrong type or is negative.
mlir::FailureOr<ScheduleConstraints> readConstraints(mlir::Operation *op);

} // namespace tileiras

#endif // TILEIRAS_LIB_SCHEDULE_OPERATIONCONSTRAINTS_H
