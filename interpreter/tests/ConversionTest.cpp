//===- ConversionTest.cpp - Conversions between number formats ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

using namespace tileiras::interpreter;
using Catch::Contains;

TEST_CASE("integers change width", "[conversion]") {
  CHECK(convert("exti", "i8", "i32", "[-1, 127]", "signed") == Bits{0xffffffff, 127});
  CHECK(convert("exti", "i8", "i32", "[-1, 127]", "unsigned") == Bits{255, 127});
  CHECK(convert("exti", "i4", "i8", "[-8, 7]", "signed") == Bits{0xf8, 7});
  CHECK(convert("exti", "i1", "i8", "[true]", "signed") == Bits{0xff});
  CHECK(convert("trunci", "i32", "i8", "[256, -1]") == Bits{0, 255});
  const std::string program = "%a = constant <i32: 200> : tile<i32>\n%r = trunci %a overflow<";
  CHECK_THAT(execute(program + "no_signed_wrap> : tile<i32> -> tile<i8>").errors, Contains("loses bits"));
  CHECK(evaluate(program + "no_unsigned_wrap> : tile<i32> -> tile<i8>") == Bits{200});
}

TEST_CASE("rounding to narrower formats", "[conversion]") {
  CHECK(convert("ftof", "f32", "f16", "[65520.0, 65519.0, 0x33000000, 0x33000001]") == Bits{0x7c00, 0x7bff, 0, 1});
  CHECK(convert("ftof", "f32", "f16", "[65520.0, -65520.0]", "rounding<zero>") == Bits{0x7bff, 0xfbff});
  CHECK(convert("ftof", "f32", "bf16", "[0x3F808000, 0x3F818000]") == Bits{0x3f80, 0x3f82});
  CHECK(convert("ftof", "f32", "bf16", "[0x3F808000]", "rounding<nearest_away>") == Bits{0x3f81});
  CHECK(convert("ftof", "f32", "bf16", "[0x7FFFFFFF]") == Bits{0x7fc0});
  CHECK(convert("ftof", "f16", "bf16", "[65504.0]") == Bits{0x4780});
  CHECK(convert("ftof", "f64", "f32", "[0x36A0000000000000, 0x3690000000000000]") == Bits{1, 0});
  CHECK(convert("ftof", "f32", "f64", "[0x00000001]") == Bits{0x36a0000000000000});
  // tf32 keeps 10 bits: the code is the upper 19 of the f32.
  CHECK(convert("ftof", "f32", "tf32", "[0x3F801000, 0x3F803000]") == Bits{0x3f800000 >> 13, 0x3f804000 >> 13});
}

TEST_CASE("f8 and f4 saturate", "[conversion]") {
  CHECK(convert("ftof", "f32", "f8E4M3FN", "[448.0, 1000.0, 0xFF800000, 0x7FC00000]") == Bits{0x7e, 0x7e, 0xfe, 0x7f});
  CHECK(convert("ftof", "f32", "f8E4M3FN", "[0x3B000000, 0x3A800000, 0x3AC00000, -0.0]") == Bits{1, 0, 1, 0x80});
  CHECK(convert("ftof", "f32", "f8E5M2", "[57344.0, 60000.0, 0x7F800000, 1.125]") == Bits{0x7b, 0x7b, 0x7b, 0x3c});
  CHECK(convert("ftof", "f32", "f4E2M1FN", "[0.25, 0.75, 2.5, 5.0]") == Bits{0, 2, 4, 6});
  CHECK(convert("ftof", "f32", "f4E2M1FN", "[100.0, -100.0, 0x7FC00000, -0.0]") == Bits{7, 15, 7, 8});
  CHECK(convert("ftof", "f8E4M3FN", "f32", "[0x01, 0x7F]") == Bits{0x3b000000, 0x7fc00000});
  CHECK(convert("ftof", "f4E2M1FN", "f16", "[0.5, 6.0]") == Bits{0x3800, 0x4600});
}

