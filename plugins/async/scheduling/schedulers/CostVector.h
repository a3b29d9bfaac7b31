//===- CostVector.h - Which of two schedules is better ------- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_COSTVECTOR_H
#define TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_COSTVECTOR_H

#include "DependenceGraph.h"
#include "tileiras/Schedule/Schedule.h"

namespace tileiras::async {

/// Compared member by member; none is weighed against another. Intervals are compared before.
struct CostVector {
  uint64_t illegal = 0;    ///< 1: hard constraints or resources are violated
  uint64_t reach = 0;      ///< stages: how far iterations reach into each other
  uint64_t pressure = 0;   ///< registers alive at the fullest row, and the surcharge for spills
  uint64_t inversions = 0; ///< pairs of operations that start in reverse of program order

  auto operator<=>(const CostVector &) const = default;
};

CostVector computeCost(const ScheduleProblem &problem, const DependenceGraph &graph, const Schedule &schedule);

/// Registers of a thread alive at once in the fullest row of the steady state. A value is alive from its start to the
/// last start of what reads it.
uint64_t computePressure(const ScheduleProblem &problem, const DependenceGraph &graph, const Schedule &schedule);

/// What values above the budget cost; 0 without a budget.
uint64_t computeSpillSurcharge(uint64_t pressure, uint64_t budget);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_COSTVECTOR_H
