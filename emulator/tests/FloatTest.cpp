//===- FloatTest.cpp - f32 and f64 arithmetic, correctly rounded ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatReference.h"
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

using namespace ptxemu::testing;

namespace {

struct Named {
  const char *name;
  Operation operation;
  unsigned operands;
};
constexpr Named kArithmetic[] = {
    {"add", Operation::Add, 2}, {"sub", Operation::Sub, 2}, {"mul", Operation::Mul, 2}, {"fma", Operation::Fma, 3}};

const std::vector<Values> &tuples(unsigned bits, unsigned n) {
  static std::vector<Values> cache[2][4];
  std::vector<Values> &list = cache[bits == 64][n];
  if (list.empty()) {
    list = tuplesOf(floatValues(bits, bits == 32 ? 23 : 52), n, bits, 150, 500);
    // Operands of like magnitude, whose sums cancel and whose products stay in range.
    for (unsigned i = 0; i < 150; ++i) {
      Values v;
      for (unsigned k = 0; k < n; ++k) {
        uint64_t r = randomBits();
        v.push_back(bits == 32 ? (r & 0x83ffffff) | 0x3c000000 : (r & 0x803fffffffffffff) | 0x3fc0000000000000);
      }
      list.push_back(v);
    }
  }
  return list;
}

void checkArithmetic(const Format &f, const std::string &opcode, const Named &n, Round r, Modifiers m) {
  std::string type = ".b" + std::to_string(f.bits);
  checkFormBy(Form(opcode, {type}, std::vector<std::string>(n.operands, type)), tuples(f.bits, n.operands),
              [&](const Values &v, const Values &d) {
                return agree(
                    f, d[0],
                    arithmetic(f, n.operation, r, v[0], n.operands > 1 ? v[1] : 0, n.operands > 2 ? v[2] : 0, m));
              });
}

} // namespace

TEST_CASE("f32 and f64 add, sub, mul, fma in every rounding, with ftz and saturation") {
  for (const Named &n : kArithmetic) {
    for (Round r : kDirections) {
      for (bool ftz : {false, true})
        for (bool sat : {false, true}) {
          std::string modifiers = std::string(suffix(r)) + (ftz ? ".ftz" : "") + (sat ? ".sat" : "");
          checkArithmetic(kF32, n.name + modifiers + ".f32", n, r, {ftz, sat});
          if (n.operation == Operation::Fma)
            checkArithmetic(kF32, "mad" + modifiers + ".f32", n, r, {ftz, sat});
        }
      checkArithmetic(kF64, n.name + std::string(suffix(r)) + ".f64", n, r, {});
      if (n.operation == Operation::Fma)
        checkArithmetic(kF64, "mad" + std::string(suffix(r)) + ".f64", n, r, {});
    }
    if (n.operation == Operation::Fma)
      continue; // needs its rounding
    checkArithmetic(kF64, n.name + std::string(".f64"), n, Round::Nearest, {});
    for (bool ftz : {false, true})
      for (bool sat : {false, true})
        checkArithmetic(kF32, n.name + std::string(ftz ? ".ftz" : "") + (sat ? ".sat" : "") + ".f32", n, Round::Nearest,
                        {ftz, sat});
  }
}

TEST_CASE("f32 and f64 div, rcp, sqrt in every rounding") {
  const Named div{"div", Operation::Div, 2}, sqrt{"sqrt", Operation::Sqrt, 1};
  for (Round r : kDirections) {
    std::string direction = suffix(r);
    for (bool ftz : {false, true}) {
      std::string modifiers = direction + (ftz ? ".ftz" : "") + ".f32";
      checkArithmetic(kF32, "div" + modifiers, div, r, {ftz, false});
      checkArithmetic(kF32, "sqrt" + modifiers, sqrt, r, {ftz, false});
      checkFormBy(Form("rcp" + modifiers, {".b32"}, {".b32"}), tuples(32, 1), [&](const Values &v, const Values &d) {
        return agree(kF32, d[0], arithmetic(kF32, Operation::Div, r, 0x3f800000, v[0], 0, {ftz, false}));
      });
    }
    checkArithmetic(kF64, "div" + direction + ".f64", div, r, {});
    checkArithmetic(kF64, "sqrt" + direction + ".f64", sqrt, r, {});
    checkFormBy(Form("rcp" + direction + ".f64", {".b64"}, {".b64"}), tuples(64, 1),
                [&](const Values &v, const Values &d) {
                  return agree(kF64, d[0], arithmetic(kF64, Operation::Div, r, 0x3ff0000000000000, v[0], 0, {}));
                });
  }
}

