//===- ScheduleTest.cpp - The verifier of schedules ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMessage.h"
#include "TestProblems.h"
#include "tileiras/Schedule/Scheduler.h"

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
  CHECK(schedule.getOrder() == std::vector<uint32_t>{0, 0});
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
  llvm::Expected<Schedule> schedule(const ScheduleProblem &problem) override {
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
