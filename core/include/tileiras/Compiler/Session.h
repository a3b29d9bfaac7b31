//===- Session.h - One compilation, step by step ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler as a library. A session compiles one module:
//
//   CompilerSession session(options);
//   session.setInput(std::move(buffer));
//   if (llvm::Error error = session.compile())
//     …
//   session.getOutput();
//
// compile() calls the steps once each, in the order of their declaration; the first that fails ends it. A caller that
// wants something in between calls them itself.
//
// Sessions share nothing that changes, but for a pool where they are given one (SessionPool.h): different ones may run
// in different threads at once.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_SESSION_H
#define TILEIRAS_COMPILER_SESSION_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Support/Timing.h"
#include "tileiras/Codegen/Assembler.h"
#include "tileiras/Codegen/PtxInCubin.h"
#include "tileiras/Compiler/ExitCode.h"
#include "tileiras/Compiler/Product.h"
#include "tileiras/Pipeline/Pipeline.h"
#include "tileiras/Plugin/PluginLoader.h"
#include "tileiras/Target/Target.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

namespace llvm {
class SourceMgr;
namespace json {
class OStream;
} // namespace json
} // namespace llvm

namespace tileiras {

class CompilationReport;
class ResultCache;
class SessionPool;
class WarningFilter;

/// Why a step failed. Details have been reported as diagnostics where there is a source location.
class CompileError : public llvm::ErrorInfo<CompileError> {
public:
  static char ID;
  CompileError(ExitCode code, const llvm::Twine &text) : code(code), text(text.str()) {}
  /// The same failure as `error`, with an exit code.
  static llvm::Error wrap(ExitCode code, llvm::Error error);

  ExitCode getExitCode() const { return code; }
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  ExitCode code;
  std::string text;
};

/// Which remarks are wanted, and in which form.
struct RemarkSettings {
  enum Format { Diagnostics, Yaml, Bitstream } format = Diagnostics; ///< the last two: finishRemarks() has them
  mlir::remark::RemarkCategories filters; ///< as RemarkFilter::create reads them; all empty: no remarks
  bool finalOnly = false;                 ///< of several remarks about one thing only the last
  /// Instead of the above when it is set.
  std::function<void(const mlir::remark::detail::Remark &)> callback;

  bool isEnabled() const {
    return callback || filters.all || filters.passed || filters.missed || filters.analysis || filters.failed;
  }
};

struct CompilerOptions {
  // What could take part.
  std::vector<std::string> pluginFiles, pluginDirectories;
  std::vector<std::string> profileDirectories = getProfileDirectories();

  // The plan. Later entries override earlier ones (Options.h).
  std::string profile; ///< name or file; empty: "o<optLevel>"
  std::string passPipeline;
  std::optional<unsigned> optLevel;
  std::optional<std::string> gpuName, sanitize, hostArch, hostOs;
  bool lineInfo = false, deviceDebug = false;
  std::vector<std::string> settings; ///< "key=value"
  std::string warnings;              ///< as the option of this name, whose value it follows

  // The product.
  Product product = Product::Cubin;
  std::string bytecodeVersion; ///< "13.2"; empty: the newest
  std::string assembler;
  std::vector<std::string> assemblerOptions;
  KeepPtx keepPtx = KeepPtx::No; ///< of cubins

  // What the caller sees of it.
  llvm::raw_ostream *diagnosticStream = nullptr; ///< null: llvm::errs()
  /// Instead of the stream when it is set.
  std::function<void(mlir::Diagnostic &)> diagnosticCallback;
  RemarkSettings remarks;
  /// Called when one of the two public scopes, CompileNVVM and SerializeGPUModule, begins and ends.
  std::function<void(llvm::StringRef scope, bool begins)> scopeCallback;
  mlir::TimingScope *timing = nullptr;
  /// What diagnostics call the place of getReproducer(); empty: none is made.
  std::string reproducerFile;
  bool verifyEach = true;           ///< the IR behind each pass; false: what the last one leaves
  bool printOpOnDiagnostic = false; ///< a note with the operation below each diagnostic about one
  bool collectMetadata = false;     ///< writeMetadata() will be called
  bool collectReport = false;       ///< takeReport() will be called; needs collectMetadata
  /// Where findResult() looks, and where what is compiled goes; null: nowhere.
  std::shared_ptr<ResultCache> cache;
  std::function<llvm::LogicalResult(mlir::PassManager &)> configurePassManager;
  /// What to say after "failed to compile": how the caller's user gets a failed pass replayed; may be empty.
  std::string replayRemedy;
  /// Asked between steps, passes and LLVM's passes, and while an assembler runs (its process, else 0), on the thread
  /// that compiles. A text ends the compilation: it says why.
  std::function<std::optional<std::string>(int assembler)> findReasonToStop;
};

class CompilerSession {
public:
  explicit CompilerSession(CompilerOptions options, SessionPool *pool = nullptr);
  ~CompilerSession();

