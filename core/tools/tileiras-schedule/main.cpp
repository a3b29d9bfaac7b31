//===- main.cpp - tileiras-schedule: a scheduler without a kernel --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a scheduling problem in its text form and prints a schedule in its text form; what is said about it besides are
// comments. Without a scheduler's name it prints how all schedulers do. Exit codes are those of tileiras: 5 when there
// is no schedule, or a wrong one.
//
//===----------------------------------------------------------------------===//

#include "CompilerFlags.h"
#include "HelpText.h"
#include "tileiras/Compiler/Session.h"
#include "tileiras/Plugin/PluginLoader.h"
#include "tileiras/Schedule/ProgressLine.h"
#include "tileiras/Schedule/ScheduleReport.h"
#include "tileiras/Schedule/Scheduler.h"
#include "tileiras/Support/InputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace tileiras;
namespace cl = llvm::cl;

namespace {

/// Made when options are: the reset of the parser takes away what was there before.
cl::OptionCategory &getGroup() {
  static cl::OptionCategory group("Options of tileiras-schedule");
  return group;
}

struct Options {
  cl::opt<std::string> input{cl::Positional, cl::desc("<problem>"), cl::value_desc("file"), cl::cat(getGroup())};
  cl::opt<std::string> scheduler{"scheduler", cl::desc("Who schedules; default: all schedulers, in comparison"),
                                 cl::value_desc("name"), cl::cat(getGroup())};
  cl::list<std::string> loadPlugin{"load-plugin", cl::desc("Load a plugin; may be repeated"), cl::value_desc("file"),
                                   cl::cat(getGroup())};
  cl::list<std::string> pluginPath{"plugin-path", cl::desc("Load every plugin of a folder"), cl::value_desc("folder"),
                                   cl::cat(getGroup())};
  cl::opt<std::string> svg{"svg", cl::desc("Draw the schedules"), cl::value_desc("file"), cl::cat(getGroup())};
  cl::opt<std::string> trace{"trace", cl::desc("Write the schedules as a trace for Perfetto"), cl::value_desc("file"),
                             cl::cat(getGroup())};
  cl::opt<unsigned> timeLimit{
      "time-limit",
      cl::desc("Milliseconds for schedulers that search long (default 10000); any that takes ten "
               "times as long is given up"),
      cl::init(10000), cl::value_desc("ms"), cl::cat(getGroup())};
  cl::opt<unsigned> rounds{"rounds", cl::desc("Refinement rounds at one interval"), cl::init(10), cl::cat(getGroup())};
  cl::opt<unsigned> threshold{"table-size",
                              cl::desc("Reservation-table size above which time is quantised; 0: light mode"),
                              cl::init(4096), cl::cat(getGroup())};
};

/// Ends the process when the scheduler does not come back: there is no other way to leave somebody else's code.
class Deadline {
public:
  Deadline(std::chrono::milliseconds limit, llvm::StringRef scheduler) {
    thread = std::thread([this, limit, scheduler = scheduler.str()] {
      std::unique_lock lock(mutex);
      if (stopped.wait_for(lock, limit, [this] { return isOver; }))
        return;
      llvm::errs() << "error: the scheduler '" << scheduler << "' has not answered after " << limit.count()
                   << " milliseconds; give --time-limit a higher value or take another scheduler\n";
      _exit(int(ExitCode::CompilationFailed));
    });
  }
  ~Deadline() {
    {
      std::lock_guard lock(mutex);
      isOver = true;
    }
    stopped.notify_one();
    thread.join();
  }

private:
  std::mutex mutex;
  std::condition_variable stopped;
  bool isOver = false;
  std::thread thread;
};

llvm::Error loadPlugins(const Options &options, Registry &registry) {
  PluginCatalogue plugins;
  for (const std::string &file : options.loadPlugin)
    if (llvm::Error error = plugins.addFile(file))
      return error;
  for (const std::string &folder : options.pluginPath)
    if (llvm::Error error = plugins.addDirectory(folder))
      return error;
  if (llvm::Error error = plugins.addDefaultDirectories())
    return error;
  if (llvm::Error error = activateAll(plugins, registry))
    return error;
  return registry.verifyTables();
}

int fail(ExitCode code, const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return int(code);
}

std::string nameOperations(const ScheduleProblem &problem, llvm::ArrayRef<unsigned> operations) {
  return llvm::join(llvm::map_range(operations, [&](unsigned i) { return problem.operations[i].name; }), " -> ");
}

void printResult(const ScheduleProblem &problem, const Schedule &schedule, llvm::StringRef scheduler) {
  llvm::raw_ostream &os = llvm::outs();
  const bool isProven = schedule.isProvenMinimal || schedule.initiationInterval == problem.getMinII();
  os << llvm::formatv("# by {0}: II {1} ({2}), {3} stage{4}\n", scheduler, schedule.initiationInterval,
                      isProven ? "proven minimal" : "not proven minimal", schedule.getNumStages(),
                      schedule.getNumStages() == 1 ? "" : "s");
  os << llvm::formatv("# bounds: ResMII {0}, RecMII {1}, FineMII {2}, DepMII {3}\n", problem.getResMII(),
                      problem.getRecMII(), problem.getFineMII(), problem.getDepMII());
  if (std::optional<unsigned> unit = problem.getCriticalUnit())
    os << "# busiest unit: " << problem.units[*unit].name << '\n';
  if (std::vector<unsigned> recurrence = problem.getCriticalRecurrence(); !recurrence.empty())
    os << "# longest recurrence: " << nameOperations(problem, recurrence) << '\n';
  schedule.print(problem, os);
  std::string table;
  llvm::raw_string_ostream tableStream(table);
  printReservationTable(problem, schedule, tableStream);
  for (llvm::StringRef line : llvm::split(llvm::StringRef(table).rtrim(), '\n'))
    os << "# " << line << '\n';
}

/// 0, or the exit code.
int writeFile(llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  if (path.empty())
    return 0;
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (!code)
    write(file);
  file.close();
  if (!code)
    code = file.error();
  file.clear_error();
  return code ? fail(ExitCode::InputOutput, "'" + path + "' cannot be written: " + code.message()) : 0;
}

/// What a scheduler made of the problem.
struct Attempt {
  std::string scheduler;
  llvm::Expected<Schedule> schedule;
  double milliseconds;
};

Attempt runOne(const SchedulerEntry &entry, const ScheduleProblem &problem, const Options &options,
               const Registry &registry) {
  SchedulerOptions settings;
  settings.maxConstraintIterations = options.rounds;
  settings.rrtSizeThreshold = options.threshold;
  settings.timeLimit = options.timeLimit;
  ProgressLine progress;
  settings.progress = progress.getWriter();
  Deadline deadline(std::chrono::milliseconds(uint64_t(10) * options.timeLimit), entry.name);
  const auto begin = std::chrono::steady_clock::now();
  llvm::Expected<Schedule> schedule = runScheduler(*entry.create(), problem, settings, [&](llvm::StringRef name) {
    const SchedulerEntry *other = registry.findScheduler(name);
    return other ? other->create() : nullptr;
  });
  const std::chrono::duration<double, std::milli> duration = std::chrono::steady_clock::now() - begin;
  return {entry.name, std::move(schedule), duration.count()};
}

int writeDrawings(const Options &options, llvm::ArrayRef<NamedSchedule> schedules) {
  if (int code = writeFile(options.svg, [&](llvm::raw_ostream &os) { drawSchedules(schedules, os); }))
    return code;
  return writeFile(options.trace, [&](llvm::raw_ostream &os) { writeScheduleTrace(schedules, os); });
}

int schedule(const SchedulerEntry &entry, const ScheduleProblem &problem, const Options &options,
             const Registry &registry) {
  Attempt attempt = runOne(entry, problem, options, registry);
  if (!attempt.schedule)
    return fail(ExitCode::CompilationFailed, llvm::toString(attempt.schedule.takeError()));
  printResult(problem, *attempt.schedule, entry.name);
  return writeDrawings(options, NamedSchedule{options.input, entry.name, problem, *attempt.schedule});
}

/// Prints a row for each scheduler. One that finds no schedule is no failure of the comparison, unless none does.
int compare(const ScheduleProblem &problem, const Options &options, const Registry &registry) {
  llvm::raw_ostream &os = llvm::outs();
  os << llvm::formatv("{0,-16} {1,8} {2,8} {3,10}  {4}\n", "SCHEDULER", "II", "STAGES", "MS", "");
  std::list<Attempt> attempts;
  std::vector<NamedSchedule> schedules;
  for (const SchedulerEntry *entry : registry.getSchedulers()) {
    os.flush();
    Attempt &attempt = attempts.emplace_back(runOne(*entry, problem, options, registry));
    if (!attempt.schedule) {
      os << llvm::formatv("{0,-16} {1,8} {2,8} {3,10:F1}  {4}\n", entry->name, "-", "-", attempt.milliseconds,
                          llvm::toString(attempt.schedule.takeError()));
      continue;
    }
    const Schedule &found = *attempt.schedule;
    const bool isProven = found.isProvenMinimal || found.initiationInterval == problem.getMinII();
    os << llvm::formatv("{0,-16} {1,8} {2,8} {3,10:F1}  {4}\n", entry->name, found.initiationInterval,
                        found.getNumStages(), attempt.milliseconds, isProven ? "proven minimal" : "");
    schedules.push_back({options.input, entry->name, problem, found});
  }
  os << llvm::formatv("bounds: ResMII {0}, RecMII {1}, FineMII {2}, DepMII {3}; --scheduler=NAME prints a schedule\n",
                      problem.getResMII(), problem.getRecMII(), problem.getFineMII(), problem.getDepMII());
  if (schedules.empty())
    return fail(ExitCode::CompilationFailed, "no scheduler finds a schedule");
  return writeDrawings(options, schedules);
}

int run(const Options &options) {
  if (options.input.empty())
    return fail(ExitCode::Usage, "no problem is given; tileiras --dump-schedule-problems writes them, '-' is standard "
                                 "input, and --help tells more");
  Registry registry;
  if (llvm::Error error = loadPlugins(options, registry))
    return fail(ExitCode::Configuration, llvm::toString(std::move(error)));
  const std::vector<const SchedulerEntry *> known = registry.getSchedulers();
  const SchedulerEntry *entry = registry.findScheduler(options.scheduler);
  if (!entry && (known.empty() || !options.scheduler.empty())) {
    auto names = llvm::map_range(known, [](const SchedulerEntry *other) { return other->name; });
    std::string remedy = suggestName(options.scheduler, std::vector<std::string>(names.begin(), names.end()));
    if (remedy.empty())
      remedy = "; there is: " + llvm::join(names, ", ");
    if (known.empty())
      return fail(ExitCode::Configuration, "no plugin has a scheduler; --plugin-path names a folder of plugins");
    return fail(ExitCode::Configuration, "no scheduler is called '" + options.scheduler + "'" + remedy);
  }
  auto buffer = readInputFileOrStdin(options.input);
  if (!buffer)
    return fail(ExitCode::InputOutput, "'" + options.input + "' cannot be read: " + buffer.getError().message());
  llvm::Expected<ScheduleProblem> problem = ScheduleProblem::parse((*buffer)->getBuffer(), options.input);
  if (!problem)
    return fail(ExitCode::BadInput, llvm::toString(problem.takeError()));
  return entry ? schedule(*entry, *problem, options, registry) : compare(*problem, options, registry);
}

} // namespace

int main(int argc, char **argv) {
  cl::ResetCommandLineParser();
  static Options options;
  fitHelp(&getGroup());
  if (llvm::Error error = checkOptionNames(llvm::ArrayRef(argv, argc).drop_front())) {
    llvm::errs() << llvm::toString(std::move(error)) << '\n';
    return int(ExitCode::Usage);
  }
  cl::ParseCommandLineOptions(argc, argv, "tileiras-schedule: schedulers on the text form of a problem\n");
  return run(options);
}
