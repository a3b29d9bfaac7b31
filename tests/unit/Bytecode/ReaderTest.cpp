//===- ReaderTest.cpp - What good and bad files give ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleFile.h"
#include <catch2/catch.hpp>

using namespace llvm;
using namespace tileiras;
using namespace tileiras::bytecode;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

static std::string errorOf(StringRef file) {
  DialectContext context;
  ReadResult result = read(context, file);
  CHECK(!result.module);
  CHECK(result.errors.size() == 1);
  return result.error();
}

static std::string errorOf(const ModuleFile &file) {
  return errorOf(file.str());
}

static std::string textOf(const ModuleFile &file) {
  DialectContext context;
  ReadResult result = read(context, file.str());
  INFO(result.error());
  REQUIRE(result.module);
  return print(*result.module);
}

/// A tile<NxT> with one constant of these bytes; T is the tag of the element type.
static ModuleFile constantFile(unsigned elementTag, std::initializer_list<uint64_t> shape, const std::string &raw) {
  ModuleFile file;
  ByteWriter tile;
  tile.writeBytes(bytes({13, 0}));
  tile.writeIntegers(ArrayRef<int64_t>(SmallVector<int64_t>(shape.begin(), shape.end())));
  file.types[0] = bytes({elementTag});
  file.types[1] = tile.str().str();
  ByteWriter constant;
  constant.writeVarint(raw.size());
  constant.writeBytes(raw);
  file.constants = {constant.str().str()};
  file.body = bytes({16, 1, 0}) + ModuleFile::returnOp();
  return file;
}

TEST_CASE("a small file is read", "[bytecode]") {
  ModuleFile file;
  CHECK_THAT(textOf(file), Contains("entry @k()"));
  file.otherSections[SectionId::Function] = bytes({0});
  CHECK_THAT(textOf(file), Contains("@kernels"));
}

TEST_CASE("what is not Tile IR is recognised", "[bytecode]") {
  const std::string notTile = "input does not correspond to Tile IR bytecode";
  CHECK(errorOf("") == notTile);
  CHECK(errorOf("\x7fTileI") == notTile);
  CHECK(errorOf("module {}") == notTile);
  CHECK(errorOf("ML\xefR....") == "failed to parse IR bytecode (it looks like MLIR bytecode instead)");
  CHECK(!isTileIRBytecode(MemoryBufferRef("ML\xefR", "")));
  CHECK(isTileIRBytecode(MemoryBufferRef(ModuleFile().str(), "")));
  CHECK(getBytecodeVersion(MemoryBufferRef(ModuleFile().str(), "")) == k13_1);
  CHECK(!getBytecodeVersion(MemoryBufferRef(StringRef(ModuleFile().str()).take_front(11), "")));
}

TEST_CASE("unknown versions are named", "[bytecode]") {
  for (BytecodeVersion version : {BytecodeVersion(18, 0), BytecodeVersion(13, 0), BytecodeVersion(13, 5),
                                  BytecodeVersion(13, 3, 1), BytecodeVersion(12, 9)}) {
    ModuleFile file;
    file.version = version;
    CHECK(errorOf(file) == "at offset 8: unsupported Tile IR bytecode version " + version.str() +
                               ", supported versions are 13.1, 13.2, 13.3, 13.4");
  }
  for (BytecodeVersion version : BytecodeVersion::supported()) {
    ModuleFile file;
    file.version = version;
    CHECK_THAT(textOf(file), Contains("entry @k()"));
  }
}

