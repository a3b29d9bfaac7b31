//===- Placement.h - A schedule in the making ---------------- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_PLACEMENT_H
#define TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_PLACEMENT_H

#include "Constraints.h"
#include "ReservationTable.h"
#include "tileiras/Schedule/Schedule.h"

namespace tileiras::async {

/// What kept an operation from the first cycle that dependences allow.
enum class Gate : uint8_t {
  Open,
  Pending,     ///< G1: it is held over until its group is placed
  Depth,       ///< G2: it would come later than its largest depth
  Reservation, ///< G3: a unit is busy
  Leader,      ///< G4: its group has another depth
};
enum class Arm : uint8_t { Permute, Fuse, Retry, Cost };

/// Start cycles of some operations at one interval, and the units they keep busy.
class Placement {
public:
  Placement(const ScheduleProblem &problem, const DependenceGraph &graph, const ConstraintSet &constraints,
            int64_t interval, WorkBudget &budget);

  const DependenceGraph &getGraph() const { return *graph; }
  const ConstraintSet &getConstraints() const { return *constraints; }
  const ReservationTable &getTable() const { return table; }
  int64_t getInterval() const { return interval; }
  WorkBudget &getBudget() const { return *budget; }

  bool isSeated(unsigned operation) const { return seats[operation].has_value(); }
  int64_t getStart(unsigned operation) const { return *seats[operation]; }

  /// The first cycle in [from, last] that passes the four gates; `gate` says which one moved or stopped it.
  std::optional<int64_t> admit(unsigned operation, int64_t from, int64_t last, Gate &gate) const;
  void seat(unsigned operation, int64_t cycle, Arm arm, Gate gate = Gate::Open);
  void unseat(unsigned operation);
  /// Held over: arms pass it by until it is released.
  void setPending(unsigned operation, bool isPending) { pending[operation] = isPending; }

  /// Bounds from dependences on operations that have their seats; without any, `lowest` and far away.
  int64_t getEarliest(unsigned operation, int64_t lowest = 0) const;
  int64_t getLatest(unsigned operation) const;
  /// Those that have a seat in a full row where the operation would be.
  std::vector<unsigned> findObstacles(unsigned operation, int64_t cycle) const;

  /// Moves whole recurrences by intervals until every dependence holds, as early as possible; all are seated.
  void settleStages();
  /// Moves single operations later by intervals where that shortens the lives of values; all are seated.
  void shortenLifetimes(const ScheduleProblem &problem);
  /// The earliest start becomes 0; all are seated. nullopt: a start is more than a schedule can say.
  std::optional<Schedule> finish() const;

private:
  const DependenceGraph *graph;
  const ConstraintSet *constraints;
  int64_t interval;
  WorkBudget *budget;
  ReservationTable table;
  std::vector<std::optional<int64_t>> seats;
  std::vector<std::pair<Arm, Gate>> notes;
  std::vector<bool> pending;
  std::vector<std::vector<unsigned>> peers; ///< by leader
};

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_PLACEMENT_H
