//===- CheckTableAsync.cpp - Asynchronous copies and matrix operations ---===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckTable.h"

namespace ptxemu::testing {

namespace {

/// By one thread only.
std::string single(const std::string &body) {
  return "@!%leader bra E; " + body + "\nE:";
}

const std::string kFill = "st.shared.v4.u32 [s], {%i, %i, %i, %i}; ";
const std::string kStore = "cp.async.bulk.global.shared::cta.bulk_group [%out], [s], 16; ";
const std::string kCommit = "cp.async.bulk.commit_group; ";
const std::string kInit = "mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster; ";
const std::string kLoad = "mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 32; "
                          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out], 32, [bar]; ";
const std::string kWait = "\nW: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W; ";
const std::string kCopy16 = "cp.async.ca.shared.global [s], [%out], 16; ";
const std::string kCopyBeforeBarrier =
    "@%leader st.shared.u32 [s+64], 0; @%leader " + kCopy16 + "bar.sync 0; @%leader cp.async.wait_all; ";
const std::string kCopyOfZeros = "@%leader cp.async.ca.shared.global [s], [%out], 16, 0; cp.async.wait_all;";

// A 64 x 16 matrix of zeros at s and one of 8 x 16 behind it, K-major without swizzle; descriptors in %rd1 and %rd2.
const std::string kZeros =
    "mov.u32 %r1, s; shl.b32 %r2, %i, 4; add.u32 %r2, %r1, %r2; mov.u32 %r3, 0; st.shared.v4.u32 "
    "[%r2], {%r3, %r3, %r3, %r3}; setp.lt.u32 %p1, %i, 16; @%p1 st.shared.v4.u32 [%r2+2048], {%r3, "
    "%r3, %r3, %r3}; ";
const std::string kDescriptors = "shr.u32 %r4, %r1, 4; cvt.u64.u32 %rd1, %r4; or.b64 %rd1, %rd1, 0x0000001000080000; "
                                 "add.u64 %rd2, %rd1, 128; ";
const std::string kReady = kZeros + "fence.proxy.async; bar.sync 0; " + kDescriptors;
const std::string kFence = "wgmma.fence.sync.aligned; ";
const std::string kMultiply =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 0, 1, "
    "1, 0, 0; ";
const std::string kAccumulate =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 1, "
    "1, 1, 0, 0; ";
const std::string kMultiplyRegisters = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r5, "
                                       "%r6, %r7, %r8}, %rd2, 0, 1, 1, 0; ";
const std::string kAwait = "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; ";
const std::string kOperands = "mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0; mov.u32 %r8, 0; ";

std::vector<Check> copyChecks() {
  return {
      {"shared memory before cp.async has written it",
       "async-in-flight",
       {},
       single(kCopy16 + "ld.shared.u32 %r1, [s];"),
       single(kCopy16 + "cp.async.wait_all; ld.shared.u32 %r1, [s];")},
      {"cp.async.wait_group of an older group",
       "async-in-flight",
       {},
       single(kCopy16 + "cp.async.commit_group; cp.async.ca.shared.global [s+16], [%out], 16; cp.async.commit_group; "
                        "cp.async.wait_group 1; ld.shared.u32 %r1, [s+16];"),
       single(kCopy16 + "cp.async.commit_group; cp.async.ca.shared.global [s+16], [%out], 16; cp.async.commit_group; "
                        "cp.async.wait_group 1; ld.shared.u32 %r1, [s];")},
      {"another thread's cp.async without a barrier",
       "data-race",
       {64},
       "setp.ne.u32 %p1, %i, 0; @%p1 bra X; " + kCopy16 +
           "cp.async.wait_all;\nX: setp.ne.u32 %p1, %i, 32; @%p1 bra E; "
           "nanosleep.u32 100; st.shared.u32 [s], 1;\nE:",
       "setp.ne.u32 %p1, %i, 0; @%p1 bra X; " + kCopy16 +
           "cp.async.wait_all;\nX: bar.sync 0; setp.ne.u32 %p1, %i, 32; "
           "@%p1 bra E; st.shared.u32 [s], 1;\nE:"},
      {"another thread's cp.async behind a barrier that stands before its wait",
       "data-race",
       {64},
       kCopyBeforeBarrier + "@%leader st.relaxed.cta.shared.u32 [s+64], 1; setp.ne.u32 %p1, %i, 32; @%p1 bra E;\nL: "
                            "ld.relaxed.cta.shared.u32 %r1, [s+64]; setp.ne.u32 %p2, %r1, 1; @%p2 bra L; "
                            "ld.shared.u32 %r1, [s];\nE:",
       kCopyBeforeBarrier + "@%leader st.release.cta.shared.u32 [s+64], 1; setp.ne.u32 %p1, %i, 32; @%p1 bra E;\nL: "
                            "ld.acquire.cta.shared.u32 %r1, [s+64]; setp.ne.u32 %p2, %r1, 1; @%p2 bra L; "
                            "ld.shared.u32 %r1, [s];\nE:"},
      {"another lane's cp.async that has been waited for in step",
       "data-race",
       {32},
       "@%leader " + kCopy16 + "bar.warp.sync -1; cp.async.wait_all; ld.shared.u32 %r1, [s];",
       "@%leader " + kCopy16 + "cp.async.wait_all; bar.warp.sync -1; ld.shared.u32 %r1, [s];"},
      {"the source of a thread's own cp.async changed before the wait",
       "async-in-flight",
       {},
       single(kCopy16 + "st.global.u32 [%out+12], 77; cp.async.wait_all;"),
       single(kCopy16 + "cp.async.wait_all; st.global.u32 [%out+12], 77;")},
      {"the source of another thread's cp.async overwritten before its wait",
       "data-race",
       {64},
       "@%leader " + kCopy16 + "bar.sync 0; setp.eq.u32 %p1, %i, 32; @%p1 st.global.u32 [%out], 0; " +
           "@%leader cp.async.wait_all;",
       "@%leader " + kCopy16 + "@%leader cp.async.wait_all; bar.sync 0; setp.eq.u32 %p1, %i, 32; " +
           "@%p1 st.global.u32 [%out], 0;"},
      {"a cp.async of zeros to where another thread still reads",
       "data-race",
       {64},
       "@%leader " + kFill + "bar.sync 0; ld.shared.u32 %r1, [s]; bar.warp.sync -1; " + kCopyOfZeros,
       "@%leader " + kFill + "bar.sync 0; ld.shared.u32 %r1, [s]; bar.sync 0; " + kCopyOfZeros},
      {"shared memory before a bulk copy has written it",
       "async-in-flight",
       {},
       single(kInit + kLoad + "ld.shared.u32 %r1, [s];" + kWait),
       single(kInit + kLoad + kWait + "ld.shared.u32 %r1, [s];")},
      {"a store to where a bulk copy is writing",
       "async-in-flight",
       {},
       single(kInit + kLoad + "st.shared.u32 [s], 1;" + kWait),
       single(kInit + kLoad + kWait + "st.shared.u32 [s], 1;")},
      {"two bulk copies to one place",
       "async-in-flight",
       {},
       single(kInit + kLoad +
              "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 32; "
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s+16], [%out], 32, "
              "[bar];" +
              kWait),
       single(kInit + kLoad +
              "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 32; "
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s+32], [%out], 32, "
              "[bar];" +
              kWait)},
      {"a CTA ends while a bulk copy is writing",
       "async-in-flight",
       {},
       single(kInit + kLoad),
       single(kInit + kLoad + kWait)},
      {"a bulk copy over what another warp still reads",
       "data-race",
       {64},
       "@%leader mbarrier.init.shared.b64 [bar], 1; @%leader fence.mbarrier_init.release.cluster; @%leader "
       "st.shared.u32 "
       "[s], 1; @%leader fence.proxy.async; bar.sync 0; setp.eq.u32 %p1, %i, 32; @%p1 ld.shared.u32 %r1, [s]; "
       "@!%leader bra E; " +
           kLoad + kWait + "\nE:",
       "@%leader mbarrier.init.shared.b64 [bar], 1; @%leader fence.mbarrier_init.release.cluster; @%leader "
       "st.shared.u32 "
       "[s], 1; @%leader fence.proxy.async; bar.sync 0; setp.eq.u32 %p1, %i, 32; @%p1 ld.shared.u32 %r1, [s]; bar.sync "
       "0; "
       "@!%leader bra E; " +
           kLoad + kWait + "\nE:"},
      {"a bulk copy of what no proxy fence follows",
       "missing-proxy-fence",
       {},
       single(kFill + kStore + kCommit + "cp.async.bulk.wait_group 0;"),
       single(kFill + "fence.proxy.async; " + kStore + kCommit + "cp.async.bulk.wait_group 0;")},
      {"the proxy fence of another lane",
       "missing-proxy-fence",
       {},
       "setp.eq.u32 %p1, %i, 1; @%p1 st.shared.v4.u32 [s], {%i, %i, %i, %i}; @%p1 fence.acq_rel.cta; bar.warp.sync -1; "
       "@!%leader bra E; " +
           kStore + kCommit + "cp.async.bulk.wait_group 0;\nE:",
       "setp.eq.u32 %p1, %i, 1; @%p1 st.shared.v4.u32 [s], {%i, %i, %i, %i}; @%p1 fence.proxy.async; bar.warp.sync -1; "
       "@!%leader bra E; " +
           kStore + kCommit + "cp.async.bulk.wait_group 0;\nE:"},
      {"lanes' data in a bulk copy without bar.warp.sync",
       "data-race",
       {},
       "setp.eq.u32 %p1, %i, 1; @%p1 st.shared.v4.u32 [s], {%i, %i, %i, %i}; fence.proxy.async; @!%leader bra E; " +
           kStore + kCommit + "cp.async.bulk.wait_group 0;\nE:",
       "setp.eq.u32 %p1, %i, 1; @%p1 st.shared.v4.u32 [s], {%i, %i, %i, %i}; fence.proxy.async; bar.warp.sync -1; "
       "@!%leader bra E; " +
           kStore + kCommit + "cp.async.bulk.wait_group 0;\nE:"},
      {"an mbarrier that is not visible to the copy engine",
       "missing-proxy-fence",
       {},
       single("mbarrier.init.shared.b64 [bar], 1; " + kLoad + kWait),
       single(kInit + kLoad + kWait)},
      {"a store over what a bulk copy still reads",
       "data-race",
       {},
       single(kFill + "fence.proxy.async; " + kStore + kCommit + "st.shared.u32 [s], 1; cp.async.bulk.wait_group 0;"),
       single(kFill + "fence.proxy.async; " + kStore + kCommit +
              "cp.async.bulk.wait_group.read 0; st.shared.u32 [s], 1; "
              "cp.async.bulk.wait_group 0;")},
      {"global memory before a bulk copy has written it",
       "data-race",
       {},
       single(kFill + "fence.proxy.async; " + kStore + kCommit +
              "cp.async.bulk.wait_group.read 0; ld.global.u32 %r1, [%out];"),
       single(kFill + "fence.proxy.async; " + kStore + kCommit +
              "cp.async.bulk.wait_group 0; ld.global.u32 %r1, [%out];")},
      {"a warp ends while its bulk copy reads",
       "async-in-flight",
       {},
       single(kFill + "fence.proxy.async; " + kStore + kCommit),
       single(kFill + "fence.proxy.async; " + kStore + kCommit + "cp.async.bulk.wait_group.read 0;")},
  };
}

