//===- CApi.cpp - The compiler as a C library -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interruption.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Compiler/ResultCache.h"
#include "tileiras/Compiler/Session.h"
#include "tileiras/Compiler/SessionPool.h"
#include "tileiras/Compiler/tileiras-c.h"
#include "tileiras/Support/Version.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace tileiras;

struct TileirasPool {
  SessionPool sessions;
};

struct TileirasProgram {
  explicit TileirasProgram(const TileirasConfig &config);

  const TileirasConfig callbacks; ///< its pointers to data are the caller's, and gone
  Interruption interruption;
  std::string cause; ///< the first error that was reported, with its place and notes
  CompilerSession session;
  std::optional<TileirasStatus> result; ///< of the compilation
  std::string metadata, report;
};

//===----------------------------------------------------------------------===//
// Status
//===----------------------------------------------------------------------===//

static thread_local std::string lastError;

static TileirasStatus succeed() {
  lastError.clear();
  return TILEIRAS_SUCCESS;
}

static TileirasStatus fail(TileirasStatus status, const llvm::Twine &text) {
  lastError = text.str();
  return status;
}

/// No exception leaves the library.
static TileirasStatus guard(llvm::function_ref<TileirasStatus()> work) {
  try {
    return work();
  } catch (const std::bad_alloc &) {
    return fail(TILEIRAS_ERROR_ALLOCATION, "failed to allocate memory for program");
  } catch (const std::exception &failure) {
    return fail(TILEIRAS_ERROR_COMPILE_FAILED, llvm::Twine("internal error: ") + failure.what());
  }
}

const char *tileirasGetErrorText() {
  return lastError.c_str();
}

//===----------------------------------------------------------------------===//
// Callbacks
//===----------------------------------------------------------------------===//

namespace {
/// Where a location points to, with storage for the file's name.
struct Place {
  std::string file;
  uint32_t line = 0, column = 0;

  explicit Place(mlir::Location location) {
    if (auto found = mlir::LocationAttr(location).findInstanceOf<mlir::FileLineColLoc>()) {
      file = found.getFilename().str();
      line = found.getLine();
      column = found.getColumn();
    }
  }
};
} // namespace

static TileirasSeverity toSeverity(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note:
    return TILEIRAS_NOTE;
  case mlir::DiagnosticSeverity::Warning:
    return TILEIRAS_WARNING;
  case mlir::DiagnosticSeverity::Error:
    return TILEIRAS_ERROR;
  case mlir::DiagnosticSeverity::Remark:
    return TILEIRAS_REMARK;
  }
  return TILEIRAS_ERROR;
}

static void report(const TileirasConfig &config, mlir::Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  Place place(diagnostic.getLocation());
  TileirasDiagnostic plain = {toSeverity(diagnostic.getSeverity()), text.c_str(), place.file.c_str(), place.line,
                              place.column};
  config.diagnosticCallback(&plain, config.userData);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    report(config, note);
}

/// "kernel.mlir:3:5: the message; the note".
static std::string describe(mlir::Diagnostic &diagnostic) {
  const Place place(diagnostic.getLocation());
  std::string text;
  if (!place.file.empty())
    text = place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
  text += diagnostic.str();
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    text += "; " + note.str();
  return text;
}

static void report(const TileirasConfig &config, const mlir::remark::detail::Remark &remark) {
  std::string kind = remark.getRemarkTypeString().str();
  std::string category = remark.getCombinedCategoryName().str(), name = remark.getRemarkName().str();
  std::string function = remark.getFunction().str(), message;
  for (const auto &argument : remark.getArgs())
    message += (message.empty() ? "" : ", ") + (argument.key == "Remark" ? "" : argument.key + " = ") + argument.val;
  Place place(remark.getLocation());
  TileirasRemark plain = {kind.c_str(),    category.c_str(),   name.c_str(), function.c_str(),
                          message.c_str(), place.file.c_str(), place.line,   place.column};
  config.remarkCallback(&plain, config.userData);
}

//===----------------------------------------------------------------------===//
// Configuration
//===----------------------------------------------------------------------===//

