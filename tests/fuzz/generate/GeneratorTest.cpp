//===- GeneratorTest.cpp - Tests of the generator of programs -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "Random.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <catch2/catch.hpp>

using namespace tileiras::fuzz;

// The published test vector of xoshiro256** seeded by splitmix64 with 0: a change would change every program.
TEST_CASE("Random numbers never change", "[random]") {
  Random random(0);
  for (uint64_t expected : {0x99ec5f36cb75f2b4u, 0xbf6e1f784956452au, 0x1a5f849d4933e6e0u})
    CHECK(random.bits() == expected);
}

TEST_CASE("Random numbers stay in their range", "[random]") {
  Random random(1);
  bool seen[7] = {};
  for (int i = 0; i < 1000; ++i) {
    int64_t value = random.between(-3, 3);
    REQUIRE(value >= -3);
    REQUIRE(value <= 3);
    seen[value + 3] = true;
  }
  for (bool each : seen)
    CHECK(each);
}

TEST_CASE("A seed is one program, and each another", "[generator]") {
  GeneratorOptions options;
  options.seed = 5;
  GeneratedProgram first = generateProgram(options), again = generateProgram(options);
  CHECK(first.text == again.text);
  CHECK(first.launch.toJson() == again.launch.toJson());
  options.seed = 6;
  CHECK(generateProgram(options).text != first.text);
}

TEST_CASE("A feature of weight 0 is not used", "[generator]") {
  GeneratorOptions options;
  options.size = 200;
  CHECK(generateProgram(options).text.find(" if ") != std::string::npos);
  // Products, and views of which one part after the other is read, come in loops as well.
  options.weights["control"] = options.weights["mma"] = options.weights["far"] = 0;
  for (const char *text : {" if ", " for ", " loop "})
    CHECK(generateProgram(options).text.find(text) == std::string::npos);
}

TEST_CASE("Every operation is generated, or there is a reason", "[generator]") {
  const llvm::StringMap<const char *> reasons = {
      {"module", "around every program"},
  };
  llvm::StringSet<> words;
  for (GeneratorOptions options; options.seed < 150; ++options.seed) {
    options.size = 60;
    options.maxElements = 32;
    options.weights["print"] = options.weights["assume"] = options.weights["atomic"] = options.weights["scaled"] = 8;
    const std::string text = generateProgram(options).text;
    llvm::SmallVector<llvm::StringRef> lines, parts;
    llvm::StringRef(text).split(lines, '\n');
    for (llvm::StringRef line : lines) {
      // The first word that names no value.
      llvm::StringRef operation =
          line.contains(" = ") && line.trim().starts_with("%") ? line.split(" = ").second : line;
      words.insert(operation.trim().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; }));
    }
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tileiras::cuda_tile::CudaTileDialect>();
  auto operations =
      context.getRegisteredOperationsByDialect(tileiras::cuda_tile::CudaTileDialect::getDialectNamespace());
  CHECK(operations.size() > 100);
  for (mlir::RegisteredOperationName operation : operations) {
    const std::string name = operation.stripDialect().str();
    INFO(name);
    CHECK(words.contains(name) != reasons.contains(name));
  }
}

/// How many of the programs of the first seeds have all of the words.
static unsigned countPrograms(ProgramShape shape, unsigned seeds, std::initializer_list<const char *> words) {
  unsigned count = 0;
  GeneratorOptions options;
  options.shape = shape;
  for (; options.seed < seeds; ++options.seed) {
    const std::string text = generateProgram(options).text;
    count += llvm::all_of(words, [&](const char *word) { return text.find(word) != std::string::npos; });
  }
  return count;
}

TEST_CASE("Carried tiles meet everything that is done to them", "[generator]") {
  auto carried = [](std::initializer_list<const char *> words) {
    return countPrograms(ProgramShape::Carried, 200, words);
  };
  CHECK(carried({" = mma", "iter_values"}) > 190);
  for (const char *word : {"mulf", "negf", "maxf", "select", " if ", "store_view_tko", "loop ", "load_ptr_tko", "muli",
                           "reduce", "load_view_tko", "permute"}) {
    INFO(word);
    CHECK(carried({word, " = mma"}) >= 3);
  }
}

TEST_CASE("Far views have sizes that no signed number of 32 bits holds", "[generator]") {
  unsigned beyond = 0, close = 0;
  GeneratorOptions options;
  options.shape = ProgramShape::Far;
  for (; options.seed < 200; ++options.seed)
    for (const Parameter &parameter : generateProgram(options).launch.parameters) {
      const int64_t number = static_cast<int64_t>(parameter.bits);
      beyond += parameter.buffer.empty() && parameter.element == Element::I32 && number > INT32_MAX;
      close += parameter.buffer.empty() && parameter.element == Element::I64 && std::abs(number) > INT32_MAX / 2;
    }
  CHECK(beyond > 5);
  CHECK(close > 10);
}

TEST_CASE("Any shape is one of the others", "[generator]") {
  bool seen[5] = {};
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const ProgramShape shape = pickShape(seed);
    REQUIRE(shape != ProgramShape::Any);
    seen[static_cast<unsigned>(shape)] = true;
  }
  for (bool each : seen)
    CHECK(each);
}

