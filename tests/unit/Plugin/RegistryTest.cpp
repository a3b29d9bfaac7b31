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

TEST_CASE("publishing makes passes, aliases and schedulers known to the process") {
  Registry registry;
  llvm::Expected<DiscoveredPlugin> plugin = discoverPlugin(std::string(SHIPPED_PLUGINS) + "/tileiras-async.so");
  REQUIRE(bool(plugin));
  REQUIRE(messageOf(activatePlugin(*plugin, registry)) == "");
  CHECK(createScheduler("serial") == nullptr);
  REQUIRE(messageOf(registry.publish()) == "");
  REQUIRE(messageOf(registry.publish()) == "");
  CHECK(mlir::PassInfo::lookup("tileas-generate-schedule"));
  CHECK(mlir::PassPipelineInfo::lookup("tileas-generate-schedule-constraints"));
  REQUIRE(createScheduler("serial"));
  CHECK(createScheduler("serial")->getName() == "serial");
  CHECK(createScheduler("unheard-of") == nullptr);
}

TEST_CASE("another owner's name cannot be published") {
  Registry first, second;
  first.setCurrentOwner("a");
  second.setCurrentOwner("b");
  auto never = []() -> std::unique_ptr<Scheduler> { return nullptr; };
  REQUIRE(messageOf(first.addScheduler({.name = "contested", .description = "", .create = never})) == "");
  REQUIRE(messageOf(second.addScheduler({.name = "contested", .description = "", .create = never})) == "");
  REQUIRE(messageOf(first.publish()) == "");
  CHECK_THAT(messageOf(second.publish()), Contains("scheduler 'contested' is registered by both 'a' and 'b'"));
}
