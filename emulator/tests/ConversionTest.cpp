//===- ConversionTest.cpp - cvt between every pair of types --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatReference.h"
#include <catch2/catch.hpp>

using namespace ptxemu::testing;

namespace {

using Wide = __int128;

struct IntegerType {
  const char *name;
  unsigned bits;
  bool isSigned;

  Wide low() const { return isSigned ? -(static_cast<Wide>(1) << (bits - 1)) : 0; }
  Wide high() const { return (static_cast<Wide>(1) << (isSigned ? bits - 1 : bits)) - 1; }
  uint64_t mask() const { return bits == 64 ? ~0ull : (1ull << bits) - 1; }
  Wide read(uint64_t raw) const {
    raw &= mask();
    return isSigned && raw >> (bits - 1) ? static_cast<Wide>(raw) - (static_cast<Wide>(1) << bits) : Wide(raw);
  }
  /// In a register of that many bits: extended as the type says.
  uint64_t in(unsigned registerBits, Wide v) const {
    uint64_t extended = static_cast<uint64_t>(read(static_cast<uint64_t>(v)));
    return registerBits == 64 ? extended : extended & ((1ull << registerBits) - 1);
  }
};
constexpr IntegerType kIntegers[] = {{".u8", 8, false}, {".u16", 16, false}, {".u32", 32, false}, {".u64", 64, false},
                                     {".s8", 8, true},  {".s16", 16, true},  {".s32", 32, true},  {".s64", 64, true}};

struct FloatType {
  const char *name;
  const Format &format;
  std::string reg() const { return ".b" + std::to_string(format.bits); }
};
const FloatType kFloats[] = {{".f16", kF16}, {".bf16", kBF16}, {".f32", kF32}, {".f64", kF64}};

/// Special values and random ones of a format; of the 16-bit ones an even sample.
std::vector<Values> valuesOf(const Format &f) {
  std::vector<Values> v;
  if (f.bits == 16) {
    for (uint64_t e = 0; e < 0x10000; e += 167)
      v.push_back({e});
    for (uint64_t e : floatValues(f.bits, f.mantissaBits))
      v.push_back({e});
    return v;
  }
  v = tuplesOf(floatValues(f.bits, f.mantissaBits), 1, f.bits, 300);
  // Around the limits and ties of the integer types.
  for (int k = -2; k < 66; ++k)
    for (double around : {-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0})
      for (double sign : {1.0, -1.0}) {
        Exact x = Exact::of(sign) * (Exact::of(__builtin_ldexp(1, k)) + Exact::of(around));
        v.push_back({roundExact(f, Round::Nearest, x)});
      }
  return v;
}

/// The largest integer not above, or the one in the asked direction.
Wide roundToInteger(const Format &f, Round r, uint64_t v) {
  Exact magnitude = f.value(v & ~f.signBit());
  bool negative = v & f.signBit();
  Wide low = 0, high = static_cast<Wide>(1) << 70;
  if (magnitude.compare(Exact::integer(high)) >= 0)
    return negative ? -high : high;
  while (high - low > 1) {
    Wide middle = (low + high) / 2;
    (magnitude.compare(Exact::integer(middle)) >= 0 ? low : high) = middle;
  }
  int c = magnitude.compare((Exact::integer(low) + Exact::integer(high)).half());
  bool exact = magnitude.compare(Exact::integer(low)) == 0;
  bool up = !exact &&
            (r == Round::Nearest ? c > 0 || (c == 0 && low % 2) : r != Round::Zero && negative == (r == Round::Down));
  return (negative ? -1 : 1) * (up ? high : low);
}

const char *integerSuffix(Round r) {
  constexpr const char *names[] = {".rni", ".rzi", ".rmi", ".rpi"};
  return names[static_cast<int>(r)];
}

/// A value of one format in another. NaNs keep being NaNs.
uint64_t convert(const Format &from, const Format &to, Round r, uint64_t v, bool saturate = false) {
  uint64_t sign = v & from.signBit() ? to.signBit() : 0;
  if (from.isNaN(v))
    return to.nan ? to.nan : to.maxFinite;
  if (from.isInfinite(v))
    return sign | (saturate || !to.hasInfinity ? to.maxFinite : to.infinity());
  return roundExact(to, r, from.value(v), sign != 0, saturate);
}

/// NaN results of plain conversions have an unspecified payload.
std::string agreeOrNaN(const Format &f, uint64_t got, uint64_t expected) {
  return f.isNaN(got) && f.isNaN(expected) ? "" : agree(f, got, expected);
}

} // namespace

