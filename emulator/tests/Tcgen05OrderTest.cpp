//===- Tcgen05OrderTest.cpp - What orders the tensor core's work ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedPtx.h"
#include "MmaProblem.h"
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

/// A commit that the issuing thread waits for, with an mbarrier of its own.
const std::string kCompleted = " .shared .align 8 .b64 mid; .reg .pred %arrived; mbarrier.init.shared.b64 [mid], 1;\n"
                               "  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [mid];\n"
                               "MID: mbarrier.try_wait.parity.shared.b64 %arrived, [mid], 0; @!%arrived bra MID;\n"
                               "  tcgen05.fence::after_thread_sync;\n  ";
/// Flips N between 32 and 16 in %idesc.
const std::string kOtherWidth = "xor.b32 %idesc, %idesc, " + std::to_string((4 ^ 2) << 17) + ";\n  ";

struct Chain {
  const char *what;
  bool ordered; ///< by the tensor core itself
  std::string first, second;
};

} // namespace

TEST_CASE("the tensor core keeps the order of issue for the ISA's pairs of instructions only") {
  MmaCase base{"f16", "f16", kF16Element, kF16Element, 128, 32, 16};
  base.tensorA = true;
  auto mma = [](const char *d, const char *a) {
    return "tcgen05.mma.cta_group::1.kind::f16 [" + std::string(d) + "], [" + a + "], %b, %idesc, %p;\n  ";
  };
  const std::string usual = mma("%d", "%d+256"), reading = mma("%d+64", "%d"); // the accumulator as matrix A
  const std::string copy = "tcgen05.cp.cta_group::1.128x128b [%d], %b;\n  ";
  const std::string rows = "tcgen05.cp.cta_group::1.4x256b [%d], %b;\n  ";
  const std::string shift = "tcgen05.shift.cta_group::1.down [%d];\n  ";
  const Chain chains[] = {
      {"equal ones on one accumulator", true, usual, usual},
      {"another shape on the accumulator", false, usual, kOtherWidth + usual},
      {"an accumulator that overlaps", false, usual, mma("%d+16", "%d+256")},
      {"another accumulator", true, usual, mma("%d+32", "%d+256")},
      {"the accumulator as matrix A", false, usual, reading},
      {"matrix A overwritten as an accumulator", true, reading, usual},
      {"a copy, then a multiplication that reads it", true, copy, reading},
      {"a copy over an accumulator", false, usual, copy},
      {"a copy over matrix A", true, reading, copy},
      {"a shift of the accumulator", true, usual, shift},
      {"a shift, then a multiplication", true, shift, reading},
      {"a shift, then a copy of rows", true, shift, rows},
      {"a shift, then another copy", false, shift, copy},
      {"two shifts", false, shift, shift},
      {"a copy, then a shift", false, copy, shift},
  };
  for (const Chain &c : chains) {
    INFO(c.what);
    MmaProblem problem(base);
    problem.program.instruction = c.first + c.second;
    std::string found = verdict(problem.program.run());
    CHECK(found == (c.ordered ? "" : "async-in-flight"));
    problem.program.instruction = c.first + kCompleted + c.second;
    addGenerated(problem.program.text());
    for (uint64_t seed = 0; seed < 6; ++seed) {
      MmaProblem twin(base);
      twin.program.instruction = problem.program.instruction;
      twin.program.options.seed = seed;
      LaunchResult r = twin.program.run();
      INFO((r.ok() ? "" : r.diagnostics[0].render()));
      REQUIRE(r.ok());
    }
  }
}

TEST_CASE("operands of the tensor core need a proxy fence after what threads write") {
  // Every thread rewrites a word of what the instruction reads.
  const std::string rewrite = "mov.u32 %x, image; shl.b32 %v0, %t, 2; add.u32 %x, %x, %v0; ld.shared.b32 %v0, [%x]; "
                              "st.shared.b32 [%x], %v0;\n  ";
  for (bool copies : {false, true}) {
    MmaCase c{"f16", "f16", kF16Element, kF16Element, 128, 32, 16};
    auto verdictWith = [&](const std::string &before, uint64_t seed) {
      MmaProblem problem(c);
      problem.program.everyThread = before;
      if (copies)
        problem.program.instruction = "tcgen05.cp.cta_group::1.128x128b [%d], %a;";
      problem.program.options.seed = seed;
      return verdict(problem.program.run());
    };
    CHECK(verdictWith(rewrite, 1) == "missing-proxy-fence");
    for (uint64_t seed = 0; seed < 25; ++seed)
      REQUIRE(verdictWith(rewrite + "fence.proxy.async;", seed) == "");
  }
}

