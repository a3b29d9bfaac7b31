//===- DualSimt.h - One compute agent or two --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_AGENTS_DUALSIMT_H
#define TILEIRAS_PLUGINS_ASYNC_AGENTS_DUALSIMT_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"

namespace tileiras::async {

/// Whether two compute agents would both be busy, and the figures of the loop with most work that say so.
struct DualSimtChoice {
  int64_t stages = 0;     ///< of its shallowest pipeline
  int64_t work = 0;       ///< products in all its iterations
  int64_t iterations = 1; ///< that are known, else 1

  /// stages > (work / iterations) * 0.6, with the quotient rounded down: stages are there faster than one agent uses
  /// them up.
  bool isDual() const { return double(stages) > double(work / std::max<int64_t>(iterations, 1)) * 0.6; }
};

/// Nothing where no scheduled loop of `function` has both products and pipelines.
std::optional<DualSimtChoice> chooseDualSimt(mlir::FunctionOpInterface function, const ScheduleAnalysis &schedules);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_AGENTS_DUALSIMT_H
