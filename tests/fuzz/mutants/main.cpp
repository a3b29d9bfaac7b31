//===- main.cpp - tileiras-mutate-text: what becomes of programs with changes --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A seed picks a program, changes it so that it still verifies, and picks a chip and a profile. The text of the mutant
// must parse and come back from bytecode as it was; it must compile or be refused with a reason and a place; its PTX
// must assemble. If its program has a launch for which it is still defined, it is run: the PTX must do what the
// reference does.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Findings.h"
#include "InnerMutants.h"
#include "Inputs.h"
#include "Plant.h"
#include "SeedRange.h"
#include "Share.h"
#include "Targets.h"
#include "mutate/ModuleMutator.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras;
using namespace tileiras::fuzz;
namespace cl = llvm::cl;

/// NAME=NUMBER.
struct Floor {
  std::string name;
  size_t number = 0;
};

template <>
class llvm::cl::parser<Floor> : public basic_parser<Floor> {
public:
  parser(Option &option) : basic_parser(option) {}
  bool parse(Option &option, StringRef name, StringRef text, Floor &floor) {
    auto [what, number] = text.split('=');
    floor.name = what.str();
    if (number.getAsInteger(10, floor.number) ||
        !llvm::is_contained({"mutants", "compiled", "assembled", "emulated", "changes", "verified", "lowered"}, what))
      return option.error("'" + text +
                              "' is not mutants, compiled, assembled, emulated, verified, lowered or changes, =, and a "
                              "number",
                          name);
    return false;
  }
};

static cl::OptionCategory group("tileiras-mutate-text");

static cl::opt<SeedRange> seeds("seeds", cl::desc("mutants A..B, both included"), cl::value_desc("A..B"), cl::Required,
                                cl::cat(group));
static cl::opt<std::string> part("part", cl::desc("one of N parts of the seeds: the K-th, from 0"),
                                 cl::value_desc("K/N"), cl::cat(group));
static cl::list<std::string> inputs("inputs", cl::desc("programs: files, and folders with what is below them"),
                                    cl::value_desc("path"), cl::cat(group));
static cl::opt<SeedRange> generated("generate", cl::desc("and the programs A..B of tileiras-generate, with launches"),
                                    cl::value_desc("A..B"), cl::cat(group));
static GeneratorFlags generatorFlags(group);
static cl::opt<unsigned, false, RangeParser<1, 1000>> maxChanges("changes", cl::desc("of a mutant, at most"),
                                                                 cl::init(5), cl::cat(group));
static cl::opt<unsigned> maxSize("max-input",
                                 cl::desc("elements that a program may compute (a product: multiplications)"),
                                 cl::init(1 << 24), cl::cat(group));
static cl::opt<bool> inner("inner",
                           cl::desc("change IR of nv_tileaa and nv_tileas, which --inputs has as text and which passes "
                                    "make of its programs: does it crash the verifier, passes or the pipeline?"),
                           cl::init(false), cl::cat(group));
static cl::opt<unsigned> numPasses("passes", cl::desc("with --inner: passes that a mutant goes through, one by one"),
                                   cl::init(6), cl::cat(group));
static cl::opt<bool> print("print", cl::desc("print the mutants, and check nothing"), cl::init(false), cl::cat(group));

static cl::list<std::string> gpus("gpu", cl::CommaSeparated, cl::desc("chips, one after the other"),
                                  cl::value_desc("sm_NN"), cl::cat(group),
                                  cl::list_init<std::string>({"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_103",
                                                              "sm_110", "sm_120", "sm_100f", "sm_120f"}));
static cl::list<std::string> profiles("profiles", cl::CommaSeparated,
                                      cl::desc("pipeline profiles, one after the other"),
                                      cl::value_desc("name or file"), cl::cat(group),
                                      cl::list_init<std::string>({"o0", "o2", "o3", "o3-ws", "o3-unspecialized"}));