/// The fields the caller knows of; the others are as in TILEIRAS_CONFIG_INIT.
static TileirasConfig copyConfig(const TileirasConfig *config) {
  TileirasConfig copy = {};
  std::memcpy(&copy, config, std::min(config->structSize, sizeof(TileirasConfig)));
  return copy;
}

/// What can be said without looking at plugins, in the order the interface promises.
static TileirasStatus checkInput(const TileirasConfig &config) {
  if (!config.input)
    return fail(TILEIRAS_ERROR_INVALID_CONFIG, "input buffer is null");
  auto hasNull = [](const char *const *strings, size_t count) {
    return count != 0 && (!strings || llvm::is_contained(llvm::ArrayRef(strings, count), nullptr));
  };
  if (hasNull(config.settings, config.settingCount))
    return fail(TILEIRAS_ERROR_INVALID_CONFIG, "a setting is null");
  if (hasNull(config.pluginFiles, config.pluginFileCount))
    return fail(TILEIRAS_ERROR_INVALID_CONFIG, "the file of a plugin is null");
  if (hasNull(config.pluginDirectories, config.pluginDirectoryCount))
    return fail(TILEIRAS_ERROR_INVALID_CONFIG, "a folder of plugins is null");
  if (hasNull(config.assemblerOptions, config.assemblerOptionCount))
    return fail(TILEIRAS_ERROR_INVALID_CONFIG, "an option for the assembler is null");
  if (config.inputIsText)
    return TILEIRAS_SUCCESS;
  llvm::StringRef bytes(static_cast<const char *>(config.input), config.inputSize);
  if (mlir::isBytecode(llvm::MemoryBufferRef(bytes, "")))
    return fail(TILEIRAS_ERROR_BAD_BYTECODE, "failed to parse IR bytecode (it looks like MLIR bytecode instead)");
  if (!isTileIRBytecode(llvm::MemoryBufferRef(bytes, "")))
    return fail(TILEIRAS_ERROR_BAD_BYTECODE, "input does not correspond to Tile IR bytecode");
  return TILEIRAS_SUCCESS;
}

static std::string describeUnknown(const char *what, const std::string &name, const std::vector<std::string> &known) {
  return std::string("unknown ") + what + " '" + name + "'" + suggestName(name, known) + " (there are " +
         llvm::join(known, ", ") + ")";
}

static TileirasStatus checkOptions(const TileirasConfig &config, const CompilerSession &session) {
  auto invalid = [](const llvm::Twine &text) { return fail(TILEIRAS_ERROR_INVALID_CONFIG, text); };
  const std::string gpuName = config.gpuName ? config.gpuName : "";
  if (!session.isKnownGpu(gpuName))
    return invalid(session.describeUnsupportedGpu(gpuName));
  const bool hasLevel = config.optLevel != TILEIRAS_OPT_LEVEL_OF_PROFILE;
  if (hasLevel && config.optLevel > 3)
    return invalid("invalid optimization level " + llvm::Twine(config.optLevel) +
                   "; optLevel is 0 to 3, or TILEIRAS_OPT_LEVEL_OF_PROFILE");
  if (hasLevel && config.optLevel != 0 && config.deviceDebug)
    return invalid("optimized debugging is not supported, change optimization level to 0 or disable full debug info");
  if (config.hostArch > TILEIRAS_HOST_ARM64EC)
    return invalid("unsupported host architecture " + llvm::Twine(static_cast<unsigned>(config.hostArch)) +
                   "; hostArch is a value of TileirasHostArch");
  if (config.hostOs > TILEIRAS_HOST_WINDOWS)
    return invalid("unsupported host operating system " + llvm::Twine(static_cast<unsigned>(config.hostOs)) +
                   "; hostOs is a value of TileirasHostOs");
  if (config.product && !parseProduct(config.product))
    return invalid(describeUnknown("output", config.product, getProductNames()));
  if (config.assembler && *config.assembler && !llvm::is_contained(getAssemblerNames(), config.assembler))
    return invalid(
        describeUnknown("assembler", config.assembler, {getAssemblerNames().begin(), getAssemblerNames().end()}));
  return TILEIRAS_SUCCESS;
}

