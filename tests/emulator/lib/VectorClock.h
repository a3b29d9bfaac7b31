//===- VectorClock.h - What a strand of execution knows to have happened -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_VECTORCLOCK_H
#define PTX_EMULATOR_VECTORCLOCK_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ptxemu {

/// For every strand (a warp, or an asynchronous engine), up to which of its steps everything has happened before now.
/// The strands of one cluster are numbered contiguously and kept densely; others, which matter only where CTAs
/// synchronise through global memory, sparsely.
class VectorClock {
public:
  explicit VectorClock(uint32_t base = 0, uint32_t count = 0) : base(base), count(count) {}

  uint32_t get(uint32_t strand) const {
    if (strand - base < count)
      return own.empty() ? 0 : own[strand - base];
    auto it = find(strand);
    return it != foreign.end() && it->first == strand ? it->second : 0;
  }
  /// Raises the strand's entry.
  void raise(uint32_t strand, uint32_t clock) {
    if (clock == 0)
      return;
    if (strand - base < count) {
      own.resize(count);
      own[strand - base] = std::max(own[strand - base], clock);
      return;
    }
    auto it = foreign.begin() + (find(strand) - foreign.cbegin());
    if (it != foreign.end() && it->first == strand)
      it->second = std::max(it->second, clock);
    else
      foreign.insert(it, {strand, clock});
  }
  void join(const VectorClock &o) {
    if (o.base == base && o.count == count && !o.own.empty()) {
      own.resize(count);
      for (size_t i = 0; i < own.size(); ++i)
        own[i] = std::max(own[i], o.own[i]);
    } else {
      for (size_t i = 0; i < o.own.size(); ++i)
        raise(o.base + static_cast<uint32_t>(i), o.own[i]);
    }
    for (auto [strand, clock] : o.foreign)
      raise(strand, clock);
  }

private:
  std::vector<std::pair<uint32_t, uint32_t>>::const_iterator find(uint32_t strand) const {
    return std::lower_bound(foreign.begin(), foreign.end(), std::make_pair(strand, 0u));
  }

  uint32_t base, count;
  std::vector<uint32_t> own;                          ///< empty until something is known
  std::vector<std::pair<uint32_t, uint32_t>> foreign; ///< by strand
};

/// A clock, and the part of it that is visible to the asynchronous proxy (bulk copies, matrix units).
struct Clocks {
  VectorClock all, async;

  void join(const Clocks &o) {
    all.join(o.all);
    async.join(o.async);
  }
};

/// What releasing operations leave behind for acquiring ones: on a barrier, an mbarrier or a location in memory.
struct SyncPoint {
  Clocks clocks;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_VECTORCLOCK_H
