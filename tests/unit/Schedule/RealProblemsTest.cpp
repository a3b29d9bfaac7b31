//===- RealProblemsTest.cpp - Arms and constraints on real loops ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The files of `problems` are what `--dump-schedule-problems` writes of attention kernels for sm_90.
//
//===----------------------------------------------------------------------===//

#include "ShippedSchedulers.h"
#include "TestProblems.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tileiras;

static ScheduleProblem readProblem(llvm::StringRef name, llvm::StringRef constraints = "") {
  auto buffer = llvm::MemoryBuffer::getFile(std::string(SCHEDULE_PROBLEMS "/") + name.str());
  if (!buffer)
    FAIL("no problem is called " << name.str());
  return parseProblem((*buffer)->getBuffer().str() + constraints.str());
}

static size_t countPlaced(const Schedule &schedule, llvm::StringRef arm) {
  return llvm::count_if(schedule.placement,
                        [&](const std::string &note) { return llvm::StringRef(note).starts_with(arm); });
}

static unsigned findIndex(const ScheduleProblem &problem, llvm::StringRef name) {
  std::optional<unsigned> index = problem.findOperation(name);
  if (!index)
    FAIL("no operation is called " << name.str());
  return *index;
}

TEST_CASE("real problems: without the arms behind the first, loops have longer intervals") {
  const SchedulerOptions light{.rrtSizeThreshold = 0};
  SECTION("the first arm places a whole loop where nothing is in its way") {
    const ScheduleProblem problem = readProblem("attention-128-sm-90.txt");
    const Schedule schedule = solve("fast", problem);
    CHECK(countPlaced(schedule, "permute") == problem.operations.size());
  }
  SECTION("operations that drive others out of their seats") {
    const ScheduleProblem problem = readProblem("attention-128-corpus-sm-90.txt");
    const Schedule schedule = solve("cost-based", problem), first = solve("cost-based", problem, light);
    CHECK(countPlaced(schedule, "retry") > 0);
    CHECK(countPlaced(first, "permute") == problem.operations.size());
    CHECK(schedule.initiationInterval < first.initiationInterval);
  }
  SECTION("the cheapest pair, with a way back") {
    const ScheduleProblem problem = readProblem("attention-64-causal-sm-90.txt");
    const Schedule schedule = solve("cost-based", problem), fast = solve("fast", problem);
    CHECK(countPlaced(schedule, "cost") > 0);
    CHECK(schedule.initiationInterval * 10 < fast.initiationInterval * 9);
  }
}

TEST_CASE("real problems: every family of constraints acts") {
  const std::string file = "attention-128-sm-90.txt", product = "async.pipeline.consumer_read.2",
                    exponential = "exp2.13", last = "async.pipeline.consumer_read.25";
  const ScheduleProblem problem = readProblem(file);
  const Schedule schedule = solve("cost-based", problem);
  const unsigned first = findIndex(problem, product), second = findIndex(problem, last),
                 between = findIndex(problem, exponential);
  REQUIRE(schedule.getStage(first) != schedule.getStage(second));

  SECTION("max_depth: nothing runs later than asked") {
    std::string text;
    for (const ScheduleOperation &operation : problem.operations)
      text += "constraint " + operation.name + " max_depth 0\n";
    const Schedule shallow = solve("cost-based", readProblem(file, text));
    CHECK(shallow.getNumStages() == 1);
    CHECK(shallow.initiationInterval > schedule.initiationInterval);
  }
  SECTION("force_serial_execution: one is over when the next starts, over iterations, too") {
    const ScheduleProblem serial = readProblem(file, "constraint " + product + " force_serial_execution\nconstraint " +
                                                         exponential + " force_serial_execution\n");
    const Schedule apart = solve("cost-based", serial);
    const int64_t distance = int64_t(apart.starts[between]) - apart.starts[first];
    CHECK(distance >= problem.operations[first].latency);
    CHECK(distance + problem.operations[between].latency <= apart.initiationInterval);
  }
  SECTION("a group: its members share a depth, with what is between them, and start in their order") {
    const std::string group = " gid 7 leader_gid 7\n";
    const ScheduleProblem joined =
        readProblem(file, "constraint " + product + group + "constraint " + exponential + group);
    const Schedule together = solve("cost-based", joined);
    CHECK(together.getStage(first) == together.getStage(between));
    CHECK(together.starts[first] <= together.starts[between]);
    CHECK(together.starts != schedule.starts);
  }
  SECTION("a leader's group takes in the others") {
    const ScheduleProblem joined = readProblem(file, "constraint " + product + " gid 7 leader_gid 9\nconstraint " +
                                                         exponential + " gid 9 leader_gid 9\n");
    const Schedule together = solve("cost-based", joined);
    CHECK(together.getStage(first) == together.getStage(between));
  }
}

// No loop of the corpus or of attention needs it today; small problems do.
TEST_CASE("real problems: a group that takes another one off its seats") {
  unsigned numShorter = 0;
  for (unsigned seed : {40, 72, 104}) {
    const ScheduleProblem problem = makeRandomProblem(seed);
    const Schedule schedule = solve("fast", problem), first = solve("fast", problem, {.rrtSizeThreshold = 0});
    CHECK(countPlaced(schedule, "fuse") > 0);
    numShorter += schedule.initiationInterval < first.initiationInterval;
  }
  CHECK(numShorter == 3);
}
