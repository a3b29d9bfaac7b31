//===- CommandLine.cpp - The options of tileiras --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "CompilerFlags.h"
#include "EnvironmentFlags.h"
#include "HelpText.h"
#include "OutputFile.h"
#include "PrintedPasses.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"
#include "tileiras/Compiler/ResultCache.h"
#include "tileiras/Support/Version.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"

using namespace tileiras;
namespace cl = llvm::cl;

namespace {

cl::OptionCategory outputGroup("Input and output");
cl::OptionCategory inspectGroup("Looking inside");

/// Everything the command line may say. An instance registers the options with LLVM's command-line library.
struct Options : CompilerFlags {
  cl::list<std::string> inputs{cl::Positional, cl::desc("<Tile IR bytecode or text>"), cl::cat(outputGroup)};
  cl::opt<std::string> output{"o",
                              cl::desc("Where the output goes; '-' is standard output. Default: the input's name "
                                       "with the output's suffix"),
                              cl::value_desc("file"), cl::cat(outputGroup)};
  cl::alias outputFile{"output-file", cl::desc("Same as -o"), cl::aliasopt(output), cl::NotHidden,
                       cl::cat(outputGroup)};
  cl::opt<std::string> emit{"emit",
                            cl::desc("The output: cuda_tile, bytecode, tileaa, tileas, llvm-dialect, llvm-ir, ptx, "
                                     "or cubin (also called object). Default: what the suffix of -o says, else "
                                     "cubin"),
                            cl::value_desc("output"), cl::cat(outputGroup)};
  cl::opt<std::string> bytecodeVersion{"bytecode-version", cl::desc("Version that --emit=bytecode writes"),
                                       cl::value_desc("13.x"), cl::cat(outputGroup)};
  cl::opt<std::string> metadata{"metadata", cl::desc("Write what a launcher or a cache needs to know, as JSON"),
                                cl::value_desc("file"), cl::cat(outputGroup)};
  cl::opt<std::string> reproducer{"reproducer",
                                  cl::desc("If a pass fails, write what tileiras-opt --run-reproducer replays; in a "
                                           "folder: with the input's name. Default: the environment's "
                                           "TILEIRAS_REPRODUCER, else none"),
                                  cl::value_desc("file"), cl::cat(outputGroup)};

  cl::opt<std::string> batch{"batch",
                             cl::desc("Compile all lines of this file, each a command line without the tool's name; "
                                      "'-' is standard input. Options beside it are for all lines"),
                             cl::value_desc("file"), cl::cat(outputGroup)};
  cl::opt<unsigned> jobs{"j",
                         cl::desc("So many lines of the batch at once. Default: as many as make's jobserver allows, "
                                  "else as there are cores"),
                         cl::Prefix, cl::value_desc("jobs"), cl::cat(outputGroup)};
  cl::opt<std::string> batchLog{"batch-log",
                                cl::desc("What became of each line, as a line of JSON: its number, exit code, time and "
                                         "messages"),
                                cl::value_desc("file"), cl::cat(outputGroup)};

  cl::opt<std::string> cache{
      "cache",
      cl::desc("Where to look for what has been compiled before: on (a folder of the user), off, "
               "folders, redis://host:6379, unix:/a/socket; several are separated by commas. "
               "Default: the environment's TILEIRAS_CACHE, else off"),
      cl::value_desc("places"), cl::cat(outputGroup)};

  cl::opt<unsigned> timeLimit{"time-limit",
                              cl::desc("Give up, with exit code 5, after so many milliseconds; 0 (default): never"),
                              cl::value_desc("ms"), cl::init(0), cl::cat(targetGroup)};
  cl::opt<unsigned> memoryLimit{
      "memory-limit",
      cl::desc("Give up, with exit code 5, when the peak resident memory of the compiler, or of "
               "the assembler it runs, is higher; 0 (default): no limit"),
      cl::value_desc("MiB"), cl::init(0), cl::cat(targetGroup)};
  cl::opt<bool> helpOptions{"help-options", cl::desc("List the pipeline options, the core's and the plugins'"),
                            cl::cat(planGroup)};
  cl::opt<bool> printProfile{"print-profile", cl::desc("Print the merged profile and where each value comes from"),
                             cl::cat(planGroup)};
  cl::opt<bool> printSchema{"print-profile-schema",
                            cl::desc("Print a JSON schema of profiles, with all options, for editors of TOML"),
                            cl::cat(planGroup)};
  cl::opt<bool> printPipeline{"print-pipeline", cl::desc("Print the passes as text for --pass-pipeline"),
                              cl::cat(planGroup)};