TEST_CASE("pairs of f32 in a 64-bit register") {
  std::vector<Values> pairs;
  for (const Values &low : tuples(32, 3)) {
    const Values &high = tuples(32, 3)[randomBits() % tuples(32, 3).size()];
    pairs.push_back({high[0] << 32 | low[0], high[1] << 32 | low[1], high[2] << 32 | low[2]});
  }
  for (const Named &n : kArithmetic)
    for (int r = -1; r < 4; ++r)
      for (bool ftz : {false, true}) {
        if (r < 0 && n.operation == Operation::Fma)
          continue;
        Round direction = r < 0 ? Round::Nearest : kDirections[r];
        std::string opcode = n.name + std::string(r < 0 ? "" : suffix(direction)) + (ftz ? ".ftz" : "") + ".f32x2";
        checkForm(Form(opcode, {".b64"}, std::vector<std::string>(n.operands, ".b64")), pairs, [&](const Values &v) {
          auto half = [&](unsigned shift) {
            auto part = [&](unsigned i) { return v[i] >> shift & 0xffffffff; };
            return arithmetic(kF32, n.operation, direction, part(0), part(1), part(2), {ftz, false});
          };
          return Values{half(32) << 32 | half(0)};
        });
      }
}

TEST_CASE("f32 and f64 min, max, abs, neg") {
  for (bool isMax : {false, true})
    for (int variant = 0; variant < 12; ++variant) {
      Extremum e{isMax, (variant & 1) != 0, (variant & 2) != 0, variant >= 4 && variant < 8, variant >= 8};
      unsigned n = e.absolute ? 3 : 2; // .abs alone belongs to the form with three operands
      std::string opcode = std::string(isMax ? "max" : "min") + (e.ftz ? ".ftz" : "") + (e.nan ? ".NaN" : "") +
                           (e.xorSign    ? ".xorsign.abs"
                            : e.absolute ? ".abs"
                                         : "") +
                           ".f32";
      for (unsigned operands = n; operands <= (e.xorSign ? 2u : 3u); ++operands)
        checkForm(Form(opcode, {".b32"}, std::vector<std::string>(operands, ".b32")), tuples(32, operands),
                  [&](const Values &v) { return Values{extremum(kF32, e, v)}; });
    }
  for (bool isMax : {false, true})
    checkFormBy(Form(isMax ? "max.f64" : "min.f64", {".b64"}, {".b64", ".b64"}), tuples(64, 2),
                [&](const Values &v, const Values &d) { return agree(kF64, d[0], extremum(kF64, {isMax}, v)); });
  for (bool isNeg : {false, true}) {
    std::string opcode = isNeg ? "neg" : "abs";
    for (const Format *f : {&kF32, &kF64})
      for (bool ftz : {false, true}) {
        if (ftz && f == &kF64)
          continue;
        std::string type = std::to_string(f->bits);
        checkFormBy(Form(opcode + (ftz ? ".ftz" : "") + ".f" + type, {".b" + type}, {".b" + type}), tuples(f->bits, 1),
                    [&](const Values &v, const Values &d) {
                      uint64_t a = ftz ? f->flush(v[0]) : v[0];
                      if (f == &kF32 && f->isNaN(a)) // as an H200 does, 2026-11-26
                        return std::string(d[0] == f->nan ? "" : "not the canonical NaN");
                      return agree(*f, d[0], isNeg ? a ^ f->signBit() : a & ~f->signBit());
                    });
      }
  }
}

TEST_CASE("copysign and testp") {
  for (const Format *f : {&kF32, &kF64}) {
    std::string bits = std::to_string(f->bits), reg = ".b" + bits;
    checkForm(Form("copysign.f" + bits, {reg}, {reg, reg}), tuples(f->bits, 2),
              [&](const Values &v) { return Values{(v[0] & f->signBit()) | (v[1] & ~f->signBit())}; });
    struct Property {
      const char *name;
      std::function<bool(uint64_t)> holds;
    };
    const Property properties[] = {
        {".finite", [&](uint64_t v) { return f->isFinite(v); }},
        {".infinite", [&](uint64_t v) { return f->isInfinite(v); }},
        {".number", [&](uint64_t v) { return !f->isNaN(v); }},
        {".notanumber", [&](uint64_t v) { return f->isNaN(v); }},
        {".normal", [&](uint64_t v) { return f->isFinite(v) && !f->isSubnormal(v); }},
        {".subnormal", [&](uint64_t v) { return f->isSubnormal(v); }},
    };
    for (const Property &p : properties)
      checkForm(Form("testp" + std::string(p.name) + ".f" + bits, {".pred"}, {reg}), tuples(f->bits, 1),
                [&](const Values &v) { return Values{p.holds(v[0]) ? 1ull : 0}; });
  }
}

