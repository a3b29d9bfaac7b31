//===- Tcgen05MmaTest.cpp - Every form of tcgen05.mma --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedPtx.h"
#include "MmaProblem.h"
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

void check(const MmaCase &c) {
  INFO(c.what);
  MmaProblem problem(c);
  INFO(problem.program.instruction);
  addGenerated(problem.program.text());
  std::vector<TensorImage> expected = problem.expected();
  problem.program.options.seed = 3;
  LaunchResult r = problem.program.run();
  INFO((r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
  std::string difference;
  for (unsigned cta = 0; cta < expected.size(); ++cta)
    for (unsigned lane = 0; lane < 128; ++lane)
      for (unsigned column = 0; column < kColumns; ++column)
        if (uint32_t got = problem.program.tensor[cta].at(lane, column), want = expected[cta].at(lane, column);
            got != want && difference.empty())
          difference = "CTA " + std::to_string(cta) + " lane " + std::to_string(lane) + " column " +
                       std::to_string(column) + ": " + std::to_string(got) + " instead of " + std::to_string(want);
  CHECK(difference == "");
}

MmaCase with(MmaCase c, void (*change)(MmaCase &)) {
  change(c);
  return c;
}

} // namespace

TEST_CASE("tcgen05.mma multiplies every kind of element") {
  for (const MmaCase &c : {
           MmaCase{"f16", "f16", kF16Element, kF16Element, 128, 64, 16},
           MmaCase{"bf16", "f16", kBF16Element, kBF16Element, 128, 24, 16},
           MmaCase{"f16 with bf16", "f16", kF16Element, kBF16Element, 64, 8, 16},
           MmaCase{"tf32", "tf32", kTF32Element, kTF32Element, 128, 32, 8},
           MmaCase{"e4m3", "f8f6f4", kE4M3Element, kE4M3Element, 128, 32, 32},
           MmaCase{"e5m2 with e4m3", "f8f6f4", kE5M2Element, kE4M3Element, 64, 256, 32},
           MmaCase{"e2m1 with e4m3", "f8f6f4", kE2M1Element, kE4M3Element, 128, 16, 32},
           MmaCase{"e3m2 with e2m3", "f8f6f4", kE3M2Element, kE2M3Element, 128, 16, 32},
           MmaCase{"e2m3 with e2m1", "f8f6f4", kE2M3Element, kE2M1Element, 64, 48, 32},
           MmaCase{"s8", "i8", kS8Element, kS8Element, 128, 64, 32},
           MmaCase{"u8 with s8", "i8", kU8Element, kS8Element, 64, 24, 32},
       })
    check(c);
  MmaCase half{"f16 result", "f16", kF16Element, kF16Element, 128, 16, 16};
  half.halfResult = true;
  half.accumulate = false;
  check(half);
}

TEST_CASE("tcgen05.mma takes A from tensor memory") {
  for (MmaCase c : {
           MmaCase{"f16", "f16", kF16Element, kF16Element, 128, 64, 16},
           MmaCase{"tf32", "tf32", kTF32Element, kTF32Element, 64, 16, 8},
           MmaCase{"e2m1 with e5m2", "f8f6f4", kE2M1Element, kE5M2Element, 128, 16, 32},
           MmaCase{"e3m2 with e3m2", "f8f6f4", kE3M2Element, kE3M2Element, 128, 16, 32},
           MmaCase{"s8", "i8", kS8Element, kU8Element, 128, 16, 32},
       }) {
    c.tensorA = true;
    check(c);
  }
}

TEST_CASE("tcgen05.mma reads every layout of shared memory") {
  MmaCase base{"f16", "f16", kF16Element, kF16Element, 128, 128, 16},
      tf32{"tf32 transposed", "tf32", kTF32Element, kTF32Element, 128, 64, 8},
      fp8{"e4m3 transposed", "f8f6f4", kE4M3Element, kE5M2Element, 128, 128, 32};
  tf32.transposeA = tf32.transposeB = true;
  check(tf32);
  for (unsigned swizzle : {0u, 32u, 64u, 128u})
    for (unsigned transposes = 0; transposes < 4; ++transposes) {
      MmaCase c = base;
      c.swizzle = swizzle;
      c.transposeA = transposes & 1;
      c.transposeB = transposes & 2;
      check(c);
      if (transposes == 3) {
        fp8.transposeA = fp8.transposeB = true;
        fp8.swizzle = swizzle;
        check(fp8);
      }
    }
}

TEST_CASE("tcgen05.mma negates, scales the accumulator and leaves disabled lanes alone") {
  MmaCase base{"negated", "f16", kF16Element, kF16Element, 128, 32, 16};
  check(with(base, [](MmaCase &c) { c.negateA = true; }));
  check(with(base, [](MmaCase &c) { c.negateB = true; }));
  check(with(base, [](MmaCase &c) { c.negateA = c.negateB = true; }));
  check(with(base, [](MmaCase &c) { c.scaleInput = 3; }));
  check(with(base, [](MmaCase &c) { c.accumulate = false; }));
  check(with(base, [](MmaCase &c) { c.disableLanes = true; }));
  check(with(base, [](MmaCase &c) { c.m = 64, c.lane = 16; }));
  check(with(base, [](MmaCase &c) { c.m = 64, c.disableLanes = true; }));
}

TEST_CASE("tcgen05.mma.ashift takes the next row of A") {
  for (MmaCase c : {
           MmaCase{"f16", "f16", kF16Element, kF16Element, 128, 32, 16},
           MmaCase{"tf32", "tf32", kTF32Element, kTF32Element, 128, 16, 8},
           MmaCase{"e5m2", "f8f6f4", kE5M2Element, kE4M3Element, 128, 16, 32},
           MmaCase{"s8", "i8", kS8Element, kU8Element, 128, 16, 32},
       }) {
    c.tensorA = c.shiftA = true;
    check(c);
    c.disableLanes = true;
    c.modifiers = ".collector::a::discard";
    check(c);
    c.disableLanes = false;
    c.modifiers = "";
    c.m = 256;
    c.n = 64;
    c.pair = true;
    check(c);
  }
}

TEST_CASE("tcgen05.mma.sp spreads A by its metadata") {
  for (MmaCase c : {
           MmaCase{"f16", "f16", kF16Element, kF16Element, 128, 32, 32},
           MmaCase{"f16, M=64", "f16", kF16Element, kF16Element, 64, 32, 32},
           MmaCase{"tf32", "tf32", kTF32Element, kTF32Element, 128, 32, 16},
           MmaCase{"e4m3", "f8f6f4", kE4M3Element, kE5M2Element, 128, 32, 64},
           MmaCase{"e2m1, M=64", "f8f6f4", kE2M1Element, kE3M2Element, 64, 32, 64},
           MmaCase{"s8", "i8", kS8Element, kS8Element, 128, 32, 64},
       }) {
    c.sparse = true;
    check(c);
    c.tensorA = true;
    check(c);
  }
  MmaCase selected{"f16, third column", "f16", kF16Element, kF16Element, 128, 32, 32};
  selected.sparse = true;
  selected.selector = 2;
  check(selected);
}

TEST_CASE("tcgen05.mma.ws uses the data path layouts of weight-stationary multiplications") {
  for (unsigned m : {32u, 64u, 128u})
    for (bool sparse : {false, true}) {
      MmaCase c{"f16", "f16", kF16Element, kF16Element, m, 64, sparse ? 32u : 16u};
      c.weightStationary = true;
      c.sparse = sparse;
      check(c);
      c.tensorA = true;
      check(c);
      c = {"s8", "i8", kS8Element, kS8Element, m, 128, sparse ? 64u : 32u};
      c.weightStationary = true;
      c.sparse = sparse;
      check(c);
      c.modifiers = ".collector::b2::fill";
      check(c);
    }
  // Use 4 columns, skip 3; starts vary by sub-mask; B is shifted by 2.
  for (unsigned m : {32u, 64u, 128u}) {
    MmaCase c{"zero columns", "f16", kF16Element, kF16Element, m, 64, 16};
    c.weightStationary = true;
    c.zeroColumns = 0x0002'0100ull | 0x3ull << 32 | 1ull << 39 | 2ull << 40 | 3ull << 48 | 2ull << 56;
    check(c);
  }
}

TEST_CASE("tcgen05.mma scales blocks") {
  MmaCase mx8{"mxf8f6f4", "mxf8f6f4", kE4M3Element, kE5M2Element, 128, 32, 32},
      mx4{"mxf4", "mxf4", kE2M1PackedElement, kE2M1PackedElement, 128, 64, 64},
      nv4{"mxf4nvf4", "mxf4nvf4", kE2M1PackedElement, kE2M1PackedElement, 128, 128, 64};
  mx8.scales = 1;
  mx4.scales = 2;
  nv4.scales = 4;
  mx8.modifiers = ".scale_vec::1X";
  mx4.modifiers = ".scale_vec::2X";
  nv4.modifiers = ".scale_vec::4X";
  for (unsigned id = 0; id < 4; ++id) {
    mx8.scaleIdA = id;
    mx8.scaleIdB = 3 - id;
    check(mx8);
  }
  check(with(mx8, [](MmaCase &c) { c.a = kE2M1Element, c.b = kE3M2Element, c.n = 248; }));
  check(with(mx8, [](MmaCase &c) { c.a = kE2M3Element, c.tensorA = true, c.n = 8; }));
  check(with(mx8, [](MmaCase &c) { c.sparse = true, c.k = 64; }));
  check(mx4);
  check(with(mx4, [](MmaCase &c) { c.scaleIdA = 2, c.modifiers = ""; }));
  check(with(mx4, [](MmaCase &c) { c.scaleIdB = 2, c.tensorA = true, c.negateA = true; }));
  check(with(mx4, [](MmaCase &c) { c.sparse = true, c.k = 128; }));
  check(nv4);
  check(with(nv4, [](MmaCase &c) { c.ue4m3 = true, c.n = 256; }));
  check(with(nv4, [](MmaCase &c) { c.scales = 2, c.modifiers = ".scale_vec::2X"; }));
  check(with(nv4, [](MmaCase &c) { c.ue4m3 = true, c.sparse = true, c.k = 128, c.n = 40; }));
}

TEST_CASE("tcgen05.mma works on pairs of CTAs") {
  for (unsigned m : {128u, 256u})
    for (bool sparse : {false, true}) {
      MmaCase c{"f16", "f16", kF16Element, kF16Element, m, 64, sparse ? 32u : 16u};
      c.pair = true;
      c.sparse = sparse;
      check(c);
      c.tensorA = true;
      check(c);
      c.disableLanes = true;
      check(c);
    }
  MmaCase mx8{"mxf8f6f4", "mxf8f6f4", kE4M3Element, kE2M1Element, 256, 96, 32},
      nv4{"mxf4nvf4", "mxf4nvf4", kE2M1PackedElement, kE2M1PackedElement, 256, 256, 64};
  mx8.pair = nv4.pair = true;
  mx8.scales = 1;
  mx8.modifiers = ".scale_vec::1X";
  nv4.scales = 4;
  nv4.ue4m3 = true;
  nv4.modifiers = ".scale_vec::4X";
  check(mx8);
  check(nv4);
  mx8.m = nv4.m = 128;
  check(mx8);
  check(nv4);
}

namespace {

struct Mistake {
  const char *what, *kind;
  void (*make)(TensorProgram &);
};

/// Runs the program with a mistake made in it; the kind of what is found.
std::string verdictOf(const MmaCase &c, const Mistake &mistake) {
  MmaProblem problem(c);
  mistake.make(problem.program);
  return verdict(problem.program.run());
}

void checkMistakes(const MmaCase &c, std::initializer_list<Mistake> mistakes) {
  for (const Mistake &m : mistakes) {
    INFO(m.what);
    CHECK(verdictOf(c, m) == m.kind);
  }
}

} // namespace

TEST_CASE("tcgen05.mma.ashift needs rows that are lanes") {
  MmaCase c{"f16", "f16", kF16Element, kF16Element, 64, 32, 16};
  c.tensorA = c.shiftA = true;
  checkMistakes(c, {{"M = 64", "descriptor", [](TensorProgram &) {}}});
  c.m = 128;
  checkMistakes(c, {{"no mistake", "", [](TensorProgram &) {}}});
  c.pair = true;
  checkMistakes(c, {{"M = 128 of a pair", "descriptor", [](TensorProgram &) {}}});
}

TEST_CASE("tcgen05.mma refuses descriptors the ISA forbids") {
  MmaCase f16{"f16", "f16", kF16Element, kF16Element, 128, 32, 16};
  checkMistakes(f16,
                {
                    {"no mistake", "", [](TensorProgram &) {}},
                    {"reserved bit 6", "descriptor", [](TensorProgram &p) { p.descriptor |= 1 << 6; }},
                    {"reserved bit 23", "descriptor", [](TensorProgram &p) { p.descriptor |= 1 << 23; }},
                    {"reserved bit 29", "descriptor", [](TensorProgram &p) { p.descriptor |= 1 << 29; }},
                    {"sparse", "descriptor", [](TensorProgram &p) { p.descriptor |= 1 << 2; }},
                    {"saturation", "descriptor", [](TensorProgram &p) { p.descriptor |= 1 << 3; }},
                    {"maximum shift", "descriptor", [](TensorProgram &p) { p.descriptor |= 1u << 30; }},
                    {"integer result", "descriptor", [](TensorProgram &p) { p.descriptor ^= 3 << 4; }},
                    {"type 5 of A", "descriptor", [](TensorProgram &p) { p.descriptor |= 5 << 7; }},
                    {"N = 0", "descriptor", [](TensorProgram &p) { p.descriptor &= ~(63u << 17); }},
                    {"M = 32", "descriptor", [](TensorProgram &p) { p.descriptor ^= 10u << 24; }},
                    {"M = 256", "descriptor", [](TensorProgram &p) { p.descriptor ^= 24u << 24; }},
                    {"the constant bits", "descriptor", [](TensorProgram &p) { p.a ^= 1ull << 46; }},
                    {"swizzle mode 3", "descriptor", [](TensorProgram &p) { p.b |= 3ull << 61; }},
                    {"bit 53", "descriptor", [](TensorProgram &p) { p.b |= 1ull << 53; }},
                    {"absolute leading dimension", "descriptor", [](TensorProgram &p) { p.a |= 1ull << 52; }},
                    {"base offset without swizzling", "descriptor", [](TensorProgram &p) { p.a |= 1ull << 49; }},
                    {"an address outside", "descriptor", [](TensorProgram &p) { p.a += 0x1900; }},
                    {"a transposed matrix with 32-byte atoms", "descriptor",
                     [](TensorProgram &p) { p.b |= 1ull << 61, p.descriptor |= 1 << 16; }},
                    {"the accumulator in lane 32", "descriptor",
                     [](TensorProgram &p) {
                       p.instruction = "add.u32 %d, %d, 0x200000;" + p.instruction + "sub.u32 %d, %d, 0x200000;";
                     }},
                    {"reuse of a collector that was not filled", "collector",
                     [](TensorProgram &p) { p.instruction.insert(p.instruction.find(" [%d]"), ".collector::a::use"); }},
                });
  MmaCase i8{"s8", "i8", kS8Element, kS8Element, 128, 64, 32};
  checkMistakes(i8, {{"negated integers", "descriptor", [](TensorProgram &p) { p.descriptor |= 1 << 13; }},
                     {"N = 40", "descriptor", [](TensorProgram &p) { p.descriptor ^= (8u ^ 5u) << 17; }}});
  i8.sparse = true;
  i8.k = 64;
  checkMistakes(i8, {{"a sparsity selector", "descriptor", [](TensorProgram &p) { p.descriptor |= 1; }},
                     {"metadata that repeats an index", "sparsity-metadata",
                      [](TensorProgram &p) { p.tensor[0].at(5, kColumnMeta) = 0; }}});
}

TEST_CASE("tcgen05.mma refuses scale factors the ISA forbids") {
  MmaCase mx4{"mxf4", "mxf4", kE2M1PackedElement, kE2M1PackedElement, 128, 64, 64};
  mx4.scales = 2;
  checkMistakes(mx4, {{"a data ID between half words", "descriptor", [](TensorProgram &p) { p.descriptor |= 1 << 4; }},
                      {"e4m3 factors", "descriptor", [](TensorProgram &p) { p.descriptor &= ~(1u << 23); }},
                      {"K = 96", "descriptor", [](TensorProgram &p) { p.descriptor |= 1u << 31; }},
                      {"a transposed matrix", "descriptor", [](TensorProgram &p) { p.descriptor |= 1 << 15; }},
                      {"a copy that differs", "scale-factors",
                       [](TensorProgram &p) { p.tensor[0].at(70, kColumnScaleB) ^= 1; }}});
}

TEST_CASE("tcgen05.mma's forms are checked when they are decoded") {
  auto message = [](const char *text) {
    try {
      MmaProblem problem({"f16", "f16", kF16Element, kF16Element, 128, 32, 16});
      problem.program.instruction = text;
      problem.program.run();
    } catch (const std::exception &e) {
      return std::string(e.what());
    }
    return std::string();
  };
  using Catch::Contains;
  CHECK_THAT(message("tcgen05.mma.cta_group::1.kind::f32 [%d], %a, %b, %idesc, %p;"), Contains("needs a kind"));
  CHECK_THAT(message("tcgen05.mma.ws.cta_group::2.kind::f16 [%d], %a, %b, %idesc, %p;"), Contains(".ws"));
  CHECK_THAT(message("tcgen05.mma.cta_group::1.kind::mxf4 [%d], %a, %b, %idesc, [%d], [%d], %p;"),
             Contains("block_scale"));
  CHECK_THAT(message("tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale [%d], %a, %b, %idesc, [%d], [%d], %p;"),
             Contains("scale vectors"));
  CHECK_THAT(message("tcgen05.mma.cta_group::1.kind::f16.ashift [%d], %a, %b, %idesc, %p;"), Contains(".ashift"));
  CHECK_THAT(message("tcgen05.mma.cta_group::1.kind::f16 [%d], %a, %b, %idesc, %p, 16;"), Contains("at most 15"));
  CHECK_THAT(message("tcgen05.mma.cta_group::1.kind::i8 [%d], %a, %b, %idesc, %p, 1;"), Contains("scale-input-d"));
  CHECK_THAT(message("tcgen05.mma.cta_group::1.kind::f16.collector::b0::fill [%d], %a, %b, %idesc, %p;"),
             Contains("collector"));
}
