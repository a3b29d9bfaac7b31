//===- IterationOrder.h - Producers before consumers ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_SCHEDULE_ITERATIONORDER_H
#define TILEIRAS_LIB_SCHEDULE_ITERATIONORDER_H

#include "tileiras/Schedule/Problem.h"

namespace tileiras {

/// The edges that leave each operation, as indices into `edges`.
std::vector<llvm::SmallVector<unsigned, 4>> groupBySource(const std::vector<ScheduleDependence> &edges,
                                                          size_t numOperations);

/// Operations in an order in which `edges` of distance 0 go forward (Kahn's algorithm). Those on a cycle of such edges,
/// and after one, are missing.
std::vector<unsigned> orderWithinIteration(const std::vector<ScheduleDependence> &edges,
                                           const std::vector<llvm::SmallVector<unsigned, 4>> &bySource);

} // namespace tileiras

#endif // TILEIRAS_LIB_SCHEDULE_ITERATIONORDER_H
