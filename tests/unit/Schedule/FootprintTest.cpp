//===- FootprintTest.cpp - What operations cost ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMessage.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Dialect/TileAS/WorkCollector.h"
#include "tileiras/NVIDIA/CommonAtoms.h"
#include "tileiras/NVIDIA/MmaSync.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"
#include <catch2/catch.hpp>

using namespace mlir;
using namespace tileiras;
using Catch::Matchers::Contains;

namespace {

std::vector<MachineUnit> makeUnits() {
  using enum WorkKind;
  return {
      {"issue", 1, 4, {{Integer, 128}, {Float, 128}, {Double, 128}, {Special, 128}, {Conversion, 128}}},
      {"alu", 1, 4, {{Integer, 64, 4}}},
      {"fma", 1, 4, {{Float, 128, 4}}},
      {"xu", 1, 4, {{Special, 16, 18}, {Conversion, 16, 18}}},
      {"xu64", 1, 4, {{Double, 2, 8}}},
      {"lsu", 1, 1, {{SharedRead, 128, 30}, {GlobalRead, 32, 400}}},
      {"mma", 1, 4, {{Product}}},
  };
}

struct Machine {
  MachineModel model;
  AtomCatalogue atoms;
  MLIRContext context;
  std::string said;
  ScopedDiagnosticHandler handler{&context, [this](Diagnostic &diagnostic) {
                                    said += diagnostic.str() + "\n";
                                    return success();
                                  }};

  Machine() {
    model.units = makeUnits();
    addCommonAtoms(atoms, {});
    addMmaSyncAtoms(atoms.mma, {"f16"}, {"f16"}, {"f32"}, {16}, 512);
  }

  FailureOr<Footprint> ask(const WorkQuery &query) {
    return computeFootprint(query, model, atoms, [&] { return emitError(UnknownLoc::get(&context)); });
  }
  static const UnitUse *find(const Footprint &footprint, llvm::StringRef unit) {
    auto it = llvm::find_if(footprint.uses, [&](const UnitUse &use) { return use.unit == unit; });
    return it == footprint.uses.end() ? nullptr : &*it;
  }
};

} // namespace

TEST_CASE("cycles follow from amount and rate") {
  Machine machine;
  FailureOr<Footprint> adds = machine.ask({.kind = WorkKind::Integer, .amount = 6400, .warps = 4});
  REQUIRE(succeeded(adds));
  REQUIRE(Machine::find(*adds, "alu"));
  CHECK(Machine::find(*adds, "alu")->duration == 100);
  CHECK(Machine::find(*adds, "issue")->duration == 50);
  CHECK_FALSE(Machine::find(*adds, "fma"));
  CHECK(adds->latency == 99 + 4);
  // More warps than partitions do not help, fewer leave some idle.
  CHECK(Machine::find(*machine.ask({.kind = WorkKind::Integer, .amount = 6400, .warps = 8}), "alu")->duration == 100);
  CHECK(Machine::find(*machine.ask({.kind = WorkKind::Integer, .amount = 6400, .warps = 1}), "alu")->duration == 400);
  // The path to shared memory is one for all.
  CHECK(Machine::find(*machine.ask({.kind = WorkKind::SharedRead, .amount = 1280, .warps = 1}), "lsu")->duration == 10);
}

TEST_CASE("an atom says what it costs") {
  Machine machine;
  WorkQuery product{.kind = WorkKind::Product, .atom = "mma.m16n8k16.f32.f16.f16", .amount = 1, .warps = 4};
  product.m = 64;
  product.n = 64;
  product.k = 32;
  FailureOr<Footprint> footprint = machine.ask(product);
  REQUIRE(succeeded(footprint));
  // 4 by 8 by 2 instructions of 4 cycles, on 4 tensor cores.
  CHECK(Machine::find(*footprint, "mma")->duration == 4 * 8 * 2 * 4 / 4);
  product.batch = 3;
  CHECK(Machine::find(*machine.ask(product), "mma")->duration == 3 * 64);
  product.atom = "mma.unheard.of";
  CHECK(failed(machine.ask(product)));
  CHECK_THAT(machine.said, Contains("no atom \"mma.unheard.of\""));

  WorkQuery load{.kind = WorkKind::GlobalRead, .atom = "ld.global", .amount = 128, .warps = 4};
  machine.atoms.copy.front().latencyCycles = 7777;
  CHECK(machine.ask(load)->latency == 7777);
}

TEST_CASE("work that no unit does is an error, not free") {
  Machine machine;
  machine.model.units.erase(llvm::find_if(machine.model.units, [](auto &unit) { return unit.name == "xu"; }));
  CHECK(failed(machine.ask({.kind = WorkKind::Special, .amount = 1})) == false); // The scheduler still issues it,
  machine.model.units.erase(machine.model.units.begin());
  CHECK(failed(machine.ask({.kind = WorkKind::Special, .amount = 1})));
  CHECK_THAT(machine.said, Contains("no unit of the machine model does special functions"));
}

TEST_CASE("no number is too large") {
  Machine machine;
  FailureOr<Footprint> huge = machine.ask({.kind = WorkKind::Double, .amount = UINT64_MAX, .warps = 1});
  REQUIRE(succeeded(huge));
  CHECK(Machine::find(*huge, "xu64")->duration == UINT32_MAX);
  CHECK(huge->latency == UINT32_MAX);
}

