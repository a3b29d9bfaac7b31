//===- Compile.cpp - Compiles Tile IR through the C API -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "Progress.h"
#include "RunError.h"
#include "Watchdog.h"
#include "tileiras/Codegen/CudaToolkit.h"
#include "tileiras/Compiler/tileiras-c.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace tileiras::run {

namespace {

std::vector<const char *> toPointers(const llvm::cl::list<std::string> &strings) {
  std::vector<const char *> pointers;
  for (const std::string &text : strings)
    pointers.push_back(text.c_str());
  return pointers;
}

/// What the callbacks need.
struct Listener {
  const RemarkFilter *filter; ///< null: no remarks are wanted
  Progress &progress;
  unsigned errors = 0;
  bool isSilent = false; ///< about everything but errors
};

void printPlace(const char *file, uint32_t line, uint32_t column) {
  if (*file)
    llvm::errs() << file << ':' << line << ':' << column << ": ";
}

void onDiagnostic(const TileirasDiagnostic *diagnostic, void *listener) {
  static constexpr const char *severities[] = {"note", "warning", "error", "remark"};
  if (static_cast<Listener *>(listener)->isSilent && diagnostic->severity != TILEIRAS_ERROR)
    return;
  static_cast<Listener *>(listener)->progress.hide();
  static_cast<Listener *>(listener)->errors += diagnostic->severity == TILEIRAS_ERROR;
  printPlace(diagnostic->file, diagnostic->line, diagnostic->column);
  llvm::errs() << severities[diagnostic->severity] << ": " << diagnostic->message << '\n';
}

void onRemark(const TileirasRemark *remark, void *listener) {
  if (!static_cast<Listener *>(listener)->filter->accepts(remark->kind, remark->category, remark->name))
    return;
  static_cast<Listener *>(listener)->progress.hide();
  printPlace(remark->file, remark->line, remark->column);
  llvm::errs() << "remark: [" << remark->kind << "] " << remark->name << " | Category:" << remark->category
               << " | Function=" << remark->function << " | " << remark->message << '\n';
}

/// Says what is not said by diagnostics.
[[noreturn]] void explainFailure(TileirasStatus status, const Kernel &kernel, const TileirasConfig &config) {
  std::string text = tileirasGetErrorText();
  if (status == TILEIRAS_ERROR_INVALID_CONFIG)
    throw RunError(Exit::Usage, text);
  if (static_cast<const Listener *>(config.userData)->errors != 0)
    text = "see the errors above";
  throw RunError(Exit::BadInput, "cannot compile " + kernel.file + " for " + config.gpuName + ": " + text);
}

/// The product of one compilation. Throws RunError.
void compileTo(const char *product, Kernel &kernel, TileirasConfig config) {
  config.product = product;
  TileirasProgram *program = nullptr;
  TileirasStatus status = tileirasProgramCreate(&program, &config);
  llvm::scope_exit release([&] {
    if (program)
      tileirasProgramRelease(program);
  });
  if (status == TILEIRAS_SUCCESS)
    status = tileirasProgramCompile(program);
  if (status != TILEIRAS_SUCCESS)
    explainFailure(status, kernel, config);
  const void *data = nullptr;
  size_t size = 0;
  const char *ptx = nullptr, *metadata = nullptr;
  if (tileirasProgramGetOutput(program, &data, &size) || tileirasProgramGetPtx(program, &ptx) ||
      tileirasProgramGetMetadata(program, &metadata))
    throw RunError(Exit::BadInput, tileirasGetErrorText());
  if (llvm::StringRef(product) == "cubin")
    kernel.cubin.assign(static_cast<const char *>(data), size);
  kernel.ptx = ptx;
  kernel.metadataText = metadata;
  const char *report = nullptr;
  if (config.collectReport && tileirasProgramGetReport(program, &report))
    throw RunError(Exit::BadInput, tileirasGetErrorText());
  kernel.compilation = report ? report : "";
}

/// Which of `names` an option says; the first when it says nothing. Throws RunError.
int findHost(llvm::StringRef option, llvm::StringRef value, llvm::ArrayRef<llvm::StringRef> names) {
  const auto *found = llvm::find(names, value.empty() ? names.front() : value);
  if (found == names.end())
    throw RunError(Exit::Usage, "--" + option + " takes " + llvm::join(names, ", ") + ", not '" + value + "'");
  return static_cast<int>(found - names.begin());
}

/// Whether a cubin can be made on this machine.
bool hasAssembler(const CompilerFlags &flags) {
  CudaToolkit toolkit;
  llvm::Expected<std::string> tool = flags.assembler == "nvjitlink" ? toolkit.findNvJitLink() : toolkit.findPtxas();
  if (tool)
    return true;
  llvm::consumeError(tool.takeError());
  return false;
}

} // namespace

