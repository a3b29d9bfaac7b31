//===- CommandLine.cpp - The options of tileiras --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "OutputFile.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"
#include "tileiras/Compiler/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace tileiras;
namespace cl = llvm::cl;

namespace {

cl::OptionCategory outputGroup("Input and output");
cl::OptionCategory targetGroup("Target and optimisation");
cl::OptionCategory planGroup("Profiles and pipelines");
cl::OptionCategory pluginGroup("Plugins");
cl::OptionCategory remarkGroup("Remarks");
cl::OptionCategory inspectGroup("Looking inside");

/// Everything the command line may say. An instance registers the options with LLVM's command-line library.
struct Options {
  cl::list<std::string> inputs{cl::Positional, cl::desc("<Tile IR bytecode or text>"), cl::cat(outputGroup)};
  cl::opt<std::string> output{"o",
                              cl::desc("Where the product goes; '-' is standard output. Default: the input's name "
                                       "with the product's suffix"),
                              cl::value_desc("file"), cl::cat(outputGroup)};
  cl::alias outputFile{"output-file", cl::desc("Same as -o"), cl::aliasopt(output), cl::NotHidden,
                       cl::cat(outputGroup)};
  cl::opt<std::string> emit{"emit",
                            cl::desc("The product: cuda_tile, bytecode, tileaa, tileas, llvm-dialect, llvm-ir, ptx, "
                                     "or cubin (also called object). Default: what the output's suffix says, else "
                                     "cubin"),
                            cl::value_desc("product"), cl::cat(outputGroup)};
  cl::opt<std::string> bytecodeVersion{"bytecode-version", cl::desc("Version that --emit=bytecode writes"),
                                       cl::value_desc("13.x"), cl::cat(outputGroup)};
  cl::opt<std::string> metadata{"metadata", cl::desc("Write what a launcher or a cache needs to know, as JSON"),
                                cl::value_desc("file"), cl::cat(outputGroup)};
  cl::opt<std::string> reproducer{"reproducer",
                                  cl::desc("If a pass fails, write what tileiras-opt --run-reproducer replays; in a "
                                           "folder: with the input's name. Default: the environment's "
                                           "TILEIRAS_REPRODUCER, else none"),
                                  cl::value_desc("file"), cl::cat(outputGroup)};

  cl::opt<std::string> gpuName{"gpu-name",
                               cl::desc("The GPU, e.g. as --list-plugins shows it; a and f variants are "
                                        "accepted. Default: the profile's (--print-profile shows it)"),
                               cl::value_desc("sm_NN"), cl::cat(targetGroup)};
  cl::opt<unsigned> optLevel{"O",
                             cl::desc("Optimisation level, 0 to 3; picks the profile o<level>"),
                             cl::Prefix,
                             cl::init(3),
                             cl::value_desc("level"),
                             cl::cat(targetGroup)};
  cl::alias optLevelLong{"opt-level", cl::desc("Same as -O"), cl::aliasopt(optLevel), cl::NotHidden,
                         cl::cat(targetGroup)};
  cl::opt<bool> lineInfo{"lineinfo", cl::desc("Emit line tables"), cl::cat(targetGroup)};
  cl::opt<bool> deviceDebug{"device-debug", cl::desc("Emit full debug information; only with -O0"),
                            cl::cat(targetGroup)};
  cl::alias deviceDebugShort{"g", cl::desc("Same as --device-debug"), cl::aliasopt(deviceDebug), cl::NotHidden,
                             cl::cat(targetGroup)};
  cl::opt<std::string> sanitize{"sanitize", cl::desc("Instrument device code: memcheck"), cl::value_desc("tool"),
                                cl::cat(targetGroup)};
  cl::opt<std::string> hostArch{"host-arch", cl::desc("x86_64, aarch64 or arm64ec"), cl::value_desc("arch"),
                                cl::cat(targetGroup)};
  cl::opt<std::string> hostOs{"host-os", cl::desc("linux or windows"), cl::value_desc("os"), cl::cat(targetGroup)};
  cl::opt<std::string> assembler{"assembler", cl::desc("What turns PTX into a cubin: ptxas (default) or nvjitlink"),
                                 cl::value_desc("name"), cl::cat(targetGroup)};
  cl::opt<unsigned> timeLimit{"time-limit",
                              cl::desc("Give up, with exit code 5, after so many milliseconds; 0 (default): never"),
                              cl::value_desc("ms"), cl::init(0), cl::cat(targetGroup)};
  cl::opt<unsigned> memoryLimit{
      "memory-limit",
      cl::desc("Give up, with exit code 5, when the peak resident memory of the compiler, or of "
               "the assembler it runs, is higher; 0 (default): no limit"),
      cl::value_desc("MiB"), cl::init(0), cl::cat(targetGroup)};
  cl::list<std::string> assemblerOptions{"Xptxas", cl::desc("An option for the assembler"), cl::value_desc("option"),
                                         cl::cat(targetGroup)};

