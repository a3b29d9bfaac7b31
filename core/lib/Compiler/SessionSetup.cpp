//===- SessionSetup.cpp - What takes part in a compilation ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheUse.h"
#include "CompilationReport.h"
#include "PoolContents.h"
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
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include <unistd.h>

using namespace tileiras;

char CompileError::ID;

llvm::Error CompileError::wrap(ExitCode code, llvm::Error error) {
  if (!error)
    return llvm::Error::success();
  bool isComplete = error.isA<ConfigError>() || error.isA<CompileError>();
  std::string message = (isComplete ? "" : "error: ") + llvm::toString(std::move(error));
  return llvm::make_error<CompileError>(code, message);
}

CompilerSession::CompilerSession(CompilerOptions requested, SessionPool *pool)
    : options(std::move(requested)), pool(pool), plugins(std::make_shared<PluginCatalogue>()),
      warnings(std::make_unique<WarningFilter>()) {
  // Whoever finds the result may want it.
  if (options.cache)
    options.collectMetadata = true;
}

CompilerSession::~CompilerSession() {
  if (!context)
    return;
  // What a remark engine still holds back is reported while the diagnostic handler is there.
  context->setRemarkEngine(nullptr);
  if (!pool || !isComplete || !registry)
    return;
  cacheUse.reset();
  passManager.reset();
  module = nullptr;
  warnings.reset();
  diagnosticHandler.reset();
  context->registerActionHandler(nullptr);
  const size_t bytes = contextBytes + (input ? input->getBufferSize() : 0);
  pool->getContents().leaveContext(*registry, {std::move(context), contextUses + 1, bytes});
}

/// The entries of tuning models that options set.
static std::vector<TuningOverride> getTuningOverrides(const OptionSet &options) {
  std::vector<TuningOverride> overrides;
  for (const TuningEntry &entry : getTuningEntries())
    if (options.isSet(entry.option))
      overrides.push_back({entry.field, options.getInteger(entry.option)});
  return overrides;
}

/// Threads belong to the caller; one compilation uses one.
static std::unique_ptr<mlir::MLIRContext> createContext(const Registry &registry) {
  auto context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  mlir::DialectRegistry dialects;
  registerDialects(dialects);
  registerCodegenTranslations(dialects);
  context->appendDialectRegistry(dialects);
  mlir::DialectRegistry added;
  registry.fillDialects(added);
  context->appendDialectRegistry(added);
  return context;
}