/// `product`: as the compiler calls it. Leaves what launches take besides it in the kernel.
static void compileAs(const char *product, Kernel &kernel, const RunOptions &options, const std::string &gpuName,
                      bool checksAssumes, Listener &listener) {
  const CompilerFlags &flags = *options.compiler;
  std::vector<const char *> settings = toPointers(flags.settings);
  if (checksAssumes)
    settings.push_back("check-assumes=true");
  const std::vector<const char *> plugins = toPointers(flags.loadPlugin), folders = toPointers(flags.pluginPath),
                                  assemblerOptions = toPointers(flags.assemblerOptions);
  if (!flags.sanitize.empty() && flags.sanitize != "memcheck")
    throw RunError(Exit::Usage, "--sanitize takes memcheck, not '" + flags.sanitize + "'");
  TileirasConfig config{};
  config.structSize = sizeof(config);
  config.input = kernel.source.data();
  config.inputSize = kernel.source.size();
  config.inputName = kernel.file.c_str();
  config.inputIsText = kernel.form == Kernel::Text;
  config.gpuName = gpuName.c_str();
  config.optLevel = flags.getOptLevel().value_or(TILEIRAS_OPT_LEVEL_OF_PROFILE);
  config.lineInfo = flags.lineInfo.getNumOccurrences() ? flags.lineInfo : !flags.deviceDebug;
  config.deviceDebug = flags.deviceDebug;
  config.sanitizeMemcheck = !flags.sanitize.empty();
  config.hostArch =
      static_cast<TileirasHostArch>(findHost("host-arch", flags.hostArch, {"x86_64", "aarch64", "arm64ec"}));
  config.hostOs = static_cast<TileirasHostOs>(findHost("host-os", flags.hostOs, {"linux", "windows"}));
  config.profile = flags.profile.empty() ? nullptr : flags.profile.c_str();
  config.settings = settings.data();
  config.settingCount = settings.size();
  config.pluginFiles = plugins.data();
  config.pluginFileCount = plugins.size();
  config.passPipeline = flags.passPipeline.c_str();
  config.pluginDirectories = folders.data();
  config.pluginDirectoryCount = folders.size();
  config.assembler = flags.assembler.c_str();
  config.assemblerOptions = assemblerOptions.data();
  config.assemblerOptionCount = assemblerOptions.size();
  config.diagnosticCallback = onDiagnostic;
  if (listener.filter)
    config.remarkCallback = onRemark;
  config.userData = &listener;
  config.collectReport = !options.reportFile.empty();
  compileTo(product, kernel, config);
  kernel.gpuName = gpuName;
  std::string error;
  kernel.metadata = launch::parseMetadata(kernel.metadataText, error);
  if (!kernel.metadata)
    throw RunError(Exit::BadInput, "internal error: the compiler's own metadata: " + error);
}

void compileKernel(Kernel &kernel, const RunOptions &options, const std::string &gpuName, bool needsCubin,
                   Progress &progress) {
  Listener listener{options.remarks.get(), progress};
  Watchdog watchdog({}); // an assembler and its files go with this process
  progress.begin("compiling " + llvm::sys::path::filename(kernel.file).str() + " for " + gpuName);
  llvm::scope_exit end([&] { progress.end(); });
  const auto begin = std::chrono::steady_clock::now();
  const bool makesCubin = needsCubin || hasAssembler(*options.compiler);
  compileAs(makesCubin ? "cubin" : "ptx", kernel, options, gpuName, /*checksAssumes=*/false, listener);
  kernel.compileSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::optional<Kernel> compileAssumeChecks(const Kernel &kernel, const RunOptions &options, Progress &progress) {
  if (!kernel.isTileIR() || !options.checksAssumes)
    return std::nullopt;
  if (kernel.form == Kernel::Text && !llvm::StringRef(kernel.source).contains("assume"))
    return std::nullopt;
  progress.begin("compiling the assumptions of " + llvm::sys::path::filename(kernel.file).str());
  llvm::scope_exit end([&] { progress.end(); });
  // What there is to say of the program has been said.
  Listener listener{/*filter=*/nullptr, progress};
  listener.isSilent = true;
  Kernel checked = kernel;
  compileAs("ptx", checked, options, kernel.gpuName, /*checksAssumes=*/true, listener);
  if (!llvm::StringRef(checked.ptx).contains("__assertfail"))
    return std::nullopt;
  return checked;
}

} // namespace tileiras::run
