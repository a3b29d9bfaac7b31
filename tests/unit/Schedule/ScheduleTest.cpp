//===- ScheduleTest.cpp - The verifier of schedules ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMessage.h"
#include "TestProblems.h"
#include "tileiras/Schedule/Scheduler.h"
#include <map>
#include <stdexcept>

using namespace tileiras;
using Catch::Matchers::Contains;

static Schedule parseSchedule(llvm::StringRef text, const ScheduleProblem &problem) {
  llvm::Expected<Schedule> schedule = Schedule::parse(text, problem, "test");
  if (!schedule)
    FAIL(llvm::toString(schedule.takeError()));
  return std::move(*schedule);
}

static std::string verifyError(const Schedule &schedule, const ScheduleProblem &problem) {
  return messageOf(schedule.verify(problem));
}

static constexpr const char *kProblem = "unit mma\nop load latency 20\nop dot uses mma 8 latency 16\n"
                                        "edge load -> dot\nedge dot -> dot distance 1\n";

TEST_CASE("stage and order") {
  ScheduleProblem problem = parseProblem(kProblem);
  Schedule schedule = parseSchedule("ii 16\nstart load 0\nstart dot 20\n", problem);
  CHECK(verifyError(schedule, problem) == "");
  CHECK(schedule.getStage(0) == 0);
  CHECK(schedule.getStage(1) == 1);
  CHECK(schedule.getNumStages() == 2);
  CHECK(schedule.getOrder(problem) == std::vector<uint32_t>{0, 0});
  std::string text;
  llvm::raw_string_ostream stream(text);
  schedule.print(problem, stream);
  CHECK(text == "ii 16\nstart load 0\nstart dot 20\n");
}

TEST_CASE("wrong schedules are refused") {
  ScheduleProblem problem = parseProblem(kProblem);
  CHECK_THAT(verifyError(parseSchedule("ii 16\nstart load 0\nstart dot 19", problem), problem),
             Contains("'dot' starts in cycle 19, before its operand from 'load' is ready in cycle 20"));
  CHECK_THAT(verifyError(parseSchedule("ii 15\nstart load 0\nstart dot 20", problem), problem),
             Contains("'dot'") && Contains("iteration distance 1"));
  CHECK_THAT(verifyError(parseSchedule("ii 0\nstart load 0\nstart dot 20", problem), problem), Contains("is 0"));
  CHECK_THAT(verifyError(Schedule{16, {0}}, problem), Contains("has 1 operations, the problem 2"));
}

TEST_CASE("the infeasible worked example of the vocabulary is refused") {
  // A load (8 cycles) and a shared-memory write (7 cycles) on one transport at II 8: its demand is 15.
  ScheduleProblem problem = parseProblem("unit tp_smem_wr\nop tma uses tp_smem_wr 8 latency 8\n"
                                         "op write uses tp_smem_wr 7 latency 7\nedge tma -> write\n");
  CHECK(problem.getResMII() == 15);
  CHECK_THAT(verifyError(parseSchedule("ii 8\nstart tma 0\nstart write 8", problem), problem),
             Contains("unit 'tp_smem_wr' is over its capacity of 1"));
  CHECK(verifyError(parseSchedule("ii 15\nstart tma 0\nstart write 8", problem), problem) == "");
}

TEST_CASE("a use longer than the interval overlaps itself") {
  ScheduleProblem problem = parseProblem("unit u\nop a uses u 5");
  CHECK_THAT(verifyError(parseSchedule("ii 4\nstart a 0", problem), problem), Contains("over its capacity"));
}

TEST_CASE("schedule text errors name the line") {
  ScheduleProblem problem = parseProblem(kProblem);
  auto error = [&](llvm::StringRef text) {
    llvm::Expected<Schedule> schedule = Schedule::parse(text, problem, "s");
    REQUIRE(!schedule);
    return llvm::toString(schedule.takeError());
  };
  CHECK_THAT(error("ii 1\nstart x 0"), Contains("s:2: no operation is called 'x'"));
  CHECK_THAT(error("ii 1\nstart load 0\nstart load 1"), Contains("s:3: operation 'load' starts twice"));
  CHECK_THAT(error("ii 1\nstart load 0"), Contains("s: operation 'dot' has no start"));
  CHECK_THAT(error("go"), Contains("s:1: expected 'ii' or 'start'"));
}

