//===- ClusterAddressTest.cpp - Shared addresses within a cluster --------===//
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

const std::string kShared = ".shared .align 8 .b64 bar;\n.shared .align 4 .b8 s[64];\n";
/// Of this CTA: its rank in %r1, where it stores its result in %rd1.
const std::string kRank = "mov.u32 %r1, %cluster_ctarank; mad.wide.u32 %rd1, %r1, 4, %out; ";
const std::string kStore = "setp.eq.u32 %p1, %i, 0; @%p1 st.global.u32 [%rd1], %r9; ";

LaunchResult runCluster(const std::string &body, std::vector<uint32_t> *out = nullptr, uint64_t seed = 1) {
  Run run(kernel(kRank + body, 32, kShared));
  uint64_t address = run.buffer(std::vector<uint32_t>(8), "out");
  run.argument(address);
  run.options.grid = run.options.cluster = {4, 1, 1};
  run.options.seed = seed;
  LaunchResult r = run.launch();
  if (out)
    *out = run.read<uint32_t>(address, 4);
  return r;
}

std::vector<uint32_t> resultsOf(const std::string &body) {
  std::vector<uint32_t> out;
  LaunchResult r = runCluster(body + kStore, &out);
  INFO(body << (r.ok() ? "" : r.diagnostics[0].render()));
  CHECK(r.ok());
  return out;
}

} // namespace

TEST_CASE("an own shared address carries the rank of its CTA from bit 24 on") {
  const std::vector<uint32_t> ranks{0, 1, 2, 3}, same{1, 1, 1, 1};
  CHECK(resultsOf("mov.u32 %r2, s; shr.u32 %r9, %r2, 24; ") == ranks);
  CHECK(resultsOf("mov.u64 %rd2, s; cvta.shared.u64 %rd2, %rd2; cvta.to.shared.u64 %rd2, %rd2; cvt.u32.u64 %r2, %rd2; "
                  "shr.u32 %r9, %r2, 24; ") == ranks);
  // It is what mapa makes of the own rank, and what getctarank reads.
  CHECK(resultsOf("mov.u32 %r2, s; mapa.shared::cluster.u32 %r3, %r2, %r1; set.eq.u32.u32 %r9, %r2, %r3; and.b32 %r9, "
                  "%r9, 1; ") == same);
  CHECK(resultsOf("mov.u32 %r2, s; getctarank.shared::cluster.u32 %r9, %r2; ") == ranks);
  CHECK(resultsOf("mov.u32 %r2, s; xor.b32 %r3, %r1, 1; mapa.shared::cluster.u32 %r3, %r2, %r3; "
                  "getctarank.shared::cluster.u32 %r9, %r3; ") == std::vector<uint32_t>{1, 0, 3, 2});
  CHECK(
      resultsOf("mov.u64 %rd2, s; cvta.shared.u64 %rd2, %rd2; isspacep.shared %p2, %rd2; selp.u32 %r9, 1, 0, %p2; ") ==
      same);
  CHECK(resultsOf("mov.u64 %rd2, s; cvta.shared.u64 %rd2, %rd2; xor.b64 %rd2, %rd2, 0x1000000; isspacep.shared %p2, "
                  "%rd2; isspacep.shared::cluster %p3, %rd2; selp.u32 %r9, 2, 0, %p2; @%p3 add.u32 %r9, %r9, 1; ") ==
        same);
}

TEST_CASE("clearing the lowest bit of the rank finds the even CTA of a pair") {
  const std::string init = "setp.eq.u32 %p1, %i, 0; @%p1 mbarrier.init.shared.b64 [bar], 2; @%p1 "
                           "fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait; ";
  // Every CTA arrives at the barrier of its pair's even CTA, which waits for both.
  const std::string arrive = "mov.u32 %r2, bar; and.b32 %r2, %r2, 0xfeffffff; @%p1 "
                             "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2]; ";
  const std::string wait = "and.b32 %r3, %r1, 1; setp.ne.u32 %p2, %r3, 0; @%p2 bra D;\n"
                           "W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [bar], 0; @!%p3 bra W;\n"
                           "D: barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r9, 1; ";
  CHECK(resultsOf(init + arrive + wait) == std::vector<uint32_t>{1, 1, 1, 1});
}

TEST_CASE("generic and .shared::cluster accesses reach the CTA an address names, .shared::cta only the own one") {
  const std::string publish = "st.shared.u32 [s], %r1; barrier.cluster.arrive; barrier.cluster.wait; ";
  const std::string peer = "mov.u32 %r2, s; xor.b32 %r2, %r2, 0x1000000; ";
  const std::string leave = "barrier.cluster.arrive; barrier.cluster.wait; ";
  const std::vector<uint32_t> peers{1, 0, 3, 2};
  CHECK(resultsOf("setp.eq.u32 %p1, %i, 0; @%p1 " + publish + peer + "ld.shared::cluster.u32 %r9, [%r2]; " + leave) ==
        peers);
  CHECK(resultsOf("setp.eq.u32 %p1, %i, 0; @%p1 " + publish + peer +
                  "cvt.u64.u32 %rd2, %r2; cvta.shared::cluster.u64 %rd2, %rd2; ld.u32 %r9, [%rd2]; " + leave) == peers);
  LaunchResult wrong =
      runCluster("setp.eq.u32 %p1, %i, 0; @%p1 " + publish + peer + "ld.shared::cta.u32 %r9, [%r2]; " + leave);
  CHECK(verdict(wrong) == "out-of-bounds");
  CHECK(wrong.diagnostics[0].message.find("needs .shared::cluster") != std::string::npos);
  // A number that was not made from a variable's address is rank 0's.
  CHECK(verdict(runCluster("mov.u32 %r2, 1040; st.shared.u32 [%r2], %r1; ")) == "out-of-bounds");
}

TEST_CASE("addresses of a cluster that is not there") {
  CHECK(verdict(runCluster("mov.u32 %r2, s; or.b32 %r2, %r2, 0x4000000; ld.shared::cluster.u32 %r9, [%r2]; ")) ==
        "out-of-bounds");
}
