//===- SessionOutput.cpp - Running the pipeline and making the product ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilationReport.h"
#include "WarningFilter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Verifier.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Codegen/CudaToolkit.h"
#include "tileiras/Codegen/DeviceModule.h"
#include "tileiras/Compiler/Session.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Diagnostics/Warnings.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Target/ContextTargets.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras;

/// One of the two public scopes: a timer, and the caller's callback. Closed on every way out.
class CompilerSession::Scope {
public:
  Scope(const CompilerOptions &options, llvm::StringRef name) : options(options), name(name) {
    if (options.timing)
      timer = options.timing->nest(name);
    if (options.scopeCallback)
      options.scopeCallback(name, /*begins=*/true);
  }
  ~Scope() {
    if (options.scopeCallback)
      options.scopeCallback(name, /*begins=*/false);
  }

  mlir::TimingScope &getTimer() { return timer; }

private:
  const CompilerOptions &options;
  llvm::StringRef name;
  mlir::TimingScope timer;
};

/// Those that the user wants as errors have been reported as such.
llvm::Error CompilerSession::failOnWarnings() {
  return warnings->hasErrors() ? failCompilation(": a warning counts as an error") : llvm::Error::success();
}

llvm::Error CompilerSession::runPipeline() {
  if (options.collectMetadata)
    collectHints();
  warnOfMissingKernels();
  if (report)
    report->begin(*module);
  if (passManager->empty())
    return failOnWarnings();
  Scope scope(options, "CompileNVVM");
  if (options.timing)
    passManager->enableTiming(scope.getTimer());
  if (succeeded(passManager->run(*module)) && (options.verifyEach || succeeded(mlir::verify(*module))))
    return failOnWarnings();
  return failCompilation(options.reproducerFile.empty() ? options.replayRemedy : "");
}

/// A pipeline given as text may stop short of the product.
llvm::Error CompilerSession::checkLowered() {
  IRLevel level = getProductLevel(options.product);
  llvm::SmallVector<llvm::StringRef> foreign;
  switch (level) {
  case IRLevel::CudaTile:
    break;
  case IRLevel::LLVMDialect:
    foreign.push_back(aa::TileAADialect::getDialectNamespace());
    foreign.push_back(as::TileASDialect::getDialectNamespace());
    [[fallthrough]];
  case IRLevel::TileAA:
  case IRLevel::TileAS:
    foreign.push_back(cuda_tile::CudaTileDialect::getDialectNamespace());
  }
  mlir::WalkResult result = module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (!llvm::is_contained(foreign, op->getName().getDialectNamespace()))
      return mlir::WalkResult::advance();
    op->emitError("the pipeline leaves this '")
        << op->getName() << "', which has no place in " << stringifyIRLevel(level);
    return mlir::WalkResult::interrupt();
  });
  return result.wasInterrupted() ? failCompilation() : llvm::Error::success();
}

llvm::Error CompilerSession::generateCode() {
  if (llvm::Error error = makeProduct())
    return error;
  isComplete = true;
  if (cacheUse && !isStopped())
    storeResult();
  return llvm::Error::success();
}

llvm::Error CompilerSession::makeProduct() {
  if (!passManager->empty())
    if (llvm::Error error = checkLowered())
      return error;
  switch (options.product) {
  case Product::CudaTile:
  case Product::TileAA:
  case Product::TileAS:
  case Product::LLVMDialect:
    return printModule();
  case Product::Bytecode:
    return writeBytecodeModule();
  case Product::LLVMIR:
  case Product::PTX:
  case Product::Cubin:
    break;
  }
  Scope scope(options, "SerializeGPUModule");
  if (!target)
    return assembleEmptyModule();
  if (llvm::Error error = translateToMachine(scope.getTimer()))
    return error;
  warnOfUnreadOptions();
  for (const OldName &used : profile.options.getOldNames())
    warn(context.get(), kOldName) << "'" << used.old << "' (" << used.origin.str() << ") is called '" << used.now
                                  << "' now";
  return failOnWarnings();
}

