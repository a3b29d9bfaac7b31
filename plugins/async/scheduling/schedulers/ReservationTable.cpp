//===- ReservationTable.cpp - Who uses which unit when -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReservationTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace tileiras;
using namespace tileiras::async;

ReservationTable::ReservationTable(const ScheduleProblem &problem, int64_t interval, WorkBudget &budget)
    : interval(interval), budget(&budget), units(problem.units.size()) {
  for (const ExecutionUnit &unit : problem.units)
    capacities.push_back(std::min<uint32_t>(unit.capacity, INT32_MAX));
  for (const ScheduleOperation &operation : problem.operations) {
    footprints.push_back(makeFootprint(operation));
    for (const Segment &segment : footprints.back())
      possible &= segment.users <= capacities[segment.unit];
  }
  for (Rows &rows : units)
    rows = {{0, 0}};
}

/// A use that is longer than the interval is in every row, and in some once more.
std::vector<ReservationTable::Segment> ReservationTable::makeFootprint(const ScheduleOperation &operation) const {
  std::map<unsigned, Rows> perUnit;
  for (const ResourceUse &use : operation.uses) {
    Rows &rows = perUnit.try_emplace(use.unit, Rows{{0, 0}}).first->second;
    if (const int64_t rounds = use.duration / interval)
      changeRows(rows, 0, interval, std::min<int64_t>(rounds, INT32_MAX / 2));
    const int64_t begin = getRow(use.offset), end = begin + use.duration % interval;
    changeRows(rows, begin, std::min(end, interval), 1);
    if (end > interval)
      changeRows(rows, 0, end - interval, 1);
  }
  std::vector<Segment> segments;
  for (const auto &[unit, rows] : perUnit)
    for (auto it = rows.begin(); it != rows.end(); ++it) {
      const int64_t end = std::next(it) == rows.end() ? interval : std::next(it)->first;
      if (it->second > 0)
        segments.push_back({unit, it->first, end - it->first, it->second});
    }
  return segments;
}

/// The end of the first rows in [begin, end) that are too full for more `users`.
std::optional<int64_t> ReservationTable::findFull(unsigned unit, int64_t begin, int64_t end, int users,
                                                  int64_t &row) const {
  const Rows &rows = units[unit];
  for (auto it = std::prev(rows.upper_bound(begin)); it != rows.end() && it->first < end; ++it) {
    budget->spend(1);
    if (it->second + users > capacities[unit]) {
      row = std::max(begin, it->first);
      return std::next(it) == rows.end() ? interval : std::next(it)->first;
    }
  }
  return std::nullopt;
}

std::optional<ReservationTable::Conflict> ReservationTable::probe(unsigned operation, int64_t start) const {
  int64_t row = 0;
  for (const Segment &segment : footprints[operation]) {
    const int64_t begin = getRow(start + segment.begin), end = begin + segment.length;
    if (auto full = findFull(segment.unit, begin, std::min(end, interval), segment.users, row))
      return Conflict{segment.unit, row, *full - begin};
    if (end > interval)
      if (auto full = findFull(segment.unit, 0, end - interval, segment.users, row))
        return Conflict{segment.unit, row, interval - begin + *full};
  }
  return std::nullopt;
}

std::optional<int64_t> ReservationTable::findFree(unsigned operation, int64_t from, int64_t last) const {
  last = std::min(last, from + interval - 1); // After that, rows come again.
  while (from <= last && !budget->isOver()) {
    budget->spend(1);
    std::optional<Conflict> conflict = probe(operation, from);
    if (!conflict)
      return from;
    from += conflict->cyclesToEnd;
  }
  return std::nullopt;
}

std::optional<std::pair<unsigned, int64_t>> ReservationTable::findConflict(unsigned operation, int64_t start) const {
  if (std::optional<Conflict> conflict = probe(operation, start))
    return std::pair(conflict->unit, conflict->row);
  return std::nullopt;
}

bool ReservationTable::covers(unsigned operation, int64_t start, unsigned unit, int64_t row) const {
  return llvm::any_of(footprints[operation], [&](const Segment &segment) {
    return segment.unit == unit && getRow(row - start - segment.begin) < segment.length;
  });
}

void ReservationTable::change(unsigned operation, int64_t start, int users) {
  for (const Segment &segment : footprints[operation]) {
    const int64_t begin = getRow(start + segment.begin), end = begin + segment.length;
    changeRows(units[segment.unit], begin, std::min(end, interval), users * segment.users);
    if (end > interval)
      changeRows(units[segment.unit], 0, end - interval, users * segment.users);
  }
}

void ReservationTable::changeRows(Rows &rows, int64_t begin, int64_t end, int users) {
  if (begin == end)
    return;
  auto split = [&](int64_t row) { return rows.try_emplace(row, std::prev(rows.upper_bound(row))->second).first; };
  auto last = split(end), first = split(begin);
  for (auto it = first; it != last; ++it)
    it->second += users;
  for (auto it : {last, first})
    if (it != rows.begin() && std::prev(it)->second == it->second)
      rows.erase(it);
}
