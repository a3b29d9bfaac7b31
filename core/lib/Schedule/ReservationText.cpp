//===- ReservationText.cpp - Reservation tables as text ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/ScheduleReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

using namespace tileiras;

namespace {

/// Rows [begin, end) of one unit, and who is there.
struct Occupation {
  uint64_t begin, end;
  unsigned unit;
  std::string operation;
};

} // namespace

static std::vector<Occupation> collectOccupations(const ScheduleProblem &problem, const Schedule &schedule) {
  const uint64_t interval = schedule.initiationInterval;
  std::vector<Occupation> result;
  for (auto [index, operation] : llvm::enumerate(problem.operations))
    for (const ResourceUse &use : operation.uses) {
      uint64_t cycle = uint64_t(schedule.starts[index]) + use.offset, left = use.duration;
      while (left != 0) { // one piece for each interval it reaches into
        const uint64_t row = cycle % interval, length = std::min(left, interval - row), stage = cycle / interval;
        result.push_back({row, row + length, use.unit,
                          stage == 0 ? operation.name : llvm::formatv("{0}-{1}", operation.name, stage).str()});
        // What comes round more than a few times is in every row.
        if (left > 8 * interval)
          left = left % interval + 8 * interval;
        cycle += length;
        left -= length;
      }
    }
  return result;
}

void tileiras::printReservationTable(const ScheduleProblem &problem, const Schedule &schedule, llvm::raw_ostream &os) {
  const std::vector<Occupation> occupations = collectOccupations(problem, schedule);
  std::set<uint64_t> borders = {0, schedule.initiationInterval};
  std::map<uint64_t, std::vector<unsigned>> coming, leaving; // by row
  for (auto [index, occupation] : llvm::enumerate(occupations)) {
    borders.insert({occupation.begin, occupation.end});
    coming[occupation.begin].push_back(index);
    leaving[occupation.end].push_back(index);
  }
  std::set<std::pair<unsigned, unsigned>> present; // unit and occupation
  for (auto it = borders.begin(); std::next(it) != borders.end(); ++it) {
    const uint64_t begin = *it, end = *std::next(it);
    for (unsigned index : leaving[begin])
      present.erase({occupations[index].unit, index});
    for (unsigned index : coming[begin])
      present.insert({occupations[index].unit, index});
    os << (end == begin + 1 ? llvm::formatv("{0}:", begin).str() : llvm::formatv("{0}..{1}:", begin, end - 1).str());
    std::optional<unsigned> last;
    for (const auto &[unit, index] : present) {
      os << (unit == last ? " " : (last ? "] " : " ") + problem.units[unit].name + " [")
         << occupations[index].operation;
      last = unit;
    }
    os << (last ? "]\n" : "\n");
  }
}
