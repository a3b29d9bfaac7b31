//===- main.cpp - tileiras-schedulers: schedulers against the best there is ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs schedulers on random problems and on files of problems, and prints how often each reaches the interval that
// `exact` proves minimal, as a table. Exit code 1: a schedule is wrong, or a scheduler reaches less than --at-least
// asks.
//
//===----------------------------------------------------------------------===//

#include "RandomProblems.h"
#include "tileiras/Plugin/PluginLoader.h"
#include "tileiras/Schedule/Scheduler.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>
#include <ctime>
#include <map>

using namespace tileiras;
namespace cl = llvm::cl;

namespace {

cl::list<std::string> files(cl::Positional, cl::desc("<problems>"));
cl::opt<unsigned> numRandom("random", cl::desc("Random problems of up to 24 operations"), cl::init(0));
cl::opt<unsigned> firstSeed("first-seed", cl::init(0));
cl::opt<unsigned> largest("operations", cl::desc("Operations of random problems, at most"), cl::init(24));
cl::opt<unsigned> ladder("ladder", cl::desc("Instead: time for 125, 250, … operations up to so many"), cl::init(0));
cl::opt<unsigned> numLarge("large", cl::desc("Instead: problems of so many operations, for every scheduler"),
                           cl::init(0));
cl::opt<double> atLeast("at-least", cl::desc("Percent of intervals that cost-based has to reach"), cl::init(99.0));
cl::opt<unsigned> timeLimit("time-limit", cl::desc("Milliseconds for one proof"), cl::init(10000));
cl::opt<bool> listMisses("list-misses", cl::desc("Print the problems whose interval cost-based does not reach"));

struct Tally {
  uint64_t schedules = 0, reached = 0, wrong = 0, stages = 0;
  double excess = 0, seconds = 0, longest = 0; ///< excess: of intervals over the best, summed up
};

double measure(llvm::function_ref<void()> run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Comparison {
public:
  explicit Comparison(const Registry &registry) : registry(registry) {
    for (const char *name : {"exact", "cost-based", "fast", "serial"})
      if (const SchedulerEntry *entry = registry.findScheduler(name))
        schedulers.emplace_back(name, entry->create());
  }

  /// Intervals are compared: nobody looks for short lives of values.
  void add(ScheduleProblem problem, llvm::StringRef name) {
    for (ScheduleOperation &operation : problem.operations)
      operation.registers = 0;
    uint32_t best = 0;
    ++numProblems;
    for (const auto &[scheduler, object] : schedulers) {
      Tally &tally = tallies[scheduler];
      std::optional<Schedule> schedule;
      const double seconds = measure([&] { schedule = ask(*object, problem, name); });
      tally.seconds += seconds;
      tally.longest = std::max(tally.longest, seconds);
      if (!schedule) {
        ++tally.wrong;
        continue;
      }
      ++tally.schedules;
      tally.stages += schedule->getNumStages();
      if (scheduler == "exact") {
        best = schedule->initiationInterval;
        numProven += schedule->isProvenMinimal;
      }
      if (best == 0)
        best = problem.getMinII(); // without the solver
      tally.reached += schedule->initiationInterval <= best;
      tally.excess += double(schedule->initiationInterval) / best - 1;
      if (listMisses && scheduler == "cost-based" && schedule->initiationInterval > best) {
        llvm::outs() << "# " << name << ": II " << schedule->initiationInterval << ", best " << best << '\n';
        problem.print(llvm::outs());
      }
    }
  }

  /// True when nothing is wrong and enough is reached.
  bool report() const {
    llvm::outs() << numProblems << " problems, " << numProven << " intervals proven minimal\n";
    llvm::outs() << "scheduler    best II    above by    stages    wrong    ms each   longest\n";
    bool isGood = numProblems != 0;
    for (const auto &[name, object] : schedulers) {
      const Tally &tally = tallies.at(name);
      const double count = std::max<uint64_t>(tally.schedules, 1);
      llvm::outs() << llvm::formatv("{0,-12} {1,6:f2}% {2,10:f2}% {3,9:f2} {4,8} {5,10:f3} {6,9:f1}\n", name,
                                    100 * tally.reached / count, 100 * tally.excess / count, tally.stages / count,
                                    tally.wrong, 1e3 * tally.seconds / count, 1e3 * tally.longest);
      isGood &= tally.wrong == 0 && (name != "cost-based" || 100 * tally.reached / count >= atLeast);
    }
    return isGood;
  }

private:
  std::optional<Schedule> ask(Scheduler &scheduler, const ScheduleProblem &problem, llvm::StringRef name) {
    SchedulerOptions options;
    options.timeLimit = timeLimit;
    llvm::Expected<Schedule> schedule = runScheduler(scheduler, problem, options, [&](llvm::StringRef other) {
      const SchedulerEntry *entry = registry.findScheduler(other);
      return entry ? entry->create() : nullptr;
    });
    if (schedule)
      return std::move(*schedule);
    llvm::errs() << name << ": " << llvm::toString(schedule.takeError()) << '\n';
    return std::nullopt;
  }

  const Registry &registry;
  std::vector<std::pair<std::string, std::unique_ptr<Scheduler>>> schedulers;
  std::map<std::string, Tally> tallies;
  uint64_t numProblems = 0, numProven = 0;
};

/// Time for problems of growing size, by kind.
int runLadder(const Registry &registry) {
  auto scheduler = registry.findScheduler("cost-based")->create();
  llvm::outs() << "operations   ms chain   ms random   ms one recurrence\n";
  for (unsigned operations = 125; operations <= ladder; operations *= 2) {
    llvm::outs() << llvm::formatv("{0,10}", operations);
    for (ProblemShape shape : {ProblemShape::Chain, ProblemShape::Random, ProblemShape::Recurrence}) {
      const ScheduleProblem problem = makeLargeProblem(shape, operations);
      llvm::Expected<Schedule> schedule = Schedule();
      const double seconds = measure([&] {
        llvm::consumeError(schedule.takeError());
        schedule = runScheduler(*scheduler, problem, {});
      });
      if (!schedule) {
        llvm::errs() << llvm::toString(schedule.takeError()) << '\n';
        return 1;
      }
      llvm::outs() << llvm::formatv(" {0,10:f1} (II +{1:f1}%)", 1e3 * seconds,
                                    100.0 * schedule->initiationInterval / problem.getMinII() - 100);
    }
    llvm::outs() << '\n';
  }
  return 0;
}

/// Every scheduler has an answer to large problems, within three times the time limit, of the processor.
int runLarge(const Registry &registry) {
  bool isGood = true;
  for (ProblemShape shape :
       {ProblemShape::Chain, ProblemShape::Random, ProblemShape::Recurrence, ProblemShape::Reversed}) {
    const ScheduleProblem problem = makeLargeProblem(shape, numLarge);
    for (const SchedulerEntry *entry : registry.getSchedulers()) {
      SchedulerOptions options;
      options.timeLimit = timeLimit;
      llvm::Expected<Schedule> schedule = Schedule();
      const std::clock_t start = std::clock();
      llvm::consumeError(schedule.takeError());
      schedule = runScheduler(*entry->create(), problem, options,
                              [&](llvm::StringRef other) { return registry.findScheduler(other)->create(); });
      const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
      isGood &= bool(schedule) && seconds * 1e3 < 3.0 * timeLimit;
      const std::string answer =
          schedule ? llvm::formatv("II {0}", schedule->initiationInterval).str() : llvm::toString(schedule.takeError());
      llvm::outs() << llvm::formatv("{0,-12} {1,8:f1} ms  {2}\n", entry->name, 1e3 * seconds, answer);
    }
  }
  return isGood ? 0 : 1;
}

int run() {
  Registry registry;
  PluginCatalogue plugins;
  llvm::Error error = plugins.addDefaultDirectories();
  if (!error)
    error = activateAll(plugins, registry);
  if (error) {
    llvm::errs() << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  if (ladder != 0)
    return runLadder(registry);
  if (numLarge != 0)
    return runLarge(registry);
  Comparison comparison(registry);
  for (unsigned i = 0; i < numRandom; ++i)
    comparison.add(makeProblem(firstSeed + i, largest), "seed " + std::to_string(firstSeed + i));
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) {
      llvm::errs() << file << ": " << buffer.getError().message() << '\n';
      return 1;
    }
    llvm::Expected<ScheduleProblem> problem = ScheduleProblem::parse((*buffer)->getBuffer(), file);
    if (!problem) {
      llvm::errs() << llvm::toString(problem.takeError()) << '\n';
      return 1;
    }
    comparison.add(*problem, file);
  }
  return comparison.report() ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "tileiras-schedulers: schedulers against the best there is\n");
  return run();
}
