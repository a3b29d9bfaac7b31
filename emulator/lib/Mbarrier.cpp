//===- Mbarrier.cpp - mbarrier instructions ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "ExecutionObserver.h"
#include "FunctionDecoder.h"
#include "Lanewise.h"
#include "Machine.h"
#include "MbarrierState.h"
#include "MemoryModifiers.h"
#include <algorithm>
#include <cstring>

namespace ptxemu {

namespace {

constexpr int64_t kMostTransactions = (1 << 20) - 1;

/// The opaque 64-bit state: phase number, then pending arrivals.
uint64_t stateToken(const Mbarrier &b) {
  return b.phase << 24 | b.pending;
}

void completePhase(Machine &m, Cta &cta, uint64_t offset, Mbarrier &b) {
  while (b.pending == 0 && b.transactions == 0) {
    ++b.phase;
    b.pending = b.expected;
    b.lastPoint = std::exchange(b.point, ScopedPoint());
    m.progressMade();
    m.wakeWaiting(cta, Wait::Mbarrier, offset);
    if (b.expected == 0)
      break;
  }
}

} // namespace

Mbarrier &mbarrierAt(Exec &, Cta &cta, uint64_t offset, unsigned lane) {
  auto it = cta.mbarriers.find(offset);
  if (it == cta.mbarriers.end())
    throw Fault{"mbarrier", "there is no initialised mbarrier at shared address " + hexText(offset),
                static_cast<int>(lane)};
  return it->second;
}

void arriveOn(Machine &m, Cta &cta, uint64_t offset, Mbarrier &b, unsigned count, unsigned lane) {
  if (count > b.pending)
    throw Fault{"mbarrier",
                "arriving " + std::to_string(count) + " times at the mbarrier at " + hexText(offset) + ", of whose " +
                    std::to_string(b.expected) + " arrivals a phase only " + std::to_string(b.pending) + " are pending",
                static_cast<int>(lane)};
  b.pending -= count;
  completePhase(m, cta, offset, b);
}

void expectTransactions(Mbarrier &b, int64_t bytes, unsigned lane) {
  b.transactions += bytes;
  if (b.transactions > kMostTransactions || b.transactions < -kMostTransactions)
    throw Fault{"mbarrier", "the transaction count leaves its range of ±(2^20 - 1)", static_cast<int>(lane)};
}

void completeTransactions(Machine &m, Cta &cta, uint64_t offset, Mbarrier &b, int64_t bytes) {
  b.transactions -= bytes;
  if (b.transactions < -kMostTransactions)
    throw Fault{"mbarrier", "the transaction count of the mbarrier at " + hexText(offset) + " underflows", -1};
  completePhase(m, cta, offset, b);
}

uint32_t newEngine(Cluster &c) {
  // Beyond the reserved number engines share strands, which can only hide races, never invent them.
  uint32_t warps = 0;
  for (auto &cta : c.ctas)
    warps += static_cast<uint32_t>(cta->warps.size());
  return c.firstStrand + warps + c.engines++ % kEngineStrands;
}

uint32_t engineOf(Cluster &c, Mbarrier &b) {
  if (b.engine == ~0u)
    b.engine = newEngine(c);
  return b.engine;
}

namespace {

struct Located {
  Cta *cta;
  uint64_t offset;
};

Located locate(Exec &x, const Inst &inst, unsigned lane) {
  uint64_t address = x.s(0)[lane] + static_cast<uint64_t>(inst.offset);
  Place p = resolve(x, inst.space, address, lane);
  if (p.space != Space::Shared)
    throw Fault{"mbarrier", "an mbarrier lies in shared memory, but " + hexText(address) + " does not",
                static_cast<int>(lane)};
  if (p.offset % 8)
    throw Fault{"misaligned", "an mbarrier is aligned to 8 bytes, but its address is " + hexText(p.offset),
                static_cast<int>(lane)};
  if (p.offset < kReservedShared || p.offset + 8 > p.cta->shared.size())
    throw Fault{"out-of-bounds", "the mbarrier at " + hexText(p.offset) + " lies outside shared memory",
                static_cast<int>(lane)};
  return {p.cta, p.offset};
}

//===--- init, inval ------------------------------------------------------===//

void init(Exec &x, const Inst &inst) {
  x.forLanes([&](unsigned l) {
    Located at = locate(x, inst, l);
    uint64_t count = static_cast<uint32_t>(x.s(1)[l]);
    if (count < 1 || count > (1 << 20) - 1)
      throw Fault{"mbarrier", "the arrival count " + std::to_string(count) + " is not within 1 … 2^20 - 1",
                  static_cast<int>(l)};
    if (at.cta->mbarriers.count(at.offset))
      throw Fault{"mbarrier",
                  "the mbarrier at " + hexText(at.offset) + " is already initialised (mbarrier.inval it first)",
                  static_cast<int>(l)};
    for (const auto &[offset, other] : at.cta->mbarriers)
      if (offset < at.offset + 8 && at.offset < offset + 8)
        throw Fault{"mbarrier", "it overlaps the mbarrier at " + hexText(offset), static_cast<int>(l)};
    // Ordinary accesses of the bytes are ordered like a store of this thread; the contents are opaque.
    accessShared(x, *at.cta, at.offset, 8, l, {AccessKind::Write});
    Mbarrier b;
    b.expected = b.pending = static_cast<uint32_t>(count);
    b.init = x.machine.races().initialisation(x, l);
    if (ExecutionObserver *observer = x.machine.observer())
      observer->mbarrierInitialized(x, *at.cta, at.offset, b.expected);
    at.cta->mbarriers[at.offset] = std::move(b);
    std::fill_n(at.cta->shared.initialized.begin() + static_cast<std::ptrdiff_t>(at.offset), 8, uint8_t(kOpaque));
  });
  x.machine.progressMade();
}

void invalidate(Exec &x, const Inst &inst) {
  x.forLanes([&](unsigned l) {
    Located at = locate(x, inst, l);
    if (mbarrierAt(x, *at.cta, at.offset, l).inFlight)
      throw Fault{"mbarrier", "asynchronous operations are still to signal the mbarrier that is invalidated",
                  static_cast<int>(l)};
    for (auto &w : at.cta->warps)
      for (const Fragment &f : w->fragments)
        if (f.wait == Wait::Mbarrier && f.waitKey == at.offset)
          throw Fault{"mbarrier",
                      "warp " + std::to_string(w->index) + " still waits for the mbarrier that is invalidated",
                      static_cast<int>(l)};
    at.cta->mbarriers.erase(at.offset);
    // The memory may be used for something else; what it holds is undefined.
    std::fill_n(at.cta->shared.initialized.begin() + static_cast<std::ptrdiff_t>(at.offset), 8,
                uint8_t(kUninitialized));
  });
}

//===--- arrive, expect, complete -----------------------------------------===//

enum ArriveMode : uint8_t { kPlain, kExpectTx, kNoComplete };

/// Stands for "no scope" in mode3.
constexpr uint8_t kUnscoped = 255;

/// Without a scope the ISA says .cta (PTX ISA, mbarrier.arrive, mbarrier.test_wait); software relies on remote arrivals
/// being seen all the same (CUTLASS writes no scope), so only a scope that is written is taken at its word.
Reach reachOf(const Inst &inst) {
  return inst.mode3 == kUnscoped ? Reach::Cluster : static_cast<Reach>(inst.mode3);
}

void synchronizeArrival(Exec &x, const Inst &inst, uint32_t lanes, Mbarrier &b) {
  RaceChecker &races = x.machine.races();
  if (inst.flag2)
    races.release(x.warp, lanes, b.point, reachOf(inst));
  else
    races.releaseRelaxed(x.warp, lanes, b.point, reachOf(inst));
}

/// s: address, [count or bytes]. flag: drop; flag2: release semantics; mode: ArriveMode; mode3: scope.
void arrive(Exec &x, const Inst &inst) {
  Mbarrier *current = nullptr;
  uint32_t together = 0; // lanes that arrive at `current` in the same phase: one release for all of them
  x.forLanes([&](unsigned l) {
    Located at = locate(x, inst, l);
    Mbarrier &b = mbarrierAt(x, *at.cta, at.offset, l);
    x.machine.races().checkInit(x, b.init, at.offset, l, false);
    x.machine.races().reach(x, *at.cta, l);
    if (at.cta != &x.cta && !inst.d.empty() && inst.d[0] != kSink)
      throw Fault{"mbarrier", "a remote arrive has no result", static_cast<int>(l)};
    uint32_t operand = inst.s.size() > 1 ? static_cast<uint32_t>(x.s(1)[l]) : 1,
             count = inst.mode == kExpectTx ? 1 : operand;
    if (inst.mode == kExpectTx)
      expectTransactions(b, operand, l);
    uint64_t token = stateToken(b);
    if (inst.mode == kNoComplete && count >= b.pending)
      throw Fault{"mbarrier", "arrive.noComplete would complete the phase", static_cast<int>(l)};
    if (inst.flag) {
      if (b.expected < count)
        throw Fault{"mbarrier", "arrive_drop lowers the arrival count below zero", static_cast<int>(l)};
      b.expected -= count;
    }
    if (current && current != &b)
      synchronizeArrival(x, inst, std::exchange(together, 0u), *current);
    current = &b;
    together |= 1u << l;
    bool last = x.mask >> l == 1;
    if (last || count >= b.pending)
      synchronizeArrival(x, inst, std::exchange(together, 0u), b);
    if (ExecutionObserver *observer = x.machine.observer())
      observer->mbarrierArrived(x, *at.cta, at.offset, count, inst.mode == kExpectTx ? operand : 0);
    arriveOn(x.machine, *at.cta, at.offset, b, count, l);
    if (!inst.d.empty())
      x.d()[l] = token;
  });
}

/// mode 0 expect_tx, 1 complete_tx
void transactions(Exec &x, const Inst &inst) {
  x.forLanes([&](unsigned l) {
    Located at = locate(x, inst, l);
    Mbarrier &b = mbarrierAt(x, *at.cta, at.offset, l);
    int64_t bytes = static_cast<uint32_t>(x.s(1)[l]);
    x.machine.races().checkInit(x, b.init, at.offset, l, false);
    x.machine.races().reach(x, *at.cta, l);
    if (ExecutionObserver *observer = x.machine.observer())
      observer->mbarrierArrived(x, *at.cta, at.offset, 0, inst.mode == 0 ? bytes : -bytes);
    if (inst.mode == 0)
      expectTransactions(b, bytes, l);
    else
      completeTransactions(x.machine, *at.cta, at.offset, b, bytes);
  });
}

//===--- test_wait, try_wait ----------------------------------------------===//

void synchronizeWait(Exec &x, const Inst &inst, uint32_t lanes, const Mbarrier &b) {
  RaceChecker &races = x.machine.races();
  if (inst.flag2)
    races.acquire(x.warp, lanes, b.lastPoint, reachOf(inst));
  else
    races.acquireRelaxed(x.warp, lanes, b.lastPoint, reachOf(inst));
}

/// s: address, state or parity. mode: 1 try; flag: parity; flag2: acquire semantics; mode3: scope.
void waitMbarrier(Exec &x, const Inst &inst) {
  uint32_t done = 0;
  uint64_t offset = 0, phaseValue = 0;
  bool uniform = true;
  const Mbarrier *passed = nullptr;
  uint32_t together = 0; // lanes that have passed the same mbarrier
  unsigned first = static_cast<unsigned>(std::countr_zero(x.mask));
  x.forLanes([&](unsigned l) {
    Located at = locate(x, inst, l);
    if (at.cta != &x.cta)
      throw Fault{"mbarrier", "a thread can wait only for an mbarrier of its own CTA", static_cast<int>(l)};
    Mbarrier &b = mbarrierAt(x, *at.cta, at.offset, l);
    x.machine.races().checkInit(x, b.init, at.offset, l, false);
    uint64_t value = x.s(1)[l];
    bool complete;
    if (inst.flag) {
      if (static_cast<uint32_t>(value) > 1)
        throw Fault{"mbarrier", "the phase parity is 0 or 1, not " + std::to_string(static_cast<uint32_t>(value)),
                    static_cast<int>(l)};
      complete = (b.phase & 1) != (value & 1);
    } else {
      uint64_t phase = value >> 24;
      if (b.phase != phase && b.phase != phase + 1)
        throw Fault{"mbarrier", "the state names a phase that is neither the current nor the one before it",
                    static_cast<int>(l)};
      complete = b.phase != phase;
    }
    done |= static_cast<uint32_t>(complete) << l;
    if (l == first)
      offset = at.offset, phaseValue = inst.flag ? value & 1 : value >> 24;
    uniform &= at.offset == offset;
    if (!complete)
      return;
    if (passed && passed != &b)
      synchronizeWait(x, inst, std::exchange(together, 0u), *passed);
    passed = &b;
    together |= 1u << l;
  });
  if (together)
    synchronizeWait(x, inst, together, *passed);
  // try_wait may suspend the thread; it may also give up at any time.
  if (inst.mode && !done && uniform && (x.machine.launchOptions().seed == 0 || x.machine.random().below(4))) {
    x.fragment->wait = Wait::Mbarrier;
    x.fragment->waitKey = offset;
    x.fragment->waitValue = phaseValue;
    x.repeat = true;
    ++x.machine.counters().barrierWaits;
    return;
  }
  if (ExecutionObserver *observer = x.machine.observer(); observer && passed)
    observer->mbarrierPassed(x, offset, passed->phase);
  x.setPredicate(inst.pd[0], done);
}

void pendingCount(Exec &x, const Inst &) {
  const Lanes &state = x.s(0);
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) { d[l] = state[l] & 0xffffff; });
}

