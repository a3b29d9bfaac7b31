//===- WarpTest.cpp - Exchange within a warp, control flow, special registers -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatReference.h"
#include "GeneratedPtx.h"
#include "TestSupport.h"
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

/// Runs the form on whole warps; `expected` sees the operands of all 32 lanes.
void checkWarps(const Form &f, const std::vector<Values> &lanes,
                const std::function<Values(unsigned lane, const std::vector<Values> &)> &expected) {
  REQUIRE(lanes.size() % 32 == 0);
  std::vector<Values> results = runForm(f, lanes);
  unsigned wrong = 0;
  for (size_t w = 0; w < lanes.size(); w += 32) {
    std::vector<Values> warp(lanes.begin() + static_cast<std::ptrdiff_t>(w),
                             lanes.begin() + static_cast<std::ptrdiff_t>(w) + 32);
    for (unsigned l = 0; l < 32; ++l)
      wrong += results[w + l] != expected(l, warp);
  }
  INFO(f.text);
  CHECK(wrong == 0);
}

std::vector<Values> randomLanes(unsigned warps, unsigned operands, uint64_t mask = 0xffffffff) {
  std::vector<Values> lanes(32 * warps);
  for (Values &v : lanes)
    for (unsigned i = 0; i < operands; ++i)
      v.push_back(randomBits() & mask);
  return lanes;
}

} // namespace

TEST_CASE("shfl in every mode") {
  for (std::string mode : {"up", "down", "bfly", "idx"}) {
    std::vector<Values> lanes = randomLanes(4, 3);
    for (size_t i = 0; i < lanes.size(); ++i) {
      lanes[i][1] = i / 32 == 0 ? 1 : lanes[i][1] & 31;
      lanes[i][2] = i / 32 < 2 ? (mode == "up" ? 0 : 31) : lanes[i][2] & 0x1f1f; // whole warps, then any segments
    }
    checkWarps(Form::statement("shfl.sync." + mode + ".b32 %d0|%d1, %a0, %a1, %a2, -1;", {".b32", ".pred"},
                               {".b32", ".b32", ".b32"}),
               lanes, [&](unsigned lane, const std::vector<Values> &warp) {
                 int b = static_cast<int>(warp[lane][1] & 31), c = static_cast<int>(warp[lane][2] & 31),
                     mask = static_cast<int>(warp[lane][2] >> 8 & 31), self = static_cast<int>(lane);
                 int most = (self & mask) | (c & ~mask), least = self & mask, from;
                 bool in;
                 if (mode == "up")
                   from = self - b, in = from >= most;
                 else if (mode == "down")
                   from = self + b, in = from <= most;
                 else if (mode == "bfly")
                   from = self ^ b, in = from <= most;
                 else
                   from = least | (b & ~mask), in = from <= most;
                 return Values{warp[static_cast<size_t>(in ? from : self)][0], in};
               });
    checkWarps(Form::statement("shfl.sync." + mode + ".b32 %d0, %a0, 0, 31, -1;", {".b32"}, {".b32"}),
               randomLanes(1, 1), [&](unsigned lane, const std::vector<Values> &warp) {
                 return Values{mode == "idx" ? warp[0][0] : warp[lane][0]};
               });
  }
}

