//===- ArithmeticTest.cpp - Integer and floating-point arithmetic ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <bit>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

using namespace tileiras::interpreter;
using Catch::Contains;

TEST_CASE("integers wrap", "[integer]") {
  CHECK(binary("addi", "i8", "[127, -1, 100, -128]", "[1, 1, 100, -128]") == Bits{0x80, 0, 200, 0});
  CHECK(binary("addi", "i64", "[-1, 9223372036854775807]", "[1, 1]") == Bits{0, uint64_t(1) << 63});
  CHECK(binary("subi", "i16", "[0, -32768]", "[1, 1]") == Bits{0xffff, 0x7fff});
  CHECK(binary("muli", "i32", "[65536, -1]", "[65536, -1]") == Bits{0, 1});
  CHECK(binary("muli", "i64", "[-1, 4294967296]", "[-1, 4294967296]") == Bits{1, 0});
  CHECK(binary("mulhii", "i32", "[-2147483648, -1]", "[2, -1]") == Bits{1, 0xfffffffe});
  CHECK(binary("mulhii", "i64", "[-1, 2]", "[-1, 3]") == Bits{~uint64_t(1), 0});
  CHECK(unary("negi", "i8", "[-128, 1]") == Bits{0x80, 0xff});
  CHECK(unary("absi", "i8", "[-128, -5]") == Bits{0x80, 5});
  CHECK(binary("addi", "i1", "[true, true]", "[true, false]") == Bits{0, 1});
}

TEST_CASE("overflow flags are promises", "[integer]") {
  CHECK_THAT(binaryErrors("addi", "i8", "[1, 127]", "[1, 1]", "overflow<no_signed_wrap>"),
             Contains("element [1] wraps as a signed number, of 127 and 1"));
  CHECK_THAT(binaryErrors("addi", "i8", "[-1]", "[1]", "overflow<no_unsigned_wrap>"), Contains("unsigned number"));
  CHECK(binary("addi", "i8", "[-1]", "[1]", "overflow<no_signed_wrap>") == Bits{0});
  CHECK_THAT(binaryErrors("muli", "i64", "[-1]", "[-1]", "overflow<no_unsigned_wrap>"), Contains("wraps"));
  CHECK_THAT(binaryErrors("subi", "i32", "[0]", "[1]", "overflow<no_wrap>"), Contains("wraps"));
  CHECK_THAT(binaryErrors("shli", "i8", "[64]", "[1]", "overflow<no_signed_wrap>"), Contains("wraps"));
  CHECK(binary("shli", "i8", "[64]", "[1]", "overflow<no_unsigned_wrap>") == Bits{0x80});
}

TEST_CASE("division rounds as asked, and knows its limits", "[integer]") {
  const std::string a = "[7, 7, -7, -7]", b = "[3, -3, 3, -3]";
  auto bytes = [](int a, int b, int c, int d) { return Bits{uint8_t(a), uint8_t(b), uint8_t(c), uint8_t(d)}; };
  CHECK(binary("divi", "i8", a, b, "signed") == bytes(2, -2, -2, 2));
  CHECK(binary("divi", "i8", a, b, "signed rounding<negative_inf>") == bytes(2, -3, -3, 2));
  CHECK(binary("divi", "i8", a, b, "signed rounding<positive_inf>") == bytes(3, -2, -2, 3));
  CHECK(binary("divi", "i8", "[-1, 7]", "[2, 2]", "unsigned") == Bits{127, 3});
  CHECK(binary("divi", "i8", "[-1, 6]", "[2, 2]", "unsigned rounding<positive_inf>") == Bits{128, 3});
  CHECK(binary("divi", "i8", "[-1, 7]", "[2, 2]", "unsigned rounding<negative_inf>") == Bits{127, 3});
  CHECK(binary("remi", "i8", a, b, "signed") == bytes(1, 1, -1, -1));
  CHECK(binary("remi", "i8", "[-128]", "[-1]", "signed") == Bits{0});
  CHECK_THAT(binaryErrors("divi", "i32", "[1, 1]", "[1, 0]", "signed"), Contains("division by zero in element [1]"));
  CHECK_THAT(binaryErrors("remi", "i32", "[1]", "[0]", "unsigned"), Contains("division by zero"));
  CHECK_THAT(binaryErrors("divi", "i32", "[-2147483648]", "[-1]", "signed"), Contains("smallest signed number"));
}