  cl::opt<std::string> profile{"profile", cl::desc("The plan: a TOML file or the name of a shipped profile"),
                               cl::value_desc("profile"), cl::cat(planGroup)};
  cl::list<std::string> settings{"set", cl::desc("Set a pipeline option, one of --help-options; may be repeated"),
                                 cl::value_desc("option=value"), cl::cat(planGroup)};
  cl::opt<bool> helpOptions{"help-options", cl::desc("List the pipeline options, the core's and the plugins'"),
                            cl::cat(planGroup)};
  cl::opt<std::string> passPipeline{"pass-pipeline",
                                    cl::desc("tileir{option=value,…} overrides the profile's options; "
                                             "builtin.module(…) replaces its passes"),
                                    cl::value_desc("text"), cl::cat(planGroup)};
  cl::opt<bool> printProfile{"print-profile", cl::desc("Print the merged profile and where each value comes from"),
                             cl::cat(planGroup)};
  cl::opt<bool> printPipeline{"print-pipeline", cl::desc("Print the passes as text for --pass-pipeline"),
                              cl::cat(planGroup)};

  cl::list<std::string> loadPlugin{"load-plugin", cl::desc("Load and activate a plugin; may be repeated"),
                                   cl::value_desc("file"), cl::cat(pluginGroup)};
  cl::list<std::string> pluginPath{"plugin-path",
                                   cl::desc("A folder of plugins (tileiras-*.so) to choose from; may be repeated"),
                                   cl::value_desc("folder"), cl::cat(pluginGroup)};
  cl::opt<bool> listPlugins{"list-plugins", cl::desc("List the plugins that are found, and the GPUs they serve"),
                            cl::cat(pluginGroup)};
  cl::opt<std::string> printPluginInfo{"print-plugin-info", cl::desc("Describe one plugin"), cl::value_desc("name"),
                                       cl::cat(pluginGroup)};

  cl::opt<std::string> remarkFormat{"remark-format", cl::desc("emitRemark (default), yaml or bitstream"),
                                    cl::value_desc("format"), cl::cat(remarkGroup)};
  cl::opt<std::string> remarks{"remarks", cl::desc("Which: all, or a list of passed, missed, failed, analysis"),
                               cl::value_desc("kinds"), cl::cat(remarkGroup)};
  cl::opt<std::string> remarkPolicy{"remark-policy", cl::desc("all (default) or final"), cl::value_desc("policy"),
                                    cl::cat(remarkGroup)};
  cl::opt<std::string> remarksFile{"remarks-output-file",
                                   cl::desc("Where yaml and bitstream remarks go; default: mlir-remarks.yaml"),
                                   cl::value_desc("file"), cl::cat(remarkGroup)};
  cl::opt<std::string> remarksAll{"remarks-filter", cl::desc("Remarks of categories that match, of every kind"),
                                  cl::value_desc("regex"), cl::cat(remarkGroup)};
  cl::opt<std::string> remarksPassed{"remarks-filter-passed", cl::desc("Passed remarks of categories that match"),
                                     cl::value_desc("regex"), cl::cat(remarkGroup)};
  cl::opt<std::string> remarksMissed{"remarks-filter-missed", cl::desc("Missed remarks of categories that match"),
                                     cl::value_desc("regex"), cl::cat(remarkGroup)};
  cl::opt<std::string> remarksFailed{"remarks-filter-failed", cl::desc("Failed remarks of categories that match"),
                                     cl::value_desc("regex"), cl::cat(remarkGroup)};
  cl::opt<std::string> remarksAnalysis{"remarks-filter-analyse", cl::desc("Analysis remarks of categories that match"),
                                       cl::value_desc("regex"), cl::cat(remarkGroup)};