TEST_CASE("vote, match, activemask, elect") {
  std::vector<Values> lanes = randomLanes(4, 1, 1);
  for (unsigned l = 0; l < 32; ++l)
    lanes[l][0] = 1, lanes[32 + l][0] = 0;
  auto count = [](const std::vector<Values> &warp) {
    unsigned n = 0;
    for (const Values &v : warp)
      n += v[0] != 0;
    return n;
  };
  for (std::string mode : {"all", "any", "uni"})
    checkWarps(Form::statement("vote.sync." + mode + ".pred %d0, %a0, -1;", {".pred"}, {".pred"}), lanes,
               [&](unsigned, const std::vector<Values> &warp) {
                 unsigned n = count(warp);
                 return Values{mode == "all" ? n == 32 : mode == "any" ? n > 0 : n == 0 || n == 32};
               });
  checkWarps(Form::statement("vote.sync.ballot.b32 %d0, !%a0, -1;", {".b32"}, {".pred"}), lanes,
             [&](unsigned, const std::vector<Values> &warp) {
               uint64_t d = 0;
               for (unsigned l = 0; l < 32; ++l)
                 d |= static_cast<uint64_t>(warp[l][0] == 0) << l;
               return Values{d};
             });
  for (unsigned bits : {32u, 64u}) {
    std::string reg = ".b" + std::to_string(bits);
    std::vector<Values> few = randomLanes(4, 1, 3);
    for (unsigned l = 0; l < 32; ++l)
      few[l][0] = 2;
    if (bits == 64)
      for (Values &v : few)
        v[0] <<= 40;
    auto same = [](unsigned lane, const std::vector<Values> &warp) {
      uint64_t d = 0;
      for (unsigned l = 0; l < 32; ++l)
        d |= static_cast<uint64_t>(warp[l][0] == warp[lane][0]) << l;
      return d;
    };
    checkWarps(Form::statement("match.any.sync" + reg + " %d0, %a0, -1;", {".b32"}, {reg}), few,
               [&](unsigned lane, const std::vector<Values> &warp) { return Values{same(lane, warp)}; });
    checkWarps(Form::statement("match.all.sync" + reg + " %d0|%d1, %a0, -1;", {".b32", ".pred"}, {reg}), few,
               [&](unsigned lane, const std::vector<Values> &warp) {
                 bool all = same(lane, warp) == 0xffffffff;
                 return Values{all ? 0xffffffff : 0ull, all};
               });
  }
  checkWarps(Form::statement("activemask.b32 %d0;", {".b32"}, {}), randomLanes(1, 1),
             [](unsigned, const std::vector<Values> &) { return Values{0xffffffff}; });
  checkWarps(Form::statement(
                 "elect.sync %d0|%d1, -1; mov.b32 %d0, 0; selp.b32 %d0, 1, 0, %d1; redux.sync.add.u32 %d0, %d0, -1;",
                 {".b32", ".pred"}, {}),
             randomLanes(1, 1), [](unsigned lane, const std::vector<Values> &) {
               return Values{1, lane == 0};
             });
}

TEST_CASE("redux of every operation and type") {
  for (std::string op : {"add", "min", "max", "and", "or", "xor"})
    for (std::string type : {"u32", "s32", "b32"}) {
      bool logic = op == "and" || op == "or" || op == "xor";
      if (logic != (type == "b32"))
        continue;
      checkWarps(Form::statement("redux.sync." + op + "." + type + " %d0, %a0, -1;", {".b32"}, {".b32"}),
                 randomLanes(4, 1), [&](unsigned, const std::vector<Values> &warp) {
                   uint64_t d = warp[0][0], sign = type == "s32" ? 0x80000000 : 0;
                   for (unsigned l = 1; l < 32; ++l) {
                     uint64_t v = warp[l][0];
                     bool less = (v ^ sign) < (d ^ sign);
                     d = op == "add"             ? d + v
                         : op == "and"           ? d & v
                         : op == "or"            ? d | v
                         : op == "xor"           ? d ^ v
                         : (op == "min") == less ? v
                                                 : d;
                   }
                   return Values{d & 0xffffffff};
                 });
    }
  std::vector<uint64_t> special = floatValues(32, 23);
  for (bool isMax : {false, true})
    for (bool absolute : {false, true})
      for (bool nan : {false, true}) {
        std::vector<Values> lanes = randomLanes(6, 1);
        for (size_t i = 0; i < lanes.size(); ++i)
          if (i % 2 || i / 32 == 5)
            lanes[i][0] = i / 32 == 5 ? 0x7fc00001 : special[randomBits() % special.size()];
        for (unsigned l = 0; l < 64; ++l) // without NaNs
          lanes[l][0] = 0x3f800000 + (randomBits() & 0x80ffffff);
        checkWarps(Form::statement(std::string("redux.sync.") + (isMax ? "max" : "min") + (absolute ? ".abs" : "") +
                                       (nan ? ".NaN" : "") + ".f32 %d0, %a0, -1;",
                                   {".b32"}, {".b32"}),
                   lanes, [&](unsigned, const std::vector<Values> &warp) {
                     Values all;
                     for (const Values &v : warp)
                       all.push_back(v[0]);
                     return Values{extremum(kF32, {isMax, false, nan, false, absolute}, all)};
                   });
      }
}

TEST_CASE("movmatrix transposes 8 rows of 8 halves") {
  checkWarps(Form("movmatrix.sync.aligned.m8n8.trans.b16", {".b32"}, {".b32"}), randomLanes(4, 1),
             [](unsigned lane, const std::vector<Values> &warp) {
               // Lane l holds columns 2(l mod 4) and the next of row l / 4.
               auto at = [&](unsigned row, unsigned column) {
                 return warp[row * 4 + column / 2][0] >> (16 * (column % 2)) & 0xffff;
               };
               unsigned row = lane / 4, column = lane % 4 * 2;
               return Values{at(column, row) | at(column + 1, row) << 16};
             });
}

