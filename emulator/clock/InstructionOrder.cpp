//===- InstructionOrder.cpp - Order within a block ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionOrder.h"
#include "Pipes.h"
#include <map>
#include <numeric>
#include <set>

namespace ptxemu::timing {

std::vector<uint32_t> findParts(const Function &f, std::span<const StaticInstruction> code) {
  std::set<uint32_t> begins = {0};
  for (uint32_t i = 0; i < code.size(); ++i) {
    if (code[i].isFixed)
      begins.insert({i, i + 1});
    if (f.ast->body[f.code[i].origin].opcode == "bra")
      begins.insert(f.code[i].target);
  }
  begins.insert(static_cast<uint32_t>(code.size()));
  return {begins.begin(), begins.end()};
}

namespace {

class PartScheduler {
public:
  PartScheduler(std::span<const StaticInstruction> part, const std::vector<uint32_t> &outsideReads,
                const MachineModel &model)
      : part(part), outsideReads(outsideReads), model(model), nodes(part.size()) {
    connect();
    findHeights();
    findWrittenLater();
  }

  std::vector<uint32_t> run();

private:
  struct Edge {
    uint32_t to;
    double latency;
  };
  struct Node {
    std::vector<Edge> next;
    unsigned before = 0; ///< that have not been placed
    double ready = 0;    ///< by those that have
    double height = 0;   ///< cycles from here to the end
  };
  /// How often a register is read from here on, and whether it holds a value that somebody wants.
  struct Register {
    unsigned reads = 0;
    bool isAlive = false;
  };

  void connect();
  void findHeights();
  void findWrittenLater();
  double latencyOf(const StaticInstruction &) const;
  void add(uint32_t from, uint32_t to, double latency) {
    if (from != to) {
      nodes[from].next.push_back({to, latency});
      ++nodes[to].before;
    }
  }

  bool isWantedOutside(uint32_t r) const { return outsideReads[r] > 0 || readBeforeWritten.count(r); }
  void startPressure();
  int change(const StaticInstruction &) const;
  void take(const StaticInstruction &);
  int findPeak();

