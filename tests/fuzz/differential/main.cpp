//===- main.cpp - tileiras-differential: compiler against reference -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Files.h"
#include "Findings.h"
#include "MutationCheck.h"
#include "ParseProgram.h"
#include "RandomPrograms.h"
#include "Regressions.h"
#include "SeedRange.h"
#include "Share.h"
#include "Sweep.h"
#include "Targets.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras::fuzz;
namespace cl = llvm::cl;

enum class Sweep { None, Values, Shapes, Tiles, Types, Pipelines, All };

enum class Planted {
  None,
  Lowering,
  Pipelines,
  Agents,
  Clusters,
  Tensor,
  Groups,
  CopyGroups,
  Pairs,
  Flight,
  Overwriting
};

static cl::OptionCategory group("tileiras-differential");

static cl::opt<SeedRange> seeds("seeds", cl::desc("random programs A..B, both included"), cl::value_desc("A..B"),
                                cl::cat(group));
static cl::opt<std::string> regressions("regressions", cl::desc("all programs of a folder"), cl::value_desc("folder"),
                                        cl::cat(group));
static cl::opt<Sweep, false, ChoiceParser<Sweep>>
    sweep("sweep", cl::desc("programs by tables"), cl::init(Sweep::None), cl::cat(group),
          cl::values(clEnumValN(Sweep::Values, "values", "every operation on special values"),
                     clEnumValN(Sweep::Shapes, "shapes", "views of all shapes"),
                     clEnumValN(Sweep::Tiles, "tiles", "tiles of all shapes"),
                     clEnumValN(Sweep::Types, "types", "every operation on all types"),
                     clEnumValN(Sweep::Pipelines, "pipelines", "loops of loads and matrix products"),
                     clEnumValN(Sweep::All, "all", "all of these")));
static cl::opt<std::string> tableFile("table", cl::desc("write NAME, verdict and message of each program, with tabs"),
                                      cl::cat(group));
static cl::opt<std::string> only("only", cl::desc("of a sweep, what has this in its name"), cl::cat(group));
static cl::opt<std::string> program("program", cl::desc("one program, with --launch"), cl::value_desc("file"),
                                    cl::cat(group));
static cl::opt<std::string> launchFile("launch", cl::desc("its launch description"), cl::value_desc("file"),
                                       cl::cat(group));

static cl::list<std::string> gpus("gpu", cl::CommaSeparated,
                                  cl::desc("chips to compile for (default sm_90); a program fails where one does"),
                                  cl::value_desc("sm_NN"), cl::cat(group));
static cl::list<std::string> settings("set", cl::desc("a pipeline option of every compilation; may be repeated"),
                                      cl::value_desc("option=value"), cl::cat(group));
static cl::list<unsigned, bool, RangeParser<0, 3>>
    levels("levels", cl::CommaSeparated, cl::desc("optimisation levels (default 0,1,2,3; none beside --profiles)"),
           cl::cat(group));
static cl::list<std::string> profiles("profiles", cl::CommaSeparated,
                                      cl::desc("pipeline profiles, besides the levels that are given; options of one "
                                               "of them come after it: o3+scheduler.name=serial"),
                                      cl::value_desc("name or file"), cl::cat(group));
static cl::opt<bool>
    rotate("rotate",
           cl::desc("check each random program for one of the chips by one of the profiles, one after the other"),
           cl::init(false), cl::cat(group));
static cl::opt<unsigned, false, RangeParser<1, UINT_MAX>>
    schedules("schedules", cl::desc("emulator seeds for each level and profile"), cl::init(2), cl::cat(group));
static cl::opt<bool> strict("strict", cl::desc("the emulator follows the ISA's letter where practice is laxer"),
                            cl::init(false), cl::cat(group));
static cl::opt<std::string> assembler("ptxas", cl::desc("assemble the PTX with this program as well"), cl::cat(group));
static cl::opt<unsigned, false, RangeParser<1, UINT_MAX>>
    assembleEvery("ptxas-every", cl::desc("assemble one of so many random programs"), cl::init(1), cl::cat(group));
static cl::opt<double, false, PositiveParser>
    timeLimit("time-limit", cl::desc("seconds after which no random program is begun"), cl::init(0), cl::cat(group));
static cl::opt<unsigned, false, RangeParser<1, UINT_MAX>> jobs("jobs", cl::desc("programs at a time"), cl::init(1),
                                                               cl::cat(group));
static cl::opt<double, false, PositiveParser> deadline("deadline", cl::desc("seconds for a program"), cl::init(60),
                                                       cl::cat(group));
static GeneratorFlags generatorFlags(group);