TEST_CASE("sections are checked", "[bytecode]") {
  const std::string good = ModuleFile().str();
  CHECK_THAT(errorOf(good + "x"), Contains("end section is not the last section"));
  CHECK_THAT(errorOf(StringRef(good).drop_back()), Contains("expected section id"));

  ModuleFile twice;
  std::string section = bytes({0x81, 4, 4, 0xcb, 0xcb, 0xcb, 0xcb, 0, 0, 0});
  std::string doubled = StringRef(good).drop_back().str() + section;
  CHECK_THAT(errorOf(doubled), Contains("section 1 appears twice"));

  std::string unknown = StringRef(good).take_front(kHeaderSize).str() + bytes({0x7f, 0, 0});
  CHECK(errorOf(unknown) == "at offset 12: unknown section ID 127 in version 13.1");
  std::string producer = StringRef(good).take_front(kHeaderSize).str() + bytes({7, 1, 0, 0});
  CHECK(errorOf(producer) == "at offset 12: unknown section ID 7 in version 13.1");
  std::string huge = StringRef(good).take_front(kHeaderSize).str() + bytes({6, 0xff, 0xff, 0xff, 0xff, 0x0f});
  CHECK_THAT(errorOf(huge), Contains("expected section of 4294967295 bytes"));
  std::string alignment = StringRef(good).take_front(kHeaderSize).str() + bytes({0x81, 0, 3});
  CHECK(errorOf(alignment) == "at offset 14: section alignment 3 is not a power of two");
  std::string unaligned = StringRef(good).take_front(kHeaderSize).str() + bytes({1, 0, 0});
  CHECK(errorOf(unaligned) == "at offset 12: section 1 must be aligned to 4 bytes, not 1");
  std::string nothing = StringRef(good).take_front(kHeaderSize).str() + bytes({0});
  CHECK(errorOf(nothing) == "at offset 13: there is no string section");
}

TEST_CASE("indices are checked", "[bytecode]") {
  ModuleFile file;
  file.body = bytes({16, 9, 0});
  CHECK_THAT(errorOf(file), Contains("result type is type 9, but there are only 3"));
  file.body = bytes({16, 1, 0});
  CHECK_THAT(errorOf(file), Contains("constant 0 does not exist, there are only 0"));
  file.body = bytes({1, 1, 0});
  CHECK_THAT(errorOf(file), Contains("operand 0 of cuda_tile.absi does not exist, there are only 0 values here"));
  file.body = bytes({5, 7, 0});
  CHECK_THAT(errorOf(file), Contains("message is string 7, but there are only 1"));
  file.body = bytes({200, 1});
  CHECK_THAT(errorOf(file), Contains("unknown opcode 200"));
  file.body = bytes({22});
  CHECK_THAT(errorOf(file), Contains("unknown opcode 22"));
  file.body = bytes({3, 1, 9, 0, 0});
  CHECK_THAT(errorOf(file), Contains("invalid overflow mode 9"));
  file.body = bytes({2, 1, 2, 0, 0, 0});
  CHECK_THAT(errorOf(file), Contains("unknown flags of operation addf") || Contains("operand 0"));
  file.location = 1;
  CHECK_THAT(errorOf(file), Contains("function 1 has no locations"));
}

TEST_CASE("what is newer than the file is refused", "[bytecode]") {
  ModuleFile file;
  file.body = bytes({110, 1, 0, 0});
  CHECK_THAT(errorOf(file), Contains("operation atan2 requires version 13.2, the file has version 13.1"));
  file.body = bytes({58, 1}) + ModuleFile::returnOp();
  file.types[0] = bytes({19});
  CHECK_THAT(errorOf(file), Contains("type tag 19 requires version 13.3, the file has version 13.1"));
  file.types[0] = bytes({0x82, 1});
  CHECK_THAT(errorOf(file), Contains("type f8E5M3FNU is not supported"));
  file.version = k13_3;
  file.types[0] = bytes({7});
  file.body = bytes({43, 1, 0, 7, 0});
  CHECK_THAT(errorOf(file), Contains("rounding mode 7 requires version 13.4"));
}

