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
#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <span>

namespace ptxemu {

/// The scopes that differ for the checker; .sys is .gpu here.
enum class Reach : uint8_t { Cta, Cluster, Device };
inline constexpr unsigned kReaches = 3;
Reach reachOf(Scope);

/// What a fence leaves for the later relaxed writes of the lanes that executed it to publish: what they knew, and
/// their own accesses up to `own`, of which those up to `proxied` are behind a proxy fence.
struct Published {
  uint32_t lanes = 0;
  std::shared_ptr<const Clocks> clocks;
  uint32_t own = 0;
  PerProxySpace<uint32_t> proxied;
  bool operator==(const Published &) const = default;
};

/// What some lanes of a warp know. Lanes that have synchronised together only share one view.
struct View {
  uint32_t lanes = 0;
  Clocks now;                      ///< what happened before; a lane's own accesses are implied
  PerProxySpace<uint32_t> proxied; ///< own accesses up to here are behind a fence.proxy.async
  uint32_t inits = 0;              ///< own mbarrier initialisations up to here are behind a fence.mbarrier_init
  std::array<std::vector<Published>, kReaches> fenced;
  std::array<Clocks, kReaches> unacquired; ///< what relaxed reads have seen; a fence of that reach acquires it
  std::array<uint64_t, 4> seen{};          ///< what was acquired last: spinning learns nothing new
  unsigned nextSeen = 0;
};

/// A warp as the checker sees it. Its lanes share a clock, which counts their releases, and tell accesses of one lane
/// from another's; what lanes know of each other they owe to barriers, like everybody else.
struct Strand {
  uint32_t id = ~0u;
  uint32_t cta = 0, cluster = 0; ///< numbers that tell CTAs and clusters apart
  bool clustered = false;        ///< the cluster has several CTAs
  uint32_t allLanes = 0;
  uint32_t clock = 1;
  std::vector<View> views; ///< disjoint, together all lanes
};

/// Follows the synchronisation of a launch and reports conflicting accesses to shared and global memory that nothing
/// orders (tensor memory: TensorOrder). The rules are those of the PTX memory model. Strands of different clusters may
/// be worked on by different host threads, except that `synchronize` on global memory belongs to one of them at a time.
class RaceChecker {
public:
  explicit RaceChecker(bool enabled) : enabled(enabled) {}
  bool isEnabled() const { return enabled; }

  /// Numbers the strands of a cluster: its warps first, then `engines` asynchronous ones. Returns the first number.
  uint32_t addCluster(Cluster &, uint32_t engines);
  /// How many strands there are; the next one has this number.
  uint32_t countStrands() const { return static_cast<uint32_t>(names.size()); }
  /// The cluster's warps have all exited: what it knew of grids before its own, whose first strand is `grid`, comes
  /// before who waits for that.
  void addKnown(const Cluster &, uint32_t grid, SyncPoint &gridEnd) const;
  /// The cluster's warps have all exited: only what others know of them matters now.
  void removeCluster(Cluster &);

  /// A generic-proxy access by `lanes` (one bit of it, for memory). A store's value may forgive it: see AccessInfo.
  void check(Exec &, ShadowMemory &, uint64_t offset, unsigned size, unsigned lane, const AccessInfo &, const Place &);
  /// An access by an asynchronous engine that the executing lanes issue; it is later ordered by whoever acquires
  /// (engine, clock). Reductions (AccessKind::Atomic) are relaxed at .gpu scope. `generic`: not in the
  /// asynchronous proxy.
  void checkAsync(Exec &, ShadowMemory &, uint64_t offset, unsigned size, AccessKind, uint32_t engine, uint32_t clock,
                  const Place &, bool generic = false);

  /// The same access overwrites what threads have read: a fence.proxy.async has to stand between the two, as well.
  void checkReadsFenced(Exec &, ShadowMemory &, uint64_t offset, unsigned size, const Place &);

  // Barriers. `lanes` are those of the warp that take part.
  void release(Warp &, uint32_t lanes, SyncPoint &);
  void releaseRelaxed(Warp &, uint32_t lanes, SyncPoint &, Reach); ///< what fences have left to publish, only
  void acquire(Warp &, uint32_t lanes, const SyncPoint &);
  void acquireRelaxed(Warp &, uint32_t lanes, const SyncPoint &, Reach);
  /// The lanes have met: each knows what any of them knew.
  void meet(Warp &, uint32_t lanes);