TEST_CASE("a pair's commits and barriers reach both CTAs, or are missed") {
  MmaCase c{"f16", "f16", kF16Element, kF16Element, 256, 32, 16};
  c.pair = true;
  const std::string cluster = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
                    multicast = "shared::cluster.multicast::cluster.b64 [done], %both;";
  struct Change {
    const char *what, *kind;
    std::string from, to;
  };
  const Change changes[] = {
      {"the commit reaches the first CTA only", "deadlock", "mov.b16 %both, 3;", "mov.b16 %both, 1;"},
      {"the commit reaches the second CTA only", "deadlock", "mov.b16 %both, 3;", "mov.b16 %both, 2;"},
      {"the commit names a third CTA", "bad-copy", "mov.b16 %both, 3;", "mov.b16 %both, 7;"},
      {"the commit is no multicast", "deadlock", multicast, "shared::cluster.b64 [done];"},
      {"the commit is one CTA's", "tensor-memory", "tcgen05.commit.cta_group::2", "tcgen05.commit.cta_group::1"},
      // Nothing tells the issuing thread that the other CTA's operands are there.
      {"the barrier before the instruction is each CTA's own", "data-race mbarrier uninitialized-shared", cluster,
       "bar.sync 0;"},
      {"nothing is changed", "", "", ""},
  };
  for (const Change &change : changes) {
    INFO(change.what);
    std::string found;
    for (uint64_t seed = 1; seed <= 20 && found.empty(); ++seed) {
      MmaProblem problem(c);
      problem.program.from = change.from;
      problem.program.to = change.to;
      problem.program.options.seed = seed;
      found = verdict(problem.program.run());
    }
    CHECK(found.empty() == !*change.kind);
    CHECK(std::string(change.kind).find(found) != std::string::npos);
  }
  // The operands of the second CTA are announced by an arrival from there instead.
  const std::string announce =
      "setp.ne.u32 %q, %t, 0; @%q bra TOLD; setp.eq.u32 %q, %rank, 0; @%q bra TOLD; mov.u32 %x, ready; "
      "mapa.shared::cluster.u32 %x, %x, 0; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%x];\nTOLD:\n  ";
  const std::string init = "setp.ne.u32 %q, %t, 0; @%q bra MADE; mbarrier.init.shared.b64 [ready], 1; "
                           "fence.mbarrier_init.release.cluster;\nMADE: " +
                           cluster + "\n  ";
  const std::string look =
      "READY: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %q, [ready], 0; @!%q bra READY;\n"
      "  tcgen05.fence::after_thread_sync;\n  ";
  for (bool waits : {false, true}) {
    std::string found;
    for (uint64_t seed = 0; seed < (waits ? 20 : 100) && found.empty(); ++seed) {
      MmaProblem problem(c);
      std::string &instruction = problem.program.instruction;
      problem.program.everyThread =
          ".shared .align 8 .b64 ready;\n  " + init +
          // Written after the barrier; the arrival publishes what its CTA's barrier has collected.
          "mov.u32 %x, image; shl.b32 %v0, %t, 2; add.u32 %x, %x, %v0; ld.shared.b32 %v0, [%x]; st.shared.b32 [%x], "
          "%v0; fence.proxy.async; tcgen05.fence::before_thread_sync; bar.sync 0;\n  " +
          announce;
      problem.program.from = "tcgen05.fence::before_thread_sync;\n  " + cluster; // the usual barrier
      problem.program.to = "";
      instruction = (waits ? look : "") + instruction;
      if (waits && seed == 0)
        addGenerated(problem.program.text());
      problem.program.options.seed = seed;
      found = verdict(problem.program.run());
    }
    INFO(found);
    CHECK(found.empty() == waits);
  }
}