static cl::opt<std::string> assembler("ptxas", cl::desc("assemble what is compiled with this program"), cl::cat(group));
static cl::opt<unsigned, false, RangeParser<1, UINT_MAX>> schedules("schedules", cl::desc("emulator seeds of a run"),
                                                                    cl::init(1), cl::cat(group));
static cl::opt<unsigned, false, RangeParser<1, UINT_MAX>> jobs("jobs", cl::desc("mutants at a time"), cl::init(1),
                                                               cl::cat(group));
static cl::opt<double, false, PositiveParser> deadline("deadline", cl::desc("seconds for a mutant"), cl::init(60),
                                                       cl::cat(group));
static cl::opt<double, false, PositiveParser> minutes("minutes", cl::desc("none is begun after so many minutes"),
                                                      cl::init(1e9), cl::cat(group));

static cl::opt<bool> shrink("shrink", cl::desc("reduce what fails"), cl::init(false), cl::cat(group));
static cl::opt<std::string> fileUnder("file-under", cl::desc("write failures into a folder, once for each signature"),
                                      cl::cat(group));
static cl::opt<std::string> knownFile("known", cl::desc("failures that are known: lines of TEXT => REASON"),
                                      cl::cat(group));
static cl::list<Floor>
    least("least", cl::CommaSeparated,
          cl::desc("fail where fewer are mutants, compiled, assembled or emulated, or fewer kinds of "
                   "changes were made"),
          cl::value_desc("NAME=NUMBER"), cl::cat(group));
static cl::opt<std::string> planted("plant",
                                    cl::desc("make what is compiled fail where its PTX has this (with --inner: its IR; "
                                             "or invalid=PASS): is it found?"),
                                    cl::value_desc("KIND=PATTERN"), cl::cat(group));
static cl::opt<bool> quiet("quiet", cl::desc("no progress"), cl::init(false), cl::cat(group));

static int fail(llvm::Error error) {
  llvm::errs() << "tileiras-mutate-text: " << toString(std::move(error)) << '\n';
  return 2;
}

//===----------------------------------------------------------------------===//
// Mutants
//===----------------------------------------------------------------------===//

/// Compile time grows with what is computed: mutants are not much larger than their program.
static bool isCompilable(const ProgramSize &mutant, const ProgramSize &original) {
  return mutant.operations <= original.operations + 400 &&
         mutant.elements <= std::max<int64_t>(2 * original.elements, 1 << 18) &&
         mutant.largest <= std::max<int64_t>(2 * original.largest, 1 << 16);
}

/// What reductions and scans combine by is associative and has these neutral elements, as the language wants: one of
/// the programs has it.
static bool combinesAs(cuda_tile::ModuleOp mutant, llvm::ArrayRef<cuda_tile::ModuleOp> programs) {
  auto isReduction = [](mlir::Operation *op) { return mlir::isa<cuda_tile::ReduceOp, cuda_tile::ScanOp>(op); };
  llvm::SmallVector<mlir::Operation *> known;
  for (cuda_tile::ModuleOp program : programs)
    program->walk([&](mlir::Operation *op) {
      if (isReduction(op))
        known.push_back(op);
    });
  return !mutant
              ->walk([&](mlir::Operation *op) {
                const bool isKnown = !isReduction(op) || llvm::any_of(known, [&](mlir::Operation *other) {
                  return other->getAttr("identities") == op->getAttr("identities") &&
                         mlir::OperationEquivalence::isRegionEquivalentTo(&other->getRegion(0), &op->getRegion(0),
                                                                          mlir::OperationEquivalence::IgnoreLocations);
                });
                return mlir::WalkResult(mlir::success(isKnown));
              })
              .wasInterrupted();
}

