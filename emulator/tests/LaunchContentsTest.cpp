//===- LaunchContentsTest.cpp - What descriptions of launches compute -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchError.h"
#include "LaunchFile.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

using namespace tileiras;
using Catch::Contains;

namespace {

std::string errorOf(const std::string &text) {
  try {
    parseLaunch(text, "l.json");
  } catch (const LaunchError &error) {
    return error.what();
  }
  return "";
}

std::string withBuffer(const std::string &members) {
  return R"({"values": {"n": 8}, "grid": [1], "buffers": [{"name": "b", )" + members + "}]}";
}

/// The elements of the only buffer.
template <class Element>
std::vector<Element> elements(const std::string &members) {
  const LaunchDescription launch = parseLaunch(withBuffer(members), "l.json");
  const std::vector<uint8_t> &contents = launch.buffers[0].contents;
  std::vector<Element> numbers(contents.size() / sizeof(Element));
  std::memcpy(numbers.data(), contents.data(), contents.size());
  return numbers;
}

} // namespace

TEST_CASE("launch.json: expressions of named values stand for numbers") {
  auto number = [](const std::string &expression) {
    const std::string text =
        R"({"values": {"rows": 72, "cols": "rows - 16", "big": 9223372036854775807, "least": "-big - 1"},
      "grid": [1], "parameters": [{"i64": ")" +
        expression + "\"}]}";
    return static_cast<int64_t>(parseLaunch(text, "l.json").parameters[0].value);
  };
  CHECK(number("rows*cols*2") == 72 * 56 * 2);
  CHECK(number(" ( rows+63 ) / 64 ") == 2);
  CHECK(number("1 + 2 * 3 - 4 - 5") == -2);
  CHECK(number("-7 / 2 % 2 + -(-1)") == 0);
  CHECK(number("least") == INT64_MIN);
  CHECK(number("least % -1") == 0);
  const LaunchDescription launch =
      parseLaunch(R"({"values": {"b": "a + 1", "a": "c*2", "c": 3}, "grid": ["b", 2], "flops": "2*b", "bytes": "a",
                      "buffers": [{"name": "o", "type": "f32", "values": ["c", "-c"]}]})",
                  "l.json");
  CHECK(launch.grid == std::array<unsigned, 3>{7, 2, 1});
  CHECK(launch.flops == 14);
  CHECK(launch.bytes == 6);
  CHECK(launch.buffers[0].contents == std::vector<uint8_t>{0, 0, 0x40, 0x40, 0, 0, 0x40, 0xc0});

  auto wrong = [](const std::string &expression) {
    return errorOf(R"({"values": {"rows": 72, "big": 9223372036854775807}, "grid": [")" + expression + "\"]}");
  };
  CHECK_THAT(wrong("row"), Contains("grid[0]: expression 'row': there is no value 'row'; did you mean 'rows'?"));
  CHECK_THAT(wrong("rows - 72"), Contains("expression 'rows - 72' is 0, expected an integer from 1 to 2147483647"));
  CHECK_THAT(wrong("big + 1"), Contains("does not fit into 64 bits"));
  CHECK_THAT(wrong("9223372036854775808"), Contains("is no whole number of 64 bits"));
  CHECK_THAT(wrong("rows / (1 - 1)"), Contains("division by zero"));
  CHECK_THAT(wrong("(rows"), Contains("a ')' is missing"));
  CHECK_THAT(wrong("rows)"), Contains("unexpected ')'"));
  CHECK_THAT(wrong("rows +"), Contains("it ends where a number or a name is expected"));
  CHECK_THAT(wrong(""), Contains("it ends where"));
  CHECK_THAT(wrong(std::string(1000, '(')), Contains("nested too deeply"));
  CHECK_THAT(wrong(std::string(1000, '-') + "1"), Contains("nested too deeply"));
  CHECK_THAT(errorOf(R"({"values": {"a": "b", "b": "a"}, "grid": [1]})"), Contains("needs values that need this one"));
  CHECK_THAT(errorOf(R"({"values": {"a": "a + 1"}, "grid": [1]})"), Contains("needs values that need this one"));
  CHECK_THAT(errorOf(R"({"values": {"2a": 1}, "grid": [1]})"), Contains("the name of a value has letters"));
  CHECK_THAT(errorOf(R"({"values": {"a": 1.5}, "grid": [1]})"), Contains("values.a: expected an integer"));
}

