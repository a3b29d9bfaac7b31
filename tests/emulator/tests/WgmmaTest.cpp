//===- WgmmaTest.cpp - Every form of wgmma.mma_async ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedPtx.h"
#include "SharedLayout.h"
#include "TestSupport.h"
#include <bit>
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

struct WgmmaCase {
  const char *d; ///< accumulator type: f32, f16 or s32
  ElementFormat a, b;
  unsigned n, k;
  bool registersA = false, transposeA = false, transposeB = false, negateA = false, negateB = false;
  bool sparse = false, accumulate = true, saturate = false;
  unsigned selector = 0, swizzle = 0, start = 0; ///< `start`: of A, where its swizzle pattern starts
};

constexpr unsigned kStartB = 32768, kSharedBytes = 98304;

class WgmmaProblem {
public:
  explicit WgmmaProblem(const WgmmaCase &c)
      : c(c), stored(c.k / (c.sparse ? 2 : 1)), random(c.n + c.k * 3), a(64, stored), b(c.n, c.k), dense(64 * c.k),
        d(64 * c.n), shared(kSharedBytes), lanes(128, std::vector<uint32_t>(kWords)) {
    for (uint64_t &v : a.raw)
      v = randomBits(c.a, random);
    for (uint64_t &v : b.raw)
      v = randomBits(c.b, random);
    for (double &v : d)
      v = static_cast<int>(random() % 17) - 8;
    spread();
    SharedLayout la = SharedLayout::of(c.a, c.transposeA, c.swizzle, 64, stored),
                 lb = SharedLayout::of(c.b, c.transposeB, c.swizzle, c.n, c.k);
    la.place(shared, c.start, c.a, false, a, 0, 64);
    lb.place(shared, kStartB, c.b, false, b, 0, c.n);
    descriptorA = la.wgmmaDescriptor(c.start, c.start);
    descriptorB = lb.wgmmaDescriptor(kStartB);
    placeLanes();
  }

  LaunchResult run() {
    addGenerated(text());
    Run run(text());
    std::vector<uint32_t> words;
    for (auto &lane : lanes)
      words.insert(words.end(), lane.begin(), lane.end());
    run.options.dynamicShared = kSharedBytes;
    uint64_t from = run.buffer(shared, "shared"), at = run.buffer(words, "lanes");
    run.argument(from).argument(at).argument(descriptorA).argument(descriptorB);
    LaunchResult r = run.launch();
    words = run.read<uint32_t>(at, words.size());
    for (unsigned t = 0; t < 128; ++t)
      std::copy_n(words.begin() + t * kWords, kWords, lanes[t].begin());
    return r;
  }

  /// Compares every element of D with its value.
  bool correct() const {
    for (unsigned t = 0; t < 128; ++t)
      for (unsigned i = 0; i < c.n / 2; ++i) {
        auto [row, column] = placeOfD(t, i);
        uint32_t word = lanes[t][half() ? i / 2 : i];
        if ((half() ? word >> i % 2 * 16 & 0xffff : word) != encode(result(row, column)))
          return false;
      }
    return true;
  }

private:
  static constexpr unsigned kWords = 136, kWordA = 128, kWordMetadata = 132;
  bool half() const { return std::string(c.d) == "f16"; }
  bool integer() const { return std::string(c.d) == "s32"; }

  /// Element i of thread t's accumulators: warp w has rows 16w and on.
  static std::pair<unsigned, unsigned> placeOfD(unsigned t, unsigned i) {
    unsigned lane = t % 32;
    return {t / 32 * 16 + lane / 4 + i / 2 % 2 * 8, i / 4 * 8 + lane % 4 * 2 + i % 2};
  }
  uint32_t encode(double v) const {
    if (integer())
      return static_cast<uint32_t>(static_cast<int64_t>(v));
    if (!half())
      return std::bit_cast<uint32_t>(static_cast<float>(v));
    if (v == 0)
      return 0;
    int e;
    auto m = static_cast<uint32_t>(std::nearbyint(std::frexp(std::fabs(v), &e) * 2048)); // to even; carries fit
    return (v < 0 ? 0x8000u : 0) + (static_cast<uint32_t>(e + 13) << 10) + m;
  }
  double result(unsigned row, unsigned column) const {
    double sum = c.accumulate ? d[row * c.n + column] : 0, sign = c.negateA != c.negateB ? -1 : 1;
    for (unsigned k = 0; k < c.k; ++k)
      sum += sign * dense[row * c.k + k] * valueOf(c.b, b.raw[column * c.k + k]);
    return sum;
  }

