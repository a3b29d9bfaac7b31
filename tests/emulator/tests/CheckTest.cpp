//===- CheckTest.cpp - Every check, provoked and corrected ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

struct Twin {
  const char *kind; ///< of the mistake
  const char *globals;
  unsigned threads;
  const char *broken, *corrected;
};

const char *const kShared = ".shared .align 16 .b8 s[1024];\n.shared .align 8 .b64 bar;\n";

const Twin kTwins[] = {
    {"out-of-bounds", "", 32, "mul.wide.u32 %rd1, %i, 4; add.u64 %rd1, %out, %rd1; st.global.u32 [%rd1+4000], %i;",
     "mul.wide.u32 %rd1, %i, 4; add.u64 %rd1, %out, %rd1; st.global.u32 [%rd1+3900], %i;"},
    {"out-of-bounds", "", 32, "mov.u64 %rd1, 16; ld.global.u32 %r1, [%rd1];", "ld.global.u32 %r1, [%out];"},
    {"out-of-bounds", kShared, 32, "mov.u32 %r1, s; st.shared.u32 [%r1+4096], %i;",
     "mov.u32 %r1, s; shl.b32 %r2, %i, 2; add.u32 %r1, %r1, %r2; st.shared.u32 [%r1], %i;"},
    {"misaligned", "", 32, "ld.global.u32 %r1, [%out+2];", "ld.global.u32 %r1, [%out+4];"},
    {"misaligned", "", 32, "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%out+8];",
     "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%out+16];"},
    {"uninitialized-register", "", 32, "add.u32 %r1, %r2, 1;", "mov.u32 %r2, 5; add.u32 %r1, %r2, 1;"},
    {"uninitialized-register", "", 32, "setp.eq.u32 %p1, %i, 0; @%p1 mov.u32 %r2, 1; add.u32 %r1, %r2, 1;",
     "setp.eq.u32 %p1, %i, 0; mov.u32 %r2, 0; @%p1 mov.u32 %r2, 1; add.u32 %r1, %r2, 1;"},
    {"uninitialized-register", "", 32, "@%p3 mov.u32 %r1, 1;", "setp.ne.u32 %p3, %i, 3; @%p3 mov.u32 %r1, 1;"},
    {"uninitialized-shared", kShared, 32, "ld.shared.u32 %r1, [s];",
     "st.shared.u32 [s], 1; bar.sync 0; ld.shared.u32 %r1, [s];"},
    // Races on shared memory: a missing barrier, between warps and within one.
    {"data-race", kShared, 64,
     "mov.u32 %r1, s; shl.b32 %r2, %i, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %i; xor.b32 %r2, %r2, 128; "
     "add.u32 %r3, %r1, %r2; "
     "st.shared.u32 [%r3], %i;",
     "mov.u32 %r1, s; shl.b32 %r2, %i, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %i; bar.sync 0; xor.b32 %r2, "
     "%r2, 128; add.u32 %r3, %r1, %r2; "
     "st.shared.u32 [%r3], %i;"},
    {"data-race", kShared, 32,
     "mov.u32 %r1, s; shl.b32 %r2, %i, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %i; xor.b32 %r2, %r2, 4; add.u32 "
     "%r3, %r1, %r2; ld.shared.u32 %r4, [%r3];",
     "mov.u32 %r1, s; shl.b32 %r2, %i, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %i; bar.warp.sync -1; xor.b32 "
     "%r2, %r2, 4; add.u32 %r3, %r1, %r2; "
     "ld.shared.u32 %r4, [%r3];"},
    {"data-race", "", 32, "st.global.u32 [%out], %i;", "mov.u32 %r1, 7; st.global.u32 [%out], %r1;"},
    {"data-race", "", 64, "setp.lt.u32 %p1, %i, 32; @%p1 st.global.u32 [%out], 1; @!%p1 ld.global.u32 %r1, [%out];",
     "setp.lt.u32 %p1, %i, 32; @%p1 st.global.u32 [%out], 1; bar.sync 0; @!%p1 ld.global.u32 %r1, [%out];"},
    // A weak store beside an atomic.
    {"data-race", "", 64,
     "setp.eq.u32 %p1, %i, 0; @%p1 st.global.u32 [%out], 1; setp.eq.u32 %p2, %i, 40; @%p2 atom.global.add.u32 %r1, "
     "[%out], 1;",
     "setp.eq.u32 %p1, %i, 0; @%p1 atom.global.exch.b32 %r2, [%out], 1; setp.eq.u32 %p2, %i, 40; @%p2 "
     "atom.global.add.u32 %r1, [%out], 1;"},
    // Message passing needs release and acquire.
    {"data-race", "", 64,
     "setp.ge.u32 %p1, %i, 32; @%p1 bra READ; setp.ne.u32 %p2, %i, 0; @%p2 bra END; st.global.u32 [%out+64], 5; "
     "st.relaxed.gpu.global.u32 [%out], 1; bra END;\n"
     "READ: setp.ne.u32 %p2, %i, 32; @%p2 bra END;\nSPIN: ld.acquire.gpu.global.u32 %r1, [%out]; setp.eq.u32 %p3, %r1, "
     "0; @%p3 bra SPIN; ld.global.u32 %r2, "
     "[%out+64];\nEND:",
     "setp.ge.u32 %p1, %i, 32; @%p1 bra READ; setp.ne.u32 %p2, %i, 0; @%p2 bra END; st.global.u32 [%out+64], 5; "
     "st.release.gpu.global.u32 [%out], 1; bra END;\n"
     "READ: setp.ne.u32 %p2, %i, 32; @%p2 bra END;\nSPIN: ld.acquire.gpu.global.u32 %r1, [%out]; setp.eq.u32 %p3, %r1, "
     "0; @%p3 bra SPIN; ld.global.u32 %r2, "
     "[%out+64];\nEND:"},
    {"data-race", "", 64,
     "setp.ge.u32 %p1, %i, 32; @%p1 bra READ; setp.ne.u32 %p2, %i, 0; @%p2 bra END; st.global.u32 [%out+64], 5; "
     "red.relaxed.gpu.global.add.u32 [%out], 1; bra END;\n"
     "READ: setp.ne.u32 %p2, %i, 32; @%p2 bra END;\nSPIN: ld.relaxed.gpu.global.u32 %r1, [%out]; setp.eq.u32 %p3, %r1, "
     "0; @%p3 bra SPIN; fence.acq_rel.gpu; "
     "ld.global.u32 %r2, [%out+64];\nEND:",
     "setp.ge.u32 %p1, %i, 32; @%p1 bra READ; setp.ne.u32 %p2, %i, 0; @%p2 bra END; st.global.u32 [%out+64], 5; "
     "fence.acq_rel.gpu; red.relaxed.gpu.global.add.u32 "
     "[%out], 1; bra END;\nREAD: setp.ne.u32 %p2, %i, 32; @%p2 bra END;\nSPIN: ld.relaxed.gpu.global.u32 %r1, [%out]; "
     "setp.eq.u32 %p3, %r1, 0; @%p3 bra SPIN; "
     "fence.acq_rel.gpu; ld.global.u32 %r2, [%out+64];\nEND:"},
    // Barriers.
    {"barrier-mismatch", "", 64,
     "setp.lt.u32 %p1, %i, 32; @%p1 bra A; bar.sync 1, 64; bra B;\nA: bar.sync 1, 32; bar.sync 1, 64;\nB:",
     "setp.lt.u32 %p1, %i, 32; @%p1 bra A; bar.sync 1, 64; bra B;\nA: bar.sync 1, 64;\nB:"},
    {"deadlock", "", 64, "setp.lt.u32 %p1, %i, 32; @%p1 bra A; bar.sync 1; bra B;\nA: bar.sync 2;\nB:",
     "setp.lt.u32 %p1, %i, 32; @%p1 bra A; bar.sync 1; bra B;\nA: bar.sync 1;\nB:"},
    {"deadlock", "", 64,
     "setp.lt.u32 %p1, %i, 32; @%p1 bra A; bar.arrive 1, 64; bar.sync 2, 64; bra B;\nA: bar.sync 1, 64;\nB:",
     "setp.lt.u32 %p1, %i, 32; @%p1 bra A; bar.arrive 1, 64; bra B;\nA: bar.sync 1, 64;\nB:"},
    {"divergence", "", 32, "setp.lt.u32 %p1, %i, 16; @%p1 bra A; bar.sync 0; bra B;\nA: bar.sync 1;\nB:",
     "setp.lt.u32 %p1, %i, 16; @%p1 bra B; mov.u32 %r1, 1;\nB: bar.sync 0;"},
    {"divergence", "", 32, "setp.lt.u32 %p1, %i, 16; @%p1 bar.sync 0;", "setp.lt.u32 %p1, %i, 32; @%p1 bar.sync 0;"},
    {"divergence", "", 32, "setp.lt.u32 %p1, %i, 16; @%p1 shfl.sync.idx.b32 %r1, %i, 0, 31, -1;",
     "setp.lt.u32 %p1, %i, 16; @%p1 shfl.sync.idx.b32 %r1, %i, 0, 31, 0xffff;"},
    {"livelock", "", 32, "SPIN: ld.volatile.global.u32 %r1, [%out]; setp.eq.u32 %p1, %r1, 0; @%p1 bra SPIN;",
     "st.volatile.global.u32 [%out], 1;\nSPIN: ld.volatile.global.u32 %r1, [%out]; setp.eq.u32 %p1, %r1, 0; @%p1 bra "
     "SPIN;"},
    // mbarriers.
    {"mbarrier", kShared, 32,
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; mbarrier.init.shared.b64 [bar], 1; mbarrier.init.shared.b64 [bar], 1;\nE:",
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; mbarrier.init.shared.b64 [bar], 1; mbarrier.inval.shared.b64 [bar]; "
     "mbarrier.init.shared.b64 [bar], 1;\nE:"},
    {"mbarrier", kShared, 32, "mbarrier.arrive.shared.b64 %rd1, [bar];",
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; mbarrier.init.shared.b64 [bar], 32;\nE: bar.sync 0; "
     "mbarrier.arrive.shared.b64 %rd1, [bar];"},
    {"mbarrier", kShared, 32,
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.shared.b64 %rd1, [bar], "
     "3;\nE:",
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; mbarrier.init.shared.b64 [bar], 4; mbarrier.arrive.shared.b64 %rd1, [bar], "
     "3;\nE:"},
    {"deadlock", kShared, 32,
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.shared.b64 %rd1, "
     "[bar];\nW: mbarrier.try_wait.parity.shared.b64 "
     "%p2, [bar], 0; @!%p2 bra W;\nE:",
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.shared.b64 %rd1, "
     "[bar];\nW: mbarrier.try_wait.parity.shared.b64 "
     "%p2, [bar], 0; @!%p2 bra W;\nE:"},
    // Asynchronous copies.
    {"async-in-flight", kShared, 32,
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; cp.async.ca.shared.global [s], [%out], 16; ld.shared.u32 %r1, [s];\nE:",
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; cp.async.ca.shared.global [s], [%out], 16; cp.async.wait_all; ld.shared.u32 "
     "%r1, [s];\nE:"},
    {"async-in-flight", kShared, 32,
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; cp.async.ca.shared.global [s], [%out], 16; cp.async.commit_group; "
     "cp.async.ca.shared.global [s+16], [%out], 16; "
     "cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 %r1, [s+16];\nE:",
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; cp.async.ca.shared.global [s], [%out], 16; cp.async.commit_group; "
     "cp.async.ca.shared.global [s+16], [%out], 16; "
     "cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 %r1, [s];\nE:"},
    {"missing-proxy-fence", kShared, 32,
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; st.shared.v4.u32 [s], {%i, %i, %i, %i}; "
     "cp.async.bulk.global.shared::cta.bulk_group [%out], [s], 16; "
     "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nE:",
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; st.shared.v4.u32 [s], {%i, %i, %i, %i}; fence.proxy.async; "
     "cp.async.bulk.global.shared::cta.bulk_group [%out], [s], "
     "16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nE:"},
    {"data-race", kShared, 32,
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; st.shared.v4.u32 [s], {%i, %i, %i, %i}; fence.proxy.async; "
     "cp.async.bulk.global.shared::cta.bulk_group [%out], [s], "
     "16; cp.async.bulk.commit_group; st.shared.u32 [s], 1; cp.async.bulk.wait_group 0;\nE:",
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; st.shared.v4.u32 [s], {%i, %i, %i, %i}; fence.proxy.async; "
     "cp.async.bulk.global.shared::cta.bulk_group [%out], [s], "
     "16; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; st.shared.u32 [s], 1; cp.async.bulk.wait_group "
     "0;\nE:"},
    {"deadlock", kShared, 32,
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 "
     "%rd1, [bar], 64; "
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out], 32, [bar];\nW: "
     "mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 "
     "bra W;\nE:",
     "setp.ne.u32 %p1, %i, 0; @%p1 bra E; mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 "
     "%rd1, [bar], 32; "
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out], 32, [bar];\nW: "
     "mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 "
     "bra W;\nE:"},
    {"trap", "", 32, "setp.eq.u32 %p1, %i, 3; @%p1 trap;", "setp.eq.u32 %p1, %i, 99; @%p1 trap;"},
};

} // namespace

