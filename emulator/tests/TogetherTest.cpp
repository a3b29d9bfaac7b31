//===- TogetherTest.cpp - Launches of one module at the same time ---------===//
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

/// Each thread gives its neighbour a number of the launch through scratch memory of the module: 32 words from %r3 on.
const char *const kExchange = R"(
  shl.b32 %r4, %i, 2;
  add.u32 %r4, %r4, %r3;
  cvt.u64.u32 %rd1, %r4;
  mov.u64 %rd2, scratch;
  add.u64 %rd2, %rd2, %rd1;
  ld.global.u32 %r5, [%out];
  add.u32 %r5, %r5, %i;
  st.global.u32 [%rd2], %r5;
  bar.sync 0;
  xor.b32 %r6, %i, 1;
  sub.s32 %r6, %r6, %i;
  shl.b32 %r6, %r6, 2;
  cvt.s64.s32 %rd3, %r6;
  add.u64 %rd2, %rd2, %rd3;
  ld.global.u32 %r7, [%rd2];
  bar.sync 0;
  mov.u32 %r8, %ctaid.x;
  mad.lo.u32 %r8, %r8, 32, %i;
  mul.wide.u32 %rd4, %r8, 4;
  add.u64 %rd4, %out, %rd4;
  st.global.u32 [%rd4+4], %r7;
)";

/// The place is the SM's: one launch whose CTAs are on different SMs has no trouble.
std::string placeOfTheSm() {
  return kernel(std::string("mov.u32 %r1, %smid;\n  shl.b32 %r3, %r1, 7;\n") + kExchange, 32,
                ".global .align 128 .b32 scratch[4224];");
}

/// The SM has two places; a CTA claims a free one and gives it back.
std::string claimedPlace(const std::string &giveBack = "atom.release.gpu.exch.b32 %r10, [%rd10], 0;") {
  return kernel(R"(
  mov.u32 %r1, %smid;
  shl.b32 %r1, %r1, 1;
  setp.eq.u32 %p1, %i, 0;
  @!%p1 bra claimed;
  mov.u64 %rd11, claims;
  mov.u32 %r9, 0;
again:
  xor.b32 %r9, %r9, 1;
  add.u32 %r2, %r1, %r9;
  mul.wide.u32 %rd10, %r2, 4;
  add.u64 %rd10, %rd10, %rd11;
  atom.acquire.gpu.cas.b32 %r10, [%rd10], 0, 1;
  setp.ne.u32 %p2, %r10, 0;
  @%p2 bra again;
  shl.b32 %r2, %r2, 7;
  st.shared.u32 [place], %r2;
claimed:
  bar.sync 0;
  ld.shared.u32 %r3, [place];
)" + std::string(kExchange) +
                    "  @!%p1 bra given;\n  " + giveBack + "\ngiven:\n",
                32, ".global .align 128 .b32 scratch[8448];\n.global .align 4 .b32 claims[264];\n.shared .b32 place;");
}

/// Two launches (or one) of so many CTAs; "" when clean and right.
std::string exchange(const std::string &ptx, unsigned launches, uint64_t seed, bool checkRaces = true) {
  constexpr unsigned kCtas = 12;
  Run run(ptx);
  std::vector<LaunchOptions> options;
  std::vector<uint64_t> results;
  for (unsigned n = 0; n < launches; ++n) {
    std::vector<uint32_t> data(1 + 32 * kCtas);
    data[0] = 1000 * (n + 1);
    results.push_back(run.buffer(data, "out"));
    LaunchOptions one;
    one.grid = {kCtas, 1, 1};
    one.seed = seed;
    one.checkRaces = checkRaces;
    one.arguments.resize(1);
    one.arguments[0].resize(8);
    std::memcpy(one.arguments[0].data(), &results.back(), 8);
    options.push_back(one);
  }
  for (const LaunchResult &r : launchTogether(run.device, run.module, options))
    if (!r.ok())
      return verdict(r);
  for (unsigned n = 0; n < launches; ++n) {
    std::vector<uint32_t> got = run.read<uint32_t>(results[n], 1 + 32 * kCtas);
    for (unsigned i = 0; i < 32 * kCtas; ++i)
      if (got[i + 1] != 1000 * (n + 1) + (i % 32 ^ 1))
        return "wrong";
  }
  return "";
}

} // namespace

TEST_CASE("Launches that run together share the variables of their module", "[together]") {
  unsigned wrong = 0;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    INFO("seed " << seed);
    CHECK(exchange(placeOfTheSm(), 1, seed) == "");
    CHECK(exchange(placeOfTheSm(), 2, seed) == "data-race");
    wrong += exchange(placeOfTheSm(), 2, seed, /*checkRaces=*/false) == "wrong";
    CHECK(exchange(claimedPlace(), 2, seed) == "");
    CHECK(exchange(claimedPlace(), 1, seed) == "");
  }
  CHECK(wrong > 0);
}

TEST_CASE("Places that are given back without a release are a race of launches", "[together]") {
  unsigned races = 0;
  for (uint64_t seed = 0; seed < 8; ++seed)
    races += exchange(claimedPlace("atom.relaxed.gpu.exch.b32 %r10, [%rd10], 0;"), 2, seed) == "data-race";
  CHECK(races > 0);
}

TEST_CASE("Launches that run together have different arguments, grids and numbers", "[together]") {
  Run run(kernel("mov.u64 %rd1, %gridid; cvt.u32.u64 %r1, %rd1; st.global.u32 [%out], %r1;"));
  std::vector<LaunchOptions> options(2);
  std::vector<uint64_t> results;
  for (LaunchOptions &one : options) {
    results.push_back(run.buffer(std::vector<uint32_t>(1), "out"));
    one.arguments.push_back(std::vector<uint8_t>(8));
    std::memcpy(one.arguments[0].data(), &results.back(), 8);
  }
  for (const LaunchResult &r : launchTogether(run.device, run.module, options))
    CHECK(verdict(r) == "");
  CHECK(run.read<uint32_t>(results[0], 1)[0] == 1);
  CHECK(run.read<uint32_t>(results[1], 1)[0] == 2);
}

TEST_CASE("What a loop executes is counted by kind", "[profile]") {
  Run run(kernel(R"(
  mov.u32 %r1, 0;
  mov.u32 %r9, s;
  mad.lo.u32 %r9, %i, 4, %r9;
outer:
  mov.u32 %r2, 0;
inner:
  st.shared.u32 [%r9], %r2;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, 5;
  @%p1 bra inner;
  shfl.sync.idx.b32 %r3, %r2, 0, 31, 0xffffffff;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p2, %r1, 3;
  @%p2 bra outer;
)",
                 32, ".shared .align 4 .b32 s[32];"));
  run.argument(run.buffer(std::vector<uint32_t>(1), "out"));
  run.options.profileLoops = true;
  LaunchResult r = run.launch();
  REQUIRE(verdict(r) == "");
  REQUIRE(r.loops.size() == 2);
  const LoopProfile &outer = r.loops[0], &inner = r.loops[1];
  CHECK(inner.around == outer.line);
  CHECK(outer.around == 0);
  CHECK(outer.entries == 1);
  CHECK(outer.iterations == 3);
  CHECK(inner.entries == 3);
  CHECK(inner.iterations == 15);
  using Instructions = std::map<std::string, uint64_t>;
  CHECK(outer.instructions == Instructions{{"move", 3}, {"shuffle", 3}, {"other", 6}, {"branch", 3}});
  CHECK(inner.instructions == Instructions{{"shared-store", 15}, {"other", 30}, {"branch", 15}});
  run.options.profileLoops = false;
  CHECK(run.launch().loops.empty());
}
