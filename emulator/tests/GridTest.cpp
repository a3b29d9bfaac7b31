//===- GridTest.cpp - Kernels whose CTAs work together -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <catch2/catch.hpp>
#include <numeric>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

std::string text(const std::string &name) {
  return readText(std::string(PTX_EMULATOR_KERNELS) + "/" + name);
}

std::string replaced(std::string t, const std::string &from, const std::string &to, unsigned occurrence = 0) {
  size_t at = t.find(from);
  while (occurrence-- && at != std::string::npos)
    at = t.find(from, at + 1);
  REQUIRE(at != std::string::npos);
  return t.replace(at, from.size(), to);
}

std::string reduce(const std::string &ptx, uint64_t seed, std::array<unsigned, 3> grid = {8, 1, 1},
                   std::array<unsigned, 3> block = {}) {
  Run run(ptx);
  std::vector<uint32_t> data(2 * 4 * 128 * 3);
  std::iota(data.begin(), data.end(), 1u);
  uint64_t d = run.buffer(data, "data"), out = run.buffer(std::vector<uint32_t>(2), "out");
  run.argument(d).argument(out).argument(uint32_t(3));
  run.options.grid = grid;
  run.options.block = block;
  run.options.seed = seed;
  LaunchResult r = run.launch();
  if (!r.ok())
    return verdict(r);
  // Both clusters sum the first 1536 elements.
  std::vector<uint32_t> got = run.read<uint32_t>(out, 2);
  return got[0] == 1536 * 1537 / 2 && got[1] == got[0] ? "" : "wrong";
}

std::string dot(const std::string &ptx, uint64_t seed) {
  Run run(ptx);
  constexpr unsigned kCtas = 24;
  std::vector<float> a(32 * kCtas), b(32 * kCtas, 2);
  std::iota(a.begin(), a.end(), 0.0f);
  uint64_t pa = run.buffer(a, "a"), pb = run.buffer(b, "b"), w = run.buffer(std::vector<float>(kCtas), "workspace"),
           counter = run.buffer(std::vector<uint32_t>(1), "counter"), out = run.buffer(std::vector<float>(1), "out");
  run.argument(pa).argument(pb).argument(w).argument(counter).argument(out);
  run.options.grid = {kCtas, 1, 1};
  run.options.seed = seed;
  LaunchResult r = run.launch();
  if (!r.ok())
    return verdict(r);
  return run.read<float>(out, 1)[0] == 768 * 767.0f ? "" : "wrong";
}

} // namespace

TEST_CASE("a cluster reduces through distributed shared memory") {
  std::string ptx = text("cluster_reduce.ptx");
  for (uint64_t seed = 0; seed < 20; ++seed)
    CHECK(reduce(ptx, seed) == "");
  auto caught = [&](const std::string &mutant) {
    for (uint64_t seed = 0; seed < 20; ++seed)
      if (std::string v = reduce(mutant, seed); !v.empty() && v != "wrong")
        return v;
    return std::string();
  };
  CHECK(caught(replaced(ptx, "TREE:\n  bar.sync 0;", "TREE:")) != "");
  CHECK(caught(replaced(ptx, "arrive.release", "arrive.relaxed")) == "data-race");
  CHECK(caught(replaced(ptx, "barrier.cluster.wait.acquire.aligned;", "")) != "");
  CHECK(caught(replaced(replaced(ptx, "barrier.cluster.arrive.release.aligned;", ""),
                        "barrier.cluster.wait.acquire.aligned;", "")) != "");
  CHECK(caught(replaced(ptx, "setp.lt.u32 %p, %i, 4;", "setp.lt.u32 %p, %i, 5;")) == "out-of-bounds");
  // Leaving early takes the shared memory away from the CTA that reads it.
  CHECK(caught(replaced(replaced(ptx, "barrier.cluster.arrive.release.aligned;", "", 1),
                        "barrier.cluster.wait.acquire.aligned;", "", 1)) == "use-after-free");
}

TEST_CASE("a launch may count clusters") {
  const std::string ptx = replaced(text("cluster_reduce.ptx"), ".explicitcluster", ".blocksareclusters");
  CHECK(reduce(ptx, 1, {2, 1, 1}) == "");
  CHECK(reduce(ptx, 1, {2, 1, 1}, {1, 1, 1}) == "");
  auto refusal = [&](const std::string &mutant, std::array<unsigned, 3> grid, std::array<unsigned, 3> block) {
    try {
      return reduce(mutant, 1, grid, block);
    } catch (const InputError &error) {
      return std::string(error.what());
    }
  };
  using Catch::Contains;
  CHECK_THAT(refusal(ptx, {2, 1, 1}, {128, 1, 1}), Contains("blocks of (128, 1, 1) to 'reduce'") && Contains("leave"));
  CHECK_THAT(refusal(ptx, {0x7fffffff, 1, 1}, {}), Contains("a grid has at most"));
  CHECK_THAT(refusal(replaced(ptx, ".reqntid 128, 1, 1", ""), {2, 1, 1}, {}), Contains("takes .reqntid and"));
  CHECK_THAT(refusal(replaced(ptx, ".reqnctapercluster 4, 1, 1", ""), {2, 1, 1}, {}), Contains("takes .reqntid and"));
}