TEST_CASE("every check finds its mistake and passes the corrected twin") {
  for (const Twin &t : kTwins) {
    INFO(t.kind << ": " << t.broken);
    std::string found;
    for (uint64_t seed = 1; seed <= 20 && found.empty(); ++seed) {
      Run run(kernel(t.broken, t.threads, t.globals));
      run.argument(run.buffer(std::vector<uint32_t>(1008), "out"));
      run.options.seed = seed;
      run.options.livelockSteps = 50000;
      found = verdict(run.launch());
    }
    CHECK(found == t.kind);
    for (uint64_t seed = 0; seed < 100; ++seed) {
      LaunchResult r = runBody(kernel(t.corrected, t.threads, t.globals), 1008, seed);
      if (!r.ok()) {
        INFO(t.corrected << "\n" << r.diagnostics[0].render());
        CHECK(r.ok());
        break;
      }
    }
  }
}

TEST_CASE("a diagnostic names kernel, line, CTA, warp and lane, and its seed replays it") {
  std::string text = kernel("setp.eq.u32 %p1, %i, 37; @%p1 ld.global.u32 %r1, [%out+65536];", 64);
  LaunchResult a = runBody(text, 16, 5, 4), b = runBody(text, 16, 5, 4);
  REQUIRE(!a.ok());
  const Diagnostic &d = a.diagnostics[0];
  CHECK(d.kind == "out-of-bounds");
  CHECK(d.kernel == "k");
  CHECK(d.warp == 1);
  CHECK(d.lane == 5);
  CHECK(d.line == 16);
  CHECK(d.message.find("'out'") != std::string::npos);
  CHECK(d.render() == b.diagnostics[0].render());
}

