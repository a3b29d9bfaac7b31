//===- SessionSetup.cpp - What takes part in a compilation ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilationReport.h"
#include "Remarks.h"
#include "WarningFilter.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "tileiras/Codegen/DeviceModule.h"
#include "tileiras/Compiler/NativeGpu.h"
#include "tileiras/Compiler/Session.h"
#include "tileiras/Pipeline/CorePasses.h"
#include "tileiras/Plugin/ContextRegistry.h"
#include "tileiras/Plugin/Dialects.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace tileiras;

char CompileError::ID;

llvm::Error CompileError::wrap(ExitCode code, llvm::Error error) {
  if (!error)
    return llvm::Error::success();
  bool isComplete = error.isA<ConfigError>() || error.isA<CompileError>();
  std::string message = (isComplete ? "" : "error: ") + llvm::toString(std::move(error));
  return llvm::make_error<CompileError>(code, message);
}

/// Threads belong to the caller; one compilation uses one.
CompilerSession::CompilerSession(CompilerOptions requested)
    : options(std::move(requested)), context(mlir::MLIRContext::Threading::DISABLED) {
  mlir::DialectRegistry dialects;
  registerDialects(dialects);
  registerCodegenTranslations(dialects);
  context.appendDialectRegistry(dialects);
  installDiagnosticHandler();
  context.printOpOnDiagnostic(options.printOpOnDiagnostic);
  if (options.collectReport)
    report = std::make_unique<CompilationReport>(context);
  // Whole passes are left out: what is inside of one may count on what it has done before.
  if (options.findReasonToStop)
    context.registerActionHandler([this](llvm::function_ref<void()> work, const mlir::tracing::Action &action) {
      if (!llvm::isa<mlir::PassExecutionAction>(action) || !mustStop())
        work();
    });
}

CompilerSession::~CompilerSession() {
  // What a remark engine still holds back is reported while the diagnostic handler is there.
  context.setRemarkEngine(nullptr);
}

bool CompilerSession::mustStop(int assembler) {
  if (!stopReason && options.findReasonToStop)
    stopReason = options.findReasonToStop(assembler);
  return isStopped();
}

