//===- TensorOrder.cpp - What orders accesses to tensor memory -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorOrder.h"
#include "Machine.h"
#include <algorithm>

namespace ptxemu {

namespace {

/// What any lane of the warp knows: its tcgen05 instructions belong to the warp.
VectorClock known(const Strand &s) {
  VectorClock all = s.views[0].now.all;
  for (size_t i = 1; i < s.views.size(); ++i)
    all.join(s.views[i].now.all);
  return all;
}

} // namespace

void tensorFenceBefore(Warp &w) {
  if (w.strand)
    w.fences.before.push_back(w.strand->clock);
}

void tensorFenceAfter(Warp &w) {
  if (w.strand)
    w.fences.behind = known(*w.strand);
}

void tensorWait(Warp &w, bool stores) {
  w.fences.waits[stores].push_back(static_cast<uint32_t>(w.fences.before.size()));
}

namespace {

bool isCore(const TensorTouch &t) {
  return t.access == TensorAccess::Core;
}

bool waitedFor(const TensorTouch &t) {
  return t.epoch < t.warp->fences.waits[t.access == TensorAccess::Store].size();
}

/// The issuing warp's clock at the before-fence that publishes the access; 0 when there is none.
uint32_t publishedAt(const TensorTouch &t) {
  const TensorFences &f = t.warp->fences;
  uint32_t fence = isCore(t) ? t.epoch : f.waits[t.access == TensorAccess::Store][t.epoch];
  return fence < f.before.size() ? f.before[fence] : 0;
}

/// Whether the tensor core's write is finished when its later work comes to the same cells. Copies follow each other,
/// and what reads is done before what writes: the ISA promises neither, but software builds on both.
bool isPipelined(const TensorPart &before, const TensorPart &now) {
  switch (before.role) {
  case TensorPart::Accumulator:
    return now.role == TensorPart::Shifted || (now.role == TensorPart::Accumulator && now.shape == before.shape);
  case TensorPart::Shifted:
    return now.role != TensorPart::Shifted && now.role != TensorPart::Copied;
  default:
    return now.role != TensorPart::Shifted;
  }
}

/// Whether a warp that knows `clocks` comes after the access. `core`: it lets the tensor core work, which follows its
/// own earlier work without having to wait for it.
bool isBehind(const VectorClock &clocks, const TensorTouch &t, const Warp &w, bool core) {
  if (isCore(t) && clocks.get(t.engine) >= t.engineClock)
    return true;
  if (isCore(t) && (!core || &w == t.warp))
    return core;
  if (&w == t.warp)
    return true;
  uint32_t published = publishedAt(t);
  return published && clocks.highest(t.warp->strand->id) >= published;
}

std::string nameOf(const TensorTouch &t) {
  const auto &id = t.warp->cta->id;
  constexpr const char *what[] = {"tcgen05.ld", "tcgen05.st", "the tensor core, on behalf of", "tcgen05.dealloc"};
  return std::string(what[static_cast<unsigned>(t.access)]) + (isCore(t) ? " warp " : " by warp ") +
         std::to_string(t.warp->index) + " of CTA (" + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " +
         std::to_string(id[2]) + ") at PTX line " + std::to_string(t.line);
}

} // namespace

void TensorOrder::check(Exec &x, const VectorClock &known, const TensorTouch &before, bool beforeWrites,
                        const TensorTouch &now, bool writes, unsigned column) {
  if (!before.warp)
    return;
  std::string conflict = std::string(now.access == TensorAccess::Free ? "frees"
                                     : writes                         ? "writes"
                                                                      : "reads") +
                         " column " + std::to_string(column) + " of tensor memory, which " + nameOf(before) +
                         (beforeWrites ? " writes" : " reads");
  if (!isCore(before) && !waitedFor(before)) {
    bool store = before.access == TensorAccess::Store;
    return x.machine.complain(
        {"missing-tensor-wait",
         "the instruction " + conflict + "; no tcgen05.wait::" + (store ? "st" : "ld") + " has waited for that", -1});
  }
  const Warp &w = x.warp;
  bool sameCore = isCore(before) && isCore(now) && now.engine == before.engine,
       core = sameCore && (!beforeWrites || isPipelined(before.part, now.part)),
       free = now.access == TensorAccess::Free;
  if (isBehind(free ? known : w.fences.behind, before, w, core))
    return;
  if (isBehind(known, before, w, core))
    return x.machine.complain(
        {"missing-tensor-fence",
         "the instruction " + conflict +
             "; the warp has waited for that, but without a tcgen05.fence::after_thread_sync since",
         -1});
  if (isCore(before) && !core)
    return x.machine.complain(
        {"async-in-flight",
         "the instruction " + conflict +
             (sameCore ? "; the tensor core keeps the order of issue only for certain pairs of instructions (such "
                         "as two mma of one kind and shape on one accumulator)"
                       : "") +
             "; wait for its commit first",
         -1});
  if (known.highest(before.warp->strand->id) >= before.clock) {
    if (free && !isCore(before))
      return; // deallocation is not asynchronous: a barrier is enough
    return x.machine.complain(
        {"missing-tensor-fence",
         "the instruction " + conflict + "; a barrier lies between, but no tcgen05.fence::before_thread_sync", -1});
  }
  x.machine.complain({"data-race", "the instruction " + conflict + "; nothing orders the two", -1});
}

void TensorOrder::access(Exec &x, const TensorRegion &r, bool writes, TensorTouch now) {
  if (!x.machine.races().isEnabled())
    return;
  cells.resize(size_t(TensorMemory::kWindows) * TensorMemory::kColumns);
  now.warp = &x.warp;
  now.clock = x.warp.strand->clock;
  now.line = x.inst->line;
  const TensorFences &f = x.warp.fences;
  now.epoch = static_cast<uint32_t>(isCore(now) ? f.before.size() : f.waits[now.access == TensorAccess::Store].size());
  const VectorClock clocks = known(*x.warp.strand);
  for (unsigned window = 0; window < TensorMemory::kWindows; ++window)
    if (r.windows >> window & 1)
      for (unsigned c = r.column; c < r.column + r.columns; ++c)
        visit(x, clocks, cells[window * TensorMemory::kColumns + c], now, writes, c);
}

void TensorOrder::visit(Exec &x, const VectorClock &known, Cell &cell, const TensorTouch &now, bool writes,
                        unsigned column) {
  check(x, known, cell.write, true, now, writes, column);
  if (writes) {
    for (const TensorTouch &t : cell.reads)
      check(x, known, t, false, now, writes, column);
    cell.reads.clear();
    cell.write = now;
    return;
  }
  auto same = [&](const TensorTouch &t) { return t.warp == now.warp && t.access == now.access; };
  auto it = std::find_if(cell.reads.begin(), cell.reads.end(), same);
  if (it == cell.reads.end())
    cell.reads.push_back(now);
  else
    *it = now;
}

void TensorOrder::forget(unsigned column, unsigned columns) {
  if (cells.empty())
    return;
  for (unsigned window = 0; window < TensorMemory::kWindows; ++window)
    for (unsigned c = column; c < column + columns; ++c)
      cells[window * TensorMemory::kColumns + c] = Cell();
}

} // namespace ptxemu
