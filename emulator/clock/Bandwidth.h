//===- Bandwidth.h - A resource that does so much a cycle -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_BANDWIDTH_H
#define PTX_EMULATOR_TIMING_BANDWIDTH_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ptxemu::timing {

/// A resource whose work is given in cycles. Requests may come for times in any order: each takes what is left from
/// its time on, so that work reserved for later does not hold up what comes now.
class Bandwidth {
public:
  /// Takes `cycles` of work from `time` on; returns when it is done.
  double reserve(double time, double cycles) {
    total += cycles;
    if (cycles <= 0)
      return time;
    const double earliest = time + cycles;
    size_t interval = nextFree(static_cast<size_t>(std::max(time, 0.0) / kInterval));
    for (double left = cycles;; interval = nextFree(interval + 1)) {
      const double taken = std::min(left, kInterval - used[interval]);
      used[interval] += taken;
      left -= taken;
      if (kInterval - used[interval] < kLeast)
        skip[interval] = static_cast<uint32_t>(interval + 1);
      if (left < kLeast)
        return std::max(earliest, static_cast<double>(interval) * kInterval + used[interval]);
    }
  }
  /// How long work that comes at `time` would wait.
  double backlog(double time) {
    return std::max(
        0.0, static_cast<double>(nextFree(static_cast<size_t>(std::max(time, 0.0) / kInterval))) * kInterval - time);
  }
  /// Cycles of work so far.
  double busy() const { return total; }

private:
  static constexpr double kInterval = 16, kLeast = 1e-9; ///< cycles

  /// The first interval from this one on that is not full.
  size_t nextFree(size_t interval) {
    size_t end = interval;
    while (end < skip.size() && skip[end] != end)
      end = skip[end];
    if (end >= skip.size()) {
      const size_t old = skip.size();
      skip.resize(end + 1 + end / 2);
      used.resize(skip.size());
      for (size_t i = old; i < skip.size(); ++i)
        skip[i] = static_cast<uint32_t>(i);
    }
    while (interval < end && skip[interval] != end)
      interval = std::exchange(skip[interval], static_cast<uint32_t>(end));
    return end;
  }

  std::vector<double> used;   ///< cycles of each interval
  std::vector<uint32_t> skip; ///< towards the first interval that is not full
  double total = 0;
};

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_BANDWIDTH_H
