//===- Outcome.cpp - What a run of a kernel left --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outcome.h"
#include <algorithm>

namespace tileiras::run {

llvm::StringRef getName(Place place) {
  static constexpr llvm::StringLiteral names[] = {"gpu", "emulator", "interpreter"};
  return names[static_cast<int>(place)];
}

double Timing::median() const {
  std::vector<double> sorted = microseconds;
  std::sort(sorted.begin(), sorted.end());
  const size_t half = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double Timing::best() const {
  return *std::min_element(microseconds.begin(), microseconds.end());
}

} // namespace tileiras::run
