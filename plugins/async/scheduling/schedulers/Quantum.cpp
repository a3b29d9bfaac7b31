//===- Quantum.cpp - Coarser time for large problems ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantum.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras;
using namespace tileiras::async;

uint32_t Quantum::chooseCycles(const ScheduleProblem &problem, uint32_t threshold) {
  constexpr uint64_t largest = uint64_t(1) << 31;
  uint64_t entries = 0;
  for (const ScheduleOperation &operation : problem.operations)
    entries += 2 * operation.uses.size();
  if (threshold == 0 || entries <= threshold)
    return 1;
  return std::min(llvm::PowerOf2Ceil(llvm::divideCeil(entries, uint64_t(threshold))), largest);
}

/// From the quantum a use starts in to the one it ends in. Uses of a unit that follow each other in one quantum are one
/// use: else the operation would meet itself.
static llvm::SmallVector<ResourceUse, 2> roundUses(llvm::ArrayRef<ResourceUse> uses, uint64_t cycles) {
  struct Stretch {
    unsigned unit;
    uint64_t begin, end; // in cycles
    uint64_t getFirst(uint64_t cycles) const { return begin / cycles; }
    uint64_t getEnd(uint64_t cycles) const { return llvm::divideCeil(end, cycles); }
  };
  llvm::SmallVector<ResourceUse, 2> sorted(uses);
  llvm::stable_sort(sorted, [](const ResourceUse &a, const ResourceUse &b) { return a.offset < b.offset; });
  llvm::SmallVector<Stretch, 2> stretches;
  for (const ResourceUse &use : sorted) {
    const Stretch next{use.unit, use.offset, uint64_t(use.offset) + use.duration};
    auto before = llvm::find_if(stretches, [&](const Stretch &other) {
      return other.unit == next.unit && other.end <= next.begin && other.getEnd(cycles) > next.getFirst(cycles);
    });
    if (before == stretches.end())
      stretches.push_back(next);
    else
      before->end = next.end;
  }
  llvm::SmallVector<ResourceUse, 2> rounded;
  for (const Stretch &stretch : stretches) {
    const uint64_t first = stretch.getFirst(cycles);
    rounded.push_back({stretch.unit, uint32_t(first), uint32_t(stretch.getEnd(cycles) - first)});
  }
  return rounded;
}

Quantum::Quantum(const ScheduleProblem &problem, uint32_t cycles) : cycles(cycles), coarse(problem) {
  auto round = [&](uint32_t value) { return uint32_t(llvm::divideCeil(uint64_t(value), uint64_t(cycles))); };
  for (ScheduleOperation &operation : coarse.operations) {
    operation.latency = round(operation.latency);
    operation.uses = roundUses(operation.uses, cycles);
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