namespace {

struct WrongScheduler : Scheduler {
  llvm::StringRef getName() const override { return "wrong"; }
  llvm::Expected<Schedule> schedule(const ScheduleProblem &problem, const SchedulerOptions &) override {
    return Schedule{1, std::vector<uint32_t>(problem.operations.size())};
  }
};

} // namespace

TEST_CASE("whoever made it, a wrong schedule is caught") {
  WrongScheduler scheduler;
  llvm::Expected<Schedule> schedule = runScheduler(scheduler, parseProblem(kProblem));
  REQUIRE(!schedule);
  CHECK_THAT(llvm::toString(schedule.takeError()), Contains("scheduler 'wrong' returned a wrong schedule"));
}

//===----------------------------------------------------------------------===//
// Whatever a scheduler returns
//===----------------------------------------------------------------------===//

static constexpr uint32_t kMax = UINT32_MAX;

TEST_CASE("verification does not depend on the size of numbers") {
  ScheduleProblem problem = parseProblem("unit u\nop a uses u 1 latency 1\nop b uses u 1 latency 1\nedge a -> b\n");
  SECTION("an interval of all cycles there are") {
    CHECK(verifyError(Schedule{kMax, {0, 1}}, problem) == "");
    CHECK(verifyError(Schedule{kMax, {0, kMax}}, problem) != ""); // kMax mod kMax is 0.
    CHECK(verifyError(Schedule{kMax, {0, kMax - 1}}, problem) == "");
    CHECK_THAT(verifyError(Schedule{kMax, {kMax, 0}}, problem), Contains("is ready in cycle 4294967296"));
  }
  SECTION("a use that is as long as the interval") {
    problem.operations[0].uses[0].duration = kMax;
    CHECK_THAT(verifyError(Schedule{kMax, {0, 1}}, problem), Contains("unit 'u' is over its capacity of 1 in cycle 1"));
    problem.units[0].capacity = 2;
    CHECK(verifyError(Schedule{kMax, {kMax - 1, kMax}}, problem) == "");
  }
  SECTION("a use that overlaps itself four thousand million times") {
    problem.operations[0].uses[0].duration = kMax;
    CHECK_THAT(verifyError(Schedule{1, {0, 1}}, problem), Contains("over its capacity") && Contains("'a'"));
    problem.units[0].capacity = kMax;
    CHECK_THAT(verifyError(Schedule{1, {0, 1}}, problem), Contains("over its capacity of 4294967295"));
    problem.operations[0].uses[0].duration = kMax - 1;
    CHECK(verifyError(Schedule{1, {0, 1}}, problem) == "");
  }
  SECTION("offsets beyond the last cycle") {
    problem.operations[0].uses[0].offset = kMax;
    problem.operations[1].uses[0].offset = kMax - 1;
    CHECK_THAT(verifyError(Schedule{7, {kMax - 1, kMax}}, problem), Contains("unit 'u' is over its capacity"));
    CHECK(verifyError(Schedule{7, {kMax - 2, kMax}}, problem) == "");
  }
  SECTION("distances that outweigh everything") {
    problem.dependences.push_back({1, 0, kMax, kMax});
    CHECK(verifyError(Schedule{kMax, {0, 1}}, problem) == "");
    problem.dependences.back().distance = 1;
    CHECK_THAT(verifyError(Schedule{2, {0, 1}}, problem), Contains("ready in cycle 4294967294"));
  }
}

TEST_CASE("order: what an operation needs comes before it, also without latency") {
  const ScheduleProblem problem = parseProblem("op user latency 4\nop other\nop maker latency 0\nedge maker -> user\n");
  const Schedule schedule = parseSchedule("ii 8\nstart user 2\nstart other 2\nstart maker 2\n", problem);
  CHECK(verifyError(schedule, problem) == "");
  CHECK(schedule.getOrder(problem) == std::vector<uint32_t>{2, 0, 1});
}

