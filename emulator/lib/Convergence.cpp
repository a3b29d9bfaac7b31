//===- Convergence.cpp - Lanes of a warp that part and meet ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanewise.h"
#include "Machine.h"
#include <algorithm>

namespace ptxemu {

/// Chooses the fragment to run: normally the one furthest behind (innermost call first), so that diverged lanes meet
/// again; now and then another, since every lane must make progress even when one spins.
bool Machine::selectFragment(Warp &w) {
  if (w.fragments.size() == 1) {
    w.current = 0;
    if (w.fragments[0].wait == Wait::None)
      return true;
    removeReady(w);
    if (w.fragments[0].wait == Wait::Convergence) {
      Fault fault{"divergence", "an instruction that needs all named lanes waits for lanes that will not come", -1, {}};
      fault.notes.push_back(describe(w, w.fragments[0]));
      runningInst = &w.fragments[0].frame->function->code[w.fragments[0].pc];
      runningFunction = w.fragments[0].frame->function;
      throw fault;
    }
    return false;
  }
  if (w.boosted && w.current < w.fragments.size() && w.fragments[w.current].wait == Wait::None) {
    --w.boosted;
    return true;
  }
  int best = -1;
  unsigned readyCount = 0;
  for (unsigned i = 0; i < w.fragments.size(); ++i) {
    const Fragment &f = w.fragments[i];
    if (f.wait != Wait::None)
      continue;
    ++readyCount;
    if (best < 0 || f.frame->depth > w.fragments[best].frame->depth ||
        (f.frame->depth == w.fragments[best].frame->depth && f.pc < w.fragments[best].pc))
      best = static_cast<int>(i);
  }
  if (best < 0) {
    removeReady(w);
    bool onlyConvergence = std::all_of(w.fragments.begin(), w.fragments.end(), [](const Fragment &f) {
      return f.wait == Wait::Convergence || f.wait == Wait::WarpBarrier;
    });
    if (onlyConvergence) {
      Fault fault{"divergence",
                  "lanes of one warp wait for each other at different instructions that need them together",
                  -1,
                  {}};
      for (const Fragment &f : w.fragments)
        fault.notes.push_back(describe(w, f));
      for (const Fragment &f : w.fragments)
        if (f.wait == Wait::Convergence) {
          runningInst = &f.frame->function->code[f.pc];
          runningFunction = f.frame->function;
          break;
        }
      throw fault;
    }
    return false;
  }
  if (readyCount > 1 && --w.patience == 0) {
    w.patience = 64 + rng.below(4096);
    unsigned pick = rng.below(readyCount);
    for (unsigned i = 0; i < w.fragments.size(); ++i)
      if (w.fragments[i].wait == Wait::None && pick-- == 0)
        best = static_cast<int>(i);
    w.boosted = 16 + rng.below(2048);
  }
  w.current = static_cast<unsigned>(best);
  return true;
}

/// Joins the current fragment with others that stand at the same instruction of the same activation.
void Machine::mergeFragments(Warp &w) {
  if (w.current >= w.fragments.size())
    return;
  for (size_t i = 0; i < w.fragments.size();) {
    Fragment &c = w.fragments[w.current], &o = w.fragments[i];
    if (i == w.current || o.pc != c.pc || o.frame != c.frame || c.wait != Wait::None ||
        (o.wait != Wait::None && o.wait != Wait::Convergence)) {
      ++i;
      continue;
    }
    c.mask |= o.mask;
    c.wait = Wait::None;
    w.fragments.erase(w.fragments.begin() + static_cast<std::ptrdiff_t>(i));
    if (i < w.current)
      --w.current;
    w.boosted = 0;
  }
}

/// Whether every lane of the warp is here. If not, the fragment waits for the others.
bool Machine::lanesPresent(Warp &w, Exec &x) {
  if ((x.mask & w.live) == w.live)
    return true;
  if (uint32_t refused = x.fragment->mask & ~x.mask)
    throw Fault{
        "divergence",
        "an .aligned instruction is executed by some lanes of the warp and skipped by others (its guard differs)",
        std::countr_zero(refused)};
  x.fragment->wait = Wait::Convergence;
  return false;
}

/// Whether lanes are here that all those named in their member mask have come to. `x.mask` is left with them; the
/// others wait as a fragment of their own. Lanes at one instruction may name different masks (PTX ISA, shfl.sync: a
/// thread waits for the threads of its own membermask): each such group is complete by itself.
bool Machine::membersPresent(Warp &w, Exec &x, const Inst &inst) {
  const Lanes &members = x.source(inst.memberMask);
  uint32_t ready = 0;
  eachGroup(members, x.mask, [&](uint64_t mask, uint32_t group) {
    const uint32_t named = static_cast<uint32_t>(mask);
    if (uint32_t strangers = group & ~named)
      throw Fault{"divergence", "the executing lane is not in its own member mask", std::countr_zero(strangers)};
    uint32_t required = named & w.live;
    if ((group & required) == required)
      ready |= group;
    else if (uint32_t refused = x.fragment->mask & required & ~x.mask)
      throw Fault{"divergence", "a lane named in the member mask skips the instruction (its guard is false)",
                  std::countr_zero(refused)};
  });
  uint32_t waiting = x.mask & ~ready;
  if (!waiting)
    return true;
  if (waiting == x.fragment->mask) {
    x.fragment->wait = Wait::Convergence;
    return false;
  }
  splitOff(w, x, waiting)->wait = Wait::Convergence;
  x.mask = ready;
  if (!ready) // those that are left skip the instruction
    ++x.fragment->pc;
  return ready != 0;
}

Fragment *Machine::splitOff(Warp &w, Exec &x, uint32_t lanes) {
  Fragment other = *x.fragment;
  other.mask = lanes;
  x.fragment->mask &= ~lanes;
  w.fragments.push_back(other);
  x.fragment = &w.fragments[w.current];
  return &w.fragments.back();
}

/// Executes an instruction whose lanes take part in groups, each with a member mask of its own.
void Machine::executeGroups(Exec &x, const Inst &inst) {
  const uint32_t all = x.mask;
  const Lanes &members = x.source(inst.memberMask);
  if (inst.memberMask < 0 || std::all_of(members.v, members.v + 32, [&](uint64_t m) { return m == members[0]; }))
    return inst.handler(x, inst);
  const Lanes masks = members; // a copy: the result may go to the same register
  eachGroup(masks, all, [&](uint64_t, uint32_t group) {
    x.mask = group;
    inst.handler(x, inst);
  });
  x.mask = all;
}

} // namespace ptxemu
