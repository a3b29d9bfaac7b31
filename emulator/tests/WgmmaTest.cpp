//===- WgmmaTest.cpp - Every form of wgmma.mma_async ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedPtx.h"
#include "NarrowSums.h"
#include "SharedLayout.h"
#include "TestSupport.h"
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

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
  bool wide = false;                             ///< operands of all magnitudes, whose sums are not exact
};

constexpr unsigned kStartB = 32768, kSharedBytes = 98304;

class WgmmaProblem {
public:
  explicit WgmmaProblem(const WgmmaCase &c)
      : c(c), stored(c.k / (c.sparse ? 2 : 1)), random(c.n + c.k * 3), a(64, stored), b(c.n, c.k), dense(64 * c.k),
        d(64 * c.n), shared(kSharedBytes), lanes(128, std::vector<uint32_t>(kWords)) {
    for (uint64_t &v : a.raw)
      v = c.wide ? finiteByte(c.a) : randomBits(c.a, random);
    for (uint64_t &v : b.raw)
      v = c.wide ? finiteByte(c.b) : randomBits(c.b, random);
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
  /// Neither infinity nor NaN.
  uint64_t finiteByte(const ElementFormat &f) {
    const uint64_t byte = random() & 0xff, largest = std::string(f.name) == "e5m2" ? 0x7b : 0x7e;
    return (byte & 0x7f) > largest ? byte - 8 : byte;
  }
  static int exponentOf(double v, const ElementFormat &f) {
    return std::max(std::ilogb(v), std::string(f.name) == "e5m2" ? -14 : -6);
  }
  /// What an H200 was measured to do (2026-11-26): all terms cut off 13 bits below the largest exponent, and the sum 13
  /// bits below its own.
  double narrowResult(unsigned row, unsigned column) const {
    std::vector<double> terms;
    int top = -1000;
    auto take = [&](double v, int exponent) {
      if (v == 0)
        return;
      terms.push_back(v);
      top = std::max(top, exponent);
    };
    for (unsigned k = 0; k < c.k; ++k)
      if (double v = dense[row * c.k + k], w = valueOf(c.b, b.raw[column * c.k + k]); v != 0 && w != 0)
        take(c.negateA != c.negateB ? -v * w : v * w, exponentOf(v, c.a) + exponentOf(w, c.b));
    if (double v = c.accumulate ? d[row * c.n + column] : 0; v != 0)
      take(v, std::ilogb(v));
    double sum = 0;
    for (double term : terms)
      sum += std::trunc(std::ldexp(term, 13 - top));
    if (sum == 0)
      return 0;
    const int last = std::max(std::ilogb(sum) - 13, 0);
    return std::ldexp(std::trunc(std::ldexp(sum, -last)), last + top - 13);
  }
  double result(unsigned row, unsigned column) const {
    if (c.wide)
      return narrowResult(row, column);
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

TEST_CASE("wgmma cuts off sums of 8-bit floats") {
  const ElementFormat *formats[] = {&kE4M3Element, &kE5M2Element};
  for (const ElementFormat *a : formats)
    for (const ElementFormat *b : formats)
      for (bool sparse : {false, true})
        for (bool accumulate : {false, true}) {
          WgmmaCase c{"f32", *a, *b, 64, sparse ? 64u : 32u};
          c.sparse = sparse;
          c.accumulate = accumulate;
          c.negateB = sparse && accumulate;
          c.wide = true;
          check(c);
        }
}

TEST_CASE("a sum of 512 products of 8-bit floats as an H200 left it, 2026-11-26") {
  const std::string rowA =
      "26312a4620392b413036462a402036323e27313f374424292745422934322c203345412e203f3a2f223f2a30232a4445443524273e37"
      "3026243222443d4438253e32384220473228462a22282740253542282e2b2344473d37403c423b27363c3543322a2a2d394438364527"
      "352226422d45382e3141253b23382b3e2047403f263223282b2f21233d2841213e38293533473a2f2b3d2234283f3e27292d38382d36"
      "362c35333e2b2a42372b4231363629432023253d43233a203e20203140452d2c332f2d2738282526232625202f3b2a232c222b343f41"
      "3a3c41233424334637402d35232e2a232d3e473a3344462a463926422b3f252e2b22312e34433731452727352334342721273b374332"
      "45263a30312923323829412e383134233129224244463d45363542392b39402a3439392c2f37213a28363b40202c2e2f264527413635"
      "3a2343343b2c292d3f4729212820422534223a3540322e302d4725422a42282427222821203b3347364235473b372730463e3b2a2035"
      "2d2242462639293839422e353e42323944403e44243b2f23463039443b363323323f2541433f2d2c3a4722464125353f223b3b3a2f44"
      "272b30212840442f3e22402933292a443b41384525422e3d322924452a29203027233e393a363a2d43263e2320372323442e2e473026"
      "2f2b2538354447203f3b3a473b3d2a32212b28302233382b3e35";
  const std::string columnB =
      "2f3a2e343f2a2a3c2a212d27442a3947252d2921463d2f362c202f293a2d4445332b452c4736433f3a213d382d272f3d3a4526284641"
      "26403a2834293b2121232a3d2a36252f47373822273d37212a4741283c3a222d3239282c35382e2e403243383d3a35442c21253d2e3b"
      "2f382c41442d21472a2d3d2f39312e3335452f32472b2c2d393f23272430432a262245412427333438253d40442c2a3c332c293d3541"
      "3c23403e333e463a2a2045213745203a3f3e2625293126263c433e3f2c432d303b2e242e2b25302a2941292f402535282b272c2f3a3b"
      "3235423e453b22423e413435402b3b283a2a2e393c2934373e24433d3a2a24272443222f30292e3f3a313427232e2a33352f23473333"
      "372d434329323c2a2e35434123452b3b3e43433a41403940294444252539263a35452e3042372c47242a24403b293d203f4334313524"
      "3b43264546444338293a25393b3c40413331293e2e323833372a26383b2947312c273234414621382f41293a402a39293224423f243b"
      "332b4629212c352d40463d393026212b3e2a473a462939424233462d3145343d202738432e363a2c22212d253c273e2b313f43464233"
      "4223413a30283c342e393f26332f322b3d38372b2334432d44383a443e21362c31353c3a4623293e422f2a3e333137393d263a214033"
      "4027202b20422b4735274347412a42323e3043283e472c3c4326";
  static double a[16][256], b[32][256], sums[16][256];
  auto elementAt = [](const std::string &row, size_t i) {
    return valueOf(kE4M3Element, std::stoul(row.substr(2 * i, 2), nullptr, 16));
  };
  double exact = 0;
  sums[0][0] = 0;
  for (size_t step = 0; step < 16; ++step) {
    for (size_t k = 0; k < 32; ++k) {
      a[0][k] = elementAt(rowA, step * 32 + k);
      b[k][0] = elementAt(columnB, step * 32 + k);
      exact += a[0][k] * b[k][0];
    }
    addNarrow(Type::E4M3, Type::E4M3, a, b, 32, 1, sums);
  }
  CHECK(sums[0][0] == 644.9375);
  CHECK(exact == Approx(649.3613));
}

TEST_CASE("8-bit floats of which each product has a zero add up to a positive zero") {
  static double a[16][256], b[32][256], sums[16][256];
  for (size_t k = 0; k < 32; ++k) {
    a[0][k] = -2;
    b[k][0] = 0;
  }
  addNarrow(Type::E4M3, Type::E4M3, a, b, 32, 1, sums);
  CHECK(sums[0][0] == 0);
  CHECK_FALSE(std::signbit(sums[0][0]));
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
