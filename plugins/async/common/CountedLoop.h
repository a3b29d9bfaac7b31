//===- CountedLoop.h - Loops that count from zero ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_COUNTEDLOOP_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_COUNTEDLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileiras::async {

/// Whether `lb + k * step` and `ub - k * step` cannot wrap for 0 <= k <= `ahead` in any iteration of `loop`: then its
/// bounds can be compared with iterations that are that far ahead. Bounds that are compared as unsigned never can.
bool canCompareAhead(mlir::scf::ForOp loop, int64_t ahead);

/// Makes the induction variable of `loop` count iterations from 0 by 1 in 64 bits; what the body sees is computed from
/// it in the old type. The loop has as many iterations as before, whatever its bounds are.
void countFromZero(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_COUNTEDLOOP_H
