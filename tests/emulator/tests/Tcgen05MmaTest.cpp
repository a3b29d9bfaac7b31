//===- Tcgen05MmaTest.cpp - Every form of tcgen05.mma --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedPtx.h"
#include "SharedLayout.h"
#include "TensorProgram.h"
#include <bit>
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

struct MmaCase {
  const char *what, *kind;
  ElementFormat a, b;
  unsigned m, n, k;
  bool pair = false, sparse = false, weightStationary = false, tensorA = false;
  bool transposeA = false, transposeB = false, negateA = false, negateB = false;
  bool halfResult = false, accumulate = true;
  unsigned swizzle = 0;                            ///< bytes; transposed .tf32 has 128 with 32-byte atoms
  unsigned scales = 0, scaleIdA = 0, scaleIdB = 0; ///< factors a row; first bytes
  bool ue4m3 = false;
  unsigned selector = 0, scaleInput = 0;
  uint64_t zeroColumns = 0;
  bool disableLanes = false;
  const char *modifiers = "";
  unsigned lane = 0; ///< of the accumulator
};

/// Columns of tensor memory: D first, then the other operands.
constexpr unsigned kColumnA = 256, kColumnMeta = 264, kColumnScaleA = 268, kColumnScaleB = 272, kColumns = 280;

constexpr unsigned kStartB = 32768, kSharedBytes = 98304;

class MmaProblem {
public:
  explicit MmaProblem(const MmaCase &c)
      : c(c), ctas(c.pair ? 2 : 1), rows(c.m / ctas), stored(c.k / (c.sparse ? 2 : 1)), random(c.m * 7 + c.n * 3 + c.k),
        a(c.m, stored), b(c.n + shift(), c.k), dense(c.m * c.k), d(c.m * c.n) {
    program.ctas = ctas;
    program.shared.assign(ctas, std::vector<uint8_t>(kSharedBytes));
    program.tensor.assign(ctas, TensorImage(kColumns));
    for (uint64_t &v : a.raw)
      v = randomBits(c.a, random);
    for (uint64_t &v : b.raw)
      v = randomBits(c.b, random);
    spread();
    placeScales();
    placeShared();
    placeAccumulator();
    program.descriptor = descriptor();
    program.predicate = c.accumulate;
    program.instruction = instruction();
  }

  /// What tensor memory must hold afterwards.
  std::vector<TensorImage> expected() const {
    std::vector<TensorImage> images = program.tensor;
    for (unsigned row = 0; row < c.m; ++row)
      for (unsigned n = 0; n < c.n; ++n) {
        auto [cta, lane, column] = cellOfD(row, n);
        if (c.disableLanes && lane % 5 == 0)
          continue;
        images[cta].at(lane, column) = encodeResult(result(row, n));
      }
    return images;
  }

  TensorProgram program;

private:
  struct Cell {
    unsigned cta, lane, column;
  };
  unsigned shift() const { return static_cast<unsigned>(c.zeroColumns >> 56 & 63); }
  bool isF16Kind() const { return std::string(c.kind) == "f16" || std::string(c.kind) == "tf32"; }
  bool isMixed() const { return std::string(c.kind).find("f8f6f4") != std::string::npos; }
  bool isInteger() const { return std::string(c.kind) == "i8"; }

  /// The ISA's data path layouts A to G.
  unsigned blocks() const {
    if (c.weightStationary)
      return c.m == 32 ? 4 : c.m == 64 ? 2 : 1;
    return c.pair && c.m == 128 && !c.sparse ? 2 : 1;
  }
  bool halfPath() const { return (!c.weightStationary && !c.pair && c.m == 64) || (c.pair && c.m == 128 && c.sparse); }
  unsigned laneOf(unsigned row, unsigned block) const {
    return halfPath() ? c.lane + row / 16 * 32 + row % 16 : row + block * (128 / blocks());
  }
  Cell cellOfD(unsigned row, unsigned n) const {
    unsigned width = c.n / blocks();
    return {row / rows, laneOf(row % rows, n / width), n % width};
  }

  //===--- Sparsity: 4 bits of metadata say which half of a chunk is stored ---===//