TEST_CASE("f8E8M0FNU holds powers of two", "[conversion]") {
  CHECK(convert("ftof", "f32", "f8E8M0FNU", "[1.0, 1.5, 1.4, 0x7F800000]") == Bits{127, 128, 127, 255});
  CHECK(convert("ftof", "f32", "f8E8M0FNU", "[0.0, -4.0, 0x00000001, 0x7F7FFFFF]") == Bits{0, 0, 0, 254});
  CHECK(convert("ftof", "f32", "f8E8M0FNU", "[1.25, 1.0]", "rounding<positive_inf>") == Bits{128, 127});
  CHECK(convert("ftof", "f32", "f8E8M0FNU", "[1.75]", "rounding<zero>") == Bits{127});
  CHECK(convert("ftof", "f8E8M0FNU", "f32", "[0x00, 0xFF]") == Bits{0x00400000, 0x7fc00000});
}

TEST_CASE("integers from floating-point numbers", "[conversion]") {
  CHECK(convert("ftoi", "f32", "i8", "[1.9, -1.9, 1000.0, -1000.0]", "signed") == Bits{1, 0xff, 127, 0x80});
  CHECK(convert("ftoi", "f32", "i8", "[-1.0, 300.0, 0x7FC00000, 255.9]", "unsigned") == Bits{0, 255, 0, 255});
  CHECK(convert("ftoi", "f64", "i64", "[9.3e18, -9.3e18]", "signed") == Bits{0x7fffffffffffffff, 0x8000000000000000});
  CHECK(convert("ftoi", "f32", "i32", "[0x7F800000, 0xFF800000]", "signed saturating") == Bits{0x7fffffff, 0x80000000});
  CHECK_THAT(
      execute("%a = constant <f32: 0x7F800000> : tile<f32>\n%r = ftoi %a signed : tile<f32> -> tile<i32>").errors,
      Contains("element [] is infinite"));
}

TEST_CASE("floating-point numbers from integers", "[conversion]") {
  CHECK(convert("itof", "i32", "f32", "[16777217, 16777219]", "signed") == Bits{0x4b800000, 0x4b800002});
  CHECK(convert("itof", "i8", "f16", "[-1]", "unsigned") == Bits{0x5bf8});
  CHECK(convert("itof", "i32", "f16", "[65520, -65520]", "signed") == Bits{0x7c00, 0xfc00});
  CHECK(convert("itof", "i64", "f64", "[-1]", "unsigned") == Bits{0x43f0000000000000});
  // There is no infinity to overflow to.
  CHECK(convert("itof", "i32", "f8E4M3FN", "[1000, 448]", "signed") == Bits{0x7f, 0x7e});
}

TEST_CASE("bits under another type", "[conversion]") {
  CHECK(convert("bitcast", "f32", "i32", "[1.0, -0.0]") == Bits{0x3f800000, 0x80000000});
  CHECK(convert("bitcast", "i8", "f8E5M2", "[-1]") == Bits{0xff});
  auto repack = [](const std::string &name, const std::string &from, const std::string &list, const std::string &to) {
    return evaluate("%a = constant <" + from.substr(from.find('x') + 1) + ": " + list + "> : tile<" + from +
                    ">\n%r = " + name + " %a : tile<" + from + "> -> tile<" + to + ">");
  };
  CHECK(repack("pack", "2xi16", "[0x1234, -1]", "4xi8") == Bits{0x34, 0x12, 0xff, 0xff});
  CHECK(repack("pack", "4xi4", "[1, 2, 3, -1]", "2xi8") == Bits{0x21, 0xf3});
  CHECK(repack("pack", "8xi1", "[true, false, true, true, false, false, false, true]", "1xi8") == Bits{0x8d});
  CHECK(repack("unpack", "4xi8", "[0, 0, -128, 63]", "1xf32") == Bits{0x3f800000});
  CHECK(repack("unpack", "1xi8", "[0x72]", "2xf4E2M1FN") == Bits{2, 7});
}
