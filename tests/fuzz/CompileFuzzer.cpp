//===- CompileFuzzer.cpp - What verifies is compiled, or refused with a reason --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytecode that verifies is compiled to PTX without optimisation, for a debugger, and with it, with line tables. It
// ends with PTX, or with an error about the program. Time and memory are bounded by libFuzzer (-timeout, -rss_limit_mb)
// and by the size of what is compiled: everything is unrolled, so that large tiles take long by nature.
//
//===----------------------------------------------------------------------===//

#include "FuzzContext.h"
#include "tileiras/Compiler/Session.h"

using namespace tileiras;

static constexpr int64_t kMaxOperations = 300, kMaxElements = 1 << 15;

/// How much code comes of it, in elements computed by all threads together.
static int64_t measure(mlir::Operation *op) {
  int64_t elements = 0, depth = 1;
  for (mlir::Type type : op->getResultTypes())
    if (auto tile = mlir::dyn_cast<cuda_tile::TileType>(type))
      elements += tile.getNumElements();
  for (mlir::Type type : op->getOperandTypes())
    if (auto tile = mlir::dyn_cast<cuda_tile::TileType>(type))
      elements += tile.getNumElements();
  if (mlir::isa<cuda_tile::MmaFOp, cuda_tile::MmaIOp, cuda_tile::MmaFScaledOp>(op)) {
    auto lhs = mlir::cast<cuda_tile::TileType>(op->getOperand(0).getType());
    depth = lhs.getShape().back();
  }
  return elements * depth;
}

static bool isSmall(cuda_tile::ModuleOp module) {
  int64_t operations = 0, elements = 0;
  module.walk([&](mlir::Operation *op) {
    ++operations;
    elements += std::min(measure(op), kMaxElements + 1);
  });
  return operations <= kMaxOperations && elements <= kMaxElements;
}

/// Whether an error says what is wrong with the program; otherwise something is wrong with the compiler.
static bool isAboutTheProgram(llvm::StringRef message) {
  if (message.contains("compute capability"))
    return true;
  for (const char *internal : {"failed to legalize", "PTX generation failed", "LLVM optimisation failed",
                               "translation to LLVM IR failed", "linking libdevice failed", "'llvm.", "'nv_tileaa.",
                               "'nv_tileas.", "'arith.", "'scf.", "'vector.", "'nvvm.", "'func.", "'math."})
    if (message.contains(internal))
      return false;
  return true;
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