/// What calls back uses the program.
static CompilerOptions toCompilerOptions(const TileirasConfig &config, TileirasProgram &program) {
  static constexpr const char *archNames[] = {"x86_64", "aarch64", "arm64ec"};
  static constexpr const char *osNames[] = {"linux", "windows"};
  CompilerOptions options;
  options.collectMetadata = true;
  options.collectReport = config.collectReport;
  options.pluginFiles.assign(config.pluginFiles, config.pluginFiles + config.pluginFileCount);
  options.pluginDirectories.assign(config.pluginDirectories, config.pluginDirectories + config.pluginDirectoryCount);
  options.profile = config.profile ? config.profile : "";
  options.passPipeline = config.passPipeline ? config.passPipeline : "";
  options.assembler = config.assembler ? config.assembler : "";
  options.assemblerOptions.assign(config.assemblerOptions, config.assemblerOptions + config.assemblerOptionCount);
  if (config.optLevel <= 3)
    options.optLevel = config.optLevel;
  if (config.gpuName)
    options.gpuName = config.gpuName;
  if (config.sanitizeMemcheck)
    options.sanitize = "memcheck";
  // The first of each is the default, which nobody has to ask for.
  if (config.hostArch != TILEIRAS_HOST_X86_64 && config.hostArch <= TILEIRAS_HOST_ARM64EC)
    options.hostArch = archNames[config.hostArch];
  if (config.hostOs != TILEIRAS_HOST_LINUX && config.hostOs <= TILEIRAS_HOST_WINDOWS)
    options.hostOs = osNames[config.hostOs];
  options.lineInfo = config.lineInfo;
  options.deviceDebug = config.deviceDebug;
  options.settings.assign(config.settings, config.settings + config.settingCount);
  // Of whoever started the program: it may run without a GPU.
  if (std::optional<std::string> kept = llvm::sys::Process::GetEnv("TILEIRAS_KEEP_PTX"))
    options.keepPtx = parseKeepPtx(*kept).value_or(KeepPtx::No);
  options.cache =
      ResultCache::open(config.cache ? config.cache : llvm::sys::Process::GetEnv("TILEIRAS_CACHE").value_or(""));
  if (config.product)
    options.product = parseProduct(config.product).value_or(Product::Cubin);
  // Without a callback nothing is printed: a library has no business with its host's standard error.
  options.diagnosticCallback = [&program](mlir::Diagnostic &diagnostic) {
    if (program.cause.empty() && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      program.cause = describe(diagnostic);
    if (program.callbacks.diagnosticCallback)
      report(program.callbacks, diagnostic);
  };
  if (config.remarkCallback)
    options.remarks.callback = [&program](const mlir::remark::detail::Remark &remark) {
      report(program.callbacks, remark);
    };
  if (config.scopeCallback)
    options.scopeCallback = [&program](llvm::StringRef scope, bool begins) {
      program.callbacks.scopeCallback(scope.str().c_str(), begins, program.callbacks.userData);
    };
  options.findReasonToStop = [&program](int assembler) { return program.interruption.findReason(assembler); };
  return options;
}

static Interruption::Limits toLimits(const TileirasConfig &config) {
  Interruption::Limits limits;
  limits.time = std::chrono::milliseconds(config.timeLimitMs);
  limits.memory = config.memoryLimitMiB;
  if (config.interruptCallback)
    limits.isUnwelcome = [ask = config.interruptCallback, data = config.userData] { return ask(data) != 0; };
  return limits;
}

TileirasProgram::TileirasProgram(const TileirasConfig &config)
    : callbacks(config), interruption(toLimits(config)),
      session(toCompilerOptions(config, *this), config.pool ? &config.pool->sessions : nullptr) {}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

TileirasStatus tileirasPoolCreate(TileirasPool **pool) {
  if (!pool)
    return fail(TILEIRAS_ERROR_INVALID_PROGRAM, "output pointer is null");
  *pool = nullptr;
  return guard([&] {
    *pool = new TileirasPool;
    return succeed();
  });
}

TileirasStatus tileirasPoolRelease(TileirasPool *pool) {
  if (!pool)
    return fail(TILEIRAS_ERROR_INVALID_PROGRAM, "pool is null");
  return guard([&] {
    delete pool;
    return succeed();
  });
}

TileirasStatus tileirasProgramCreate(TileirasProgram **program, const TileirasConfig *config) {
  if (!program)
    return fail(TILEIRAS_ERROR_INVALID_PROGRAM, "output pointer is null");
  *program = nullptr;
  if (!config)
    return fail(TILEIRAS_ERROR_INVALID_CONFIG, "configuration is null");
  return guard([&] {
    TileirasConfig request = copyConfig(config);
    if (TileirasStatus status = checkInput(request))
      return status;
    auto created = std::make_unique<TileirasProgram>(request);
    if (llvm::Error error = created->session.discoverPlugins())
      return fail(TILEIRAS_ERROR_INVALID_CONFIG, llvm::toString(std::move(error)));
    if (TileirasStatus status = checkOptions(request, created->session))
      return status;
    llvm::StringRef bytes(static_cast<const char *>(request.input), request.inputSize);
    created->session.setInput(
        llvm::MemoryBuffer::getMemBufferCopy(bytes, request.inputName ? request.inputName : "<input>"));
    *program = created.release();
    return succeed();
  });
}

/// Whose fault a failure was, as the exit codes of the tool say it.
static TileirasStatus toStatus(ExitCode code) {
  switch (code) {
  case ExitCode::Success:
    return TILEIRAS_SUCCESS;
  case ExitCode::Usage:
  case ExitCode::Configuration:
    return TILEIRAS_ERROR_INVALID_CONFIG;
  case ExitCode::BadInput:
    return TILEIRAS_ERROR_BAD_BYTECODE;
  case ExitCode::InputOutput:
  case ExitCode::CompilationFailed:
  case ExitCode::Internal:
    return TILEIRAS_ERROR_COMPILE_FAILED;
  }
  llvm_unreachable("all codes are handled");
}

static TileirasStatus toStatus(Interruption::Cause cause) {
  return cause == Interruption::Cause::Cancelled ? TILEIRAS_ERROR_CANCELLED : TILEIRAS_ERROR_LIMIT_EXCEEDED;
}

/// The tool's text begins with "error: ", and may say no more than that the compilation failed.
static std::string describeFailure(const llvm::ErrorInfoBase &failure, TileirasStatus status,
                                   const std::string &cause) {
  constexpr llvm::StringLiteral failed = "failed to compile Tile IR program";
  const std::string message = failure.message();
  llvm::StringRef own = message;
  std::string text = own.str();
  if (status == TILEIRAS_ERROR_COMPILE_FAILED) {
    own.consume_front("error: ");
    const bool saysNoMore = own.consume_front(failed) || own.empty();
    text = failed.str() + (saysNoMore ? "" : ": ") + own.str();
  }
  return text + (cause.empty() ? "" : ": " + cause);
}

/// Places of a cache that are of no use.
static void reportCache(TileirasProgram &program) {
  const std::shared_ptr<ResultCache> &cache = program.session.getOptions().cache;
  if (!cache || !program.callbacks.diagnosticCallback)
    return;
  for (const std::string &problem : cache->getProblems()) {
    const std::string text = "no cache: " + problem;
    const TileirasDiagnostic diagnostic = {TILEIRAS_WARNING, text.c_str(), "", 0, 0};
    program.callbacks.diagnosticCallback(&diagnostic, program.callbacks.userData);
  }
}

static TileirasStatus compile(TileirasProgram &program) {
  reportCache(program);
  program.interruption.begin();
  llvm::Error error = program.session.compile();
  if (!error) {
    llvm::raw_string_ostream os(program.metadata);
    program.session.writeMetadata(os);
    return succeed();
  }
  TileirasStatus status = TILEIRAS_ERROR_COMPILE_FAILED;
  std::string text;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &failure) {
    if (program.session.isStopped()) {
      status = toStatus(*program.interruption.getCause());
      text = failure.message();
      return;
    }
    if (failure.isA<CompileError>())
      status = toStatus(static_cast<const CompileError &>(failure).getExitCode());
    text = describeFailure(failure, status, program.cause);
  });
  return fail(status, text);
}

