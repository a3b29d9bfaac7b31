//===- HalfTest.cpp - f16 and bf16, scalar, packed and mixed -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatReference.h"
#include <catch2/catch.hpp>
#include <cmath>

using namespace ptxemu::testing;

namespace {

struct HalfType {
  const char *name, *packed;
  const Format &format;
  bool isBrain;
};
const HalfType kHalves[] = {{".f16", ".f16x2", kF16, false}, {".bf16", ".bf16x2", kBF16, true}};

const std::vector<Values> &tuples(const HalfType &h, unsigned n) {
  static std::vector<Values> cache[2][4];
  std::vector<Values> &list = cache[h.isBrain][n];
  if (list.empty())
    list = tuplesOf(floatValues(16, h.format.mantissaBits), n, 16, 400, 600);
  return list;
}

using Element = std::function<uint64_t(const Values &)>;

/// The scalar form, and the packed one on pairs of the same tuples.
void checkBoth(const std::string &opcode, const HalfType &h, unsigned n, const Element &expected) {
  checkForm(Form(opcode + h.name, {".b16"}, std::vector<std::string>(n, ".b16")), tuples(h, n),
            [&](const Values &v) { return Values{expected(v)}; });
  std::vector<Values> pairs;
  for (const Values &low : tuples(h, n)) {
    Values pair = tuples(h, n)[randomBits() % tuples(h, n).size()];
    for (unsigned i = 0; i < n; ++i)
      pair[i] = pair[i] << 16 | low[i];
    pairs.push_back(pair);
  }
  checkForm(Form(opcode + h.packed, {".b32"}, std::vector<std::string>(n, ".b32")), pairs, [&](const Values &v) {
    Values low, high;
    for (uint64_t x : v)
      low.push_back(x & 0xffff), high.push_back(x >> 16);
    return Values{expected(high) << 16 | expected(low)};
  });
}

double realValue(const Format &f, uint64_t v) {
  if (f.isNaN(v))
    return NAN;
  if (f.isInfinite(v))
    return v & f.signBit() ? -INFINITY : INFINITY;
  double magnitude = f.value(v).approximate();
  return magnitude == 0 && v & f.signBit() ? -0.0 : magnitude;
}

} // namespace

TEST_CASE("f16 and bf16 add, sub, mul, fma") {
  struct Named {
    const char *name;
    Operation operation;
    unsigned operands;
  };
  for (const HalfType &h : kHalves)
    for (const Named &n : {Named{"add", Operation::Add, 2}, Named{"sub", Operation::Sub, 2},
                           Named{"mul", Operation::Mul, 2}, Named{"fma", Operation::Fma, 3}})
      for (const char *rounding : {"", ".rn"})
        for (int variant = 0; variant < 6; ++variant) {
          Modifiers m{(variant & 1) != 0, variant / 2 == 1, variant / 2 == 2};
          bool isFma = n.operation == Operation::Fma;
          if ((h.isBrain && (m.ftz || m.sat)) || (m.relu && !isFma) || (isFma && !*rounding))
            continue;
          std::string opcode =
              n.name + std::string(rounding) + (m.ftz ? ".ftz" : "") + (m.sat ? ".sat" : "") + (m.relu ? ".relu" : "");
          checkBoth(opcode, h, n.operands, [&](const Values &v) {
            return arithmetic(h.format, n.operation, Round::Nearest, v[0], v[1], n.operands > 2 ? v[2] : 0, m);
          });
        }
}

TEST_CASE("fma.oob gives zero where a factor is what fills elements out of bounds") {
  for (const HalfType &h : kHalves)
    for (bool relu : {false, true})
      checkBoth(relu ? "fma.rn.oob.relu" : "fma.rn.oob", h, 3, [&](const Values &v) -> uint64_t {
        if (v[0] == 0x7fff || v[1] == 0x7fff)
          return 0;
        return arithmetic(h.format, Operation::Fma, Round::Nearest, v[0], v[1], v[2], {false, false, relu});
      });
}

TEST_CASE("f16 and bf16 min, max, abs, neg") {
  for (const HalfType &h : kHalves)
    for (int variant = 0; variant < 16; ++variant) {
      Extremum e{(variant & 1) != 0, (variant & 2) != 0, (variant & 4) != 0, (variant & 8) != 0};
      if (e.ftz && h.isBrain)
        continue;
      std::string opcode = std::string(e.isMax ? "max" : "min") + (e.ftz ? ".ftz" : "") + (e.nan ? ".NaN" : "") +
                           (e.xorSign ? ".xorsign.abs" : "");
      checkBoth(opcode, h, 2, [&](const Values &v) { return extremum(h.format, e, v); });
    }
  for (const HalfType &h : kHalves)
    for (bool ftz : {false, true})
      for (bool isNeg : {false, true}) {
        if (ftz && h.isBrain)
          continue;
        checkBoth(std::string(isNeg ? "neg" : "abs") + (ftz ? ".ftz" : ""), h, 1, [&](const Values &v) {
          uint64_t a = ftz ? h.format.flush(v[0]) : v[0];
          return isNeg ? a ^ 0x8000 : a & 0x7fff;
        });
      }
}

