//===- ConversionCosts.h - What a change of layouts costs -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_CONVERSIONCOSTS_H
#define TILEIRAS_LAYOUT_CONVERSIONCOSTS_H

#include <cstdint>

namespace tileiras {

/// In issue slots of one warp; a select takes one. The values are a target's (TuningModel::getConversionCosts).
struct ConversionCosts {
  int64_t wavefront;      ///< of shared memory, or a shuffle of 32 bits
  int64_t shuffleLatency; ///< once where there are shuffles
  int64_t warpSync;       ///< once through shared memory, where no value leaves its warp
  int64_t ctaBarrier;     ///< the same where values do
};

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_CONVERSIONCOSTS_H