TileirasStatus tileirasProgramCompile(TileirasProgram *program) {
  if (!program)
    return fail(TILEIRAS_ERROR_INVALID_PROGRAM, "program is null");
  if (!program->result)
    program->result = guard([&] { return compile(*program); });
  return *program->result;
}

int tileirasProgramIsFromCache(TileirasProgram *program) {
  return program && program->session.isFromCache();
}

TileirasStatus tileirasProgramGetOutput(TileirasProgram *program, const void **data, size_t *size) {
  if (!program)
    return fail(TILEIRAS_ERROR_INVALID_PROGRAM, "program is null");
  if (!data || !size)
    return fail(TILEIRAS_ERROR_INVALID_PROGRAM, "output pointer is null");
  *data = nullptr;
  *size = 0;
  if (program->result != TILEIRAS_SUCCESS)
    return fail(TILEIRAS_ERROR_INVALID_PROGRAM, "program has not been compiled");
  *data = program->session.getOutput().data();
  *size = program->session.getOutput().size();
  return succeed();
}

/// Refuses what has no text to give; `text` is null then.
static TileirasStatus prepareText(TileirasProgram *program, const char **text) {
  if (!program)
    return fail(TILEIRAS_ERROR_INVALID_PROGRAM, "program is null");
  if (!text)
    return fail(TILEIRAS_ERROR_INVALID_PROGRAM, "output pointer is null");
  *text = nullptr;
  if (program->result != TILEIRAS_SUCCESS)
    return fail(TILEIRAS_ERROR_INVALID_PROGRAM, "program has not been compiled");
  return TILEIRAS_SUCCESS;
}