TEST_CASE("shifts take an unsigned amount, of any size", "[integer]") {
  CHECK(binary("shli", "i8", "[1, 1, 1, 1]", "[0, 7, 8, -1]") == Bits{1, 0x80, 0, 0});
  CHECK(binary("shri", "i8", "[-128, -128, -128, 64]", "[1, 8, -1, 9]", "signed") == Bits{0xc0, 0xff, 0xff, 0});
  CHECK(binary("shri", "i8", "[-128, -128, -128, -1]", "[1, 7, 8, -1]", "unsigned") == Bits{0x40, 1, 0, 0});
  CHECK(binary("shri", "i64", "[-1, -1]", "[63, 64]", "unsigned") == Bits{1, 0});
}

TEST_CASE("signedness decides comparisons", "[integer]") {
  CHECK(binary("maxi", "i8", "[-1, 3]", "[1, 4]", "signed") == Bits{1, 4});
  CHECK(binary("maxi", "i8", "[-1, 3]", "[1, 4]", "unsigned") == Bits{0xff, 4});
  CHECK(binary("mini", "i8", "[-1, 3]", "[1, 4]", "signed") == Bits{0xff, 3});
  CHECK(binary("mini", "i8", "[-1, 3]", "[1, 4]", "unsigned") == Bits{1, 3});
  auto compare = [](const std::string &predicate, const std::string &signedness) {
    return evaluate("%a = constant <i8: [-1, 2, 1, 0]> : tile<4xi8>\n"
                    "%b = constant <i8: [1, 2, -1, 0]> : tile<4xi8>\n"
                    "%r = cmpi " +
                    predicate + " %a, %b, " + signedness + " : tile<4xi8> -> tile<4xi1>");
  };
  CHECK(compare("equal", "signed") == Bits{0, 1, 0, 1});
  CHECK(compare("not_equal", "signed") == Bits{1, 0, 1, 0});
  CHECK(compare("less_than", "signed") == Bits{1, 0, 0, 0});
  CHECK(compare("less_than", "unsigned") == Bits{0, 0, 1, 0});
  CHECK(compare("less_than_or_equal", "signed") == Bits{1, 1, 0, 1});
  CHECK(compare("greater_than", "unsigned") == Bits{1, 0, 0, 0});
  CHECK(compare("greater_than_or_equal", "signed") == Bits{0, 1, 1, 1});
}

TEST_CASE("bits", "[integer]") {
  CHECK(binary("andi", "i8", "[12]", "[10]") == Bits{8});
  CHECK(binary("ori", "i8", "[12]", "[10]") == Bits{14});
  CHECK(binary("xori", "i8", "[12]", "[10]") == Bits{6});
}

TEST_CASE("addition rounds as asked in every format", "[float]") {
  // 1 + 2^-24 lies halfway between two f32.
  const std::string a = "[1.0, -1.0]", b = "[0x33800000, 0xB3800000]";
  CHECK(binary("addf", "f32", a, b) == Bits{0x3f800000, 0xbf800000});
  CHECK(binary("addf", "f32", a, b, "rounding<zero>") == Bits{0x3f800000, 0xbf800000});
  CHECK(binary("addf", "f32", a, b, "rounding<negative_inf>") == Bits{0x3f800000, 0xbf800001});
  CHECK(binary("addf", "f32", a, b, "rounding<positive_inf>") == Bits{0x3f800001, 0xbf800000});
  CHECK(binary("addf", "f16", "[65504.0, 1.0]", "[16.0, 0x1000]") == Bits{0x7c00, 0x3c00});
  CHECK(binary("addf", "f16", "[65504.0]", "[16.0]", "rounding<zero>") == Bits{0x7bff});
  CHECK(binary("addf", "bf16", "[1.0, 1.0]", "[0x3B80, 0x3B81]") == Bits{0x3f80, 0x3f81});
  CHECK(binary("addf", "f64", "[1.0]", "[0x3CA0000000000001]") == Bits{0x3ff0000000000001});
}

