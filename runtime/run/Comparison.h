//===- Comparison.h - Whether places agree with each other ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_COMPARISON_H
#define TILEIRAS_RUNTIME_RUN_COMPARISON_H

#include "LaunchDescription.h"
#include "Outcome.h"
#include "llvm/ADT/ArrayRef.h"

namespace tileiras::run {

/// Two places' results, side by side.
struct Comparison {
  Place first, second;
  bool agrees = true;
  uint64_t elements = 0; ///< that were compared
  bool warns = false;    ///< there are differences that are no failure
  std::string report;    ///< sentences that end with a line break
};

/// Compares each place with the first one, element by element: all buffers that the description expects or compares. A
/// difference of buffers that it only writes is a warning.
/// Two floats agree when each may be right: within twice the tolerances of what is expected, or, where the interpreter
/// takes part, as far apart as a conforming implementation may be. Outcomes that did not run clean are left out.
std::vector<Comparison> compareOutcomes(const LaunchDescription &description, llvm::ArrayRef<Outcome> outcomes);

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_COMPARISON_H
