//===- RaceChecker.h - Data races by happens-before -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_RACECHECKER_H
#define PTX_EMULATOR_RACECHECKER_H

#include "Access.h"
#include "VectorClock.h"
#include <deque>

namespace ptxemu {

/// A warp as the checker sees it. Lanes share the clock; what orders lanes of one warp among each other is a barrier
/// they took part in (`syncClock`).
struct Strand {
  uint32_t id = ~0u;
  uint32_t clock = 1;
  uint32_t syncClock = 1; ///< clock at the last barrier of the warp's lanes
  Clocks now;             ///< what happened before
  Clocks fenced;          ///< what a later relaxed write publishes: as of the last fence
  Clocks unacquired;      ///< what relaxed reads have seen; a fence acquires it
};

/// Follows the synchronisation of a launch and reports conflicting accesses that nothing orders. The rules are those of
/// the PTX memory model, with one clock a warp.
class RaceChecker {
public:
  explicit RaceChecker(bool enabled) : enabled(enabled) {}
  bool isEnabled() const { return enabled; }

  /// Numbers the strands of a cluster: its warps first, then `engines` asynchronous ones. Returns the first number.
  uint32_t addCluster(Cluster &, uint32_t engines);

  /// The cluster's warps have all exited: only what others know of them matters now.
  void removeCluster(Cluster &);

  /// A generic-proxy access. `value`: what a store writes, to forgive lanes of one instruction that write the same.
  void check(Exec &, ShadowMemory &, uint64_t offset, unsigned size, unsigned lane, const AccessInfo &, const Place &);
  /// An access by an asynchronous engine, issued by a warp; it is later ordered by whoever acquires (engine, clock).
  void checkAsync(Exec &, ShadowMemory &, uint64_t offset, unsigned size, bool isWrite, uint32_t engine, uint32_t clock,
                  const Place &);

  void release(Warp &, SyncPoint &);
  void acquire(Warp &, const SyncPoint &);
  void fence(Warp &);
  void proxyFence(Warp &);
  void warpSync(Warp &); ///< the warp's lanes have met at a barrier
  /// An mbarrier's initialisation, and a later use of it, which must come after.
  void publishInit(Warp &, uint32_t &clock);
  void checkInit(Exec &, uint32_t clock, const Warp *initializer, uint64_t offset, unsigned lane);
  /// A strong access to memory that may synchronise.
  void synchronize(Exec &, const Place &, const AccessInfo &);
  /// Completion of asynchronous work: whoever acquires `point` later is behind step `clock` of `engine`.
  void complete(SyncPoint &point, uint32_t engine, uint32_t clock);
  /// The warp itself has waited for step `clock` of `engine`.
  void waited(Warp &, uint32_t engine, uint32_t clock);

private:
  struct StrandName {
    std::array<unsigned, 3> cta{};
    int warp = -1; ///< -1: an engine
  };
  void checkCell(Exec &, Cell &, const Touch &, AccessKind, const AccessInfo &, const Place &);
  void record(Cell &, const Touch &, AccessKind, uint64_t time);
  bool ordered(const Touch &before, const Touch &now, const Strand *, bool asyncView) const;
  bool morallyStrong(const Touch &, const Touch &) const;
  [[noreturn]] void report(Exec &, const Touch &before, bool beforeWrites, const Touch &now, AccessKind, const Place &,
                           bool missingProxyFence);
  std::string nameOf(const Touch &) const;

  bool enabled;
  std::vector<StrandName> names;
  std::deque<Strand> strands;
  std::unordered_map<uint64_t, SyncPoint> locations; ///< strong locations in global memory
};

} // namespace ptxemu

#endif // PTX_EMULATOR_RACECHECKER_H
