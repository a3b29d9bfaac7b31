//===- WarpgroupTest.cpp - What one warp of a warpgroup knows of the others -===//
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

const std::string kMultiply = "wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, "
                              "%f2, %f3}, %rd1, %rd2, 0, 1, "
                              "1, 0, 0; wgmma.commit_group.sync.aligned; ";
const std::string kAwait = "wgmma.wait_group.sync.aligned 0; ";
/// Descriptors of a 64 x 16 matrix at s and of an 8 x 16 one behind it, K-major without swizzle.
const std::string kDescriptors = "mov.u32 %r1, s; shr.u32 %r4, %r1, 4; cvt.u64.u32 %rd1, %r4; or.b64 %rd1, %rd1, "
                                 "0x0000001000080000; add.u64 %rd2, %rd1, 128; ";

/// Four warps multiply what a fifth one copies into the only stage, four times over; `release` frees the stage after
/// `arrivals` arrivals.
std::string ring(const std::string &release, unsigned arrivals) {
  return kernel("setp.eq.u32 %p1, %i, 0;\n"
                "@%p1 mbarrier.init.shared.b64 [full], 1;\n"
                "@%p1 mbarrier.init.shared.b64 [empty], " +
                    std::to_string(arrivals) + ";\n@%p1 fence.mbarrier_init.release.cluster;\nbar.sync 0;\n" +
                    kDescriptors +
                    "mov.u32 %r10, 0; setp.ge.u32 %p2, %i, 128; @%p2 bra P;\n"
                    "L: and.b32 %r11, %r10, 1;\n"
                    "W: mbarrier.try_wait.parity.shared.b64 %p3, [full], %r11; @!%p3 bra W;\n" +
                    kMultiply + kAwait + release +
                    "add.u32 %r10, %r10, 1; setp.lt.u32 %p4, %r10, 4; @%p4 bra L;\nbra E;\n"
                    "P: setp.ne.u32 %p5, %i, 128; @%p5 bra E;\n"
                    "N: setp.eq.u32 %p6, %r10, 0; @%p6 bra F; sub.u32 %r11, %r10, 1; and.b32 %r11, %r11, 1;\n"
                    "V: mbarrier.try_wait.parity.shared.b64 %p3, [empty], %r11; @!%p3 bra V;\n"
                    "F: mbarrier.arrive.expect_tx.shared.b64 %rd3, [full], 2304;\n"
                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out], 2304, [full];\n"
                    "add.u32 %r10, %r10, 1; setp.lt.u32 %p4, %r10, 4; @%p4 bra N;\nE:",
                160, ".shared .align 1024 .b8 s[4096];\n.shared .align 8 .b64 full;\n.shared .align 8 .b64 empty;\n");
}

std::string firstFailure(const std::string &ptx, bool strict) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Run run(ptx);
    run.argument(run.buffer(std::vector<uint32_t>(1024), "out"));
    run.options.seed = seed;
    run.options.strict = strict;
    if (std::string kind = verdict(run.launch()); !kind.empty())
      return kind;
  }
  return "";
}

} // namespace

TEST_CASE("one thread of the warpgroup may free what all four warps multiply, unless the letter counts") {
  const std::string one = ring("@%p1 mbarrier.arrive.shared.b64 %rd4, [empty]; ", 1);
  CHECK(firstFailure(one, false) == "");
  const std::string strictly = firstFailure(one, true);
  INFO(strictly);
  CHECK((strictly == "data-race" || strictly == "async-in-flight"));
  const std::string every = ring("mbarrier.arrive.shared.b64 %rd4, [empty]; ", 128);
  CHECK(firstFailure(every, false) == "");
  CHECK(firstFailure(every, true) == "");
}

TEST_CASE("freeing a stage before the multiplication has been waited for is a mistake in practice, too") {
  std::string early = ring("", 1);
  const std::string wait = kAwait;
  early.replace(early.find(wait), wait.size(), "@%p1 mbarrier.arrive.shared.b64 %rd4, [empty]; " + wait);
  CHECK(!firstFailure(early, false).empty());
}

TEST_CASE("the warps of a warpgroup execute the same wgmma") {
  const std::string zeros = kDescriptors +
                            "mad.lo.u32 %r2, %i, 16, %r1; mov.u32 %r3, 0; st.shared.v4.u32 [%r2], {%r3, %r3, "
                            "%r3, %r3}; st.shared.v4.u32 [%r2+2048], {%r3, %r3, %r3, %r3}; "
                            "fence.proxy.async; bar.sync 0; shr.u32 %r5, %i, 5; setp.eq.u32 %p1, %r5, 3; ";
  const std::string shared = ".shared .align 1024 .b8 s[4096];\n";
  CHECK(firstFailure(kernel(zeros + "@%p1 bra A; " + kMultiply + kAwait + "bra E;\nA: " + kMultiply + kAwait + "\nE:",
                            128, shared),
                     false) == "divergence");
  CHECK(firstFailure(kernel(zeros + "@%p1 bra E; " + kMultiply + kAwait + "\nE:", 128, shared), false) == "deadlock");
}
