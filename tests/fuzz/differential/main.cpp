//===- main.cpp - tileiras-differential: compiler against reference -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationCheck.h"
#include "ParseProgram.h"
#include "Reduce.h"
#include "Regressions.h"
#include "Report.h"
#include "Sweep.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras::fuzz;
namespace cl = llvm::cl;

static cl::OptionCategory group("tileiras-differential");

static cl::opt<std::string> seeds("seeds", cl::desc("random programs A..B, both included"), cl::value_desc("A..B"),
                                  cl::cat(group));
static cl::opt<std::string> regressions("regressions", cl::desc("all programs of a folder"), cl::value_desc("folder"),
                                        cl::cat(group));
static cl::opt<std::string>
    sweep("sweep",
          cl::desc("every operation on special 'values', views of all 'shapes', 'tiles' of all shapes, every operation "
                   "on all 'types', or 'all'"),
          cl::cat(group));
static cl::opt<std::string> tableFile("table", cl::desc("write NAME, verdict and message of each program, with tabs"),
                                      cl::cat(group));
static cl::opt<std::string> only("only", cl::desc("of a sweep, what has this in its name"), cl::cat(group));
static cl::opt<std::string> program("program", cl::desc("one program, with --launch"), cl::value_desc("file"),
                                    cl::cat(group));
static cl::opt<std::string> launchFile("launch", cl::desc("its launch description"), cl::value_desc("file"),
                                       cl::cat(group));

static cl::list<unsigned> levels("levels", cl::CommaSeparated, cl::desc("optimisation levels (default 0,1,2,3)"),
                                 cl::cat(group));
static cl::opt<unsigned> schedules("schedules", cl::desc("emulator seeds for each level"), cl::init(2), cl::cat(group));
static cl::opt<std::string> assembler("ptxas", cl::desc("assemble the PTX with this program as well"), cl::cat(group));
static cl::opt<unsigned> jobs("jobs", cl::desc("programs at a time"), cl::init(1), cl::cat(group));
static cl::opt<double> deadline("deadline", cl::desc("seconds for a program"), cl::init(60), cl::cat(group));
static cl::opt<unsigned> size("size", cl::desc("steps of a random program"), cl::init(24), cl::cat(group));
static cl::opt<int64_t> maxElements("max-elements", cl::desc("of a tile"), cl::init(512), cl::cat(group));
static cl::list<std::string> features("features", cl::CommaSeparated, cl::desc("NAME=WEIGHT, see tileiras-generate"),
                                      cl::cat(group));

static cl::opt<bool> shrink("shrink", cl::desc("reduce what fails"), cl::init(false), cl::cat(group));
static cl::opt<std::string> fileUnder("file-under", cl::desc("write failures into a folder, once for each signature"),
                                      cl::cat(group));
static cl::opt<std::string> knownFile("known", cl::desc("failures that are known: lines of TEXT => REASON"),
                                      cl::cat(group));
static cl::opt<bool> mutations("mutations", cl::desc("plant bugs and see that each is found"), cl::init(false),
                               cl::cat(group));
static cl::opt<std::string> mutationFilter("mutation", cl::desc("only those whose name contains this"), cl::cat(group));
static cl::opt<unsigned> maxSeeds("max-seeds", cl::desc("programs to try for a planted bug"), cl::init(300),
                                  cl::cat(group));
static cl::opt<bool> quiet("quiet", cl::desc("no progress"), cl::init(false), cl::cat(group));

static int fail(llvm::Error error) {
  llvm::errs() << "tileiras-differential: " << toString(std::move(error)) << '\n';
  return 2;
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
  for (const std::string &text : features)
    if (llvm::Error error = setWeight(options, text))
      return error;
  return options;
}

/// What --table writes.
class VerdictTable {
public:
  llvm::Error open(llvm::StringRef file) {
    std::error_code error;
    os.emplace(file, error);
    return error ? llvm::createStringError(error, "cannot write " + file + ": " + error.message())
                 : llvm::Error::success();
  }
  void add(llvm::StringRef name, llvm::StringRef verdict, llvm::StringRef message) {
    if (os)
      *os << name << '\t' << verdict << '\t' << message.split('\n').first << '\n';
  }

private:
  std::optional<llvm::raw_fd_ostream> os;
};

