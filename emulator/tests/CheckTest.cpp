//===- CheckTest.cpp - Every check, provoked and corrected ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckTable.h"
#include "TestSupport.h"
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

/// The module of a check's program.
std::string program(const Setup &setup, const std::string &body) {
  return std::string(".version 8.7\n.target ") + setup.target +
         "\n.address_size 64\n"
         ".extern .func (.param .b64 p) malloc (.param .b64 a);\n.extern .func free (.param .b64 a);\n"
         ".const .align 4 .b32 c = 5;\n.shared .align 1024 .b8 s[4096];\n.shared .align 8 .b64 bar;\n"
         ".visible .entry k(.param .u64 out)\n.reqntid " +
         std::to_string(setup.threads) + ", 1, 1\n" + setup.directives +
         "\n{\n  .reg .b64 %out, %rd<10>;\n  .reg .b32 %r<20>, %i;\n  .reg .b16 %h<4>;\n  .reg .f32 %f<10>;\n  .reg "
         ".pred "
         "%p<8>, %leader;\n  ld.param.u64 %out, [out];\n  mov.u32 %i, %tid.x;\n  setp.eq.u32 %leader, %i, 0;\n" +
         body + "\n  ret;\n}\n";
}

LaunchResult runCheck(const Setup &setup, const Module &module, uint64_t seed) {
  Device device;
  LaunchOptions options;
  uint64_t out = device.allocate(4032, "out");
  std::vector<uint8_t> argument(8);
  std::memcpy(argument.data(), &out, 8);
  options.arguments = {argument};
  options.grid = {setup.grid, 1, 1};
  if (setup.cluster)
    options.cluster = {setup.cluster, 1, 1};
  options.seed = seed;
  options.livelockSteps = 50000;
  options.strict = setup.strict;
  return launch(device, module, options);
}

/// The first of several schedules that fails says what it found.
std::string provoke(const Check &c) {
  Module module = Module::parse(program(c.setup, c.broken));
  for (uint64_t seed = 1; seed <= 20; ++seed)
    if (std::string found = verdict(runCheck(c.setup, module, seed)); !found.empty())
      return found;
  return "";
}

void checkTable(const std::vector<Check> &checks) {
  for (const Check &c : checks) {
    INFO(c.what);
    INFO(c.broken);
    std::string found = provoke(c);
    CHECK(!found.empty());
    CHECK(std::string(c.kind).find(found) != std::string::npos);
    Module module = Module::parse(program(c.setup, c.corrected));
    for (uint64_t seed = 0; seed < 100; ++seed) {
      LaunchResult r = runCheck(c.setup, module, seed);
      INFO(c.corrected << "\n" << (r.ok() ? "" : r.diagnostics[0].render()));
      CHECK(r.ok());
      if (!r.ok())
        break;
    }
  }
}

} // namespace

TEST_CASE("wrong accesses are found, corrected ones pass") {
  checkTable(memoryChecks());
}

TEST_CASE("races, missing fences and narrow scopes are found, corrected ones pass") {
  checkTable(raceChecks());
}

TEST_CASE("misused barriers and registers are found, corrected ones pass") {
  checkTable(barrierChecks());
}

TEST_CASE("asynchronous work that is not waited for is found, corrected twins pass") {
  checkTable(asyncChecks());
}

TEST_CASE("what threads write reaches the asynchronous proxy through a fence only, what they read needs none") {
  checkTable(proxyChecks());
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

TEST_CASE("a report says all a stranger needs") {
  std::string text = kernel(".loc 1 3 5\n st.shared.u32 [s], %i;\n.loc 1 7 9\n ld.shared.u32 %r1, [s];", 64,
                            ".shared .align 4 .b8 s[4];\n");
  text.insert(text.find(".address_size 64\n") + 17, ".file 1 \"softmax.py\"\n");
  LaunchResult r = runBody(text);
  REQUIRE(!r.ok());
  std::string report = r.diagnostics[0].render();
  INFO(report);
  for (const char *part :
       {"error[data-race]: warp ", " of CTA (0, 0, 0) writes shared memory at 0x400",
        "  at softmax.py:3:5\n  PTX line 19: st.shared.u32 [s], %i", "kernel k, CTA (0, 0, 0), warp ",
        "PTX line 19 comes from softmax.py:3:5", "meaning: two threads touch the same memory", "replay with --seed 1"})
    CHECK(report.find(part) != std::string::npos);
}

TEST_CASE("standstill is told with every barrier and every warp") {
  LaunchResult r =
      runBody(kernel("setp.ne.u32 %p1, %i, 0; @%p1 bra M; mbarrier.init.shared.b64 [b], 3;\nM: bar.sync 0; "
                     "setp.ge.u32 %p1, %i, 32; @%p1 bra X; setp.ne.u32 %p1, %i, 0; @%p1 bra "
                     "W; mbarrier.arrive.expect_tx.shared.b64 %rd1, [b], 512;\nW: "
                     "mbarrier.try_wait.parity.shared.b64 %p2, [b], 0; @!%p2 bra W;\nX: bar.sync 3;",
                     96, ".shared .align 8 .b64 b;\n"));
  REQUIRE(!r.ok());
  CHECK(r.diagnostics[0].kind == "deadlock");
  std::string report = r.diagnostics[0].render();
  INFO(report);
  for (const char *part :
       {"barrier 3: 64 of 96 threads have arrived",
        "in phase 0 (parity 0), which still needs 2 of 3 arrivals and 512 bytes", "nothing in flight will signal it",
        "warp 0 lanes 0xffffffff waits for the mbarrier", "warp 1 lanes 0xffffffff waits at barrier 3"})
    CHECK(report.find(part) != std::string::npos);
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
