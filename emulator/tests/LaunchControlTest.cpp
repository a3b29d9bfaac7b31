//===- LaunchControlTest.cpp - clusterlaunchcontrol ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedPtx.h"
#include "TestSupport.h"
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

/// A persistent kernel: each cluster of `cluster` CTAs in x counts its own work items, then those of clusters it
/// cancels. Work item (x, y) is a word of `out`.
std::string persistent(unsigned cluster) {
  bool many = cluster > 1;
  std::string barrier = many ? "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" : "bar.sync 0;";
  return ".version 8.7\n.target sm_100a\n.address_size 64\n.shared .align 16 .b8 response[16];\n.shared .align 8 .b64 "
         "bar;\n.visible .entry k(.param .u64 out)\n.reqntid 64, 1, 1\n.reqnctapercluster " +
         std::to_string(cluster) +
         ", 1, 1\n{\n  .reg .b64 %out, %at, %st;\n  .reg .b32 %x, %y, %z, %w, %t, %r, %n, %v, %rank, %parity;\n"
         "  .reg .b128 %h;\n  .reg .pred %p, %q, %other;\n  ld.param.u64 %out, [out];\n  mov.u32 %t, %tid.x;\n"
         "  mov.u32 %x, %ctaid.x;\n  mov.u32 %y, %ctaid.y;\n  mov.u32 %n, %nctaid.x;\n  mov.u32 %rank, "
         "%cluster_ctarank;\n  sub.u32 %x, %x, %rank;\n  mov.u32 %parity, 0;\n  setp.ne.u32 %p, %t, 0;\n  @%p bra "
         "INIT;\n  mbarrier.init.shared.b64 [bar], 1;\n  fence.mbarrier_init.release.cluster;\nINIT:\n  " +
         barrier +
         "\nNEXT:\n  setp.ne.u32 %p, %t, 0;\n  @%p bra WORK;\n  mbarrier.arrive.expect_tx.shared.b64 %st, [bar], 16;\n"
         "  setp.ne.u32 %other, %rank, 0;\n  @%other bra WORK;\n  "
         "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes" +
         std::string(many ? ".multicast::cluster::all" : "") +
         ".b128 [response], [bar];\nWORK:\n  @%p bra WAIT;\n  add.u32 %v, %x, %rank;\n  mad.lo.u32 %v, %y, %n, %v;\n"
         "  mul.wide.u32 %at, %v, 4;\n  add.u64 %at, %out, %at;\n  atom.global.add.u32 %v, [%at], 1;\nWAIT:\n"
         "  mbarrier.try_wait.parity.shared.b64 %q, [bar], %parity;\n  @!%q bra WAIT;\n  xor.b32 %parity, %parity, 1;\n"
         "  ld.shared.b128 %h, [response];\n  fence.proxy.async;\n"
         "  clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %q, %h;\n  @!%q bra END;\n"
         "  clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%x, %y, %z, %w}, %h;\n"
         "  clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %y, %h;\n  " +
         barrier + "\n  bra NEXT;\nEND:\n  " + barrier + "\n  ret;\n}\n";
}

} // namespace

TEST_CASE("a persistent kernel does every CTA's work exactly once") {
  for (unsigned cluster : {1u, 2u}) {
    addGenerated(persistent(cluster));
    for (unsigned resident : {1u, 3u, 100u})
      for (uint64_t seed = 0; seed < 12; ++seed) {
        Run run(persistent(cluster));
        uint64_t out = run.buffer(std::vector<uint32_t>(24));
        run.argument(out);
        run.options.grid = {8, 3, 1};
        run.options.residentClusters = resident;
        run.options.seed = seed;
        LaunchResult r = run.launch();
        INFO("cluster " << cluster << " resident " << resident << " seed " << seed << "\n"
                        << (r.ok() ? "" : r.diagnostics[0].render()));
        REQUIRE(r.ok());
        CHECK(run.read<uint32_t>(out, 24) == std::vector<uint32_t>(24, 1));
      }
  }
}

TEST_CASE("a response is given back through a proxy fence, to the letter") {
  const std::string fence = "fence.proxy.async;";
  for (unsigned cluster : {1u, 2u}) {
    const std::string right = persistent(cluster);
    auto replaceFence = [&](const std::string &by) {
      std::string text = right;
      text.replace(text.find(fence), fence.size(), by);
      return text;
    };
    auto verdictOf = [](const std::string &text, bool strict) {
      Run run(text);
      run.argument(run.buffer(std::vector<uint32_t>(24)));
      run.options.grid = {8, 3, 1};
      run.options.residentClusters = 2;
      run.options.strict = strict;
      return verdict(run.launch());
    };
    INFO("cluster of " << cluster);
    for (bool strict : {false, true}) {
      CHECK(verdictOf(right, strict) == "");
      CHECK(verdictOf(replaceFence("fence.proxy.async.shared::cta;"), strict) == "");
      CHECK(verdictOf(replaceFence("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;"), strict) ==
            "");
      const char *expected = strict ? "missing-proxy-fence" : "";
      CHECK(verdictOf(replaceFence(""), strict) == expected);
      CHECK(verdictOf(replaceFence("fence.proxy.async.global;"), strict) == expected);
    }
  }
}

TEST_CASE("clusterlaunchcontrol: mistakes are found") {
  auto found = [](std::string text, const std::string &from, const std::string &to) {
    size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    std::string kind;
    for (uint64_t seed = 0; seed < 12 && kind.empty(); ++seed) {
      Run run(text);
      run.argument(run.buffer(std::vector<uint32_t>(24)));
      run.options.grid = {8, 3, 1};
      run.options.residentClusters = 2;
      run.options.seed = seed;
      run.options.livelockSteps = 50000;
      kind = verdict(run.launch());
    }
    return kind;
  };
  std::string text = persistent(1);
  std::string early = found(text, "@!%q bra WAIT;", ""); // before the request was made, or before it was answered
  CHECK((early == "uninitialized-shared" || early == "async-in-flight"));
  CHECK(found(text, "[bar], 16;", "[bar], 32;") == "deadlock");
  CHECK(found(text, "@!%q bra END;", "") == "launch-control");
  CHECK(found(text, "@!%q bra END;", "@!%q bra NEXT;") == "launch-control");
  CHECK(found(text, "ld.shared.b128 %h, [response];", "mov.b64 %at, 0; mov.b128 %h, {%at, %at};") == "launch-control");
}
