//===- main.cpp - tileiras-differential: compiler against reference -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "Reduce.h"
#include "Regressions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <chrono>
#include <map>
#include <unistd.h>

using namespace tileiras::fuzz;
namespace cl = llvm::cl;

static cl::opt<std::string> seeds("seeds", cl::desc("random programs A..B, both included"), cl::value_desc("A..B"));
static cl::opt<std::string> regressions("regressions", cl::desc("all programs of a folder"), cl::value_desc("folder"));
static cl::opt<std::string> program("program", cl::desc("one program, with --launch"), cl::value_desc("file"));
static cl::opt<std::string> launchFile("launch", cl::desc("its launch description"), cl::value_desc("file"));

static cl::list<unsigned> levels("levels", cl::CommaSeparated, cl::desc("optimisation levels (default 0,1,2,3)"));
static cl::opt<unsigned> schedules("schedules", cl::desc("emulator seeds for each level"), cl::init(2));
static cl::opt<std::string> assembler("ptxas", cl::desc("assemble the PTX with this program as well"));
static cl::opt<unsigned> jobs("jobs", cl::desc("programs at a time"), cl::init(1));
static cl::opt<double> deadline("deadline", cl::desc("seconds for a program"), cl::init(60));
static cl::opt<unsigned> size("size", cl::desc("steps of a random program"), cl::init(24));
static cl::opt<int64_t> maxElements("max-elements", cl::desc("of a tile"), cl::init(512));
static cl::list<std::string> features("features", cl::CommaSeparated, cl::desc("NAME=WEIGHT, see tileiras-generate"));

static cl::opt<bool> shrink("shrink", cl::desc("reduce what fails"), cl::init(false));
static cl::opt<std::string> fileUnder("file-under", cl::desc("write failures into a folder, once for each signature"));
static cl::opt<bool> quiet("quiet", cl::desc("no progress"), cl::init(false));

namespace {

/// What has come out so far.
class Report {
public:
  explicit Report(size_t total) : total(total) {}

  void add(Finished &&finished);
  int close() const;
  /// One failure for each signature, to be reduced.
  std::vector<Finished> representatives;

private:
  void showProgress() const;