  /// All steps, without discoverPlugins() if it has been called.
  llvm::Error compile();

  // The steps.
  llvm::Error discoverPlugins();
  llvm::Error resolveProfile();
  /// Looks in the cache, if there is one. With a result (hasProduct()) the steps after it are over: what they would
  /// report has been reported.
  llvm::Error findResult();
  llvm::Error activatePlugins();
  llvm::Error readInput();
  llvm::Error verifyInput();
  llvm::Error selectTarget();
  llvm::Error buildPipeline();
  llvm::Error runPipeline();
  llvm::Error generateCode();

  /// What findResult() and readInput() read. Must be given before; the session owns it.
  void setInput(std::unique_ptr<llvm::MemoryBuffer> buffer) { input = std::move(buffer); }

  /// Whether there is a product: compiled, or from the cache.
  bool hasProduct() const { return isComplete; }
  /// Whether it is from the cache.
  bool isFromCache() const;
  /// The product, after generateCode().
  llvm::StringRef getOutput() const { return output; }
  /// The PTX that the product is or was made of; empty for products before it.
  const std::string &getPtx() const { return options.product == Product::PTX ? output : assembled; }

  /// The GPU that is compiled for because nobody has named one, and who chose it: "'X', the choice of profile 'o3'".
  /// Empty when it was named, or the product is the same for all GPUs. After selectTarget().
  std::string describeDefaultGpu() const;
  /// Whether a plugin says it serves `gpuName`. After discoverPlugins().
  bool isKnownGpu(llvm::StringRef gpuName) const;

  const CompilerOptions &getOptions() const { return options; }
  const PluginCatalogue &getPlugins() const { return *plugins; }
  const Profile &getProfile() const { return profile; }
  /// What `tileiras-opt --run-reproducer` takes to replay a pass that failed; empty when none has.
  llvm::StringRef getReproducer() const { return reproducer; }
  /// All remarks in the format of the settings, Yaml or Bitstream. There are no remarks afterwards.
  llvm::StringRef finishRemarks();
  /// Whether findReasonToStop() has given a reason; it is not asked again then.
  bool isStopped() const { return stopReason.has_value(); }
  /// The reason, or nothing.
  const std::optional<std::string> &getStopReason() const { return stopReason; }
  /// After buildPipeline().
  std::string getPipelineText(bool onePassALine = false) const { return printPipeline(*passManager, onePassALine); }
  /// "unsupported GPU target 'NAME'", with the nearest ones, or which there are, and the plugins that serve them.
  std::string describeUnsupportedGpu(llvm::StringRef gpuName) const;
  /// "plugin 'asinc' was not found; did you mean 'async'?", with what is wrong with files that are no usable plugins.
  llvm::Error describeUnknownPlugin(llvm::StringRef name, const Origin &origin, const llvm::Twine &role = "") const;
  /// --metadata: what a launcher or a cache needs to know of the product. After generateCode().
  void writeMetadata(llvm::raw_ostream &os) const;
  /// What passes, schedules, shared memory and remarks were, with the sources, the metadata and the PTX: a JSON object
  /// for the page that --report writes. After generateCode(), once; there are no remarks afterwards.
  std::string takeReport();

private:
  class Scope;
  llvm::Expected<std::shared_ptr<const OptionTable>> collectOptions();
  llvm::Error selectTier(llvm::StringRef name);
  llvm::Error applySettings();
  llvm::Error applyCommandLine();
  llvm::Error resolveNativeGpu();
  llvm::Error selectPlugins();
  std::optional<std::string> makeCacheKey() const;
  void recordDiagnostics();
  llvm::Error takeResult();
  void storeResult();
  llvm::Error require(llvm::StringRef plugin, const Origin &origin);
  llvm::Error requireScheduler();
  llvm::Expected<std::shared_ptr<const Registry>> activateAll() const;
  void openContext();
  bool mustStop(int assembler = 0);
  llvm::Error checkScheduler() const;
  llvm::Error describeMissingPlugin(llvm::Error error) const;
  void installDiagnosticHandler();
  llvm::Error fail(ExitCode code, const llvm::Twine &message) { return llvm::make_error<CompileError>(code, message); }
  llvm::Error describeUnknownTarget(llvm::StringRef gpuName) const;
  std::string describeGpuChoice() const;
  llvm::Error failCompilation(const llvm::Twine &remedy = "");
  bool isModuleEmpty();
  IRLevel findInputLevel();
  void warnOfMissingKernels();
  llvm::Error readBytecodeInput();
  llvm::Error readText();
  llvm::Error makeProduct();
  llvm::Error printModule();
  llvm::Error writeBytecodeModule();
  llvm::Error translateToMachine(mlir::TimingScope &timer);
  llvm::Error checkLowered();
  llvm::Error assembleEmptyModule();
  void warnOfUnreadOptions();
  /// Whether somebody is told where an option that is set in this way has no effect.
  bool isReported(const OptionSet::Entry &entry) const;
  llvm::Error failOnWarnings();
  llvm::Error assemble(llvm::StringRef ptx, const std::string &arch);
  void remarkSpills();

