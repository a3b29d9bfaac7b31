//===- RunOptions.cpp - The command line of tileiras-run ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunOptions.h"
#include "HelpText.h"
#include "RunError.h"
#include "tileiras/Support/Version.h"

using namespace tileiras;
using namespace tileiras::run;
namespace cl = llvm::cl;

namespace {

constexpr const char *kOverview =
    R"(Runs one kernel: Tile IR (compiled here), PTX, or a cubin.

tileiras-run KERNEL --launch FILE.json      tileiras-run KERNEL --case DIR      tileiras-run KERNEL --new-launch

Compares the results with what the launch expects, writes what it wants written, and says what the kernel takes.
Exit status: 0 the kernel ran clean and agrees, 1 it did not, 2 usage, 3 the input cannot be run
)";

cl::OptionCategory runGroup("What to run, and where");
cl::OptionCategory measureGroup("Measuring on a GPU");
cl::OptionCategory emulatorGroup("The emulator");

struct Flags {
  cl::opt<std::string> kernel{cl::Positional, cl::desc("KERNEL"), cl::cat(runGroup)};
  cl::opt<std::string> launch{"launch", cl::value_desc("launch.json"), cl::cat(runGroup),
                              cl::desc("The launch: entry, grid, buffers, parameters, expected results")};
  cl::opt<std::string> folder{"case", cl::value_desc("DIR"), cl::cat(runGroup),
                              cl::desc("A folder whose launch.txt describes the launch; results are written there")};
  cl::opt<bool> newLaunch{"new-launch", cl::cat(runGroup),
                          cl::desc("Write a launch of the kernel to standard output, to begin with; nothing runs")};
  cl::opt<std::string> on{
      "on", cl::value_desc("place"), cl::cat(runGroup),
      cl::desc("gpu, emulator or interpreter. Default: the GPU if there is one, else the emulator")};
  cl::opt<bool> everywhere{"all", cl::cat(runGroup),
                           cl::desc("Run it in all places that can, and compare their results with each other")};
  cl::opt<std::string> metadata{"metadata", cl::value_desc("FILE"), cl::cat(runGroup),
                                cl::desc("What the compiler's --metadata wrote, for a cubin that has lost it")};
  cl::opt<std::string> json{"json", cl::value_desc("FILE"), cl::cat(runGroup),
                            cl::desc("Write what is found, for programs; '-' is standard output")};
  cl::opt<std::string> report{"report", cl::value_desc("FILE"), cl::cat(runGroup),
                              cl::desc("Write a page (HTML) that shows the program with its remarks, schedules, shared "
                                       "memory, PTX, passes, the time by the clock, and what is found")};
  cl::opt<std::string> machine{
      "machine", cl::value_desc("NAME"), cl::cat(runGroup),
      cl::desc("The GPU whose times --report shows, as of ptx-emulator time; default: one that "
               "the kernel is for")};
  cl::opt<bool> quiet{"quiet", cl::cat(runGroup), cl::desc("Nothing but mistakes")};
  cl::opt<unsigned> repeat{"repeat", cl::init(20), cl::value_desc("N"), cl::cat(measureGroup),
                           cl::desc("Timed launches (default 20; 0: none)")};
  cl::opt<unsigned> warmUp{"warm-up", cl::init(3), cl::value_desc("N"), cl::cat(measureGroup),
                           cl::desc("Launches before them (default 3), besides the one that is compared")};
  cl::opt<bool> flushL2{"flush-l2", cl::cat(measureGroup), cl::desc("Empty the L2 cache before each timed launch")};
  cl::opt<bool> checkAssumes{"check-assumes", cl::init(true), cl::cat(emulatorGroup),
                             cl::desc("Look at each assumption of Tile IR in a run of its own (default true)")};
  CompilerFlags compiler;
  ptxemu::EmulatorFlags emulator{cl::SubCommand::getTopLevel(), emulatorGroup};
};

Place parsePlace(llvm::StringRef name) {
  for (Place place : kPlaces)
    if (name == getName(place))
      return place;
  throw RunError(Exit::Usage, "--on takes gpu, emulator or interpreter, not '" + name + "'");
}

