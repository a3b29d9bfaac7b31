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
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

namespace ptxemu {

/// For every strand (a warp, or an asynchronous engine), up to which of its steps everything has happened before now.
/// An entry holds for all lanes of a warp; where lanes synchronised by themselves there are entries of single lanes
/// beside it. The strands of one cluster are numbered contiguously and kept densely; others, which matter only where
/// CTAs synchronise through global memory, sparsely.
class VectorClock {
public:
  VectorClock() = default;
  explicit VectorClock(uint32_t base, uint32_t count = 0) : base(base), count(count) {}

  /// What holds for all lanes of the strand.
  uint32_t get(uint32_t strand) const {
    if (strand - base < count)
      return own.empty() ? 0 : own[strand - base];
    return sparseGet(strand, kAllLanes);
  }
  uint32_t get(uint32_t strand, unsigned lane) const {
    uint32_t all = get(strand);
    return sparse.empty() ? all : std::max(all, sparseGet(strand, static_cast<uint8_t>(lane + 1)));
  }
  /// What holds for any of its lanes.
  uint32_t highest(uint32_t strand) const {
    uint32_t most = get(strand);
    for (const Entry &e : sparse)
      if (e.strand == strand)
        most = std::max(most, e.clock);
    return most;
  }
  void raise(uint32_t strand, uint32_t clock) {
    if (clock == 0)
      return;
    if (strand - base < count) {
      own.resize(count);
      own[strand - base] = std::max(own[strand - base], clock);
      if (!sparse.empty())
        dropLanes(strand, own[strand - base]);
      return;
    }
    sparseRaise({strand, kAllLanes, clock});
  }
  void raise(uint32_t strand, unsigned lane, uint32_t clock) {
    if (clock > get(strand))
      sparseRaise({strand, static_cast<uint8_t>(lane + 1), clock});
  }
  void join(const VectorClock &o) {
    if (o.empty())
      return;
    if (count == 0) { // takes on the cluster of the first one it hears of
      std::vector<Entry> known = std::exchange(sparse, o.sparse);
      base = o.base, count = o.count, own = o.own;
      for (const Entry &e : known)
        e.lane == kAllLanes ? raise(e.strand, e.clock) : raise(e.strand, e.lane - 1u, e.clock);
      return;
    }
    if (o.base == base && o.count == count && !o.own.empty()) {
      own.resize(count);
      for (size_t i = 0; i < own.size(); ++i)
        own[i] = std::max(own[i], o.own[i]);
    } else {
      for (size_t i = 0; i < o.own.size(); ++i)
        raise(o.base + static_cast<uint32_t>(i), o.own[i]);
    }
    if (!o.sparse.empty())
      mergeSparse(o.sparse);
  }
  /// What `o` knows of strands before this one, of other clusters than its own.
  void joinBefore(const VectorClock &o, uint32_t strand) {
    for (const Entry &e : o.sparse)
      if (e.strand < strand)
        sparseRaise(e);
  }
  /// What `o` knows of one strand.
  void join(const VectorClock &o, uint32_t strand) {
    raise(strand, o.get(strand));
    for (const Entry &e : o.sparse)
      if (e.strand == strand && e.lane != kAllLanes)
        raise(strand, e.lane - 1u, e.clock);
  }
  bool empty() const { return own.empty() && sparse.empty(); }
  bool operator==(const VectorClock &) const = default;

private:
  static constexpr uint8_t kAllLanes = 0;

  struct Entry {
    uint32_t strand;
    uint8_t lane; ///< + 1
    uint32_t clock;
    bool operator==(const Entry &) const = default;
    bool operator<(const Entry &o) const { return std::tie(strand, lane) < std::tie(o.strand, o.lane); }
  };

  uint32_t sparseGet(uint32_t strand, uint8_t lane) const {
    auto it = std::lower_bound(sparse.begin(), sparse.end(), Entry{strand, lane, 0});
    return it != sparse.end() && it->strand == strand && it->lane == lane ? it->clock : 0;
  }
  void sparseRaise(Entry e) {
    auto it = std::lower_bound(sparse.begin(), sparse.end(), e);
    if (it != sparse.end() && it->strand == e.strand && it->lane == e.lane)
      it->clock = std::max(it->clock, e.clock);
    else
      sparse.insert(it, e);
  }
  void dropLanes(uint32_t strand, uint32_t upTo) {
    std::erase_if(sparse, [&](const Entry &e) { return e.strand == strand && e.clock <= upTo; });
  }
  void mergeSparse(const std::vector<Entry> &o) {
    for (const Entry &e : o)
      if (e.lane == kAllLanes && e.strand - base < count)
        raise(e.strand, e.clock);
    std::vector<Entry> merged;
    merged.reserve(sparse.size() + o.size());
    auto a = sparse.cbegin();
    for (const Entry &e : o) {
      for (; a != sparse.cend() && *a < e; ++a)
        merged.push_back(*a);
      bool both = a != sparse.cend() && !(e < *a);
      uint32_t clock = both ? std::max(a->clock, e.clock) : e.clock;
      bool isDense = e.strand - base < count;
      if (!isDense || (e.lane != kAllLanes && (own.empty() || clock > own[e.strand - base])))
        merged.push_back({e.strand, e.lane, clock});
      a += both;
    }
    merged.insert(merged.end(), a, sparse.cend());
    sparse = std::move(merged);
  }

