//===- LayoutDescriptorTest.cpp -------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/LayoutDescriptor.h"
#include "tileiras/Layout/SharedLayouts.h"
#include <catch2/catch.hpp>

using namespace tileiras;

static LayoutDescriptor parse(llvm::StringRef text) {
  LayoutParseError error;
  std::optional<LayoutDescriptor> descriptor = parseLayoutDescriptor(text, error);
  INFO(text.str() << ": " << error.offset << ": " << error.message);
  REQUIRE(descriptor);
  return *descriptor;
}

static void checkError(llvm::StringRef text, size_t offset, llvm::StringRef message) {
  LayoutParseError error;
  INFO(text.str());
  REQUIRE(!parseLayoutDescriptor(text, error));
  CHECK(error.offset == offset);
  CHECK(error.message.substr(0, message.size()) == message.str());
}

TEST_CASE("the examples of the grammar round-trip", "[layout][descriptor]") {
  for (const char *text :
       {"<(1,1),(0,0)>", "<(16,16),(1,16)>", "<(16,16),(1,16),swizzle<2,5,2>>", "<(16,(8,2)),(1,(16,8))>",
        "<(128,64),(64,1),swizzle<3,4,3>,elem=nvfp4>", "<((4,32),64),((1,512),16),elem=mxf4>", "<16,1>", "<(4),(1)>"}) {
    LayoutDescriptor descriptor = parse(text);
    CHECK(descriptor.str() == text);
    CHECK(parse(descriptor.str()) == descriptor);
  }
  CHECK(parse(" < ( 16 , 16 ) ,\n(1,16), swizzle < 2 , 5 , 2 > , elem = bf16 > ").str() ==
        "<(16,16),(1,16),swizzle<2,5,2>,elem=bf16>");
}

TEST_CASE("descriptors mean what they say", "[layout][descriptor]") {
  CHECK(parse("<(16,16),(1,16),swizzle<2,5,2>>") == parse("<(16,16),(1,16),swizzle<3,4,3>>"));
  CHECK(parse("<(16,16),(1,16)>") == parse("<(16,16),(1,16),swizzle<0,4,3>>"));
  CHECK(!(parse("<(16,16),(1,16)>") == parse("<(16,16),(16,1)>")));
  LayoutDescriptor operand = parse("<(128,64),(64,1),swizzle<3,4,3>,elem=nvfp4>");
  CHECK(operand.swizzle->getMode() == SwizzleMode::B128);
  CHECK(lookupDescriptorElement(*operand.element) == 4u);
  CHECK(operand.layout(IntTuple{3, 5}) == 3 * 64 + 5);
  auto memory = toLinearLayout(operand.layout, operand.swizzle, 4);
  REQUIRE(bool(memory));
  CHECK(memory->isInjective());
}

TEST_CASE("malformed descriptors are refused where they are wrong", "[layout][descriptor]") {
  checkError("", 0, "expected '<' in a layout descriptor");
  checkError("(16,16)", 0, "expected '<' in a layout descriptor");
  checkError("<(16,16)>", 8, "expected ',' in a layout descriptor");
  checkError("<(16,16),>", 9, "expected an unsigned integer or a tuple");
  checkError("<(),()>", 2, "expected an unsigned integer or a tuple");
  checkError("<(16,-1),(1,16)>", 5, "expected an unsigned integer or a tuple");
  checkError("<(16,16),(1,16)", 15, "expected '>' in a layout descriptor");
  checkError("<(16,16),(1,16)>x", 16, "unexpected trailing layout text");
  checkError("<(16,16),(1,16),swizle<1,2,3>>", 16, "expected 'swizzle<B,M,S>' or 'elem=' after the stride");
  checkError("<(16,16),(1,16),swizzle<1,4>>", 27, "expected ',' in a layout descriptor");
  checkError("<(16,16),(1,16),elem=bf16,swizzle<1,4,3>>", 26, "expected '>' after the element name");
  checkError("<(16,16),(1,16),swizzle<1,4,3>,swizzle<1,4,3>>", 31, "expected 'elem=' or '>' after the swizzle");
  checkError("<(16,16),(1,16),elem=>", 21, "expected the name of an element type after 'elem='");
  checkError("<(16,16),(1,16),elem=fp3>", 21, "unknown element type 'fp3' in a layout descriptor; known are i1, i4");
  checkError("<(16,16),16>", 9, "the stride tuple is not congruent with the shape tuple");
  checkError("<(16,(8,2)),(1,(16,8,1))>", 12, "the stride tuple is not congruent with the shape tuple");
  checkError("<(16,0),(1,16)>", 1, "an extent of a layout is at least 1");
  checkError("<(16,16),(1,16),swizzle<3,4,2>>", 16, "swizzle<B,M,S> needs S >= B");
  checkError("<(16,16),(1,16),swizzle<9,9,9>>", 16,
             "swizzle<B,M,S> needs S >= B and B + M + S <= 18, the bits of an address");
  checkError("<(16,16),(1,16),swizzle<99999999999,4,2>>", 16, "swizzle<B,M,S> needs S >= B");
  checkError("<99999999999999999999,1>", 1, "integer 99999999999999999999 is too large");
  checkError("<(4294967296,4294967296),(1,1)>", 1, "the layout has more than 2^62 elements");
  checkError("<(4,4),(4611686018427387904,1)>", 7, "the layout reaches offsets beyond 2^62");
  checkError("<" + std::string(100, '(') + "1", 33, "tuples nest more than 32 levels deep");
}

TEST_CASE("an unknown element name is refused before any other error", "[layout][descriptor]") {
  checkError("<(16,16),16,swizzle<9,0,1>,elem=wat>", 32, "unknown element type 'wat'");
}