TEST_CASE("source lines come from .loc") {
  std::string text = kernel(".loc 1 12 7\n ld.global.u32 %r1, [%out+2];");
  text.insert(text.find(".address_size 64\n") + 17, ".file 1 \"kernel.py\"\n");
  LaunchResult r = runBody(text);
  REQUIRE(!r.ok());
  CHECK(r.diagnostics[0].source == "kernel.py:12:7");
}

TEST_CASE("launches that contradict the module are refused") {
  Run run(kernel(""));
  run.argument(uint64_t(0));
  run.options.block = {64, 1, 1};
  CHECK_THROWS_WITH(run.launch(), Catch::Contains(".reqntid"));
  run.options.block = {32, 1, 1};
  run.options.arguments.push_back({1, 2, 3, 4});
  CHECK_THROWS_WITH(run.launch(), Catch::Contains("parameters"));
}

TEST_CASE("unknown instructions name line, opcode and modifiers") {
  CHECK_THROWS_WITH(runBody(kernel("frobnicate.u32 %r1, %i;")),
                    Catch::Contains("line 16") && Catch::Contains("frobnicate.u32"));
  CHECK_THROWS_WITH(runBody(kernel("add.sideways.u32 %r1, %i, 1;")), Catch::Contains(".sideways"));
  CHECK_THROWS_WITH(runBody(kernel("add.u32 %r1, %rd1, 1;")), Catch::Contains("%rd1"));
}