  size_t total, count = 0;
  std::array<size_t, kNumVerdicts> verdicts{};
  std::map<std::string, std::vector<std::string>> failures; ///< names by signature
  std::map<std::string, size_t> refusals;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

} // namespace

void Report::showProgress() const {
  if (quiet)
    return;
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const char *end = isatty(STDERR_FILENO) ? "\r" : "\n";
  if (isatty(STDERR_FILENO) || count % 50 == 0 || count == total)
    llvm::errs() << llvm::format("%zu of %zu, %.1f a second, %zu failures%s", count, total,
                                 static_cast<double>(count) / std::max(seconds, 1e-3), failures.size(), end);
}

void Report::add(Finished &&finished) {
  ++count;
  ++verdicts[static_cast<size_t>(finished.outcome.verdict)];
  if (finished.outcome.verdict == Verdict::Refused)
    ++refusals[finished.outcome.message];
  if (isFailure(finished.outcome.verdict)) {
    std::vector<std::string> &names = failures[finished.outcome.signature()];
    names.push_back(finished.job.name);
    llvm::outs() << finished.job.name << ": " << describe(finished.outcome.verdict) << " at " << finished.outcome.stage
                 << "\n  " << llvm::StringRef(finished.outcome.message).take_front(600) << '\n';
    llvm::outs().flush();
    if (names.size() == 1 || finished.outcome.verdict == Verdict::WrongResult)
      representatives.push_back(std::move(finished));
  }
  showProgress();
}

int Report::close() const {
  llvm::outs() << count << " programs:";
  for (size_t i = 0; i < kNumVerdicts; ++i)
    if (verdicts[i] > 0)
      llvm::outs() << "  " << describe(static_cast<Verdict>(i)) << ' ' << verdicts[i];
  llvm::outs() << '\n';
  for (auto &[message, number] : refusals)
    llvm::outs() << "refused " << number << " times: " << llvm::StringRef(message).split('\n').first << '\n';
  for (auto &[signature, names] : failures)
    llvm::outs() << names.size() << " × " << signature << " (" << names.front() << ")\n";
  return failures.empty() ? 0 : 1;
}

static bool parseSeeds(uint64_t &first, uint64_t &last) {
  auto [a, b] = llvm::StringRef(seeds).split("..");
  if (a.getAsInteger(10, first))
    return false;
  if (b.empty() && !llvm::StringRef(seeds).contains("..")) {
    last = first;
    return true;
  }
  return !b.getAsInteger(10, last) && last >= first;
}

static llvm::Expected<GeneratorOptions> getGeneratorOptions() {
  GeneratorOptions options;
  options.size = size;
  options.maxElements = maxElements;
  for (const std::string &text : features) {
    auto [name, number] = llvm::StringRef(text).split('=');
    unsigned weight = 0;
    if (number.getAsInteger(10, weight) ||
        llvm::none_of(getFeatures(), [&, name = name](const Feature &feature) { return name == feature.name; }))
      return llvm::createStringError("there is no feature '" + text + "'; tileiras-generate --features=list shows them");
    options.weights[name] = weight;
  }
  return options;
}

/// Where the jobs come from: random programs are made one by one.
static llvm::Error collectJobs(std::vector<Job> &fixed, uint64_t &firstSeed, uint64_t &numSeeds) {
  if (!seeds.empty()) {
    uint64_t last = 0;
    if (!parseSeeds(firstSeed, last))
      return llvm::createStringError("--seeds needs A..B");
    numSeeds = last - firstSeed + 1;
  }
  if (!regressions.empty()) {
    llvm::Expected<std::vector<Job>> found = loadRegressions(regressions);
    if (!found)
      return found.takeError();
    llvm::move(*found, std::back_inserter(fixed));
  }
  if (!program.empty()) {
    llvm::Expected<Job> job = loadProgram(program, launchFile);
    if (!job)
      return job.takeError();
    fixed.push_back(std::move(*job));
  }
  if (fixed.empty() && numSeeds == 0)
    return llvm::createStringError("nothing to check: --seeds, --regressions or --program is needed");
  return llvm::Error::success();
}

/// "wrong-result-seed-12".
static std::string makeFileName(const Finished &failure) {
  std::string name = std::string(describe(failure.outcome.verdict)) + "-" + failure.job.name;
  for (char &c : name)
    c = llvm::isAlnum(c) ? c : '-';
  return name;
}

static llvm::Error reduceAndFile(const Finished &failure, const CheckOptions &options) {
  Finished smallest = failure;
  if (shrink) {
    ReduceOptions reduceOptions;
    if (!quiet)
      reduceOptions.progress = [&](size_t operations, unsigned tries) {
        llvm::errs() << failure.job.name << ": " << operations << " operations after " << tries << " tries\n";
      };
    smallest.job = reduceProgram(failure.job, failure.outcome.signature(), options, deadline, reduceOptions);
    smallest.outcome = checkIsolated(smallest.job, options, deadline);
    llvm::outs() << "---- " << failure.job.name << ", reduced: " << describe(smallest.outcome.verdict) << " at "
                 << smallest.outcome.stage << ": " << smallest.outcome.message << '\n'
                 << smallest.job.text << '\n';
  }
  return fileUnder.empty() ? llvm::Error::success()
                           : fileRegression(fileUnder, makeFileName(smallest), smallest.job, smallest.outcome);
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Looks for disagreements between the compiled program and the reference\n");
  auto fail = [](llvm::Error error) {
    llvm::errs() << "tileiras-differential: " << toString(std::move(error)) << '\n';
    return 2;
  };
  std::vector<Job> fixed;
  uint64_t seed = 0, numSeeds = 0;
  if (llvm::Error error = collectJobs(fixed, seed, numSeeds))
    return fail(std::move(error));
  llvm::Expected<GeneratorOptions> generator = getGeneratorOptions();
  if (!generator)
    return fail(generator.takeError());

  CheckOptions options;
  if (!levels.empty())
    options.levels.assign(levels.begin(), levels.end());
  options.schedules = schedules;
  options.assembler = assembler;
  Report report(fixed.size() + numSeeds);
  size_t nextFixed = 0;
  auto next = [&]() -> std::optional<Job> {
    if (nextFixed < fixed.size())
      return fixed[nextFixed++];
    if (numSeeds == 0)
      return std::nullopt;
    --numSeeds;
    generator->seed = seed++;
    GeneratedProgram made = generateProgram(*generator);
    return Job{"seed " + std::to_string(generator->seed), std::move(made.text), std::move(made.launch)};
  };
  runIsolated(next, [&](Finished &&finished) { report.add(std::move(finished)); }, options, jobs, deadline);

  if (shrink || !fileUnder.empty())
    for (const Finished &failure : report.representatives)
      if (llvm::Error error = reduceAndFile(failure, options))
        return fail(std::move(error));
  return report.close();
}
