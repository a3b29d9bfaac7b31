//===- RaceChecker.cpp - Data races by happens-before: accesses ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaceChecker.h"
#include "Machine.h"
#include "ptx-emulator/TensorMap.h"
#include <algorithm>
#include <mutex>

namespace ptxemu {

namespace {

Touch touchOf(const Strand &s, unsigned lane, const Inst &inst, const AccessInfo &info) {
  Touch t;
  t.strand = s.id;
  t.clock = s.clock;
  t.line = inst.line;
  t.lanes = 1u << lane;
  if (info.order != Order::Weak || info.kind == AccessKind::Atomic)
    t.strength = static_cast<uint8_t>(info.scope == Scope::None ? Scope::Sys : info.scope);
  return t;
}

std::string ctaText(const std::array<unsigned, 3> &id) {
  return "CTA (" + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " + std::to_string(id[2]) + ")";
}

} // namespace

//===----------------------------------------------------------------------===//
// Strands
//===----------------------------------------------------------------------===//

uint32_t RaceChecker::addCluster(Cluster &cluster, uint32_t engines) {
  uint32_t first = static_cast<uint32_t>(names.size()), warps = 0;
  if (!enabled)
    return 0;
  for (auto &cta : cluster.ctas)
    warps += static_cast<uint32_t>(cta->warps.size());
  VectorClock empty(first, warps + engines);
  for (auto &cta : cluster.ctas) {
    uint32_t ctaNumber = static_cast<uint32_t>(names.size());
    for (auto &w : cta->warps) {
      Strand &s = strands.emplace_back();
      s.id = static_cast<uint32_t>(names.size());
      s.cta = ctaNumber;
      s.cluster = first;
      s.clustered = cluster.ctas.size() > 1;
      s.allLanes = w->allLanes;
      View &v = s.views.emplace_back();
      v.lanes = w->allLanes;
      v.now = {empty, empty, {{empty}}, {}};
      w->strand = &s;
      names.push_back({cta->id, cluster.grid, ctaNumber, first, static_cast<int>(w->index), false});
    }
  }
  for (uint32_t e = 0; e < engines; ++e)
    names.push_back({cluster.ctas[0]->id, cluster.grid, first, first, -1, false});
  return first;
}

void RaceChecker::addKnown(const Cluster &cluster, uint32_t grid, SyncPoint &gridEnd) const {
  if (!enabled)
    return;
  for (const auto &cta : cluster.ctas)
    for (const auto &w : cta->warps)
      for (const View &v : w->strand->views)
        gridEnd.clocks.joinBefore(v.now, grid);
}