TEST_CASE("Hints, names and other kernels leave the program as it is", "[generator]") {
  GeneratorOptions options, plain;
  options.hints = 40;
  plain.hints = plain.hostileNames = plain.secondKernels = 0;
  unsigned same = 0, hinted = 0, renamed = 0, twice = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    options.seed = plain.seed = seed;
    const GeneratedProgram with = generateProgram(options), without = generateProgram(plain);
    CHECK(with.launch.parameters.size() == without.launch.parameters.size());
    same += with.text == without.text;
    hinted += with.text.find(") optimization_hints=<") != std::string::npos;
    renamed += with.launch.entry != "kernel";
    twice += llvm::StringRef(with.text).count("  entry ") > 1;
    CHECK(without.text.find(") optimization_hints=<") == std::string::npos);
    CHECK(without.launch.entry == "kernel");
  }
  for (unsigned count : {same, hinted, renamed, twice})
    CHECK(count > 0);
}

TEST_CASE("Launch descriptions are read as they were written", "[launch]") {
  LaunchCase launch;
  launch.entry = "kernel";
  launch.grid = {3, 2, 1};
  launch.buffers = {{"a", Element::I64, {255, 255, 255, 255, 255, 255, 255, 255, 0, 1, 2, 3, 4, 5, 6, 7}, false},
                    {"b", Element::F32, {1, 2, 3, 4}, false},
                    {"c", Element::F16, {9, 9, 9, 9, 9, 9}, true},
                    {"d", Element::I8, {1, 2, 3}, true}};
  launch.parameters = {{"a", Element::I64, 8}, {"", Element::I64, 0xffffffffffffffff}, {"", Element::I16, 7}};
  llvm::Expected<LaunchCase> read = LaunchCase::fromJson(launch.toJson());
  REQUIRE(bool(read));
  CHECK(read->entry == launch.entry);
  CHECK(read->grid == launch.grid);
  REQUIRE(read->buffers.size() == launch.buffers.size());
  for (size_t i = 0; i < launch.buffers.size(); ++i) {
    CHECK(read->buffers[i].name == launch.buffers[i].name);
    CHECK(read->buffers[i].contents == launch.buffers[i].contents);
    CHECK(read->buffers[i].isCompared == launch.buffers[i].isCompared);
    if (launch.buffers[i].isCompared)
      CHECK(read->buffers[i].element == launch.buffers[i].element);
  }
  REQUIRE(read->parameters.size() == launch.parameters.size());
  for (size_t i = 0; i < launch.parameters.size(); ++i) {
    CHECK(read->parameters[i].buffer == launch.parameters[i].buffer);
    CHECK(read->parameters[i].bits == launch.parameters[i].bits);
  }
}

TEST_CASE("Launch descriptions are those of the emulator", "[launch]") {
  llvm::Expected<LaunchCase> read = LaunchCase::fromJson(
      R"({"grid": [2], "buffers": [{"name": "x", "type": "f32", "values": [0.5, "-inf"]}, {"name": "y", "bytes": 2, "fill": 7}],
          "parameters": [{"f32": 1}, {"i16": -2}, {"buffer": "x", "offset": 4}], "compare": [{"buffer": "x", "type": "f32"}]})");
  REQUIRE(bool(read));
  CHECK(read->buffers[0].contents == std::vector<uint8_t>{0, 0, 0, 0x3f, 0, 0, 0x80, 0xff});
  CHECK(read->buffers[1].contents == std::vector<uint8_t>{7, 7});
  CHECK(read->parameters[0].bits == 0x3f800000);
  CHECK(getBytes(read->parameters[0].element) == 4);
  CHECK(getBytes(read->parameters[1].element) == 2);
  CHECK(read->parameters[2].bits == 4);
}

TEST_CASE("Malformed launch descriptions are refused, and say where", "[launch]") {
  const std::pair<std::string, const char *> cases[] = {
      {"", "launch.json: [1:0"},
      {std::string(100000, '['), "launch.json: byte 100: nested too deeply"},
      {"{}", "launch.json: 'grid' is missing"},
      {R"({"grid": [-1, 1, 1]})", "launch.json: grid[0]: expected an integer from 1 to 2147483647, not -1"},
      {R"({"buffers": [{}], "grid": [1]})", "launch.json: buffers[0]: a buffer needs"},
      {R"({"parameters": [{"f8": 1}], "grid": [1]})", "launch.json: parameters[0]: a parameter is one of"},
      {R"({"grid": [1], "compare": [{"buffer": "x", "type": "f32"}]})", "launch.json: compare[0].buffer: there is no"},
      {R"({"grid": [1], "buffers": [{"name": "x", "bytes": 6}], "compare": [{"buffer": "x", "type": "f32"}]})",
       "launch.json: compare[0]: buffer 'x' has 6 bytes"},
      {R"({"grid": [1], "buffers": [{"name": "x", "bytes": 4}], "compare": [{"buffer": "x", "type": "u32"}]})",
       "launch.json: compare[0].type: expected an element type"}};
  for (const auto &[text, message] : cases) {
    llvm::Expected<LaunchCase> read = LaunchCase::fromJson(text);
    REQUIRE(!read);
    CHECK_THAT(toString(read.takeError()), Catch::StartsWith(message));
  }
}