//===--- Decoding ---------------------------------------------------------===//

/// Semantics (flag2: orders memory) and scope (mode3: a Reach, or kUnscoped).
void readSemantics(OpReader &r) {
  r.inst.flag2 = !r.accept(".relaxed");
  r.ignore({".release", ".acquire"});
  const Scope scope = readScope(r);
  r.inst.mode3 = scope == Scope::None  ? kUnscoped
                 : scope == Scope::Cta ? static_cast<uint8_t>(Reach::Cta)
                                       : static_cast<uint8_t>(Reach::Cluster);
}

void decodeArrive(OpReader &r, bool drop) {
  r.inst.flag = drop;
  r.inst.mode = r.accept(".expect_tx") ? kExpectTx : r.accept(".noComplete") ? kNoComplete : kPlain;
  readSemantics(r);
  r.inst.space = r.acceptSpace();
  r.type({Type::B64});
  size_t next = 0;
  if (r.operand(0).kind != ast::Operand::Address)
    r.inst.d.push_back(r.destination(r.operand(next++), Type::B64));
  r.expectCount(next + (r.inst.mode == kPlain ? 1 : 2), next + 2);
  r.address(r.operand(next++), r.inst.space);
  if (next < r.count())
    r.addSource(next, Type::U32);
  r.inst.handler = arrive;
}

