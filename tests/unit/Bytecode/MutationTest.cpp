//===- MutationTest.cpp - Damaged files never crash the reader ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleFile.h"
#include <catch2/catch.hpp>
#include <random>

using namespace llvm;
using namespace tileiras;
using namespace tileiras::bytecode;

/// The files to damage: the samples in every version that can express them.
static std::vector<std::string> sampleFiles() {
  std::vector<std::string> files = {ModuleFile().str()};
  DialectContext context;
  for (const char *text : sampleModules()) {
    auto module = parse(context, text);
    REQUIRE(module);
    for (BytecodeVersion version : BytecodeVersion::supported()) {
      std::string file;
      raw_string_ostream os(file);
      REQUIRE(succeeded(writeBytecode(*module, os, version)));
      files.push_back(file);
    }
  }
  return files;
}

/// Reads a damaged file: it gives errors, or a module that can be written and read again.
static void readDamaged(StringRef file) {
  DialectContext context;
  ReadResult result = read(context, file);
  if (!result.module) {
    CHECK(!result.errors.empty());
    return;
  }
  std::string again;
  raw_string_ostream os(again);
  REQUIRE(succeeded(writeBytecode(*result.module, os, *getBytecodeVersion(MemoryBufferRef(file, "")))));
  ReadResult second = read(context, again);
  INFO(second.error());
  REQUIRE(second.module);
  CHECK(print(*second.module) == print(*result.module));
}

TEST_CASE("files cut off anywhere are errors", "[bytecode]") {
  for (const std::string &file : sampleFiles())
    for (size_t size = 0; size < file.size(); ++size) {
      DialectContext context;
      ReadResult result = read(context, StringRef(file).take_front(size));
      CHECK(!result.module);
      CHECK(result.errors.size() == 1);
    }
}

TEST_CASE("files with one bit changed are read or refused", "[bytecode]") {
  for (const std::string &file : sampleFiles())
    for (size_t bit = 0; bit < file.size() * 8; ++bit) {
      std::string damaged = file;
      damaged[bit / 8] ^= static_cast<char>(1 << (bit % 8));
      readDamaged(damaged);
    }
}

TEST_CASE("files with several bytes changed, removed or doubled are read or refused", "[bytecode]") {
  std::mt19937 random(13);
  const std::vector<std::string> files = sampleFiles();
  for (unsigned round = 0; round < 5000; ++round) {
    std::string damaged = files[random() % files.size()];
    for (unsigned edits = 1 + random() % 6; edits; --edits) {
      const size_t at = random() % damaged.size();
      switch (random() % 3) {
      case 0:
        damaged[at] = static_cast<char>(random());
        break;
      case 1:
        damaged.erase(at, 1 + random() % 4);
        break;
      case 2:
        damaged.insert(at, damaged.substr(at, 1 + random() % 8));
        break;
      }
      if (damaged.empty())
        damaged = "x";
    }
    readDamaged(damaged);
  }
}