/// What a profile only inherits, it may have made useless itself; what a tier says is for others to override; a
/// pipeline in text takes the place of the profile's, and of all that is in it only for that.
bool CompilerSession::isReported(const OptionSet::Entry &entry) const {
  const bool isExplicit = !options.passPipeline.empty() && !isOptionOverride(options.passPipeline);
  const bool isOfProfile = entry.origin.line != 0;
  return !isOfProfile || !(isExplicit || profile.isTier() || entry.origin.file != profile.file);
}

/// Nobody should believe in an option that does nothing.
void CompilerSession::warnOfUnreadOptions() {
  for (llvm::StringRef name : profile.options.getUnread())
    if (const OptionSet::Entry &entry = profile.options.inspect(name); isReported(entry))
      warn(context.get(), kUnusedOption) << "option '" << name << "' (" << entry.origin.str()
                                         << ") had no effect: nothing in this compilation depends on it";
}

llvm::Error CompilerSession::printModule() {
  llvm::raw_string_ostream os(output);
  mlir::OpPrintingFlags flags;
  // Also where --mlir-print-debuginfo asks for it.
  if (profile.options.getString("emit-line-info") != "none" || profile.options.getBool("device-debug"))
    flags.enableDebugInfo();
  // A program of the public language is printed as it is written: without the module around it.
  llvm::SmallVector<mlir::Operation *> operations = llvm::to_vector(llvm::make_pointer_range(*module->getBody()));
  bool isProgram = operations.size() == 1 && mlir::isa<cuda_tile::ModuleOp>(operations.front());
  mlir::Operation *printed = isProgram ? operations.front() : module->getOperation();
  if (isProgram)
    printed->remove(); // only what stands alone is printed with aliases
  printed->print(os, flags);
  if (isProgram)
    module->push_back(printed);
  if (!llvm::StringRef(output).ends_with("\n")) // aliases come last, and end their lines
    os << '\n';
  return llvm::Error::success();
}

static std::string listBytecodeVersions() {
  std::vector<std::string> names;
  for (BytecodeVersion version : BytecodeVersion::supported())
    names.push_back(version.str());
  return llvm::join(names, ", ");
}

llvm::Error CompilerSession::writeBytecodeModule() {
  BytecodeVersion version = BytecodeVersion::newest();
  if (!options.bytecodeVersion.empty()) {
    std::optional<BytecodeVersion> requested = BytecodeVersion::parse(options.bytecodeVersion);
    if (!requested || !requested->isSupported())
      return fail(ExitCode::Usage, "error: unknown bytecode version '" + options.bytecodeVersion + "'; written are " +
                                       listBytecodeVersions());
    version = *requested;
  }
  llvm::raw_string_ostream os(output);
  if (failed(writeBytecode(*module, os, version))) {
    output.clear();
    return fail(ExitCode::CompilationFailed, "error: the module cannot be written as bytecode " + version.str());
  }
  return llvm::Error::success();
}

