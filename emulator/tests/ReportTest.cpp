//===- ReportTest.cpp - Several reports a run, warnings, explanations ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;
using Catch::Matchers::Contains;

namespace {

const std::string kShared = ".shared .align 16 .b8 s[256];\n.shared .align 8 .b64 bar;\n";

LaunchResult runWith(const std::string &body, unsigned mostReports,
                     const std::set<std::string, std::less<>> &allowed = {}, std::vector<uint32_t> *out = nullptr,
                     unsigned threads = 64, unsigned hostThreads = 1) {
  Run run(kernel(body, threads, kShared));
  uint64_t address = run.buffer(std::vector<uint32_t>(64), "out");
  run.argument(address);
  run.options.grid = {4, 1, 1};
  run.options.threads = hostThreads;
  run.options.mostReports = mostReports;
  run.options.allowed = allowed;
  LaunchResult r = run.launch();
  if (out)
    *out = run.read<uint32_t>(address, 64);
  return r;
}

std::string kindsOf(const std::vector<Diagnostic> &list) {
  std::string kinds;
  for (const Diagnostic &d : list)
    kinds += (kinds.empty() ? "" : " ") + d.kind;
  return kinds;
}

/// Reads what nobody wrote, in two places and three times over; then races; then leaves an array.
const std::string kMistakes =
    "mov.u32 %r5, 0;\nL: ld.shared.u32 %r1, [s];\n ld.shared.u32 %r2, [s+4];\n add.u32 %r5, %r5, "
    "1; setp.lt.u32 %p1, %r5, 3; @%p1 bra L;\n st.shared.u32 [s+8], %i;\n";

} // namespace

TEST_CASE("a run goes on after mistakes that leave something to go on with") {
  CHECK(kindsOf(runWith(kMistakes, 1).diagnostics) == "uninitialized-shared");
  CHECK(kindsOf(runWith(kMistakes, 2).diagnostics) == "uninitialized-shared uninitialized-shared");
  const LaunchResult all = runWith(kMistakes, 10);
  CHECK(kindsOf(all.diagnostics) == "uninitialized-shared uninitialized-shared data-race");
  CHECK(all.diagnostics[0].line + 1 == all.diagnostics[1].line);
  CHECK(kindsOf(runWith(kMistakes, 10, {}, nullptr, 64, 2).diagnostics) ==
        "uninitialized-shared uninitialized-shared data-race");
  // Others end it.
  CHECK(kindsOf(runWith(kMistakes + "ld.global.u32 %r1, [%out+4096]; ld.shared.u32 %r1, [s+16];", 10).diagnostics) ==
        "uninitialized-shared uninitialized-shared data-race out-of-bounds");
}

TEST_CASE("kinds that are allowed are warnings, and the result counts") {
  const std::string store = "ld.shared.u32 %r3, [s+12]; add.u32 %r3, %r3, 7; st.global.u32 [%out], %r3; ";
  std::vector<uint32_t> out;
  const LaunchResult r = runWith(store, 1, {"uninitialized-shared", "data-race"}, &out);
  CHECK(r.ok());
  CHECK_THAT(kindsOf(r.warnings), Contains("uninitialized-shared"));
  CHECK_THAT(r.warnings[0].render(), Catch::Matchers::StartsWith("warning[uninitialized-shared]"));
  CHECK(out[0] == 7);
  CHECK(kindsOf(runWith(kMistakes, 1, {"uninitialized-shared"}).diagnostics) == "data-race");
}

TEST_CASE("a register that a tcgen05.ld is to write is explained as that") {
  std::string ptx =
      kernel("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 32; bar.sync 0; ld.shared.u32 "
             "%r2, [s]; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%i}; tcgen05.wait::st.sync.aligned;\n"
             "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r2];\nadd.u32 %r4, %r3, 1; "
             "tcgen05.wait::ld.sync.aligned; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32; ",
             32, kShared);
  ptx.replace(ptx.find("sm_90a"), 6, "sm_100a");
  const LaunchResult r = runBody(ptx);
  REQUIRE(verdict(r) == "missing-tensor-wait");
  CHECK_THAT(r.diagnostics[0].message, Contains("register %r3") && Contains("tcgen05.ld at PTX line") &&
                                           Contains("tcgen05.wait::ld.sync.aligned") && !Contains("wgmma"));
}

TEST_CASE("what a shuffle took from a lane that is not there is explained as that") {
  for (std::string copy : {"", "mov.b32 %r2, %r2; "}) {
    const LaunchResult r =
        runBody(kernel("shfl.sync.idx.b32 %r2, %i, 20, 31, 0xffff; " + copy + "add.u32 %r3, %r2, 1;", 16));
    REQUIRE(verdict(r) == "uninitialized-register");
    CHECK_THAT(r.diagnostics[0].message, Contains("register %r2") && Contains("shfl.sync at PTX line") &&
                                             Contains("does not exist") && !Contains("never wrote"));
  }
  CHECK_THAT(runBody(kernel("add.u32 %r3, %r2, 1;")).diagnostics[0].message, Contains("this thread never wrote it"));
}

TEST_CASE("an mbarrier operation reaches the cluster without a scope, and the CTA with that one") {
  // Rank 1 writes its neighbour's memory and arrives there; rank 0 waits without a scope.
  auto bodyWith = [](const std::string &scope) {
    return "mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %i, 0; @%p1 mbarrier.init.shared.b64 [bar], 1; @%p1 "
           "fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait; setp.eq.u32 %p2, %r1, "
           "0; "
           "@%p2 bra Z; @!%p1 bra E; mov.u32 %r2, s; mapa.shared::cluster.u32 %r2, %r2, 0; st.shared::cluster.u32 "
           "[%r2], "
           "%i; "
           "mov.u32 %r3, bar; mapa.shared::cluster.u32 %r3, %r3, 0; mbarrier.arrive" +
           scope +
           ".shared::cluster.b64 _, [%r3]; bra E;\n"
           "Z: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0; @!%p3 bra Z; ld.shared.u32 %r4, [s];\n"
           "E: barrier.cluster.arrive; barrier.cluster.wait; ";
  };
  for (bool strict : {false, true})
    for (std::string scope : {"", ".release.cta"}) {
      Run run(kernel(bodyWith(scope), 32, kShared));
      run.argument(run.buffer(std::vector<uint32_t>(4)));
      run.options.grid = run.options.cluster = {2, 1, 1};
      run.options.strict = strict;
      CHECK(verdict(run.launch()) == (scope.empty() ? "" : "data-race"));
    }
}