  cl::opt<bool> listPlugins{"list-plugins", cl::desc("List the plugins that are found, and the GPUs they serve"),
                            cl::cat(pluginGroup)};
  cl::opt<std::string> printPluginInfo{"print-plugin-info", cl::desc("Describe one plugin"), cl::value_desc("name"),
                                       cl::cat(pluginGroup)};

  cl::opt<bool> helpRemarks{"help-remarks",
                            cl::desc("List the remarks, the core's and the plugins': what each means, and what to do"),
                            cl::cat(remarkGroup)};
  cl::list<std::string> warnings{
      "W",
      cl::desc("-Wno-NAME silences a warning, -Wno-all those with a name; -Werror=NAME makes "
               "it an error, -Werror each. The warning says its name. Same as --set "
               "warnings=…"),
      cl::Prefix, cl::value_desc("name"), cl::cat(remarkGroup)};
  cl::opt<bool> noWarnings{"w", cl::desc("No warnings; same as --set warnings=none"), cl::cat(remarkGroup)};
  cl::opt<std::string> remarkFormat{"remark-format", cl::desc("emitRemark (default), yaml or bitstream"),
                                    cl::value_desc("format"), cl::cat(remarkGroup)};
  cl::opt<std::string> remarkPolicy{"remark-policy", cl::desc("all (default) or final"), cl::value_desc("policy"),
                                    cl::cat(remarkGroup)};
  cl::opt<std::string> remarksFile{"remarks-output-file",
                                   cl::desc("Where yaml and bitstream remarks go; default: mlir-remarks.yaml"),
                                   cl::value_desc("file"), cl::cat(remarkGroup)};

  cl::opt<std::string> report{"report",
                              cl::desc("Write a page (HTML) that shows the program with its remarks, schedules, shared "
                                       "memory, registers, PTX, and what each pass changed"),
                              cl::value_desc("file"), cl::cat(inspectGroup)};
  cl::opt<std::string> scheduleSvg{"schedule-svg",
                                   cl::desc("Draw the schedules of loops; same as --set schedule-svg=…"),
                                   cl::value_desc("file"), cl::cat(inspectGroup)};
  cl::opt<std::string> scheduleProblems{
      "dump-schedule-problems",
      cl::desc("Write the scheduling problem of each loop, as tileiras-schedule reads "
               "it; same as --set dump-schedule-problems=…"),
      cl::value_desc("directory"), cl::cat(inspectGroup)};
  cl::opt<bool> printReference{"print-reference",
                               cl::desc("Print the exit codes, GPUs, plugins, pipeline options and remarks, as JSON"),
                               cl::cat(inspectGroup)};
  cl::opt<bool> listVersions{"list-versions", cl::desc("List the bytecode versions that are read and written"),
                             cl::cat(inspectGroup)};
  cl::opt<bool> passTiming{"mlir-pass-timing", cl::desc("Same as --mlir-timing"), cl::cat(inspectGroup)};
  cl::opt<bool> verifyEach{"verify-each",
                           cl::desc("Verify the IR after each pass, not only after the last one: to find the pass that "
                                    "leaves something wrong. Takes a tenth of the time more"),
                           cl::cat(inspectGroup)};
  cl::opt<bool> reportMemory{"report-memory", cl::desc("Report the peak resident memory of the compiler"),
                             cl::cat(inspectGroup)};
};

} // namespace

/// MLIR's own options join our groups; what LLVM registers besides stays out of --help.
static void groupOptions() {
  static bool isDone = false;
  if (std::exchange(isDone, true))
    return;
  for (auto &item : cl::getRegisteredOptions())
    if (item.first.starts_with("mlir-"))
      item.second->addCategory(inspectGroup);
  const cl::OptionCategory *groups[] = {&outputGroup, &targetGroup, &planGroup,
                                        &pluginGroup, &remarkGroup, &inspectGroup};
  fitHelp(groups);
}

/// The only one: the command-line library keeps pointers to them.
static Options &getOptions() {
  static Options options;
  return options;
}

//===----------------------------------------------------------------------===//
// From options to settings
//===----------------------------------------------------------------------===//

