//===- Recorder.cpp - Writes down what clusters execute -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recorder.h"
#include "Tcgen05Multiply.h"
#include <algorithm>
#include <bit>
#include <set>

namespace ptxemu::timing {

void Footprint::Reads::add(bool isNew) {
  ++now.reads;
  now.lines += isNew;
  if (std::has_single_bit(now.reads))
    before.push_back(now);
}

/// By the second half of what was read: the first clusters may not have been seen to their end, and where each begins
/// somewhere else, as attention does on the diagonal, all that it reads first is new.
double Footprint::Reads::sharers() const {
  Count half;
  for (const Count &c : before)
    if (c.reads <= now.reads / 2)
      half = c;
  return static_cast<double>(now.reads - half.reads) /
         static_cast<double>(std::max<uint64_t>(1, now.lines - half.lines));
}

void Footprint::touch(uint64_t line, uint64_t sm, uint32_t place) {
  Line &l = lines[line];
  const bool isNew = l.sharers == 0;
  if (!isNew && l.lastSm == sm)
    return;
  ++l.sharers;
  l.lastSm = sm;
  if (auto it = kept.find(line); it != kept.end() && it->second.isLater)
    return;
  places[place].add(isNew);
  all.add(isNew);
}

double Footprint::sharersOf(uint64_t line) const {
  if (auto it = lines.find(line); it != lines.end())
    return it->second.sharers;
  if (auto it = kept.find(line); it != kept.end())
    if (auto same = places.find(it->second.place); same != places.end())
      return same->second.sharers();
  return all.now.reads ? all.sharers() : 1;
}

void Recorder::keep(const std::vector<uint64_t> &numbers) {
  for (uint64_t number : numbers)
    if (tracedClusters.try_emplace(number, kept.clusters.size()).second)
      kept.clusters.push_back({number, {}});
}

uint64_t Recorder::clusterNumber(const Cluster &c) const {
  return (static_cast<uint64_t>(c.id[2]) * clusterGrid[1] + c.id[1]) * clusterGrid[0] + c.id[0];
}

void Recorder::executed(const Warp &w, const Function &f, size_t place, uint32_t lanes) {
  const uint64_t number = clusterNumber(*w.cta->cluster);
  if (countsSteps)
    ++steps[number];
  if (!keeps(number)) {
    pending.clear();
    return;
  }
  std::vector<CtaTrace> &ctas = kept.clusters[tracedClusters.at(number)].ctas;
  if (ctas.empty())
    ctas.resize(w.cta->cluster->ctas.size());
  CtaTrace &cta = ctas[w.cta->rank];
  if (cta.warps.empty()) {
    cta.warps.resize(w.cta->warps.size());
    cta.threads = w.cta->threads;
  }
  Step step;
  step.place = code.placeOf(f, place);
  step.lanes = static_cast<uint8_t>(std::popcount(lanes));
  step.firstEffect = static_cast<uint32_t>(kept.effects.size());
  step.effectCount = static_cast<uint16_t>(pending.size());
  kept.effects.insert(kept.effects.end(), pending.begin(), pending.end());
  pending.clear();
  cta.warps[w.index].steps.push_back(step);
}

void Recorder::putInOrder() {
  const auto sortSteps = [&](std::vector<Step> &steps) {
    for (size_t begin = 0, i = 1; i <= steps.size(); ++i) {
      // Lanes that have gone different ways execute a part one after the other.
      if (i < steps.size() && code[steps[i].place].part == code[steps[begin].place].part &&
          code[steps[i].place].index > code[steps[i - 1].place].index)
        continue;
      std::sort(steps.begin() + static_cast<std::ptrdiff_t>(begin), steps.begin() + static_cast<std::ptrdiff_t>(i),
                [](const Step &a, const Step &b) { return a.place < b.place; });
      begin = i;
    }
  };
  for (ClusterTrace &cluster : kept.clusters)
    for (CtaTrace &cta : cluster.ctas)
      for (WarpTrace &warp : cta.warps)
        sortSteps(warp.steps);
}

void Recorder::dropEmpty() {
  std::erase_if(kept.clusters, [](const ClusterTrace &cluster) { return cluster.ctas.empty(); });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void Recorder::noteSectors(uint64_t address, uint64_t bytes) {
  for (uint64_t s = address / kSectorBytes; bytes && s <= (address + bytes - 1) / kSectorBytes; ++s) {
    const uint64_t line = s * kSectorBytes / kLineBytes;
    const auto sector = static_cast<uint8_t>(1u << s % (kLineBytes / kSectorBytes));
    if (!touched.empty() && touched.back().line == line)
      touched.back().sectors |= sector;
    else
      touched.push_back({line, sector});
  }
}

/// Gives the effect what noteSectors has collected, a line once.
void Recorder::takeTouches(Effect &e, const Cta &cta, uint32_t place, bool reads) {
  std::sort(touched.begin(), touched.end(), [](const auto &a, const auto &b) { return a.line < b.line; });
  size_t count = 0;
  for (const LineTouch &t : touched)
    if (count && touched[count - 1].line == t.line)
      touched[count - 1].sectors |= t.sectors;
    else
      touched[count++] = t;
  touched.resize(count);
  const uint64_t number = clusterNumber(*cta.cluster);
  if (reads && notesReads && number < wave)
    for (const LineTouch &t : touched)
      readLines.touch(t.line, number % groups << 8 | cta.rank, place);
  if (reads && keeps(number))
    for (const LineTouch &t : touched)
      readLines.keep(t.line, place, number >= wave);
  if (keeps(number)) {
    e.firstTouch = static_cast<uint32_t>(kept.touches.size());
    e.touchCount = static_cast<uint32_t>(count);
    kept.touches.insert(kept.touches.end(), touched.begin(), touched.end());
  }
  touched.clear();
}

/// A pass serves every bank once, and lanes that want the same word share it; accesses of 8 and 16 bytes go by half and
/// quarter warps.
static uint32_t countPasses(uint32_t mask, const std::function<uint64_t(unsigned)> &address, unsigned bytes) {
  const unsigned lanesAPass = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  uint32_t passes = 0;
  std::vector<uint64_t> words;
  for (unsigned first = 0; first < 32; first += lanesAPass) {
    words.clear();
    for (unsigned l = first; l < first + lanesAPass; ++l)
      if (mask >> l & 1)
        for (uint64_t w = address(l) / 4; w <= (address(l) + bytes - 1) / 4; ++w)
          words.push_back(w);
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    unsigned banks[32] = {}, most = 0;
    for (uint64_t w : words)
      most = std::max(most, ++banks[w % 32]);
    passes += most;
  }
  return std::max(passes, 1u);
}

/// Copies of 16 bytes a lane write a line of shared memory after the other, a quarter of a warp at a time.
static uint32_t countWrittenLines(uint32_t mask, const std::function<uint64_t(unsigned)> &address) {
  constexpr unsigned kLanes = 8;
  uint32_t lines = 0;
  for (unsigned first = 0; first < 32; first += kLanes) {
    std::set<uint64_t> written;
    for (unsigned l = first; l < first + kLanes; ++l)
      if (mask >> l & 1)
        written.insert(address(l) / kLineBytes);
    lines += static_cast<uint32_t>(written.size());
  }
  return lines;
}

void Recorder::accessed(const Exec &x, Space space, const std::function<uint64_t(unsigned)> &address, unsigned bytes) {
  Effect e;
  e.space = space;
  e.bytes = static_cast<int64_t>(bytes) * std::popcount(x.mask);
  if (space == Space::Shared) {
    e.passes = countPasses(x.mask, address, bytes);
    if (bytes == 16 && code[code.placeOf(*x.frame->function, x.place())].action == Action::CopyAsync)
      e.passes = std::max(e.passes, countWrittenLines(x.mask, address));
  } else if (space == Space::Global) {
    x.forLanes([&](unsigned l) { noteSectors(address(l), bytes); });
    const uint32_t place = code.placeOf(*x.frame->function, x.place());
    takeTouches(e, x.cta, place, !code[place].isStore);
  }
  pending.push_back(e);
}

void Recorder::addChunks(Effect &e, const Exec &x, const Copy &copy, bool reads) {
  for (const Chunk &c : copy.chunks) {
    e.bytes += copy.inShared(c).bytes;
    if (!c.outside)
      noteSectors(c.global, c.bytes);
  }
  takeTouches(e, x.cta, code.placeOf(*x.frame->function, x.place()), reads);
}

void Recorder::bulkLoaded(const Exec &x, const Copy &copy, const std::vector<LoadTarget> &targets, uint64_t barrier) {
  Effect e;
  e.kind = Effect::BulkLoad;
  e.offset = static_cast<uint32_t>(barrier);
  e.signalsOther = targets.front().signalled != targets.front().cta;
  for (const LoadTarget &t : targets)
    e.targets |= 1u << t.cta->rank;
  addChunks(e, x, copy, true);
  pending.push_back(e);
}

void Recorder::bulkStored(const Exec &x, const Copy &copy, bool reduces) {
  Effect e;
  e.kind = Effect::BulkStore;
  e.reduces = reduces;
  addChunks(e, x, copy, false);
  pending.push_back(e);
}

void Recorder::storedAsync(const Exec &, const Cta &to, uint64_t barrier, unsigned bytes) {
  Effect e;
  e.kind = Effect::RemoteStore;
  e.cta = static_cast<uint16_t>(to.rank);
  e.offset = static_cast<uint32_t>(barrier);
  e.bytes = bytes;
  pending.push_back(e);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

static Effect mbarrierEffect(Effect::Kind kind, const Cta &cta, uint64_t offset) {
  Effect e;
  e.kind = kind;
  e.cta = static_cast<uint16_t>(cta.rank);
  e.offset = static_cast<uint32_t>(offset);
  return e;
}

void Recorder::mbarrierInitialized(const Exec &, const Cta &cta, uint64_t offset, unsigned arrivals) {
  pending.push_back(mbarrierEffect(Effect::MbarrierInit, cta, offset));
  pending.back().count = arrivals;
}

void Recorder::mbarrierArrived(const Exec &, const Cta &cta, uint64_t offset, unsigned count, int64_t expectedBytes) {
  // Lanes that arrive at one mbarrier do so together.
  if (!pending.empty() && pending.back().kind == Effect::MbarrierArrive && pending.back().cta == cta.rank &&
      pending.back().offset == offset) {
    pending.back().count += count;
    pending.back().bytes += expectedBytes;
    return;
  }
  pending.push_back(mbarrierEffect(Effect::MbarrierArrive, cta, offset));
  pending.back().count = count;
  pending.back().bytes = expectedBytes;
}

void Recorder::mbarrierArrivesAfterCopies(const Exec &, const Cta &cta, uint64_t offset, bool adds) {
  if (!pending.empty() && pending.back().kind == Effect::ArriveAfterCopies && pending.back().cta == cta.rank &&
      pending.back().offset == offset) {
    ++pending.back().count;
    return;
  }
  pending.push_back(mbarrierEffect(Effect::ArriveAfterCopies, cta, offset));
  pending.back().count = 1;
  pending.back().waits = adds;
}

void Recorder::mbarrierPassed(const Exec &x, uint64_t offset, uint64_t phases) {
  pending.push_back(mbarrierEffect(Effect::MbarrierPass, x.cta, offset));
  pending.back().phases = phases;
}

void Recorder::barrierReached(const Exec &x, unsigned id, unsigned threads, unsigned expected, bool waits) {
  pending.push_back(mbarrierEffect(Effect::BarrierArrive, x.cta, id));
  pending.back().count = threads;
  pending.back().expected = expected;
  pending.back().waits = waits;
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

static uint32_t maskOf(const std::vector<Cta *> &ctas) {
  uint32_t mask = 0;
  for (const Cta *cta : ctas)
    mask |= 1u << cta->rank;
  return mask;
}

void Recorder::tensorMultiplied(const Exec &x, const TensorMultiplication &p) {
  Effect e;
  e.kind = Effect::TensorMultiply;
  e.targets = maskOf(p.ctas);
  e.bytes = p.sharedBytes();
  if (keeps(clusterNumber(*x.cta.cluster))) {
    const TensorProduct product{2.0 * p.o.m * p.o.n * p.o.k, p.o.columns(), p.rowBytes(), p.elementBits()};
    if (kept.products.empty() || kept.products.back() != product) // most kernels have one or two
      kept.products.push_back(product);
    e.product = static_cast<uint32_t>(kept.products.size() - 1);
  }
  pending.push_back(e);
}

void Recorder::tensorCopied(const Exec &, const std::vector<Cta *> &ctas, unsigned bytes) {
  Effect e;
  e.kind = Effect::TensorCopy;
  e.targets = maskOf(ctas);
  e.bytes = bytes;
  pending.push_back(e);
}

void Recorder::tensorCommitted(const Exec &, const Cta &cta, uint64_t offset) {
  pending.push_back(mbarrierEffect(Effect::TensorCommit, cta, offset));
}

void Recorder::tensorAllocated(const Exec &x, unsigned columns, bool pair) {
  pending.push_back(mbarrierEffect(Effect::TensorAllocate, x.cta, 0));
  pending.back().count = columns;
  pending.back().isPair = pair;
}

void Recorder::tensorFreed(const Exec &x, unsigned columns, bool pair) {
  pending.push_back(mbarrierEffect(Effect::TensorFree, x.cta, 0));
  pending.back().count = columns;
  pending.back().isPair = pair;
}

void Recorder::launchCancelled(const Exec &, const Cta &cta, uint64_t barrier, unsigned bytes) {
  pending.push_back(mbarrierEffect(Effect::LaunchCancel, cta, barrier));
  pending.back().bytes = bytes;
}

} // namespace ptxemu::timing