void CompilerSession::openContext() {
  if (pool) {
    PooledContext left = pool->getContents().takeContext(*registry);
    context = std::move(left.context);
    contextUses = left.uses;
    contextBytes = left.inputBytes;
  }
  if (!context)
    context = createContext(*registry);
  attachRegistry(*context, *registry, getTuningOverrides(profile.options));
  installDiagnosticHandler();
  if (cacheUse)
    recordDiagnostics();
  warnings->attach(*context);
  context->printOpOnDiagnostic(options.printOpOnDiagnostic);
  if (options.collectReport)
    report = std::make_unique<CompilationReport>(*context);
  // Whole passes are left out: what is inside of one may count on what it has done before.
  if (options.findReasonToStop)
    context->registerActionHandler([this](llvm::function_ref<void()> work, const mlir::tracing::Action &action) {
      if (!llvm::isa<mlir::PassExecutionAction>(action) || !mustStop())
        work();
    });
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
  for (Step step : {&CompilerSession::resolveProfile, &CompilerSession::findResult, &CompilerSession::activatePlugins,
                    &CompilerSession::readInput, &CompilerSession::verifyInput, &CompilerSession::selectTarget,
                    &CompilerSession::buildPipeline, &CompilerSession::runPipeline, &CompilerSession::generateCode}) {
    llvm::Error error = mustStop() ? llvm::Error::success() : (this->*step)();
    if (isStopped()) {
      llvm::consumeError(std::move(error)); // of what was cut short
      return fail(ExitCode::CompilationFailed, *stopReason);
    }
    if (error)
      return error;
    if (hasProduct())
      break;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Plugins and profile
//===----------------------------------------------------------------------===//

static llvm::Expected<std::shared_ptr<const PluginCatalogue>> findPlugins(const CompilerOptions &options) {
  auto plugins = std::make_shared<PluginCatalogue>();
  for (const std::string &directory : options.pluginDirectories)
    if (llvm::Error error = plugins->addDirectory(directory))
      return error;
  if (llvm::Error error = plugins->addDefaultDirectories())
    return error;
  for (const std::string &file : options.pluginFiles)
    if (llvm::Error error = plugins->addFile(file))
      return error;
  return plugins;
}

/// What the environment says of plugins, and of the defaults of their options.
static std::vector<std::string> listOwnVariables() {
  std::vector<std::string> variables;
  for (char **variable = environ; variable && *variable; ++variable)
    if (llvm::StringRef(*variable).starts_with("TILEIR"))
      variables.push_back(*variable);
  return variables;
}

llvm::Error CompilerSession::discoverPlugins() {
  discovered = true;
  auto find = [this] { return findPlugins(options); };
  auto found = pool ? pool->getContents().catalogues.get(PoolKey()
                                                             .addAll(options.pluginFiles)
                                                             .addAll(options.pluginDirectories)
                                                             .addAll(listOwnVariables())
                                                             .str(),
                                                         find)
                    : find();
  if (!found)
    return CompileError::wrap(ExitCode::Configuration, found.takeError());
  plugins = std::move(*found);
  return llvm::Error::success();
}

llvm::Expected<std::shared_ptr<const OptionTable>> CompilerSession::collectOptions() {
  auto collect = [this] { return plugins->collectOptions(); };
  return pool ? pool->getContents().tables.get(PoolKey().addAddress(plugins.get()).str(), collect) : collect();
}

/// What `load` gives, or gave an earlier session of the pool for the same `request`.
static llvm::Expected<Profile> loadOnce(SessionPool *pool, const PoolKey &request,
                                        llvm::function_ref<llvm::Expected<Profile>()> load) {
  if (!pool)
    return load();
  auto made = pool->getContents().profiles.get(request.str(), [&]() -> llvm::Expected<Shelf<Profile>::Item> {
    llvm::Expected<Profile> loaded = load();
    if (!loaded)
      return loaded.takeError();
    return std::make_shared<const Profile>(std::move(*loaded));
  });
  if (!made)
    return made.takeError();
  return Profile(**made);
}

/// Profiles that are files may be relative to the working folder.
static PoolKey makeProfileKey(const PluginCatalogue *plugins, const CompilerOptions &options, llvm::StringRef name) {
  llvm::SmallString<128> file(name);
  if (name.contains('/') || name.ends_with(".toml"))
    llvm::sys::fs::make_absolute(file);
  return PoolKey().addAddress(plugins).addAll(options.profileDirectories).add(name).add(file);
}

llvm::Error CompilerSession::resolveProfile() {
  const std::string name =
      options.profile.empty() ? getTierName(options.optLevel.value_or(kMaxOptLevel)) : options.profile;
  llvm::Expected<std::shared_ptr<const OptionTable>> table = collectOptions();
  if (!table)
    return CompileError::wrap(ExitCode::Configuration, table.takeError());
  llvm::Expected<Profile> loaded = loadOnce(pool, makeProfileKey(plugins.get(), options, name),
                                            [&] { return loadProfile(name, options.profileDirectories, *table); });
  if (!loaded)
    return CompileError::wrap(ExitCode::Configuration, describeMissingPlugin(loaded.takeError()));
  profile = std::move(*loaded);
  if (llvm::Error error = applySettings())
    return error;
  if (llvm::Error error = selectTier(name))
    return error;
  if (llvm::Error error = warnings->configure(profile.options.getString("warnings")))
    return CompileError::wrap(
        ExitCode::Usage, configError(profile.options.inspect("warnings").origin, llvm::toString(std::move(error))));
  return CompileError::wrap(ExitCode::Configuration, resolveNativeGpu());
}

/// The level is known when all have said theirs, and it decides which tier they are on top of.
llvm::Error CompilerSession::selectTier(llvm::StringRef name) {
  const int64_t level = std::get<int64_t>(profile.options.inspect("opt-level").value);
  if (!profile.tier || *profile.tier == level)
    return llvm::Error::success();
  const PoolKey request = makeProfileKey(plugins.get(), options, name).add(std::to_string(level));
  llvm::Expected<Profile> tier =
      loadOnce(pool, request, [&] { return loadForTier(profile, level, options.profileDirectories); });
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
  return gpuName == kNativeGpu || findTargetPlugin(*plugins, gpuName);
}

/// Which plugins take part. The GPU's and the scheduler's need not be required by the profile.
llvm::Error CompilerSession::selectPlugins() {
  if (std::exchange(arePluginsSelected, true))
    return llvm::Error::success();
  for (const DiscoveredPlugin &plugin : plugins->getPlugins())
    if (plugins->isExplicit(plugin))
      if (llvm::Error error = require(plugin.getName(), Origin::described("--load-plugin")))
        return error;
  const OptionSet asked = profile.options; // an option that says what is loaded has no effect by that alone
  for (const Profile::Requirement &requirement : profile.plugins)
    if (requirement.when.evaluate(asked))
      if (llvm::Error error = require(requirement.plugin, requirement.origin))
        return error;
  const OptionSet::Entry &gpu = profile.options.inspect("compute-capability");
  if (const DiscoveredPlugin *plugin = findTargetPlugin(*plugins, std::get<std::string>(gpu.value)))
    if (llvm::Error error = require(plugin->getName(), gpu.origin))
      return error;
  return requireScheduler();
}

llvm::Error CompilerSession::requireScheduler() {
  const OptionSet::Entry &entry = profile.options.inspect("scheduler.name");
  const std::string &name = std::get<std::string>(entry.value);
  auto provides = [&](const std::string &plugin) {
    return plugins->find(plugin)->provides(PluginContents::Scheduler, name);
  };
  if (name.empty() || llvm::any_of(activePlugins, provides))
    return llvm::Error::success();
  const DiscoveredPlugin *plugin = plugins->findProvider(PluginContents::Scheduler, name);
  return plugin ? require(plugin->getName(), entry.origin) : llvm::Error::success();
}

/// The passes of the core, and what the plugins that take part add.
llvm::Expected<std::shared_ptr<const Registry>> CompilerSession::activateAll() const {
  auto made = std::make_shared<Registry>();
  for (PassEntry &entry : getCorePasses())
    if (llvm::Error error = made->addPass(std::move(entry)))
      return CompileError::wrap(ExitCode::Internal, std::move(error));
  for (const std::string &plugin : activePlugins)
    if (llvm::Error error = activatePlugin(*plugins->find(plugin), *made))
      return CompileError::wrap(ExitCode::Configuration, std::move(error));
  if (llvm::Error error = plugins->checkPassNames(*made))
    return CompileError::wrap(ExitCode::Configuration, std::move(error));
  if (llvm::Error error = made->publish())
    return CompileError::wrap(ExitCode::Configuration, std::move(error));
  return made;
}

llvm::Error CompilerSession::activatePlugins() {
  if (llvm::Error error = selectPlugins())
    return error;
  auto activate = [this] { return activateAll(); };
  auto made = pool ? pool->getContents().registries.get(PoolKey().addAddress(plugins.get()).addAll(activePlugins).str(),
                                                        activate)
                   : activate();
  if (!made)
    return made.takeError();
  registry = std::move(*made);
  openContext();
  return CompileError::wrap(ExitCode::Configuration, checkScheduler());
}

llvm::Error CompilerSession::checkScheduler() const {
  const OptionSet::Entry &entry = profile.options.inspect("scheduler.name");
  const std::string &name = std::get<std::string>(entry.value);
  if (name.empty() || registry->findScheduler(name))
    return llvm::Error::success();
  std::vector<std::string> names;
  for (const DiscoveredPlugin &plugin : plugins->getPlugins())
    for (const PluginContents &item : plugin.contents)
      if (item.kind == PluginContents::Scheduler)
        names.push_back(item.name);
  std::string remedy = suggestName(name, names);
  if (remedy.empty())
    remedy = names.empty() ? "; no plugin has a scheduler" : "; there are " + llvm::join(names, ", ");
  return configError(entry.origin, "no scheduler is called '" + llvm::Twine(name) + "'" + remedy);
}

/// `name` takes part, behind all that it requires.
llvm::Error CompilerSession::require(llvm::StringRef name, const Origin &origin) {
  const DiscoveredPlugin *plugin = plugins->find(name);
  if (!plugin)
    return describeUnknownPlugin(name, origin);
  llvm::Expected<std::vector<const DiscoveredPlugin *>> order = plugins->orderRequired(*plugin);
  if (!order)
    return CompileError::wrap(ExitCode::Configuration, order.takeError());
  for (const DiscoveredPlugin *next : *order)
    if (!llvm::is_contained(activePlugins, next->getName()))
      activePlugins.push_back(next->getName().str());
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
  for (const DiscoveredPlugin &known : plugins->getPlugins())
    names.push_back(known.getName().str());
  std::string message = ("plugin '" + name + "'" + role + " was not found" + suggestName(name, names)).str();
  for (const std::string &problem : plugins->getProblems())
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
  std::string message =
      ("unknown GPU '" + gpuName + "'; " + plugins->suggestChips(gpuName) + describeGpuChoice()).str();
  for (const std::string &problem : plugins->getProblems())
    message += "; " + problem;
  const Origin &origin = profile.options.inspect("compute-capability").origin;
  return configError(origin.line ? origin : Origin(), message);
}

std::string CompilerSession::describeUnsupportedGpu(llvm::StringRef gpuName) const {
  std::string message = ("unsupported GPU target '" + gpuName + "'; " + plugins->suggestChips(gpuName)).str();
  for (const std::string &problem : plugins->getProblems())
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
  target = registry->findTargetForChip(gpuName);
  if (!target) {
    // A module without code needs no back end. The assembler is asked later whether there is such a GPU.
    bool needsTarget = options.product > Product::Bytecode || options.gpuName;
    if (!needsTarget || (module && isModuleEmpty()))
      return llvm::Error::success();
    return CompileError::wrap(ExitCode::Configuration, describeUnknownTarget(gpuName));
  }
  chip = target->findChip(gpuName);
  if (llvm::Error error = registry->verifyTables(*target, *chip))
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
  if (context)
    context->setRemarkEngine(nullptr);
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
  passManager = std::make_unique<mlir::PassManager>(context.get(), mlir::ModuleOp::getOperationName());
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
    insertPhases(*plan, *registry);
    // What a program needs that is lower than nv_tileaa, it has, or the verifier before the lowering says so.
    if (llvm::Error error = inputLevel >= IRLevel::TileAS
                                ? llvm::Error::success()
                                : checkNeededPasses(*plan, *registry, profile, level, directories))
      return CompileError::wrap(ExitCode::Configuration, std::move(error));
  }
  if (llvm::Error error = tileiras::buildPipeline(*plan, *registry, *passManager))
    return CompileError::wrap(isExplicit ? ExitCode::Usage : ExitCode::Configuration, std::move(error));
  if (!options.reproducerFile.empty())
    passManager->enableCrashReproducerGeneration(
        [this](std::string &) { return std::make_unique<ReproducerText>(reproducer, options.reproducerFile); });
  using Remark = mlir::remark::detail::Remark;
  std::function<void(const Remark &)> onHint, onEvery;
  if (options.collectMetadata)
    onHint = [this](const Remark &remark) {
      std::string text;
      for (const auto &argument : remark.getArgs())
        text += argument.val;
      hints[remark.getFunction().str()].ignored.push_back(std::move(text));
    };
  if (report || cacheUse)
    onEvery = [this](const Remark &remark) {
      if (report)
        report->addRemark(remark);
      if (cacheUse)
        cacheUse->reports.push_back({{}, describe(remark, input->getBufferIdentifier())});
    };
  return enableRemarks(*context, options.remarks, plugins->collectRemarks(), remarkText, std::move(onHint),
                       std::move(onEvery));
}