/// Programs that the verifier refuses are not programs of the language: they are left out.
static std::vector<SweptProgram> sweepLegalTypes(VerdictTable &table) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
  });
  std::vector<SweptProgram> programs = sweepTypes();
  llvm::erase_if(programs, [&](const SweptProgram &swept) {
    message.clear();
    if (parseProgram(swept.program.text, &context))
      return false;
    table.add(swept.name, "not in the language", message);
    return true;
  });
  return programs;
}

static void collectSweep(std::vector<Job> &jobs, VerdictTable &table) {
  std::vector<SweptProgram> programs;
  auto add = [&](llvm::StringRef name, llvm::function_ref<std::vector<SweptProgram>()> make) {
    if (sweep == name || sweep == "all")
      llvm::move(make(), std::back_inserter(programs));
  };
  add("values", sweepValues);
  add("shapes", sweepShapes);
  add("tiles", sweepTiles);
  add("types", [&] { return sweepLegalTypes(table); });
  for (SweptProgram &swept : programs)
    if (llvm::StringRef(swept.name).contains(only))
      jobs.push_back({std::move(swept.name), std::move(swept.program.text), std::move(swept.program.launch)});
}

/// Where the jobs come from: random programs are made one by one.
static llvm::Error collectJobs(std::vector<Job> &fixed, uint64_t &firstSeed, uint64_t &numSeeds, VerdictTable &table) {
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
  if (!sweep.empty())
    collectSweep(fixed, table);
  if (fixed.empty() && numSeeds == 0)
    return llvm::createStringError("nothing to check: --seeds, --regressions, --sweep or --program is needed");
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

static int run(std::vector<Job> fixed, uint64_t seed, uint64_t numSeeds, GeneratorOptions generator,
               const CheckOptions &options, KnownFailures known, VerdictTable &table) {
  Report report(fixed.size() + numSeeds, quiet, std::move(known));
  size_t nextFixed = 0;
  auto next = [&]() -> std::optional<Job> {
    if (nextFixed < fixed.size())
      return fixed[nextFixed++];
    if (numSeeds == 0)
      return std::nullopt;
    --numSeeds;
    generator.seed = seed++;
    GeneratedProgram made = generateProgram(generator);
    return Job{"seed " + std::to_string(generator.seed), std::move(made.text), std::move(made.launch)};
  };
  auto done = [&](Finished &&finished) {
    table.add(finished.job.name, describe(finished.outcome.verdict), finished.outcome.message);
    report.add(std::move(finished));
  };
  runIsolated(next, done, options, jobs, deadline);
  if (shrink || !fileUnder.empty())
    for (const Finished &failure : report.getRepresentatives())
      if (llvm::Error error = reduceAndFile(failure, options))
        return fail(std::move(error));
  return report.close();
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(group);
  cl::ParseCommandLineOptions(argc, argv, "Looks for disagreements between the compiled program and the reference\n");
  CheckOptions options;
  if (!levels.empty())
    options.levels.assign(levels.begin(), levels.end());
  options.schedules = schedules;
  options.assembler = assembler;
  llvm::Expected<GeneratorOptions> generator = getGeneratorOptions();
  if (!generator)
    return fail(generator.takeError());
  if (mutations)
    return checkMutations(*generator, options, deadline, mutationFilter, maxSeeds) == 0 ? 0 : 1;

  std::vector<Job> fixed;
  uint64_t seed = 0, numSeeds = 0;
  VerdictTable table;
  if (!tableFile.empty())
    if (llvm::Error error = table.open(tableFile))
      return fail(std::move(error));
  if (llvm::Error error = collectJobs(fixed, seed, numSeeds, table))
    return fail(std::move(error));
  KnownFailures known;
  if (!knownFile.empty()) {
    llvm::Expected<KnownFailures> loaded = KnownFailures::load(knownFile);
    if (!loaded)
      return fail(loaded.takeError());
    known = std::move(*loaded);
  }
  return run(std::move(fixed), seed, numSeeds, *generator, options, std::move(known), table);
}
