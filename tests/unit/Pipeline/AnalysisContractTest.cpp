//===- AnalysisContractTest.cpp - Analyses that passes hand on ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Pipeline/AnalysisContract.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Pipeline/CorePasses.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"
#include <catch2/catch.hpp>

using namespace mlir;
using namespace tileiras;

namespace {

template <typename Derived>
struct TestPass : PassWrapper<Derived, OperationPass<>> {
  StringRef getArgument() const override { return Derived::argument; }
};

/// Publishes the analysis.
struct Generate : TestPass<Generate> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Generate)
  static constexpr StringLiteral argument = "test-generate";
  void runOnOperation() override {
    getAnalysis<ScheduleAnalysis>().publish({});
    markAllAnalysesPreserved();
  }
};

/// Uses it.
struct Materialize : TestPass<Materialize> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Materialize)
  static constexpr StringLiteral argument = "test-materialize";
  void runOnOperation() override { sawPublished = getAnalysis<ScheduleAnalysis>().isPublished(); }
  static inline bool sawPublished;
};

/// Does not keep it, and does not say so either when it is registered as `test-liar`.
struct Spoil : TestPass<Spoil> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Spoil)
  static constexpr StringLiteral argument = "test-spoil";
  void runOnOperation() override {}
};

struct Liar : TestPass<Liar> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Liar)
  static constexpr StringLiteral argument = "test-liar";
  void runOnOperation() override {}
};

} // namespace

static Registry makeRegistry() {
  Registry registry;
  std::vector<PassEntry> entries = getCorePasses();
  entries.push_back({.create = [] { return std::make_unique<Generate>(); },
                     .producedAnalyses = {"ScheduleAnalysis"},
                     .preservedAnalyses = {"ScheduleAnalysis"}});
  entries.push_back(
      {.create = [] { return std::make_unique<Materialize>(); }, .requiredAnalyses = {"ScheduleAnalysis"}});
  entries.push_back({.create = [] { return std::make_unique<Spoil>(); }});
  entries.push_back({.create = [] { return std::make_unique<Liar>(); }, .preservedAnalyses = {"ScheduleAnalysis"}});
  for (PassEntry &entry : entries)
    if (llvm::Error error = registry.addPass(std::move(entry)))
      FAIL(llvm::toString(std::move(error)));
  return registry;
}

namespace {
/// What building and running a pipeline on a small function says.
struct Outcome {
  std::string buildError, runError;
  bool succeeded = false;
};
} // namespace

static Outcome runPipeline(const std::string &text) {
  Outcome outcome;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<func::FuncDialect, arith::ArithDialect>();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) { outcome.runError += diagnostic.str(); });
  // Something for canonicalize and cse to change.
  auto module = parseSourceString<ModuleOp>("func.func @f(%a: i32) -> i32 {\n"
                                            "  %c = arith.constant 1 : i32\n  %d = arith.constant 1 : i32\n"
                                            "  %x = arith.addi %a, %c : i32\n  %y = arith.addi %a, %d : i32\n"
                                            "  %z = arith.addi %x, %y : i32\n  return %z : i32\n}\n",
                                            &context);
  REQUIRE(module);
  Registry registry = makeRegistry();
  PassManager manager(&context, ModuleOp::getOperationName());
  llvm::Expected<PipelinePlan> plan = parsePipelineText(text, Origin());
  REQUIRE(static_cast<bool>(plan));
  if (llvm::Error error = buildPipeline(*plan, registry, manager))
    outcome.buildError = llvm::toString(std::move(error));
  else
    outcome.succeeded = succeeded(manager.run(*module));
  return outcome;
}

static Outcome run(llvm::StringRef passes) {
  return runPipeline(("builtin.module(func.func(" + passes + "))").str());
}

TEST_CASE("canonicalize and cse may change the IR between producer and consumer") {
  Materialize::sawPublished = false;
  Outcome outcome = run("test-generate,canonicalize,cse,test-materialize");
  CHECK(outcome.buildError == "");
  CHECK(outcome.runError == "");
  CHECK(outcome.succeeded);
  CHECK(Materialize::sawPublished);
}

TEST_CASE("a pass that declares nothing is rejected when the pipeline is built") {
  CHECK(run("test-generate,canonicalize,test-spoil,test-materialize").buildError ==
        "error: pass 'test-spoil' between schedule generation and materialization does not preserve ScheduleAnalysis");
}

TEST_CASE("an analysis of a function does not outlive its group of passes") {
  CHECK(runPipeline("builtin.module(func.func(test-generate),canonicalize,func.func(test-materialize))").buildError ==
        "error: pass 'canonicalize' between schedule generation and materialization does not preserve "
        "ScheduleAnalysis: it runs on 'builtin.module', and an analysis does not outlive the group of passes on "
        "'func.func' that makes it");
  CHECK(runPipeline("builtin.module(func.func(test-generate),test-materialize)").buildError ==
        "error: pass 'test-materialize' needs ScheduleAnalysis, which does not outlive the group of passes on "
        "'func.func' that makes it");
  CHECK(runPipeline("builtin.module(test-generate,func.func(canonicalize),test-materialize)")
            .buildError.find("it runs on 'func.func'") != std::string::npos);
}

TEST_CASE("neighbouring groups on one anchor are one") {
  Materialize::sawPublished = false;
  Outcome outcome = runPipeline("builtin.module(func.func(test-generate),func.func(canonicalize,test-materialize))");
  CHECK(outcome.buildError == "");
  CHECK(outcome.succeeded);
  CHECK(Materialize::sawPublished);
}

TEST_CASE("before the producer and after the consumer anything goes") {
  CHECK(run("test-spoil,test-generate,test-materialize,test-spoil").succeeded);
  CHECK(run("test-generate,test-spoil").succeeded);
  CHECK(run("test-generate,test-spoil,test-generate,test-materialize").succeeded);
}

TEST_CASE("a consumer without a producer is rejected") {
  CHECK(run("test-materialize").buildError ==
        "error: pass 'test-materialize' needs ScheduleAnalysis, which no earlier pass of the pipeline produces");
}

TEST_CASE("a pass that breaks its word is caught when the pipeline runs") {
  Outcome outcome = run("test-generate,test-liar,test-materialize");
  CHECK(outcome.buildError == "");
  CHECK_FALSE(outcome.succeeded);
  CHECK(outcome.runError ==
        "cleanup pass invalidated ScheduleAnalysis; rerun constraint generation or remove the pass");
}