void decodeWait(OpReader &r, bool tries) {
  r.inst.mode = tries;
  r.inst.flag = r.accept(".parity");
  readSemantics(r);
  r.inst.space = r.acceptSpace();
  r.type({Type::B64});
  r.expectCount(3, tries ? 4 : 3);
  r.inst.pd.push_back(r.predicateDestination(r.operand(0)));
  r.address(r.operand(1), r.inst.space);
  r.addSource(2, r.inst.flag ? Type::U32 : Type::B64);
  r.inst.handler = waitMbarrier;
}

void decodeMbarrier(OpReader &r) {
  r.inst.opClass = OpClass::Barrier;
  if (r.accept(".init")) {
    r.inst.space = r.acceptSpace();
    r.type({Type::B64});
    r.expectCount(2, 2);
    r.address(r.operand(0), r.inst.space);
    r.addSource(1, Type::U32);
    r.inst.handler = init;
  } else if (r.accept(".inval")) {
    r.inst.space = r.acceptSpace();
    r.type({Type::B64});
    r.expectCount(1, 1);
    r.address(r.operand(0), r.inst.space);
    r.inst.handler = invalidate;
  } else if (r.accept(".arrive")) {
    decodeArrive(r, false);
  } else if (r.accept(".arrive_drop")) {
    decodeArrive(r, true);
  } else if (r.accept(".test_wait")) {
    decodeWait(r, false);
  } else if (r.accept(".try_wait")) {
    decodeWait(r, true);
  } else if (r.accept(".pending_count")) {
    r.type({Type::B64});
    r.expectCount(2, 2);
    r.addDestination(0, Type::U32);
    r.addSource(1, Type::B64);
    r.inst.handler = pendingCount;
  } else if (r.has(".expect_tx") || r.has(".complete_tx")) {
    r.inst.mode = r.acceptAny({".expect_tx", ".complete_tx"}) == ".complete_tx";
    readSemantics(r);
    r.inst.space = r.acceptSpace();
    r.type({Type::B64});
    r.expectCount(2, 2);
    r.address(r.operand(0), r.inst.space);
    r.addSource(1, Type::U32);
    r.inst.handler = transactions;
  }
}

} // namespace

void addMbarrierOps(OpcodeTable &t) {
  t["mbarrier"] = decodeMbarrier;
}

} // namespace ptxemu
