//===- WorkTest.cpp - What operations make a CTA do -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Dialect/TileAS/WorkCollector.h"
#include "tileiras/Plugin/Dialects.h"
#include <catch2/catch.hpp>

using namespace mlir;
using namespace tileiras;

namespace {

DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

/// The first operation of a function that has a number of each type.
struct Program {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;

  Program() : context(makeRegistry()) { context.loadAllAvailableDialects(); }

  Operation *parse(llvm::StringRef line) {
    std::string text = ("#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [8], order = [0]>\n"
                        "!tile = tensor<1024xf32, #t>\n!pointer = !nv_tileaa.ptr<f32>\n"
                        "nv_tileaa.func @f(%i: i32, %h: f16, %x: f32, %y: f64, %b: i1, %p: !pointer, %t: !tile) {\n  " +
                        line + "\n  nv_tileaa.return\n}")
                           .str();
    module = parseSourceString<ModuleOp>(text, &context, "work.mlir");
    REQUIRE(module);
    auto function = cast<FunctionOpInterface>(module->getBody()->front());
    return &function.getFunctionBody().front().front();
  }

  /// Of the operation whose result is `expression`.
  std::optional<ElementWork> ask(llvm::StringRef expression) {
    return getElementWork(parse(("%r = " + expression).str()));
  }
};

/// "kind amount; " of each work.
std::string describe(Operation *op) {
  FailureOr<SmallVector<WorkQuery>> works = getOperationWork(op);
  REQUIRE(succeeded(works));
  std::string text;
  for (const WorkQuery &work : *works)
    text += (stringifyWorkKind(work.kind) + " " + std::to_string(work.amount) + "; ").str();
  return text;
}

} // namespace

TEST_CASE("every operation that may stand in a loop with a schedule says its work") {
  Program program;
  unsigned numOperations = 0;
  auto check = [&](RegisteredOperationName name) {
    if (name.hasTrait<OpTrait::IsTerminator>() || name.hasTrait<OpTrait::ConstantLike>() ||
        name.hasInterface<FunctionOpInterface>())
      return;
    INFO(name.getStringRef().str());
    CHECK(name.hasInterface<WorkOpInterface>());
    ++numOperations;
  };
  // getRegisteredOperationsByDialect of MLIR 22 leaves out most: it compares names by StringRef::compare as a bool.
  for (RegisteredOperationName name : program.context.getRegisteredOperations()) {
    const llvm::StringRef dialect = name.getDialectNamespace();
    const bool isLowered = name.hasTrait<OpTrait::Elementwise>() || name.hasTrait<aa::StaysInTileAS>();
    if (dialect == "nv_tileas" || dialect == "arith" || dialect == "math" || (dialect == "nv_tileaa" && isLowered))
      check(name);
  }
  CHECK(numOperations > 150);
}

TEST_CASE("ordinary instructions are no functions, whatever dialect they are from") {
  Program program;
  CHECK(program.ask("math.fma %x, %x, %x : f32") == ElementWork::Float);
  CHECK(program.ask("nv_tileaa.fma %x, %x, %x ftz : f32") == ElementWork::Float);
  CHECK(program.ask("math.absf %x : f32") == ElementWork::Float);
  CHECK(program.ask("math.copysign %x, %x : f32") == ElementWork::Float);
  CHECK(program.ask("math.fma %y, %y, %y : f64") == ElementWork::Double);
  CHECK(program.ask("math.absi %i : i32") == ElementWork::Integer);
  CHECK(program.ask("math.ctpop %i : i32") == ElementWork::Integer);
  CHECK(program.ask("arith.addf %h, %h : f16") == ElementWork::Float);
  CHECK(program.ask("arith.cmpf olt, %x, %x : f32") == ElementWork::Integer);
  CHECK(program.ask("arith.cmpf olt, %y, %y : f64") == ElementWork::Integer);
  CHECK(program.ask("arith.select %b, %y, %y : f64") == ElementWork::Integer);
  CHECK(program.ask("arith.maximumf %x, %x : f32") == ElementWork::Integer);
  CHECK(program.ask("arith.maximumf %y, %y : f64") == ElementWork::Double);
  CHECK(program.ask("nv_tileaa.maxf %x, %x : f32") == ElementWork::Integer);
  CHECK(program.ask("nv_tileaa.maxf %y, %y : f64") == ElementWork::Double);
  CHECK(program.ask("nv_tileaa.addptr %p, %i : !pointer, i32") == ElementWork::Integer);
}