  /// What is known of a kernel before LLVM takes over.
  struct Kernel {
    std::string name;
    std::vector<std::pair<std::string, unsigned>> parameters; ///< type, bytes
    std::vector<int64_t> blockSize, clusterSize;
    int64_t registerLimit = 0, dynamicSharedBytes = 0;
    int64_t residentCtas = 0;      ///< of a multiprocessor, where tile blocks run several programs, else 0
    bool launchesClusters = false; ///< the launch passes blocks of one thread, and its grid counts clusters
    mlir::ArrayAttr tensorMaps;    ///< that the host builds; null: none
  };
  /// The hints of a kernel: their names, and what remarks say about those that were ignored.
  struct Hints {
    std::vector<std::string> given, ignored;
  };
  void collectHints();
  void collectKernels();
  void writeTarget(llvm::json::OStream &json) const;
  void writePerformanceWarnings(llvm::json::OStream &json) const;
  void writeLaunch(llvm::json::OStream &json, const Kernel &kernel) const;
  void writeKernel(llvm::json::OStream &json, const Kernel &kernel) const;
  std::string makeLaunchMetadata() const;
  /// As a variable of the PTX.
  std::string printLaunchMetadata() const;
  void writeHints(llvm::json::OStream &json, const std::string &kernel) const;

  CompilerOptions options;
  SessionPool *pool;
  bool discovered = false, arePluginsSelected = false;
  std::shared_ptr<const PluginCatalogue> plugins;
  Profile profile;
  std::shared_ptr<const Registry> registry;
  std::vector<std::string> activePlugins; ///< those that are required before those that require them
  std::unique_ptr<llvm::MemoryBuffer> input;
  std::unique_ptr<llvm::SourceMgr> sources;
  std::unique_ptr<mlir::MLIRContext> context; ///< from activatePlugins() on
  unsigned contextUses = 0;
  size_t contextBytes = 0; ///< of the inputs of earlier sessions
  bool isComplete = false;
  struct CacheUse;
  std::unique_ptr<CacheUse> cacheUse; ///< null: no cache, or nothing that one could have
  std::unique_ptr<mlir::ScopedDiagnosticHandler> diagnosticHandler;
  std::unique_ptr<WarningFilter> warnings;
  std::unique_ptr<CompilationReport> report; ///< null: none is wanted
  mlir::OwningOpRef<mlir::ModuleOp> module;
  bool isVerified = false;
  const Target *target = nullptr;
  const ChipInfo *chip = nullptr;
  std::unique_ptr<mlir::PassManager> passManager;
  std::string reproducer, remarkText;
  std::optional<std::string> stopReason;
  std::vector<Kernel> kernels;
  std::map<std::string, Hints> hints; ///< by kernel
  Assembly assembly;
  std::string assemblerName, assemblerVersion;
  std::string assembled; ///< PTX
  std::string output;
};

} // namespace tileiras

#endif // TILEIRAS_COMPILER_SESSION_H
