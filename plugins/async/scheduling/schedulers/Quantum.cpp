//===- Quantum.cpp - Coarser time for large problems ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantum.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras;
using namespace tileiras::async;

Quantum::Quantum(const ScheduleProblem &problem, uint32_t threshold) {
  uint64_t entries = 0;
  for (const ScheduleOperation &operation : problem.operations)
    entries += 2 * operation.uses.size();
  if (threshold == 0 || entries <= threshold)
    return;
  cycles = std::min<uint64_t>(llvm::divideCeil(entries, uint64_t(threshold)), UINT32_MAX);
  auto round = [&](uint32_t value) { return uint32_t(llvm::divideCeil(uint64_t(value), uint64_t(cycles))); };
  coarse = problem;
  for (ScheduleOperation &operation : coarse.operations) {
    operation.latency = round(operation.latency);
    for (ResourceUse &use : operation.uses) {
      // From the quantum it starts in to the one it ends in.
      const uint64_t end = llvm::divideCeil(uint64_t(use.offset) + use.duration, uint64_t(cycles));
      use.offset /= cycles;
      use.duration = end - use.offset;
    }
  }
  for (ScheduleDependence &edge : coarse.dependences)
    edge.latency = round(edge.latency);
}

std::optional<Schedule> Quantum::toCycles(std::optional<Schedule> schedule) const {
  auto scale = [&](uint32_t &value) {
    const uint64_t scaled = uint64_t(value) * cycles;
    value = scaled;
    return scaled <= UINT32_MAX;
  };
  if (!schedule || !scale(schedule->initiationInterval))
    return std::nullopt;
  for (uint32_t &start : schedule->starts)
    if (!scale(start))
      return std::nullopt;
  return schedule;
}