llvm::Error CompilerSession::compile() {
  if (!discovered)
    if (llvm::Error error = discoverPlugins())
      return error;
  using Step = llvm::Error (CompilerSession::*)();
  for (Step step : {&CompilerSession::resolveProfile, &CompilerSession::activatePlugins, &CompilerSession::readInput,
                    &CompilerSession::verifyInput, &CompilerSession::selectTarget, &CompilerSession::buildPipeline,
                    &CompilerSession::runPipeline, &CompilerSession::generateCode}) {
    llvm::Error error = mustStop() ? llvm::Error::success() : (this->*step)();
    if (isStopped()) {
      llvm::consumeError(std::move(error)); // of what was cut short
      return fail(ExitCode::CompilationFailed, *stopReason);
    }
    if (error)
      return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Plugins and profile
//===----------------------------------------------------------------------===//

llvm::Error CompilerSession::discoverPlugins() {
  discovered = true;
  for (const std::string &directory : options.pluginDirectories)
    if (llvm::Error error = plugins.addDirectory(directory))
      return CompileError::wrap(ExitCode::Configuration, std::move(error));
  if (llvm::Error error = plugins.addDefaultDirectories())
    return CompileError::wrap(ExitCode::Configuration, std::move(error));
  for (const std::string &file : options.pluginFiles)
    if (llvm::Error error = plugins.addFile(file))
      return CompileError::wrap(ExitCode::Configuration, std::move(error));
  return llvm::Error::success();
}

llvm::Error CompilerSession::resolveProfile() {
  const std::string name =
      options.profile.empty() ? getTierName(options.optLevel.value_or(kMaxOptLevel)) : options.profile;
  llvm::Expected<std::shared_ptr<const OptionTable>> table = plugins.collectOptions();
  if (!table)
    return CompileError::wrap(ExitCode::Configuration, table.takeError());
  llvm::Expected<Profile> loaded = loadProfile(name, options.profileDirectories, *table);
  if (!loaded)
    return CompileError::wrap(ExitCode::Configuration, describeMissingPlugin(loaded.takeError()));
  profile = std::move(*loaded);
  if (llvm::Error error = applySettings())
    return error;
  if (llvm::Error error = selectTier())
    return error;
  if (llvm::Error error = warnings->configure(profile.options.getString("warnings")))
    return CompileError::wrap(
        ExitCode::Usage, configError(profile.options.inspect("warnings").origin, llvm::toString(std::move(error))));
  return CompileError::wrap(ExitCode::Configuration, resolveNativeGpu());
}

/// The level is known when all have said theirs, and it decides which tier they are on top of.
llvm::Error CompilerSession::selectTier() {
  const int64_t level = std::get<int64_t>(profile.options.inspect("opt-level").value);
  if (!profile.tier || *profile.tier == level)
    return llvm::Error::success();
  llvm::Expected<Profile> tier = loadForTier(profile, level, options.profileDirectories);
  if (!tier)
    return CompileError::wrap(ExitCode::Configuration, describeMissingPlugin(tier.takeError()));
  profile = std::move(*tier);
  return applySettings();
}

llvm::Error CompilerSession::applySettings() {
  if (isOptionOverride(options.passPipeline))
    if (llvm::Error error = applyOptionOverride(options.passPipeline, profile.options))
      return CompileError::wrap(ExitCode::Usage, std::move(error));
  return CompileError::wrap(ExitCode::Usage, applyCommandLine());
}

llvm::Error CompilerSession::resolveNativeGpu() {
  const OptionSet::Entry gpu = profile.options.inspect("compute-capability");
  if (std::get<std::string>(gpu.value) != kNativeGpu)
    return llvm::Error::success();
  llvm::Expected<std::string> name = findNativeGpu();
  if (!name)
    return configError(gpu.origin.line ? gpu.origin : Origin(), llvm::toString(name.takeError()));
  profile.options.set(*profile.options.getTable().find("compute-capability"), std::move(*name), gpu.origin);
  return llvm::Error::success();
}

/// The last of the merge order. Combinations are rejected here: the pipeline builder takes what it is given.
llvm::Error CompilerSession::applyCommandLine() {
  std::vector<std::pair<std::string, const char *>> assignments;
  if (options.optLevel)
    assignments.emplace_back("opt-level=" + std::to_string(*options.optLevel), "-O");
  if (options.gpuName)
    assignments.emplace_back("compute-capability=" + *options.gpuName, "--gpu-name");
  if (options.lineInfo)
    assignments.emplace_back("emit-line-info=from-input", "--lineinfo");
  if (options.deviceDebug)
    assignments.emplace_back("device-debug=true", "--device-debug");
  if (options.sanitize)
    assignments.emplace_back("sanitize=" + *options.sanitize, "--sanitize");
  if (options.hostArch)
    assignments.emplace_back("host-arch=" + *options.hostArch, "--host-arch");
  if (options.hostOs)
    assignments.emplace_back("host-os=" + *options.hostOs, "--host-os");
  if (!options.warnings.empty())
    assignments.emplace_back(
        "warnings=" + std::get<std::string>(profile.options.inspect("warnings").value) + "," + options.warnings, "-W");
  for (const std::string &setting : options.settings)
    assignments.emplace_back(setting, "--set");
  for (const auto &[assignment, flag] : assignments)
    if (llvm::Error error = profile.options.setFromText(assignment, Origin::described(flag)))
      return error;
  if (profile.options.getBool("device-debug") && profile.options.getInteger("opt-level") != 0)
    return configError(Origin(), "optimized debugging is not supported, change optimization level to 0 or disable full "
                                 "debug info");
  return llvm::Error::success();
}

/// The plugin that serves `gpuName`, whose `a` or `f` suffix plugins do not list.
static const DiscoveredPlugin *findTargetPlugin(const PluginCatalogue &plugins, llvm::StringRef gpuName) {
  if (const DiscoveredPlugin *plugin = plugins.findProvider(PluginContents::Target, gpuName))
    return plugin;
  return plugins.findProvider(PluginContents::Target, gpuName.rtrim("af"));
}

bool CompilerSession::isKnownGpu(llvm::StringRef gpuName) const {
  return gpuName == kNativeGpu || findTargetPlugin(plugins, gpuName);
}

/// The entries of tuning models that options set.
static std::vector<TuningOverride> getTuningOverrides(const OptionSet &options) {
  std::vector<TuningOverride> overrides;
  for (const TuningEntry &entry : getTuningEntries())
    if (options.isSet(entry.option))
      overrides.push_back({entry.field, options.getInteger(entry.option)});
  return overrides;
}

llvm::Error CompilerSession::activatePlugins() {
  for (PassEntry &entry : getCorePasses())
    if (llvm::Error error = registry.addPass(std::move(entry)))
      return CompileError::wrap(ExitCode::Internal, std::move(error));

  llvm::StringSet<> active;
  for (const DiscoveredPlugin &plugin : plugins.getPlugins())
    if (plugins.isExplicit(plugin))
      if (llvm::Error error = activate(plugin.getName(), Origin::described("--load-plugin"), active))
        return error;
  const OptionSet asked = profile.options; // an option that says what is loaded has no effect by that alone
  for (const Profile::Requirement &requirement : profile.plugins)
    if (requirement.when.evaluate(asked))
      if (llvm::Error error = activate(requirement.plugin, requirement.origin, active))
        return error;
  const OptionSet::Entry &gpu = profile.options.inspect("compute-capability");
  if (const DiscoveredPlugin *plugin = findTargetPlugin(plugins, std::get<std::string>(gpu.value)))
    if (llvm::Error error = activate(plugin->getName(), gpu.origin, active))
      return error;
  if (llvm::Error error = activateScheduler(active))
    return error;
  if (llvm::Error error = plugins.checkPassNames(registry))
    return CompileError::wrap(ExitCode::Configuration, std::move(error));
  attachRegistry(context, registry, getTuningOverrides(profile.options));
  mlir::DialectRegistry dialects;
  registry.fillDialects(dialects);
  context.appendDialectRegistry(dialects);
  if (llvm::Error error = registry.publish())
    return CompileError::wrap(ExitCode::Configuration, std::move(error));
  return CompileError::wrap(ExitCode::Configuration, checkScheduler());
}

/// The plugin of the scheduler that options name, as that of the GPU, need not be required by the profile.
llvm::Error CompilerSession::activateScheduler(llvm::StringSet<> &active) {
  const OptionSet::Entry &entry = profile.options.inspect("scheduler.name");
  const std::string &name = std::get<std::string>(entry.value);
  if (name.empty() || registry.findScheduler(name))
    return llvm::Error::success();
  const DiscoveredPlugin *plugin = plugins.findProvider(PluginContents::Scheduler, name);
  return plugin ? activate(plugin->getName(), entry.origin, active) : llvm::Error::success();
}

llvm::Error CompilerSession::checkScheduler() const {
  const OptionSet::Entry &entry = profile.options.inspect("scheduler.name");
  const std::string &name = std::get<std::string>(entry.value);
  if (name.empty() || registry.findScheduler(name))
    return llvm::Error::success();
  std::vector<std::string> names;
  for (const DiscoveredPlugin &plugin : plugins.getPlugins())
    for (const PluginContents &item : plugin.contents)
      if (item.kind == PluginContents::Scheduler)
        names.push_back(item.name);
  std::string remedy = suggestName(name, names);
  if (remedy.empty())
    remedy = names.empty() ? "; no plugin has a scheduler" : "; there are " + llvm::join(names, ", ");
  return configError(entry.origin, "no scheduler is called '" + llvm::Twine(name) + "'" + remedy);
}

llvm::Error CompilerSession::activate(llvm::StringRef name, const Origin &origin, llvm::StringSet<> &active) {
  const DiscoveredPlugin *plugin = plugins.find(name);
  if (!plugin)
    return describeUnknownPlugin(name, origin);
  llvm::Expected<std::vector<const DiscoveredPlugin *>> order = plugins.orderRequired(*plugin);
  if (!order)
    return CompileError::wrap(ExitCode::Configuration, order.takeError());
  for (const DiscoveredPlugin *next : *order) {
    if (!active.insert(next->getName()).second)
      continue;
    if (llvm::Error error = activatePlugin(*next, registry))
      return CompileError::wrap(ExitCode::Configuration, std::move(error));
    activePlugins.push_back(next->getName().str());
  }
  return llvm::Error::success();
}

/// A profile's option may be unknown because its plugin is.
llvm::Error CompilerSession::describeMissingPlugin(llvm::Error error) const {
  return llvm::handleErrors(std::move(error), [&](const MissingPluginError &missing) {
    std::string use = missing.getUse().str(), option = missing.getOption().str();
    return describeUnknownPlugin(missing.getPlugin(), missing.getOrigin(),
                                 ", which may declare option '" + option + "' (" + use + "),");
  });
}

llvm::Error CompilerSession::describeUnknownPlugin(llvm::StringRef name, const Origin &origin,
                                                   const llvm::Twine &role) const {
  std::vector<std::string> names;
  for (const DiscoveredPlugin &known : plugins.getPlugins())
    names.push_back(known.getName().str());
  std::string message = ("plugin '" + name + "'" + role + " was not found" + suggestName(name, names)).str();
  for (const std::string &problem : plugins.getProblems())
    message += "; " + problem;
  return CompileError::wrap(ExitCode::Configuration, configError(origin, message));
}

//===----------------------------------------------------------------------===//
// Target and pipeline
//===----------------------------------------------------------------------===//

/// What to say of a GPU that the user did not name.
std::string CompilerSession::describeGpuChoice() const {
  const OptionSet::Entry &gpu = profile.options.inspect("compute-capability");
  if (gpu.origin.line == 0)
    return "";
  return "; no --gpu-name is given, and '" + std::get<std::string>(gpu.value) + "' is the choice of profile '" +
         profile.name + "'";
}

std::string CompilerSession::describeDefaultGpu() const {
  const OptionSet::Entry &gpu = profile.options.inspect("compute-capability");
  // A GPU that a profile of the user's own names is no surprise.
  const bool isShipped = llvm::is_contained(options.profileDirectories, llvm::sys::path::parent_path(gpu.origin.file));
  if (options.product <= Product::Bytecode || gpu.origin.line == 0 || !isShipped)
    return "";
  return "'" + std::get<std::string>(gpu.value) + "', the choice of profile '" + profile.name + "'";
}

llvm::Error CompilerSession::failCompilation(const llvm::Twine &remedy) {
  return fail(ExitCode::CompilationFailed, "error: failed to compile Tile IR program" + remedy + describeGpuChoice());
}

llvm::Error CompilerSession::describeUnknownTarget(llvm::StringRef gpuName) const {
  std::string message = ("unknown GPU '" + gpuName + "'; " + plugins.suggestChips(gpuName) + describeGpuChoice()).str();
  for (const std::string &problem : plugins.getProblems())
    message += "; " + problem;
  const Origin &origin = profile.options.inspect("compute-capability").origin;
  return configError(origin.line ? origin : Origin(), message);
}

std::string CompilerSession::describeUnsupportedGpu(llvm::StringRef gpuName) const {
  std::string message = ("unsupported GPU target '" + gpuName + "'; " + plugins.suggestChips(gpuName)).str();
  for (const std::string &problem : plugins.getProblems())
    message += "; " + problem;
  return message;
}

llvm::Error CompilerSession::selectTarget() {
  std::string gpuName = profile.options.getString("compute-capability").str();
  if (gpuName.empty()) {
    if (options.product <= Product::Bytecode)
      return llvm::Error::success();
    return CompileError::wrap(
        ExitCode::Configuration,
        configError(Origin(), "no GPU is given; --gpu-name says which, and --list-plugins which there are"));
  }
  target = registry.findTargetForChip(gpuName);
  if (!target) {
    // A module without code needs no back end. The assembler is asked later whether there is such a GPU.
    bool needsTarget = options.product > Product::Bytecode || options.gpuName;
    if (!needsTarget || (module && isModuleEmpty()))
      return llvm::Error::success();
    return CompileError::wrap(ExitCode::Configuration, describeUnknownTarget(gpuName));
  }
  chip = target->findChip(gpuName);
  if (llvm::Error error = registry.verifyTables(*target, *chip))
    return CompileError::wrap(ExitCode::Configuration, std::move(error));
  const OptionDeclaration *capability = profile.options.getTable().find("target.compute-capability");
  profile.options.set(*capability, int64_t(chip->computeCapability), Origin::described("target " + target->getName()));
  if (module && getProductLevel(options.product) > IRLevel::TileAA)
    if (std::optional<std::string> reason = target->getUnsupportedReason()) {
      if (!isModuleEmpty())
        return fail(ExitCode::Configuration,
                    "error: cannot compile for '" + gpuName + "': " + *reason + describeGpuChoice());
      target = nullptr;
      chip = nullptr;
    }
  return llvm::Error::success();
}

llvm::StringRef CompilerSession::finishRemarks() {
  context.setRemarkEngine(nullptr);
  return remarkText;
}

namespace {
/// Lets MLIR write its reproducer into a string.
struct ReproducerText final : mlir::ReproducerStream {
  ReproducerText(std::string &text, llvm::StringRef name) : stream(text), name(name) {}
  llvm::StringRef description() override { return name; }
  llvm::raw_ostream &os() override { return stream; }

  llvm::raw_string_ostream stream;
  llvm::StringRef name;
};
} // namespace

llvm::Error CompilerSession::buildPipeline() {
  passManager = std::make_unique<mlir::PassManager>(&context, mlir::ModuleOp::getOperationName());
  if (options.configurePassManager && failed(options.configurePassManager(*passManager)))
    return fail(ExitCode::Usage, "error: the pass manager does not accept its options");
  if (report)
    passManager->addInstrumentation(report->createInstrumentation());
  passManager->enableVerifier(options.verifyEach);

  bool isExplicit = !options.passPipeline.empty() && !isOptionOverride(options.passPipeline);
  if (!target && !isExplicit && options.product > Product::Bytecode)
    return llvm::Error::success(); // The module is empty: there is nothing to lower.
  const IRLevel level = getProductLevel(options.product);
  const std::vector<std::string> &directories = options.profileDirectories;
  const IRLevel inputLevel = module ? findInputLevel() : IRLevel::CudaTile;
  llvm::StringSet<> notIdle;
  for (llvm::StringRef name : profile.options.getSet())
    if (const OptionSet::Entry &entry = profile.options.inspect(name); entry.isRead || !isReported(entry))
      notIdle.insert(name);
  llvm::Expected<PipelinePlan> plan =
      isExplicit ? parsePipelineText(options.passPipeline, Origin::described("--pass-pipeline"))
                 : planPipeline(profile, level, directories, inputLevel);
  if (!plan)
    return CompileError::wrap(isExplicit ? ExitCode::Usage : ExitCode::Configuration, plan.takeError());
  if (isExplicit)
    renameOldPasses(*plan, profile.options);
  if (!isExplicit) {
    forgetIdleOptions(*plan, profile, level, inputLevel, notIdle);
    insertPhases(*plan, registry);
    // What a program needs that is lower than nv_tileaa, it has, or the verifier before the lowering says so.
    if (llvm::Error error = inputLevel >= IRLevel::TileAS
                                ? llvm::Error::success()
                                : checkNeededPasses(*plan, registry, profile, level, directories))
      return CompileError::wrap(ExitCode::Configuration, std::move(error));
  }
  if (llvm::Error error = tileiras::buildPipeline(*plan, registry, *passManager))
    return CompileError::wrap(isExplicit ? ExitCode::Usage : ExitCode::Configuration, std::move(error));
  if (!options.reproducerFile.empty())
    passManager->enableCrashReproducerGeneration(
        [this](std::string &) { return std::make_unique<ReproducerText>(reproducer, options.reproducerFile); });
  std::function<void(const mlir::remark::detail::Remark &)> onHint, onEvery;
  if (options.collectMetadata)
    onHint = [this](const mlir::remark::detail::Remark &remark) {
      std::string text;
      for (const auto &argument : remark.getArgs())
        text += argument.val;
      hints[remark.getFunction().str()].ignored.push_back(std::move(text));
    };
  if (report)
    onEvery = [this](const mlir::remark::detail::Remark &remark) { report->addRemark(remark); };
  return enableRemarks(context, options.remarks, plugins.collectRemarks(), remarkText, std::move(onHint),
                       std::move(onEvery));
}
