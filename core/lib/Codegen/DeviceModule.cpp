//===- DeviceModule.cpp - LLVM IR of a device program, to PTX -------------- ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Codegen/DeviceModule.h"
#include "ConstantEdges.h"
#include "NamedRegisters.h"
#include "PairHalves.h"
#include "PtxNames.h"
#include "SharedDivisors.h"
#include "SpreadAccesses.h"
#include "TopBitShifts.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "tileiras/Codegen/CudaToolkit.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Support/InputFile.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include <atomic>
#include <mutex>

using namespace mlir;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace tileiras {
namespace {

/// LLVM's "cannot happen" on an input it cannot take, e.g. "Cannot select".
struct FatalBackendError {
  std::string message;
};

thread_local bool insideGuardedStep = false;

std::atomic<FatalErrorFallback> fatalErrorFallback = nullptr;

/// Ours only acts on threads that run a guarded step; the frames of LLVM it unwinds through have no destructors to run,
/// so what they owned leaks.
void throwFatalBackendError(void *, const char *reason, bool) {
  if (insideGuardedStep)
    throw FatalBackendError{reason};
  if (FatalErrorFallback fallback = fatalErrorFallback)
    fallback(reason);
  llvm::errs() << "LLVM ERROR: " << reason << "\n";
}

void installFatalErrorHandler() {
  static std::once_flag once;
  std::call_once(once, [] { llvm::install_fatal_error_handler(throwFatalBackendError); });
}

void initializeBackEnd() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    installFatalErrorHandler();
  });
}

/// Hands LLVM's diagnostics to MLIR, at the source location LLVM knows or at that of the module.
class DiagnosticForwarder final : public llvm::DiagnosticHandler {
public:
  explicit DiagnosticForwarder(Location fallback) : fallback(fallback) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    DiagnosticSeverity severity = DiagnosticSeverity::Error;
    switch (info.getSeverity()) {
    case llvm::DS_Error:
      ++numErrors;
      break;
    case llvm::DS_Warning:
      severity = DiagnosticSeverity::Warning;
      break;
    case llvm::DS_Remark:
    case llvm::DS_Note:
      return true;
    }
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    fallback.getContext()->getDiagEngine().emit(getLocation(info), severity) << text;
    return true;
  }

  unsigned numErrors = 0;

private:
  Location getLocation(const llvm::DiagnosticInfo &info) const {
    if (info.getKind() == llvm::DK_Unsupported) {
      const auto &located = static_cast<const llvm::DiagnosticInfoWithLocationBase &>(info);
      if (located.isLocationAvailable()) {
        llvm::DiagnosticLocation at = located.getLocation();
        return FileLineColLoc::get(fallback.getContext(), at.getRelativePath(), at.getLine(), at.getColumn());
      }
    }
    return fallback;
  }

  Location fallback;
};

/// What optimisation of a kernel consists of: what shortens the code of kernels, or the way through it. LLVM's default
/// pipeline runs instcombine seven times and looks for what kernels do not have: vectors to form, calls, globals.
constexpr llvm::StringLiteral kOptimization =
    "nvvm-reflect,always-inline,inline,function(nvvm-intr-range,sccp,"
    "sroa<modify-cfg>,simplifycfg,instcombine<no-verify-fixpoint>,reassociate,"
    "loop-mssa(loop-rotate,licm),simplifycfg,"
    "loop(indvars,loop-deletion,loop-unroll-full),sroa,gvn<no-memdep>,correlated-propagation,adce,"
    "simplifycfg<no-keep-loops;hoist-common-insts;sink-common-insts>,loop-unroll<O3>,"
    "sroa,infer-alignment,instcombine<no-verify-fixpoint>,loop-mssa(licm),simplifycfg)";

/// Leaves passes of the back end out.
class PassGate final : public llvm::OptPassGate {
public:
  PassGate(const llvm::Module &module, const std::function<bool()> &shouldStop)
      : isLarge(module.getInstructionCount() >= (1 << 15)), shouldStop(shouldStop) {}

  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override {
    if (shouldStop && shouldStop())
      return false;
    // Straight-line strength reduction takes the difference of two narrow indices for that of the addresses: wrong
    // where an index wraps around before it is extended.
    if (pass == "slsr")
      return false;
    // It looks for sums to form from others in another order; reassociation before leaves it none. What comes behind
    // would look for common subexpressions that it has made.
    if (pass == "nary-reassociate") {
      nothingIsNew = true;
      return false;
    }
    if (pass == "early-cse" && std::exchange(nothingIsNew, false))
      return false;
    // It numbers all instructions of a basic block anew for each vector it forms: more than half of all compile time at
    // 100 000 instructions. Tiles come as vectors already; what it finds besides is in shared memory.
    return !(isLarge && pass == "load-store-vectorizer");
  }

private:
  bool isLarge;
  const std::function<bool()> &shouldStop;
  mutable bool nothingIsNew = false; ///< since subexpressions were looked for
};

