//===- SessionTest.cpp - One compilation, step by step --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Session.h"
#include "../ErrorMessage.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>

using namespace tileiras;

static constexpr const char *kernel = "cuda_tile.module @m {\n  entry @k(%p: tile<ptr<f32>>) {\n    return\n  }\n}\n";

namespace {
struct Outcome {
  ExitCode code = ExitCode::Success;
  std::string message, diagnostics, output;
};
} // namespace

static Outcome compile(CompilerOptions options, llvm::StringRef input = kernel) {
  Outcome outcome;
  llvm::raw_string_ostream diagnostics(outcome.diagnostics);
  options.diagnosticStream = &diagnostics;
  CompilerSession session(std::move(options));
  session.setInput(llvm::MemoryBuffer::getMemBufferCopy(input, "k.mlir"));
  if (llvm::Error error = session.compile())
    llvm::handleAllErrors(std::move(error), [&](const CompileError &failure) {
      outcome.code = failure.getExitCode();
      outcome.message = failure.message();
    });
  outcome.output = session.getOutput().str();
  return outcome;
}

static CompilerOptions emit(Product product) {
  CompilerOptions options;
  options.product = product;
  options.gpuName = "sm_90";
  return options;
}

TEST_CASE("a module is printed canonically") {
  Outcome outcome = compile(emit(Product::CudaTile));
  CHECK(outcome.message == "");
  CHECK(outcome.output.find("entry @k") != std::string::npos);
}

TEST_CASE("input that is no Tile IR") {
  for (llvm::StringRef input : {llvm::StringRef("\x01\x02\x03\x04", 4), llvm::StringRef(""), llvm::StringRef("  \n")}) {
    Outcome outcome = compile(emit(Product::CudaTile), input);
    CHECK(outcome.code == ExitCode::BadInput);
    CHECK(outcome.message.find("input does not correspond to Tile IR bytecode") != std::string::npos);
    CHECK(outcome.output.empty());
  }
  Outcome outcome = compile(emit(Product::CudaTile), "ML\xefR");
  CHECK(outcome.code == ExitCode::BadInput);
  CHECK(outcome.message.find("it looks like MLIR bytecode instead") != std::string::npos);
  outcome = compile(emit(Product::CudaTile), "cuda_tile.module @m {\n  oops\n}\n");
  CHECK(outcome.code == ExitCode::BadInput);
  CHECK(outcome.diagnostics.find("k.mlir:2:") != std::string::npos);
}

TEST_CASE("nesting of any depth is refused, not overflowed") {
  for (const char *bracket : {"(", "[", "{", "tensor<"}) {
    std::string input = "// (((\nmodule attributes {a = ";
    for (int i = 0; i < 300000; ++i)
      input += bracket;
    Outcome outcome = compile(emit(Product::CudaTile), input);
    CHECK(outcome.code == ExitCode::BadInput);
    CHECK(outcome.diagnostics.find("k.mlir:2:") != std::string::npos);
    CHECK(outcome.diagnostics.find("brackets are nested too deeply") != std::string::npos);
  }
  std::string input = "module @\"" + std::string(300000, '(') + "\" {}\n";
  CHECK(compile(emit(Product::CudaTile), input).code == ExitCode::Success);
}

TEST_CASE("an unknown GPU is a configuration error that lists the known ones") {
  CompilerOptions options = emit(Product::PTX);
  options.gpuName = "sm_12345";
  Outcome outcome = compile(options);
  CHECK(outcome.code == ExitCode::Configuration);
  CHECK(outcome.message.find("unknown GPU 'sm_12345'; known are ") != std::string::npos);
  CHECK(outcome.message.find("sm_90") != std::string::npos);
}

TEST_CASE("wrong options are refused before the input is looked at") {
  CompilerOptions options = emit(Product::PTX);
  options.settings = {"num-warp=4"};
  CHECK(compile(options).message == "--set: error: unknown option 'num-warp'; did you mean 'num-warps'?");
  CHECK(compile(options).code == ExitCode::Usage);
  options = emit(Product::PTX);
  options.profile = "o33";
  CHECK(compile(options).code == ExitCode::Configuration);
  CHECK(compile(options).message == "error: unknown profile 'o33'; did you mean 'o3'?");
  options = emit(Product::PTX);
  options.pluginFiles = {"/nowhere/tileiras-x.so"};
  CHECK(compile(options).code == ExitCode::Configuration);
  options = emit(Product::PTX);
  options.deviceDebug = true;
  options.optLevel = 2;
  CHECK(compile(options).message.find("optimized debugging is not supported") != std::string::npos);
}

TEST_CASE("the merge order: profile, then tileir{…}, then flags") {
  CompilerOptions options = emit(Product::CudaTile);
  options.passPipeline = "tileir{opt-level=1,num-warps=2,ftz=true}";
  options.optLevel = 2;
  options.settings = {"num-warps=8"};
  CompilerSession session(options);
  REQUIRE(messageOf(session.discoverPlugins()) == "");
  REQUIRE(messageOf(session.resolveProfile()) == "");
  const OptionSet &merged = session.getProfile().options;
  CHECK(merged.getInteger("opt-level") == 2);
  CHECK(merged.get("opt-level").origin.str() == "-O");
  CHECK(merged.getInteger("num-warps") == 8);
  CHECK(merged.get("num-warps").origin.str() == "--set");
  CHECK(merged.getBool("ftz"));
  CHECK(merged.get("ftz").origin.str() == "--pass-pipeline");
}

TEST_CASE("the same input gives the same bytes") {
  Outcome first = compile(emit(Product::PTX)), second = compile(emit(Product::PTX));
  CHECK(first.message == "");
  CHECK(first.output == second.output);
}