std::vector<Check> matrixChecks() {
  const Setup group{128};
  Setup strictGroup = group;
  strictGroup.strict = true;
  return {
      {"an accumulator read before the wait", "accumulator-in-flight", group,
       kReady + kFence + kMultiply + "add.f32 %f5, %f0, %f0; " + kAwait,
       kReady + kFence + kMultiply + kAwait + "add.f32 %f5, %f0, %f0;"},
      {"an accumulator written before the wait", "accumulator-in-flight", group,
       kReady + kFence + kMultiply + "mov.f32 %f0, 0f00000000; " + kAwait,
       kReady + kFence + kMultiply + kAwait + "mov.f32 %f0, 0f00000000;"},
      {"an accumulator read after waiting for an older group", "accumulator-in-flight", group,
       kReady + kFence + kMultiply + "wgmma.commit_group.sync.aligned; " + kAccumulate +
           "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1; add.f32 %f5, %f0, %f0; "
           "wgmma.wait_group.sync.aligned 0;",
       kReady + kFence + kMultiply + "wgmma.commit_group.sync.aligned; " + kAccumulate +
           "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; add.f32 %f5, %f0, %f0;"},
      {"A in registers overwritten before the wait", "accumulator-in-flight", group,
       kReady + kOperands + kFence + kMultiplyRegisters + "mov.u32 %r5, 1; " + kAwait,
       kReady + kOperands + kFence + kMultiplyRegisters + kAwait + "mov.u32 %r5, 1;"},
      {"no wgmma.fence before the first wgmma", "missing-wgmma-fence", group, kReady + kMultiply + kAwait,
       kReady + kFence + kMultiply + kAwait},
      {"an accumulator written after wgmma.fence", "missing-wgmma-fence", group,
       kReady + kFence + "mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0; " +
           kAccumulate + kAwait,
       kReady + "mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0; " + kFence +
           kAccumulate + kAwait},
      {"accumulating onto registers nobody wrote", "uninitialized-register", group,
       kReady + kFence + kAccumulate + kAwait, kReady + kFence + kMultiply + kAwait},
      {"operands that no proxy fence follows", "missing-proxy-fence", group,
       kZeros + "bar.sync 0; " + kDescriptors + kFence + kMultiply + kAwait, kReady + kFence + kMultiply + kAwait},
      {"operands of other warps without a barrier", "data-race", group,
       kZeros + "fence.proxy.async; " + kDescriptors + kFence + kMultiply + kAwait,
       kReady + kFence + kMultiply + kAwait},
      {"a store over an operand that wgmma still reads", "data-race", group,
       kReady + kFence + kMultiply +
           "wgmma.commit_group.sync.aligned; @%p1 st.shared.u32 [%r2+2048], %r3; "
           "wgmma.wait_group.sync.aligned 0;",
       kReady + kFence + kMultiply + kAwait + "bar.sync 0; @%p1 st.shared.u32 [%r2+2048], %r3;"},
      {"a store over an operand that another warp's wgmma still reads", "data-race", strictGroup,
       kReady + kFence + kMultiply + kAwait + "@%p1 st.shared.u32 [%r2+2048], %r3;",
       kReady + kFence + kMultiply + kAwait + "bar.sync 0; @%p1 st.shared.u32 [%r2+2048], %r3;"},
      {"an operand that a bulk copy is still to write", "async-in-flight", group,
       kReady +
           "@%leader mbarrier.init.shared.b64 [bar], 1; @%leader fence.mbarrier_init.release.cluster; @!%leader bra N; "
           "mbarrier.arrive.expect_tx.shared.b64 %rd3, [bar], 32; "
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out], 32, [bar];\nN: "
           "bar.warp.sync "
           "-1; " +
           kFence + kMultiply + kAwait + "@!%leader bra E; " + kWait + "\nE:",
       kReady +
           "@%leader mbarrier.init.shared.b64 [bar], 1; @%leader fence.mbarrier_init.release.cluster; @!%leader bra N; "
           "mbarrier.arrive.expect_tx.shared.b64 %rd3, [bar], 32; "
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out], 32, [bar];" +
           kWait + "\nN: bar.sync 0; " + kFence + kMultiply + kAwait},
      {"reserved bits of a matrix descriptor", "descriptor", group,
       kReady + "or.b64 %rd1, %rd1, 0x0000c00000000000; " + kFence + kMultiply + kAwait,
       kReady + kFence + kMultiply + kAwait},
      {"a matrix descriptor that leaves shared memory", "descriptor", group,
       kReady + "or.b64 %rd1, %rd1, 0x3f00; " + kFence + kMultiply + kAwait, kReady + kFence + kMultiply + kAwait},
      {"lanes with different matrix descriptors", "divergence", group,
       kReady + "@%leader add.u64 %rd1, %rd1, 16; " + kFence + kMultiply + kAwait,
       kReady + kFence + kMultiply + kAwait},
  };
}

} // namespace

std::vector<Check> asyncChecks() {
  std::vector<Check> checks = copyChecks();
  for (Check &c : matrixChecks())
    checks.push_back(std::move(c));
  return checks;
}

} // namespace ptxemu::testing