//===----------------------------------------------------------------------===//
// Approximate functions: the ISA's bounds, and its tables of special values
//===----------------------------------------------------------------------===//

namespace {

using Function = long double (*)(long double);
struct Approximation {
  const char *opcode;
  Function exact;
  double low, high;          ///< where the bounds hold
  double relative, absolute; ///< the larger of the two errors is allowed
};

float toFloat(uint64_t v) {
  return std::bit_cast<float>(static_cast<uint32_t>(v));
}
uint64_t fromFloat(float v) {
  return std::bit_cast<uint32_t>(v);
}

std::string within(double got, long double exact, double relative, double absolute) {
  long double error = std::fabs(static_cast<long double>(got) - exact);
  return error <= std::max<long double>(absolute, relative * std::fabs(exact)) ? "" : "outside the bound";
}

} // namespace

TEST_CASE("approximate functions of f32") {
  constexpr double ulp = 0x1p-23;
  const Approximation functions[] = {
      {"rcp.approx", [](long double v) { return 1 / v; }, -1e30, 1e30, ulp, 0},
      {"sqrt.approx", [](long double v) { return std::sqrt(v); }, 0, 1e38, ulp, 0},
      {"rsqrt.approx", [](long double v) { return 1 / std::sqrt(v); }, 1e-37, 1e38, 0x1p-22, 0},
      {"sin.approx", [](long double v) { return std::sin(v); }, -3.1415, 3.1415, 0, 0x1p-20},
      {"cos.approx", [](long double v) { return std::cos(v); }, -3.1415, 3.1415, 0, 0x1p-20},
      {"lg2.approx", [](long double v) { return std::log2(v); }, 1e-37, 1e38, 0x1p-22, 0x1p-22},
      {"ex2.approx", [](long double v) { return std::exp2(v); }, -125, 127, 2 * ulp, 0},
      {"tanh.approx", [](long double v) { return std::tanh(v); }, -20, 20, 0x1p-11, 0},
  };
  for (const Approximation &fn : functions)
    for (bool ftz : {false, true}) {
      if (ftz && std::string(fn.opcode) == "tanh.approx")
        continue;
      std::vector<Values> points;
      for (unsigned i = 0; i <= 200; ++i)
        points.push_back({fromFloat(static_cast<float>(fn.low + (fn.high - fn.low) * i / 200))});
      for (unsigned i = 0; i < 200; ++i) // and by exponent
        if (float v = toFloat(randomBits()); v >= fn.low && v <= fn.high && std::fabs(v) > 0x1p-126f)
          points.push_back({fromFloat(v)});
      checkFormBy(Form(std::string(fn.opcode) + (ftz ? ".ftz" : "") + ".f32", {".b32"}, {".b32"}), points,
                  [&](const Values &v, const Values &d) {
                    if (toFloat(v[0]) == 0)
                      return std::string(); // among the special values
                    return within(toFloat(d[0]), fn.exact(toFloat(v[0])), fn.relative, fn.absolute);
                  });
    }
}