TEST_CASE("functions are of three kinds") {
  Program program;
  CHECK(program.ask("arith.divf %x, %x : f32") == ElementWork::Division);
  CHECK(program.ask("math.sqrt %x : f32") == ElementWork::Division);
  CHECK(program.ask("nv_tileaa.sqrt %x rounding<approx> : f32") == ElementWork::Division);
  CHECK(program.ask("math.exp2 %x : f32") == ElementWork::Special);
  CHECK(program.ask("nv_tileaa.exp2 %x ftz : f32") == ElementWork::Special);
  CHECK(program.ask("math.rsqrt %x : f32") == ElementWork::Special);
  CHECK(program.ask("math.sin %x : f32") == ElementWork::Sequence);
  CHECK(program.ask("arith.remf %x, %x : f32") == ElementWork::Sequence);
  CHECK(program.ask("arith.divsi %i, %i : i32") == ElementWork::Sequence);
  CHECK(program.ask("arith.ceildivsi %i, %i : i32") == ElementWork::Sequence);
  CHECK(program.ask("arith.floordivsi %i, %i : i32") == ElementWork::Sequence);
  for (ElementWork work : {ElementWork::Special, ElementWork::Division, ElementWork::Sequence})
    CHECK(isCostly(work));
  for (ElementWork work : {ElementWork::Free, ElementWork::Move, ElementWork::Integer, ElementWork::Float,
                           ElementWork::Double, ElementWork::Conversion, ElementWork::Narrowing})
    CHECK_FALSE(isCostly(work));
}

TEST_CASE("conversions follow from the types, and other names cost nothing") {
  Program program;
  CHECK(program.ask("arith.truncf %x : f32 to f16") == ElementWork::Narrowing);
  CHECK(program.ask("arith.truncf %y : f64 to f32") == ElementWork::Conversion);
  CHECK(program.ask("arith.extf %h : f16 to f32") == ElementWork::Conversion);
  CHECK(program.ask("arith.sitofp %i : i32 to f32") == ElementWork::Conversion);
  CHECK(program.ask("nv_tileaa.ftoi %x signed : f32 to i32") == ElementWork::Conversion);
  CHECK(program.ask("arith.extsi %i : i32 to i64") == ElementWork::Integer);
  CHECK(program.ask("arith.bitcast %x : f32 to i32") == ElementWork::Free);
  CHECK(program.ask("nv_tileaa.bitcast %p : !pointer to !nv_tileaa.ptr<i32>") == ElementWork::Free);
  CHECK(program.ask("arith.constant 1 : i32") == ElementWork::Free);
}

TEST_CASE("what is no number takes what an integer does") {
  Program program;
  CHECK(program.ask("nv_tileaa.alloca 16 bytes, alignment = 16 : !nv_tileaa.ptr<f32, 0>") == ElementWork::Integer);
  CHECK(program.ask("nv_tileaa.get_program_id x") == ElementWork::Integer);
  CHECK(program.ask("arith.select %b, %p, %p : !pointer") == ElementWork::Integer);
  CHECK(describe(program.parse("%r = nv_tileaa.alloca 16 bytes, alignment = 16 : !nv_tileaa.ptr<f32, 0>")) ==
        "integer arithmetic 128; ");
}

TEST_CASE("an operation of several steps has no single word for its elements") {
  Program program;
  CHECK_FALSE(program.ask("scf.if %b -> i32 { scf.yield %i : i32 } else { scf.yield %i : i32 }"));
  CHECK_FALSE(program.ask("nv_tileas.convert_layout %t : !tile -> !tile"));
}

TEST_CASE("amounts are those of all warps of the function") {
  Program program;
  CHECK(describe(program.parse("%r = arith.addf %x, %x : f32")) == "float arithmetic 128; ");
  CHECK(describe(program.parse("%r = arith.bitcast %x : f32 to i32")) == "");
  auto inKernel = [&](llvm::StringRef line) {
    std::string text =
        ("#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [8], order = [0]>\n"
         "!tile = tensor<1024xf32, #t>\n"
         "nv_tileaa.func @f(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {\n"
         "  %t = nv_tileas.splat %x : !tile\n  " +
         line + "\n  nv_tileaa.return\n}")
            .str();
    program.module = parseSourceString<ModuleOp>(text, &program.context, "work.mlir");
    REQUIRE(program.module);
    auto function = cast<FunctionOpInterface>(program.module->getBody()->front());
    return describe(function.getFunctionBody().front().front().getNextNode());
  };
  CHECK(inKernel("%r = math.exp2 %t : !tile") == "special functions 1024; ");
  // Each element is added once; then five steps within each warp, and an exchange between the warps.
  CHECK(inKernel("%r = nv_tileas.reduce %t axis = 0 identities = [0.0 : f32] atom = \"universal_reduce\"\n"
                 "  : (!tile) -> f32 {\n  ^bb0(%e: f32, %acc: f32):\n    %s = arith.addf %e, %acc : f32\n"
                 "    nv_tileas.yield %s : f32\n  }") ==
        "float arithmetic 1024; shuffles 1280; stores to shared memory 1024; barriers 1; loads from shared memory "
        "1024; ");
}

TEST_CASE("where MLIR's operations have not been told their work nothing is guessed") {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, math::MathDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      "func.func @f(%x: f32) {\n  %r = math.sin %x : f32\n  %s = arith.addf %r, %x : f32\n  return\n}", &context);
  REQUIRE(module);
  module->walk([&](Operation *op) { CHECK_FALSE(getElementWork(op)); });
}