TEST_CASE("special values of arithmetic", "[float]") {
  constexpr uint64_t nan = 0x7fc00000, inf = 0x7f800000, minusZero = 0x80000000;
  const std::string kInf = "0x7F800000", kMinusInf = "0xFF800000", kNaN = "0x7FC00001";
  CHECK(binary("addf", "f32", "[" + kInf + ", " + kNaN + ", -0.0, 1.0]", "[" + kMinusInf + ", 1.0, -0.0, -1.0]") ==
        Bits{nan, nan, minusZero, 0});
  CHECK(binary("addf", "f32", "[1.0]", "[-1.0]", "rounding<negative_inf>") == Bits{minusZero});
  CHECK(binary("subf", "f32", "[0.0, -0.0]", "[0.0, 0.0]") == Bits{0, minusZero});
  CHECK(binary("mulf", "f32", "[0.0, -1.0, " + kInf + ", 0.5]", "[" + kInf + ", 0.0, -2.0, 0x00000001]") ==
        Bits{nan, minusZero, 0xff800000, 0});
  CHECK(binary("divf", "f32", "[1.0, -1.0, 0.0, 1.0]", "[0.0, 0.0, 0.0, 3.0]") ==
        Bits{inf, 0xff800000, nan, 0x3eaaaaab});
  CHECK(binary("remf", "f32", "[5.5, -5.5, 1.0, 1.0]", "[2.0, 2.0, 0.0, " + kInf + "]") ==
        Bits{0x3fc00000, 0xbfc00000, nan, 0x3f800000});
  CHECK(unary("absf", "f32", "[-0.0, 0xFFC00000]") == Bits{0, 0x7fc00000});
  CHECK(unary("negf", "f16", "[0.0, 0x7E00]") == Bits{0x8000, 0xfe00});
}

TEST_CASE("subnormals are kept, or flushed on request", "[float]") {
  CHECK(binary("addf", "f32", "[0x00000001, 0x80000001]", "[0x00000001, 0.0]") == Bits{2, 0x80000001});
  CHECK(binary("addf", "f32", "[0x00000001, 0x80000001]", "[0x00000001, -0.0]", "flush_to_zero") ==
        Bits{0, 0x80000000});
  CHECK(binary("mulf", "f32", "[0x00800000, 0x80800000]", "[0.5, 0.5]", "flush_to_zero") == Bits{0, 0x80000000});
  CHECK(binary("mulf", "f32", "[0x00800000]", "[0.5]") == Bits{0x00400000});
}

TEST_CASE("approximate division gives zero for huge divisors", "[float]") {
  CHECK(binary("divf", "f32", "[1.0, -1.0, 0x7F800000, 6.0]", "[0x7F000000, 0x7F000000, 0x7F000000, 3.0]",
               "rounding<approx>") == Bits{0, 0x80000000, 0x7fc00000, 0x40000000});
}

TEST_CASE("maximum and minimum order zeros and NaN", "[float]") {
  const std::string a = "[0.0, -0.0, 0x7FC00000, 1.0]", b = "[-0.0, 0.0, 2.0, 0x7FC00000]";
  CHECK(binary("maxf", "f32", a, b) == Bits{0, 0, 0x40000000, 0x3f800000});
  CHECK(binary("minf", "f32", a, b) == Bits{0x80000000, 0x80000000, 0x40000000, 0x3f800000});
  CHECK(binary("maxf", "f32", a, b, "propagate_nan") == Bits{0, 0, 0x7fc00000, 0x7fc00000});
  CHECK(binary("minf", "bf16", "[-1.0, -2.0]", "[-2.0, 3.0]") == Bits{0xc000, 0xc000});
}

TEST_CASE("fused multiplication and addition rounds once", "[float]") {
  // (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24, which two roundings lose.
  CHECK(evaluate("%a = constant <f32: 0x3F800800> : tile<f32>\n%c = constant <f32: 0xBF801000> : tile<f32>\n"
                 "%r = fma %a, %a, %c : tile<f32>") == Bits{0x33800000});
  // f16: (1 + 2^-10)(1 - 2^-10) - 1 = -2^-20, subnormal and exact.
  CHECK(evaluate("%a = constant <f16: 0x3C01> : tile<f16>\n%b = constant <f16: 0x3BFE> : tile<f16>\n"
                 "%c = constant <f16: -1.0> : tile<f16>\n%r = fma %a, %b, %c : tile<f16>") == Bits{0x8010});
}