TEST_CASE("launch.json: every object may say something to people") {
  CHECK(errorOf(R"({"//": ["a", "b"], "values": {"//": "c"}, "grid": [1],
                    "buffers": [{"//": "d", "name": "o", "bytes": 8}],
                    "parameters": [{"//": "e", "buffer": "o"}, {"//": "f", "u32": 1}]})")
            .empty());
  CHECK_THAT(errorOf(R"({"//": 1, "grid": [1]})"), Contains("//: a comment is a string, or a list of strings"));
  CHECK_THAT(errorOf(R"({"grid": [1], "parameters": [{"//": [1], "u32": 1}]})"), Contains("a comment is a string"));
  CHECK_THAT(errorOf(R"({"grid": [1], "parameters": [{"//": "only"}]})"), Contains("a parameter is one of"));
}

TEST_CASE("launch.json: generators fill buffers") {
  using Integers = std::vector<int16_t>;
  CHECK(elements<int16_t>(R"("type": "i16", "bytes": 8, "values": "iota")") == Integers{0, 1, 2, 3});
  CHECK(elements<int16_t>(R"("type": "i16", "bytes": "n", "values": "iota", "range": [-1, 1])") ==
        Integers{-1, 0, 1, -1});
  CHECK(elements<int16_t>(R"("type": "i16", "bytes": 6, "values": -7)") == Integers{-7, -7, -7});
  CHECK(elements<float>(R"("type": "f32", "bytes": 8, "values": 0.5)") == std::vector<float>{0.5F, 0.5F});
  // The last number up to which f16 has all: 2048.
  const std::vector<uint16_t> halves = elements<uint16_t>(R"("type": "f16", "bytes": 4100, "values": "iota")");
  CHECK(halves[2048] == 0x6800);
  CHECK(halves[2049] == 0);

  // The first words of std::mt19937_64, which the standard fixes: 14514284786278117030, 4620546740167642908.
  CHECK(elements<int16_t>(R"("type": "i16", "bytes": 4, "values": "integers", "range": [0, 999])") ==
        Integers{30, 908});
  const std::string random = R"("type": "f32", "bytes": 40000, "values": )";
  for (const char *range : {"", R"(, "range": [-3, 5])"}) {
    const float least = *range ? -3 : 0, most = *range ? 5 : 1;
    double sum = 0;
    for (float number : elements<float>(random + R"("uniform", "seed": 3)" + range)) {
      CHECK((number >= least && number <= most));
      sum += number;
    }
    CHECK(std::abs(sum / 10000 - (least + most) / 2) < 0.02 * (most - least));
  }
  double sum = 0, squares = 0;
  for (float number : elements<float>(random + R"("normal", "seed": 3)")) {
    sum += number;
    squares += number * number;
  }
  CHECK(std::abs(sum / 10000) < 0.05);
  CHECK(std::abs(squares / 10000 - 1) < 0.05);
  CHECK(elements<float>(random + R"("normal", "seed": 3)") == elements<float>(random + R"("normal", "seed": 3)"));
  CHECK(elements<float>(random + R"("normal", "seed": 3)") != elements<float>(random + R"("normal", "seed": 4)"));
}

TEST_CASE("launch.json: generators say what they lack") {
  auto wrong = [](const std::string &members) { return errorOf(withBuffer(members)); };
  CHECK_THAT(wrong(R"("type": "f32", "bytes": 8, "values": "norml")"),
             Contains("buffers[0].values: unknown generator 'norml'; did you mean 'normal'?"));
  CHECK_THAT(wrong(R"("type": "f32", "values": "normal")"), Contains("'bytes' is missing"));
  CHECK_THAT(wrong(R"("bytes": 8, "values": "normal")"), Contains("'type' is missing"));
  CHECK_THAT(wrong(R"("type": "f32", "bytes": 7, "values": "normal")"), Contains("no multiple of f32"));
  CHECK_THAT(wrong(R"("type": "i32", "bytes": 8, "values": "normal")"), Contains("'integers' makes whole numbers"));
  CHECK_THAT(wrong(R"("type": "i32", "bytes": 8, "values": "integers")"), Contains("needs a 'range'"));
  CHECK_THAT(wrong(R"("type": "i8", "bytes": 8, "values": "integers", "range": [0, 128])"),
             Contains("range[1]: expected an integer from -128 to 127"));
  CHECK_THAT(wrong(R"("type": "i8", "bytes": 8, "values": "integers", "range": [1, 0])"),
             Contains("ends before it begins"));
  CHECK_THAT(wrong(R"("type": "f32", "bytes": 8, "values": "uniform", "range": [1, 0])"), Contains("in this order"));
  CHECK_THAT(wrong(R"("type": "f32", "bytes": 8, "values": "iota", "seed": 1)"), Contains("makes no random numbers"));
  CHECK_THAT(wrong(R"("type": "f32", "bytes": 8, "values": "normal", "range": [0, 1])"), Contains("takes no range"));
  CHECK_THAT(wrong(R"("type": "f32", "values": [1], "seed": 1)"), Contains("belongs to a generator"));
  CHECK_THAT(wrong(R"("bytes": 8, "range": [0, 1])"), Contains("belongs to a generator"));
  CHECK_THAT(wrong(R"("type": "u8", "bytes": 8, "values": 256)"),
             Contains("values: expected an integer from 0 to 255"));
  CHECK_THAT(wrong(R"("type": "u8", "bytes": 1000000000000000000, "values": 1)"), Contains("of this machine's memory"));
}
