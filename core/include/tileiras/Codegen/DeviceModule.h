//===- DeviceModule.h - LLVM IR of a device program, to PTX -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps after the last MLIR pass, in their order:
//
//   auto device = DeviceModule::translate(module, options);   // LLVM dialect → LLVM IR
//   device->linkLibdevice(toolkit);                           // only when something needs it
//   device->optimize();
//   auto ptx = device->emitPtx();
//
// All of them report to the diagnostic engine of the MLIR module, with the source location LLVM knows, and return
// failure; nothing LLVM does on a bad module ends the process. A DeviceModule owns its LLVMContext: different ones may
// be used from different threads.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_DEVICEMODULE_H
#define TILEIRAS_CODEGEN_DEVICEMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "tileiras/Target/Target.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace tileiras {

class CudaToolkit;

struct CodegenOptions {
  ChipInfo chip;
  TuningModel tuning = {};        ///< of the chip
  unsigned optLevel = 3;          ///< 0…3
  bool flushesSubnormals = false; ///< functions of libdevice flush subnormal f32 numbers to zero
  /// Keep the debug information of the module; without it, it is stripped. What is emitted follows the compile unit's
  /// emission kind: DebugDirectivesOnly for line tables that leave the code as it is, Full for a debugger.
  bool debugInfo = false;
  /// Asked before passes of LLVM that may be left out; once it says yes, they are. What is made is then worth nothing.
  /// May be null.
  std::function<bool()> shouldStop;
};

/// Makes the NVVM translation known to `registry`. Every context whose modules are translated needs it.
void registerCodegenTranslations(mlir::DialectRegistry &registry);

/// LLVM has one handler of fatal errors per process, and DeviceModule needs it. This is what happens to those outside
/// its steps: `fallback` gets the reason; when it returns, LLVM ends the process.
using FatalErrorFallback = void (*)(const char *reason);
void setFatalErrorFallback(FatalErrorFallback fallback);

class DeviceModule {
public:
  /// Translates `module` (LLVM and NVVM dialects only) and gives it the chip's triple and data layout.
  static mlir::FailureOr<DeviceModule> translate(mlir::ModuleOp module, const CodegenOptions &options);

  DeviceModule(DeviceModule &&) noexcept;
  DeviceModule &operator=(DeviceModule &&) noexcept;
  ~DeviceModule();

  /// Links the functions of libdevice that are called, as internal ones. Does not look for libdevice otherwise. When it
  /// cannot be found the error names the functions that are missing.
  mlir::LogicalResult linkLibdevice(const CudaToolkit &toolkit);
  /// LLVM's pipeline of the optimisation level.
  mlir::LogicalResult optimize();
  /// The NVPTX back end. Leaves the module unfit for anything but destruction.
  mlir::FailureOr<std::string> emitPtx();

  std::string printIR() const;

private:
  DeviceModule(mlir::Location location, const CodegenOptions &options);
  mlir::LogicalResult createTargetMachine();
  /// Runs a step of LLVM with its errors converted into diagnostics. After a fatal one the module is abandoned.
  mlir::LogicalResult guarded(llvm::StringRef step, llvm::function_ref<void()> work);

  mlir::Location location;
  CodegenOptions options;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_DEVICEMODULE_H