  void spread() {
    unsigned chunk = c.a.bits == 32 ? 2 : 4;
    constexpr unsigned pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned n = 0; n < c.k / chunk; ++n) {
        if (!c.sparse) {
          for (unsigned e = 0; e < chunk; ++e)
            dense[row * c.k + n * chunk + e] = valueOf(c.a, a.at(row, n * chunk + e));
          continue;
        }
        const unsigned *p = pairs[random() % 6];
        unsigned bits = chunk == 4 ? p[0] | p[1] << 2 : random() % 2 ? 0b1110 : 0b0100;
        for (unsigned e = 0; e < chunk / 2; ++e)
          dense[row * c.k + n * chunk + (chunk == 4 ? p[e] : bits == 0b1110)] =
              valueOf(c.a, a.at(row, n * chunk / 2 + e));
        placeMetadata(row, n, bits);
      }
  }
  /// As mma.sp of 16 rows in each warp: figures 176, 178, 180 and 181.
  void placeMetadata(unsigned row, unsigned chunk, unsigned bits) {
    unsigned g = row % 8, upper = row % 16 / 8, first = row / 16 * 32 + g * 4;
    if (c.a.bits >= 16)
      lanes[first + c.selector * 2 + chunk / 4][kWordMetadata] |= bits << (upper * 16 + chunk % 4 * 4);
    else
      lanes[first + chunk / 8 * 2 + upper][kWordMetadata] |= bits << chunk % 8 * 4;
  }

  void placeLanes() {
    for (unsigned t = 0; t < 128; ++t) {
      for (unsigned i = 0; i < c.n / 2; ++i) {
        auto [row, column] = placeOfD(t, i);
        lanes[t][half() ? i / 2 : i] |= encode(d[row * c.n + column]) << (half() ? i % 2 * 16 : 0);
      }
      // A register has `per` neighbours along K; registers alternate rows g and g + 8.
      unsigned per = 32 / c.a.bits, lane = t % 32;
      for (unsigned r = 0; r < 4; ++r)
        for (unsigned e = 0; e < per; ++e)
          lanes[t][kWordA + r] |=
              static_cast<uint32_t>(a.at(t / 32 * 16 + lane / 4 + r % 2 * 8, r / 2 * 4 * per + lane % 4 * per + e))
              << e * c.a.bits;
    }
  }

  std::string text() const {
    unsigned registers = c.n / 2 / (half() ? 2 : 1);
    std::string list, load, store, s = std::to_string(kSharedBytes);
    for (unsigned r = 0; r < registers; ++r) {
      std::string reg = "%d" + std::to_string(r), at = "[%at+" + std::to_string(4 * r) + "]";
      list += (r ? ", " : "") + reg;
      load += "  ld.global.b32 " + reg + ", " + at + ";\n";
      store += "  st.global.b32 " + at + ", " + reg + ";\n";
    }
    bool bits = c.a.bits == 1, transposes = c.a.bits == 16;
    std::string operands = c.registersA ? "{%a0, %a1, %a2, %a3}" : "%da";
    operands += ", %db, ";
    if (c.sparse)
      operands += "%e, " + std::to_string(c.selector) + ", ";
    operands += "%p";
    if (!integer())
      operands += std::string(c.negateA ? ", -1" : ", 1") + (c.negateB ? ", -1" : ", 1");
    if (transposes)
      operands += (c.registersA ? std::string() : c.transposeA ? ", 1" : ", 0") + (c.transposeB ? ", 1" : ", 0");
    std::string mma = "wgmma.mma_async" + std::string(c.sparse ? ".sp" : "") + ".sync.aligned.m64n" +
                      std::to_string(c.n) + "k" + std::to_string(c.k) + (c.saturate ? ".satfinite" : "") + "." + c.d +
                      "." + c.a.name + "." + c.b.name + (bits ? ".and.popc" : "") + " {" + list + "}, " + operands +
                      ";\n";
    return ".version 8.4\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 image[];\n"
           ".visible .entry k(.param .u64 shared, .param .u64 lanes, .param .u64 pa, .param .u64 pb)\n.reqntid 128\n{\n"
           "  .reg .b64 %from, %to, %at, %off, %da, %db;\n  .reg .b32 %t, %i, %x, %w<4>, %a<4>, %e, %d<128>;\n"
           "  .reg .pred %p, %q;\n  mov.u32 %t, %tid.x;\n  ld.param.u64 %from, [shared];\n  shl.b32 %i, %t, 4;\n"
           "COPY:\n  setp.ge.u32 %q, %i, " +
           s +
           ";\n  @%q bra COPIED;\n  cvt.u64.u32 %off, %i;\n  add.u64 %to, %from, %off;\n"
           "  ld.global.v4.b32 {%w0, %w1, %w2, %w3}, [%to];\n  mov.u32 %x, image;\n  add.u32 %x, %x, %i;\n"
           "  st.shared.v4.b32 [%x], {%w0, %w1, %w2, %w3};\n  add.u32 %i, %i, 2048;\n  bra COPY;\nCOPIED:\n"
           "  fence.proxy.async;\n  bar.sync 0;\n  mov.u32 %x, image;\n  shr.u32 %x, %x, 4;\n  cvt.u64.u32 %off, %x;\n"
           "  ld.param.u64 %da, [pa];\n  ld.param.u64 %db, [pb];\n  add.u64 %da, %da, %off;\n  add.u64 %db, %db, "
           "%off;\n"
           "  ld.param.u64 %at, [lanes];\n  mad.wide.u32 %at, %t, " +
           std::to_string(4 * kWords) + ", %at;\n" + load + "  ld.global.v4.b32 {%a0, %a1, %a2, %a3}, [%at+" +
           std::to_string(4 * kWordA) + "];\n  ld.global.b32 %e, [%at+" + std::to_string(4 * kWordMetadata) +
           "];\n  setp.ne.u32 %p, " + (c.accumulate ? "1" : "0") + ", 0;\n  wgmma.fence.sync.aligned;\n  " + mma +
           "  wgmma.commit_group.sync.aligned;\n  wgmma.wait_group.sync.aligned 0;\n" + store + "  ret;\n}\n";
  }

  const WgmmaCase &c;
  unsigned stored;
  std::mt19937 random;
  RawMatrix a, b;
  std::vector<double> dense, d;
  std::vector<uint8_t> shared;
  std::vector<std::vector<uint32_t>> lanes;
  uint64_t descriptorA = 0, descriptorB = 0;
};

