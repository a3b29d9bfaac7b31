//===- MemberMaskTest.cpp - Groups of lanes with masks of their own ------===//
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

/// Leaves the member mask of a tile of 16 lanes in %r1.
const std::string kTile = "setp.lt.u32 %p1, %i, 16; selp.b32 %r1, 0xffff, 0xffff0000, %p1; ";
const std::string kStore = "mad.wide.u32 %rd1, %i, 4, %out; st.global.u32 [%rd1], %r2; ";

/// What the 32 lanes stored; every schedule must agree.
std::vector<uint32_t> lanesOf(const std::string &body) {
  std::vector<uint32_t> first;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<uint32_t> out;
    LaunchResult r = runBody(kernel(body), 32, seed, 1, &out);
    INFO(body << (r.ok() ? "" : r.diagnostics[0].render()));
    REQUIRE(r.ok());
    if (seed)
      REQUIRE(out == first);
    first = out;
  }
  return first;
}

std::vector<uint32_t> eachLane(uint32_t (*f)(uint32_t lane)) {
  std::vector<uint32_t> values;
  for (uint32_t l = 0; l < 32; ++l)
    values.push_back(f(l));
  return values;
}

} // namespace

TEST_CASE("two halves of a warp exchange with masks of their own at one instruction") {
  CHECK(lanesOf(kTile + "shfl.sync.idx.b32 %r2, %i, 3, 0x100f, %r1; " + kStore) ==
        eachLane([](uint32_t l) { return l & 16 | 3; }));
  CHECK(lanesOf(kTile + "shfl.sync.bfly.b32 %r2, %i, 8, 0x101f, %r1; " + kStore) ==
        eachLane([](uint32_t l) { return l ^ 8; }));
  CHECK(lanesOf(kTile + "redux.sync.add.u32 %r2, %i, %r1; " + kStore) ==
        eachLane([](uint32_t l) { return l < 16 ? 120u : 376u; }));
  CHECK(lanesOf(kTile + "setp.gt.u32 %p2, %i, 13; vote.sync.ballot.b32 %r2, %p2, %r1; " + kStore) ==
        eachLane([](uint32_t l) { return l < 16 ? 0xc000u : 0xffff0000u; }));
  CHECK(lanesOf(kTile + "setp.gt.u32 %p2, %i, 13; vote.sync.all.pred %p3, %p2, %r1; selp.b32 %r2, 1, 0, %p3; " +
                kStore) == eachLane([](uint32_t l) { return l < 16 ? 0u : 1u; }));
  CHECK(lanesOf(kTile + "and.b32 %r3, %i, 1; match.any.sync.b32 %r2, %r3, %r1; " + kStore) ==
        eachLane([](uint32_t l) { return (l & 1 ? 0xaaaaaaaau : 0x55555555u) & (l < 16 ? 0xffffu : 0xffff0000u); }));
  CHECK(lanesOf(kTile + "elect.sync %r2|%p2, %r1; " + kStore) ==
        eachLane([](uint32_t l) { return l < 16 ? 0u : 16u; }));
}

TEST_CASE("a result may replace the register that holds the masks") {
  CHECK(lanesOf(kTile + "redux.sync.or.b32 %r1, %i, %r1; mov.u32 %r2, %r1; " + kStore) ==
        eachLane([](uint32_t l) { return l < 16 ? 15u : 31u; }));
}

TEST_CASE("a tile whose lanes are all there does not wait for the other") {
  // The upper half comes later, and only after the lower one has passed.
  CHECK(lanesOf(kTile +
                "mov.u32 %r4, %tid.y; @%p1 bra M; mov.u32 %r4, 1; shfl.sync.idx.b32 %r5, %i, 16, 0x100f, %r1;\n"
                "M: redux.sync.max.u32 %r2, %i, %r1; " +
                kStore) == eachLane([](uint32_t l) { return l < 16 ? 15u : 31u; }));
  CHECK(lanesOf(kTile +
                "and.b32 %r3, %i, 4; setp.eq.u32 %p2, %r3, 0; @%p2 bra M; add.u32 %r3, %r3, 1;\n"
                "M: redux.sync.max.u32 %r2, %r3, %r1; " +
                kStore) == eachLane([](uint32_t) { return 5u; }));
}

TEST_CASE("lanes outside the mask skip the exchange and go on") {
  CHECK(lanesOf(kTile + "mov.u32 %r2, 7; @%p1 redux.sync.max.u32 %r2, %i, 0xffff; " + kStore) ==
        eachLane([](uint32_t l) { return l < 16 ? 15u : 7u; }));
}

TEST_CASE("bar.warp.sync of two tiles at one instruction orders each of them, and not the one with the other") {
  const std::string shared = ".shared .align 4 .b8 s[128];\n";
  auto exchange = [&](const std::string &partner) {
    return kernel(kTile +
                      "mov.u32 %r3, s; mad.lo.u32 %r4, %i, 4, %r3; st.shared.u32 [%r4], %i; bar.warp.sync %r1; "
                      "xor.b32 %r5, %i, " +
                      partner + "; mad.lo.u32 %r4, %r5, 4, %r3; ld.shared.u32 %r2, [%r4]; " + kStore,
                  32, shared);
  };
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<uint32_t> out;
    CHECK(verdict(runBody(exchange("15"), 32, seed, 1, &out)) == "");
    CHECK(out == eachLane([](uint32_t l) { return l ^ 15; }));
    CHECK(verdict(runBody(exchange("16"), 32, seed)) == "data-race");
  }
}

TEST_CASE("masks that nobody completes are reported") {
  for (std::string body : {"redux.sync.add.u32 %r2, %i, %r1;", "bar.warp.sync %r1;"}) {
    // Lane 5 names itself alone, so the others of its tile lack it.
    LaunchResult r =
        runBody(kernel(kTile + "setp.eq.u32 %p2, %i, 5; @%p2 mov.u32 %r1, 32; " + body + " bar.warp.sync -1;"));
    INFO(body);
    CHECK(verdict(r) == "divergence");
  }
  CHECK(verdict(runBody(kernel("mov.u32 %r1, 1; redux.sync.add.u32 %r2, %i, %r1;"))) == "divergence");
  CHECK(verdict(runBody(kernel("mov.u32 %r1, 1; bar.warp.sync %r1;"))) == "divergence");
}
