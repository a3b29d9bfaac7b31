//===- ConsumerLoops.h - Loops that read pipelines ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_CONSUMERLOOPS_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_CONSUMERLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileiras::async {

/// Iterations between the first and the last stage of the schedule that is written to `loop`; 0 if there is none.
int64_t getNumStepsAhead(mlir::scf::ForOp loop);

/// Emits the operations of `loop` in the order of the schedule that is written to it, if there is one; where that is
/// not possible the loop stays, and the result says why. In a function that keeps its order all iterations are written
/// out, where it is known that they are few, and other loops stay.
std::string followSchedule(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_CONSUMERLOOPS_H