/// PTX versions are written as 10 × version.
static std::string printPtxVersion(unsigned version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

/// The module has no code and no target serves the GPU. Whether it exists is the assembler's to say.
llvm::Error CompilerSession::assembleEmptyModule() {
  constexpr unsigned newestPtxVersion = 90; // of the assembler and of LLVM alike
  std::string gpuName = profile.options.getString("compute-capability").str();
  std::string ptx = ".version " + printPtxVersion(newestPtxVersion) + "\n.target " + gpuName + "\n.address_size 64\n";
  if (llvm::Error error = assemble(ptx, gpuName)) {
    // Without an assembler nobody can say; what it refuses does not exist.
    return llvm::handleErrors(std::move(error), [&](std::unique_ptr<CompileError> failure) -> llvm::Error {
      if (failure->getExitCode() == ExitCode::Configuration)
        return llvm::Error(std::move(failure));
      return CompileError::wrap(ExitCode::Configuration, describeUnknownTarget(gpuName));
    });
  }
  if (options.product != Product::Cubin)
    output = options.product == Product::PTX ? ptx : "target triple = \"nvptx64-nvidia-cuda\"\n";
  return llvm::Error::success();
}

llvm::Error CompilerSession::translateToMachine(mlir::TimingScope &timer) {
  collectKernels();
  CodegenOptions codegen;
  codegen.chip = *chip;
  codegen.tuning = findChipTarget(*module->getContext(), chip->name).tuning();
  codegen.optLevel = profile.options.getInteger("opt-level");
  codegen.flushesSubnormals = profile.options.getBool("ftz");
  codegen.debugInfo = profile.options.getString("emit-line-info") != "none" || profile.options.getBool("device-debug");
  if (options.findReasonToStop)
    codegen.shouldStop = [this] { return mustStop(); };
  CudaToolkit toolkit;
  mlir::TimingScope step = timer.nest("Translate to LLVM IR");
  mlir::FailureOr<DeviceModule> device = DeviceModule::translate(*module, codegen);
  step = timer.nest("Link libdevice");
  if (mlir::failed(device) || mlir::failed(device->linkLibdevice(toolkit)) || mustStop())
    return failCompilation();
  step = timer.nest("Optimize");
  if (mlir::failed(device->optimize()) || mustStop())
    return failCompilation();
  step.stop();
  if (options.product == Product::LLVMIR) {
    output = device->printIR();
    return llvm::Error::success();
  }
  step = timer.nest("Generate PTX");
  mlir::FailureOr<std::string> ptx = device->emitPtx();
  step.stop();
  if (mlir::failed(ptx) || mustStop())
    return failCompilation();
  *ptx += printLaunchMetadata();
  if (options.product == Product::PTX) {
    output = std::move(*ptx);
    return llvm::Error::success();
  }
  step = timer.nest("Assemble");
  return assemble(*ptx, chip->ptxasArch);
}

llvm::Error CompilerSession::assemble(llvm::StringRef ptx, const std::string &arch) {
  assembled = ptx.str();
  CudaToolkit toolkit;
  llvm::Expected<std::unique_ptr<Assembler>> assembler = createAssembler(options.assembler, toolkit);
  if (!assembler && options.keepPtx == KeepPtx::OrAlone && options.assembler.empty()) {
    llvm::consumeError(assembler.takeError());
    output = makePtxImage(ptx, arch, kernels.empty() ? "" : makeLaunchMetadata());
    return llvm::Error::success();
  }
  if (!assembler)
    return CompileError::wrap(ExitCode::Configuration, assembler.takeError());
  AssemblerOptions request;
  request.arch = arch;
  request.optLevel = profile.options.getInteger("opt-level");
  request.lineInfo = profile.options.getString("emit-line-info") != "none";
  request.deviceDebug = profile.options.getBool("device-debug");
  request.sanitizeMemcheck = profile.options.getString("sanitize") == "memcheck";
  if (options.findReasonToStop)
    request.shouldStop = [this](int process) { return mustStop(process); };
  if (target)
    request.extraOptions = target->getAssemblerOptions(*chip);
  llvm::append_range(request.extraOptions, options.assemblerOptions);
  llvm::Expected<Assembly> result = (*assembler)->assemble(ptx, request);
  if (!result)
    return llvm::handleErrors(result.takeError(), [&](const llvm::StringError &failure) {
      bool isFile = failure.convertToErrorCode() != llvm::inconvertibleErrorCode();
      return fail(isFile ? ExitCode::InputOutput : ExitCode::CompilationFailed, "error: " + failure.message());
    });
  assembly = std::move(*result);
  remarkSpills();
  output.assign(assembly.cubin.begin(), assembly.cubin.end());
  if (options.keepPtx != KeepPtx::No)
    addPtx(output, ptx);
  assemblerName = (*assembler)->getName().str();
  if (options.collectMetadata) {
    llvm::Expected<std::string> version = (*assembler)->getVersion();
    assemblerVersion = version ? *version : llvm::toString(version.takeError());
  }
  return llvm::Error::success();
}

/// What the assembler could not keep in registers.
void CompilerSession::remarkSpills() {
  const mlir::SymbolTable symbols(*module);
  for (const KernelResources &kernel : assembly.kernels)
    if (auto function = symbols.lookup<mlir::LLVM::LLVMFuncOp>(kernel.name); function && kernel.spillStoreBytes)
      remarkOn(function, Missed::Spills)
          << llvm::formatv("{0} bytes of registers per thread are spilled, {1} are loaded again; {2} registers are in "
                           "use; smaller tiles need fewer",
                           kernel.spillStoreBytes, kernel.spillLoadBytes, kernel.registers)
                 .str();
}