TileirasStatus tileirasProgramGetPtx(TileirasProgram *program, const char **ptx) {
  if (TileirasStatus status = prepareText(program, ptx); status != TILEIRAS_SUCCESS)
    return status;
  *ptx = program->session.getPtx().c_str();
  return succeed();
}

TileirasStatus tileirasProgramGetMetadata(TileirasProgram *program, const char **json) {
  if (TileirasStatus status = prepareText(program, json); status != TILEIRAS_SUCCESS)
    return status;
  *json = program->metadata.c_str();
  return succeed();
}

TileirasStatus tileirasProgramGetReport(TileirasProgram *program, const char **json) {
  if (TileirasStatus status = prepareText(program, json); status != TILEIRAS_SUCCESS)
    return status;
  if (!program->callbacks.collectReport)
    return fail(TILEIRAS_ERROR_INVALID_CONFIG, "the configuration does not ask for a report (collectReport)");
  return guard([&] {
    if (program->report.empty())
      program->report = program->session.takeReport();
    *json = program->report.c_str();
    return succeed();
  });
}

/// Leaves the error text alone: it may be called while the same thread is within a callback.
TileirasStatus tileirasProgramCancel(TileirasProgram *program) {
  if (!program)
    return fail(TILEIRAS_ERROR_INVALID_PROGRAM, "program is null");
  program->interruption.cancel();
  return TILEIRAS_SUCCESS;
}

TileirasStatus tileirasProgramRelease(TileirasProgram *program) {
  if (!program)
    return fail(TILEIRAS_ERROR_INVALID_PROGRAM, "program is null");
  return guard([&] {
    delete program;
    return succeed();
  });
}

//===----------------------------------------------------------------------===//
// What this library is
//===----------------------------------------------------------------------===//

const char *tileirasGetVersion() {
  return getVersion().data(); // of a string literal
}

const char *tileirasGetBuildId() {
  static const std::string id = getBuildId();
  return id.c_str();
}