TEST_CASE("square roots and integral parts", "[float]") {
  CHECK(unary("sqrt", "f32", "[2.0, -0.0, -1.0, 0x7F800000]") == Bits{0x3fb504f3, 0x80000000, 0x7fc00000, 0x7f800000});
  CHECK(unary("sqrt", "f32", "[2.0, 4.0]", "rounding<positive_inf>") == Bits{0x3fb504f4, 0x40000000});
  CHECK(unary("sqrt", "f64", "[2.0]", "rounding<zero>") == Bits{0x3ff6a09e667f3bcc});
  CHECK(unary("sqrt", "f64", "[2.0]", "rounding<positive_inf>") == Bits{0x3ff6a09e667f3bcd});
  CHECK(unary("ceil", "f32", "[-0.5, 1.5, 0x7F800000, 2.0]") == Bits{0x80000000, 0x40000000, 0x7f800000, 0x40000000});
  CHECK(unary("floor", "f16", "[-0.5, 1.5]") == Bits{0xbc00, 0x3c00});
}

TEST_CASE("comparisons of floating-point numbers", "[float]") {
  auto compare = [](const std::string &predicate) {
    return evaluate("%a = constant <f32: [1.0, 0.0, 0x7FC00000, 2.0]> : tile<4xf32>\n"
                    "%b = constant <f32: [2.0, -0.0, 1.0, 1.0]> : tile<4xf32>\n"
                    "%r = cmpf " +
                    predicate + " %a, %b : tile<4xf32> -> tile<4xi1>");
  };
  CHECK(compare("equal ordered") == Bits{0, 1, 0, 0});
  CHECK(compare("equal unordered") == Bits{0, 1, 1, 0});
  CHECK(compare("not_equal ordered") == Bits{1, 0, 0, 1});
  CHECK(compare("not_equal unordered") == Bits{1, 0, 1, 1});
  CHECK(compare("less_than ordered") == Bits{1, 0, 0, 0});
  CHECK(compare("greater_than_or_equal unordered") == Bits{0, 1, 1, 1});
}

TEST_CASE("elementary functions at known points", "[math]") {
  CHECK(unary("exp2", "f32", "[0.0, 1.0, -149.0, 128.0]") == Bits{0x3f800000, 0x40000000, 1, 0x7f800000});
  CHECK(unary("exp2", "f32", "[-149.0]", "flush_to_zero") == Bits{0});
  CHECK(unary("exp", "f32", "[0.0, 1.0, 0xFF800000, 0x7FC00000]") == Bits{0x3f800000, 0x402df854, 0, 0x7fc00000});
  CHECK(unary("exp", "f64", "[1.0]") == Bits{0x4005bf0a8b145769});
  CHECK(unary("log", "f32", "[1.0, 0.0, -1.0, 0x402DF854]") == Bits{0, 0xff800000, 0x7fc00000, 0x3f7fffff});
  CHECK(unary("log2", "f16", "[8.0, 0.5]") == Bits{0x4200, 0xbc00});
  CHECK(unary("rsqrt", "f32", "[4.0, 0.0, 0x7F800000, -1.0]") == Bits{0x3f000000, 0x7f800000, 0, 0x7fc00000});
  CHECK(unary("sin", "f32", "[0.0, -0.0, 0x7F800000, 1.0]") == Bits{0, 0x80000000, 0x7fc00000, 0x3f576aa4});
  CHECK(unary("cos", "f32", "[0.0, 1.0]") == Bits{0x3f800000, 0x3f0a5140});
  CHECK(unary("tan", "f32", "[0.0, 1.0]") == Bits{0, 0x3fc75923});
  CHECK(unary("sinh", "f32", "[0.0, 1.0]") == Bits{0, 0x3f966cfe});
  CHECK(unary("cosh", "f32", "[0.0, 1.0]") == Bits{0x3f800000, 0x3fc583ab});
  CHECK(unary("tanh", "f32", "[0.0, 0x7F800000]") == Bits{0, 0x3f800000});
  CHECK(binary("pow", "f32", "[2.0, -2.0, 0.0, -8.0]", "[10.0, 3.0, -1.0, 0x3EAAAAAB]") ==
        Bits{0x44800000, 0xc1000000, 0x7f800000, 0x7fc00000});
  // The first operand is the ordinate.
  CHECK(binary("atan2", "f32", "[1.0, 0.0, 0.0, -0.0]", "[0.0, -1.0, 1.0, -1.0]") ==
        Bits{0x3fc90fdb, 0x40490fdb, 0, 0xc0490fdb});
  CHECK(evaluate("%a = constant <f32: [2.0, -2.0, 0.0, 3.0]> : tile<4xf32>\n"
                 "%n = constant <i32: [-1, 3, 0, 2]> : tile<4xi32>\n"
                 "%r = fpowi %a, %n : tile<4xf32>, tile<4xi32> -> tile<4xf32>") ==
        Bits{0x3f000000, 0xc1000000, 0x3f800000, 0x41100000});
}

