//===- SimulationTensor.cpp - tcgen05 and tensor memory of an SM ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulationState.h"
#include <algorithm>

namespace ptxemu::timing {

//===----------------------------------------------------------------------===//
// What the tensor core is given
//===----------------------------------------------------------------------===//

/// One after another in the order of issue, whichever CTA of the SM issues; those of a pair at once on both SMs.
void Simulation::giveTensorCore(Warp &w, const Effect &e, double cycles, const std::string &what, double now) {
  const ClusterState &cluster = *w.cta->cluster;
  const bool isPair = (e.targets & (e.targets - 1)) != 0;
  double start = now;
  for (const auto &cta : cluster.ctas)
    if (e.targets >> cta->rank & 1)
      for (double free : cta->sm->tensorFree)
        start = std::max(start, free);
  double done = start + cycles;
  for (const auto &cta : cluster.ctas) {
    if (!(e.targets >> cta->rank & 1))
      continue;
    const double read = cta->sm->port.readOperands(start, static_cast<double>(e.bytes) / model.shared.bytes);
    done = std::max(done, read + (isPair ? model.tcgen05.pair : 0));
    activity.tensorCycles += cycles;
  }
  for (const auto &cta : cluster.ctas) {
    if (!(e.targets >> cta->rank & 1))
      continue;
    for (double &free : cta->sm->tensorFree)
      free = done;
    unitSpan(*cta->sm, "tensor cores", what, start, done);
  }
  w.tensorDone = std::max(w.tensorDone, done);
}

void Simulation::useTensorCore(Warp &w, const Step &step, const StaticInstruction &s, double now) {
  for (const Effect &e : trace.effectsOf(step)) {
    if (e.kind == Effect::TensorMultiply) {
      const TensorProduct &p = trace.products[e.product];
      activity.operations[p.bits] += p.operations;
      activity.halfOperations += p.operations * p.bits / 16;
      giveTensorCore(w, e, model.tensorProductCycles(p.columns, p.rowBytes),
                     "tcgen05.mma n" + std::to_string(p.columns), now);
    } else if (e.kind == Effect::TensorCopy) {
      giveTensorCore(w, e, 0, "copy", now);
    }
  }
  if (s.action == Action::TensorMultiply)
    w.ready = w.counted = std::max(w.ready, now + model.tcgen05.issue);
}

void Simulation::commitTensorCore(Warp &w, const Step &step, double now) {
  for (const Effect &e : trace.effectsOf(step)) {
    if (e.kind != Effect::TensorCommit)
      continue;
    // The figure includes the wait that sees it.
    Event arrival{std::max(now, w.tensorDone + std::max(0.0, model.tcgen05.completion - model.sync.wake)), 0,
                  Event::Transaction};
    arrival.cta = w.cta->cluster->ctas[e.cta].get();
    arrival.offset = e.offset;
    arrival.arrivals = 1;
    push(arrival);
  }
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

void Simulation::moveTensorMemory(Warp &w, const StaticInstruction &s, double now) {
  // A warp reaches a quarter of the lanes.
  Sm &sm = *w.cta->sm;
  const unsigned quarter = w.index % 4;
  if (s.isStore) {
    const double cycles = s.tensorBytes / model.tensorMemory.storeBytes;
    w.tensorStores =
        std::max(w.tensorStores, sm.tensorStores[quarter].reserve(now, cycles) + model.tensorMemory.storeLatency);
    return;
  }
  const double cycles = s.tensorBytes / model.tensorMemory.loadBytes;
  const double done = sm.tensorLoads[quarter].reserve(now, cycles) + model.tensorMemory.loadLatency;
  w.tensorLoads = std::max(w.tensorLoads, done);
  setResult(w, s, done, Stall::TensorMemory);
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

void Simulation::holdColumns(Cta &cta, double columns, double now) {
  Sm &sm = *cta.sm;
  sm.columnCycles += sm.columnsHeld * (now - sm.columnsSince);
  sm.columnsSince = now;
  sm.columnsHeld += columns;
  cta.columns += columns;
  activity.mostColumns = std::max(activity.mostColumns, cta.columns);
  while (!sm.waitingForColumns.empty() &&
         sm.columnsHeld + sm.waitingForColumns.front().second <= model.tensorMemory.columns) {
    const auto [next, wanted] = sm.waitingForColumns.front();
    sm.waitingForColumns.pop_front();
    holdColumns(*next->cta, wanted, now);
    resume(*next, now + model.sync.arrive);
  }
}

/// Whose columns they are: those of a pair are the same in both SMs, and counted in the first.
Simulation::Cta &Simulation::columnsOwner(Cta &cta, const Effect &e) {
  return e.isPair ? *cta.cluster->ctas[cta.rank & ~1u] : cta;
}

void Simulation::allocateTensorMemory(Warp &w, const Step &step, const StaticInstruction &s, double now) {
  setResult(w, s, now + model.classes[static_cast<unsigned>(IssueClass::Uniform)].latency, Stall::Dependency);
  for (const Effect &e : trace.effectsOf(step)) {
    Cta &owner = columnsOwner(*w.cta, e);
    if (&owner != w.cta)
      continue;
    if (e.kind == Effect::TensorFree) {
      holdColumns(owner, -static_cast<double>(e.count), now);
    } else if (e.kind == Effect::TensorAllocate) {
      Sm &sm = *owner.sm;
      if (sm.waitingForColumns.empty() && sm.columnsHeld + e.count <= model.tensorMemory.columns) {
        holdColumns(owner, e.count, now);
      } else {
        sm.waitingForColumns.push_back({&w, e.count});
        activity.waitsForColumns = true;
        suspend(w, Stall::TensorMemory, now);
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Launch control
//===----------------------------------------------------------------------===//

void Simulation::cancelLaunch(Warp &w, const Step &step, double now) {
  w.cta->cluster->requests.push_back(now);
  for (const Effect &e : trace.effectsOf(step)) {
    if (e.kind != Effect::LaunchCancel)
      continue;
    Event response{now + std::max(0.0, model.launch.cancelCycles - model.sync.wake), 0, Event::Transaction};
    response.cta = w.cta->cluster->ctas[e.cta].get();
    response.offset = e.offset;
    response.bytes = e.bytes;
    push(response);
  }
}

} // namespace ptxemu::timing
