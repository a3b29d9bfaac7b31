//===- ClusterOps.cpp - barrier.cluster ----------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Machine.h"

namespace ptxemu {

namespace {

/// flag: .arrive (else .wait).
void clusterBarrier(Exec &x, const Inst &inst) {
  Cluster &c = *x.cta.cluster;
  if (inst.flag) {
    x.forLanes([&](unsigned l) {
      if (x.warp.clusterArrived >> l & 1)
        throw Fault{"barrier-mismatch", "the thread arrives at the cluster barrier a second time without waiting",
                    static_cast<int>(l)};
    });
    if (inst.flag2)
      x.machine.races().releaseRelaxed(x.warp, x.mask, c.point, Reach::Cluster);
    else
      x.machine.races().release(x.warp, x.mask, c.point);
    x.warp.clusterArrived |= x.mask;
    x.forLanes([&](unsigned l) { x.warp.clusterPhase[l] = c.phase; });
    c.arrived += static_cast<unsigned>(std::popcount(x.mask));
    x.machine.recheckClusterBarrier(c);
    return;
  }
  bool mustWait = false;
  x.forLanes([&](unsigned l) {
    if (!(x.warp.clusterArrived >> l & 1))
      throw Fault{"barrier-mismatch", "the thread waits at the cluster barrier without having arrived",
                  static_cast<int>(l)};
    mustWait |= x.warp.clusterPhase[l] == c.phase;
  });
  if (mustWait) {
    x.fragment->wait = Wait::ClusterBarrier;
    x.fragment->waitKey = 0;
    x.repeat = true;
    ++x.machine.counters().barrierWaits;
    return;
  }
  x.warp.clusterArrived &= ~x.mask;
  x.machine.races().acquire(x.warp, x.mask, c.lastPoint);
}

} // namespace

void Machine::recheckClusterBarrier(Cluster &c) {
  unsigned live = 0;
  for (auto &cta : c.ctas)
    live += cta->liveThreads;
  if (!live || c.arrived < live)
    return;
  ++c.phase;
  c.arrived = 0;
  c.lastPoint = std::move(c.point);
  c.point = SyncPoint();
  progressMade();
  for (auto &cta : c.ctas)
    wakeWaiting(*cta, Wait::ClusterBarrier, 0);
}

void decodeClusterBarrier(OpReader &r) {
  r.inst.opClass = OpClass::Barrier;
  r.inst.flag = r.expectAny({".arrive", ".wait"}, ".arrive or .wait") == ".arrive";
  std::string order = r.acceptAny({".release", ".relaxed", ".acquire"});
  r.inst.flag2 = order == ".relaxed";
  if (r.accept(".aligned"))
    r.inst.flags |= kAligned;
  r.expectCount(0, 0);
  r.inst.handler = clusterBarrier;
}

} // namespace ptxemu