TEST_CASE("stages and orders of large starts") {
  Schedule schedule{1, {kMax, 0, kMax}};
  CHECK(schedule.getNumStages() == uint64_t(kMax) + 1);
  CHECK(schedule.getOrder(parseProblem("op a\nop b\nop c")) == std::vector<uint32_t>{0, 0, 1});
}

TEST_CASE("bounds stay within what a schedule can say") {
  ScheduleProblem problem = parseProblem("unit u\nop a uses u 4294967295 latency 4294967295\n"
                                         "op b uses u 4294967295 latency 4294967295\nedge a -> b\n"
                                         "edge b -> a distance 1\n");
  CHECK(problem.getResMII() == kMax);
  CHECK(problem.getRecMII() == kMax);
  problem.dependences.back().distance = kMax;
  CHECK(problem.getRecMII() == 2);
}

/// The verifier that counts every cycle.
static bool fits(const Schedule &schedule, const ScheduleProblem &problem) {
  for (const ScheduleDependence &edge : problem.dependences)
    if (int64_t(schedule.starts[edge.target]) <
        int64_t(schedule.starts[edge.source]) + edge.latency - int64_t(schedule.initiationInterval) * edge.distance)
      return false;
  std::map<std::pair<unsigned, uint64_t>, unsigned> users;
  for (auto [operation, start] : llvm::zip_equal(problem.operations, schedule.starts))
    for (const ResourceUse &use : operation.uses)
      for (uint64_t cycle = 0; cycle < use.duration; ++cycle)
        if (++users[{use.unit, (start + use.offset + cycle) % schedule.initiationInterval}] >
            problem.units[use.unit].capacity)
          return false;
  return true;
}

TEST_CASE("the verifier agrees with counting every cycle") {
  std::mt19937 random(7);
  unsigned good = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    ScheduleProblem problem = makeRandomProblem(seed);
    if (seed % 2)
      problem.dependences.clear();
    Schedule schedule{uint32_t(1 + random() % 12), {}};
    for (size_t i = 0; i < problem.operations.size(); ++i)
      schedule.starts.push_back(random() % 24);
    CAPTURE(seed);
    const bool isGood = verifyError(schedule, problem).empty();
    CHECK(isGood == fits(schedule, problem));
    good += isGood;
  }
  CHECK(good > 20);
}

namespace {

/// Says what it was told, by failing.
struct Listener : Scheduler {
  llvm::StringRef getName() const override { return "listener"; }
  llvm::Expected<Schedule> schedule(const ScheduleProblem &, const SchedulerOptions &options) override {
    return llvm::createStringError(llvm::Twine(options.maxConstraintIterations) + " " +
                                   llvm::Twine(options.rrtSizeThreshold) + " " +
                                   (options.enableRandomDelay ? "delays " : "") + options.traceFile);
  }
};

struct Thrower : Scheduler {
  llvm::StringRef getName() const override { return "thrower"; }
  llvm::Expected<Schedule> schedule(const ScheduleProblem &problem, const SchedulerOptions &) override {
    if (problem.operations.size() == 1)
      throw 1;
    throw std::runtime_error("out of ideas");
  }
};

} // namespace

TEST_CASE("options arrive at the scheduler") {
  Listener listener;
  auto answer = [&](const SchedulerOptions &options) {
    return llvm::toString(runScheduler(listener, parseProblem(kProblem), options).takeError());
  };
  CHECK(answer({}) == "10 4096 ");
  CHECK(
      answer({.maxConstraintIterations = 3, .rrtSizeThreshold = 0, .enableRandomDelay = true, .traceFile = "t.json"}) ==
      "3 0 delays t.json");
}

TEST_CASE("a scheduler that throws is an error") {
  Thrower thrower;
  CHECK(llvm::toString(runScheduler(thrower, parseProblem(kProblem)).takeError()) ==
        "scheduler 'thrower' threw an exception: out of ideas");
  CHECK(llvm::toString(runScheduler(thrower, parseProblem("op a")).takeError()) ==
        "scheduler 'thrower' threw an exception");
}
