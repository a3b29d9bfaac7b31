//===- SerialSchedulerTest.cpp - The serial scheduler ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShippedSchedulers.h"
#include "TestProblems.h"

using namespace tileiras;
using Catch::Matchers::Contains;

TEST_CASE("serial: every problem gets a right schedule of one stage") {
  auto serial = createScheduler("serial");
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
  auto serial = createScheduler("serial");
  ScheduleProblem problem = parseProblem("op a\nop b\nop c\nedge c -> a\n");
  llvm::Expected<Schedule> schedule = runScheduler(*serial, problem);
  REQUIRE(bool(schedule));
  CHECK(schedule->starts == std::vector<uint32_t>{2, 0, 1});
}

TEST_CASE("serial: an operation that needs more of a unit than exists has no schedule") {
  auto serial = createScheduler("serial");
  llvm::Expected<Schedule> schedule = runScheduler(*serial, parseProblem("unit u\nop a uses u 2 uses u 2"));
  REQUIRE(!schedule);
  CHECK_THAT(llvm::toString(schedule.takeError()), Contains("unit 'u' is over its capacity"));
}

TEST_CASE("serial: what does not fit into a schedule is an error") {
  auto serial = createScheduler("serial");
  llvm::Expected<Schedule> schedule =
      runScheduler(*serial, parseProblem("op a latency 4294967295\nop b latency 4294967295"));
  REQUIRE(!schedule);
  CHECK_THAT(llvm::toString(schedule.takeError()), Contains("takes 8589934590 cycles, more than a schedule can say"));
  ScheduleProblem longest = parseProblem("unit u\nop a uses u +4294967295 4294967295");
  schedule = runScheduler(*serial, longest);
  REQUIRE(!schedule);
  CHECK_THAT(llvm::toString(schedule.takeError()), Contains("more than a schedule can say"));
  schedule = runScheduler(*serial, parseProblem("unit u\nop a uses u 4294967295 latency 4294967295"));
  REQUIRE(bool(schedule));
  CHECK(schedule->initiationInterval == UINT32_MAX);
}

TEST_CASE("serial: random delays make no schedule wrong") {
  auto serial = createScheduler("serial");
  unsigned later = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    ScheduleProblem problem = makeRandomProblem(seed);
    llvm::Expected<Schedule> plain = runScheduler(*serial, problem);
    llvm::Expected<Schedule> delayed = runScheduler(*serial, problem, {.enableRandomDelay = true});
    REQUIRE((plain && delayed));
    later += delayed->initiationInterval > plain->initiationInterval;
  }
  CHECK(later > 50);
}