TEST_CASE("cvt between integers") {
  for (const IntegerType &to : kIntegers)
    for (const IntegerType &from : kIntegers)
      for (bool sat : {false, true}) {
        if (sat && to.low() <= from.low() && to.high() >= from.high())
          continue; // not in the ISA
        // Source registers may be wider than the type, and destination registers too.
        unsigned source = std::max(from.bits, 32u);
        for (unsigned target : {std::max(to.bits, 16u), std::max(to.bits, 32u), 64u})
          checkForm(Form("cvt" + std::string(sat ? ".sat" : "") + to.name + from.name, {".b" + std::to_string(target)},
                         {".b" + std::to_string(source)}),
                    tuplesOf(integerValues(source), 1, source), [&](const Values &v) {
                      Wide x = from.read(v[0]);
                      return Values{to.in(target, sat ? std::min(std::max(x, to.low()), to.high()) : x)};
                    });
      }
}

TEST_CASE("cvt from floats to integers") {
  for (const FloatType &from : kFloats) {
    const std::vector<Values> values = valuesOf(from.format);
    for (const IntegerType &to : kIntegers)
      for (Round r : kDirections)
        for (bool ftz : {false, true})
          for (bool sat : {false, true}) {
            bool brain = &from.format == &kBF16;
            if ((ftz && &from.format != &kF32) || (brain && sat))
              continue;
            unsigned target = brain ? to.bits : std::max(to.bits, 32u);
            checkForm(Form(std::string("cvt") + integerSuffix(r) + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + to.name +
                               from.name,
                           {".b" + std::to_string(target)}, {from.reg()}),
                      values, [&](const Values &v) {
                        uint64_t a = ftz ? from.format.flush(v[0]) : v[0];
                        if (from.format.isNaN(a))
                          return Values{to.in(target, from.format.bits == 64 || to.bits == 64
                                                          ? static_cast<Wide>(1) << (to.bits - 1)
                                                          : 0)};
                        if (from.format.isInfinite(a))
                          return Values{to.in(target, a & from.format.signBit() ? to.low() : to.high())};
                        Wide x = roundToInteger(from.format, r, a);
                        return Values{to.in(target, std::min(std::max(x, to.low()), to.high()))};
                      });
          }
  }
}

TEST_CASE("cvt from integers to floats") {
  for (const FloatType &to : kFloats)
    for (const IntegerType &from : kIntegers)
      for (Round r : kDirections)
        for (bool ftz : {false, true})
          for (bool sat : {false, true}) {
            bool brain = &to.format == &kBF16;
            if ((ftz && &to.format != &kF32) || (sat && brain))
              continue;
            unsigned source = brain ? from.bits : std::max(from.bits, 16u);
            std::vector<Values> tuples = tuplesOf(integerValues(source), 1, source, 100);
            for (unsigned i = 8; i < source; ++i) // ties of every format
              for (uint64_t low : {1ull, 3ull, 0x80ull, 0x180ull, 0x1000ull, 0x3000ull})
                tuples.push_back({((1ull << i) + low) & (source == 64 ? ~0ull : (1ull << source) - 1)});
            checkForm(
                Form(std::string("cvt") + suffix(r) + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + to.name + from.name,
                     {to.reg()}, {".b" + std::to_string(source)}),
                tuples, [&](const Values &v) {
                  return Values{
                      finish(to.format, roundExact(to.format, r, Exact::integer(from.read(v[0]))), {false, sat})};
                });
          }
}

