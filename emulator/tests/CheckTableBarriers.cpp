//===- CheckTableBarriers.cpp - Barriers, divergence, registers, standstill -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckTable.h"

namespace ptxemu::testing {

namespace {

/// Warp 0 does one thing, the others another; then they meet nowhere.
std::string split(const std::string &first, const std::string &others) {
  return "setp.lt.u32 %p1, %i, 32; @%p1 bra A; " + others + " bra B;\nA: " + first + "\nB:";
}

/// By one thread only.
std::string single(const std::string &body) {
  return "@!%leader bra E; " + body + "\nE:";
}

std::string init(const std::string &count) {
  return "mbarrier.init.shared.b64 [bar], " + count + "; ";
}

const std::string kWait = "\nW: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;";
const std::string kExpectTooMuch = "mov.u32 %r1, 0xfffff; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], %r1; ";

/// The first CTA of a cluster leaves after arriving; in the second warp 0 meets warp 1, which does `late` some time
/// later, and reads what thread 32 (%p3) has written.
std::string leaveEarly(const std::string &late) {
  return "mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 0; @!%p1 bra STAY; barrier.cluster.arrive; bra END;\n"
         "STAY: setp.ge.u32 %p2, %i, 32; setp.eq.u32 %p3, %i, 32; @%p2 bra LATE; barrier.cluster.arrive; "
         "barrier.cluster.wait; @%leader ld.shared.u32 %r2, [s]; bra END;\nLATE: nanosleep.u32 100; " +
         late + "\nEND:";
}

/// Each of two CTAs does `body` with the shared memory of the other one (`s` at %r2) after both have begun.
std::string visit(const std::string &body) {
  return "@%leader st.shared.u32 [s], 0; mov.u32 %r1, %cluster_ctarank; xor.b32 %r1, %r1, 1; mov.u32 %r2, s; "
         "mapa.shared::cluster.u32 %r2, %r2, %r1; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; " +
         body;
}

} // namespace

std::vector<Check> barrierChecks() {
  const Setup two{64}, group{128, 1, 0, ".maxnreg 128"}, groups{256, 1, 0, ".maxnreg 128"};
  return {
      {"a cluster barrier counts a thread that has exited for one that has not arrived",
       "data-race",
       {64, 2, 2},
       leaveEarly("barrier.cluster.arrive; @%p3 st.shared.u32 [s], 1; barrier.cluster.wait;"),
       leaveEarly("@%p3 st.shared.u32 [s], 1; barrier.cluster.arrive; barrier.cluster.wait;")},
      {"a CTA leaves while another one may still write to its shared memory",
       "use-after-free",
       {32, 2, 2},
       visit("@%leader st.shared::cluster.u32 [%r2], 1; barrier.cluster.arrive.aligned;"),
       visit(
           "@%leader st.shared::cluster.u32 [%r2], 1; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;")},
      {"a CTA leaves after its own meeting while another one adds to its shared memory",
       "use-after-free",
       {32, 2, 2},
       visit("@%leader red.shared::cluster.add.u32 [%r2], 1; bar.sync 0;"),
       visit("@%leader red.shared::cluster.add.u32 [%r2], 1; barrier.cluster.arrive.aligned; "
             "barrier.cluster.wait.aligned;")},
      {"a counted barrier of warps that have lost lanes",
       "data-race uninitialized-shared",
       {64},
       "setp.lt.u32 %p1, %i, 4; @%p1 ret; setp.eq.u32 %p2, %i, 40; @%p2 st.shared.u32 [s], 1; setp.eq.u32 %p2, %i, 5; "
       "@%p2 ld.shared.u32 %r1, [s];",
       "setp.lt.u32 %p1, %i, 4; @%p1 ret; setp.eq.u32 %p2, %i, 40; @%p2 st.shared.u32 [s], 1; barrier.sync 1, 64; "
       "setp.eq.u32 %p2, %i, 5; @%p2 ld.shared.u32 %r1, [s];"},
      {"one barrier, two thread counts", "barrier-mismatch", two,
       split("bar.sync 1, 32; bar.sync 1, 64;", "bar.sync 1, 64;"), split("bar.sync 1, 64;", "bar.sync 1, 64;")},
      {"a thread count that is no multiple of 32", "barrier-mismatch", two, "mov.u32 %r1, 40; bar.sync 1, %r1;",
       "mov.u32 %r1, 64; bar.sync 1, %r1;"},
      {"barrier 16", "barrier-mismatch", {}, "mov.u32 %r1, 16; bar.sync %r1;", "mov.u32 %r1, 15; bar.sync %r1;"},
      {"a second arrival at the cluster barrier",
       "barrier-mismatch",
       {32, 2, 2},
       "barrier.cluster.arrive.aligned; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
       "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; barrier.cluster.arrive.aligned; "
       "barrier.cluster.wait.aligned;"},
      {"a wait at the cluster barrier without arriving",
       "barrier-mismatch",
       {32, 2, 2},
       "barrier.cluster.wait.aligned;",
       "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"},
      {"warps wait at different barriers", "deadlock", two, split("bar.sync 2;", "bar.sync 1;"),
       split("bar.sync 1;", "bar.sync 1;")},
      {"a barrier that too few threads reach", "deadlock", two,
       split("bar.sync 1, 64;", "bar.arrive 1, 64; bar.sync 2, 64;"), split("bar.sync 1, 64;", "bar.arrive 1, 64;")},
      {"two halves of a warp at two barriers",
       "divergence",
       {},
       "setp.lt.u32 %p1, %i, 16; @%p1 bra A; bar.sync 0; bra B;\nA: bar.sync 1;\nB:",
       "setp.lt.u32 %p1, %i, 16; @%p1 bra B; mov.u32 %r1, 1;\nB: bar.sync 0;"},
      {"an .aligned barrier under a guard",
       "divergence",
       {},
       "setp.lt.u32 %p1, %i, 16; @%p1 bar.sync 0;",
       "setp.lt.u32 %p1, %i, 32; @%p1 bar.sync 0;"},
      {"an .aligned cluster barrier in half a warp",
       "divergence",
       {32, 2, 2},
       "setp.lt.u32 %p1, %i, 16; @%p1 barrier.cluster.arrive.aligned; @%p1 barrier.cluster.wait.aligned;",
       "setp.lt.u32 %p1, %i, 16; @%p1 barrier.cluster.arrive; @!%p1 barrier.cluster.arrive; barrier.cluster.wait;"},
      {"shfl.sync names lanes that skip it",
       "divergence",
       {},
       "setp.lt.u32 %p1, %i, 16; @%p1 shfl.sync.idx.b32 %r1, %i, 0, 31, -1;",
       "setp.lt.u32 %p1, %i, 16; @%p1 shfl.sync.idx.b32 %r1, %i, 0, 31, 0xffff;"},
      {"vote.sync by a lane that its mask does not name",
       "divergence",
       {},
       "vote.sync.ballot.b32 %r1, %leader, 0xfffe;",
       "@!%leader vote.sync.ballot.b32 %r1, %leader, 0xfffffffe;"},
      {"bar.warp.sync for a lane that is elsewhere",
       "divergence",
       {},
       "setp.lt.u32 %p1, %i, 16; @%p1 bra A; bar.warp.sync 0xffffffff; bra B;\nA: bar.warp.sync 0x0000ffff; "
       "bar.warp.sync "
       "0x0000ffff; redux.sync.add.u32 %r1, %i, -1;\nB:",
       "setp.lt.u32 %p1, %i, 16; @%p1 bra A; bar.warp.sync 0xffffffff; bra B;\nA: bar.warp.sync 0xffffffff;\nB:"},
      {"ldmatrix in half a warp",
       "divergence",
       {},
       "setp.lt.u32 %p1, %i, 16; mov.u32 %r1, s; @%p1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];",
       "shl.b32 %r3, %i, 4; mov.u32 %r1, s; add.u32 %r1, %r1, %r3; st.shared.v4.u32 [%r1], {%i, %i, %i, %i}; "
       "bar.warp.sync "
       "-1; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];"},
      {"wgmma by two warps", "divergence", two,
       "wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
       "{%f0, %f1, %f2, %f3}, {%i, %i, %i, %i}, %out, 0, 1, 1, 0;",
       "wgmma.fence.sync.aligned;"},
      {"a spin on a flag that nobody raises",
       "livelock",
       {},
       "SPIN: ld.volatile.global.u32 %r1, [%out]; setp.eq.u32 %p1, %r1, 0; @%p1 bra SPIN;",
       "st.volatile.global.u32 [%out], 1;\nSPIN: ld.volatile.global.u32 %r1, [%out]; setp.eq.u32 %p1, %r1, 0; @%p1 bra "
       "SPIN;"},
      // mbarriers.
      {"an mbarrier initialised twice",
       "mbarrier",
       {},
       single(init("1") + init("1")),
       single(init("1") + "mbarrier.inval.shared.b64 [bar]; " + init("1"))},
      {"an mbarrier nobody initialised",
       "mbarrier",
       {},
       "mbarrier.arrive.shared.b64 %rd1, [bar];",
       "@%leader mbarrier.init.shared.b64 [bar], 32; bar.sync 0; mbarrier.arrive.shared.b64 %rd1, [bar];"},
      {"an mbarrier after mbarrier.inval",
       "mbarrier",
       {},
       single(init("1") + "mbarrier.inval.shared.b64 [bar]; mbarrier.arrive.shared.b64 %rd1, [bar];"),
       single(init("1") + "mbarrier.arrive.shared.b64 %rd1, [bar]; mbarrier.inval.shared.b64 [bar];")},
      {"an arrival count of 0",
       "mbarrier",
       {},
       single("mov.u32 %r1, 0; " + init("%r1")),
       single("mov.u32 %r1, 1; " + init("%r1"))},
      {"more arrivals than a phase takes",
       "mbarrier",
       {},
       single(init("2") + "mbarrier.arrive.shared.b64 %rd1, [bar], 3;"),
       single(init("4") + "mbarrier.arrive.shared.b64 %rd1, [bar], 3;")},
      {"arrive.noComplete that completes",
       "mbarrier",
       {},
       single(init("2") + "mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %rd1, [bar], 2;"),
       single(init("3") + "mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %rd1, [bar], 2;")},
      {"a store into an mbarrier",
       "mbarrier",
       {},
       single(init("1") + "st.shared.u32 [bar], 0;"),
       single(init("1") + "mbarrier.inval.shared.b64 [bar]; st.shared.u32 [bar], 0;")},
      {"a transaction count past 2^20 - 1",
       "mbarrier",
       {},
       single(init("1") + kExpectTooMuch + kExpectTooMuch),
       single(init("1") + kExpectTooMuch)},
      {"a transaction count below -(2^20 - 1)",
       "mbarrier",
       {},
       single(init("1") + "mov.u32 %r1, 0xfffff; mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], %r1; "
                          "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], %r1;"),
       single(init("1") + "mov.u32 %r1, 0xfffff; mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], %r1; " +
              kExpectTooMuch)},
      {"a wait with a state from long ago",
       "mbarrier",
       {},
       single(init("1") + "mbarrier.arrive.shared.b64 %rd1, [bar]; mbarrier.arrive.shared.b64 %rd2, [bar]; "
                          "mbarrier.test_wait.shared.b64 %p2, [bar], %rd1;"),
       single(init("1") + "mbarrier.arrive.shared.b64 %rd1, [bar]; mbarrier.arrive.shared.b64 %rd2, [bar]; "
                          "mbarrier.test_wait.shared.b64 %p2, [bar], %rd2;")},
      {"a parity of 2",
       "mbarrier",
       {},
       single(init("1") + "mov.u32 %r1, 2; mbarrier.test_wait.parity.shared.b64 %p2, [bar], %r1;"),
       single(init("1") + "mov.u32 %r1, 1; mbarrier.test_wait.parity.shared.b64 %p2, [bar], %r1;")},
      {"a wait at another CTA's mbarrier",
       "mbarrier",
       {32, 2, 2},
       "@%leader mbarrier.init.shared.b64 [bar], 1; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; "
       "mov.u32 "
       "%r1, bar; mov.u32 %r2, %cluster_ctarank; xor.b32 %r2, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; "
       "cvt.u64.u32 "
       "%rd1, %r3; cvta.shared.u64 %rd1, %rd1; mbarrier.test_wait.parity.b64 %p2, [%rd1], 1; "
       "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
       "@%leader mbarrier.init.shared.b64 [bar], 1; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; "
       "mbarrier.test_wait.parity.shared.b64 %p2, [bar], 1; barrier.cluster.arrive.aligned; "
       "barrier.cluster.wait.aligned;"},
      {"a phase that cannot come: an arrival is missing",
       "deadlock",
       {},
       single(init("2") + "mbarrier.arrive.shared.b64 %rd1, [bar];" + kWait),
       single(init("1") + "mbarrier.arrive.shared.b64 %rd1, [bar];" + kWait)},
      {"a phase that cannot come: more bytes expected than copied",
       "deadlock",
       {},
       single(init("1") +
              "fence.mbarrier_init.release.cluster; mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 64; "
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out], 32, [bar];" +
              kWait),
       single(init("1") +
              "fence.mbarrier_init.release.cluster; mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 32; "
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out], 32, [bar];" +
              kWait)},
      {"a phase that cannot come: the wrong parity",
       "deadlock",
       {},
       single(init("1") +
              "mbarrier.arrive.shared.b64 %rd1, [bar];\nW: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 1; "
              "@!%p2 bra W;"),
       single(init("1") + "mbarrier.arrive.shared.b64 %rd1, [bar];" + kWait)},
      // Registers.
      {"setmaxnreg.dec to more than there are", "setmaxnreg", group, "setmaxnreg.dec.sync.aligned.u32 160;",
       "setmaxnreg.dec.sync.aligned.u32 96;"},
      {"setmaxnreg.inc to fewer than there are", "setmaxnreg", group, "setmaxnreg.inc.sync.aligned.u32 96;",
       "setmaxnreg.inc.sync.aligned.u32 128;"},
      {"setmaxnreg in some warps of a warpgroup", "setmaxnreg", group,
       split("mov.u32 %r1, 1;", "setmaxnreg.dec.sync.aligned.u32 96;"),
       split("setmaxnreg.dec.sync.aligned.u32 96; bra B;", "bra A;")},
      {"different setmaxnreg in one warpgroup", "setmaxnreg", group,
       split("setmaxnreg.dec.sync.aligned.u32 96;", "setmaxnreg.dec.sync.aligned.u32 64;"),
       split("setmaxnreg.dec.sync.aligned.u32 96; bra B;", "bra A;")},
      {"a second setmaxnreg before the warpgroup has met", "setmaxnreg", group,
       "setmaxnreg.dec.sync.aligned.u32 96; setmaxnreg.dec.sync.aligned.u32 64;",
       "setmaxnreg.dec.sync.aligned.u32 96; bar.sync 0; setmaxnreg.dec.sync.aligned.u32 64;"},
      {"setmaxnreg in half a warp", "divergence", group,
       "setp.lt.u32 %p1, %i, 16; @%p1 setmaxnreg.dec.sync.aligned.u32 96;", "setmaxnreg.dec.sync.aligned.u32 96;"},
      {"registers that nobody gives back", "deadlock", groups,
       "setp.lt.u32 %p1, %i, 128; @%p1 bra A; setmaxnreg.inc.sync.aligned.u32 192; bra B;\nA: "
       "setmaxnreg.dec.sync.aligned.u32 "
       "96;\nB:",
       "setp.lt.u32 %p1, %i, 128; @%p1 bra A; setmaxnreg.inc.sync.aligned.u32 160; bra B;\nA: "
       "setmaxnreg.dec.sync.aligned.u32 "
       "96;\nB:"},
  };
}

} // namespace ptxemu::testing
