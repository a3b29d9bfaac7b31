//===- RegistryTest.cpp - Names are owned once -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMessage.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassRegistry.h"
#include "tileiras/Plugin/PluginLoader.h"
#include "tileiras/Schedule/Scheduler.h"
#include "tileiras/Target/Target.h"
#include <catch2/catch.hpp>

using namespace tileiras;
using Catch::Matchers::Contains;

namespace {
struct TestDialect : mlir::Dialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestDialect)
  explicit TestDialect(mlir::MLIRContext *context)
      : Dialect(getDialectNamespace(), context, mlir::TypeID::get<TestDialect>()) {}
  static constexpr llvm::StringLiteral getDialectNamespace() { return "registry_test"; }
};
} // namespace

TEST_CASE("dialects and extensions reach a context that is in use") {
  static unsigned extensions;
  Registry registry;
  REQUIRE(messageOf(registry.addDialect({.name = "registry_test", .fill = [](mlir::DialectRegistry &dialects) {
                                           dialects.insert<TestDialect>();
                                           dialects.addExtension(
                                               +[](mlir::MLIRContext *, mlir::BuiltinDialect *) { ++extensions; });
                                         }})) == "");
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  CHECK(context.getOrLoadDialect("registry_test") == nullptr);
  mlir::DialectRegistry dialects;
  registry.fillDialects(dialects);
  context.appendDialectRegistry(dialects);
  CHECK(context.getOrLoadDialect("registry_test"));
  CHECK(extensions == 1);
}

TEST_CASE("a dialect's namespace is owned once") {
  Registry registry;
  auto fill = [](mlir::DialectRegistry &) {};
  registry.setCurrentOwner("one");
  REQUIRE(messageOf(registry.addDialect({.name = "mine", .fill = fill})) == "");
  CHECK(registry.getDialects().front()->owner == "one");
  registry.setCurrentOwner("two");
  CHECK(messageOf(registry.addDialect({.name = "mine", .fill = fill})) ==
        "dialect 'mine' is registered by both 'one' and 'two'");
  CHECK(messageOf(registry.addDialect({.name = "nv_tileas", .fill = fill})) ==
        "dialect 'nv_tileas' is registered by both 'core' and 'two'");
  CHECK(registry.getDialects().size() == 1);
}

TEST_CASE("publishing makes passes and their aliases known to MLIR") {
  Registry registry;
  llvm::Expected<DiscoveredPlugin> plugin =
      discoverPlugin(std::string(SHIPPED_PLUGINS) + "/tileiras-async-scheduling.so");
  REQUIRE(bool(plugin));
  REQUIRE(messageOf(activatePlugin(*plugin, registry)) == "");
  CHECK(mlir::PassInfo::lookup("tileas-generate-schedule") == nullptr);
  REQUIRE(messageOf(registry.publish()) == "");
  REQUIRE(messageOf(registry.publish()) == "");
  CHECK(mlir::PassInfo::lookup("tileas-generate-schedule"));
  CHECK(mlir::PassPipelineInfo::lookup("tileas-generate-schedule-constraints"));
}

TEST_CASE("another owner's pass cannot be published") {
  Registry registry;
  registry.setCurrentOwner("rival");
  auto never = []() -> std::unique_ptr<mlir::Pass> { return nullptr; };
  REQUIRE(messageOf(registry.addPass({.argument = "tileas-generate-schedule", .create = never})) == "");
  CHECK_THAT(messageOf(registry.publish()),
             Contains("pass 'tileas-generate-schedule' is registered by both 'async-scheduling' and 'rival'"));
}

TEST_CASE("schedulers are found by name") {
  Registry registry;
  auto never = []() -> std::unique_ptr<Scheduler> { return nullptr; };
  REQUIRE(messageOf(registry.addScheduler({.name = "mine", .description = "", .create = never})) == "");
  CHECK(registry.findScheduler("mine")->owner == "core");
  CHECK(registry.findScheduler("other") == nullptr);
  CHECK_THAT(messageOf(registry.addScheduler({.name = "mine", .description = "", .create = never})),
             Contains("scheduler 'mine' is registered by both 'core' and 'core'"));
}

TEST_CASE("tables that others divide by hold no zeros") {
  ChipDescription chip;
  chip.info.name = "chip";
  auto add = [&](Registry registry = {}) {
    REQUIRE(messageOf(registry.addTarget(std::make_shared<DescribedTarget>("mine", std::vector{chip}))) == "");
    return messageOf(registry.verifyTables());
  };
  CHECK(add() == "");
  chip.machine.registerAllocationUnit = 0;
  CHECK(add() == "target 'mine' describes 'chip' wrongly: registerAllocationUnit is 0");
  chip.machine.registerAllocationUnit = 8;
  MmaAtom &atom = chip.atoms.mma.emplace_back();
  atom.name = "flat";
  atom.m = atom.n = 8;
  CHECK(add() == "target 'mine' describes 'chip' wrongly: atom 'flat' has an extent of 0");
}

TEST_CASE("a chip may have less than the ISA allows, but not more") {
  auto verify = [](llvm::function_ref<void(MachineModel &)> change) {
    ChipDescription chip;
    chip.info.name = "chip";
    change(chip.machine);
    Registry registry;
    REQUIRE(messageOf(registry.addTarget(std::make_shared<DescribedTarget>("mine", std::vector{chip}))) == "");
    llvm::StringRef mistake = "target 'mine' describes 'chip' wrongly: ";
    std::string message = messageOf(registry.verifyTables());
    return message.empty() ? message : message.substr(mistake.size());
  };
  CHECK(verify([](MachineModel &machine) {
          machine.namedBarriers = 8;
          machine.tensorMemoryColumns = 256;
          machine.tensorCopy = {.mostDimensions = 4, .mostBoxExtent = 128, .elementBytes = 2 | 4, .baseAlignment = 32};
        }) == "");
  CHECK(verify([](MachineModel &machine) { machine.namedBarriers = 17; }) == "namedBarriers is 17; expects 1 to 16");
  CHECK(verify([](MachineModel &machine) { machine.warpGranularity = 6; }) ==
        "warpGranularity is 6; expects a power of two in 4..32");
  CHECK(verify([](MachineModel &machine) { machine.tensorMemoryColumns = 1024; }) ==
        "tensorMemoryColumns is 1024; expects a power of two in 32..512");
  CHECK(verify([](MachineModel &machine) { machine.tensorCopy.mostDimensions = 6; }) ==
        "tensorCopy.mostDimensions is 6; expects 1 to 5");
  CHECK(verify([](MachineModel &machine) { machine.tensorCopy.mostBoxExtent = 512; }) ==
        "tensorCopy.mostBoxExtent is 512; expects a power of two in 1..256");
  CHECK(verify([](MachineModel &machine) { machine.tensorCopy.elementBytes = 16; }) ==
        "tensorCopy.elementBytes is 16; expects a set of 1, 2, 4 and 8");
  CHECK(verify([](MachineModel &machine) { machine.tensorCopy.strideAlignment = 8; }) ==
        "tensorCopy.strideAlignment is 8; expects a power of two in 16..128");
}
