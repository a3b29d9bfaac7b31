//===- RegistryTest.cpp - Names are owned once -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMessage.h"
#include "mlir/Pass/PassRegistry.h"
#include "tileiras/Plugin/PluginLoader.h"
#include "tileiras/Schedule/Scheduler.h"
#include <catch2/catch.hpp>

using namespace tileiras;
using Catch::Matchers::Contains;

TEST_CASE("publishing makes passes and their aliases known to MLIR") {
  Registry registry;
  llvm::Expected<DiscoveredPlugin> plugin = discoverPlugin(std::string(SHIPPED_PLUGINS) + "/tileiras-async.so");
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
             Contains("pass 'tileas-generate-schedule' is registered by both 'async' and 'rival'"));
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