TEST_CASE("cvt between floats") {
  for (const FloatType &to : kFloats)
    for (const FloatType &from : kFloats) {
      bool same = &to == &from, narrows = !same && to.format.bits <= from.format.bits;
      bool single = &to.format == &kF32 || &from.format == &kF32;
      for (int direction = narrows ? 0 : -1; direction < (same || narrows ? 4 : 0); ++direction)
        for (bool ftz : {false, true})
          for (bool sat : {false, true}) {
            if ((ftz && !single) || (sat && (&to.format == &kBF16 || &from.format == &kBF16)))
              continue;
            Round r = direction < 0 ? Round::Nearest : kDirections[direction];
            std::string opcode = std::string("cvt") +
                                 (direction < 0 ? ""
                                  : same        ? integerSuffix(r)
                                                : suffix(r)) +
                                 (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + to.name + from.name;
            checkFormBy(
                Form(opcode, {to.reg()}, {from.reg()}), valuesOf(from.format), [&](const Values &v, const Values &d) {
                  uint64_t a = ftz && &from.format == &kF32 ? kF32.flush(v[0]) : v[0], x;
                  if (same && direction >= 0 && from.format.isFinite(a)) {
                    // Every value past the mantissa's width is an integer already.
                    Wide n = roundToInteger(from.format, r, a);
                    bool huge = from.format.value(a & ~from.format.signBit()).compare(Exact::of(0x1p53)) > 0;
                    x = huge ? a : roundExact(to.format, Round::Zero, Exact::integer(n), a & from.format.signBit());
                  } else {
                    x = convert(from.format, to.format, r, a);
                  }
                  Modifiers m{ftz && &to.format == &kF32, sat};
                  return agreeOrNaN(to.format, d[0], finish(to.format, x, m));
                });
          }
    }
}

TEST_CASE("NaNs of cvt from f64 to f32 keep their sign") { // as on an H200, 2026-11-26
  for (Round r : kDirections)
    for (bool ftz : {false, true})
      checkForm(Form(std::string("cvt") + suffix(r) + (ftz ? ".ftz" : "") + ".f32.f64", {".b32"}, {".b64"}),
                {{0x7ff8000000000000}, {0xfff8000000000000}, {0xffffffffffffffe7}, {0x7ff0000000000001}},
                [&](const Values &v) { return Values{v[0] >> 63 ? 0xffffffffu : 0x7fffffffu}; });
}

TEST_CASE("cvt from f32 with relu and satfinite, alone and in pairs") {
  std::vector<Values> singles = valuesOf(kF32), pairs;
  for (uint64_t v = 0x46000000; v < 0x48000000; v += 0x7ffff) // about the largest f16
    singles.push_back({v}), singles.push_back({v | 0x80000000});
  for (size_t i = 0; i < singles.size(); ++i)
    pairs.push_back({singles[i][0], singles[randomBits() % singles.size()][0]});
  for (const FloatType &to : {kFloats[0], kFloats[1]})
    for (Round r : {Round::Nearest, Round::Zero})
      for (bool relu : {false, true})
        for (bool saturate : {false, true}) {
          std::string modifiers =
              std::string("cvt") + suffix(r) + (relu ? ".relu" : "") + (saturate ? ".satfinite" : "");
          auto one = [&](uint64_t v) {
            return finish(to.format, convert(kF32, to.format, r, v, saturate), {false, false, relu});
          };
          if (relu || saturate)
            checkForm(Form(modifiers + to.name + ".f32", {".b16"}, {".b32"}), singles,
                      [&](const Values &v) { return Values{one(v[0])}; });
          checkForm(Form(modifiers + to.name + "x2.f32", {".b32"}, {".b32", ".b32"}), pairs,
                    [&](const Values &v) { return Values{one(v[0]) << 16 | one(v[1])}; });
        }
  for (Round r : {Round::Away, Round::Nearest, Round::Zero})
    for (bool relu : {false, true})
      for (bool saturate : {false, true}) {
        if (relu && r == Round::Away)
          continue;
        checkForm(
            Form(std::string("cvt") + suffix(r) + (saturate ? ".satfinite" : "") + (relu ? ".relu" : "") + ".tf32.f32",
                 {".b32"}, {".b32"}),
            singles, [&](const Values &v) {
              if (r == Round::Away && !saturate && kF32.isNaN(v[0]) && v[0] & 0x7fe000) // as an H200 does, 2026-11-26
                return Values{v[0] & 0xffffe000};
              return Values{finish(kTF32, convert(kF32, kTF32, r, v[0], saturate), {false, false, relu}) << 13};
            });
      }
}

//===----------------------------------------------------------------------===//
// fp8, fp6, fp4 and scales
//===----------------------------------------------------------------------===//

namespace {

struct NarrowType {
  const char *name;
  const Format &format;
  unsigned spacing; ///< bits from one element to the next
  const char *pair; ///< register of two
  const char *quad; ///< of four
  bool fromHalves;  ///< cvt.….f16x2 exists
};
const NarrowType kNarrow[] = {{".e4m3", kE4M3, 8, ".b16", ".b32", true},
                              {".e5m2", kE5M2, 8, ".b16", ".b32", true},
                              {".e2m3", kE2M3, 8, ".b16", ".b32", false},
                              {".e3m2", kE3M2, 8, ".b16", ".b32", false},
                              {".e2m1", kE2M1, 4, ".b8", ".b16", true}};

/// In `f`: every value of the narrow format, the ties between neighbours, and what lies just beside both.
std::vector<uint64_t> boundaries(const Format &f, const Format &narrow) {
  std::vector<uint64_t> list = floatValues(f.bits, f.mantissaBits);
  for (uint64_t e = 0; e <= narrow.maxFinite; ++e) {
    Exact next = e < narrow.maxFinite ? narrow.value(e + 1) : narrow.value(e) + (narrow.value(e) - narrow.value(e - 1));
    for (const Exact &x : {narrow.value(e), (narrow.value(e) + next).half(), next}) {
      uint64_t v = roundExact(f, Round::Nearest, x);
      for (uint64_t near : {v, v + 1, v ? v - 1 : v})
        list.push_back(near), list.push_back(near | f.signBit());
    }
  }
  return list;
}

/// The nearest value by looking at all of them, ties to even: a second way to the same answer.
uint64_t nearestBySearch(const Format &narrow, const Exact &v) {
  uint64_t best = 0;
  for (uint64_t e = 1; e <= narrow.maxFinite; ++e) {
    Exact distance = (narrow.value(e) - v.abs()).abs(), least = (narrow.value(best) - v.abs()).abs();
    int c = distance.compare(least);
    if (c < 0 || (c == 0 && e % 2 == 0))
      best = e;
  }
  return best;
}

std::vector<Values> inPairs(const std::vector<uint64_t> &values) {
  std::vector<Values> pairs;
  for (uint64_t v : values)
    pairs.push_back({v, values[randomBits() % values.size()]});
  return pairs;
}

} // namespace

TEST_CASE("cvt to pairs of fp8, fp6 and fp4") {
  for (const NarrowType &n : kNarrow)
    for (bool relu : {false, true}) {
      std::string opcode = "cvt.rn.satfinite" + std::string(relu ? ".relu" : "") + n.name + "x2";
      auto one = [&](const Format &from, uint64_t v) -> uint64_t {
        uint64_t x = finish(n.format, convert(from, n.format, Round::Nearest, v, true), {false, false, relu});
        if (from.isFinite(v) && !(relu && v & from.signBit()))
          REQUIRE((x & ~n.format.signBit()) == nearestBySearch(n.format, from.value(v)));
        return x;
      };
      checkForm(Form(opcode + ".f32", {n.pair}, {".b32", ".b32"}), inPairs(boundaries(kF32, n.format)),
                [&](const Values &v) { return Values{one(kF32, v[0]) << n.spacing | one(kF32, v[1])}; });
      if (!n.fromHalves)
        continue;
      std::vector<Values> halves = inPairs(boundaries(kF16, n.format));
      for (Values &v : halves)
        v = {v[0] << 16 | v[1]};
      checkForm(Form(opcode + ".f16x2", {n.pair}, {".b32"}), halves,
                [&](const Values &v) { return Values{one(kF16, v[0] >> 16) << n.spacing | one(kF16, v[0] & 0xffff)}; });
    }
}

TEST_CASE("cvt from pairs of fp8, fp6 and fp4, every encoding") {
  for (const NarrowType &n : kNarrow)
    for (bool relu : {false, true}) {
      std::vector<Values> all;
      uint64_t count = 1ull << n.format.bits;
      for (uint64_t e = 0; e < count; ++e)
        all.push_back({e << n.spacing | (e * 7 + 3) % count});
      auto one = [&](uint64_t v) {
        return finish(kF16, convert(n.format, kF16, Round::Nearest, v & (count - 1)), {false, false, relu});
      };
      checkForm(Form("cvt.rn" + std::string(relu ? ".relu" : "") + ".f16x2" + n.name + "x2", {".b32"}, {n.pair}), all,
                [&](const Values &v) { return Values{one(v[0] >> n.spacing) << 16 | one(v[0])}; });
    }
}

namespace {

/// The carry out of discarded + random bits, both scaled to the distance of the neighbours.
uint64_t stochastic(const Format &f, uint64_t v, uint64_t random, unsigned randomBits, bool saturate) {
  uint64_t sign = v & 0x80000000 ? f.signBit() : 0;
  if (!kF32.isFinite(v))
    return convert(kF32, f, Round::Zero, v, saturate);
  Exact magnitude = kF32.value(v & 0x7fffffff);
  uint64_t low = roundExact(f, Round::Zero, magnitude);
  Exact below = f.value(low);
  Exact step = low < f.maxFinite ? f.value(low + 1) - below : below - f.value(low - 1);
  Exact threshold = step * Exact::integer(static_cast<Wide>(1) << randomBits);
  Exact sum =
      (magnitude - below) * Exact::integer(static_cast<Wide>(1) << randomBits) + step * Exact::integer(Wide(random));
  if (sum.compare(threshold) < 0)
    return sign | low;
  return sign | (low < f.maxFinite ? low + 1 : saturate || !f.hasInfinity ? f.maxFinite : f.infinity());
}

uint64_t reversed(uint64_t v) {
  uint64_t r = 0;
  for (unsigned i = 0; i < 16; ++i)
    r |= (v >> i & 1) << (15 - i);
  return r;
}

std::vector<Values> withRandomBits(const std::vector<uint64_t> &values, unsigned n) {
  std::vector<Values> tuples;
  for (unsigned i = 0; i < 2500; ++i) {
    Values t;
    for (unsigned k = 0; k < n; ++k)
      t.push_back(i % 3 ? values[randomBits() % values.size()] : (randomBits() & 0x81ffffff) | 0x3e000000);
    t.push_back(i % 5 == 0 ? 0 : i % 5 == 1 ? 0xffffffff : randomBits() & 0xffffffff);
    tuples.push_back(t);
  }
  return tuples;
}

} // namespace

TEST_CASE("cvt with stochastic rounding") {
  for (bool relu : {false, true}) {
    std::string positive = relu ? ".relu" : "";
    auto clamp = [&](const Format &f, uint64_t v) { return finish(f, v, {false, false, relu}); };
    for (const FloatType &to : {kFloats[0], kFloats[1]})
      for (bool saturate : {false, true}) {
        unsigned bits = &to.format == &kF16 ? 13 : 16;
        checkForm(Form("cvt.rs" + positive + (saturate ? ".satfinite" : "") + to.name + "x2.f32", {".b32"},
                       {".b32", ".b32", ".b32"}),
                  withRandomBits(floatValues(32, 23), 2), [&](const Values &v) {
                    auto one = [&](uint64_t a, uint64_t random) {
                      return clamp(to.format, stochastic(to.format, a, random & ((1u << bits) - 1), bits, saturate));
                    };
                    return Values{one(v[0], v[2] >> 16) << 16 | one(v[1], v[2])};
                  });
      }
    for (const NarrowType &n : kNarrow)
      checkForm(Form::statement("cvt.rs" + positive + ".satfinite" + n.name + "x4.f32 %d0, {%a0, %a1, %a2, %a3}, %a4;",
                                {n.quad}, {".b32", ".b32", ".b32", ".b32", ".b32"}),
                withRandomBits(boundaries(kF32, n.format), 4), [&](const Values &v) {
                  uint64_t w = v[4], low = w & 0xffff, high = w >> 16;
                  if (n.format.bits == 4) // bytes of both halves
                    low = (w >> 16 & 0xff) << 8 | (w & 0xff), high = w >> 24 << 8 | (w >> 8 & 0xff);
                  const uint64_t random[] = {reversed(high), high, reversed(low), low};
                  uint64_t d = 0;
                  for (unsigned i = 0; i < 4; ++i)
                    d = d << n.spacing | clamp(n.format, stochastic(n.format, v[i], random[i], 16, true));
                  return Values{d};
                });
  }
}

TEST_CASE("cvt of ue8m0 scales") {
  // The exponent field of the magnitude; rounding up adds one unless the value is a power of two (or the smallest).
  auto scale = [](const Format &f, uint64_t v, bool up, bool saturate) -> uint64_t {
    if (f.isNaN(v))
      return 0xff;
    uint64_t magnitude = v & ~f.signBit(), code = magnitude >> f.mantissaBits,
             fraction = magnitude & ((1ull << f.mantissaBits) - 1);
    bool aboveSmallest = magnitude > (1ull << (f.mantissaBits - 1));
    if (up && fraction && aboveSmallest && f.isFinite(v))
      ++code;
    return code == 0xff && saturate ? 0xfe : code;
  };
  std::vector<uint64_t> singles = floatValues(32, 23), brains = floatValues(16, 7);
  for (uint64_t e = 0; e < 256; ++e)
    for (uint64_t fraction : {0x0ull, 0x1ull, 0x400000ull, 0x400001ull, 0x7fffffull})
      singles.push_back(e << 23 | fraction), brains.push_back(e << 7 | fraction >> 16);
  for (bool up : {false, true})
    for (bool saturate : {false, true}) {
      std::string opcode = std::string("cvt") + (up ? ".rp" : ".rz") + (saturate ? ".satfinite" : "") + ".ue8m0x2";
      checkForm(Form(opcode + ".f32", {".b16"}, {".b32", ".b32"}), inPairs(singles), [&](const Values &v) {
        return Values{scale(kF32, v[0], up, saturate) << 8 | scale(kF32, v[1], up, saturate)};
      });
      std::vector<Values> packed = inPairs(brains);
      for (Values &v : packed)
        v = {v[0] << 16 | v[1]};
      checkForm(Form(opcode + ".bf16x2", {".b16"}, {".b32"}), packed, [&](const Values &v) {
        return Values{scale(kBF16, v[0] >> 16, up, saturate) << 8 | scale(kBF16, v[0] & 0xffff, up, saturate)};
      });
    }
  std::vector<Values> all;
  for (uint64_t e = 0; e < 256; ++e)
    all.push_back({e << 8 | (255 - e)});
  checkForm(Form("cvt.rn.bf16x2.ue8m0x2", {".b32"}, {".b16"}), all, [](const Values &v) {
    auto one = [](uint64_t e) -> uint64_t { return e == 0xff ? 0x7fff : e ? e << 7 : 0x40; };
    return Values{one(v[0] >> 8) << 16 | one(v[0] & 0xff)};
  });
}

TEST_CASE("cvt.pack") {
  constexpr IntegerType s32{".s32", 32, true};
  for (const IntegerType &t : {IntegerType{".u2", 2, false},
                               {".s2", 2, true},
                               {".u4", 4, false},
                               {".s4", 4, true},
                               {".u8", 8, false},
                               {".s8", 8, true},
                               {".u16", 16, false},
                               {".s16", 16, true}}) {
    bool third = t.bits < 16;
    checkForm(Form("cvt.pack.sat" + std::string(t.name) + ".s32" + (third ? ".b32" : ""), {".b32"},
                   std::vector<std::string>(third ? 3 : 2, ".b32")),
              tuplesOf(integerValues(32), third ? 3 : 2, 32), [&](const Values &v) {
                auto one = [&](uint64_t raw) {
                  return static_cast<uint64_t>(std::min(std::max(s32.read(raw), t.low()), t.high())) & t.mask();
                };
                uint64_t d = one(v[0]) << t.bits | one(v[1]);
                return Values{(third ? d | v[2] << (2 * t.bits) : d) & 0xffffffff};
              });
  }
}