/// An option of MLIR or LLVM that is given; empty: none.
static llvm::StringRef findForeignOption() {
  const cl::OptionCategory *ours[] = {&outputGroup, &targetGroup, &planGroup,
                                      &pluginGroup, &remarkGroup, &inspectGroup};
  auto isOurs = [&](cl::OptionCategory *category) { return llvm::is_contained(ours, category); };
  for (const auto &item : cl::getRegisteredOptions())
    if (const cl::Option &option = *item.second;
        option.getNumOccurrences() != 0 &&
        (item.first.starts_with("mlir-") || llvm::none_of(option.Categories, isOurs)))
      return item.first;
  return "";
}

/// They belong to the process; the compilations of a batch cannot each have theirs.
static llvm::Error checkForeignOptions() {
  const llvm::StringRef name = findForeignOption();
  return name.empty() ? llvm::Error::success()
                      : usageError("--" + name + " is for one compilation, and has no place beside --batch");
}

static llvm::Expected<CommandLine> readCompilation(const Options &options, CommandLine line,
                                                   llvm::raw_ostream &messages);

static llvm::Error readProduct(const Options &options, CommandLine &line, llvm::raw_ostream &messages) {
  Product &product = line.compiler.product;
  if (options.emit.empty()) {
    std::optional<Product> guess = guessProduct(options.output);
    llvm::StringRef suffix = llvm::sys::path::extension(options.output);
    if (!guess && !suffix.empty() && !line.isQuestion())
      messages << "warning: '" << suffix << "' is the suffix of no output, and '" << options.output
               << "' becomes a cubin; --emit says what is wanted\n";
    product = guess.value_or(Product::Cubin);
    return llvm::Error::success();
  }
  std::optional<Product> parsed = parseProduct(options.emit);
  if (!parsed)
    return usageError("unknown output '" + options.emit + "'" + suggestName(options.emit, getProductNames()) +
                      " (--emit takes " + llvm::join(getProductNames(), ", ") + ")");
  product = *parsed;
  return llvm::Error::success();
}

static llvm::Error readFiles(const Options &options, CommandLine &line) {
  if (options.inputs.size() > 1)
    return usageError("more than one input file: '" + options.inputs[0] + "' and '" + options.inputs[1] + "'");
  if (options.inputs.empty() && !line.isQuestion())
    return usageError("no input file provided");
  line.inputFile = options.inputs.empty() ? "" : options.inputs[0];
  line.metadataFile = options.metadata;
  line.reportFile = options.report;
  // Who wants to look may have gone, and taken the folder along: no compilation fails because of that.
  if (auto folder = llvm::sys::Process::GetEnv("TILEIRAS_REPORT_DATA"); folder && llvm::sys::fs::is_directory(*folder))
    line.reportFolder = *folder;
  line.compiler.collectReport = !line.reportFile.empty() || !line.reportFolder.empty();
  line.compiler.collectMetadata = !options.metadata.empty() || line.compiler.collectReport;
  if (!options.output.empty())
    line.outputFile = options.output;
  else if (line.inputFile == "-")
    line.outputFile = "-";
  else
    line.outputFile = (llvm::sys::path::stem(line.inputFile) + getProductSuffix(line.compiler.product)).str();
  return llvm::Error::success();
}

/// Where the reproducer goes: the file that is named, or one in the folder that is named.
static std::string getReproducerFile(const Options &options) {
  std::string file = options.reproducer;
  if (file.empty())
    file = llvm::sys::Process::GetEnv("TILEIRAS_REPRODUCER").value_or("");
  if (!llvm::sys::fs::is_directory(file) || options.inputs.empty())
    return file;
  llvm::StringRef input = options.inputs[0] == "-" ? "stdin" : llvm::StringRef(options.inputs[0]);
  llvm::SmallString<128> path(file);
  llvm::sys::path::append(path, llvm::sys::path::stem(input) + ".reproducer.mlir");
  return path.str().str();
}

