//===- CheckTableMemory.cpp - Wrong accesses, and values nobody wrote ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckTable.h"

namespace ptxemu::testing {

namespace {

const std::string kMyWord = "mul.wide.u32 %rd1, %i, 4; add.u64 %rd1, %out, %rd1; ";
const std::string kMyShared = "mov.u32 %r1, s; shl.b32 %r2, %i, 2; add.u32 %r1, %r1, %r2; ";
const std::string kAllocate = "mov.u32 %r1, s; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 32; "
                              "bar.sync 0; ld.shared.u32 %r2, [s]; ";
const std::string kDeallocate = " tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32; ";
const std::string kMalloc = "{ .param .b64 a; .param .b64 p; mov.u64 %rd1, 64; st.param.b64 [a], %rd1; call.uni (p), "
                            "malloc, (a); ld.param.b64 %rd2, [p]; }\n";
const std::string kFree = "{ .param .b64 a; st.param.b64 [a], %rd2; call.uni free, (a); }\n";

} // namespace

std::vector<Check> memoryChecks() {
  return {
      {"a store past the end of a buffer",
       "out-of-bounds",
       {},
       kMyWord + "st.global.u32 [%rd1+4000], %i;",
       kMyWord + "st.global.u32 [%rd1+3900], %i;"},
      {"a null pointer",
       "out-of-bounds",
       {},
       "mov.u64 %rd1, 16; ld.global.u32 %r1, [%rd1];",
       "ld.global.u32 %r1, [%out];"},
      {"a store past the end of shared memory",
       "out-of-bounds",
       {},
       "mov.u32 %r1, s; st.shared.u32 [%r1+65536], %i;",
       kMyShared + "st.shared.u32 [%r1], %i;"},
      {"a store past the end of local memory",
       "out-of-bounds",
       {},
       ".local .align 4 .b8 l[16]; mov.u32 %r1, l; st.local.u32 [%r1+1024], %i;",
       ".local .align 4 .b8 l[16]; mov.u32 %r1, l; st.local.u32 [%r1+12], %i;"},
      {"a load past the parameters", "out-of-bounds", {}, "ld.param.u64 %rd1, [out+8];", "ld.param.u64 %rd1, [out];"},
      {"a store to a CTA the cluster has not",
       "out-of-bounds",
       {32, 2, 2},
       "mov.u32 %r1, s; mov.u32 %r2, 5; mapa.shared::cluster.u32 %r3, %r1, %r2; @!%leader bra E; "
       "st.shared::cluster.u32 "
       "[%r3], %i;\nE: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
       "mov.u32 %r1, s; mov.u32 %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; mov.u32 %r4, %cluster_ctarank; "
       "setp.ne.or.u32 %p1, %r4, 0, !%leader; @%p1 bra E; st.shared::cluster.u32 [%r3], %i;\nE: "
       "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"},
      {"a bulk copy past the end of its source",
       "out-of-bounds",
       {},
       "cp.async.bulk.prefetch.L2.global [%out], 16; @!%leader bra E; mbarrier.init.shared.b64 [bar], 1; "
       "fence.mbarrier_init.release.cluster; mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 64; "
       "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out+4000], 64, [bar];\nE:",
       "@!%leader bra E; mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster; "
       "mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 64; "
       "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out+3968], 64, [bar];\nW: "
       "mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra W;\nE:"},
      {"a bulk copy past the end of shared memory",
       "out-of-bounds",
       {},
       "@!%leader bra E; mov.u32 %r1, s; add.u32 %r1, %r1, 65536; fence.proxy.async; "
       "cp.async.bulk.global.shared::cta.bulk_group [%out], [%r1], 16;\nE:",
       "@!%leader bra E; st.shared.v4.u32 [s], {%i, %i, %i, %i}; mov.u32 %r1, s; fence.proxy.async; "
       "cp.async.bulk.global.shared::cta.bulk_group [%out], [%r1], 16; cp.async.bulk.commit_group; "
       "cp.async.bulk.wait_group 0;\nE:"},
      {"a column past the end of tensor memory",
       "out-of-bounds",
       {32, 1, 0, "", "sm_100a"},
       kAllocate + "add.u32 %r3, %r2, 510; tcgen05.st.sync.aligned.32x32b.x4.b32 [%r3], {%i, %i, %i, %i};",
       kAllocate + "tcgen05.st.sync.aligned.32x32b.x4.b32 [%r2], {%i, %i, %i, %i}; tcgen05.wait::st.sync.aligned;" +
           kDeallocate},
      {"a misaligned load", "misaligned", {}, "ld.global.u32 %r1, [%out+2];", "ld.global.u32 %r1, [%out+4];"},
      {"a misaligned vector load",
       "misaligned",
       {},
       "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%out+8];",
       "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%out+16];"},
      {"a misaligned store to shared memory",
       "misaligned",
       {},
       "st.shared.u64 [s+4], %out;",
       "@%leader st.shared.u64 [s+8], %out;"},
      {"a misaligned atomic",
       "misaligned",
       {},
       "atom.global.add.u32 %r1, [%out+1], 1;",
       "atom.global.add.u32 %r1, [%out+4], 1;"},
      {"a misaligned mbarrier",
       "misaligned",
       {},
       "@%leader mbarrier.init.shared.b64 [bar+4], 1;",
       "@%leader mbarrier.init.shared.b64 [bar], 1;"},
      {"a bulk copy of 24 bytes",
       "misaligned",
       {},
       "@!%leader bra E; st.shared.v4.u32 [s], {%i, %i, %i, %i}; st.shared.v4.u32 [s+16], {%i, %i, %i, %i}; "
       "fence.proxy.async; mov.u32 %r1, 24; cp.async.bulk.global.shared::cta.bulk_group [%out], [s], %r1; "
       "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nE:",
       "@!%leader bra E; st.shared.v4.u32 [s], {%i, %i, %i, %i}; st.shared.v4.u32 [s+16], {%i, %i, %i, %i}; "
       "fence.proxy.async; mov.u32 %r1, 32; cp.async.bulk.global.shared::cta.bulk_group [%out], [s], %r1; "
       "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nE:"},
      {"a load from memory that was freed",
       "use-after-free",
       {},
       kMalloc + "st.global.u32 [%rd2], 1;" + kFree + "ld.global.u32 %r1, [%rd2];",
       kMalloc + "st.global.u32 [%rd2], 1; ld.global.u32 %r1, [%rd2];" + kFree},
      {"a load from a CTA that has exited",
       "use-after-free",
       {32, 2, 2},
       "@%leader st.shared.u32 [s], 1; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; mov.u32 %r1, s; "
       "mov.u32 %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; mov.u32 %r4, %cluster_ctarank; setp.ne.u32 %p1, %r4, "
       "0; "
       "@%p1 bra E; ld.shared::cluster.u32 %r5, [%r3];\nE:",
       "@%leader st.shared.u32 [s], 1; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; mov.u32 %r1, s; "
       "mov.u32 %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; mov.u32 %r4, %cluster_ctarank; setp.ne.u32 %p1, %r4, "
       "0; "
       "@%p1 bra E; ld.shared::cluster.u32 %r5, [%r3];\nE: barrier.cluster.arrive.aligned; "
       "barrier.cluster.wait.aligned;"},
      {"a write to constant memory",
       "read-only",
       {},
       "mov.u64 %rd1, c; cvta.const.u64 %rd1, %rd1; st.u32 [%rd1], %i;",
       "mov.u64 %rd1, c; cvta.const.u64 %rd1, %rd1; ld.u32 %r1, [%rd1];"},
      {"a register nobody wrote",
       "uninitialized-register",
       {},
       "add.u32 %r1, %r2, 1;",
       "mov.u32 %r2, 5; add.u32 %r1, %r2, 1;"},
      {"a register that some lanes did not write",
       "uninitialized-register",
       {},
       "setp.eq.u32 %p1, %i, 0; @%p1 mov.u32 %r2, 1; add.u32 %r1, %r2, 1;",
       "setp.eq.u32 %p1, %i, 0; mov.u32 %r2, 0; @%p1 mov.u32 %r2, 1; add.u32 %r1, %r2, 1;"},
      {"a guard nobody wrote",
       "uninitialized-register",
       {},
       "@%p3 mov.u32 %r1, 1;",
       "setp.ne.u32 %p3, %i, 3; @%p3 mov.u32 %r1, 1;"},
      {"shared memory nobody wrote",
       "uninitialized-shared",
       {},
       "ld.shared.u32 %r1, [s];",
       "@%leader st.shared.u32 [s], 1; bar.sync 0; ld.shared.u32 %r1, [s];"},
      {"a bulk copy from shared memory nobody wrote",
       "uninitialized-shared",
       {},
       "@!%leader bra E; fence.proxy.async; cp.async.bulk.global.shared::cta.bulk_group [%out], [s], 16;\nE:",
       "@!%leader bra E; st.shared.v4.u32 [s], {%i, %i, %i, %i}; fence.proxy.async; "
       "cp.async.bulk.global.shared::cta.bulk_group [%out], [s], 16; cp.async.bulk.commit_group; "
       "cp.async.bulk.wait_group.read 0;\nE:"},
      {"tensor memory nobody wrote",
       "uninitialized-tensor-memory",
       {32, 1, 0, "", "sm_100a"},
       kAllocate + "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r2]; tcgen05.wait::ld.sync.aligned;" + kDeallocate,
       kAllocate +
           "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%i}; tcgen05.wait::st.sync.aligned; "
           "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r2]; tcgen05.wait::ld.sync.aligned;" +
           kDeallocate},
      {"a leak of tensor memory", "tensor-memory", {32, 1, 0, "", "sm_100a"}, kAllocate, kAllocate + kDeallocate},
      {"tensor memory after it was freed",
       "tensor-memory",
       {32, 1, 0, "", "sm_100a"},
       kAllocate + kDeallocate + "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%i};",
       kAllocate + "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%i}; tcgen05.wait::st.sync.aligned;" + kDeallocate},
      {"another warp's lanes of tensor memory",
       "tensor-memory",
       {32, 1, 0, "", "sm_100a"},
       kAllocate + "or.b32 %r3, %r2, 0x200000; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r3], {%i};",
       kAllocate + "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%i}; tcgen05.wait::st.sync.aligned;" + kDeallocate},
      {"an allocation of 48 columns",
       "tensor-memory",
       {32, 1, 0, "", "sm_100a"},
       "mov.u32 %r3, 48; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], %r3;",
       kAllocate + kDeallocate},
      {"a trap", "trap", {}, "setp.eq.u32 %p1, %i, 3; @%p1 trap;", "setp.eq.u32 %p1, %i, 99; @%p1 trap;"},
      {"an index outside a branch table",
       "bad-branch",
       {},
       "T: .branchtargets A, B;\n brx.idx %i, T;\nA: mov.u32 %r1, 1;\nB:",
       "T: .branchtargets A, B;\n and.b32 %r1, %i, 1; brx.idx %r1, T;\nA: mov.u32 %r1, 1;\nB:"},
  };
}

} // namespace ptxemu::testing
