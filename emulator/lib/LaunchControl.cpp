//===- LaunchControl.cpp - clusterlaunchcontrol --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "BulkCopy.h"
#include "Decoder.h"
#include "ExecutionObserver.h"
#include "Machine.h"
#include "MbarrierState.h"
#include <algorithm>
#include <cstring>

namespace ptxemu {

namespace {

constexpr uint32_t kResponseBytes = 16, kResponseMark = 0x43a9c1ec;

/// What try_cancel writes, opaque to programs.
struct Response {
  uint32_t mark, x, y, z; ///< `mark`: kResponseMark, its lowest bit set when a cluster was cancelled
};

void announceWrite(Exec &x, Cta &cta, uint32_t at, uint32_t engine, uint32_t clock, unsigned lane) {
  if (at < kReservedShared || at + kResponseBytes > cta.shared.size())
    throw Fault{"out-of-bounds", "the response at " + hexText(at) + " lies outside shared memory",
                static_cast<int>(lane)};
  const Place place{Space::Shared, &cta, at};
  if (x.machine.launchOptions().strict) // as the ISA's example has it
    x.machine.races().checkReadsFenced(x, cta.shared.shadow, at, kResponseBytes, place);
  x.machine.races().checkAsync(x, cta.shared.shadow, at, kResponseBytes, AccessKind::Write, engine, clock, place);
  std::fill_n(cta.shared.initialized.begin() + at, kResponseBytes, uint8_t(kInFlight));
}

void deliver(Machine &m, Cta &cta, uint32_t at, uint64_t barrier, const Response &r, uint32_t engine, uint32_t clock) {
  std::memcpy(cta.shared.bytes.data() + at, &r, kResponseBytes);
  std::fill_n(cta.shared.initialized.begin() + at, kResponseBytes, uint8_t(kInitialized));
  m.progressMade();
  auto it = cta.mbarriers.find(barrier);
  if (it == cta.mbarriers.end())
    throw Fault{"mbarrier", "a response completes on an mbarrier that has been invalidated meanwhile", -1};
  --it->second.inFlight;
  m.races().complete(it->second.point, cta, engine, clock);
  completeTransactions(m, cta, barrier, it->second, kResponseBytes);
}

struct Target {
  Cta *cta;
  uint32_t engine, clock;
};

void request(Exec &x, const Inst &inst, unsigned lane) {
  if (x.cta.cancelFailed)
    throw Fault{"launch-control", "the CTA asks again although it has seen a request fail", static_cast<int>(lane)};
  Place at = resolve(x, inst.space, x.s(0)[lane] + static_cast<uint64_t>(inst.offset), lane);
  Place barrier = barrierPlace(x, inst.space, x.s(1)[lane] + static_cast<uint64_t>(inst.offset2), lane);
  if (at.space != Space::Shared || at.cta != &x.cta || barrier.cta != &x.cta)
    throw Fault{"out-of-bounds", "the response and its mbarrier lie in the CTA's own shared memory",
                static_cast<int>(lane)};
  if (at.offset % kResponseBytes)
    throw Fault{"misaligned", "a response is aligned to 16 bytes", static_cast<int>(lane)};
  std::vector<Target> targets;
  for (auto &cta : x.cta.cluster->ctas) {
    if (!inst.flag && cta.get() != &x.cta)
      continue;
    if (cta->liveThreads == 0)
      throw Fault{"launch-control", "a CTA of the cluster that a response is multicast to has exited",
                  static_cast<int>(lane)};
    Mbarrier &b = mbarrierAt(x, *cta, barrier.offset, lane);
    x.machine.races().checkInit(x, b.init, barrier.offset, lane, true);
    ++b.inFlight;
    Target t{cta.get(), engineOf(*x.cta.cluster, b), 0};
    t.clock = ++b.engineClock;
    announceWrite(x, *cta, static_cast<uint32_t>(at.offset), t.engine, t.clock, lane);
    targets.push_back(t);
    if (ExecutionObserver *observer = x.machine.observer())
      observer->launchCancelled(x, *cta, barrier.offset, kResponseBytes);
  }
  Machine &m = x.machine;
  m.later(
      [&m, targets, at = static_cast<uint32_t>(at.offset), barrier = barrier.offset] {
        auto first = m.cancelCluster();
        Response r{kResponseMark, 0, 0, 0};
        if (first)
          r = {kResponseMark | 1, (*first)[0], (*first)[1], (*first)[2]};
        for (const Target &t : targets)
          deliver(m, *t.cta, at, barrier, r, t.engine, t.clock);
      },
      m.launchOptions().seed ? 400 : 0, true);
}

/// s: response, mbarrier; flag: multicast
void tryCancel(Exec &x, const Inst &inst) {
  x.forLanes([&](unsigned lane) { request(x, inst, lane); });
}

Response responseOf(Exec &x, unsigned lane) {
  uint64_t words[2] = {x.s(0)[lane], x.source(x.inst->s[0] + 1)[lane]};
  Response r;
  std::memcpy(&r, words, sizeof r);
  if ((r.mark & ~1u) != kResponseMark)
    throw Fault{"launch-control", "the operand is not a response of clusterlaunchcontrol.try_cancel",
                static_cast<int>(lane)};
  return r;
}

/// s: response; pd: whether a cluster was cancelled
void isCanceled(Exec &x, const Inst &inst) {
  uint32_t canceled = 0;
  x.forLanes([&](unsigned lane) {
    if (responseOf(x, lane).mark & 1)
      canceled |= 1u << lane;
    else
      x.cta.cancelFailed = true;
  });
  x.setPredicate(inst.pd[0], canceled);
}

/// s: response; d: coordinates; mode: the first of them
void firstCta(Exec &x, const Inst &inst) {
  x.forLanes([&](unsigned lane) {
    Response r = responseOf(x, lane);
    if (!(r.mark & 1))
      throw Fault{"launch-control", "the response says that no cluster was cancelled: there is no CTA to name",
                  static_cast<int>(lane)};
    uint32_t ids[4] = {r.x, r.y, r.z, 0};
    for (unsigned i = 0; i < inst.d.size(); ++i)
      x.d(i)[lane] = ids[inst.mode + i];
  });
}

void decodeTryCancel(OpReader &r) {
  r.expectAny({".async"}, ".async");
  r.inst.space = r.acceptSpace();
  r.expectAny({".mbarrier::complete_tx::bytes"}, ".mbarrier::complete_tx::bytes");
  r.inst.flag = r.accept(".multicast::cluster::all");
  r.type({Type::B128});
  r.expectCount(2, 2);
  r.address(r.operand(0), r.inst.space);
  int64_t offset = r.inst.offset;
  r.address(r.operand(1), r.inst.space);
  r.inst.offset2 = r.inst.offset;
  r.inst.offset = offset;
  r.inst.handler = tryCancel;
}

void decodeQuery(OpReader &r) {
  r.expectCount(2, 2);
  if (r.accept(".is_canceled")) {
    r.expectAny({".pred"}, ".pred");
    r.type({Type::B128});
    r.inst.pd.push_back(r.predicateDestination(r.operand(0)));
    r.inst.handler = isCanceled;
  } else {
    std::string which = r.expectAny(
        {".get_first_ctaid", ".get_first_ctaid::x", ".get_first_ctaid::y", ".get_first_ctaid::z"}, "a query");
    bool all = which == ".get_first_ctaid";
    if (all)
      r.expectAny({".v4"}, ".v4");
    else
      r.inst.mode = static_cast<uint8_t>(which.back() - 'x');
    r.type({Type::B32});
    r.type({Type::B128});
    auto list = r.elements(r.operand(0));
    if (list.size() != (all ? 4 : 1))
      r.fail(all ? "needs 4 registers" : "needs 1 register");
    for (const ast::Operand *o : list)
      r.inst.d.push_back(r.destination(*o, Type::B32));
    r.inst.handler = firstCta;
  }
  r.addSource(1, Type::B128);
}

void decodeLaunchControl(OpReader &r) {
  r.inst.opClass = OpClass::Async;
  if (r.accept(".try_cancel"))
    decodeTryCancel(r);
  else if (r.accept(".query_cancel"))
    decodeQuery(r);
}

} // namespace

void addLaunchControlOps(OpcodeTable &t) {
  t["clusterlaunchcontrol"] = decodeLaunchControl;
}

} // namespace ptxemu
