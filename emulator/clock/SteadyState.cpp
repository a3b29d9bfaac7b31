//===- SteadyState.cpp - When clusters end at a constant rate -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SteadyState.h"
#include <algorithm>
#include <cassert>
#include <cmath>

namespace ptxemu::timing {

bool SteadyState::isReached() const {
  return std::abs(change) <= kSteady;
}

SteadyState steadyState(const std::vector<double> &ends, uint64_t places) {
  assert(places && ends.size() >= 4 * places && "too few for a wave to start with and two to compare");
  const uint64_t whole = ends.size() - places, // those that end while others start
      first = std::max(places, whole / 4);
  const uint64_t half = (whole - first) / 2 / places * places;
  const double end = ends[whole - 1], middle = ends[whole - 1 - half], begin = ends[whole - 1 - 2 * half];
  SteadyState s;
  s.change = (end - middle) / (middle - begin) - 1;
  const auto count = static_cast<double>(half);
  s.cyclesEach = s.isReached() ? (end - begin) / (2 * count) : (end - middle) / count;
  return s;
}

} // namespace ptxemu::timing