TEST_CASE("only entries are functions", "[bytecode]") {
  ModuleFile file;
  for (unsigned flags : {0, 1, 3, 10, 0xff}) {
    file.flags = flags;
    CHECK_THAT(errorOf(file), Contains("only public entries are supported"));
  }
  file.flags = kFunctionEntry | kFunctionHints;
  file.hints = bytes({3, 1});
  CHECK_THAT(errorOf(file), Contains("the hints of function \"k\" must not be true"));
  file.hints = bytes({11, 0});
  CHECK_THAT(textOf(file), Contains("entry @k()"));
}

TEST_CASE("nesting is bounded", "[bytecode]") {
  ModuleFile file;
  // loop { loop { ...
  for (unsigned i = 0; i < 100000; ++i)
    file.body = i == 0 ? bytes({65, 0, 0, 1, 1, 0, 1}) : file.body;
  std::string deep;
  for (unsigned i = 0; i < 100000; ++i)
    deep += bytes({65, 0, 0, 1, 1, 0, 1});
  file.body = deep;
  CHECK_THAT(errorOf(file), Contains("regions are nested deeper than 512"));

  file = ModuleFile();
  std::string array;
  for (unsigned i = 0; i < 100000; ++i)
    array += bytes({6, 1});
  file.flags = kFunctionEntry | kFunctionHints;
  file.hints = array;
  CHECK_THAT(errorOf(file), Contains("attributes are nested deeper than 16"));

  file = ModuleFile();
  file.types[2] = bytes({16, 1, 2, 0}); // a function that takes itself
  CHECK_THAT(errorOf(file), Contains("types are nested deeper than 16"));
}

TEST_CASE("types are verified", "[bytecode]") {
  ModuleFile file;
  file.body = bytes({58, 1}) + ModuleFile::returnOp();
  ByteWriter tile;
  tile.writeBytes(bytes({13, 0}));
  tile.writeIntegers(ArrayRef<int64_t>({3}));
  file.types[1] = tile.str().str();
  CHECK_THAT(errorOf(file), StartsWith("at offset ") && Contains("power"));
  file.types[1] = bytes({13, 1, 0}); // a tile of itself
  CHECK_THAT(errorOf(file), Contains("types are nested deeper than 16"));
  file.types[1] = bytes({13, 2, 0}); // a tile of functions
  CHECK_THAT(errorOf(file), StartsWith("at offset "));
}

TEST_CASE("parameters are bounded", "[bytecode]") {
  // Many functions share one large signature.
  ModuleFile file;
  ByteWriter signature, functions;
  signature.writeVarint(16);
  signature.writeVarint(30000);
  for (unsigned i = 0; i < 30000; ++i)
    signature.writeByte(1);
  signature.writeByte(0);
  file.types[2] = signature.str().str();
  functions.writeVarint(3);
  file.strings = {"a", "b", "c"};
  for (unsigned i = 0; i < 3; ++i)
    functions.writeBytes(bytes({i, 2, 2, 0, 3}) + ModuleFile::returnOp());
  file.otherSections[SectionId::Function] = functions.str().str();
  CHECK_THAT(errorOf(file), Contains("the functions have more than 65536 parameters"));
}

TEST_CASE("constants are checked against their type", "[bytecode]") {
  CHECK_THAT(textOf(constantFile(3, {2}, bytes({1, 0, 0, 0, 2, 0, 0, 0}))), Contains("<i32: [1, 2]>"));
  CHECK_THAT(textOf(constantFile(3, {2}, bytes({1, 0, 0, 0}))), Contains("<i32: 1> : tile<2xi32>"));
  CHECK_THAT(errorOf(constantFile(3, {2}, bytes({1, 0, 0}))), Contains("has 4 or 8 bytes, not 3"));
  CHECK_THAT(errorOf(constantFile(3, {2}, "")), Contains("has 4 or 8 bytes, not 0"));
  ModuleFile i4 = constantFile(22, {2}, bytes({1, 0x10}));
  i4.version = k13_3;
  CHECK_THAT(errorOf(i4), Contains("does not fit in 4 bits"));
}

