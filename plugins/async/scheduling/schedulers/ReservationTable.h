//===- ReservationTable.h - Who uses which unit when --------- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_RESERVATIONTABLE_H
#define TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_RESERVATIONTABLE_H

#include "WorkBudget.h"
#include "tileiras/Schedule/Problem.h"
#include <map>

namespace tileiras::async {

/// The modulo reservation table: how many operations keep each unit busy in each of II rows. Rows that follow each
/// other with the same users are one entry, so that time and memory depend on the operations and not on the cycles.
class ReservationTable {
public:
  /// Looking for free rows takes of `budget`; when that is over there are none.
  ReservationTable(const ScheduleProblem &problem, int64_t interval, WorkBudget &budget);

  /// Does every operation fit into the empty table? One that meets itself modulo II does not.
  bool isPossible() const { return possible; }
  /// The first cycle in [from, last] in which the operation fits between the others.
  std::optional<int64_t> findFree(unsigned operation, int64_t from, int64_t last) const;
  /// One of the rows that are full where the operation would be, as unit and row.
  std::optional<std::pair<unsigned, int64_t>> findConflict(unsigned operation, int64_t start) const;
  /// Does the operation, started there, keep the unit busy in that row?
  bool covers(unsigned operation, int64_t start, unsigned unit, int64_t row) const;

  void add(unsigned operation, int64_t start) { change(operation, start, 1); }
  void remove(unsigned operation, int64_t start) { change(operation, start, -1); }

private:
  /// `users` of a unit in the rows [begin, begin + length) after the start; modulo II, but not wrapped around.
  struct Segment {
    unsigned unit;
    int64_t begin, length;
    int users;
  };
  /// Users from each row on.
  using Rows = std::map<int64_t, int>;
  struct Conflict {
    unsigned unit;
    int64_t row, cyclesToEnd; ///< until the start has to be moved to be past it
  };

  std::vector<Segment> makeFootprint(const ScheduleOperation &operation) const;
  std::optional<Conflict> probe(unsigned operation, int64_t start) const;
  std::optional<int64_t> findFull(unsigned unit, int64_t begin, int64_t end, int users, int64_t &row) const;
  void change(unsigned operation, int64_t start, int users);
  static void changeRows(Rows &rows, int64_t begin, int64_t end, int users);
  int64_t getRow(int64_t cycle) const { return ((cycle % interval) + interval) % interval; }

  int64_t interval;
  WorkBudget *budget;
  bool possible = true;
  std::vector<int> capacities;
  std::vector<std::vector<Segment>> footprints;
  std::vector<Rows> units;
};

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_RESERVATIONTABLE_H
