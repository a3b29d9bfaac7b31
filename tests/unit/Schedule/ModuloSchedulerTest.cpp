//===- ModuloSchedulerTest.cpp - The modulo schedulers -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShippedSchedulers.h"
#include "TestProblems.h"

using namespace tileiras;
using Catch::Matchers::Contains;

TEST_CASE("modulo: every problem gets a right schedule, whatever the options") {
  unsigned minimal = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    ScheduleProblem problem = makeRandomProblem(seed);
    for (const char *name : {"cost-based", "fast"})
      for (uint32_t threshold : {0, 3, 4096})
        solve(name, problem, {.rrtSizeThreshold = threshold});
    minimal += solve("cost-based", problem).initiationInterval == problem.getMinII();
  }
  CHECK(minimal >= 290); // Not every bound can be reached.
}

TEST_CASE("modulo: the same problem gets the same schedule") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    ScheduleProblem problem = makeRandomProblem(seed);
    CHECK(solve("cost-based", problem).starts == solve("cost-based", problem).starts);
  }
}

TEST_CASE("modulo: a pipe's depth is its slack, a mutex has none") {
  const char *text = "unit tma\nunit mma\nop load uses tma 8 latency 20\nop dot uses mma 8 latency 16\n";
  auto interval = [&](const char *edge) {
    return solve("cost-based", parseProblem(std::string(text) + edge)).initiationInterval;
  };
  CHECK(interval("edge load -> dot") == 8);
  CHECK(interval("pipe load -> dot depth 2") == 18);
  CHECK(interval("pipe load -> dot depth 3") == 12);
  CHECK(interval("mutex load -> dot") == 36);
}

TEST_CASE("modulo: what takes registers starts no earlier than it has to") {
  auto countCyclesAhead = [&](const char *name, const char *registers) {
    const ScheduleProblem problem =
        parseProblem(std::string("unit alu\nop load uses alu 4 latency 40\nop mask uses alu 2 latency 1") + registers +
                     "\nop use uses alu 2\nedge load -> use latency 40\nedge mask -> use latency 1\n");
    const Schedule schedule = solve(name, problem);
    return int64_t(schedule.starts[2]) - schedule.starts[1];
  };
  for (const char *name : {"cost-based", "fast"}) {
    const int64_t interval = 8;
    CHECK(countCyclesAhead(name, "") >= interval);
    CHECK(countCyclesAhead(name, " registers 32") < interval);
  }
}

TEST_CASE("modulo: hard constraints hold") {
  const char *text = "unit u\nop a uses u 4 latency 20\nop b uses u 4 latency 4\nedge a -> b\n";
  CHECK(solve("cost-based", parseProblem(text)).initiationInterval == 8);
  ScheduleProblem shallow = parseProblem(std::string(text) + "constraint a max_depth 0\nconstraint b max_depth 0");
  CHECK(solve("cost-based", shallow).initiationInterval == 24);
  ScheduleProblem serial =
      parseProblem(std::string(text) + "constraint a force_serial_execution\nconstraint b force_serial_execution");
  CHECK(solve("cost-based", serial).initiationInterval == 24);
}

TEST_CASE("modulo: soft constraints give way") {
  const char *text = "unit u\nop a uses u 4 latency 20\nop b uses u 4 latency 4\nedge a -> b\n"
                     "constraint a gid 1 leader_gid 1\nconstraint b gid 1 leader_gid 1";
  CHECK(solve("cost-based", parseProblem(text)).initiationInterval == 8);
}

TEST_CASE("modulo: a group may have an operation between its members that is not of it") {
  const char *text = "op a\nop b\nop c\nedge a -> b\nedge b -> c\n"
                     "constraint a gid 1 leader_gid 1\nconstraint c gid 1 leader_gid 1";
  for (const char *name : {"cost-based", "fast"})
    for (uint32_t threshold : {0, 1, 4096})
      solve(name, parseProblem(text), {.rrtSizeThreshold = threshold});
  // Where the interval leaves room for all three, they share a depth, that in between, too.
  const Schedule schedule =
      solve("cost-based", parseProblem(std::string(text) + "\nunit u\nop d uses u 8\nop e\nedge d -> e\n"));
  CHECK(schedule.getStage(0) == schedule.getStage(1));
  CHECK(schedule.getStage(0) == schedule.getStage(2));
}

TEST_CASE("modulo: groups of any shape have a schedule") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    ScheduleProblem problem = makeRandomProblem(seed);
    std::mt19937 random(seed);
    for (ScheduleOperation &operation : problem.operations) {
      operation.constraints.group = random() % 4;
      operation.constraints.leaderGroup = random() % 4;
      operation.constraints.forceSerial = random() % 8 == 0;
    }
    if (llvm::Error error = problem.check()) { // Serial operations may follow each other in reverse.
      llvm::consumeError(std::move(error));
      continue;
    }
    for (const char *name : {"cost-based", "fast"})
      for (uint32_t threshold : {0, 3, 4096})
        solve(name, problem, {.rrtSizeThreshold = threshold});
  }
}

TEST_CASE("modulo: the smaller the threshold of the table, the coarser time and the larger the interval") {
  unsigned numCoarser = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    ScheduleProblem problem = makeRandomProblem(seed);
    for (ScheduleOperation &operation : problem.operations) { // Long enough for quanta to matter little or much.
      operation.latency *= 20;
      for (ResourceUse &use : operation.uses)
        use.duration = use.duration * 17 + use.offset;
    }
    uint32_t coarser = UINT32_MAX;
    for (uint32_t threshold : {1, 2, 3, 5, 8, 16, 4096}) {
      const uint32_t interval = solve("cost-based", problem, {.rrtSizeThreshold = threshold}).initiationInterval;
      INFO("seed " << seed << ", threshold " << threshold);
      CHECK(interval <= coarser);
      numCoarser += coarser != UINT32_MAX && interval < coarser;
      coarser = interval;
    }
  }
  CHECK(numCoarser > 100);
}