  std::span<const StaticInstruction> part;
  const std::vector<uint32_t> &outsideReads;
  const MachineModel &model;
  std::vector<Node> nodes;
  std::set<uint32_t> readBeforeWritten;
  std::unordered_map<uint32_t, Register> registers;
  int alive = 0;
};

double PartScheduler::latencyOf(const StaticInstruction &s) const {
  if (s.isFree)
    return 0;
  if (s.action == Action::Mma)
    return model.tensor.warpLatency;
  if (s.action == Action::Access)
    return s.space == Space::Shared ? model.shared.latency
                                    : model.l2.latency; // of others nobody knows it: the long one
  return s.chained * model.classes[static_cast<unsigned>(IssueClass::Alu)].latency +
         model.classes[static_cast<unsigned>(s.last)].latency;
}

/// Registers, and memory: loads overtake loads, nothing else of a space another.
void PartScheduler::connect() {
  std::unordered_map<uint32_t, uint32_t> writer;
  std::unordered_map<uint32_t, std::vector<uint32_t>> readers;
  std::map<Space, std::vector<uint32_t>> loads, stores; // since the last store there
  for (uint32_t i = 0; i < part.size(); ++i) {
    const StaticInstruction &s = part[i];
    for (uint32_t r : s.reads) {
      if (auto w = writer.find(r); w != writer.end())
        add(w->second, i, latencyOf(part[w->second]));
      readers[r].push_back(i);
    }
    for (uint32_t r : s.writes) {
      if (auto w = writer.find(r); w != writer.end())
        add(w->second, i, 1);
      for (uint32_t reader : readers[r])
        add(reader, i, 0);
      readers[r].clear();
      writer[r] = i;
    }
    if (s.action != Action::Access && s.action != Action::CopyAsync)
      continue;
    const bool changes = s.isStore || s.isAtomic || s.action == Action::CopyAsync;
    for (auto *accesses : {&stores, &loads})
      for (auto &[space, others] : *accesses) {
        if (space != s.space && space != Space::Generic && s.space != Space::Generic)
          continue;
        if (accesses == &loads && !changes)
          continue;
        for (uint32_t other : others)
          add(other, i, 0);
        if (changes && (space == s.space || s.space == Space::Generic))
          others.clear();
      }
    (changes ? stores : loads)[s.space].push_back(i);
  }
}

void PartScheduler::findHeights() {
  for (size_t i = nodes.size(); i-- > 0;)
    for (const Edge &e : nodes[i].next)
      nodes[i].height = std::max(nodes[i].height, e.latency + nodes[e.to].height);
}

/// What goes round a loop is read at the top of the part and written behind that.
void PartScheduler::findWrittenLater() {
  std::set<uint32_t> written;
  for (const StaticInstruction &s : part) {
    for (uint32_t r : s.reads)
      if (!written.count(r))
        readBeforeWritten.insert(r);
    written.insert(s.writes.begin(), s.writes.end());
  }
}

//===----------------------------------------------------------------------===//
// Registers in use
//===----------------------------------------------------------------------===//

void PartScheduler::startPressure() {
  registers.clear();
  alive = 0;
  for (const StaticInstruction &s : part)
    for (uint32_t r : s.reads)
      ++registers[r].reads;
  for (uint32_t r : readBeforeWritten) {
    registers[r].isAlive = true;
    ++alive;
  }
}

/// By how much the number of registers in use would grow.
int PartScheduler::change(const StaticInstruction &s) const {
  int change = 0;
  for (uint32_t r : s.reads)
    if (const Register &read = registers.at(r); read.isAlive && read.reads == 1 && !isWantedOutside(r))
      --change;
  for (uint32_t r : s.writes)
    if (auto found = registers.find(r); found == registers.end() ? outsideReads[r] > 0 : !found->second.isAlive)
      ++change;
  return change;
}

void PartScheduler::take(const StaticInstruction &s) {
  alive += change(s);
  for (uint32_t r : s.reads) {
    Register &read = registers[r];
    if (read.reads && --read.reads == 0 && !isWantedOutside(r))
      read.isAlive = false;
  }
  for (uint32_t r : s.writes)
    registers[r].isAlive = registers[r].reads > 0 || isWantedOutside(r);
}

int PartScheduler::findPeak() {
  startPressure();
  int peak = alive;
  for (const StaticInstruction &s : part) {
    take(s);
    peak = std::max(peak, alive);
  }
  return peak;
}

//===----------------------------------------------------------------------===//
// The schedule
//===----------------------------------------------------------------------===//

std::vector<uint32_t> PartScheduler::run() {
  constexpr size_t kChoices = 128; // that an assembler looks at, the first ones of the text
  constexpr int kMore = 8;         // registers than in the order of the text: an assembler has some to spare
  constexpr double kPatience = 32; // cycles
  const int peak = findPeak() + kMore;
  startPressure();
  std::set<uint32_t> candidates;
  for (uint32_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].before == 0)
      candidates.insert(i);
  std::vector<uint32_t> order;
  Pipes pipes;
  double now = 0;
  while (!candidates.empty()) {
    // The best of those that need few registers, and of the others: who would stall for long takes one more.
    struct Choice {
      uint32_t index = 0;
      double time = 1e18;
    };
    Choice frugal, greedy;
    size_t looked = 0;
    for (uint32_t i : candidates) {
      if (++looked > kChoices)
        break;
      const double time = pipes.firstFree(part[i], std::max(now, nodes[i].ready));
      const int grows = change(part[i]);
      Choice &best = grows <= 0 || alive + grows <= peak ? frugal : greedy;
      if (time < best.time || (time == best.time && nodes[i].height > nodes[best.index].height))
        best = {i, time};
    }
    const auto [best, bestTime] = frugal.time <= greedy.time + kPatience ? frugal : greedy;
    candidates.erase(best);
    order.push_back(best);
    take(part[best]);
    if (!part[best].isFree) {
      pipes.occupy(part[best], bestTime, model);
      now = bestTime + part[best].issueCount;
    }
    for (const Edge &e : nodes[best].next) {
      nodes[e.to].ready = std::max(nodes[e.to].ready, bestTime + e.latency);
      if (--nodes[e.to].before == 0)
        candidates.insert(e.to);
    }
  }
  return order;
}

} // namespace

std::vector<uint32_t> orderPart(std::span<const StaticInstruction> part, const std::vector<uint32_t> &outsideReads,
                                const MachineModel &model) {
  if (part.size() <= 2) {
    std::vector<uint32_t> order(part.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  return PartScheduler(part, outsideReads, model).run();
}

} // namespace ptxemu::timing
