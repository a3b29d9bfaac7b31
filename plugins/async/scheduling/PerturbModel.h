//===- PerturbModel.h - Wrong figures on purpose ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SCHEDULING_PERTURBMODEL_H
#define TILEIRAS_PLUGINS_ASYNC_SCHEDULING_PERTURBMODEL_H

#include "tileiras/Schedule/Problem.h"

namespace tileiras::async {

/// Makes every figure that the machine model has given to `problem` (the latency of a kind of operation, how long it
/// keeps units busy) twice or half of what it was, as `seed` says, with cycles half as long. Code may become slower by
/// that, never wrong.
void perturbFigures(ScheduleProblem &problem, uint32_t seed);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SCHEDULING_PERTURBMODEL_H