  cl::opt<bool> listVersions{"list-versions", cl::desc("List the bytecode versions that are read and written"),
                             cl::cat(inspectGroup)};
  cl::opt<bool> passTiming{"mlir-pass-timing", cl::desc("Same as --mlir-timing"), cl::cat(inspectGroup)};
  cl::opt<bool> reportMemory{"report-memory", cl::desc("Report the peak resident memory of the compiler"),
                             cl::cat(inspectGroup)};
};

} // namespace

/// MLIR's own options join our groups; what LLVM registers besides stays out of --help.
static void groupOptions() {
  for (auto &item : cl::getRegisteredOptions())
    if (item.first.starts_with("mlir-"))
      item.second->addCategory(inspectGroup);
  const cl::OptionCategory *groups[] = {&outputGroup, &targetGroup, &planGroup,
                                        &pluginGroup, &remarkGroup, &inspectGroup};
  cl::HideUnrelatedOptions(groups);
}

//===----------------------------------------------------------------------===//
// From options to settings
//===----------------------------------------------------------------------===//

static llvm::Error usageError(const llvm::Twine &message) {
  return llvm::make_error<CompileError>(ExitCode::Usage, "error: " + message);
}

static llvm::Error readProduct(const Options &options, CommandLine &line) {
  Product &product = line.compiler.product;
  if (options.emit.empty()) {
    std::optional<Product> guess = guessProduct(options.output);
    llvm::StringRef suffix = llvm::sys::path::extension(options.output);
    if (!guess && !suffix.empty() && !line.isQuestion())
      llvm::errs() << "warning: '" << suffix << "' is the suffix of no product, and '" << options.output
                   << "' becomes a cubin; --emit says what is wanted\n";
    product = guess.value_or(Product::Cubin);
    return llvm::Error::success();
  }
  std::optional<Product> parsed = parseProduct(options.emit);
  if (!parsed)
    return usageError("unknown product '" + options.emit + "'" + suggestName(options.emit, getProductNames()) +
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
  line.compiler.collectMetadata = !options.metadata.empty();
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
                                                                {"the product", line.outputFile}};
  for (auto [role, file] : {std::pair("the metadata", &line.metadataFile), std::pair("the remarks", &line.remarksFile),
                            std::pair("the reproducer", &line.compiler.reproducerFile)}) {
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

/// `--remarks=all`, `--remarks=missed,failed`.
static llvm::Error readRemarkKinds(llvm::StringRef kinds, mlir::remark::RemarkCategories &filters) {
  const std::pair<const char *, std::optional<std::string> *> known[] = {{"all", &filters.all},
                                                                         {"passed", &filters.passed},
                                                                         {"missed", &filters.missed},
                                                                         {"failed", &filters.failed},
                                                                         {"analysis", &filters.analysis}};
  for (llvm::StringRef kind : llvm::split(kinds, ',')) {
    auto it = llvm::find_if(known, [&](const auto &item) { return kind == item.first; });
    if (it == std::end(known))
      return usageError("--remarks takes all, passed, missed, failed and analysis, not '" + kind + "'");
    *it->second = ".*";
  }
  return llvm::Error::success();
}

static llvm::Error readRemarks(const Options &options, CommandLine &line) {
  RemarkSettings &remarks = line.compiler.remarks;
  auto setFilter = [](std::optional<std::string> &filter, const std::string &regex) {
    if (!regex.empty())
      filter = regex;
  };
  setFilter(remarks.filters.all, options.remarksAll);
  setFilter(remarks.filters.passed, options.remarksPassed);
  setFilter(remarks.filters.missed, options.remarksMissed);
  setFilter(remarks.filters.failed, options.remarksFailed);
  setFilter(remarks.filters.analysis, options.remarksAnalysis);
  if (!options.remarks.empty())
    if (llvm::Error error = readRemarkKinds(options.remarks, remarks.filters))
      return error;
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

static llvm::Error readCompilerOptions(const Options &options, CommandLine &line) {
  CompilerOptions &compiler = line.compiler;
  auto toOptional = [](const cl::opt<std::string> &option) -> std::optional<std::string> {
    return option.getNumOccurrences() ? std::optional<std::string>(option.getValue()) : std::nullopt;
  };
  if (options.optLevel > 3)
    return usageError("invalid optimization level: -O takes 0 to 3");
  if (options.optLevel.getNumOccurrences())
    compiler.optLevel = options.optLevel;
  if (options.deviceDebug && compiler.optLevel.value_or(0) != 0)
    return usageError(
        "optimized debugging is not supported, change optimization level to 0 or disable full debug info");
  compiler.gpuName = toOptional(options.gpuName);
  compiler.sanitize = toOptional(options.sanitize);
  compiler.hostArch = toOptional(options.hostArch);
  compiler.hostOs = toOptional(options.hostOs);
  compiler.lineInfo = options.lineInfo;
  compiler.deviceDebug = options.deviceDebug;
  compiler.profile = options.profile;
  compiler.passPipeline = options.passPipeline;
  compiler.settings.assign(options.settings.begin(), options.settings.end());
  compiler.pluginFiles.assign(options.loadPlugin.begin(), options.loadPlugin.end());
  compiler.pluginDirectories.assign(options.pluginPath.begin(), options.pluginPath.end());
  if (!options.assembler.empty() && !llvm::is_contained(getAssemblerNames(), options.assembler.getValue())) {
    std::vector<std::string> names(getAssemblerNames().begin(), getAssemblerNames().end());
    return usageError("unknown assembler '" + options.assembler + "'" + suggestName(options.assembler, names) +
                      " (--assembler takes " + llvm::join(names, " and ") + ")");
  }
  compiler.assembler = options.assembler;
  compiler.assemblerOptions.assign(options.assemblerOptions.begin(), options.assemblerOptions.end());
  if (!options.bytecodeVersion.empty() && compiler.product != Product::Bytecode)
    return usageError("--bytecode-version says what --emit=bytecode writes; it has no meaning for other products");
  compiler.bytecodeVersion = options.bytecodeVersion;
  compiler.reproducerFile = getReproducerFile(options);
  compiler.printOpOnDiagnostic =
      cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic")->getNumOccurrences() != 0;
  compiler.configurePassManager = [](mlir::PassManager &manager) { return mlir::applyPassManagerCLOptions(manager); };
  return readRemarks(options, line);
}

/// The command-line library takes a long option it does not know for a group of short ones, and says so first.
static llvm::Error checkOptionNames(llvm::ArrayRef<const char *> arguments) {
  auto &known = cl::getRegisteredOptions();
  for (size_t i = 0; i < arguments.size() && llvm::StringRef(arguments[i]) != "--"; ++i) {
    llvm::StringRef argument = arguments[i], name = argument.split('=').first;
    bool isLong = name.consume_front("--");
    if (!isLong && !name.consume_front("-"))
      continue;
    if (auto it = known.find(name); it != known.end()) {
      if (!argument.contains('=') && it->second->getValueExpectedFlag() == cl::ValueRequired)
        ++i;
      continue;
    }
    if (!isLong || (name.starts_with("O") && name.size() == 2))
      continue;
    std::vector<std::string> names;
    for (const auto &item : known)
      if (item.second->getOptionHiddenFlag() == cl::NotHidden)
        names.push_back("--" + item.first.str());
    return usageError("unknown option '" + argument + "'" + suggestName("--" + name.str(), names) +
                      " (--help lists all)");
  }
  return llvm::Error::success();
}

llvm::Expected<CommandLine> tileiras::parseCommandLine(int argc, char **argv) {
  static Options options; // the command-line library keeps pointers to them
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  groupOptions();
  cl::SetVersionPrinter(printVersion);
  if (llvm::Error error = checkOptionNames(llvm::ArrayRef(argv, argc).drop_front()))
    return error;
  if (!cl::ParseCommandLineOptions(argc, argv, "tileiras: an optimising compiler for CUDA Tile IR\n", &llvm::errs()))
    return llvm::make_error<CompileError>(ExitCode::Usage, "");

  CommandLine line;
  line.listVersions = options.listVersions;
  line.listPlugins = options.listPlugins;
  line.helpOptions = options.helpOptions;
  line.printProfile = options.printProfile;
  line.printPipeline = options.printPipeline;
  line.printPluginInfo = options.printPluginInfo;
  line.reportMemory = options.reportMemory;
  line.limits = {std::chrono::milliseconds(options.timeLimit), options.memoryLimit};
  line.timing = options.passTiming;
  if (llvm::Error error = readProduct(options, line))
    return error;
  if (llvm::Error error = readFiles(options, line))
    return error;
  if (llvm::Error error = readCompilerOptions(options, line))
    return error;
  if (llvm::Error error = checkFiles(options, line))
    return error;
  return line;
}
