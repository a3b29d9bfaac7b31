//===- InstructionOrderTest.cpp - Order within a block --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionOrder.h"
#include "ClockBench.h"
#include "MachineModel.h"
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace ptxemu;
using namespace ptxemu::timing;
using namespace ptxemu::timing::testing;

namespace {

constexpr uint32_t kRegisters = 12;

StaticInstruction randomInstruction(std::mt19937 &random) {
  const auto pick = [&](uint32_t count) { return static_cast<uint32_t>(random() % count); };
  StaticInstruction s;
  s.last = std::array{IssueClass::Alu, IssueClass::Fma, IssueClass::Mufu, IssueClass::Memory}[pick(4)];
  s.issues[static_cast<unsigned>(s.last)] = s.issueCount = 1;
  s.isFree = s.last == IssueClass::Alu && pick(4) == 0;
  if (s.last == IssueClass::Memory) {
    s.action = Action::Access;
    s.space = std::array{Space::Generic, Space::Global, Space::Shared}[pick(3)];
    s.isStore = pick(2);
  }
  for (uint32_t i = pick(3); i > 0; --i)
    s.reads.push_back(pick(kRegisters));
  if (!s.isStore)
    s.writes.push_back(pick(kRegisters));
  return s;
}

bool share(const std::vector<uint32_t> &a, const std::vector<uint32_t> &b) {
  return std::any_of(a.begin(), a.end(), [&](uint32_t r) { return std::find(b.begin(), b.end(), r) != b.end(); });
}

/// Whether their order matters.
bool conflict(const StaticInstruction &a, const StaticInstruction &b) {
  const bool meet = a.action == Action::Access && b.action == Action::Access && (a.isStore || b.isStore) &&
                    (a.space == b.space || a.space == Space::Generic || b.space == Space::Generic);
  return meet || share(a.writes, b.reads) || share(a.reads, b.writes) || share(a.writes, b.writes);
}

/// Cycles of an iteration of a loop with this body, for one warp.
double cyclesOf(const std::string &body) {
  return cyclesEach(MachineModel::find("h100-sxm"), 64, [&](unsigned iterations) {
    BenchKernel k;
    k.body = "mov.u32 %r1, 0;\nagain:\n" + body + "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, " +
             std::to_string(iterations) + "; @%p1 bra again;\n";
    return k;
  });
}

} // namespace

TEST_CASE("what depends on something else stays behind it") {
  const MachineModel model = MachineModel::find("h100-sxm");
  std::mt19937 random(1);
  unsigned moved = 0;
  for (unsigned round = 0; round < 200; ++round) {
    std::vector<StaticInstruction> part(2 + random() % 60);
    for (StaticInstruction &s : part)
      s = randomInstruction(random);
    std::vector<uint32_t> outside(kRegisters);
    for (uint32_t &reads : outside)
      reads = random() % 2;
    const std::vector<uint32_t> order = orderPart(part, outside, model);
    std::vector<uint32_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    REQUIRE(sorted.size() == part.size());
    for (uint32_t i = 0; i < sorted.size(); ++i)
      REQUIRE(sorted[i] == i);
    for (size_t i = 0; i < order.size(); ++i)
      for (size_t j = i + 1; j < order.size(); ++j)
        if (order[i] > order[j]) {
          ++moved;
          REQUIRE_FALSE(conflict(part[order[i]], part[order[j]]));
        }
  }
  CHECK(moved > 1000);
}

TEST_CASE("arithmetic goes on beside exponentials, but not across a barrier") {
  const auto exponentials = repeat(8, [](unsigned i) {
    const std::string r = std::to_string(100 + i);
    return "ex2.approx.ftz.f32 %f" + r + ", %f" + r + ";\n";
  });
  const auto sums = repeat(64, [](unsigned i) {
    const std::string r = std::to_string(i);
    return "fma.rn.f32 %f" + r + ", %f" + r + ", %f" + r + ", %f" + r + ";\n";
  });
  // Eight exponentials take their pipe for 64 cycles, as many as the others take to issue.
  const double together = cyclesOf(exponentials + sums), apart = cyclesOf(exponentials + "bar.sync 0;\n" + sums);
  CHECK(together < 90);
  CHECK(apart > 120);
}