TEST_CASE("f16 and bf16 ex2 and tanh over every encoding") {
  struct Approximation {
    const char *opcode;
    const HalfType &half;
    bool tanh, ftz;
    double relative, absolute; ///< as the ISA states; half an ulp of the format comes on top
  };
  for (const Approximation &a : {Approximation{"ex2.approx", kHalves[0], false, false, 0x1p-9, 0x1p-24},
                                 Approximation{"ex2.approx.ftz", kHalves[1], false, true, 0x1p-7, 0},
                                 Approximation{"tanh.approx", kHalves[0], true, false, 0x1p-9, 0x1p-10},
                                 Approximation{"tanh.approx", kHalves[1], true, false, 0x1p-7, 0x1p-8}}) {
    const Format &f = a.half.format;
    std::vector<Values> all, pairs;
    for (uint64_t v = 0; v < 0x10000; v += 3)
      all.push_back({v}), pairs.push_back({v << 16 | (v ^ 0x5555)});
    auto check = [&](uint64_t in, uint64_t out) -> std::string {
      double x = realValue(f, a.ftz ? f.flush(in) : in), exact = a.tanh ? std::tanh(x) : std::exp2(x),
             got = realValue(f, out);
      if (std::isnan(exact))
        return out == f.nan ? "" : "expected the canonical NaN";
      if (std::isinf(exact) || exact > realValue(f, f.maxFinite))
        return std::isinf(got) || exact < realValue(f, f.maxFinite) * 1.01 ? "" : "expected infinity";
      if (a.ftz && exact < std::ldexp(1.0, 1 - f.bias))
        return got == 0 || exact > std::ldexp(0.99, 1 - f.bias) ? "" : "expected zero";
      return std::fabs(got - exact) <= std::max(a.absolute, a.relative * std::fabs(exact)) ? "" : "outside the bound";
    };
    checkFormBy(Form(std::string(a.opcode) + a.half.name, {".b16"}, {".b16"}), all,
                [&](const Values &v, const Values &d) { return check(v[0], d[0]); });
    checkFormBy(Form(std::string(a.opcode) + a.half.packed, {".b32"}, {".b32"}), pairs,
                [&](const Values &v, const Values &d) {
                  return check(v[0] & 0xffff, d[0] & 0xffff) + check(v[0] >> 16, d[0] >> 16);
                });
  }
}

TEST_CASE("f32 arithmetic with f16 and bf16 operands") {
  auto widen = [](const Format &f, uint64_t v) -> uint64_t {
    uint64_t sign = v & f.signBit() ? 0x80000000 : 0;
    if (f.isNaN(v))
      return 0x7fffffff;
    return f.isInfinite(v) ? sign | 0x7f800000 : roundExact(kF32, Round::Zero, f.value(v), sign != 0);
  };
  for (const HalfType &h : kHalves) {
    std::vector<uint64_t> halves = floatValues(16, h.format.mantissaBits), singles = floatValues(32, 23);
    std::vector<Values> mixed, products;
    for (uint64_t a : halves)
      for (uint64_t c : singles) {
        mixed.push_back({a, c});
        products.push_back({a, halves[randomBits() % halves.size()], c});
      }
    for (unsigned i = 0; i < 300; ++i) {
      uint64_t r = randomBits(), c = (randomBits() & 0x87ffffff) | 0x38000000;
      mixed.push_back({r & 0xffff, c});
      products.push_back({r & 0xffff, r >> 16 & 0xffff, c});
    }
    for (int r = -1; r < 4; ++r)
      for (bool sat : {false, true}) {
        Round direction = r < 0 ? Round::Nearest : kDirections[r];
        std::string modifiers = std::string(r < 0 ? "" : suffix(direction)) + (sat ? ".sat" : "") + ".f32" + h.name;
        Modifiers m{false, sat};
        for (bool subtract : {false, true})
          checkForm(Form((subtract ? "sub" : "add") + modifiers, {".b32"}, {".b16", ".b32"}), mixed,
                    [&](const Values &v) {
                      return Values{arithmetic(kF32, subtract ? Operation::Sub : Operation::Add, direction,
                                               widen(h.format, v[0]), v[1], 0, m)};
                    });
        if (r >= 0)
          checkForm(Form("fma" + modifiers, {".b32"}, {".b16", ".b16", ".b32"}), products, [&](const Values &v) {
            return Values{
                arithmetic(kF32, Operation::Fma, direction, widen(h.format, v[0]), widen(h.format, v[1]), v[2], m)};
          });
      }
  }
}