namespace {
/// "[0x…, 0x…]" of the bits of what is left of each pair, or right.
template <typename Word, typename Float>
std::string listOf(const std::vector<std::pair<double, double>> &pairs, double std::pair<double, double>::*side) {
  std::ostringstream text;
  for (const auto &pair : pairs)
    text << (text.tellp() ? ", 0x" : "[0x") << std::hex << std::uppercase << std::setw(2 * sizeof(Word))
         << std::setfill('0') << std::bit_cast<Word>(static_cast<Float>(pair.*side));
  return text.str() + "]";
}

/// x^y for all of C's cases (Annex F.10.4.4), against the C library's pow of doubles, in numbers whose powers are
/// exact.
template <typename Word, typename Float>
void checkPowers(const std::string &type, Word nan) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const double odd = std::ldexp(1, std::numeric_limits<Float>::digits) - 1; // the largest one
  std::vector<double> bases, exponents;
  for (double base : {0.0, 0.25, 1.0, 4.0, inf, double(NAN)})
    bases.insert(bases.end(), {base, -base});
  for (double exponent : {0.0, 0.5, 1.0, 2.0, odd, odd + 1, 0x1p63, 0x1p64, 0x1p100, inf, double(NAN)})
    exponents.insert(exponents.end(), {exponent, -exponent});
  std::vector<std::pair<double, double>> pairs;
  for (double base : bases)
    for (double exponent : exponents)
      pairs.emplace_back(base, exponent);
  while (!std::has_single_bit(pairs.size())) // extents of tiles
    pairs.emplace_back(1, 1);
  const Bits results = binary("pow", type, listOf<Word, Float>(pairs, &std::pair<double, double>::first),
                              listOf<Word, Float>(pairs, &std::pair<double, double>::second));
  REQUIRE(results.size() == pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    const double expected = std::pow(pairs[i].first, pairs[i].second);
    INFO(type << ": " << pairs[i].first << " to the power of " << pairs[i].second);
    CHECK(results[i] == (std::isnan(expected) ? nan : std::bit_cast<Word>(static_cast<Float>(expected))));
  }
}
} // namespace

TEST_CASE("powers of all kinds of numbers are C's", "[math]") {
  checkPowers<uint64_t, double>("f64", 0x7ff8000000000000);
  checkPowers<uint32_t, float>("f32", 0x7fc00000);
  // The integer one, which has no exponents that are not whole.
  CHECK(evaluate("%a = constant <f32: [0x7F800000, 0xFF800000, 0xFF800000, 0xFF800000, 0x00000000, 0x80000000, "
                 "0x80000000, 0x80000000]> : tile<8xf32>\n"
                 "%n = constant <i32: [-1, -1, -2147483648, 2147483647, -1, -1, -2147483648, 3]> : tile<8xi32>\n"
                 "%r = fpowi %a, %n : tile<8xf32>, tile<8xi32> -> tile<8xf32>") ==
        Bits{0, 0x80000000, 0, 0xff800000, 0x7f800000, 0xff800000, 0x7f800000, 0x80000000});
}