TEST_CASE("old fences order as the new ones do; brkpt and trap stop the kernel") {
  for (const char *level : {"cta", "gl", "sys"})
    checkForm(Form::statement("membar." + std::string(level) + "; mov.b32 %d0, %a0;", {".b32"}, {".b32"}), {{5}, {6}},
              [](const Values &v) { return Values{v[0]}; });
  CHECK(verdict(runBody(kernel("  brkpt;"))) == "breakpoint");
  CHECK(verdict(runBody(kernel("  trap;"))) == "trap");
}

TEST_CASE("getctarank undoes mapa, and setmaxnreg changes no value") {
  std::string ptx = R"(.version 9.0
.target sm_100a
.address_size 64
.shared .align 8 .b64 box;
.visible .entry k(.param .u64 out)
.reqntid 128
.explicitcluster
.reqnctapercluster 2, 1, 1
{
  .reg .b64 %out, %at, %g, %h;
  .reg .b32 %s, %t, %own, %theirs, %generic, %rank, %other, %thread;
  .reg .pred %p;
  ld.param.u64 %out, [out];
  setmaxnreg.dec.sync.aligned.u32 40;
  bar.sync 0;
  setmaxnreg.inc.sync.aligned.u32 232;
  mov.u32 %rank, %cluster_ctarank;
  xor.b32 %other, %rank, 1;
  mov.u32 %s, box;
  cvt.u64.u32 %g, %s;
  cvta.shared.u64 %g, %g;
  getctarank.shared::cluster.u32 %own, %s;
  mapa.shared::cluster.u32 %t, %s, %other;
  getctarank.shared::cluster.u32 %theirs, %t;
  mapa.u64 %h, %g, %other;
  getctarank.u64 %generic, %h;
  mad.lo.u32 %own, %own, 10, %theirs;
  mad.lo.u32 %own, %own, 10, %generic;
  mad.wide.u32 %at, %rank, 4, %out;
  mov.u32 %thread, %tid.x;
  setp.eq.u32 %p, %thread, 0;
  @%p st.global.u32 [%at], %own;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  ret;
}
)";
  addGenerated(ptx);
  std::vector<uint32_t> out;
  LaunchResult r = runBody(ptx, 2, 1, 2, &out);
  INFO((r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
  CHECK(out == std::vector<uint32_t>{11, 100});
}

TEST_CASE("indexed branches and indirect calls") {
  std::string ptx = R"(.version 9.0
.target sm_100a
.address_size 64
.func (.reg .b32 %r) twice(.reg .b32 %a) { add.u32 %r, %a, %a; ret; }
.func (.reg .b32 %r) square(.reg .b32 %a) { mul.lo.u32 %r, %a, %a; ret; }
.visible .entry k(.param .u64 out)
.reqntid 32
{
  .reg .b64 %out, %f, %g, %at;
  .reg .b32 %t, %i, %v;
  .reg .pred %p;
  ld.param.u64 %out, [out];
  mov.u32 %t, %tid.x;
  and.b32 %i, %t, 3;
  mov.u64 %f, twice;
  mov.u64 %g, square;
  and.b32 %v, %t, 1;
  setp.ne.u32 %p, %v, 0;
  selp.b64 %f, %f, %g, %p;
P: .callprototype (.reg .b32 _) _ (.reg .b32 _);
  call (%v), %f, (%t), P;
TABLE: .branchtargets A, B, C, D;
  brx.idx %i, TABLE;
A: add.u32 %v, %v, 1000; bra.uni OUT;
B: add.u32 %v, %v, 2000; bra OUT;
C: add.u32 %v, %v, 3000; bra OUT;
D: add.u32 %v, %v, 4000;
OUT:
  nanosleep.u32 20;
  pmevent 3;
  griddepcontrol.launch_dependents;
  griddepcontrol.wait;
  mad.wide.u32 %at, %t, 4, %out;
  st.global.u32 [%at], %v;
  exit;
}
)";
  addGenerated(ptx);
  for (uint64_t seed : {0, 1, 2, 3}) {
    std::vector<uint32_t> out;
    LaunchResult r = runBody(ptx, 32, seed, 1, &out);
    INFO((r.ok() ? "" : r.diagnostics[0].render()));
    REQUIRE(r.ok());
    for (uint32_t t = 0; t < 32; ++t)
      CHECK(out[t] == (t & 1 ? 2 * t : t * t) + 1000 * (t % 4 + 1));
  }
}

