//===- Assembler.h - From PTX to machine code -------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_ASSEMBLER_H
#define TILEIRAS_CODEGEN_ASSEMBLER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tileiras {

class CudaToolkit;

/// What one assembly needs besides the PTX.
struct AssemblerOptions {
  std::string arch; ///< ChipInfo::ptxasArch
  unsigned optLevel = 3;
  bool lineInfo = false;
  bool deviceDebug = false;
  bool sanitizeMemcheck = false;
  /// Target::getAssemblerOptions and the user's, passed on as they are.
  std::vector<std::string> extraOptions;
  std::chrono::milliseconds timeout = std::chrono::minutes(10);
  /// Asked again and again with the assembler's process while it runs as one; it is ended once this says yes. May be
  /// null.
  std::function<bool(int process)> shouldStop;
};

/// What the assembler reports about one kernel or device function.
struct KernelResources {
  std::string name;
  uint32_t registers = 0;                                           ///< per thread
  uint32_t stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0; ///< per thread
  uint32_t sharedBytes = 0;                                         ///< static, per CTA
  uint32_t barriers = 0;                                            ///< named barriers, barrier 0 included
};

struct Assembly {
  std::vector<char> cubin;
  std::vector<KernelResources> kernels; ///< in the order of the assembler's report
  std::vector<std::string> warnings;    ///< one line each, without the assembler's name
};

/// Converts PTX into a cubin. Usable from several threads at once.
class Assembler {
public:
  virtual ~Assembler();
  virtual llvm::StringRef getName() const = 0;
  /// The assembler's own version, for metadata and cache keys: "13.0.48".
  virtual llvm::Expected<std::string> getVersion() const = 0;
  /// The error of a rejected PTX carries what the assembler wrote; that of a file has its std::error_code.
  virtual llvm::Expected<Assembly> assemble(llvm::StringRef ptx, const AssemblerOptions &options) const = 0;
};

/// "ptxas", "nvjitlink"; the first is the default.
llvm::ArrayRef<llvm::StringRef> getAssemblerNames();

/// The assembler called `name` (empty: the default) of `toolkit`. An error names the known ones, or what to install.
llvm::Expected<std::unique_ptr<Assembler>> createAssembler(llvm::StringRef name, const CudaToolkit &toolkit);

/// The processes of the assemblers that run now as children of this one.
llvm::SmallVector<int> getAssemblerProcesses();

/// Kills those processes and removes their files. Only for a process that is about to end without its destructors: a
/// thread that wants to assemble from now on waits for ever.
void abandonAssemblers();

/// Reads the report that ptxas -v and nvJitLink -verbose write: resources and warnings.
void parseAssemblerReport(llvm::StringRef report, Assembly &assembly);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_ASSEMBLER_H