/// The functions of libdevice that `module` calls and does not define.
SmallVector<llvm::StringRef> getMissingLibdeviceFunctions(const llvm::Module &module) {
  SmallVector<llvm::StringRef> names;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.use_empty() && function.getName().starts_with("__nv_"))
      names.push_back(function.getName());
  return names;
}

/// What lanes have to run together must not be put where only some of them come by, and copies that somebody waits for
/// may come later. LLVM's own instructions say so themselves, the LLVM dialect's assembly cannot.
struct AssemblyEffects final : LLVMTranslationDialectInterface {
  using LLVMTranslationDialectInterface::LLVMTranslationDialectInterface;

  LogicalResult amendOperation(Operation *, ArrayRef<llvm::Instruction *> instructions, NamedAttribute attribute,
                               LLVM::ModuleTranslation &) const override {
    for (llvm::Instruction *instruction : instructions) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(instruction);
      if (call && attribute.getName() == kAlignedAttr)
        call->setConvergent();
      if (call && attribute.getName() == kStartsCopyAttr)
        call->setMemoryEffects(getCopyEffects());
    }
    return success();
  }
};

} // namespace

void setFatalErrorFallback(FatalErrorFallback fallback) {
  fatalErrorFallback = fallback;
  installFatalErrorHandler();
}

void registerCodegenTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  registry.addExtension(+[](MLIRContext *, as::TileASDialect *dialect) { dialect->addInterfaces<AssemblyEffects>(); });
}

DeviceModule::DeviceModule(Location location, const CodegenOptions &options)
    : location(location), options(options), context(std::make_unique<llvm::LLVMContext>()) {
  context->setDiagnosticHandler(std::make_unique<DiagnosticForwarder>(location));
  context->setDiscardValueNames(true); // the names of a few thousand scalars cost more than they tell
}
DeviceModule::DeviceModule(DeviceModule &&) noexcept = default;
DeviceModule::~DeviceModule() = default;

DeviceModule &DeviceModule::operator=(DeviceModule &&other) noexcept {
  // The module before the context it lives in.
  module = std::move(other.module);
  machine = std::move(other.machine);
  context = std::move(other.context);
  location = other.location;
  options = std::move(other.options);
  return *this;
}

LogicalResult DeviceModule::guarded(llvm::StringRef step, llvm::function_ref<void()> work) {
  auto *forwarder = static_cast<const DiagnosticForwarder *>(context->getDiagHandlerPtr());
  unsigned errorsBefore = forwarder->numErrors;
  insideGuardedStep = true;
  try {
    work();
  } catch (const FatalBackendError &error) {
    insideGuardedStep = false;
    // LLVM was interrupted in the middle of a change: nothing of this can be destroyed safely.
    (void)module.release();
    (void)machine.release();
    (void)context.release();
    return emitError(location) << step << " failed: " << error.message;
  }
  insideGuardedStep = false;
  return success(forwarder->numErrors == errorsBefore);
}

LogicalResult DeviceModule::createTargetMachine() {
  initializeBackEnd();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return emitError(location) << "this LLVM has no NVPTX back end: " << error;
  // The level above numbers values instead of looking for common expressions, twice: it takes longer, and code does not
  // get shorter.
  constexpr unsigned highest = static_cast<unsigned>(llvm::CodeGenOptLevel::Default);
  machine.reset(target->createTargetMachine(
      triple, options.chip.llvmChip, "+ptx" + std::to_string(options.chip.ptxVersion), llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, *llvm::CodeGenOpt::getLevel(std::min(options.optLevel, highest))));
  if (!machine)
    return emitError(location) << "LLVM cannot generate code for chip '" << options.chip.llvmChip << "'";
  return success();
}

