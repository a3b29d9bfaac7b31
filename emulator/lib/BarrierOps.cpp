//===- BarrierOps.cpp - CTA, warp and cluster barriers, fences -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "ExecutionObserver.h"
#include "Lanewise.h"
#include "Machine.h"
#include "MemoryModifiers.h"
#include "ptx-emulator/TensorMap.h"

namespace ptxemu {

namespace {

enum BarrierAction : uint8_t { kSync, kArrive, kPopc, kAnd, kOr };

/// Gives the threads that waited with bar.red their result.
void deliverReduction(const Barrier &b, Frame &frame, const Inst &inst, uint32_t mask) {
  if (inst.mode == kPopc) {
    if (inst.d[0] == kSink)
      return;
    for (unsigned l = 0; l < 32; ++l)
      if (mask >> l & 1)
        frame.registers[inst.d[0]][l] = b.reduceCount;
    frame.defined[inst.d[0]] |= mask;
  } else if (inst.mode == kAnd || inst.mode == kOr) {
    bool value = inst.mode == kAnd ? b.reduceAnd : b.reduceOr;
    if (inst.pd[0] < 0)
      return;
    uint32_t &p = frame.predicates[inst.pd[0] >> 1];
    p = value ? p | mask : p & ~mask;
    frame.predicatesDefined[inst.pd[0] >> 1] |= mask;
  }
}

void complete(Machine &m, Cta &cta, unsigned id) {
  Barrier &b = cta.barriers[id];
  for (auto &w : cta.warps)
    for (Fragment &f : w->fragments)
      if (f.wait == Wait::Barrier && f.waitKey == id) {
        m.races().acquire(*w, f.mask, b.point);
        m.races().meet(*w, f.mask);
        deliverReduction(b, *f.frame, f.frame->function->code[f.pc - 1], f.mask);
        m.wake(*w, f);
      }
  uint64_t phase = b.phase + 1;
  b = Barrier();
  b.phase = phase;
  m.progressMade();
}

void barrier(Exec &x, const Inst &inst) {
  unsigned first = static_cast<unsigned>(std::countr_zero(x.mask));
  uint64_t id = x.s(0)[first];
  bool hasCount = inst.s.size() > 1;
  unsigned count = hasCount ? static_cast<unsigned>(x.s(1)[first]) : 0;
  x.forLanes([&](unsigned l) {
    if (x.s(0)[l] != id || (hasCount && x.s(1)[l] != count))
      throw Fault{"barrier-mismatch", "lanes of one warp name different barriers or thread counts",
                  static_cast<int>(l)};
  });
  if (id > 15)
    throw Fault{"barrier-mismatch", "barrier " + std::to_string(id) + " does not exist: there are 16",
                static_cast<int>(first)};
  if (hasCount && (count == 0 || count % 32 || count > (x.cta.threads + 31) / 32 * 32))
    throw Fault{"barrier-mismatch",
                "thread count " + std::to_string(count) + " is not a positive multiple of 32 within the CTA's " +
                    std::to_string(x.cta.threads) + " threads",
                static_cast<int>(first)};
  Barrier &b = x.cta.barriers[id];
  if (b.active && b.expected != count)
    throw Fault{"barrier-mismatch",
                "barrier " + std::to_string(id) + " is waited for with " + (count ? std::to_string(count) : "all") +
                    " threads here, but line " + std::to_string(b.firstLine) + " opened it with " +
                    (b.expected ? std::to_string(b.expected) : "all"),
                static_cast<int>(first)};
  if (!b.active) {
    b.active = true;
    b.expected = count;
    b.firstLine = inst.line;
  }
  x.machine.races().release(x.warp, x.mask, b.point);
  // Where threads are counted whole warps arrive, also one whose last lanes do not exist or have exited.
  bool isWhole = hasCount && ((inst.flags & kAligned) || x.mask == x.warp.live);
  const unsigned threads = isWhole ? 32 : static_cast<unsigned>(std::popcount(x.mask));
  b.arrived += threads;
  if (ExecutionObserver *observer = x.machine.observer())
    observer->barrierReached(x, static_cast<unsigned>(id), threads, count, inst.mode != kArrive);
  if (inst.mode >= kPopc) {
    uint32_t p = x.predicate(inst.ps[0]);
    b.reduceCount += static_cast<uint32_t>(std::popcount(p & x.mask));
    b.reduceAnd &= (p & x.mask) == x.mask;
    b.reduceOr |= (p & x.mask) != 0;
  }
  unsigned expected = b.expected ? b.expected : x.cta.liveThreads;
  if (b.arrived > expected && b.expected)
    throw Fault{"barrier-mismatch",
                std::to_string(b.arrived) + " threads arrive at barrier " + std::to_string(id) + ", which expects " +
                    std::to_string(expected),
                static_cast<int>(first)};
  if (inst.mode != kArrive) {
    x.fragment->wait = Wait::Barrier;
    x.fragment->waitKey = id;
    ++x.machine.counters().barrierWaits;
  }
  if (b.arrived >= expected)
    complete(x.machine, x.cta, static_cast<unsigned>(id));
}

void decodeBarrier(OpReader &r) {
  bool isBar = r.ast.opcode == "bar";
  if (r.accept(".warp"))
    return decodeWarpBarrier(r);
  if (r.accept(".cluster"))
    return decodeClusterBarrier(r);
  r.accept(".cta");
  r.inst.opClass = OpClass::Barrier;
  std::string action = r.expectAny({".sync", ".arrive", ".red"}, "an action");
  bool aligned = r.accept(".aligned") || isBar;
  if (aligned)
    r.inst.flags |= kAligned;
  size_t next = 0;
  if (action == ".red") {
    std::string op = r.expectAny({".popc", ".and", ".or"}, "an operation");
    r.inst.mode = op == ".popc" ? kPopc : op == ".and" ? kAnd : kOr;
    if (r.inst.mode == kPopc) {
      r.type({Type::U32});
      r.inst.d.push_back(r.destination(r.operand(next++), Type::U32));
    } else {
      r.type({Type::Pred});
      r.inst.pd.push_back(r.predicateDestination(r.operand(next++)));
    }
    r.expectCount(3, 4);
  } else {
    r.inst.mode = action == ".sync" ? kSync : kArrive;
    r.expectCount(r.inst.mode == kArrive ? 2 : 1, 2);
  }
  size_t integers = r.count() - next - (action == ".red");
  for (size_t i = 0; i < integers; ++i)
    r.inst.s.push_back(r.source(r.operand(next++), Type::B32));
  if (action == ".red")
    r.inst.ps.push_back(r.predicateSource(r.operand(next)));
  r.inst.handler = barrier;
  // The results exist only when the barrier completes.
  r.inst.flags |= r.inst.mode == kPopc ? kPropagatesUndef : 0;
}

//===--- bar.warp.sync ----------------------------------------------------===//

/// Lanes that name the same members arrive. They may come from different places; all named ones together pass.
void arriveAtWarpBarrier(Exec &x, uint32_t members, uint32_t group) {
  if (uint32_t strangers = group & ~members)
    throw Fault{"divergence", "the executing lane is not in its own member mask", std::countr_zero(strangers)};
  uint32_t required = members & x.warp.live, here = group;
  for (Fragment &f : x.warp.fragments)
    if (f.wait == Wait::WarpBarrier && f.waitKey == members)
      here |= f.mask;
  if ((here & required) != required) {
    Fragment *waiting = x.fragment;
    if (group == x.fragment->mask) {
      x.repeat = true;
    } else {
      waiting = x.machine.splitOff(x.warp, x, group);
      --waiting->pc; // it will execute the instruction again
    }
    waiting->wait = Wait::WarpBarrier;
    waiting->waitKey = members;
    return;
  }
  x.machine.races().meet(x.warp, here & x.warp.live);
  for (Fragment &f : x.warp.fragments)
    if (f.wait == Wait::WarpBarrier && f.waitKey == members) {
      ++f.pc;
      x.machine.wake(x.warp, f);
    }
}

void warpBarrier(Exec &x, const Inst &) {
  const Lanes members = x.s(0);
  eachGroup(members, x.mask,
            [&](uint64_t mask, uint32_t group) { arriveAtWarpBarrier(x, static_cast<uint32_t>(mask), group); });
}

//===--- Fences -----------------------------------------------------------===//

enum FenceKind : uint8_t {
  kMemoryFence,
  kAsyncProxy, ///< fence.proxy.async
  kOtherProxy, ///< proxies that nothing here distinguishes
  kMbarrierInit,
  kMapAcquire, ///< fence.proxy.tensormap::generic.acquire, of the map at an address
};

/// The memory of a fence.proxy.async; 0: of all kinds.
enum ProxyMemory : uint8_t { kAllMemory, kGlobalMemory, kSharedOfCta, kSharedOfCluster };

std::span<const ProxySpace> getProxySpaces(uint8_t memory) {
  const std::span<const ProxySpace> all(kProxySpaces);
  switch (memory) {
  case kGlobalMemory:
    return all.last(1);
  case kSharedOfCta:
    return all.first(1);
  case kSharedOfCluster:
    return all.first(2);
  default:
    return all;
  }
}

/// mode: FenceKind, mode2: Scope, or of kAsyncProxy ProxyMemory
void fence(Exec &x, const Inst &inst) {
  RaceChecker &races = x.machine.races();
  if (inst.mode == kMemoryFence)
    races.fence(x.warp, x.mask, reachOf(static_cast<Scope>(inst.mode2)));
  else if (inst.mode == kAsyncProxy)
    races.proxyFence(x.warp, x.mask, getProxySpaces(inst.mode2), inst.mode2 == kSharedOfCta);
  else if (inst.mode == kMbarrierInit)
    races.initFence(x.warp, x.mask);
  else if (inst.mode == kMapAcquire) {
    races.fence(x.warp, x.mask, reachOf(static_cast<Scope>(inst.mode2)));
    x.forLanes([&](unsigned l) {
      const Place map = resolve(x, Space::Generic, x.s(0)[l] + static_cast<uint64_t>(inst.offset), l);
      if (map.space == Space::Global)
        races.acquireMap(x, map.offset, l);
    });
  }
}

void decodeFence(OpReader &r) {
  r.inst.opClass = OpClass::Barrier;
  r.inst.handler = fence;
  r.inst.mode2 = static_cast<uint8_t>(Scope::Gpu);
  if (r.accept(".proxy")) {
    r.inst.mode = r.has(".alias") ? kOtherProxy : kAsyncProxy;
    r.inst.mode2 = kAllMemory;
    if (r.accept(".alias") || r.accept(".async")) {
      if (r.accept(".global"))
        r.inst.mode2 = kGlobalMemory;
      else if (r.accept(".shared::cta"))
        r.inst.mode2 = kSharedOfCta;
      else if (r.accept(".shared::cluster"))
        r.inst.mode2 = kSharedOfCluster;
      return r.expectCount(0, 0);
    }
    if (r.accept(".async::generic")) {
      r.ignore({".acquire", ".release", ".sync_restrict::shared::cta", ".sync_restrict::shared::cluster", ".cluster",
                ".cta"});
      return r.expectCount(0, 0);
    }
    r.inst.mode = kMemoryFence;
    r.expectAny({".tensormap::generic"}, "a known proxy");
    if (r.expectAny({".acquire", ".release"}, ".acquire or .release") == ".acquire") {
      r.inst.mode = kMapAcquire;
      r.inst.mode2 = static_cast<uint8_t>(readScope(r));
      r.expectCount(2, 2);
      r.address(r.operand(0), Space::Generic);
      if (r.integer(r.operand(1)) != TensorMap::kBytes)
        r.fail("acquires 128 bytes");
      return;
    }
    readScope(r);
    return r.expectCount(0, 0);
  }
  r.expectCount(0, 0);
  if (r.accept(".mbarrier_init")) {
    r.expectAny({".release"}, ".release");
    if (!r.accept(".cluster"))
      r.fail("needs .cluster");
    r.inst.mode = kMbarrierInit;
    return;
  }
  r.acceptAny({".sc", ".acq_rel", ".acquire", ".release"});
  r.ignore({".sync_restrict::shared::cta", ".sync_restrict::shared::cluster"});
  r.inst.mode2 = static_cast<uint8_t>(readScope(r));
}

} // namespace

void decodeWarpBarrier(OpReader &r) {
  r.expectAny({".sync"}, ".sync");
  r.expectCount(1, 1);
  r.inst.opClass = OpClass::Barrier;
  r.addSource(0, Type::B32);
  r.inst.handler = warpBarrier;
}

void Machine::recheckBarriers(Cta &cta) {
  for (unsigned id = 0; id < cta.barriers.size(); ++id) {
    Barrier &b = cta.barriers[id];
    if (b.active && !b.expected && cta.liveThreads && b.arrived >= cta.liveThreads)
      complete(*this, cta, id);
  }
}

void addBarrierOps(OpcodeTable &t) {
  t["bar"] = t["barrier"] = decodeBarrier;
  t["fence"] = t["membar"] = decodeFence;
}

} // namespace ptxemu
