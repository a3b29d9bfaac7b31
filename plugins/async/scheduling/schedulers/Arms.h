//===- Arms.h - Ways to give operations their places --------- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_ARMS_H
#define TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_ARMS_H

#include "Placement.h"

namespace tileiras::async {

// Each arm seats all operations of a group, or changes nothing and returns false. Deterministic: what is equal comes in
// program order.

/// Longest path first, each in its earliest legal cycle; an operation that finds none goes to the front, and all again.
bool seatByPermutation(Placement &placement, llvm::ArrayRef<unsigned> group, llvm::ArrayRef<int64_t> heights,
                       Arm arm = Arm::Permute);

/// Takes a group that is in the way and has no order with this one off its seats, and seats this one first, then that.
bool seatByFusion(Placement &placement, llvm::ArrayRef<unsigned> group, llvm::ArrayRef<std::vector<unsigned>> allGroups,
                  llvm::ArrayRef<int64_t> heights);

/// Rau's iterative scheme: an operation that finds no free cycle takes one, and those it drives out are seated anew.
/// One that has been driven out too often is dead.
bool seatByRetry(Placement &placement, llvm::ArrayRef<unsigned> group, llvm::ArrayRef<int64_t> heights);

/// Takes the cheapest of all legal pairs of operation and cycle, again and again: the one with the least room first,
/// then the shortest lives of values.
bool seatByCost(Placement &placement, llvm::ArrayRef<unsigned> group, const ScheduleProblem &problem);

/// The same with a way back, for all operations on empty tables: the cheapest pair is given up when it leaves others no
/// place. At most `budget` pairs are tried. Dependences between recurrences do not count while rows are looked for:
/// stages make up for them.
bool seatBySearch(Placement &placement, const ScheduleProblem &problem, unsigned budget);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_ARMS_H
