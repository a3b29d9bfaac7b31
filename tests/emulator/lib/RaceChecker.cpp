//===- RaceChecker.cpp - Data races by happens-before --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaceChecker.h"
#include "Machine.h"
#include <algorithm>

namespace ptxemu {

namespace {

Touch touchOf(const Strand &s, unsigned lane, const Inst &inst, const AccessInfo &info) {
  Touch t;
  t.strand = s.id;
  t.clock = s.clock;
  t.line = inst.line;
  t.lane = static_cast<uint8_t>(lane);
  if (info.order != Order::Weak)
    t.strength = static_cast<uint8_t>(info.scope == Scope::None ? Scope::Sys : info.scope);
  return t;
}

/// The key of a location that may carry synchronisation.
uint64_t locationKey(const Place &p) {
  return p.space == Space::Shared ? (reinterpret_cast<uintptr_t>(p.cta) << 4) ^ (p.offset << 1 | 1) : p.offset << 1;
}

} // namespace

uint32_t RaceChecker::addCluster(Cluster &cluster, uint32_t engines) {
  uint32_t first = static_cast<uint32_t>(names.size()), warps = 0;
  if (!enabled)
    return 0;
  for (auto &cta : cluster.ctas)
    warps += static_cast<uint32_t>(cta->warps.size());
  uint32_t count = warps + engines;
  for (auto &cta : cluster.ctas)
    for (auto &w : cta->warps) {
      Strand &s = strands.emplace_back();
      s.id = static_cast<uint32_t>(names.size());
      for (Clocks *c : {&s.now, &s.fenced, &s.unacquired}) {
        c->all = VectorClock(first, count);
        c->async = VectorClock(first, count);
      }
      w->strand = &s;
      names.push_back({cta->id, static_cast<int>(w->index)});
    }
  for (uint32_t e = 0; e < engines; ++e)
    names.push_back({cluster.ctas[0]->id, -1});
  return first;
}

void RaceChecker::removeCluster(Cluster &cluster) {
  if (!enabled)
    return;
  for (auto &cta : cluster.ctas)
    for (auto &w : cta->warps)
      w->strand->now = w->strand->fenced = w->strand->unacquired = Clocks();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool RaceChecker::ordered(const Touch &before, const Touch &now, const Strand *s, bool asyncView) const {
  if (!before.any())
    return true;
  if (before.strand == now.strand && !now.async) {
    // The same warp: the same lane is ordered by its program, others by a barrier.
    return before.lane == now.lane || before.clock < s->syncClock;
  }
  if (before.strand == s->id && before.lane == now.lane && !asyncView)
    return true; // what the issuing lane did itself
  return before.clock <= (asyncView ? s->now.async : s->now.all).get(before.strand) ||
         (before.strand == s->id && !asyncView && before.clock < s->syncClock);
}

/// Two strong accesses whose scopes include each other do not race.
bool RaceChecker::morallyStrong(const Touch &a, const Touch &b) const {
  if (!a.strength || !b.strength)
    return false;
  Scope narrow = static_cast<Scope>(std::min(a.strength, b.strength));
  const StrandName &p = names[a.strand], &q = names[b.strand];
  return p.cta == q.cta || narrow >= Scope::Cluster; // clusters are told from grids by who can name the address
}

std::string RaceChecker::nameOf(const Touch &t) const {
  const StrandName &n = names[t.strand];
  std::string text = n.warp < 0 ? "an asynchronous engine" : "warp " + std::to_string(n.warp);
  if (n.warp >= 0 && t.lane != kManyLanes)
    text += " lane " + std::to_string(t.lane);
  return text + " of CTA (" + std::to_string(n.cta[0]) + ", " + std::to_string(n.cta[1]) + ", " +
         std::to_string(n.cta[2]) + ")";
}

void RaceChecker::report(Exec &x, const Touch &before, bool beforeWrites, const Touch &now, AccessKind kind,
                         const Place &p, bool missingProxyFence) {
  const char *nowVerb = kind == AccessKind::Read    ? "reads"
                        : kind == AccessKind::Write ? "writes"
                                                    : "atomically updates";
  std::string where =
      p.space == Space::Shared ? "shared memory at " + hexText(p.offset) : "global memory at " + hexText(p.offset);
  if (p.space == Space::Tensor)
    where = "column " + std::to_string(p.offset) + " of tensor memory";
  if (p.space == Space::Global)
    if (const Allocation *a = x.machine.global().nearest(p.offset))
      where = "'" + a->name + "' at byte " + std::to_string(p.offset - a->base);
  Fault f{missingProxyFence ? "missing-proxy-fence" : "data-race",
          "",
          now.lane == kManyLanes ? -1 : static_cast<int>(now.lane),
          {}};
  std::string other =
      nameOf(before) + (beforeWrites ? " wrote" : " read") + " it at PTX line " + std::to_string(before.line);
  if (missingProxyFence)
    f.message = std::string("the asynchronous proxy ") + nowVerb + " " + where + ", and " + other +
                "; no fence.proxy.async makes that visible to the asynchronous proxy";
  else
    f.message = nameOf(now) + " " + nowVerb + " " + where + ", and " + other + "; nothing orders the two";
  if (before.strength || now.strength)
    f.notes.push_back(before.strength && now.strength
                          ? "both accesses are strong, but their scopes do not include each other"
                          : "one of the two accesses is strong, the other is not");
  throw f;
}

void RaceChecker::checkCell(Exec &x, Cell &cell, const Touch &now, AccessKind kind, const AccessInfo &info,
                            const Place &p) {
  const Strand &s = *x.warp.strand;
  // Tensor memory has no proxies; shared and global memory have.
  bool otherProxy = now.async && !cell.write.async && p.space != Space::Tensor;
  // The tensor core works in the order of issue.
  auto samePipe = [&](const Touch &before) {
    return p.space == Space::Tensor && now.async && before.strand == now.strand;
  };
  if (!samePipe(cell.write) && !ordered(cell.write, now, &s, otherProxy) && !morallyStrong(cell.write, now)) {
    // Lanes of one instruction that write the same value do no harm.
    bool same = cell.write.strand == now.strand && cell.writeTime == x.machine.now() && info.sameValue;
    if (!same)
      report(x, cell.write, true, now, kind, p, otherProxy && ordered(cell.write, now, &s, false));
  }
  if (kind != AccessKind::Read)
    cell.reads.each([&](const Touch &r) {
      if (!samePipe(r) && !ordered(r, now, &s, false) && !morallyStrong(r, now))
        report(x, r, false, now, kind, p, false);
    });
}

void RaceChecker::record(Cell &cell, const Touch &now, AccessKind kind, uint64_t time) {
  if (kind != AccessKind::Read) {
    cell.write = now;
    cell.writeTime = time;
    cell.reads.clear();
    return;
  }
  Touch *r = cell.reads.find(now.strand);
  if (!r)
    return cell.reads.push(now);
  if (r->lane != now.lane)
    r->lane = r->clock == now.clock ? kManyLanes : now.lane;
  r->clock = now.clock;
  r->line = now.line;
  r->strength = std::min(r->strength, now.strength);
}

void RaceChecker::check(Exec &x, ShadowMemory &shadow, uint64_t offset, unsigned size, unsigned lane,
                        const AccessInfo &info, const Place &p) {
  Touch now = touchOf(*x.warp.strand, lane, *x.inst, info);
  uint64_t time = x.machine.now();
  for (uint64_t at = offset, end = offset + size; at < end;) {
    Word &w = shadow.word(at / 4);
    uint64_t wordEnd = std::min((at / 4 + 1) * 4, end);
    bool isWhole = at % 4 == 0 && wordEnd - at == 4;
    Place here{p.space, p.cta, p.offset + (at - offset)};
    if (!isWhole && !w.bytes)
      w.bytes = std::make_unique<std::array<Cell, 4>>(std::array<Cell, 4>{w.whole, w.whole, w.whole, w.whole});
    if (!w.bytes) {
      checkCell(x, w.whole, now, info.kind, info, here);
      record(w.whole, now, info.kind, time);
    } else {
      for (uint64_t b = at; b < wordEnd; ++b) {
        checkCell(x, (*w.bytes)[b % 4], now, info.kind, info, here);
        record((*w.bytes)[b % 4], now, info.kind, time);
      }
      if (isWhole && info.kind != AccessKind::Read) { // one history again
        w.whole = (*w.bytes)[0];
        w.bytes.reset();
      }
    }
    at = wordEnd;
  }
  if (info.order != Order::Weak || info.kind == AccessKind::Atomic)
    synchronize(x, p, info);
}

void RaceChecker::checkAsync(Exec &x, ShadowMemory &shadow, uint64_t offset, unsigned size, bool isWrite,
                             uint32_t engine, uint32_t clock, const Place &p) {
  if (!enabled)
    return;
  Touch now;
  now.strand = engine;
  now.clock = clock;
  now.line = x.inst->line;
  now.lane = static_cast<uint8_t>(std::countr_zero(x.mask));
  now.async = true;
  AccessKind kind = isWrite ? AccessKind::Write : AccessKind::Read;
  for (uint64_t at = offset, end = offset + size; at < end;) {
    Word &w = shadow.word(at / 4);
    uint64_t wordEnd = std::min((at / 4 + 1) * 4, end);
    Place here{p.space, p.cta, p.offset + (at - offset)};
    bool isWhole = at % 4 == 0 && wordEnd - at == 4;
    if (!isWhole && !w.bytes)
      w.bytes = std::make_unique<std::array<Cell, 4>>(std::array<Cell, 4>{w.whole, w.whole, w.whole, w.whole});
    auto visit = [&](Cell &c) {
      checkCell(x, c, now, kind, {kind}, here);
      record(c, now, kind, 0);
    };
    if (!w.bytes)
      visit(w.whole);
    else
      for (uint64_t b = at; b < wordEnd; ++b)
        visit((*w.bytes)[b % 4]);
    at = wordEnd;
  }
}

//===----------------------------------------------------------------------===//
// Synchronisation
//===----------------------------------------------------------------------===//

void RaceChecker::release(Warp &w, SyncPoint &point) {
  if (!enabled)
    return;
  Strand &s = *w.strand;
  s.now.all.raise(s.id, s.clock);
  point.clocks.join(s.now);
  ++s.clock;
}

void RaceChecker::acquire(Warp &w, const SyncPoint &point) {
  if (!enabled)
    return;
  Strand &s = *w.strand;
  s.now.join(point.clocks);
  // What the warp itself released is now behind all of its lanes that wait here.
  s.syncClock = std::max(s.syncClock, point.clocks.all.get(s.id) + 1);
}

void RaceChecker::fence(Warp &w) {
  if (!enabled)
    return;
  Strand &s = *w.strand;
  s.now.join(s.unacquired);
  s.syncClock = std::max(s.syncClock, s.unacquired.all.get(s.id) + 1);
  s.now.all.raise(s.id, s.clock);
  s.fenced = s.now;
  ++s.clock;
}

void RaceChecker::proxyFence(Warp &w) {
  if (!enabled)
    return;
  Strand &s = *w.strand;
  s.now.all.raise(s.id, s.clock);
  s.now.async.join(s.now.all);
  ++s.clock;
}

void RaceChecker::warpSync(Warp &w) {
  if (enabled)
    w.strand->syncClock = ++w.strand->clock;
}

void RaceChecker::synchronize(Exec &x, const Place &p, const AccessInfo &info) {
  Strand &s = *x.warp.strand;
  SyncPoint &location = locations[locationKey(p)];
  bool acquires = info.order == Order::Acquire || info.order == Order::AcquireRelease ||
                  info.order == Order::SequentiallyConsistent;
  bool releases = info.order == Order::Release || info.order == Order::AcquireRelease ||
                  info.order == Order::SequentiallyConsistent;
  if (info.kind != AccessKind::Write && acquires)
    acquire(x.warp, location);
  else if (info.kind != AccessKind::Write)
    s.unacquired.join(location.clocks);
  if (info.kind == AccessKind::Read)
    return;
  if (info.kind == AccessKind::Write)
    location.clocks = Clocks(); // a plain store ends the release sequence
  if (releases)
    release(x.warp, location);
  else
    location.clocks.join(s.fenced);
}

void RaceChecker::publishInit(Warp &w, uint32_t &clock) {
  if (enabled)
    clock = w.strand->clock;
}

void RaceChecker::checkInit(Exec &x, uint32_t clock, const Warp *initializer, uint64_t offset, unsigned lane) {
  if (!enabled || initializer == &x.warp || clock <= x.warp.strand->now.all.get(initializer->strand->id))
    return;
  throw Fault{"data-race",
              "the mbarrier at " + hexText(offset) +
                  " is used, but nothing orders that after its initialisation by warp " +
                  std::to_string(initializer->index),
              static_cast<int>(lane)};
}

void RaceChecker::complete(SyncPoint &point, uint32_t engine, uint32_t clock) {
  if (!enabled)
    return;
  point.clocks.all.raise(engine, clock);
  point.clocks.async.raise(engine, clock);
}

void RaceChecker::waited(Warp &w, uint32_t engine, uint32_t clock) {
  if (!enabled)
    return;
  w.strand->now.all.raise(engine, clock);
  w.strand->now.async.raise(engine, clock);
}

} // namespace ptxemu