/// No output may replace the input, or another output.
static llvm::Error checkFiles(const Options &options, const CommandLine &line) {
  if (line.isQuestion())
    return llvm::Error::success();
  if (isSameFile(line.inputFile, line.outputFile))
    return usageError("the output would replace the input '" + line.inputFile +
                      (options.output.empty() ? "'; use -o" : "'; give -o another file"));
  std::vector<std::pair<std::string, llvm::StringRef>> files = {{"the input", line.inputFile},
                                                                {"the output", line.outputFile}};
  for (auto [role, file] :
       {std::pair("the metadata", &line.metadataFile), std::pair("the remarks", &line.remarksFile),
        std::pair("the report", &line.reportFile), std::pair("the reproducer", &line.compiler.reproducerFile)}) {
    if (file->empty())
      continue;
    for (const auto &[otherRole, other] : files)
      if (isSameFile(*file, other) || (*file == "-" && other == "-" && otherRole != "the input"))
        return usageError(llvm::Twine(role) + " would replace " + otherRole + " '" + other +
                          "'; give them different files");
    files.emplace_back(role, *file);
  }
  return llvm::Error::success();
}

static llvm::Error readRemarks(const Options &options, CommandLine &line) {
  RemarkSettings &remarks = line.compiler.remarks;
  llvm::Expected<mlir::remark::RemarkCategories> filters = options.getRemarkFilters();
  if (!filters)
    return filters.takeError();
  remarks.filters = std::move(*filters);
  if (options.remarkFormat == "yaml")
    remarks.format = RemarkSettings::Yaml;
  else if (options.remarkFormat == "bitstream")
    remarks.format = RemarkSettings::Bitstream;
  else if (!options.remarkFormat.empty() && options.remarkFormat != "emitRemark")
    return usageError("--remark-format takes emitRemark, yaml and bitstream, not '" + options.remarkFormat + "'");
  if (!options.remarksFile.empty() && remarks.format == RemarkSettings::Diagnostics)
    return usageError("--remarks-output-file is for --remark-format=yaml and --remark-format=bitstream");
  if (remarks.isEnabled() && remarks.format != RemarkSettings::Diagnostics)
    line.remarksFile = options.remarksFile.empty() ? "mlir-remarks.yaml" : options.remarksFile.getValue();
  remarks.finalOnly = options.remarkPolicy == "final";
  if (!remarks.finalOnly && !options.remarkPolicy.empty() && options.remarkPolicy != "all")
    return usageError("--remark-policy takes all and final, not '" + options.remarkPolicy + "'");
  return llvm::Error::success();
}

KeepPtx tileiras::readKeepPtx(llvm::raw_ostream &messages) {
  const std::string text = llvm::sys::Process::GetEnv("TILEIRAS_KEEP_PTX").value_or("");
  const std::optional<KeepPtx> kept = parseKeepPtx(text);
  if (!kept)
    messages << "warning: TILEIRAS_KEEP_PTX takes 1, 0 and emulate, not '" << text << "'; no PTX is kept\n";
  return kept.value_or(KeepPtx::No);
}

/// None where somebody wants to see the compilation itself, or changes what no key knows of.
static std::shared_ptr<ResultCache> openCache(const Options &options, llvm::raw_ostream &messages) {
  const std::string places = options.cache.getNumOccurrences()
                                 ? options.cache.getValue()
                                 : llvm::sys::Process::GetEnv("TILEIRAS_CACHE").value_or("");
  if (places.empty() || !findForeignOption().empty())
    return nullptr;
  std::shared_ptr<ResultCache> cache = ResultCache::open(places);
  if (cache)
    for (const std::string &problem : cache->getProblems())
      messages << "warning: no cache: " << problem << '\n';
  return cache;
}