/// The text of the mutant, which says in its first line what it is; empty if no change was found. No launch is left
/// where what the mutant computes is undefined.
static std::string makeMutant(uint64_t seed, const std::vector<Input> &programs, Random random, size_t chosen,
                              std::vector<std::string> &notes, LaunchCase &launch) {
  const Input &input = programs[chosen], &donor = programs[random.below(programs.size())];
  MutationOptions options;
  options.maxChanges = maxChanges;
  options.isWanted = [&](cuda_tile::ModuleOp module) { return isCompilable(measure(module), input.size); };
  llvm::SmallVector<llvm::StringRef> changes;
  mlir::OwningOpRef<cuda_tile::ModuleOp> mutant = mutateModule(*input.module, *donor.module, random, options, &changes);
  if (!mutant)
    return {};
  if (!combinesAs(*mutant, {*input.module, *donor.module}))
    launch = {};
  notes.push_back("mutants");
  for (llvm::StringRef change : changes)
    if (std::string note = "change " + change.str(); !llvm::is_contained(notes, note))
      notes.push_back(note);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// Mutant " << seed << " of " << input.name << ": " << llvm::join(changes, ", ") << '\n';
  mutant->print(os, mlir::OpPrintingFlags().useLocalScope());
  os << '\n';
  return text;
}

static Job makeJob(uint64_t seed, const std::vector<Input> &programs, const CheckOptions &common) {
  Random random(seed);
  size_t chosen = random.below(programs.size());
  Job job;
  job.launch = programs[chosen].launch;
  job.options = common;
  job.options->gpuNames = {gpus[seed % gpus.size()]};
  job.options->profiles = {ProfileChoice(profiles[seed / gpus.size() % profiles.size()])};
  job.name =
      "mutant " + std::to_string(seed) + " by " + job.options->profiles[0].text + " for " + job.options->gpuNames[0];
  job.prepare = [=, &programs](std::vector<std::string> &notes, LaunchCase &launch) {
    return makeMutant(seed, programs, random, chosen, notes, launch);
  };
  return job;
}

static llvm::Error loadPrograms(mlir::MLIRContext *context, std::vector<Input> &programs) {
  for (const std::string &path : inputs)
    if (llvm::Error error = loadInputs(path, context, maxSize, programs))
      return error;
  GeneratorOptions options = generatorFlags.getOptions();
  for (SeedRange range = generated; range.count > 0; --range.count) {
    options.seed = range.first++;
    GeneratedProgram made = generateProgram(options);
    if (!addInput("seed " + std::to_string(options.seed), made.text, std::move(made.launch), context, programs))
      return llvm::createStringError("the generator's seed " + llvm::Twine(options.seed) + " does not verify");
  }
  if (programs.empty())
    return llvm::createStringError("nothing to change: --inputs or --generate is needed");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

/// Prints the closing line; false if less was done than --least wants.
static bool closeCounts(const Report &report, uint64_t nextSeed) {
  auto count = [&](const std::string &what) {
    auto found = report.getNotes().find(what);
    return found == report.getNotes().end() ? 0 : found->second;
  };
  std::string kinds;
  size_t numKinds = 0;
  const auto names = inner ? getIRChangeNames() : getChangeNames();
  for (llvm::StringRef name : names)
    if (size_t number = count("change " + name.str())) {
      ++numKinds;
      kinds += (kinds.empty() ? "" : ", ") + name.str() + ' ' + std::to_string(number);
    }
  llvm::outs() << "  changes: " << kinds << '\n' << report.getCount() << " seeds: mutants " << count("mutants");
  if (inner)
    llvm::outs() << ", verified " << count("verified") << ", passes that succeeded " << count("passes that succeeded")
                 << ", lowered " << count("lowered");
  else
    llvm::outs() << ", compiled " << count("compiled") << ", assembled " << count("assembled") << ", emulated "
                 << count("emulated") << ", without form in bytecode " << count("unwritten");
  llvm::outs() << ", kinds of changes " << numKinds << " of " << names.size() << "; next seed " << nextSeed << '\n';
  bool isEnough = true;
  for (const Floor &floor : least) {
    size_t number = floor.name == "changes" ? numKinds : count(floor.name);
    if (number >= floor.number)
      continue;
    isEnough = false;
    llvm::outs() << "FAILED: " << floor.name << " are " << number << ", at least " << floor.number
                 << " were expected\n";
  }
  return isEnough;
}

static int run(llvm::function_ref<Job(uint64_t seed)> make, const CheckOptions &options, KnownFailures known) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  SeedRange range = seeds;
  Report report(range.count, quiet, std::move(known));
  auto next = [&]() -> std::optional<Job> {
    if (range.count == 0 || std::chrono::duration<double>(Clock::now() - start).count() > 60 * minutes)
      return std::nullopt;
    --range.count;
    return make(range.first++);
  };
  runIsolated(
      next, [&](Finished &&finished) { report.add(std::move(finished)); }, options, jobs, deadline);
  if (llvm::Error error = reduceAndFile(report, options, {deadline, shrink, quiet, fileUnder}))
    return fail(std::move(error));
  int status = report.close();
  return closeCounts(report, range.first) ? status : 1;
}