/// LLVM's translation knows the builtin kinds of locations only. Where no debug scopes were asked for, those of the
/// source language are still there.
static void keepPlainLocations(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](cuda_tile::DILocAttr location) -> Attribute { return location.getSourceLoc(); });
  auto getPlain = [&](Location location) { return cast<LocationAttr>(replacer.replace(location)); };
  module.walk([&](Operation *op) {
    op->setLoc(getPlain(op->getLoc()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(getPlain(argument.getLoc()));
  });
}

FailureOr<DeviceModule> DeviceModule::translate(ModuleOp source, const CodegenOptions &options) {
  keepPlainLocations(source);
  DeviceModule device(source.getLoc(), options);
  if (failed(device.createTargetMachine()))
    return failure();
  LogicalResult result = device.guarded("translation to LLVM IR", [&] {
    device.module = translateModuleToLLVMIR(source, *device.context, source.getName().value_or("device"));
  });
  if (failed(result))
    return failure();
  if (!device.module)
    return failure(); // The translation has said why.
  device.module->setTargetTriple(device.machine->getTargetTriple());
  device.module->setDataLayout(device.machine->createDataLayout());
  if (!options.debugInfo)
    llvm::StripDebugInfo(*device.module);
  return device;
}

LogicalResult DeviceModule::linkLibdevice(const CudaToolkit &toolkit) {
  SmallVector<llvm::StringRef> missing = getMissingLibdeviceFunctions(*module);
  if (missing.empty())
    return success();
  llvm::Expected<std::string> path = toolkit.findLibdevice();
  if (!path)
    return emitError(location) << "this program calls " << llvm::join(missing, ", ") << " of libdevice; "
                               << llvm::toString(path.takeError());
  auto buffer = readInputFile(*path);
  if (!buffer)
    return emitError(location) << "cannot read '" << *path << "': " << buffer.getError().message();
  // Lazily: only the bodies that the linker needs are read.
  llvm::Expected<std::unique_ptr<llvm::Module>> library =
      llvm::getOwningLazyBitcodeModule(std::move(*buffer), *context);
  if (!library)
    return emitError(location) << "'" << *path << "' is not LLVM bitcode: " << llvm::toString(library.takeError());
  (*library)->setTargetTriple(module->getTargetTriple());
  (*library)->setDataLayout(module->getDataLayout());

  LogicalResult result = guarded("linking libdevice", [&] {
    llvm::Linker::linkModules(*module, std::move(*library), llvm::Linker::LinkOnlyNeeded,
                              [](llvm::Module &linked, const llvm::StringSet<> &added) {
                                llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
                                  return !value.hasName() || !added.contains(value.getName());
                                });
                              });
    // The denormal mode libdevice asks for through __nvvm_reflect.
    module->addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", uint32_t(options.flushesSubnormals));
  });
  if (failed(result))
    return failure();
  missing = getMissingLibdeviceFunctions(*module);
  if (!missing.empty())
    return emitError(location) << "'" << *path << "' does not define " << llvm::join(missing, ", ")
                               << "; install a newer CUDA toolkit";
  return success();
}

LogicalResult DeviceModule::optimize() {
  return guarded("LLVM optimisation", [&] {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassInstrumentationCallbacks callbacks;
    if (options.shouldStop)
      callbacks.registerShouldRunOptionalPassCallback(
          [this](llvm::StringRef, llvm::Any) { return !options.shouldStop(); });
    llvm::PassBuilder builder(machine.get(), llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);

    // A distributed tile is one long vector in the IR. Every register is a scalar to the hardware; splitting first
    // makes each later pass linear in the number of registers and spares the back end vectors it cannot select.
    // What is put into a vector only to be taken out again goes before: the scalarizer takes quadratic time for it.
    llvm::FunctionPassManager split;
    split.addPass(llvm::InstSimplifyPass());
    split.addPass(llvm::DCEPass());
    split.addPass(PairHalvesPass(options.chip.features.fmaBf16));
    split.addPass(llvm::ScalarizerPass());
    split.addPass(llvm::DCEPass());
    if (options.optLevel > 0)
      split.addPass(NamedRegistersPass(options.tuning.leastNamedRegisters));
    llvm::ModulePassManager passes;
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(split)));
    if (options.optLevel == 0) {
      passes.addPass(builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0));
    } else {
      llvm::cantFail(builder.parsePassPipeline(passes, kOptimization));
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(
          SharedDivisorsPass(options.tuning.leastSharedQuotients, options.tuning.mostSharedQuotients)));
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(ConstantEdgesPass(options.tuning.leastConstantsOfEdge)));
    }
    if (options.optLevel > 0)
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(
          SpreadAccessesPass({unsigned(options.tuning.mmasAfterRead), unsigned(options.tuning.mmasBetweenCopies)})));
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(TopBitShiftsPass()));
    passes.addPass(llvm::GlobalDCEPass());
    passes.run(*module, modules);
  });
}

FailureOr<std::string> DeviceModule::emitPtx() {
  llvm::SmallString<0> text;
  bool supported = true;
  const StandInNames names(*module);
  LogicalResult result = guarded("PTX generation", [&] {
    PassGate gate(*module, options.shouldStop);
    context->setOptPassGate(gate);
    llvm::raw_svector_ostream stream(text);
    llvm::legacy::PassManager passes;
    supported = !machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile);
    if (supported)
      passes.run(*module);
    context->setOptPassGate(llvm::getGlobalPassGate());
  });
  if (failed(result))
    return failure();
  if (!supported)
    return emitError(location) << "the NVPTX back end cannot write assembly";
  return names.replaceIn(text);
}

std::string DeviceModule::printIR() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}

} // namespace tileiras