TEST_CASE("both encodings of i1 constants are read", "[bytecode]") {
  const auto i1 = [](uint64_t count, const std::string &raw) { return textOf(constantFile(0, {count}, raw)); };
  CHECK_THAT(i1(1, bytes({0x01})), Contains("<i1: true>"));
  CHECK_THAT(i1(1, bytes({0xff})), Contains("<i1: true>"));
  CHECK_THAT(i1(1, bytes({0x00})), Contains("<i1: false>"));
  CHECK_THAT(i1(4, bytes({0xff})), Contains("<i1: true>"));
  CHECK_THAT(i1(4, bytes({0x0d})), Contains("[true, false, true, true]"));
  CHECK_THAT(i1(4, bytes({1, 0, 1, 1})), Contains("[true, false, true, true]"));
  CHECK_THAT(i1(16, bytes({0x01})), Contains("<i1: true>"));
  CHECK_THAT(i1(16, bytes({0x8d, 0x81})), Contains("[true, false, true, true, false, false, false, true, true, "));
  CHECK_THAT(errorOf(constantFile(0, {16}, bytes({0x02}))), Contains("neither 0 nor 1"));
  CHECK_THAT(errorOf(constantFile(0, {4}, bytes({1, 2, 1, 1}))), Contains("neither 0 nor 1"));
  CHECK_THAT(errorOf(constantFile(0, {16}, bytes({1, 2, 1}))), Contains("has 1, 2 or 16 bytes, not 3"));
}

TEST_CASE("an ambiguous i1 constant follows the others of the file", "[bytecode]") {
  // tile<4xi1> of the byte 1, and tile<4xi1> of 0, 1, 0, 1 or of its packed form with an unrelated tile<16xi1>.
  ModuleFile file = constantFile(0, {4}, bytes({0x01}));
  CHECK_THAT(textOf(file), Contains("<i1: [true, false, false, false]>"));
  file.constants.push_back(bytes({4, 0, 1, 0, 1}));
  file.body = bytes({16, 1, 0, 16, 1, 1}) + ModuleFile::returnOp();
  CHECK_THAT(textOf(file), Contains("<i1: true> : tile<4xi1>") && Contains("[false, true, false, true]"));
  file.constants[1] = bytes({1, 0xff});
  CHECK_THAT(textOf(file), Contains("<i1: [true, false, false, false]>") && Contains("<i1: true> : tile<4xi1>"));
}

TEST_CASE("shared call sites do not explode", "[bytecode]") {
  // Location i is a call site from location i - 1 to itself: 2^i places.
  ModuleFile file;
  file.location = 1;
  std::vector<std::string> attributes = {bytes({2, 0, 0}), bytes({1, 1}), bytes({5, 1, 1, 0, 0, 2, 1}),
                                         bytes({4, 3, 0, 1, 1})};
  for (unsigned i = 4; i < 40; ++i)
    attributes.push_back(bytes({6, i, i}));
  ByteWriter debug;
  debug.writeVarint(1);
  debug.padTo(4);
  debug.writeInteger<uint32_t>(0);
  debug.writeVarint(2);
  debug.padTo(8);
  debug.writeInteger<uint64_t>(4);
  debug.writeInteger<uint64_t>(40);
  debug.writeOffsetTable<uint32_t>(SmallVector<StringRef>(attributes.begin(), attributes.end()));
  file.otherSections[SectionId::Debug] = debug.str().str();
  CHECK_THAT(errorOf(file), Contains("a location has more than 4096 call sites"));
}

TEST_CASE("verification failures name the operation", "[bytecode]") {
  ModuleFile file;
  file.body = bytes({58, 1}); // iota of rank 0, and no return
  DialectContext context;
  ReadResult result = read(context, file.str());
  CHECK(!result.module);
  CHECK_THAT(result.error(), Contains("cuda_tile."));
}
