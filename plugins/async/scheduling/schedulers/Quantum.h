//===- Quantum.h - Coarser time for large problems ----------- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_QUANTUM_H
#define TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_QUANTUM_H

#include "tileiras/Schedule/Schedule.h"

namespace tileiras::async {

/// Cycles are counted in units of ⌈table size ÷ threshold⌉, rounded up to a power of two, when the reservation table is
/// larger than the threshold: durations, latencies and II become multiples of it, rounded up. The size of the table is
/// the number of entries it may have: two for each use of a unit. Of two powers of two each schedule in the larger is
/// one in the smaller.
class Quantum {
public:
  /// 1: cycles as they are. A threshold of 0 is no threshold.
  static uint32_t chooseCycles(const ScheduleProblem &problem, uint32_t threshold);

  Quantum(const ScheduleProblem &problem, uint32_t cycles);

  /// The problem in quanta. What is right for it is right in cycles.
  const ScheduleProblem &getProblem() const { return coarse; }
  /// nullopt where there is no schedule, or numbers are larger than a schedule can say.
  std::optional<Schedule> toCycles(std::optional<Schedule> schedule) const;

private:
  uint32_t cycles;
  ScheduleProblem coarse;
};

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_QUANTUM_H