TEST_CASE("special values of approximate functions") {
  constexpr uint64_t inf = 0x7f800000, zero = 0, one = 0x3f800000, nan = 0x7fffffff, s = 0x80000000, least = 1;
  struct Row {
    const char *opcode;
    std::vector<std::pair<uint64_t, uint64_t>> values;
  };
  const Row rows[] = {
      {"rcp.approx.f32", {{zero, inf}, {s, inf | s}, {inf, zero}, {inf | s, s}, {nan, nan}}},
      {"rcp.approx.ftz.f32", {{least, inf}, {least | s, inf | s}, {inf, zero}}},
      {"sqrt.approx.f32", {{zero, zero}, {s, s}, {inf, inf}, {inf | s, nan}, {one | s, nan}, {nan, nan}}},
      {"sqrt.approx.ftz.f32", {{least, zero}, {least | s, s}}},
      {"rsqrt.approx.f32", {{zero, inf}, {s, inf | s}, {inf, zero}, {inf | s, nan}, {one | s, nan}, {nan, nan}}},
      {"rsqrt.approx.ftz.f32", {{least, inf}, {least | s, inf | s}}},
      {"sin.approx.f32", {{zero, zero}, {s, s}, {inf, nan}, {inf | s, nan}, {nan, nan}}},
      {"sin.approx.ftz.f32", {{least, zero}, {least | s, s}}},
      {"cos.approx.f32", {{zero, one}, {s, one}, {inf, nan}, {nan, nan}}},
      {"cos.approx.ftz.f32", {{least, one}, {least | s, one}}},
      {"lg2.approx.f32", {{zero, inf | s}, {s, inf | s}, {inf, inf}, {inf | s, nan}, {one | s, nan}, {nan, nan}}},
      {"lg2.approx.ftz.f32", {{least, inf | s}, {least | s, inf | s}}},
      {"ex2.approx.f32", {{zero, one}, {s, one}, {inf, inf}, {inf | s, zero}, {nan, nan}}},
      {"ex2.approx.ftz.f32", {{least, one}, {fromFloat(-127), zero}}},
      {"tanh.approx.f32", {{zero, zero}, {s, s}, {inf, one}, {inf | s, one | s}, {nan, nan}}},
  };
  for (const Row &row : rows) {
    std::vector<Values> points;
    for (auto [in, out] : row.values)
      points.push_back({in});
    size_t next = 0;
    checkForm(Form(row.opcode, {".b32"}, {".b32"}), points,
              [&](const Values &) { return Values{row.values[next++].second}; });
  }
}

TEST_CASE("approximate division") {
  for (const char *kind : {".approx", ".full"})
    for (bool ftz : {false, true})
      checkFormBy(Form(std::string("div") + kind + (ftz ? ".ftz" : "") + ".f32", {".b32"}, {".b32", ".b32"}),
                  tuples(32, 2), [&](const Values &v, const Values &d) -> std::string {
                    uint64_t p = ftz ? kF32.flush(v[0]) : v[0], q = ftz ? kF32.flush(v[1]) : v[1];
                    float a = toFloat(p), b = toFloat(q), magnitude = std::fabs(b);
                    bool small = kF32.isSubnormal(q), large = magnitude > 0x1p126f && std::isfinite(b);
                    if (std::string(kind) == ".approx" && large && !std::isnan(a))
                      return std::isinf(a) ? agree(kF32, d[0], kF32.nan) : toFloat(d[0]) == 0 ? "" : "not zero";
                    if (small)
                      return ""; // outside the range the bounds are given for
                    uint64_t exact = arithmetic(kF32, Operation::Div, Round::Nearest, p, q, 0, {ftz, false});
                    if (!kF32.isFinite(exact) || (exact & 0x7fffffff) < 0x01000000)
                      return kF32.isFinite(exact) ? "" : agree(kF32, d[0], exact);
                    return std::llabs(static_cast<long long>(d[0]) - static_cast<long long>(exact)) <= 2 ? ""
                                                                                                         : "over 2 ulp";
                  });
}

TEST_CASE("approximate reciprocals of f64") {
  struct Row {
    const char *opcode;
    bool root, upperWordOnly;
  };
  for (const Row &row : {Row{"rcp.approx.ftz.f64", false, true}, Row{"rsqrt.approx.ftz.f64", true, true},
                         Row{"rsqrt.approx.f64", true, false}})
    checkFormBy(
        Form(row.opcode, {".b64"}, {".b64"}), tuples(64, 1), [&](const Values &v, const Values &d) -> std::string {
          double a = std::bit_cast<double>(v[0]), got = std::bit_cast<double>(d[0]);
          if (row.upperWordOnly && d[0] & 0xffffffff)
            return "the lower word is not zero";
          if (std::isnan(a) || (row.root && a < 0 && (!row.upperWordOnly || a < -0x1p-1022)))
            return std::isnan(got) ? "" : "not a NaN";
          if (std::fabs(a) < 0x1p-1021)
            return ""; // flushed by some of them
          long double exact = row.root ? 1 / std::sqrt(static_cast<long double>(a)) : 1 / static_cast<long double>(a);
          if (std::fabs(exact) < 0x1p-1022)
            return got == 0 || row.root || std::fabs(got) < 0x1p-1021 ? "" : "not flushed";
          return within(got, exact, 0x1p-19, 0);
        });
}
