//===- CheckTableRaces.cpp - Races, fences and scopes --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckTable.h"

namespace ptxemu::testing {

namespace {

/// Thread 0 leaves a message at %out+64 and raises a flag at %out; another thread (`reader` picks it) waits for the
/// flag and reads the message.
std::string message(const std::string &raise, const std::string &look, const std::string &then = "",
                    const std::string &reader = "setp.eq.u32 %p2, %i, 32;") {
  return "setp.eq.u32 %p1, %i, 0; " + reader + " @%p2 bra READ; @!%p1 bra END; st.global.u32 [%out+64], 5; " + raise +
         " bra END;\nREAD:\nSPIN: " + look + " setp.eq.u32 %p3, %r1, 0; @%p3 bra SPIN; " + then +
         " ld.global.u32 %r2, [%out+64];\nEND:";
}

/// The reader is thread 0 of the second CTA, the writer of the first.
std::string acrossCtas(const std::string &raise, const std::string &look) {
  return "mov.u32 %r5, %ctaid.x; setp.ne.u32 %p4, %i, 0; @%p4 bra END; setp.ne.u32 %p2, %r5, 0; @%p2 bra READ; "
         "st.global.u32 [%out+64], 5; " +
         raise + " bra END;\nREAD:\nSPIN: " + look +
         " setp.eq.u32 %p3, %r1, 0; @%p3 bra SPIN; ld.global.u32 %r2, [%out+64];\nEND:";
}

/// In a cluster of two, CTA 0 writes shared memory and arrives at the mbarrier of CTA 1, which waits and reads it.
std::string remoteArrival(const std::string &arrive, const std::string &wait, const std::string &fence = "") {
  return "mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 0; @!%leader bra S; mbarrier.init.shared.b64 [bar], "
         "1; " +
         fence +
         "\nS: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; mov.u32 %r2, bar; mov.u32 %r3, 1; "
         "mapa.shared::cluster.u32 %r4, %r2, %r3; mov.u32 %r2, s; mapa.shared::cluster.u32 %r5, %r2, %r3; @!%leader "
         "bra "
         "E; @!%p1 bra W; st.shared::cluster.u32 [%r5], 7; " +
         arrive + " bra E;\nW: " + wait +
         " @!%p2 bra W; ld.shared.u32 %r6, [s];\nE: barrier.cluster.arrive.aligned; "
         "barrier.cluster.wait.aligned;";
}

const std::string kStoreOwn = "mov.u32 %r1, s; shl.b32 %r2, %i, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %i; ";
const std::string kNeighbour = "xor.b32 %r2, %r2, 4; add.u32 %r3, %r1, %r2; ";
const std::string kOtherWarp = "xor.b32 %r2, %r2, 128; add.u32 %r3, %r1, %r2; ";
const std::string kInitBar = "@%leader mbarrier.init.shared.b64 [bar], 1; bar.sync 0; ";
const std::string kWaitBar = "W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W; ";

} // namespace

std::vector<Check> raceChecks() {
  return {
      {"warps write one word without a barrier",
       "data-race",
       {64},
       kStoreOwn + kOtherWarp + "st.shared.u32 [%r3], %i;",
       kStoreOwn + "bar.sync 0; " + kOtherWarp + "st.shared.u32 [%r3], %i;"},
      {"a warp reads what another wrote without a barrier",
       "data-race",
       {64},
       kStoreOwn + "bar.sync 0; st.shared.u32 [%r3], %i; " + kOtherWarp + "ld.shared.u32 %r4, [%r3];",
       kStoreOwn + "bar.sync 0; st.shared.u32 [%r3], %i; bar.sync 0; " + kOtherWarp + "ld.shared.u32 %r4, [%r3];"},
      {"a warp overwrites what another reads",
       "data-race",
       {64},
       kStoreOwn + "bar.sync 0; " + kOtherWarp +
           "ld.shared.u32 %r4, [%r3]; sub.u32 %r3, %r3, %r2; xor.b32 %r2, %r2, 128; "
           "add.u32 %r3, %r3, %r2; st.shared.u32 [%r3], %i;",
       kStoreOwn + "bar.sync 0; " + kOtherWarp +
           "ld.shared.u32 %r4, [%r3]; sub.u32 %r3, %r3, %r2; xor.b32 %r2, %r2, 128; add.u32 %r3, %r3, %r2; bar.sync 0; "
           "st.shared.u32 [%r3], %i;"},
      {"lanes exchange through memory without bar.warp.sync",
       "data-race",
       {},
       kStoreOwn + kNeighbour + "ld.shared.u32 %r4, [%r3];",
       kStoreOwn + "bar.warp.sync -1; " + kNeighbour + "ld.shared.u32 %r4, [%r3];"},
      {"shfl.sync is taken for a memory barrier",
       "data-race",
       {},
       kStoreOwn + "shfl.sync.bfly.b32 %r5, %i, 1, 31, -1; " + kNeighbour + "ld.shared.u32 %r4, [%r3];",
       kStoreOwn + "shfl.sync.bfly.b32 %r5, %i, 1, 31, -1; bar.warp.sync -1; " + kNeighbour +
           "ld.shared.u32 %r4, [%r3];"},
      {"bar.warp.sync of half the warp, data of the other half",
       "data-race",
       {},
       kStoreOwn + "setp.lt.u32 %p1, %i, 16; @%p1 bra LOW; bar.warp.sync 0xffff0000; bra MET;\nLOW: bar.warp.sync "
                   "0x0000ffff;\nMET: xor.b32 %r2, %r2, 64; add.u32 %r3, %r1, %r2; ld.shared.u32 %r4, [%r3];",
       kStoreOwn + "setp.lt.u32 %p1, %i, 16; @%p1 bra LOW; bar.warp.sync 0xffff0000; bra MET;\nLOW: bar.warp.sync "
                   "0x0000ffff;\nMET: xor.b32 %r2, %r2, 32; add.u32 %r3, %r1, %r2; ld.shared.u32 %r4, [%r3];"},
      {"one lane arrives at an mbarrier for what the others wrote",
       "data-race",
       {64},
       kInitBar + "setp.ge.u32 %p1, %i, 32; @%p1 bra W; " + kStoreOwn +
           "@%leader mbarrier.arrive.shared.b64 %rd1, [bar]; bra E;\n" + kWaitBar + "ld.shared.u32 %r4, [s+20];\nE:",
       kInitBar + "setp.ge.u32 %p1, %i, 32; @%p1 bra W; " + kStoreOwn +
           "bar.warp.sync -1; @%leader mbarrier.arrive.shared.b64 %rd1, [bar]; bra E;\n" + kWaitBar +
           "ld.shared.u32 %r4, [s+20];\nE:"},
      {"one lane waits at an mbarrier for the others",
       "data-race",
       {64},
       kInitBar +
           "setp.ge.u32 %p1, %i, 32; @%p1 bra X; @!%leader bra E; st.shared.u32 [s], 1; mbarrier.arrive.shared.b64 "
           "%rd1, [bar]; bra E;\nX: setp.ne.u32 %p3, %i, 32; @%p3 bra R;\n" +
           kWaitBar + "\nR: shfl.sync.idx.b32 %r5, %i, 0, 31, -1; ld.shared.u32 %r4, [s];\nE:",
       kInitBar +
           "setp.ge.u32 %p1, %i, 32; @%p1 bra X; @!%leader bra E; st.shared.u32 [s], 1; mbarrier.arrive.shared.b64 "
           "%rd1, [bar]; bra E;\nX: setp.ne.u32 %p3, %i, 32; @%p3 bra R;\n" +
           kWaitBar + "\nR: bar.warp.sync -1; ld.shared.u32 %r4, [s];\nE:"},
      {"lanes write different values to one word",
       "data-race",
       {},
       "st.global.u32 [%out], %i;",
       "mov.u32 %r1, 7; st.global.u32 [%out], %r1;"},
      {"CTAs write one word",
       "data-race",
       {32, 4},
       "mov.u32 %r1, %ctaid.x; @%leader st.global.u32 [%out], %r1;",
       "mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %out, %rd1; @%leader st.global.u32 [%rd1], "
       "%r1;"},
      {"a warp reads global memory another writes",
       "data-race",
       {64},
       "setp.lt.u32 %p1, %i, 32; @%p1 st.global.u32 [%out], 1; @!%p1 ld.global.u32 %r1, [%out];",
       "setp.lt.u32 %p1, %i, 32; @%p1 st.global.u32 [%out], 1; bar.sync 0; @!%p1 ld.global.u32 %r1, [%out];"},
      {"a byte of a word another warp writes",
       "data-race",
       {64},
       "mov.u16 %h1, 3; setp.lt.u32 %p1, %i, 32; @%p1 st.global.u8 [%out+1], %h1; @!%p1 st.global.u32 [%out], 7;",
       "mov.u16 %h1, 3; setp.lt.u32 %p1, %i, 32; @%p1 st.global.u8 [%out+1], %h1; @!%p1 st.global.u32 [%out+4], 7;"},
      {"a weak store beside an atomic",
       "data-race",
       {64},
       "setp.eq.u32 %p1, %i, 0; @%p1 st.global.u32 [%out], 1; setp.eq.u32 %p2, %i, 40; @%p2 atom.global.add.u32 %r1, "
       "[%out], 1;",
       "setp.eq.u32 %p1, %i, 0; @%p1 atom.global.exch.b32 %r2, [%out], 1; setp.eq.u32 %p2, %i, 40; @%p2 "
       "atom.global.add.u32 %r1, [%out], 1;"},
      {"a flag without release",
       "data-race",
       {64},
       message("st.relaxed.gpu.global.u32 [%out], 1;", "ld.acquire.gpu.global.u32 %r1, [%out];"),
       message("st.release.gpu.global.u32 [%out], 1;", "ld.acquire.gpu.global.u32 %r1, [%out];")},
      {"a flag without acquire",
       "data-race",
       {64},
       message("st.release.gpu.global.u32 [%out], 1;", "ld.relaxed.gpu.global.u32 %r1, [%out];"),
       message("st.release.gpu.global.u32 [%out], 1;", "ld.relaxed.gpu.global.u32 %r1, [%out];", "fence.acq_rel.gpu;")},
      {"a flag without a fence before it",
       "data-race",
       {64},
       message("red.relaxed.gpu.global.add.u32 [%out], 1;", "ld.relaxed.gpu.global.u32 %r1, [%out];",
               "fence.acq_rel.gpu;"),
       message("fence.acq_rel.gpu; red.relaxed.gpu.global.add.u32 [%out], 1;", "ld.relaxed.gpu.global.u32 %r1, [%out];",
               "fence.acq_rel.gpu;")},
      {"one lane's fence for another's store and flag",
       "data-race",
       {64},
       "setp.ge.u32 %p1, %i, 32; @%p1 bra READ; setp.eq.u32 %p2, %i, 1; @%p2 st.global.u32 [%out+64], 5; @%leader "
       "fence.acq_rel.gpu; @%leader st.relaxed.gpu.global.u32 [%out], 1; bra END;\nREAD: ld.acquire.gpu.global.u32 "
       "%r1, "
       "[%out]; setp.eq.u32 %p3, %r1, 0; @%p3 bra READ; ld.global.u32 %r2, [%out+64];\nEND:",
       "setp.ge.u32 %p1, %i, 32; @%p1 bra READ; setp.eq.u32 %p2, %i, 1; @%p2 st.global.u32 [%out+64], 5; bar.warp.sync "
       "-1; @%leader fence.acq_rel.gpu; @%leader st.relaxed.gpu.global.u32 [%out], 1; bra END;\nREAD: "
       "ld.acquire.gpu.global.u32 %r1, [%out]; setp.eq.u32 %p3, %r1, 0; @%p3 bra READ; ld.global.u32 %r2, "
       "[%out+64];\nEND:"},
      {"a release at .cta scope for another CTA",
       "data-race",
       {32, 2},
       acrossCtas("st.release.cta.global.u32 [%out], 1;", "ld.acquire.gpu.global.u32 %r1, [%out];"),
       acrossCtas("st.release.gpu.global.u32 [%out], 1;", "ld.acquire.gpu.global.u32 %r1, [%out];")},
      {"an acquire at .cta scope from another CTA",
       "data-race",
       {32, 2},
       acrossCtas("st.release.gpu.global.u32 [%out], 1;", "ld.acquire.cta.global.u32 %r1, [%out];"),
       acrossCtas("st.release.sys.global.u32 [%out], 1;", "ld.acquire.sys.global.u32 %r1, [%out];")},
      {"a fence at .cta scope for another CTA",
       "data-race",
       {32, 2},
       acrossCtas("fence.acq_rel.cta; st.relaxed.gpu.global.u32 [%out], 1;", "ld.acquire.gpu.global.u32 %r1, [%out];"),
       acrossCtas("fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%out], 1;", "ld.acquire.gpu.global.u32 %r1, [%out];")},
      {"membar.cta for another CTA",
       "data-race",
       {32, 2},
       acrossCtas("membar.cta; st.volatile.global.u32 [%out], 1;", "ld.acquire.sys.global.u32 %r1, [%out];"),
       acrossCtas("membar.gl; st.volatile.global.u32 [%out], 1;", "ld.acquire.sys.global.u32 %r1, [%out];")},
      {"a release at .cluster scope for another cluster",
       "data-race",
       {32, 2, 1},
       acrossCtas("st.release.cluster.global.u32 [%out], 1;", "ld.acquire.gpu.global.u32 %r1, [%out];"),
       acrossCtas("st.release.gpu.global.u32 [%out], 1;", "ld.acquire.gpu.global.u32 %r1, [%out];")},
      {"a release at .cta scope for another CTA of the cluster",
       "data-race",
       {32, 2, 2},
       acrossCtas("st.release.cta.global.u32 [%out], 1;", "ld.acquire.cluster.global.u32 %r1, [%out];"),
       acrossCtas("st.release.cluster.global.u32 [%out], 1;", "ld.acquire.cluster.global.u32 %r1, [%out];")},
      {"atomics at .cta scope on one word of two CTAs",
       "data-race",
       {32, 2},
       "@%leader atom.relaxed.cta.global.add.u32 %r1, [%out], 1;",
       "@%leader atom.relaxed.gpu.global.add.u32 %r1, [%out], 1;"},
      {"a relaxed arrival at the cluster barrier",
       "data-race",
       {32, 2, 2},
       "mov.u32 %r1, %cluster_ctarank; setp.eq.and.u32 %p1, %r1, 0, %leader; @%p1 st.global.u32 [%out], 1; "
       "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned; ld.global.u32 %r2, [%out];",
       "mov.u32 %r1, %cluster_ctarank; setp.eq.and.u32 %p1, %r1, 0, %leader; @%p1 st.global.u32 [%out], 1; "
       "fence.acq_rel.cluster; barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned; ld.global.u32 "
       "%r2, "
       "[%out];"},
      {"a remote arrival at .cta scope",
       "data-race",
       {32, 2, 2},
       remoteArrival("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%r4];",
                     "mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p2, [bar], 0;"),
       remoteArrival("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];",
                     "mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p2, [bar], 0;")},
      {"a wait at .cta scope for a remote arrival",
       "data-race",
       {32, 2, 2},
       remoteArrival("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];",
                     "mbarrier.try_wait.parity.acquire.cta.shared.b64 %p2, [bar], 0;"),
       remoteArrival("mbarrier.arrive.shared::cluster.b64 _, [%r4];",
                     "mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;")},
      {"a relaxed arrival at an mbarrier",
       "data-race",
       {64},
       kInitBar +
           "setp.ge.u32 %p1, %i, 32; @%p1 bra W; @!%leader bra E; st.shared.u32 [s], 1; "
           "mbarrier.arrive.relaxed.cluster.shared.b64 %rd1, [bar]; bra E;\n" +
           kWaitBar + "ld.shared.u32 %r4, [s];\nE:",
       kInitBar +
           "setp.ge.u32 %p1, %i, 32; @%p1 bra W; @!%leader bra E; st.shared.u32 [s], 1; fence.acq_rel.cta; "
           "mbarrier.arrive.relaxed.cluster.shared.b64 %rd1, [bar]; bra E;\n" +
           kWaitBar + "ld.shared.u32 %r4, [s];\nE:"},
      {"a barrier after mbarrier.init is missing",
       "data-race",
       {64},
       "@%leader mbarrier.init.shared.b64 [bar], 1; setp.ne.u32 %p1, %i, 32; @%p1 bra E; nanosleep.u32 100;\nW: "
       "mbarrier.test_wait.parity.shared.b64 %p2, [bar], 1; @!%p2 bra W;\nE:",
       "@%leader mbarrier.init.shared.b64 [bar], 1; bar.sync 0; setp.ne.u32 %p1, %i, 32; @%p1 bra E;\nW: "
       "mbarrier.test_wait.parity.shared.b64 %p2, [bar], 1; @!%p2 bra W;\nE:"},
      {"fence.mbarrier_init before a relaxed cluster barrier is missing",
       "data-race",
       {32, 2, 2},
       "@%leader mbarrier.init.shared.b64 [bar], 1; barrier.cluster.arrive.relaxed.aligned; "
       "barrier.cluster.wait.aligned; "
       "mov.u32 %r1, bar; mov.u32 %r2, 1; mov.u32 %r3, %cluster_ctarank; setp.eq.and.u32 %p1, %r3, 0, %leader; "
       "mapa.shared::cluster.u32 %r4, %r1, %r2; @%p1 mbarrier.arrive.shared::cluster.b64 _, [%r4]; "
       "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
       "@%leader mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster; "
       "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned; "
       "mov.u32 %r1, bar; mov.u32 %r2, 1; mov.u32 %r3, %cluster_ctarank; setp.eq.and.u32 %p1, %r3, 0, %leader; "
       "mapa.shared::cluster.u32 %r4, %r1, %r2; @%p1 mbarrier.arrive.shared::cluster.b64 _, [%r4]; "
       "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"},
  };
}

} // namespace ptxemu::testing