TEST_CASE("special registers") {
  struct Row {
    const char *name;
    std::function<uint32_t(uint32_t tid, uint32_t cta)> value;
  };
  const Row rows[] = {{"%tid.x", [](uint32_t t, uint32_t) { return t % 8; }},
                      {"%tid.y", [](uint32_t t, uint32_t) { return t / 8 % 4; }},
                      {"%tid.z", [](uint32_t t, uint32_t) { return t / 32; }},
                      {"%ntid.x", [](uint32_t, uint32_t) { return 8; }},
                      {"%ntid.y", [](uint32_t, uint32_t) { return 4; }},
                      {"%ntid.z", [](uint32_t, uint32_t) { return 2; }},
                      {"%ctaid.x", [](uint32_t, uint32_t c) { return c % 4; }},
                      {"%ctaid.y", [](uint32_t, uint32_t c) { return c / 4; }},
                      {"%ctaid.z", [](uint32_t, uint32_t) { return 0; }},
                      {"%nctaid.x", [](uint32_t, uint32_t) { return 4; }},
                      {"%nctaid.y", [](uint32_t, uint32_t) { return 2; }},
                      {"%laneid", [](uint32_t t, uint32_t) { return t % 32; }},
                      {"%warpid", [](uint32_t t, uint32_t) { return t / 32; }},
                      {"%nwarpid", [](uint32_t, uint32_t) { return 2; }},
                      {"%lanemask_eq", [](uint32_t t, uint32_t) { return 1u << t % 32; }},
                      {"%lanemask_lt", [](uint32_t t, uint32_t) { return (1u << t % 32) - 1; }},
                      {"%lanemask_le", [](uint32_t t, uint32_t) { return (1u << t % 32) * 2 - 1; }},
                      {"%lanemask_gt", [](uint32_t t, uint32_t) { return ~((1u << t % 32) * 2 - 1); }},
                      {"%lanemask_ge", [](uint32_t t, uint32_t) { return ~((1u << t % 32) - 1); }},
                      {"%clusterid.x", [](uint32_t, uint32_t c) { return c % 4 / 2; }},
                      {"%nclusterid.x", [](uint32_t, uint32_t) { return 2; }},
                      {"%cluster_ctaid.x", [](uint32_t, uint32_t c) { return c % 2; }},
                      {"%cluster_nctaid.x", [](uint32_t, uint32_t) { return 2; }},
                      {"%cluster_ctarank", [](uint32_t, uint32_t c) { return c % 2; }},
                      {"%cluster_nctarank", [](uint32_t, uint32_t) { return 2; }},
                      {"WARP_SZ", [](uint32_t, uint32_t) { return 32; }}};
  for (const Row &row : rows) {
    std::string ptx =
        ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 out)\n.reqntid 8, 4, 2\n"
        ".explicitcluster\n.reqnctapercluster 2, 1, 1\n{\n  .reg .b64 %out, %at;\n  .reg .b32 %i, %w, %c, %v;\n"
        "  ld.param.u64 %out, [out];\n  mov.u32 %i, %laneid;\n  mov.u32 %w, %warpid;\n  mad.lo.u32 %i, %w, 32, %i;\n"
        "  mov.u32 %w, %ctaid.x;\n  mov.u32 %c, %ctaid.y;\n  mad.lo.u32 %w, %c, 4, %w;\n  mad.lo.u32 %i, %w, 64, %i;\n"
        "  mad.wide.u32 %at, %i, 4, %out;\n  mov.u32 %v, " +
        std::string(row.name) + ";\n  st.global.u32 [%at], %v;\n  ret;\n}\n";
    addGenerated(ptx);
    Run run(ptx);
    uint64_t out = run.buffer(std::vector<uint32_t>(512));
    run.argument(out);
    run.options.grid = {4, 2, 1};
    LaunchResult r = run.launch();
    INFO(row.name << (r.ok() ? "" : r.diagnostics[0].render()));
    REQUIRE(r.ok());
    std::vector<uint32_t> got = run.read<uint32_t>(out, 512);
    for (uint32_t i = 0; i < 512; ++i)
      REQUIRE(got[i] == row.value(i % 64, i / 64));
  }
}
