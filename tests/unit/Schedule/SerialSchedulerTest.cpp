//===- SerialSchedulerTest.cpp - The serial scheduler ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"
#include "tileiras/Plugin/PluginLoader.h"
#include "tileiras/Schedule/Scheduler.h"

using namespace tileiras;
using Catch::Matchers::Contains;

static std::unique_ptr<Scheduler> loadSerial() {
  static Registry registry = [] {
    Registry result;
    llvm::Expected<DiscoveredPlugin> plugin = discoverPlugin(std::string(SHIPPED_PLUGINS) + "/tileiras-async.so");
    if (!plugin || activatePlugin(*plugin, result))
      FAIL("the async plugin cannot be loaded");
    return result;
  }();
  return registry.findScheduler("serial")->create();
}

TEST_CASE("serial: every problem gets a right schedule of one stage") {
  auto serial = loadSerial();
  for (unsigned seed = 0; seed < 500; ++seed) {
    ScheduleProblem problem = makeRandomProblem(seed);
    llvm::Expected<Schedule> schedule = runScheduler(*serial, problem);
    if (!schedule)
      FAIL(llvm::toString(schedule.takeError()));
    CHECK(schedule->getNumStages() == 1);
    CHECK(schedule->initiationInterval >= problem.getMinII());
  }
}

TEST_CASE("serial: program order unless dependences say otherwise") {
  auto serial = loadSerial();
  ScheduleProblem problem = parseProblem("op a\nop b\nop c\nedge c -> a\n");
  llvm::Expected<Schedule> schedule = runScheduler(*serial, problem);
  REQUIRE(bool(schedule));
  CHECK(schedule->starts == std::vector<uint32_t>{2, 0, 1});
}

TEST_CASE("serial: an operation that needs more of a unit than exists has no schedule") {
  auto serial = loadSerial();
  llvm::Expected<Schedule> schedule = runScheduler(*serial, parseProblem("unit u\nop a uses u 2 uses u 2"));
  REQUIRE(!schedule);
  CHECK_THAT(llvm::toString(schedule.takeError()), Contains("unit 'u' is over its capacity"));
}
