//===- LayoutCostTest.cpp - What a layout of a tile in memory costs -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Target/LayoutCost.h"
#include <catch2/catch.hpp>

using namespace tileiras;

namespace {

const TuningModel tuning;

/// Ways to load a tile of 128x64 f16 from shared memory.
const LayoutCost ldmatrix{.sharedTransactions = 4, .liveRegisters = 32};
const LayoutCost wideLdmatrix{.sharedTransactions = 2, .liveRegisters = 64};
const LayoutCost bulkCopy{.sharedTransactions = 1};

bool isBetter(const LayoutCost &lhs, const LayoutCost &rhs) {
  return lhs.getRank(tuning) < rhs.getRank(tuning);
}

} // namespace

TEST_CASE("the default weights are 1, 4 and 0.25 in hundredths of a transaction") {
  CHECK(ldmatrix.getScore(tuning) == 1200);
  CHECK(wideLdmatrix.getScore(tuning) == 1800);
  CHECK(bulkCopy.getScore(tuning) == 100);
  CHECK(LayoutCost{.tensorMemoryCycles = 3}.getScore(tuning) == 1200);
}

TEST_CASE("what stays in memory is best, and without it what takes fewer registers") {
  CHECK(isBetter(bulkCopy, ldmatrix));
  CHECK(isBetter(bulkCopy, wideLdmatrix));
  CHECK(isBetter(ldmatrix, wideLdmatrix));
}

TEST_CASE("cycles of tensor memory decide where nothing else differs") {
  LayoutCost slower = bulkCopy;
  slower.tensorMemoryCycles = 1;
  CHECK(isBetter(bulkCopy, slower));
  // Four transactions and a cycle weigh the same: fewer registers win, then fewer conflicts.
  const LayoutCost cycle{.tensorMemoryCycles = 1}, transactions{.sharedTransactions = 4};
  CHECK(cycle.getScore(tuning) == transactions.getScore(tuning));
  const LayoutCost registers{.sharedTransactions = 3, .liveRegisters = 4};
  CHECK(registers.getScore(tuning) == transactions.getScore(tuning));
  CHECK(isBetter(transactions, registers));
  LayoutCost conflicts = transactions;
  conflicts.bankConflicts = 1;
  CHECK(isBetter(transactions, conflicts));
}