  void spread() {
    if (!c.sparse) {
      for (unsigned i = 0; i < c.m * c.k; ++i)
        dense[i] = valueOf(c.a, a.raw[i]);
      return;
    }
    unsigned chunk = c.a.bits == 32 ? 2 : c.a.bits == 4 && !isMixed() ? 8 : 4;
    constexpr unsigned pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (unsigned row = 0; row < c.m; ++row)
      for (unsigned i = 0; i < c.k / chunk; ++i) {
        const unsigned *p = pairs[random() % 6];
        unsigned bits = p[0] | p[1] << 2;
        auto put = [&](unsigned position, unsigned element) {
          dense[row * c.k + i * chunk + position] = valueOf(c.a, a.at(row, i * chunk / 2 + element));
        };
        if (chunk == 2) {
          bool second = random() % 2;
          bits = second ? 0b1110 : 0b0100;
          put(second, 0);
        } else {
          for (unsigned e = 0; e < chunk / 2; ++e)
            put(chunk == 4 ? p[e] : p[e / 2] * 2 + e % 2, e);
        }
        for (unsigned block = 0; block < blocks(); ++block)
          placeMetadata(row, block, i, bits);
      }
  }

  void placeMetadata(unsigned row, unsigned block, unsigned chunk, unsigned bits) {
    TensorImage &t = program.tensor[row / rows];
    unsigned lane = laneOf(row % rows, block);
    if (!isF16Kind()) {
      t.at(lane, kColumnMeta + chunk / 8) |= bits << chunk % 8 * 4;
      return;
    }
    // 16 rows share 16 words: rows 0-7 have the lower half words; chunks 4-7 lie 8 lanes on.
    unsigned first = lane - lane % 16, r = lane % 16;
    t.at(first + r % 8 + (chunk >= 4 ? 8 : 0), kColumnMeta + c.selector) |= bits << (r >= 8 ? 16 : 0) + chunk % 4 * 4;
  }

  //===--- Scale factors ---===//

  void placeScales() {
    if (!c.scales)
      return;
    const ElementFormat &f = c.ue4m3 ? kUE4M3Element : kUE8M0Element;
    auto make = [&](unsigned count, std::vector<double> &values, auto &&place) {
      for (unsigned mn = 0; mn < count; ++mn)
        for (unsigned i = 0; i < c.scales; ++i) {
          uint64_t raw = randomBits(f, random);
          values.push_back(valueOf(f, raw));
          place(mn, i, static_cast<uint32_t>(raw));
        }
    };
    make(c.m, scaleA, [&](unsigned row, unsigned i, uint32_t raw) {
      unsigned r = row % rows;
      for (unsigned window = 0; window < 4; ++window)
        program.tensor[row / rows].at(window * 32 + r % 32, kColumnScaleA + r / 32) |= raw << (c.scaleIdA + i) * 8;
    });
    unsigned width = c.n / blocks();
    make(c.n, scaleB, [&](unsigned n, unsigned i, uint32_t raw) {
      for (unsigned cta = 0; cta < ctas; ++cta)
        for (unsigned window = 0; window < 4; ++window)
          if (blocks() == 1 || window / 2 == n / width)
            program.tensor[cta].at(window * 32 + n % width % 32, kColumnScaleB + n % width / 32) |=
                raw << (c.scaleIdB + i) * 8;
    });
  }

  //===--- Matrices in shared memory, by the ISA's canonical layouts ---===//

  void placeShared() {
    unsigned each = c.n / ctas;
    SharedLayout la = SharedLayout::of(c.a, c.transposeA, c.swizzle, rows, stored, isMixed()),
                 lb = SharedLayout::of(c.b, c.transposeB, c.swizzle, each + shift(), c.k, isMixed());
    for (unsigned cta = 0; cta < ctas; ++cta) {
      if (c.tensorA)
        placeTensorA(cta);
      else
        la.place(program.shared[cta], 0, c.a, isMixed(), a, cta * rows, rows);
      lb.place(program.shared[cta], kStartB, c.b, isMixed(), b, cta * each, each + shift());
    }
    program.a = la.tcgen05Descriptor(0);
    program.b = lb.tcgen05Descriptor(kStartB);
  }

