//===- CompileFuzzer.cpp - What verifies is compiled, or refused with a reason --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytecode that verifies is compiled to PTX without optimisation, for a debugger, and with it, with line tables. It
// ends with PTX, or with an error about the program. Time and memory are bounded by libFuzzer (-timeout, -rss_limit_mb)
// and by the size of what is compiled.
//
//===----------------------------------------------------------------------===//

#include "FuzzContext.h"
#include "Refusals.h"
#include "mutate/ProgramSize.h"
#include "tileiras/Compiler/Session.h"

using namespace tileiras;

static constexpr int64_t kMaxOperations = 300, kMaxElements = 1 << 15;

static bool isSmall(cuda_tile::ModuleOp module) {
  fuzz::ProgramSize size = fuzz::measure(module);
  return size.operations <= kMaxOperations && size.elements <= kMaxElements;
}

static void compile(llvm::StringRef bytes, unsigned level) {
  CompilerOptions options;
  options.optLevel = level;
  options.gpuName = "sm_90";
  options.product = Product::PTX;
  options.deviceDebug = level == 0;
  options.lineInfo = level != 0;
  std::vector<std::string> errors;
  options.diagnosticCallback = [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      errors.push_back(diagnostic.str());
  };
  CompilerSession session(std::move(options));
  session.setInput(llvm::MemoryBuffer::getMemBufferCopy(bytes, "input"));
  llvm::Error error = session.compile();
  if (!error) {
    if (session.getOutput().empty())
      __builtin_trap();
    return;
  }
  bool isCompilation = false;
  llvm::handleAllErrors(std::move(error), [&](const CompileError &failure) {
    isCompilation = failure.getExitCode() == ExitCode::CompilationFailed;
    if (!isCompilation)
      llvm::errs() << failure.message() << '\n';
  });
  if (isCompilation && !errors.empty() && llvm::all_of(errors, isAboutTheProgram))
    return;
  for (const std::string &text : errors)
    llvm::errs() << "-O" << level << ": " << text << '\n';
  __builtin_trap();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static FuzzContext contexts;
  const llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  mlir::OwningOpRef<cuda_tile::ModuleOp> module = readBytecode(llvm::MemoryBufferRef(bytes, "input"), &contexts.next());
  if (!module || !isSmall(*module))
    return 0;
  for (unsigned level : {0, 3})
    compile(bytes, level);
  return 0;
}
