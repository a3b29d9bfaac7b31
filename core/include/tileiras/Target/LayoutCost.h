//===- LayoutCost.h - What a layout of a tile in memory costs ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TARGET_LAYOUTCOST_H
#define TILEIRAS_TARGET_LAYOUTCOST_H

#include "tileiras/Target/TuningModel.h"
#include <tuple>

namespace tileiras {

/// Three terms, and what breaks ties.
struct LayoutCost {
  int64_t sharedTransactions = 0; ///< of shared memory: wavefronts of one warp
  int64_t tensorMemoryCycles = 0; ///< of tensor memory, for a row of the tile; 0 on chips that have none
  int64_t liveRegisters = 0;      ///< 32-bit registers of a thread that hold the tile on its way in or out
  int64_t bankConflicts = 0;      ///< of the transactions; only breaks ties

  /// In hundredths of a transaction.
  int64_t getScore(const TuningModel &tuning) const {
    return tuning.sharedWeight * sharedTransactions + tuning.tensorMemoryWeight * tensorMemoryCycles +
           tuning.registerWeight * liveRegisters;
  }

  /// The lowest is best: the score; of equal ones fewer registers, then fewer bank conflicts.
  std::tuple<int64_t, int64_t, int64_t> getRank(const TuningModel &tuning) const {
    return {getScore(tuning), liveRegisters, bankConflicts};
  }
};

} // namespace tileiras

#endif // TILEIRAS_TARGET_LAYOUTCOST_H