static cl::opt<bool> shrink("shrink", cl::desc("reduce what fails"), cl::init(false), cl::cat(group));
static cl::opt<std::string> fileUnder("file-under", cl::desc("write failures into a folder, once for each signature"),
                                      cl::cat(group));
static cl::opt<std::string> knownFile("known", cl::desc("failures that are known: lines of TEXT => REASON"),
                                      cl::cat(group));
static cl::opt<Planted, false, ChoiceParser<Planted>>
    mutations("mutations", cl::desc("plant bugs and see that each is found"), cl::init(Planted::None), cl::cat(group),
              cl::values(clEnumValN(Planted::Lowering, "lowering", "bugs that any program may have"),
                         clEnumValN(Planted::Pipelines, "pipelines", "of loops of products that load ahead"),
                         clEnumValN(Planted::Agents, "agents", "of such loops that are cut in two"),
                         clEnumValN(Planted::Clusters, "clusters", "of CTAs that work together"),
                         clEnumValN(Planted::Tensor, "tensor", "of products in tensor memory"),
                         clEnumValN(Planted::Groups, "groups", "of such products of warpgroups"),
                         clEnumValN(Planted::CopyGroups, "copy-groups", "of loops whose copies are cp.async in groups"),
                         clEnumValN(Planted::Pairs, "pairs", "of products of two CTAs"),
                         clEnumValN(Planted::Flight, "flight", "registers of warpgroups' products are used too early"),
                         clEnumValN(Planted::Overwriting, "overwriting", "sums in tensor memory are overwritten")));
static cl::opt<std::string> mutationFilter("mutation", cl::desc("only those whose name contains this"), cl::cat(group));
static cl::opt<std::string> part("part",
                                 cl::desc("one of N parts of the programs, or of the bugs to plant: the K-th, from 0"),
                                 cl::value_desc("K/N"), cl::cat(group));
static cl::opt<unsigned> maxSeeds("max-seeds", cl::desc("programs to try for a planted bug"), cl::init(300),
                                  cl::cat(group));
static cl::opt<bool> quiet("quiet", cl::desc("no progress"), cl::init(false), cl::cat(group));

static int fail(llvm::Error error) {
  llvm::errs() << "tileiras-differential: " << toString(std::move(error)) << '\n';
  return 2;
}

/// Options that say nothing without another.
static llvm::Error checkCompany() {
  const std::pair<const cl::Option &, const cl::Option &> needs[] = {
      {program, launchFile},       {launchFile, program}, {only, sweep},
      {mutationFilter, mutations}, {maxSeeds, mutations}, {rotate, seeds},
      {rotate, profiles},          {timeLimit, seeds},    {assembleEvery, assembler}};
  for (const auto &[option, needed] : needs)
    if (option.getNumOccurrences() > 0 && needed.getNumOccurrences() == 0)
      return llvm::createStringError("--" + option.ArgStr + " is given without --" + needed.ArgStr);
  return llvm::Error::success();
}