static void printMutants(llvm::function_ref<Job(uint64_t seed)> make) {
  for (SeedRange range = seeds; range.count > 0; --range.count) {
    std::vector<std::string> notes;
    Job job = make(range.first++);
    llvm::outs() << job.prepare(notes, job.launch);
  }
}

static int runAll(llvm::function_ref<Job(uint64_t seed)> make, const CheckOptions &options, KnownFailures known) {
  if (!print)
    return run(make, options, std::move(known));
  printMutants(make);
  return 0;
}

static int runPrograms(const CheckOptions &options, KnownFailures known) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  std::vector<Input> programs;
  if (llvm::Error error = loadPrograms(&context, programs))
    return fail(std::move(error));
  return runAll([&](uint64_t seed) { return makeJob(seed, programs, options); }, options, std::move(known));
}

static int runInner(const CheckOptions &options, KnownFailures known) {
  if (shrink || generated.count > 0)
    return fail(llvm::createStringError("--inner has no --shrink and no --generate"));
  InnerOptions innerOptions;
  innerOptions.paths = {inputs.begin(), inputs.end()};
  innerOptions.gpuNames = {gpus.begin(), gpus.end()};
  innerOptions.profiles = {profiles.begin(), profiles.end()};
  innerOptions.maxChanges = maxChanges;
  innerOptions.passes = numPasses;
  innerOptions.planted = options.rewrite;
  if (llvm::StringRef pass(planted); pass.consume_front("invalid="))
    innerOptions.broken = pass.str();
  llvm::Expected<std::unique_ptr<InnerMutants>> mutants = InnerMutants::load(std::move(innerOptions));
  if (!mutants)
    return fail(mutants.takeError());
  llvm::outs() << (*mutants)->countInputs() << " inputs\n";
  return runAll([&](uint64_t seed) { return (*mutants)->makeJob(seed); }, options, std::move(known));
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(group);
  if (!cl::ParseCommandLineOptions(argc, argv, "Changes programs and looks what the compiler makes of them\n",
                                   &llvm::errs()))
    return 2;
  llvm::Expected<Share> share = parseShare(part);
  if (!share)
    return fail(share.takeError());
  seeds.setValue(share->keepOf(seeds));
  CheckOptions options;
  options.levels.clear();
  options.gpuNames.assign(gpus.begin(), gpus.end());
  options.profiles.assign(profiles.begin(), profiles.end());
  options.schedules = schedules;
  options.assembler = assembler;
  options.isMutant = true;
  options.maxOperations = 100'000; // Changes may make loops long: these are compiled only.
  if (llvm::Error error = checkTargets(options))
    return fail(std::move(error));
  const bool isInvalidPlanted = inner && llvm::StringRef(planted).starts_with("invalid=");
  if (!planted.empty() && !isInvalidPlanted) {
    auto rewrite = parsePlanted(planted);
    if (!rewrite)
      return fail(rewrite.takeError());
    options.rewrite = std::move(*rewrite);
  }
  KnownFailures known;
  if (!knownFile.empty()) {
    llvm::Expected<KnownFailures> loaded = KnownFailures::load(knownFile);
    if (!loaded)
      return fail(loaded.takeError());
    known = std::move(*loaded);
  }
  return inner ? runInner(options, std::move(known)) : runPrograms(options, std::move(known));
}
