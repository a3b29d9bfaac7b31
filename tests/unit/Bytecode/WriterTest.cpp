//===- WriterTest.cpp - What can be written in which version --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleFile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <catch2/catch.hpp>

using namespace llvm;
using namespace tileiras;
using namespace tileiras::bytecode;
using Catch::Matchers::Contains;

/// The bytes of an operation, or the error.
static std::pair<std::string, std::string> write(mlir::Operation *op, BytecodeVersion version) {
  std::string file, error;
  mlir::ScopedDiagnosticHandler handler(op->getContext(), [&](mlir::Diagnostic &diagnostic) {
    error = diagnostic.str();
    return success();
  });
  raw_string_ostream os(file);
  const bool ok = succeeded(writeBytecode(op, os, version));
  CHECK(ok == error.empty());
  CHECK(ok != file.empty());
  return {file, error};
}

/// Writes a kernel with this body: the error in each version.
static std::vector<std::string> errorsOf(StringRef body, StringRef before = "") {
  DialectContext context;
  auto module = parse(context, ("cuda_tile.module @kernels {\n" + before +
                                "entry @k(%f: tile<f32>, %i: tile<i32>) {\n" + body + "\nreturn\n}\n}")
                                   .str());
  REQUIRE(module);
  std::vector<std::string> errors;
  for (BytecodeVersion version : BytecodeVersion::supported())
    errors.push_back(write(*module, version).second);
  return errors;
}

/// Checks that a body can be written from `since` on, and that earlier versions say why not.
static void checkSince(BytecodeVersion since, StringRef body, StringRef before = "") {
  INFO(body.str() << before.str());
  std::vector<std::string> errors = errorsOf(body, before);
  for (auto [version, error] : llvm::zip_equal(BytecodeVersion::supported(), errors)) {
    INFO(version.str() << " " << error);
    CHECK(error.empty() == (version >= since));
    if (version < since)
      CHECK_THAT(error, Contains("requires bytecode version " + since.str() + ", cannot be written as version " +
                                 version.str()));
  }
}

TEST_CASE("every sample is the same after writing and reading, in every version", "[bytecode]") {
  for (const char *text : sampleModules())
    for (BytecodeVersion version : BytecodeVersion::supported()) {
      DialectContext context;
      auto module = parse(context, text);
      REQUIRE(module);
      auto [file, error] = write(*module, version);
      INFO(error);
      ReadResult result = read(context, file);
      INFO(result.error());
      REQUIRE(result.module);
      CHECK(write(*result.module, version).first == file);
      // File locations outside of debug scopes are not in the format: compare without locations unless they are.
      if (StringRef(text).contains("di_loc"))
        CHECK(print(*result.module) == print(*module));
    }
}

TEST_CASE("later operations, attributes, values and types need their version", "[bytecode]") {
  checkSince(k13_1, "%0 = exp %f : tile<f32>");
  checkSince(k13_3, "%0 = exp %f rounding<approx> : tile<f32>");
  checkSince(k13_1, "%0 = tanh %f : tile<f32>");
  checkSince(k13_2, "%0 = tanh %f rounding<approx> : tile<f32>");
  checkSince(k13_1, "%0 = negi %i : tile<i32>");
  checkSince(k13_2, "%0 = negi %i overflow<no_signed_wrap> : tile<i32>");
  checkSince(k13_2, "%0 = atan2 %f, %f : tile<f32>");
  checkSince(k13_2, "%0 = constant <f8E8M0FNU: 1.0> : tile<f8E8M0FNU>");
  checkSince(k13_3, "%0 = constant <i4: 1> : tile<i4>");
  checkSince(k13_3, "%0 = constant <f4E2M1FN: 1.0> : tile<f4E2M1FN>");
  checkSince(k13_1, "print_tko \"x\" -> token");
  checkSince(k13_2, "%0 = print_tko \"x\" -> token\n%1 = print_tko \"y\" token=%0 -> token");
  checkSince(k13_3, "", "global private @g <i32: 1> : tile<1xi32>\n");
  checkSince(k13_3, "", "global constant @g <i32: 1> : tile<1xi32>\n");
  checkSince(k13_1, "", "global @g <i32: 1> : tile<1xi32>\n");
}

TEST_CASE("i1 constants are written packed", "[bytecode]") {
  DialectContext context;
  auto module = parse(context, R"(cuda_tile.module @kernels {
    entry @k() {
      %0 = constant <i1: true> : tile<i1>
      %1 = constant <i1: [true, false, true, true]> : tile<4xi1>
      %2 = constant <i1: false> : tile<32xi1>
      return
    }
  })");
  REQUIRE(module);
  CHECK_THAT(write(*module, k13_1).first, Contains(bytes({1, 0xff, 1, 0x0d, 1, 0x00})));
}

TEST_CASE("what the format cannot express is an error", "[bytecode]") {
  for (auto [location, kind] : {std::pair("fused[\"a.py\":1:1, \"b.py\":2:2]", "fused"), std::pair("\"x\"", "named")}) {
    DialectContext context;
    auto module =
        parse(context, (Twine("cuda_tile.module @kernels { entry @k() { return loc(") + location + ") } }").str());
    REQUIRE(module);
    CHECK_THAT(write(*module, k13_3).second, Contains(std::string("cannot express a ") + kind + " location"));
  }
  DialectContext context;
  auto module = parse(context, "cuda_tile.module @kernels { entry @k() { return } }");
  auto entry = *module->getBody().front().getOps<cuda_tile::EntryOp>().begin();
  entry.getBody().front().back().setAttr("mine", mlir::UnitAttr::get(&context));
  CHECK_THAT(write(*module, k13_3).second, Contains("attribute 'mine' cannot be written"));
  CHECK_THAT(write(entry, k13_3).second, Contains("only a cuda_tile.module"));
  CHECK_THAT(write(*module, BytecodeVersion(13, 9)).second, Contains("unsupported Tile IR bytecode version 13.9"));
}

TEST_CASE("a builtin module that holds one tile module is written", "[bytecode]") {
  DialectContext context;
  const auto parseOuter = [&](StringRef text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context));
  };
  auto one = parseOuter("module { cuda_tile.module @a { entry @k() { return } } }");
  CHECK(write(*one, k13_3).second.empty());
  auto two = parseOuter("module { cuda_tile.module @a {} cuda_tile.module @b {} }");
  CHECK_THAT(write(*two, k13_3).second, Contains("holds just one"));
}

TEST_CASE("the producer survives from 13.3 on", "[bytecode]") {
  DialectContext context;
  auto module = parse(context, "cuda_tile.module @kernels attributes {producer = \"me 1.0\"} {}");
  REQUIRE(module);
  ReadResult newer = read(context, write(*module, k13_3).first);
  REQUIRE(newer.module);
  CHECK(newer.module->getProducer() == "me 1.0");
  ReadResult older = read(context, write(*module, k13_2).first);
  REQUIRE(older.module);
  CHECK(!older.module->getProducer());
}
