//===- ToolTest.cpp - Counters, traces, progress, interruption -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChromeTrace.h"
#include "JsonNode.h"
#include "TestSupport.h"
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace ptxemu;
using namespace tileiras;
using namespace ptxemu::testing;

namespace {

const char *const kShared = ".shared .align 128 .b8 s[8192];\n.shared .align 8 .b64 bar;\n";

Counters count(const std::string &body, unsigned threads = 32) {
  Run run(kernel(body, threads, kShared));
  run.argument(run.buffer(std::vector<uint32_t>(4096), "out"));
  run.options.countMemory = true;
  LaunchResult r = run.launch();
  INFO((r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
  return r.counters;
}

/// %r1: the lane's place in `s`, so many bytes apart.
std::string strided(unsigned bytes) {
  return "mov.u32 %r1, s; mad.lo.u32 %r1, %i, " + std::to_string(bytes) + ", %r1; ";
}

std::string globalStrided(unsigned bytes) {
  return "mul.wide.u32 %rd1, %i, " + std::to_string(bytes) + "; add.u64 %rd1, %out, %rd1; ";
}

uint64_t ofClass(const Counters &c, const std::string &name) {
  for (unsigned i = 0; i < Counters::kClasses; ++i)
    if (name == Counters::className(i))
      return c.threadInstructions[i];
  return ~0ull;
}

} // namespace

TEST_CASE("shared-memory transactions and bank conflicts are counted") {
  auto check = [](const std::string &body, uint64_t requests, uint64_t transactions) {
    INFO(body);
    Counters c = count(body);
    CHECK(c.sharedRequests == requests);
    CHECK(c.sharedTransactions == transactions);
  };
  check(strided(4) + "st.shared.u32 [%r1], %i;", 1, 1);
  check(strided(8) + "st.shared.u32 [%r1], %i;", 1, 2);
  check(strided(128) + "st.shared.u32 [%r1], %i;", 1, 32);
  check(strided(132) + "st.shared.u32 [%r1], %i;", 1, 1);
  check(strided(8) + "st.shared.u64 [%r1], %out;", 2, 2);
  check(strided(16) + "st.shared.v4.u32 [%r1], {%i, %i, %i, %i};", 4, 4);
  check("mov.u32 %r2, 1; st.shared.u32 [s], %r2;", 1, 1); // one word for all
  // Few lanes of both halves, and of one.
  check(strided(8) + "and.b32 %r2, %i, 3; setp.eq.u32 %p1, %r2, 0; @%p1 st.shared.u64 [%r1], %out;", 2, 2);
  check(strided(128) + "and.b32 %r2, %i, 7; setp.eq.u32 %p1, %r2, 0; @%p1 st.shared.u64 [%r1], %out;", 2, 4);
  check(strided(8) + "setp.lt.u32 %p1, %i, 4; @%p1 st.shared.u64 [%r1], %out;", 1, 1);
}

TEST_CASE("global sectors are counted by request") {
  auto check = [](const std::string &body, uint64_t requests, uint64_t sectors) {
    INFO(body);
    Counters c = count(body);
    CHECK(c.globalRequests == requests);
    CHECK(c.globalSectors == sectors);
  };
  check(globalStrided(4) + "ld.global.u32 %r1, [%rd1];", 1, 4);
  check(globalStrided(8) + "ld.global.u32 %r1, [%rd1];", 1, 8);
  check(globalStrided(128) + "ld.global.u32 %r1, [%rd1];", 1, 32);
  check(globalStrided(16) + "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];", 1, 16);
  check("ld.global.u32 %r1, [%out]; ld.global.u32 %r2, [%out+64];", 2, 2);
  check(globalStrided(4) + "ld.global.u32 %r1, [%rd1+4];", 1, 5); // across a boundary
}

TEST_CASE("instructions, copies, multiplications and waits are counted") {
  // Around every body: ld.param, a special register that is read, ret.
  Counters c = count("add.u32 %r1, %i, 1; add.u32 %r1, %r1, %r1; setp.lt.u32 %p1, %i, 8; @%p1 add.f32 %f1, 0f3F800000, "
                     "0f3F800000;");
  CHECK(ofClass(c, "float") == 8);
  CHECK(ofClass(c, "control") == 32);
  CHECK(c.totalThreadInstructions() == 32 * 6 + 8);
  CHECK(c.warpInstructions == 7);

  // A register that is named anew takes none; each register that gets a constant does, until it may hold anything.
  CHECK(count("add.u32 %r1, %i, 1; mov.b32 %r2, %r1; mov.b32 %r3, %r2;").warpInstructions == 4);
  CHECK(count("mov.b32 %r1, 0; mov.b32 %r2, %r1; mov.b32 %r3, %r2;").warpInstructions == 6);
  CHECK(count("mov.b32 %r1, 0; add.u32 %r1, %i, 1; mov.b32 %r2, %r1;").warpInstructions == 5);
  CHECK(count("mov.b32 %r1, 0; L: mov.b32 %r2, %r1;").warpInstructions == 4);

  Counters copies =
      count("setp.ne.u32 %p1, %i, 0; @%p1 bra E; mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; "
            "mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 4096; "
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out], 4096, [bar];\n"
            "W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;\n"
            "cp.async.bulk.global.shared::cta.bulk_group [%out+8192], [s], 1024; cp.async.bulk.commit_group; "
            "cp.async.bulk.wait_group 0;\nE:");
  CHECK(copies.bulkBytes == 4096 + 1024);
  CHECK(copies.bulkLoadedBytes == 4096);

  Counters waits = count("bar.sync 0; bar.sync 0;", 128);
  CHECK(waits.barrierWaits == 8);

  Counters mma =
      count("mov.u32 %r1, 0; mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r1, %r1, "
            "%r1, %r1}, {%r1, %r1}, {0f00000000, 0f00000000, 0f00000000, 0f00000000};",
            64);
  CHECK(mma.mmaOperations == 2 * 16 * 8 * 16);

  std::ostringstream text;
  mma.print(text);
  CHECK(text.str().find("MMA multiply-adds          4096\n") != std::string::npos);
}

TEST_CASE("a trace is valid and complete") {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("ptx-emulator-trace-" + std::to_string(getpid()));
  {
    ChromeTrace trace(path.string());
    REQUIRE(trace.good());
    Run run(kernel("setp.ne.u32 %p1, %i, 0; @%p1 bra E; mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; "
                   "mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 64; "
                   "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out], 64, [bar];\n"
                   "W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;\nE: bar.sync 0;",
                   64, kShared));
    run.argument(run.buffer(std::vector<uint32_t>(64), "out"));
    run.options.grid = {3, 1, 1};
    run.options.trace = &trace;
    REQUIRE(run.launch().ok());
    REQUIRE(trace.finish());
  }
  const llvm::json::Value root = parseJson(readText(path.string()), path.string());
  std::filesystem::remove(path);
  std::set<uint64_t> processes;
  std::map<std::pair<uint64_t, uint64_t>, std::string> tracks;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> ends;
  std::set<std::string> names, ctas;
  unsigned spans = 0;
  auto integer = [](const JsonNode &node) { return node.unsignedInteger(0, ~0ull); };
  const std::string file = path.string();
  for (const JsonNode &e : JsonNode(root, file).get("traceEvents").list()) {
    uint64_t pid = integer(e.get("pid"));
    if (e.get("ph").string() == "M" && e.get("name").string() == "process_name") {
      processes.insert(pid);
      ctas.insert(e.get("args").get("name").string());
    } else if (e.get("ph").string() == "M") {
      CHECK(e.get("name").string() == "thread_name");
      tracks[{pid, integer(e.get("tid"))}] = e.get("args").get("name").string();
      names.insert(e.get("args").get("name").string());
    } else {
      REQUIRE(e.get("ph").string() == "X");
      std::pair<uint64_t, uint64_t> track{pid, integer(e.get("tid"))};
      CHECK(processes.count(pid) == 1);
      REQUIRE(tracks.count(track) == 1);
      CHECK(integer(e.get("dur")) > 0);
      if (tracks[track].rfind("warp", 0) == 0) // a warp does one thing at a time
        CHECK(integer(e.get("ts")) >= ends[track]);
      ends[track] = integer(e.get("ts")) + integer(e.get("dur"));
      ++spans;
    }
  }
  CHECK(names == std::set<std::string>{"warp 0", "warp 1", "bulk loads"});
  CHECK(ctas == std::set<std::string>{"ptx-emulator", "CTA (0, 0, 0)", "CTA (1, 0, 0)", "CTA (2, 0, 0)"});
  CHECK(spans >= 9);
}

TEST_CASE("a long run shows progress, and an interrupted one where it stands") {
  Run run(kernel("SPIN: ld.volatile.global.u32 %r1, [%out]; setp.eq.u32 %p1, %r1, 0; @%p1 bra SPIN;", 64));
  run.argument(run.buffer(std::vector<uint32_t>(1), "out"));
  run.options.grid = {2, 1, 1};
  run.options.livelockSteps = ~0ull;
  std::atomic<bool> interrupt{false};
  unsigned shown = 0;
  run.options.interrupt = &interrupt;
  run.options.progress = [&](uint64_t done, uint64_t all, uint64_t instructions) {
    ++shown;
    CHECK(done == 0);
    CHECK(all == 2);
    CHECK(instructions > 0);
    interrupt = true;
  };
  LaunchResult r = run.launch();
  REQUIRE(!r.ok());
  CHECK(shown == 1);
  CHECK(r.diagnostics[0].kind == "interrupted");
  std::string report = r.diagnostics[0].render();
  INFO(report);
  for (const char *part :
       {"0 of 2 CTAs have finished", "CTA (0, 0, 0) warp 0", "CTA (1, 0, 0) warp 1", "can run, line 1"})
    CHECK(report.find(part) != std::string::npos);
}