  uint32_t base = 0, count = 0;
  std::vector<uint32_t> own; ///< empty until something is known
  std::vector<Entry> sparse; ///< lanes, and strands of other clusters; sorted
};

/// The memory that a fence.proxy.async is for; without a suffix, all. Shared memory is that of the CTA whose threads
/// have written there, or of another one of the cluster.
enum class ProxySpace : uint8_t { Shared, OtherShared, Global };
inline constexpr ProxySpace kProxySpaces[] = {ProxySpace::Shared, ProxySpace::OtherShared, ProxySpace::Global};

/// Something for each ProxySpace.
template <class T>
struct PerProxySpace {
  T values[std::size(kProxySpaces)] = {};

  T &operator[](ProxySpace space) { return values[static_cast<unsigned>(space)]; }
  const T &operator[](ProxySpace space) const { return values[static_cast<unsigned>(space)]; }
  bool operator==(const PerProxySpace &) const = default;
};

/// What is known to have happened. `async`: the part that is visible to the asynchronous proxy (bulk copies, matrix
/// units). `inits`: mbarrier initialisations that fence.mbarrier_init has made visible to it and to the cluster.
/// `ended`: grids of which all has happened, for everybody, each by its first strand and the one behind its last.
struct Clocks {
  VectorClock all, inits;
  PerProxySpace<VectorClock> async;
  std::vector<std::pair<uint32_t, uint32_t>> ended;

  bool hasEnded(uint32_t strand) const {
    return std::ranges::any_of(ended, [&](auto grid) { return grid.first <= strand && strand < grid.second; });
  }
  void addEnded(std::pair<uint32_t, uint32_t> grid) {
    if (std::ranges::find(ended, grid) == ended.end())
      ended.push_back(grid);
  }
  /// What `o` knows of grids before the one whose first strand this is.
  void joinBefore(const Clocks &o, uint32_t strand) {
    all.joinBefore(o.all, strand);
    for (ProxySpace space : kProxySpaces)
      async[space].joinBefore(o.async[space], strand);
    for (auto grid : o.ended)
      addEnded(grid);
  }

  void raiseAsync(uint32_t strand, uint32_t clock) {
    for (ProxySpace space : kProxySpaces)
      async[space].raise(strand, clock);
  }

  void join(const Clocks &o) {
    all.join(o.all);
    for (ProxySpace space : kProxySpaces)
      async[space].join(o.async[space]);
    inits.join(o.inits);
    for (auto grid : o.ended)
      addEnded(grid);
  }
  bool empty() const {
    return all.empty() && inits.empty() && ended.empty() &&
           std::ranges::all_of(async.values, [](const VectorClock &known) { return known.empty(); });
  }
  bool operator==(const Clocks &) const = default;
};

/// What releasing operations leave behind for acquiring ones at a barrier, whose participants are in each other's
/// scope.
struct SyncPoint {
  Clocks clocks;
};

/// The same at a location in memory or an mbarrier, where a release synchronises only with those in its scope: by the
/// CTA and cluster that released, and what was released to the device.
struct ScopedPoint {
  std::vector<std::pair<uint32_t, Clocks>> ctas, clusters; ///< by number
  Clocks device;
  uint64_t stamp = 0; ///< never the same for different contents; 0: nothing has been released

  static Clocks &in(std::vector<std::pair<uint32_t, Clocks>> &list, uint32_t number) {
    for (auto &[n, clocks] : list)
      if (n == number)
        return clocks;
    return list.emplace_back(number, Clocks()).second;
  }
  static const Clocks *find(const std::vector<std::pair<uint32_t, Clocks>> &list, uint32_t number) {
    for (const auto &[n, clocks] : list)
      if (n == number)
        return &clocks;
    return nullptr;
  }
};

} // namespace ptxemu

#endif // PTX_EMULATOR_VECTORCLOCK_H
