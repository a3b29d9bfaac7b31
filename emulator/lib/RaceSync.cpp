//===- RaceSync.cpp - Data races by happens-before: synchronisation ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanewise.h"
#include "Machine.h"
#include "RaceChecker.h"
#include <algorithm>

namespace ptxemu {

Reach reachOf(Scope s) {
  return s == Scope::Cta ? Reach::Cta : s == Scope::Cluster ? Reach::Cluster : Reach::Device;
}

namespace {

bool sameKnowledge(const View &a, const View &b) {
  return a.proxied == b.proxied && a.inits == b.inits && a.now == b.now && a.fenced == b.fenced &&
         a.unacquired == b.unacquired;
}

/// Lanes that came to know the same share a view again.
void coalesce(Strand &s) {
  for (size_t i = 0; i < s.views.size(); ++i)
    for (size_t j = i + 1; j < s.views.size();)
      if (sameKnowledge(s.views[i], s.views[j])) {
        s.views[i].lanes |= s.views[j].lanes;
        s.views.erase(s.views.begin() + static_cast<std::ptrdiff_t>(j));
      } else {
        ++j;
      }
}

/// Calls f with the views of the lanes, split off from those of others.
template <class F>
void eachView(Strand &s, uint32_t lanes, F &&f) {
  bool hasSplit = false;
  for (size_t i = 0; i < s.views.size(); ++i) {
    uint32_t inside = s.views[i].lanes & lanes;
    if (!inside)
      continue;
    if (inside != s.views[i].lanes) {
      View rest = s.views[i];
      rest.lanes &= ~inside;
      s.views[i].lanes = inside;
      s.views.push_back(std::move(rest));
      hasSplit = true;
    }
    f(s.views[i]);
  }
  constexpr size_t kFew = 4;
  if (hasSplit && s.views.size() > kFew)
    coalesce(s);
}

/// What an acquire of these contents, reach and order is remembered by.
uint64_t keyOf(const ScopedPoint &point, Reach reach, bool relaxed) {
  return point.stamp << 3 | static_cast<uint64_t>(reach) << 1 | static_cast<uint64_t>(relaxed);
}

bool alreadySeen(const Strand &s, uint32_t lanes, uint64_t key) {
  return std::all_of(s.views.begin(), s.views.end(), [&](const View &v) {
    return !(v.lanes & lanes) || std::find(v.seen.begin(), v.seen.end(), key) != v.seen.end();
  });
}

void remember(View &v, uint64_t key) {
  v.seen[v.nextSeen++ % v.seen.size()] = key;
}

/// The lanes' own accesses up to `own`, of which those up to `proxied` are visible to the asynchronous proxy.
void raiseOwn(Clocks &to, const Strand &s, uint32_t lanes, uint32_t own, const PerProxySpace<uint32_t> &proxied,
              uint32_t inits) {
  if (lanes == s.allLanes) {
    to.all.raise(s.id, own);
    for (ProxySpace space : kProxySpaces)
      to.async[space].raise(s.id, proxied[space]);
    to.inits.raise(s.id, inits);
    return;
  }
  eachLane(lanes, [&](unsigned l) {
    to.all.raise(s.id, l, own);
    for (ProxySpace space : kProxySpaces)
      if (proxied[space])
        to.async[space].raise(s.id, l, proxied[space]);
    if (inits)
      to.inits.raise(s.id, l, inits);
  });
}

/// Everything the lanes know and have done.
void publish(Clocks &to, const Strand &s, uint32_t lanes) {
  for (const View &v : s.views)
    if (uint32_t inside = v.lanes & lanes) {
      to.join(v.now);
      raiseOwn(to, s, inside, s.clock, v.proxied, v.inits);
    }
  if ((lanes & s.allLanes) == s.allLanes)
    to.all.raise(s.id, s.clock);
}

/// What fences of at least this reach have left for the lanes' relaxed writes.
void publishFenced(Clocks &to, const Strand &s, uint32_t lanes, unsigned reach) {
  for (const View &v : s.views)
    for (const Published &p : v.fenced[reach])
      if (uint32_t inside = p.lanes & v.lanes & lanes) {
        to.join(*p.clocks);
        raiseOwn(to, s, inside, p.own, p.proxied, 0);
      }
}

/// What a fence has left, for these of its lanes: views that were one when it was executed have it several times.
void addFenced(std::vector<Published> &all, const Published &p, uint32_t lanes) {
  if (!lanes)
    return;
  auto same = std::find_if(all.begin(), all.end(), [&](const Published &other) {
    return other.clocks == p.clocks && other.own == p.own && other.proxied == p.proxied;
  });
  if (same != all.end())
    same->lanes |= lanes;
  else
    all.push_back({lanes, p.clocks, p.own, p.proxied});
}

/// The parts of a point that a release of this reach adds to; f(reach, clocks).
template <class F>
void eachTarget(const Strand &s, ScopedPoint &point, Reach reach, F &&f) {
  f(0u, ScopedPoint::in(point.ctas, s.cta));
  if (reach >= Reach::Cluster && s.clustered)
    f(1u, ScopedPoint::in(point.clusters, s.cluster));
  if (reach == Reach::Device)
    f(2u, point.device);
}

/// The parts of a point that an acquire of this reach sees; f(reach, clocks).
template <class F>
void eachSource(const Strand &s, const ScopedPoint &point, Reach reach, F &&f) {
  auto visit = [&](unsigned at, const Clocks *c) {
    if (c && !c->empty())
      f(at, *c);
  };
  visit(0, ScopedPoint::find(point.ctas, s.cta));
  if (reach >= Reach::Cluster)
    visit(1, ScopedPoint::find(point.clusters, s.cluster));
  if (reach == Reach::Device)
    visit(2, &point.device);
}

} // namespace

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void RaceChecker::release(Warp &w, uint32_t lanes, SyncPoint &point) {
  if (!enabled)
    return;
  publish(point.clocks, *w.strand, lanes);
  ++w.strand->clock;
}

void RaceChecker::releaseRelaxed(Warp &w, uint32_t lanes, SyncPoint &point, Reach reach) {
  if (!enabled)
    return;
  const Strand &s = *w.strand;
  publishFenced(point.clocks, s, lanes, static_cast<unsigned>(reach));
  for (const View &v : s.views)
    if (uint32_t inside = v.lanes & lanes) {
      point.clocks.inits.join(v.now.inits);
      eachLane(inside, [&](unsigned l) { point.clocks.inits.raise(s.id, l, v.inits); });
    }
}

void RaceChecker::acquire(Warp &w, uint32_t lanes, const SyncPoint &point) {
  if (enabled)
    eachView(*w.strand, lanes, [&](View &v) { v.now.join(point.clocks); });
}

void RaceChecker::acquireRelaxed(Warp &w, uint32_t lanes, const SyncPoint &point, Reach reach) {
  if (!enabled)
    return;
  eachView(*w.strand, lanes, [&](View &v) {
    v.unacquired[static_cast<unsigned>(reach)].join(point.clocks);
    v.now.inits.join(point.clocks.inits);
  });
}

void RaceChecker::meet(Warp &w, uint32_t lanes) {
  if (!enabled)
    return;
  Strand &s = *w.strand;
  lanes &= s.allLanes;
  View met;
  met.lanes = lanes;
  met.proxied = {~0u, ~0u, ~0u};
  met.inits = ~0u;
  bool first = true;
  eachView(s, lanes, [&](View &v) {
    if (first)
      met.now = v.now;
    else
      met.now.join(v.now);
    first = false;
    for (ProxySpace space : kProxySpaces)
      met.proxied[space] = std::min(met.proxied[space], v.proxied[space]);
    met.inits = std::min(met.inits, v.inits);
    for (unsigned r = 0; r < kReaches; ++r) {
      for (const Published &p : v.fenced[r])
        addFenced(met.fenced[r], p, p.lanes & v.lanes);
      met.unacquired[r].join(v.unacquired[r]);
    }
  });
  publish(met.now, s, lanes);
  std::erase_if(s.views, [&](const View &v) { return (v.lanes & lanes) != 0; });
  s.views.push_back(std::move(met));
  ++s.clock;
}

//===----------------------------------------------------------------------===//
// mbarriers, locations in memory
//===----------------------------------------------------------------------===//

void RaceChecker::release(Warp &w, uint32_t lanes, ScopedPoint &point, Reach reach) {
  if (!enabled)
    return;
  Strand &s = *w.strand;
  eachTarget(s, point, reach, [&](unsigned, Clocks &c) { publish(c, s, lanes); });
  changed(point);
  ++s.clock;
}

void RaceChecker::releaseRelaxed(Warp &w, uint32_t lanes, ScopedPoint &point, Reach reach) {
  if (!enabled)
    return;
  const Strand &s = *w.strand;
  bool any = std::any_of(s.views.begin(), s.views.end(),
                         [&](const View &v) { return (v.lanes & lanes) && !v.fenced[0].empty(); });
  if (!any)
    return;
  eachTarget(s, point, reach, [&](unsigned at, Clocks &c) { publishFenced(c, s, lanes, at); });
  changed(point);
}

void RaceChecker::acquire(Warp &w, uint32_t lanes, const ScopedPoint &point, Reach reach) {
  if (!enabled || !point.stamp)
    return;
  Strand &s = *w.strand;
  uint64_t key = keyOf(point, reach, false);
  if (alreadySeen(s, lanes, key))
    return;
  eachView(s, lanes, [&](View &v) {
    eachSource(s, point, reach, [&](unsigned, const Clocks &c) { v.now.join(c); });
    remember(v, key);
  });
}

void RaceChecker::acquireRelaxed(Warp &w, uint32_t lanes, const ScopedPoint &point, Reach reach) {
  if (!enabled || !point.stamp)
    return;
  Strand &s = *w.strand;
  uint64_t key = keyOf(point, reach, true);
  if (alreadySeen(s, lanes, key))
    return;
  eachView(s, lanes, [&](View &v) {
    eachSource(s, point, reach, [&](unsigned at, const Clocks &c) { v.unacquired[at].join(c); });
    remember(v, key);
  });
}

void RaceChecker::forgetRetired(ScopedPoint &point) const {
  auto gone = [&](const auto &entry) { return names[entry.first].retired; };
  std::erase_if(point.ctas, gone);
  std::erase_if(point.clusters, gone);
}

void RaceChecker::synchronize(Exec &x, const Place &p, unsigned lane, const AccessInfo &info) {
  ScopedPoint &location = p.space == Space::Shared ? p.cta->strongLocations[p.offset] : locations[p.offset];
  constexpr size_t kMany = 32;
  if (location.ctas.size() > kMany)
    forgetRetired(location);
  bool acquires = info.order == Order::Acquire || info.order == Order::AcquireRelease ||
                  info.order == Order::SequentiallyConsistent;
  bool releases = info.order == Order::Release || info.order == Order::AcquireRelease ||
                  info.order == Order::SequentiallyConsistent;
  Reach reach = reachOf(info.scope);
  uint32_t lanes = 1u << lane;
  if (info.kind != AccessKind::Write && acquires)
    acquire(x.warp, lanes, location, reach);
  else if (info.kind != AccessKind::Write)
    acquireRelaxed(x.warp, lanes, location, reach);
  if (info.kind == AccessKind::Read)
    return;
  if (info.kind == AccessKind::Write)
    location = ScopedPoint(); // a plain store ends the release sequence
  if (releases)
    release(x.warp, lanes, location, reach);
  else
    releaseRelaxed(x.warp, lanes, location, reach);
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

void RaceChecker::fence(Warp &w, uint32_t lanes, Reach reach) {
  if (!enabled)
    return;
  Strand &s = *w.strand;
  eachView(s, lanes, [&](View &v) {
    for (unsigned r = 0; r <= static_cast<unsigned>(reach); ++r)
      v.now.join(std::exchange(v.unacquired[r], Clocks()));
    Published p{v.lanes, std::make_shared<Clocks>(v.now), s.clock, v.proxied};
    for (unsigned r = 0; r <= static_cast<unsigned>(reach); ++r) {
      for (Published &older : v.fenced[r])
        older.lanes &= ~v.lanes;
      std::erase_if(v.fenced[r], [](const Published &older) { return !older.lanes; });
      v.fenced[r].push_back(p);
    }
  });
  ++s.clock;
}

void RaceChecker::proxyFence(Warp &w, uint32_t lanes, std::span<const ProxySpace> spaces, bool ofCta) {
  if (!enabled)
    return;
  Strand &s = *w.strand;
  eachView(s, lanes, [&](View &v) {
    for (ProxySpace space : spaces) {
      if (ofCta)
        for (const auto &other : w.cta->warps)
          v.now.async[space].join(v.now.all, other->strand->id);
      else
        v.now.async[space].join(v.now.all);
      v.proxied[space] = s.clock;
    }
  });
  ++s.clock;
}

void RaceChecker::initFence(Warp &w, uint32_t lanes) {
  if (!enabled)
    return;
  eachView(*w.strand, lanes, [&](View &v) { v.inits = w.strand->clock; });
  ++w.strand->clock;
}

//===----------------------------------------------------------------------===//
// mbarrier initialisation, asynchronous work
//===----------------------------------------------------------------------===//

Touch RaceChecker::initialisation(const Exec &x, unsigned lane) const {
  Touch t;
  t.line = x.inst->line;
  t.lanes = 1u << lane;
  if (enabled) {
    t.strand = x.warp.strand->id;
    t.clock = x.warp.strand->clock;
  }
  return t;
}

void RaceChecker::checkInit(Exec &x, const Touch &init, uint64_t offset, unsigned lane, bool asyncProxy) {
  if (!enabled)
    return;
  const Strand &s = *x.warp.strand;
  unsigned initLane = static_cast<unsigned>(std::countr_zero(init.lanes));
  const View &v = *std::find_if(s.views.begin(), s.views.end(), [&](const View &v) { return v.lanes >> lane & 1; });
  bool own = init.strand == s.id && initLane == lane;
  bool fenced = (own && init.clock <= v.inits) || init.clock <= v.now.inits.get(init.strand, initLane);
  bool known = own || fenced || init.clock <= v.now.all.get(init.strand, initLane);
  if (!known)
    return x.machine.complain({"data-race",
                               "the mbarrier at " + hexText(offset) +
                                   " is used, but nothing orders that after its initialisation by " + nameOf(init) +
                                   " at PTX line " + std::to_string(init.line),
                               static_cast<int>(lane)});
  constexpr ProxySpace space = ProxySpace::Shared;
  bool visible =
      fenced || (own && init.clock <= v.proxied[space]) || init.clock <= v.now.async[space].get(init.strand, initLane);
  if (asyncProxy && !visible)
    x.machine.complain({"missing-proxy-fence",
                        "the asynchronous proxy uses the mbarrier at " + hexText(offset) +
                            ", initialised at PTX line " + std::to_string(init.line) +
                            "; neither fence.mbarrier_init nor fence.proxy.async makes that visible to it",
                        static_cast<int>(lane)});
}

void RaceChecker::complete(ScopedPoint &point, const Cta &cta, uint32_t engine, uint32_t clock, const Clocks &known) {
  if (!enabled)
    return;
  Clocks &c = ScopedPoint::in(point.ctas, cta.warps[0]->strand->cta);
  c.join(known);
  c.all.raise(engine, clock);
  c.raiseAsync(engine, clock);
  changed(point);
}

Clocks RaceChecker::known(const Warp &w, unsigned lane) const {
  if (enabled)
    for (const View &v : w.strand->views)
      if (v.lanes >> lane & 1)
        return v.now;
  return Clocks();
}

void RaceChecker::waited(Warp &w, uint32_t lanes, uint32_t engine, uint32_t clock) {
  if (!enabled)
    return;
  eachView(*w.strand, lanes, [&](View &v) {
    v.now.all.raise(engine, clock);
    v.now.raiseAsync(engine, clock);
  });
}

} // namespace ptxemu