void RaceChecker::removeCluster(Cluster &cluster) {
  if (!enabled)
    return;
  for (auto &cta : cluster.ctas)
    for (auto &w : cta->warps) {
      w->strand->views = {};
      names[w->strand->id].retired = true;
    }
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Whether at least one of the acting lanes knows of every part of the earlier access.
bool RaceChecker::ordered(const Touch &before, const Strand &s, uint32_t lanes,
                          std::optional<ProxySpace> asyncProxy) const {
  if (!before.any())
    return true;
  uint32_t unknown = before.async ? 1 : before.lanes;
  for (const View &v : s.views) {
    uint32_t acting = v.lanes & lanes;
    if (!acting)
      continue;
    const VectorClock &known = asyncProxy ? v.now.async[*asyncProxy] : v.now.all;
    if (before.clock <= known.get(before.strand) || v.now.hasEnded(before.strand))
      return true;
    if (before.async)
      continue;
    if (before.strand == s.id && (!asyncProxy || before.clock <= v.proxied[*asyncProxy]))
      unknown &= ~acting; // the lane's own
    for (uint32_t m = unknown; m; m &= m - 1) {
      unsigned lane = static_cast<unsigned>(std::countr_zero(m));
      if (before.clock <= known.get(before.strand, lane))
        unknown &= ~(1u << lane);
    }
    if (!unknown)
      return true;
  }
  return false;
}

/// Two strong accesses whose scopes include each other do not race.
bool RaceChecker::morallyStrong(const Touch &a, const Touch &b) const {
  if (!a.strength || !b.strength)
    return false;
  Scope narrow = static_cast<Scope>(std::min(a.strength, b.strength));
  const StrandName &p = names[a.strand], &q = names[b.strand];
  return p.ctaNumber == q.ctaNumber || narrow >= Scope::Gpu ||
         (narrow == Scope::Cluster && p.clusterNumber == q.clusterNumber);
}

std::string RaceChecker::nameOf(const Touch &t) const {
  const StrandName &n = names[t.strand];
  const std::string cta = ctaText(n.cta) + (n.grid ? " of launch " + std::to_string(n.grid) : "");
  if (n.warp < 0)
    return "an asynchronous engine of " + cta;
  std::string text = "warp " + std::to_string(n.warp);
  if (std::has_single_bit(t.lanes))
    text += " lane " + std::to_string(std::countr_zero(t.lanes));
  return text + " of " + cta;
}

void RaceChecker::report(Exec &x, const Touch &before, bool beforeWrites, const Touch &now, AccessKind kind,
                         const Place &p, bool missingProxyFence) {
  const char *nowVerb = kind == AccessKind::Read    ? "reads"
                        : kind == AccessKind::Write ? "writes"
                                                    : "atomically updates";
  std::string where =
      p.space == Space::Shared ? "shared memory at " + hexText(p.offset) : "global memory at " + hexText(p.offset);
  if (p.space == Space::Global)
    if (const Allocation *a = x.machine.global().nearest(p.offset))
      where = "'" + a->name + "' at byte " + std::to_string(p.offset - a->base);
  bool oneLane = !now.async && std::has_single_bit(now.lanes);
  Fault f{missingProxyFence ? "missing-proxy-fence" : "data-race", "", oneLane ? std::countr_zero(now.lanes) : -1, {}};
  std::string other =
      nameOf(before) + (beforeWrites ? " wrote" : " read") + " it at PTX line " + std::to_string(before.line);
  if (missingProxyFence)
    f.message = std::string("the asynchronous proxy ") + nowVerb + " " + where + ", and " + other +
                (beforeWrites ? "; no fence.proxy.async makes that visible to the asynchronous proxy"
                              : "; no fence.proxy.async stands between the two");
  else
    f.message = nameOf(now) + " " + nowVerb + " " + where + ", and " + other + "; nothing orders the two";
  if (!missingProxyFence && before.strand == now.strand && !now.async)
    f.notes.push_back("they are lanes of one warp: bar.warp.sync orders them, running together does not");
  if (x.machine.gridBefore() && names[before.strand].grid != names[x.warp.strand->id].grid)
    f.notes.push_back("they are of launches that overlap: griddepcontrol.wait orders what follows it after the "
                      "launches before");
  if (before.strength && now.strength)
    f.notes.push_back("both accesses are strong, but their scopes do not include each other");
  else if (before.strength || now.strength)
    f.notes.push_back("one of the two accesses is strong, the other is not");
  if (std::string source = x.machine.sourceOfLine(before.line); !source.empty())
    f.notes.push_back("PTX line " + std::to_string(before.line) + " comes from " + source);
  x.machine.complain(f);
}

/// How a fence has to tell the asynchronous proxy of the access.
ProxySpace RaceChecker::proxySpaceOf(const Touch &t, const Place &p) const {
  if (p.space == Space::Global)
    return ProxySpace::Global;
  return names[t.strand].ctaNumber == p.cta->warps[0]->strand->cta ? ProxySpace::Shared : ProxySpace::OtherShared;
}

void RaceChecker::checkCell(Exec &x, Cell &cell, const Touch &now, AccessKind kind, const AccessInfo &info,
                            const Place &p) {
  const Strand &s = *x.warp.strand;
  uint32_t lanes = now.async ? x.mask : now.lanes;
  std::optional<ProxySpace> otherProxy;
  if (now.async && !now.generic && !cell.write.async && cell.write.any())
    otherProxy = proxySpaceOf(cell.write, p);
  bool sameInstruction = !now.async && cell.write.strand == now.strand && cell.writeTime == x.machine.now();
  if (!ordered(cell.write, s, lanes, otherProxy) && !morallyStrong(cell.write, now)) {
    // Lanes of one instruction that write the same value do no harm.
    if (!sameInstruction || !info.sameValue)
      report(x, cell.write, true, now, kind, p, otherProxy && ordered(cell.write, s, lanes, std::nullopt));
  }
  if (kind == AccessKind::Read)
    return cell.reads.add(now);
  // What has been read may be overwritten through another proxy without a fence: nothing has to become visible. (Where
  // the ISA asks for one all the same: checkReadsFenced.)
  cell.reads.each([&](const Touch &r) {
    if (!ordered(r, s, lanes, std::nullopt) && !morallyStrong(r, now))
      report(x, r, false, now, kind, p, false);
  });
  uint32_t together = sameInstruction ? cell.write.lanes : 0;
  cell.write = now;
  cell.write.lanes |= together;
  cell.writeTime = now.async ? 0 : x.machine.now();
  cell.reads.clear();
}

/// Calls f with the history of every word, or of every byte where bytes of a word differ.
template <class F>
void RaceChecker::eachCell(ShadowMemory &shadow, uint64_t offset, unsigned size, bool isWrite, const Place &p, F &&f) {
  for (uint64_t at = offset, end = offset + size; at < end;) {
    ShadowMemory::Page &page = shadow.page(at / 4);
    uint64_t pageEnd = std::min((at / (4 * ShadowMemory::kPageWords) + 1) * 4 * ShadowMemory::kPageWords, end);
    std::lock_guard lock(page);
    while (at < pageEnd) {
      Word &w = page.words[at / 4 % ShadowMemory::kPageWords];
      uint64_t wordEnd = std::min((at / 4 + 1) * 4, pageEnd);
      bool isWhole = wordEnd - at == 4;
      auto placeOf = [&](uint64_t byte) { return Place{p.space, p.cta, p.offset + (byte - offset)}; };
      if (isWhole && !w.bytes) {
        f(w.whole, placeOf(at));
      } else {
        auto &cells = w.split();
        for (uint64_t b = at; b < wordEnd; ++b)
          f(cells[b % 4], placeOf(b));
        if (isWhole && isWrite) { // one history again
          w.whole = cells[0];
          w.bytes.reset();
        }
      }
      at = wordEnd;
    }
  }
}

void RaceChecker::check(Exec &x, ShadowMemory &shadow, uint64_t offset, unsigned size, unsigned lane,
                        const AccessInfo &info, const Place &p) {
  Touch now = touchOf(*x.warp.strand, lane, *x.inst, info);
  eachCell(shadow, offset, size, info.kind != AccessKind::Read, p,
           [&](Cell &c, const Place &here) { checkCell(x, c, now, info.kind, info, here); });
  if (p.cta && p.cta != &x.cta)
    noteReach(*p.cta, now, lane);
  if (now.strength)
    synchronize(x, p, lane, info);
}

void RaceChecker::checkAsync(Exec &x, ShadowMemory &shadow, uint64_t offset, unsigned size, AccessKind kind,
                             uint32_t engine, uint32_t clock, const Place &p, bool generic) {
  if (!enabled)
    return;
  Touch now;
  now.strand = engine;
  now.clock = clock;
  now.line = x.inst->line;
  now.lanes = x.mask;
  now.async = true;
  now.generic = generic;
  if (kind == AccessKind::Atomic)
    now.strength = static_cast<uint8_t>(Scope::Gpu);
  if (p.cta && p.cta != &x.cta)
    noteReach(*p.cta, now, 0);
  AccessInfo info{kind};
  eachCell(shadow, offset, size, kind != AccessKind::Read, p,
           [&](Cell &c, const Place &here) { checkCell(x, c, now, kind, info, here); });
}

void RaceChecker::checkReadsFenced(Exec &x, ShadowMemory &shadow, uint64_t offset, unsigned size, const Place &p) {
  if (!enabled)
    return;
  const Strand &s = *x.warp.strand;
  Touch now;
  now.line = x.inst->line;
  now.lanes = x.mask;
  now.async = true;
  eachCell(shadow, offset, size, false, p, [&](Cell &cell, const Place &here) {
    cell.reads.each([&](const Touch &read) {
      if (!read.async && ordered(read, s, x.mask, std::nullopt) && !ordered(read, s, x.mask, proxySpaceOf(read, here)))
        report(x, read, false, now, AccessKind::Write, here, /*missingProxyFence=*/true);
    });
  });
}

//===----------------------------------------------------------------------===//
// Accesses to other CTAs
//===----------------------------------------------------------------------===//

void RaceChecker::noteReach(Cta &target, const Touch &now, unsigned lane) {
  target.reached.insert_or_assign({now.strand, lane}, now);
}

void RaceChecker::reach(const Exec &x, Cta &target, unsigned lane) {
  if (enabled && &target != &x.cta)
    noteReach(target, touchOf(*x.warp.strand, lane, *x.inst, {}), lane);
}

void RaceChecker::leave(Warp &w, uint32_t lanes) {
  if (!enabled || w.cta->cluster->ctas.size() == 1)
    return;
  for (const View &v : w.strand->views)
    if (v.lanes & lanes)
      w.cta->left.join(v.now.all);
}

void RaceChecker::checkLeft(Machine &machine, const Cta &cta) const {
  for (const auto &[by, touch] : cta.reached) {
    auto [strand, lane] = by;
    const uint32_t known = touch.async ? cta.left.get(strand) : cta.left.get(strand, lane);
    if (touch.clock > known)
      return machine.complain({"use-after-free",
                               "the last thread of the CTA exits, and its shared memory with it, which " +
                                   nameOf(touch) + " accesses at PTX line " + std::to_string(touch.line) +
                                   "; nothing says that this comes before",
                               -1,
                               {"meet at a barrier of the cluster, or wait for an mbarrier that it arrives at"}});
  }
}

//===----------------------------------------------------------------------===//
// Tensor maps in global memory
//===----------------------------------------------------------------------===//

// The copy engine sees a map through a proxy of its own. What a thread writes of it (stores, tensormap.replace,
// tensormap.cp_fenceproxy) a copy may use only behind fence.proxy.tensormap::generic.acquire of that address, by
// whoever is on the way between the two (PTX ISA, "Memory Consistency Model", "Proxy").

void RaceChecker::acquireMap(Exec &x, uint64_t address, unsigned lane) {
  Allocation *a = enabled ? x.machine.global().find(address, TensorMap::kBytes) : nullptr;
  if (!a)
    return;
  const Strand &s = *x.warp.strand;
  MapAcquire acquire{touchOf(s, lane, *x.inst, {}), {}};
  std::vector<std::pair<uint32_t, uint32_t>> current;
  eachCell(a->shadow, address - a->base, TensorMap::kBytes, false, {Space::Global, nullptr, address},
           [&](const Cell &cell, const Place &) {
             const std::pair write(cell.write.strand, cell.write.clock);
             if (!cell.write.any() || (!current.empty() && current.back() == write))
               return;
             current.push_back(write);
             if (ordered(cell.write, s, 1u << lane, std::nullopt))
               acquire.writes.push_back(write);
           });
  std::lock_guard lock(mapLock);
  std::vector<MapAcquire> &known = acquiredMaps[address];
  std::erase_if(known, [&](const MapAcquire &other) { // of what is there no longer
    return std::find_first_of(other.writes.begin(), other.writes.end(), current.begin(), current.end()) ==
           other.writes.end();
  });
  auto same = std::find_if(known.begin(), known.end(), [&](const MapAcquire &other) {
    return other.by.strand == acquire.by.strand && other.by.clock == acquire.by.clock && other.writes == acquire.writes;
  });
  if (same != known.end())
    same->by.lanes |= acquire.by.lanes;
  else if (!acquire.writes.empty())
    known.push_back(std::move(acquire));
}

void RaceChecker::checkMap(Exec &x, Allocation &a, uint64_t address, unsigned lane) {
  if (!enabled)
    return;
  const Strand &s = *x.warp.strand;
  std::lock_guard lock(mapLock);
  const std::vector<MapAcquire> &known = acquiredMaps[address];
  auto acquired = [&](const Touch &write) {
    return std::any_of(known.begin(), known.end(), [&](const MapAcquire &acquire) {
      if (std::find(acquire.writes.begin(), acquire.writes.end(), std::pair(write.strand, write.clock)) ==
          acquire.writes.end())
        return false;
      Touch by = acquire.by; // one of the lanes is enough
      for (uint32_t lanes = acquire.by.lanes; lanes; lanes &= lanes - 1) {
        by.lanes = lanes & -lanes;
        if (ordered(by, s, 1u << lane, std::nullopt))
          return true;
      }
      return false;
    });
  };
  Touch missing;
  eachCell(a.shadow, address - a.base, TensorMap::kBytes, false, {Space::Global, nullptr, address},
           [&](const Cell &cell, const Place &) {
             if (cell.write.any() && !missing.any() && !acquired(cell.write))
               missing = cell.write;
           });
  if (missing.any())
    x.machine.complain({"missing-proxy-fence",
                        "a copy uses the tensor map in '" + a.name + "' at byte " + std::to_string(address - a.base) +
                            ", and " + nameOf(missing) + " wrote it at PTX line " + std::to_string(missing.line) +
                            "; no fence.proxy.tensormap::generic.acquire of it comes between the two",
                        static_cast<int>(lane)});
}

} // namespace ptxemu
