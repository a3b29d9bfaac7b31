//===- TileTest.cpp - Shapes, reductions and matrix products --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <bit>

using namespace tileiras::interpreter;
using Catch::Contains;

namespace {

const std::string kMatrix = "%m = constant <i32: [[0, 1, 2, 3], [4, 5, 6, 7]]> : tile<2x4xi32>\n";

float number(uint64_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

} // namespace

TEST_CASE("shapes", "[shape]") {
  CHECK(evaluate("%r = iota : tile<4xi8>") == Bits{0, 1, 2, 3});
  CHECK(evaluate(kMatrix + "%r = permute %m [1, 0] : tile<2x4xi32> -> tile<4x2xi32>") == Bits{0, 4, 1, 5, 2, 6, 3, 7});
  CHECK(evaluate(kMatrix + "%r = reshape %m : tile<2x4xi32> -> tile<2x2x2xi32>") == Bits{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(evaluate("%a = constant <i8: [[1], [2]]> : tile<2x1xi8>\n"
                 "%r = broadcast %a : tile<2x1xi8> -> tile<2x2xi8>") == Bits{1, 1, 2, 2});
  CHECK(evaluate(kMatrix + "%r = cat %m, %m dim = 1 : tile<2x4xi32>, tile<2x4xi32> -> tile<2x8xi32>") ==
        Bits{0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7});
  CHECK(evaluate("%c = constant <i1: [true, false]> : tile<2xi1>\n%a = constant <i8: [1, 2]> : tile<2xi8>\n"
                 "%b = constant <i8: [3, 4]> : tile<2xi8>\n%r = select %c, %a, %b : tile<2xi1>, tile<2xi8>") ==
        Bits{1, 4});
}

TEST_CASE("parts of tiles are counted, not measured", "[shape]") {
  const std::string indices = "%i = constant <i32: 1> : tile<i32>\n%z = constant <i32: 0> : tile<i32>\n";
  CHECK(evaluate(kMatrix + indices + "%r = extract %m[%z, %i] : tile<2x4xi32> -> tile<2x2xi32>") == Bits{2, 3, 6, 7});
  CHECK(evaluate(kMatrix + indices +
                 "%p = constant <i32: [[8, 9]]> : tile<1x2xi32>\n"
                 "%r = insert %p, %m[%i, %z] : tile<1x2xi32>, tile<2x4xi32> -> tile<2x4xi32>") ==
        Bits{0, 1, 2, 3, 8, 9, 6, 7});
  CHECK_THAT(execute(kMatrix + "%i = constant <i32: 2> : tile<i32>\n"
                               "%r = extract %m[%i, %i] : tile<2x4xi32> -> tile<1x2xi32>")
                 .errors,
             Contains("index 2 along dimension 0 is not one of the 2 parts"));
}

TEST_CASE("reductions along any dimension", "[reduce]") {
  auto sum = [](int dim, const std::string &result) {
    return evaluate(kMatrix + "%r = reduce %m dim=" + std::to_string(dim) +
                    " identities=[0 : i32] : tile<2x4xi32> -> " + result +
                    " (%a: tile<i32>, %b: tile<i32>) { %s = addi %a, %b : tile<i32>\n yield %s : tile<i32> }");
  };
  CHECK(sum(0, "tile<4xi32>") == Bits{4, 6, 8, 10});
  CHECK(sum(1, "tile<2xi32>") == Bits{6, 22});
}

TEST_CASE("reductions keep the order of the elements", "[reduce]") {
  // Associative but not commutative: the earlier one wins. The current element comes first, then what came before.
  CHECK(evaluate(kMatrix + "%r = reduce %m dim=1 identities=[0 : i32] : tile<2x4xi32> -> tile<2xi32>"
                           " (%current: tile<i32>, %before: tile<i32>) { yield %before : tile<i32> }") == Bits{0, 4});
  // Control flow makes the body run for each element on its own.
  CHECK(evaluate(kMatrix + "%r = reduce %m dim=1 identities=[0 : i32] : tile<2x4xi32> -> tile<2xi32>"
                           " (%a: tile<i32>, %b: tile<i32>) {\n"
                           "%c = cmpi greater_than %a, %b, signed : tile<i32> -> tile<i1>\n"
                           "%s = if %c -> (tile<i32>) { yield %a : tile<i32> } else { yield %b : tile<i32> }\n"
                           "yield %s : tile<i32> }") == Bits{3, 7});
}

TEST_CASE("reductions of several operands", "[reduce]") {
  CHECK(evaluate("%v = constant <f32: [1.0, 5.0, 5.0, 2.0]> : tile<4xf32>\n%i = iota : tile<4xi32>\n"
                 "%n, %m = reduce %i, %v dim=0 identities=[-1 : i32, 0xFF800000 : f32]"
                 " : tile<4xi32>, tile<4xf32> -> tile<i32>, tile<f32>"
                 " (%i0: tile<i32>, %i1: tile<i32>, %v0: tile<f32>, %v1: tile<f32>) {\n"
                 "%c = cmpf greater_than ordered %v0, %v1 : tile<f32> -> tile<i1>\n"
                 "%j = select %c, %i0, %i1 : tile<i1>, tile<i32>\n%w = select %c, %v0, %v1 : tile<i1>, tile<f32>\n"
                 "yield %j, %w : tile<i32>, tile<f32> }") == Bits{1});
}

TEST_CASE("scans from either end", "[scan]") {
  auto scan = [](const std::string &reverse) {
    return evaluate(kMatrix + "%r = scan %m dim=1 reverse=" + reverse +
                    " identities=[0 : i32] : tile<2x4xi32> -> tile<2x4xi32>"
                    " (%a: tile<i32>, %b: tile<i32>) { %s = addi %a, %b : tile<i32>\n yield %s : tile<i32> }");
  };
  CHECK(scan("false") == Bits{0, 1, 3, 6, 4, 9, 15, 22});
  CHECK(scan("true") == Bits{6, 6, 5, 3, 22, 18, 13, 7});
}

TEST_CASE("matrix products", "[mma]") {
  CHECK(evaluate("%a = constant <f16: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf16>\n"
                 "%b = constant <f16: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2xf16>\n"
                 "%c = constant <f32: 0.5> : tile<2x2xf32>\n"
                 "%r = mmaf %a, %b, %c : tile<2x2xf16>, tile<2x2xf16>, tile<2x2xf32>") ==
        Bits{0x419c0000, 0x41b40000, 0x422e0000, 0x424a0000});
  CHECK(
      evaluate("%a = constant <f64: [[[1.0]], [[2.0]]]> : tile<2x1x1xf64>\n%c = constant <f64: 1.0> : tile<2x1x1xf64>\n"
               "%r = mmaf %a, %a, %c : tile<2x1x1xf64>, tile<2x1x1xf64>, tile<2x1x1xf64>") ==
      Bits{0x4000000000000000, 0x4014000000000000});
  auto integers = [](const std::string &signs) {
    return evaluate("%a = constant <i8: [[-1, 2]]> : tile<1x2xi8>\n%b = constant <i8: [[-1], [3]]> : tile<2x1xi8>\n"
                    "%c = constant <i32: 10> : tile<1x1xi32>\n%r = mmai %a, %b, %c " +
                    signs + " : tile<1x2xi8>, tile<2x1xi8>, tile<1x1xi32>");
  };
  CHECK(integers("signed signed") == Bits{17});
  CHECK(integers("unsigned signed") == Bits{0xffffffff & uint64_t(-255 + 6 + 10)});
  CHECK(integers("unsigned unsigned") == Bits{255 * 255 + 6 + 10});
}

TEST_CASE("scales multiply blocks along K", "[mma]") {
  // 32 products of 1 · 1, each block scaled by 2 and by 4: 256, and the accumulator.
  CHECK(evaluate(
            "%a = constant <f8E4M3FN: 1.0> : tile<1x32xf8E4M3FN>\n%b = constant <f8E4M3FN: 1.0> : tile<32x1xf8E4M3FN>\n"
            "%c = constant <f32: 1.0> : tile<1x1xf32>\n%s = constant <f8E8M0FNU: 2.0> : tile<1x1xf8E8M0FNU>\n"
            "%t = constant <f8E8M0FNU: 4.0> : tile<1x1xf8E8M0FNU>\n"
            "%r = mmaf_scaled %a, %b, %c, %s, %t : tile<1x32xf8E4M3FN>, tile<32x1xf8E4M3FN>, tile<1x1xf32>, "
            "tile<1x1xf8E8M0FNU>, tile<1x1xf8E8M0FNU>") == Bits{0x43808000});
}

TEST_CASE("bounds of sums and products", "[bounds]") {
  const std::string sum = "%v = constant <f32: [1.0, 0x33800000, -1.0, 0.5]> : tile<4xf32>\n"
                          "%r = reduce %v dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32>"
                          " (%a: tile<f32>, %b: tile<f32>) { %s = addf %a, %b : tile<f32>\n yield %s : tile<f32> }\n";
  Outcome outcome = execute(sum, "", /*computeBounds=*/true);
  REQUIRE(outcome.bounds.size() == 1);
  // 2 (n - 1) u sum |x|
  CHECK(outcome.bounds[0] == Approx(2 * 3 * 0x1p-24 * 2.5).epsilon(0.01));
  // Every order's result is inside.
  for (float other : {(1.0f + 0x1p-24f) - 1.0f + 0.5f, 1.0f - 1.0f + 0.5f + 0x1p-24f})
    CHECK(std::abs(number(outcome.bits[0]) - other) <= outcome.bounds[0]);

  outcome = execute(sum + "%two = constant <f32: 2.0> : tile<f32>\n%p = mulf %r, %two : tile<f32>", "", true);
  CHECK(outcome.bounds[0] >= 2 * 2 * 3 * 0x1p-24 * 2.5);
  outcome = execute(sum + "%h = constant <f32: 0.5> : tile<f32>\n"
                          "%c = cmpf less_than ordered %r, %h : tile<f32> -> tile<i1>",
                    "", true);
  CHECK(outcome.bounds == std::vector<double>{1}); // can go either way
  CHECK(execute("%a = constant <f32: 1.0> : tile<f32>\n%r = addf %a, %a : tile<f32>", "", true).bounds.empty());
}
