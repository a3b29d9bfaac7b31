//===- SimulationSync.cpp - Barriers of an SM -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulationState.h"
#include <algorithm>

namespace ptxemu::timing {

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

void Simulation::useMbarriers(Warp &w, const Step &step, const StaticInstruction &s, double now) {
  ClusterState &cluster = *w.cta->cluster;
  for (const Effect &e : trace.effectsOf(step)) {
    Cta &at = *cluster.ctas[e.cta];
    if (e.kind == Effect::MbarrierInit) {
      Mbarrier &b = at.mbarriers[e.offset];
      b = {e.count, e.count, 0, 0, {}};
      continue;
    }
    Event arrival{now + model.sync.arrive, 0, Event::Transaction};
    arrival.cta = &at;
    arrival.offset = e.offset;
    if (&at != w.cta)
      arrival.time = now + model.sync.remote;
    if (e.kind == Effect::MbarrierArrive) {
      // What is announced counts at once: the copies that follow must not complete a phase that expects nothing yet.
      arrival.arrivals = e.count;
      arrival.bytes = -e.bytes;
    } else if (e.kind == Effect::ArriveAfterCopies) {
      if (e.waits)
        at.mbarriers[e.offset].pending += e.count;
      arrival.time = std::max(arrival.time, w.copiesEver);
      arrival.arrivals = e.count;
    } else if (e.kind == Effect::RemoteStore) {
      arrival.time = now + model.sync.remote;
      arrival.bytes = e.bytes;
    } else {
      continue;
    }
    push(arrival);
  }
  setResult(w, s, now + model.sync.arrive, Stall::Dependency);
}

/// Arrivals, and bytes that have arrived (negative: that are announced).
void Simulation::transact(Cta &cta, uint32_t offset, uint32_t arrivals, int64_t bytes, double now) {
  Mbarrier &b = cta.mbarriers[offset];
  b.transactions -= bytes;
  b.pending -= std::min(arrivals, b.pending);
  if (b.pending || b.transactions || !b.expected)
    return;
  ++b.phases;
  b.pending = b.expected;
  std::erase_if(b.waiting, [&](const auto &waiting) {
    if (waiting.second > b.phases)
      return false;
    resume(*waiting.first, now + model.sync.wake);
    return true;
  });
}

void Simulation::waitMbarrier(Warp &w, const Step &step, const StaticInstruction &s, double now) {
  for (const Effect &e : trace.effectsOf(step)) {
    if (e.kind != Effect::MbarrierPass)
      continue;
    Mbarrier &b = w.cta->mbarriers[e.offset];
    if (b.phases >= e.phases)
      break;
    b.waiting.push_back({&w, e.phases});
    setResult(w, s, now, Stall::Mbarrier);
    return suspend(w, Stall::Mbarrier, now);
  }
  setResult(w, s, now + model.sync.wait, Stall::Mbarrier);
}

//===----------------------------------------------------------------------===//
// Barriers of a CTA
//===----------------------------------------------------------------------===//

void Simulation::reachBarrier(Warp &w, const Step &step, double now) {
  for (const Effect &e : trace.effectsOf(step)) {
    if (e.kind != Effect::BarrierArrive)
      continue;
    CtaBarrier &b = w.cta->barriers[e.offset];
    b.isActive = true;
    b.expected = e.expected;
    b.arrived += e.count;
    if (e.waits) {
      b.waiting.push_back(&w);
      suspend(w, Stall::Barrier, now);
    }
    if (b.arrived >= (b.expected ? b.expected : w.cta->liveThreads))
      completeBarrier(*w.cta, b, now);
  }
}

void Simulation::completeBarrier(Cta &, CtaBarrier &b, double now) {
  const std::vector<Warp *> waiting = std::move(b.waiting);
  b = CtaBarrier();
  for (Warp *w : waiting)
    resume(*w, now + model.sync.barrier);
}

void Simulation::recheckBarriers(Cta &cta, double now) {
  for (CtaBarrier &b : cta.barriers)
    if (b.isActive && !b.expected && cta.liveThreads && b.arrived >= cta.liveThreads)
      completeBarrier(cta, b, now);
}

//===----------------------------------------------------------------------===//
// The cluster's barrier
//===----------------------------------------------------------------------===//

void Simulation::reachClusterBarrier(Warp &w, const StaticInstruction &s, double now) {
  ClusterState &cluster = *w.cta->cluster;
  if (s.action == Action::ClusterArrive) {
    cluster.arrivedIn[&w] = cluster.phase;
    cluster.arrived += w.cta->threadsOf(w);
    return recheckClusterBarrier(cluster, now);
  }
  if (cluster.arrivedIn[&w] == cluster.phase) {
    cluster.waiting.push_back(&w);
    return suspend(w, Stall::Barrier, now);
  }
  sleep(w, Stall::Barrier, now, cluster.passable);
}

void Simulation::recheckClusterBarrier(ClusterState &cluster, double now) {
  if (!cluster.liveThreads || cluster.arrived < cluster.liveThreads)
    return;
  ++cluster.phase;
  cluster.arrived = 0;
  const auto ctas = static_cast<double>(cluster.ctas.size());
  const double cost =
      ctas > 1 ? (model.sync.clusterNs + (ctas - 2) * model.sync.clusterPerCtaNs) * ghz : model.sync.barrier;
  cluster.passable = now + cost;
  for (Warp *w : std::exchange(cluster.waiting, {}))
    resume(*w, cluster.passable);
}

} // namespace ptxemu::timing