//===----------------------------------------------------------------------===//
// From operations
//===----------------------------------------------------------------------===//

namespace {

/// Answers with a unit that its machine does not have.
struct Dreamer : DescribedTarget {
  using DescribedTarget::DescribedTarget;
  FailureOr<Footprint> getFootprint(const WorkQuery &, const ChipInfo &,
                                    llvm::function_ref<InFlightDiagnostic()>) const override {
    Footprint footprint;
    footprint.uses.push_back({"warp_drive", 0, 1});
    return footprint;
  }
};

ChipDescription describeChip() {
  ChipDescription chip;
  chip.info.name = "chip_1";
  chip.machine.units = makeUnits();
  return chip;
}

struct Loop {
  std::string said;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  ScopedDiagnosticHandler handler{&context, [this](Diagnostic &diagnostic) {
                                    llvm::raw_string_ostream(said) << diagnostic.getLocation() << diagnostic;
                                    return success();
                                  }};

  scf::ForOp parse(llvm::StringRef body) {
    DialectRegistry registry;
    registerUpstreamWork(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<arith::ArithDialect, func::FuncDialect, scf::SCFDialect>();
    std::string text =
        ("func.func @f(%n: index, %x: f32, %y: f64, %i: i32, %b: i1) {\n"
         "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c9 = arith.constant 9 : index\n"
         "  scf.for %k = %c0 to %n step %c1 {\n" +
         body + "\n  }\n  return\n}")
            .str();
    module = parseSourceString<ModuleOp>(text, &context, "loop.mlir");
    REQUIRE(module);
    scf::ForOp loop;
    module->walk<WalkOrder::PreOrder>([&](scf::ForOp op) { loop = loop ? loop : op; });
    return loop;
  }
};

/// "unit duration" of every use of the first operation.
std::string describeFirst(const ScheduleProblem &problem) {
  std::string text;
  for (const ResourceUse &use : problem.operations.front().uses)
    text += problem.units[use.unit].name + " " + std::to_string(use.duration) + "; ";
  return text;
}

} // namespace

TEST_CASE("operations use the units of their work") {
  DescribedTarget target("tables", {describeChip()});
  auto first = [&](llvm::StringRef body) {
    Loop loop;
    FailureOr<ScheduleProblem> problem = buildScheduleProblem(loop.parse(body), {&target, &target.chips().front()});
    REQUIRE(succeeded(problem));
    CHECK(messageOf(problem->check()) == "");
    return describeFirst(*problem);
  };
  // Scalars are computed by every lane of the four warps.
  CHECK(first("%a = arith.addi %i, %i : i32") == "issue 1; alu 2; ");
  CHECK(first("%a = arith.addf %x, %x : f32") == "issue 1; fma 1; ");
  CHECK(first("%a = arith.addf %y, %y : f64") == "issue 1; xu64 64; ");
  CHECK(first("%a = arith.divf %x, %x : f32") == "issue 1; xu 8; ");
  CHECK(first("%a = arith.truncf %y : f64 to f32") == "issue 1; xu 8; ");
  CHECK(first("%a = arith.maximumf %x, %x : f32") == "issue 1; alu 2; ");
  CHECK(first("%a = arith.constant 1 : i32") == "");
  // An inner loop of known length counts as often as it runs, one of unknown length once.
  CHECK(first("scf.for %j = %c0 to %n step %c1 { %a = arith.addi %i, %i : i32 }") == "issue 1; alu 2; ");
  CHECK(first("scf.for %j = %c0 to %c9 step %c1 { %a = arith.addi %i, %i : i32 }") == "issue 9; alu 18; ");
  CHECK(first("scf.for %j = %c0 to %c1 step %c1 { %a = arith.addi %i, %i : i32 }") == "issue 1; alu 2; ");
  CHECK(
      first(
          "%s = scf.if %b -> i32 { %a = arith.addi %i, %i : i32\n scf.yield %a : i32 } else { scf.yield %i : i32 }") ==
      "issue 1; alu 2; ");
}

TEST_CASE("a unit nobody has is an error that names it") {
  Dreamer target("dreamer", {describeChip()});
  Loop loop;
  FailureOr<ScheduleProblem> problem =
      buildScheduleProblem(loop.parse("%a = arith.addi %i, %i : i32"), {&target, &target.chips().front()});
  CHECK(failed(problem));
  CHECK_THAT(loop.said, Contains("loop.mlir") && Contains(":6:"));
  CHECK_THAT(loop.said, Contains("target 'dreamer' gives it a footprint on unit 'warp_drive'") && Contains("chip_1") &&
                            Contains("there is: issue, alu, fma"));
}

TEST_CASE("work without a unit names the target") {
  ChipDescription chip = describeChip();
  chip.machine.units.clear();
  DescribedTarget target("hollow", {chip});
  Loop loop;
  CHECK(failed(buildScheduleProblem(loop.parse("%a = arith.addi %i, %i : i32"), {&target, &target.chips().front()})));
  CHECK_THAT(loop.said, Contains("target 'hollow', chip_1: no footprint: no unit of the machine model does integer"));
}