static llvm::Error readCompilerOptions(const Options &options, CommandLine &line, llvm::raw_ostream &messages) {
  CompilerOptions &compiler = line.compiler;
  compiler.keepPtx = readKeepPtx(messages);
  auto toOptional = [](const cl::opt<std::string> &option) -> std::optional<std::string> {
    return option.getNumOccurrences() ? std::optional<std::string>(option.getValue()) : std::nullopt;
  };
  if (llvm::Error error = options.check())
    return error;
  compiler.optLevel = options.getOptLevel();
  compiler.gpuName = toOptional(options.gpuName);
  compiler.sanitize = toOptional(options.sanitize);
  compiler.hostArch = toOptional(options.hostArch);
  compiler.hostOs = toOptional(options.hostOs);
  compiler.lineInfo = options.lineInfo;
  compiler.deviceDebug = options.deviceDebug;
  compiler.profile = options.profile;
  compiler.passPipeline = options.passPipeline;
  compiler.settings.assign(options.settings.begin(), options.settings.end());
  for (const cl::opt<std::string> *option : {&options.scheduleSvg, &options.scheduleProblems})
    if (option->getNumOccurrences())
      compiler.settings.push_back((option->ArgStr + "=" + option->getValue()).str());
  std::vector<std::string> warnings(options.warnings.begin(), options.warnings.end());
  if (options.noWarnings)
    warnings.push_back("none");
  compiler.warnings = llvm::join(warnings, ",");
  compiler.pluginFiles.assign(options.loadPlugin.begin(), options.loadPlugin.end());
  compiler.pluginDirectories.assign(options.pluginPath.begin(), options.pluginPath.end());
  compiler.assembler = options.assembler;
  compiler.assemblerOptions.assign(options.assemblerOptions.begin(), options.assemblerOptions.end());
  if (!options.bytecodeVersion.empty() && compiler.product != Product::Bytecode)
    return usageError("--bytecode-version says what --emit=bytecode writes; it has no meaning for other outputs");
  compiler.bytecodeVersion = options.bytecodeVersion;
  compiler.reproducerFile = getReproducerFile(options);
  compiler.replayRemedy = "; --reproducer=FILE, or TILEIRAS_REPRODUCER=FILE in the environment, writes what replays it";
  compiler.cache = openCache(options, messages);
  compiler.verifyEach = options.verifyEach;
  compiler.printOpOnDiagnostic =
      cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic")->getNumOccurrences() != 0;
  compiler.configurePassManager = [](mlir::PassManager &manager) { return mlir::applyPassManagerCLOptions(manager); };
  return readRemarks(options, line);
}

/// What may not stand beside --batch.
static llvm::Error checkBatch(const Options &options, const CommandLine &line) {
  if (!line.isBatch())
    return !line.jobs && line.batchLog.empty() ? llvm::Error::success()
                                               : usageError("-j and --batch-log are for --batch=FILE");
  if (line.jobs && *line.jobs == 0)
    return usageError("-j takes 1 or more");
  if (line.isQuestion())
    return usageError("questions have no place beside --batch");
  const std::pair<const cl::Option &, bool> ofLines[] = {
      {options.inputs, !options.inputs.empty()},
      {options.output, !options.output.empty()},
      {options.metadata, !options.metadata.empty()},
      {options.reproducer, !options.reproducer.empty() && !llvm::sys::fs::is_directory(options.reproducer)},
      {options.remarksFile, !options.remarksFile.empty()}};
  for (const auto &[option, isGiven] : ofLines)
    if (isGiven)
      return usageError(
          (option.ArgStr.empty() ? "an input file" : (option.ArgStr.size() == 1 ? "-" : "--") + option.ArgStr) +
          " has no place beside --batch; each line of '" + line.batchFile + "' names its own");
  return checkForeignOptions();
}

static llvm::Expected<CommandLine> readOptions(const Options &options, llvm::raw_ostream &messages) {
  CommandLine line;
  line.listVersions = options.listVersions;
  line.listPlugins = options.listPlugins;
  line.helpOptions = options.helpOptions;
  line.helpRemarks = options.helpRemarks;
  line.printReference = options.printReference;
  line.printSchema = options.printSchema;
  line.printProfile = options.printProfile;
  line.printPipeline = options.printPipeline;
  line.printPluginInfo = options.printPluginInfo;
  line.reportMemory = options.reportMemory;
  line.limits = {std::chrono::milliseconds(options.timeLimit), options.memoryLimit};
  line.timing = options.passTiming;
  line.batchFile = options.batch;
  line.batchLog = options.batchLog;
  if (options.jobs.getNumOccurrences())
    line.jobs = options.jobs;
  if (llvm::Error error = checkBatch(options, line))
    return error;
  if (line.isBatch())
    return line;
  return readCompilation(options, std::move(line), messages);
}

static llvm::Expected<CommandLine> readCompilation(const Options &options, CommandLine line,
                                                   llvm::raw_ostream &messages) {
  if (llvm::Error error = readProduct(options, line, messages))
    return error;
  if (llvm::Error error = readFiles(options, line))
    return error;
  if (llvm::Error error = readCompilerOptions(options, line, messages))
    return error;
  if (llvm::Error error = checkFiles(options, line))
    return error;
  return line;
}