/// What --table writes.
class VerdictTable {
public:
  /// Says now, before hours of work, whether there will be a table.
  llvm::Error open(llvm::StringRef name) {
    file = name.str();
    return tileiras::writeFile(file, "");
  }
  void add(llvm::StringRef name, llvm::StringRef verdict, llvm::StringRef message) {
    if (!file.empty())
      rows += (name + "\t" + verdict + "\t" + message.split('\n').first + "\n").str();
  }
  llvm::Error close() const { return file.empty() ? llvm::Error::success() : tileiras::writeFile(file, rows); }

private:
  std::string file, rows;
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

static llvm::Error collectSweep(std::vector<Job> &jobs, VerdictTable &table) {
  std::vector<SweptProgram> programs;
  auto add = [&](Sweep part, llvm::function_ref<std::vector<SweptProgram>()> make) {
    if (sweep == part || sweep == Sweep::All)
      llvm::move(make(), std::back_inserter(programs));
  };
  add(Sweep::Values, sweepValues);
  add(Sweep::Shapes, sweepShapes);
  add(Sweep::Tiles, sweepTiles);
  add(Sweep::Types, [&] { return sweepLegalTypes(table); });
  add(Sweep::Pipelines, sweepPipelines);
  const std::string example = programs.front().name;
  llvm::erase_if(programs, [](const SweptProgram &swept) { return !llvm::StringRef(swept.name).contains(only); });
  if (programs.empty())
    return llvm::createStringError("--only '" + only + "' is in no name of the sweep; names are like '" + example +
                                   "', --table writes them");
  for (SweptProgram &swept : programs)
    jobs.push_back({std::move(swept.name), std::move(swept.program.text), std::move(swept.program.launch)});
  return llvm::Error::success();
}

/// The programs that are not made one by one, as random ones are.
static llvm::Error collectJobs(std::vector<Job> &fixed, VerdictTable &table) {
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
  if (sweep != Sweep::None)
    if (llvm::Error error = collectSweep(fixed, table))
      return error;
  if (fixed.empty() && seeds.getNumOccurrences() == 0)
    return llvm::createStringError("nothing to check: --seeds, --regressions, --sweep or --program is needed");
  return llvm::Error::success();
}

static int run(std::vector<Job> fixed, const SeedRange &range, const CheckOptions &options, KnownFailures known,
               VerdictTable &table) {
  RandomPrograms random({range, generatorFlags.getOptions(), rotate, assembleEvery, timeLimit}, options);
  Report report(fixed.size() + range.count, quiet, std::move(known));
  size_t nextFixed = 0;
  auto next = [&]() -> std::optional<Job> {
    if (nextFixed < fixed.size())
      return fixed[nextFixed++];
    return random.next();
  };
  auto done = [&](Finished &&finished) {
    table.add(finished.job.name, describe(finished.outcome.verdict), finished.outcome.message);
    report.add(std::move(finished));
  };
  runIsolated(next, done, options, jobs, deadline);
  if (llvm::Error error = reduceAndFile(report, options, {deadline, shrink, quiet, fileUnder}))
    return fail(std::move(error));
  int status = report.close();
  if (std::optional<std::string> rest = random.getRest())
    llvm::outs() << "ended early: go on with --seeds " << *rest << '\n';
  if (llvm::Error error = table.close())
    return fail(std::move(error));
  return status;
}

static int plantBugs(const Share &share, const CheckOptions &options) {
  GeneratorOptions generator = generatorFlags.getOptions();
  auto all = mutations == Planted::Lowering      ? getMutations()
             : mutations == Planted::Pipelines   ? getPipelineMutations()
             : mutations == Planted::Clusters    ? getClusterMutations()
             : mutations == Planted::Tensor      ? getTensorMutations()
             : mutations == Planted::Groups      ? getGroupMutations()
             : mutations == Planted::CopyGroups  ? getCopyGroupMutations()
             : mutations == Planted::Pairs       ? getPairMutations()
             : mutations == Planted::Flight      ? getFlightMutations()
             : mutations == Planted::Overwriting ? getOverwritingMutations()
                                                 : getAgentMutations();
  auto names = llvm::map_range(all, [](const Mutation &each) { return llvm::StringRef(each.name); });
  std::vector<Mutation> chosen;
  for (const Mutation &mutation : all)
    if (llvm::StringRef(mutation.name).contains(mutationFilter))
      chosen.push_back(mutation);
  if (chosen.empty())
    return fail(llvm::createStringError("--mutation '" + mutationFilter +
                                        "' is in no name of a planted bug; there are " + llvm::join(names, ", ")));
  share.keepOf(chosen);
  if (chosen.empty())
    return fail(llvm::createStringError("--part " + part + " has no bug: there are fewer than parts"));
  return checkMutations(chosen, generator, options, deadline, maxSeeds) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(group);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Looks for disagreements between the compiled program and the reference\n", &llvm::errs()))
    return 2;
  if (llvm::Error error = checkCompany())
    return fail(std::move(error));
  llvm::Expected<Share> share = parseShare(part);
  if (!share)
    return fail(share.takeError());
  CheckOptions options;
  options.profiles.assign(profiles.begin(), profiles.end());
  if (!levels.empty() || !profiles.empty())
    options.levels.assign(levels.begin(), levels.end());
  if (!gpus.empty())
    options.gpuNames.assign(gpus.begin(), gpus.end());
  options.settings.assign(settings.begin(), settings.end());
  options.schedules = schedules;
  options.assembler = assembler;
  options.isStrict = strict;
  if (llvm::Error error = checkTargets(options))
    return fail(std::move(error));
  if (mutations != Planted::None)
    return plantBugs(*share, options);

  std::vector<Job> fixed;
  VerdictTable table;
  if (!tableFile.empty())
    if (llvm::Error error = table.open(tableFile))
      return fail(std::move(error));
  if (llvm::Error error = collectJobs(fixed, table))
    return fail(std::move(error));
  KnownFailures known;
  if (!knownFile.empty()) {
    llvm::Expected<KnownFailures> loaded = KnownFailures::load(knownFile);
    if (!loaded)
      return fail(loaded.takeError());
    known = std::move(*loaded);
  }
  share->keepOf(fixed);
  const SeedRange range = share->keepOf(SeedRange(seeds));
  if (fixed.empty() && range.count == 0)
    return fail(llvm::createStringError("--part " + part + " has no program: there are fewer than parts"));
  return run(std::move(fixed), range, options, std::move(known), table);
}