void check(const WgmmaCase &c) {
  INFO("n" << c.n << "k" << c.k << " " << c.d << " " << c.a.name << " " << c.b.name << " swizzle " << c.swizzle
           << (c.registersA ? " registers" : "") << (c.transposeA ? " A transposed" : "")
           << (c.transposeB ? " B transposed" : "") << (c.sparse ? " sparse" : ""));
  WgmmaProblem p(c);
  LaunchResult r = p.run();
  INFO((r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
  CHECK(p.correct());
}

const WgmmaCase kKinds[] = {
    {"f32", kF16Element, kF16Element, 64, 16},   {"f16", kF16Element, kF16Element, 32, 16},
    {"f32", kBF16Element, kBF16Element, 16, 16}, {"f32", kTF32Element, kTF32Element, 32, 8},
    {"f32", kE4M3Element, kE4M3Element, 64, 32}, {"f32", kE5M2Element, kE4M3Element, 40, 32},
    {"f16", kE4M3Element, kE5M2Element, 24, 32}, {"s32", kS8Element, kS8Element, 64, 32},
    {"s32", kU8Element, kS8Element, 24, 32},     {"s32", kU8Element, kU8Element, 48, 32},
};

} // namespace

TEST_CASE("wgmma multiplies every type, A in shared memory and in registers") {
  for (WgmmaCase c : kKinds)
    for (unsigned swizzle : {0u, 32u, 128u})
      for (bool registers : {false, true}) {
        c.swizzle = swizzle;
        c.registersA = registers;
        check(c);
      }
  for (bool registers : {false, true}) {
    WgmmaCase bits{"s32", kBitElement, kBitElement, 32, 256};
    bits.registersA = registers;
    check(bits);
  }
}

TEST_CASE("wgmma has every number of columns") {
  for (unsigned n = 8; n <= 256; n += 8)
    check({"f32", kF16Element, kF16Element, n, 16});
}

TEST_CASE("wgmma transposes, negates, starts afresh and knows base offsets") {
  for (unsigned swizzle : {0u, 32u, 64u, 128u})
    for (unsigned transposes = 1; transposes < 4; ++transposes) {
      WgmmaCase c{"f32", kBF16Element, kBF16Element, 64, 16};
      c.swizzle = swizzle;
      c.transposeA = transposes & 1;
      c.transposeB = transposes & 2;
      check(c);
    }
  for (unsigned signs = 1; signs < 4; ++signs) {
    WgmmaCase c{"f32", kE4M3Element, kE5M2Element, 16, 32};
    c.negateA = signs & 1;
    c.negateB = signs & 2;
    c.accumulate = signs == 2;
    check(c);
  }
  WgmmaCase shifted{"f32", kF16Element, kF16Element, 32, 16};
  shifted.swizzle = 128;
  shifted.start = 3 * 128;
  check(shifted);
}

TEST_CASE("wgmma.sp spreads A by its metadata") {
  for (WgmmaCase c : kKinds) {
    c.sparse = true;
    c.k *= 2;
    for (c.selector = 0; c.selector < (c.a.bits >= 16 ? 2u : 1u); ++c.selector)
      for (bool registers : {false, true}) {
        c.registersA = registers;
        check(c);
      }
  }
}

TEST_CASE("wgmma refuses what the ISA does not have") {
  for (const char *text : {
           "wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, "
           "%r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19, %r20}, %rd1, %rd2, 1;",
           "wgmma.mma_async.sync.aligned.m64n8k8.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 1, 1, 1, 0, 0;",
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 1, 1, 2, 0, 0;",
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 1, 1, 1, 0, 2;",
           "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, %r1, 2, 1, 1, 1, 0, "
           "0;",
       })
    CHECK_THROWS(runBody(kernel(text)));
}