llvm::Expected<CommandLine> tileiras::parseCommandLine(int argc, char **argv) {
  const std::vector<const char *> given(argv, argv + argc), added = splitEnvironmentFlags();
  // The last one wins: the command line.
  std::vector<const char *> arguments = {given.front()};
  llvm::append_range(arguments, added);
  llvm::append_range(arguments, llvm::drop_begin(given));
  // MLIR's options take the passes that are known when they are registered.
  if (llvm::Error error = publishPrintedPasses(llvm::MutableArrayRef(arguments).drop_front()))
    return error;
  const Options &options = getOptions();
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  cl::SetVersionPrinter(printVersion);
  // Half a million instructions that only help needs, and what else shows options: the remedy of one that is unknown.
  const auto mayShowOptions = [](llvm::StringRef word) { return word.contains("-h") || word.starts_with("@"); };
  if (llvm::any_of(arguments, mayShowOptions))
    groupOptions();
  auto check = [&]() -> llvm::Error {
    if (llvm::Error error = checkEnvironmentFlags(added))
      return error;
    return checkOptionNames(llvm::ArrayRef(given).drop_front());
  };
  if (llvm::Error error = check()) {
    llvm::consumeError(std::move(error));
    groupOptions();
    return check();
  }
  if (!cl::ParseCommandLineOptions(static_cast<int>(arguments.size()), arguments.data(),
                                   "tileiras: an optimising compiler for CUDA Tile IR\n", &llvm::errs()))
    return llvm::make_error<CompileError>(ExitCode::Usage, "");
  llvm::Expected<CommandLine> line = readOptions(options, llvm::errs());
  if (line && line->isBatch())
    llvm::append_range(line->commonOptions, llvm::drop_begin(arguments));
  return line;
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

/// The words of a line. They live as long as the process: the command-line library keeps what it is given.
static llvm::SmallVector<const char *> splitLine(llvm::StringRef text) {
  static llvm::BumpPtrAllocator allocator;
  static llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  cl::TokenizeGNUCommandLine(text, saver, words);
  cl::ExpandResponseFiles(saver, cl::TokenizeGNUCommandLine, words);
  return words;
}

/// What a line may not have: what is for the whole process, and what ends it.
static llvm::Error checkLine(llvm::ArrayRef<const char *> words) {
  if (llvm::Error error = checkOptionNames(words))
    return error;
  constexpr llvm::StringLiteral ofProcess[] = {"batch", "j", "batch-log", "memory-limit", "report-memory"};
  for (llvm::StringRef word : words) {
    const llvm::StringRef name = word.split('=').first.ltrim('-');
    if (word == "--" || !word.starts_with("-"))
      continue;
    if (llvm::is_contained(ofProcess, name) || (name.size() > 1 && name[0] == 'j' && llvm::isDigit(name[1])))
      return usageError("'" + word + "' has no place in a line of a batch: it is for all of them");
    if (isQuestion(name))
      return usageError("'" + word + "' has no place in a line of a batch: it compiles nothing");
  }
  return llvm::Error::success();
}

llvm::Expected<CommandLine> tileiras::parseBatchLine(const CommandLine &batch, llvm::StringRef text,
                                                     llvm::raw_ostream &messages) {
  const llvm::SmallVector<const char *> words = splitLine(text);
  if (llvm::Error error = checkLine(words)) {
    llvm::consumeError(std::move(error));
    groupOptions();
    return checkLine(words);
  }
  std::vector<const char *> arguments = {"tileiras"};
  llvm::append_range(arguments, batch.commonOptions);
  llvm::append_range(arguments, words);
  // What the last line leaves would be read while lines are compiled.
  cl::ResetAllOptionOccurrences();
  const llvm::scope_exit reset([] { cl::ResetAllOptionOccurrences(); });
  if (!cl::ParseCommandLineOptions(static_cast<int>(arguments.size()), arguments.data(), "", &messages))
    return llvm::make_error<CompileError>(ExitCode::Usage, "");
  if (llvm::Error error = checkForeignOptions())
    return error;
  CommandLine line;
  line.limits.time = std::chrono::milliseconds(getOptions().timeLimit);
  llvm::Expected<CommandLine> read = readCompilation(getOptions(), std::move(line), messages);
  if (!read)
    return read;
  if (read->inputFile == "-" || read->outputFile == "-" || read->metadataFile == "-" || read->remarksFile == "-")
    return usageError("'-' has no place in a line of a batch: all lines share standard input and output");
  read->compiler.configurePassManager = nullptr; // MLIR's own options, of which there are none
  return read;
}
