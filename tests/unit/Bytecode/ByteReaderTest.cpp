//===- ByteReaderTest.cpp - Varints, integers and offset tables -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ByteReader.h"
#include "ByteWriter.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include <catch2/catch.hpp>

using namespace llvm;
using namespace tileiras::bytecode;

namespace {

/// Reads bytes and keeps the last error.
struct Bytes {
  mlir::MLIRContext context;
  std::string error;
  mlir::ScopedDiagnosticHandler handler{&context, [&](mlir::Diagnostic &diagnostic) {
                                          error = diagnostic.str();
                                          return success();
                                        }};
  std::vector<uint8_t> storage;
  ByteReader reader;

  explicit Bytes(ArrayRef<uint8_t> bytes, uint64_t offset = 0)
      : storage(bytes), reader(storage, offset, mlir::UnknownLoc::get(&context)) {}
  explicit Bytes(StringRef bytes) : Bytes(arrayRefFromStringRef(bytes)) {}
};

} // namespace

TEST_CASE("varints round-trip", "[bytecode]") {
  SmallVector<uint64_t> values = {0, 1, 127, 128, 300, UINT32_MAX, UINT64_MAX};
  for (unsigned bit = 0; bit < 64; ++bit)
    values.append({uint64_t(1) << bit, (uint64_t(1) << bit) - 1});
  ByteWriter writer;
  for (uint64_t value : values) {
    writer.writeVarint(value);
    writer.writeSignedVarint(static_cast<int64_t>(value));
  }
  Bytes bytes(writer.str());
  for (uint64_t value : values) {
    uint64_t read;
    int64_t readSigned;
    REQUIRE(succeeded(bytes.reader.readVarint(read, "number")));
    REQUIRE(succeeded(bytes.reader.readSignedVarint(readSigned, "number")));
    CHECK(read == value);
    CHECK(readSigned == static_cast<int64_t>(value));
  }
  CHECK(bytes.reader.remaining() == 0);
}

TEST_CASE("varints that are too long or cut off are errors", "[bytecode]") {
  uint64_t value;
  // 2^64 - 1 takes ten bytes, the last of which is 1.
  SmallVector<uint8_t> longest(9, 0xff);
  longest.push_back(0x01);
  CHECK(succeeded(Bytes(longest).reader.readVarint(value, "number")));
  longest.back() = 0x02;
  Bytes tooBig(longest, 100);
  CHECK(failed(tooBig.reader.readVarint(value, "number")));
  CHECK(tooBig.error == "at offset 100: number does not fit in 64 bits");

  Bytes endless(SmallVector<uint8_t>(11, 0x80));
  CHECK(failed(endless.reader.readVarint(value, "number")));
  Bytes cut(SmallVector<uint8_t>{0x80}, 7);
  CHECK(failed(cut.reader.readVarint(value, "number")));
  CHECK(cut.error == "at offset 7: unexpected end of data, expected number");
}

TEST_CASE("zigzag encodings of unsigned numbers are understood", "[bytecode]") {
  // 0xfff0000000000000 shifted left by one takes 65 bits.
  Bytes bytes(SmallVector<uint8_t>{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xf0, 0xff, 0x03});
  uint64_t bits;
  REQUIRE(succeeded(bytes.reader.readZigzagBits(bits, "bits")));
  CHECK(bits == 0xfff0000000000000);
  ByteWriter writer;
  writer.writeSignedVarint(static_cast<int64_t>(0xfff0000000000000));
  Bytes standard(writer.str());
  REQUIRE(succeeded(standard.reader.readZigzagBits(bits, "bits")));
  CHECK(bits == 0xfff0000000000000);
}

TEST_CASE("integers are little endian", "[bytecode]") {
  Bytes bytes(SmallVector<uint8_t>{0x01, 0x02, 0xff, 0xff, 0xff, 0xff, 0x00});
  uint16_t two;
  int32_t four;
  REQUIRE(succeeded(bytes.reader.readInteger(two, "two")));
  REQUIRE(succeeded(bytes.reader.readInteger(four, "four")));
  CHECK(two == 0x0201);
  CHECK(four == -1);
  CHECK(failed(bytes.reader.readInteger(two, "two")));
  CHECK(bytes.error == "at offset 6: unexpected end of data, expected two of 2 bytes but only 1 remain");
}

TEST_CASE("a count is bounded by what remains", "[bytecode]") {
  ByteWriter writer;
  writer.writeVarint(uint64_t(1) << 40);
  writer.writeInteger<uint64_t>(0);
  Bytes bytes(writer.str());
  SmallVector<int64_t> values;
  CHECK(failed(bytes.reader.readIntegers(values, "size")));
  CHECK(bytes.error == "at offset 0: size 1099511627776 is more than the remaining 8 bytes can hold");
}

TEST_CASE("offset tables round-trip", "[bytecode]") {
  ByteWriter writer;
  writer.writeOffsetTable<uint32_t>({"ab", "", "cde"});
  Bytes bytes(writer.str());
  SmallVector<ByteReader> entries;
  REQUIRE(succeeded(readOffsetTable(bytes.reader, 4, "string", entries)));
  REQUIRE(entries.size() == 3);
  CHECK(entries[0].remaining() == 2);
  CHECK(entries[1].remaining() == 0);
  CHECK(entries[2].remaining() == 3);
  CHECK(entries[2].offset() == 18);
}

TEST_CASE("offsets that decrease or lead outside are errors", "[bytecode]") {
  for (auto [first, second] : {std::pair(0u, 9u), std::pair(1u, 2u), std::pair(3u, 1u)}) {
    ByteWriter writer;
    writer.writeVarint(2);
    writer.padTo(4);
    writer.writeInteger<uint32_t>(first);
    writer.writeInteger<uint32_t>(second);
    writer.writeBytes("abcd");
    Bytes bytes(writer.str());
    SmallVector<ByteReader> entries;
    CHECK(failed(readOffsetTable(bytes.reader, 4, "string", entries)));
    CHECK(StringRef(bytes.error).starts_with("at offset "));
  }
}