TEST_CASE("split-K over CTAs needs its fences") {
  std::string ptx = text("split_k.ptx");
  for (uint64_t seed = 0; seed < 20; ++seed)
    CHECK(dot(ptx, seed) == "");
  auto caught = [&](const std::string &mutant) {
    for (uint64_t seed = 0; seed < 20; ++seed)
      if (std::string v = dot(mutant, seed); !v.empty())
        return v;
    return std::string();
  };
  CHECK(caught(replaced(ptx, "fence.acq_rel.gpu;", "")) == "data-race");
  CHECK(caught(replaced(ptx, "fence.acq_rel.gpu;", "", 1)) == "data-race");
  CHECK(caught(replaced(ptx, "setp.ne.u32 %p, %old, %n;", "setp.eq.u32 %p, %old, 0;")) == "data-race");
  CHECK(caught(replaced(ptx, "st.global.f32 [%off], %sum;", "st.global.f32 [%w], %sum;")) == "data-race");
}

TEST_CASE("CTAs that wait for CTAs that do not run yet make progress") {
  // CTA 0 waits for a flag that the last CTA sets.
  std::string ptx =
      kernel("mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; sub.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r1, %r2; "
             "setp.ne.u32 %p2, %i, 0; @%p2 bra END;\n"
             "@%p1 st.release.gpu.global.u32 [%out], 1; @%p1 bra END;\n"
             "SPIN: ld.acquire.gpu.global.u32 %r3, [%out]; setp.eq.u32 %p3, %r3, 0; @%p3 bra SPIN;\nEND:");
  for (uint64_t seed = 0; seed < 3; ++seed)
    CHECK(runBody(ptx, 4, seed, 40).ok());
}

TEST_CASE("lanes of one warp that pass a lock on make progress") {
  std::string ptx =
      kernel("AGAIN: atom.acquire.gpu.global.cas.b32 %r1, [%out], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra AGAIN;\n"
             "ld.global.u32 %r2, [%out+4]; add.u32 %r2, %r2, 1; st.global.u32 [%out+4], "
             "%r2;\natom.release.gpu.global.exch.b32 %r3, [%out], 0;",
             32);
  // A run takes seconds: all lanes but one spin.
  for (uint64_t seed = 0; seed < 2; ++seed) {
    std::vector<uint32_t> out;
    LaunchResult r = runBody(ptx, 4, seed, 2, &out);
    INFO((r.ok() ? "" : r.diagnostics[0].render()));
    CHECK(r.ok());
    CHECK(out[1] == 64);
  }
}

namespace {

struct Outcome {
  std::vector<uint32_t> memory;
  std::string report, output;
  uint64_t instructions = 0;
  bool operator==(const Outcome &) const = default;
};

/// 24 CTAs, six at a time, on so many host threads.
Outcome onThreads(const std::string &ptx, uint64_t seed, unsigned threads) {
  Run run(ptx);
  uint64_t out = run.buffer(std::vector<uint32_t>(1024), "out");
  run.argument(out);
  run.options.grid = {24, 1, 1};
  run.options.residentClusters = 6;
  run.options.seed = seed;
  run.options.threads = threads;
  LaunchResult r = run.launch();
  return {run.read<uint32_t>(out, 1024), r.ok() ? "" : r.diagnostics[0].render(), r.output,
          r.counters.totalThreadInstructions()};
}

} // namespace

TEST_CASE("results and reports do not depend on the number of host threads") {
  // Tickets in the order the device gives them out, a lock that is passed on, and messages in between.
  std::string tickets = kernel("mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %i, 0; @%p1 bra END;\n"
                               "AGAIN: atom.acquire.gpu.global.cas.b32 %r2, [%out+4], 0, 1; setp.ne.u32 %p2, %r2, 0; "
                               "@%p2 bra AGAIN;\n"
                               "ld.global.u32 %r3, [%out+8]; mul.wide.u32 %rd1, %r3, 4; add.u64 %rd1, %out, %rd1; "
                               "st.global.u32 [%rd1+64], %r1; add.u32 %r3, %r3, 1; st.global.u32 [%out+8], %r3;\n"
                               "atom.release.gpu.global.exch.b32 %r2, [%out+4], 0;\nEND:",
                               64);
  std::string race =
      kernel("mov.u32 %r1, %ctaid.x; shr.u32 %r1, %r1, 3; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %out, "
             "%rd1; setp.eq.u32 %p1, %i, 0; mov.u32 %r2, %ctaid.x; @%p1 st.global.u32 [%rd1], %r2;");
  std::string late = kernel("mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd1, %r1, 320; add.u64 %rd1, %out, %rd1; "
                            "st.global.u32 [%rd1], 1;");
  for (uint64_t seed : {0, 1, 2, 7}) {
    Outcome one = onThreads(tickets, seed, 1);
    CHECK(one.report == "");
    CHECK(one.memory[2] == 24);
    CHECK(onThreads(tickets, seed, 2) == one);
    CHECK(onThreads(tickets, seed, 5) == one);
    Outcome raced = onThreads(race, seed, 1);
    CHECK(raced.report.find("data-race") != std::string::npos);
    CHECK(onThreads(race, seed, 4).report == raced.report);
    Outcome failed = onThreads(late, seed, 1);
    CHECK(failed.report.find("out-of-bounds") != std::string::npos);
    CHECK(onThreads(late, seed, 3).report == failed.report);
  }
}