  // mbarriers and locations in memory.
  void release(Warp &, uint32_t lanes, ScopedPoint &, Reach);
  void releaseRelaxed(Warp &, uint32_t lanes, ScopedPoint &, Reach);
  void acquire(Warp &, uint32_t lanes, const ScopedPoint &, Reach);
  void acquireRelaxed(Warp &, uint32_t lanes, const ScopedPoint &, Reach);

  void fence(Warp &, uint32_t lanes, Reach);
  /// `ofCta`: of shared memory, for what threads of the warp's CTA have written alone.
  void proxyFence(Warp &, uint32_t lanes, std::span<const ProxySpace>, bool ofCta = false);
  void initFence(Warp &, uint32_t lanes);

  /// Who comes after this lane may use the tensor map at `address` in global memory, as it is now.
  void acquireMap(Exec &, uint64_t address, unsigned lane);
  /// A copy by that tensor map: what threads have written of it must have been acquired.
  void checkMap(Exec &, Allocation &, uint64_t address, unsigned lane);

  /// An mbarrier's initialisation, and a later use of it, by a thread or by the asynchronous proxy.
  Touch initialisation(const Exec &, unsigned lane) const;
  void checkInit(Exec &, const Touch &init, uint64_t offset, unsigned lane, bool asyncProxy);

  /// Completion of asynchronous work in an mbarrier of a CTA: who acquires `point` is behind step `clock` of `engine`.
  /// `known`: what that work itself came after.
  void complete(ScopedPoint &point, const Cta &, uint32_t engine, uint32_t clock, const Clocks &known = Clocks());
  /// What a lane knows.
  Clocks known(const Warp &, unsigned lane) const;
  /// A lane reaches an mbarrier of a CTA, maybe another one than its own.
  void reach(const Exec &, Cta &, unsigned lane);
  /// These lanes exit. The shared memory of a CTA goes with its last thread: what other CTAs do there must come before
  /// one of its threads exits.
  void leave(Warp &, uint32_t lanes);
  /// All threads of the CTA have exited.
  void checkLeft(Machine &, const Cta &) const;

  /// The lanes themselves have waited for step `clock` of `engine`.
  void waited(Warp &, uint32_t lanes, uint32_t engine, uint32_t clock);

private:
  struct StrandName {
    std::array<unsigned, 3> cta{};
    unsigned grid = 0; ///< of the launches that run together, from 1; 0: there is one
    uint32_t ctaNumber = 0, clusterNumber = 0;
    int warp = -1; ///< -1: an engine
    bool retired = false;
  };
  void forgetRetired(ScopedPoint &) const;
  void changed(ScopedPoint &p) { p.stamp = ++lastStamp; }
  void synchronize(Exec &, const Place &, unsigned lane, const AccessInfo &);
  static void noteReach(Cta &target, const Touch &, unsigned lane);
  template <class F>
  void eachCell(ShadowMemory &, uint64_t offset, unsigned size, bool isWrite, const Place &, F &&);
  void checkCell(Exec &, Cell &, const Touch &, AccessKind, const AccessInfo &, const Place &);
  bool ordered(const Touch &before, const Strand &, uint32_t lanes, std::optional<ProxySpace> asyncProxy) const;
  ProxySpace proxySpaceOf(const Touch &, const Place &) const;
  bool morallyStrong(const Touch &, const Touch &) const;
  void report(Exec &, const Touch &before, bool beforeWrites, const Touch &now, AccessKind, const Place &,
              bool missingProxyFence);
  std::string nameOf(const Touch &) const;

  /// An acquire of a tensor map, with the writes of it (strand and clock) that the lane knew of.
  struct MapAcquire {
    Touch by;
    std::vector<std::pair<uint32_t, uint32_t>> writes;
  };

  bool enabled;
  std::mutex mapLock;
  std::unordered_map<uint64_t, std::vector<MapAcquire>> acquiredMaps; ///< by address
  std::vector<StrandName> names;
  std::deque<Strand> strands;
  std::unordered_map<uint64_t, ScopedPoint> locations; ///< strong locations in global memory
  std::atomic<uint64_t> lastStamp = 0;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_RACECHECKER_H