/// What the options mean together.
void checkFlags(const Flags &flags) {
  auto fail = [](const llvm::Twine &message) { throw RunError(Exit::Usage, message); };
  if (flags.kernel.empty())
    fail("needs a kernel to run; --help tells more");
  if (flags.newLaunch && (!flags.launch.empty() || !flags.folder.empty()))
    fail("--new-launch writes a launch, and takes none");
  if (!flags.newLaunch && flags.launch.empty() == flags.folder.empty())
    fail(flags.launch.empty() ? "needs either --launch or --case; --new-launch writes a launch to begin with"
                              : "takes either --launch or --case, not both");
  if (!flags.machine.empty() && flags.report.empty())
    fail("--machine says whose times --report shows");
  if (flags.everywhere && flags.on.getNumOccurrences())
    fail("takes either --on or --all, not both");
  if (std::string problem = flags.emulator.check(); !problem.empty())
    fail(problem);
  if (llvm::Error error = flags.compiler.check())
    fail(llvm::toString(std::move(error)));
}

/// Options of LLVM's own tools, which its library brings along, have names that ours have as well.
void removeForeignOptions() {
  for (llvm::StringRef name : {"threads"})
    if (cl::Option *option = cl::getRegisteredOptions().lookup(name))
      option->removeArgument();
}

/// Throws RunError.
void check(llvm::Error error) {
  if (error)
    throw RunError(Exit::Usage, llvm::toString(std::move(error)));
}

/// Null when no remarks are wanted. Throws RunError.
std::shared_ptr<const RemarkFilter> readRemarkFilter(const CompilerFlags &flags) {
  llvm::Expected<mlir::remark::RemarkCategories> wanted = flags.getRemarkFilters();
  check(wanted.takeError());
  if (!wanted->passed && !wanted->missed && !wanted->failed && !wanted->analysis)
    return nullptr;
  PluginCatalogue plugins;
  for (const std::string &file : flags.loadPlugin)
    check(plugins.addFile(file));
  for (const std::string &folder : flags.pluginPath)
    check(plugins.addDirectory(folder));
  check(plugins.addDefaultDirectories());
  llvm::Expected<RemarkFilter> filter = RemarkFilter::create(*wanted, plugins.collectRemarks());
  check(filter.takeError());
  return std::make_shared<const RemarkFilter>(std::move(*filter));
}

} // namespace

RunOptions run::parseCommandLine(int argc, char **argv) {
  removeForeignOptions();
  static Flags flags; // the command-line library keeps pointers to them
  flags.compiler.lineInfo.setDescription("Emit line tables, by which findings name source lines (default true)");
  flags.compiler.gpuName.setDescription(
      "The GPU to compile Tile IR for; default: native, the one that is there, else sm_90");
  const cl::OptionCategory *groups[] = {&runGroup,  &measureGroup, &emulatorGroup, &targetGroup,
                                        &planGroup, &pluginGroup,  &remarkGroup};
  fitHelp(groups);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << "tileiras-run " << getVersion() << '\n'; });
  if (llvm::Error error = checkOptionNames(llvm::ArrayRef(argv, argc).drop_front()))
    throw RunError(Exit::Usage, llvm::toString(std::move(error)));
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    throw RunError(Exit::Usage, "");
  checkFlags(flags);
  RunOptions options;
  options.kernelFile = flags.kernel;
  options.launchFile = flags.launch;
  options.caseDirectory = flags.folder;
  options.metadataFile = flags.metadata;
  options.jsonFile = flags.json;
  options.reportFile = flags.report;
  options.machine = flags.machine;
  if (flags.on.getNumOccurrences())
    options.on = parsePlace(flags.on);
  options.everywhere = flags.everywhere;
  options.writesNewLaunch = flags.newLaunch;
  options.checksAssumes = flags.checkAssumes;
  options.repeat = flags.repeat;
  options.warmUp = flags.warmUp;
  options.flushesL2 = flags.flushL2;
  options.isQuiet = flags.quiet;
  options.compiler = &flags.compiler;
  options.emulator = &flags.emulator;
  options.remarks = readRemarkFilter(flags.compiler);
  return options;
}