  void placeTensorA(unsigned cta) {
    unsigned container = isMixed() ? 8 : c.a.bits, up = isMixed() && c.a.bits == 4 ? 2 : 0;
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned block = 0; block < blocks(); ++block)
        for (unsigned k = 0; k < stored; ++k)
          program.tensor[cta].at(laneOf(row, block), kColumnA + k * container / 32) |=
              static_cast<uint32_t>(a.at(cta * rows + row, k) << up) << k * container % 32;
  }

  //===--- Results ---===//

  uint32_t encodeResult(double v) const {
    if (isInteger())
      return static_cast<uint32_t>(static_cast<int64_t>(v));
    if (!c.halfResult)
      return std::bit_cast<uint32_t>(static_cast<float>(v));
    if (v == 0)
      return 0;
    int e;
    auto m = static_cast<uint32_t>(std::nearbyint(std::frexp(std::fabs(v), &e) * 2048)); // to even; carries fit
    return (v < 0 ? 0x8000u : 0) + (static_cast<uint32_t>(e + 13) << 10) + m;
  }
  void placeAccumulator() {
    for (unsigned row = 0; row < c.m; ++row)
      for (unsigned n = 0; n < c.n; ++n) {
        double v = static_cast<int>(random() % 33) - 16;
        d[row * c.n + n] = v;
        auto [cta, lane, column] = cellOfD(row, n);
        program.tensor[cta].at(lane, column) = encodeResult(v);
      }
  }
  /// Whether .ws takes column n of B as zero: runs of used and skipped columns, as the descriptor's fields say.
  bool skipped(unsigned n) const {
    uint64_t z = c.zeroColumns;
    if (!(z >> 39 & 1))
      return false;
    unsigned width = c.n / blocks(), i = n / width, skip = (z >> 40 & 255) + 1, use = (z >> 48 & 255) + 1;
    std::vector<bool> mask;
    for (bool one = z >> (32 + i) & 1; mask.size() < 2 * c.n; one = !one)
      mask.insert(mask.end(), one ? skip : use, one);
    return mask[(z >> 8 * i & 255) + n % width];
  }
  double result(unsigned row, unsigned n) const {
    double sum = c.accumulate ? std::ldexp(d[row * c.n + n], -static_cast<int>(c.scaleInput)) : 0;
    double sign = c.negateA != c.negateB ? -1 : 1;
    for (unsigned k = 0; k < c.k; ++k) {
      double v = sign * dense[row * c.k + k] * (skipped(n) ? 0 : valueOf(c.b, b.raw[(n + shift()) * c.k + k]));
      if (c.scales)
        v *= scaleA[row * c.scales + k * c.scales / c.k] * scaleB[n * c.scales + k * c.scales / c.k];
      sum += v;
    }
    return sum;
  }

  //===--- The instruction ---===//

  uint32_t descriptor() const {
    uint32_t v = (c.sparse ? 1u << 2 : 0) | c.a.code << 7 | c.b.code << 10 | uint32_t(c.negateA) << 13 |
                 uint32_t(c.negateB) << 14 | uint32_t(c.transposeA) << 15 | uint32_t(c.transposeB) << 16 |
                 c.n / 8 << 17;
    if (c.scales)
      return v | c.scaleIdB << 4 | (c.ue4m3 ? 0 : 1u << 23) | c.m / 128 << 27 | c.scaleIdA << 29;
    return v | c.selector | (isInteger() ? 2u : c.halfResult ? 0u : 1u) << 4 | c.m / 16 << 24;
  }
  std::string instruction() const {
    auto at = [](unsigned column) { return "[%d+" + std::to_string(column) + "]"; };
    std::string s;
    if (c.lane)
      s = "add.u32 %d, %d, " + std::to_string(c.lane << 16) + ";\n  ";
    if (c.disableLanes)
      s += ".reg .b32 %m<8>;\n";
    for (unsigned word = 0; c.disableLanes && word < ctas * 4; ++word) {
      uint32_t mask = 0;
      for (unsigned l = 0; l < 32; ++l)
        mask |= (word % 4 * 32 + l) % 5 == 0 ? 1u << l : 0;
      s += "  mov.b32 %m" + std::to_string(word) + ", " + std::to_string(mask) + ";\n";
    }
    s += "  tcgen05.mma" + std::string(c.weightStationary ? ".ws" : "") + (c.sparse ? ".sp" : "") +
         ".cta_group::" + std::to_string(ctas) + ".kind::" + c.kind + (c.scales ? ".block_scale" : "") + c.modifiers +
         " [%d], " + (c.tensorA ? at(kColumnA) : "%a") + ", %b, " + (c.sparse ? at(kColumnMeta) + ", " : "") +
         "%idesc, ";
    if (c.scales)
      s += at(kColumnScaleA) + ", " + at(kColumnScaleB) + ", ";
    if (c.disableLanes)
      s += c.pair ? "{%m0, %m1, %m2, %m3, %m4, %m5, %m6, %m7}, " : "{%m0, %m1, %m2, %m3}, ";
    s += "%p";
    if (c.scaleInput)
      s += ", " + std::to_string(c.scaleInput);
    if (c.zeroColumns)
      s += ", %zero";
    s += ";";
    if (c.lane)
      s += "\n  sub.u32 %d, %d, " + std::to_string(c.lane << 16) + ";";
    if (c.zeroColumns)
      s = ".reg .b64 %zero;\n  mov.b64 %zero, " + std::to_string(c.zeroColumns) + ";\n  " + s;
    return s;
  }

  const MmaCase &c;
  unsigned ctas, rows, stored;
  std::mt19937 random;
  RawMatrix a, b;
  std::vector<double> dense, d, scaleA, scaleB;
};

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
