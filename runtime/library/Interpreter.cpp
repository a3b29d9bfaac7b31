//===- Interpreter.cpp - Runs Tile IR as the specification says -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "DescribedLaunch.h"
#include "Status.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

namespace tileiras::run {

namespace {

/// Hands what the program prints to the caller.
class Output : public llvm::raw_ostream {
public:
  explicit Output(const TileirasRun &run) : raw_ostream(/*unbuffered=*/true), run(run) {}

private:
  void write_impl(const char *text, size_t size) override {
    written += size;
    if (run.outputCallback)
      run.outputCallback(text, size, run.userData);
  }
  uint64_t current_pos() const override { return written; }

  const TileirasRun &run;
  uint64_t written = 0;
};

/// Tells the caller what goes wrong, and keeps the first of it.
class Listener {
public:
  Listener(const TileirasRun &run, mlir::MLIRContext &context)
      : run(run), handler(&context, [this](mlir::Diagnostic &diagnostic) { hear(diagnostic); }) {}

  const std::string &getCause() const { return cause; }

private:
  void hear(mlir::Diagnostic &diagnostic);

  const TileirasRun &run;
  std::string cause; ///< with its place; empty while nothing has gone wrong
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace

void Listener::hear(mlir::Diagnostic &diagnostic) {
  const std::string message = diagnostic.str();
  std::string file, text;
  TileirasFinding finding = {};
  if (auto place = mlir::LocationAttr(diagnostic.getLocation()).findInstanceOf<mlir::FileLineColLoc>()) {
    file = place.getFilename().str();
    finding.line = place.getLine();
    finding.column = place.getColumn();
    text = file + ":" + std::to_string(finding.line) + ":" + std::to_string(finding.column) + ": ";
  }
  text += message;
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    text += "\nnote: " + note.str();
  finding.isWarning = diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error;
  finding.kind = finding.isWarning ? "warning" : "error";
  finding.message = message.c_str();
  finding.text = text.c_str();
  finding.file = file.c_str();
  finding.instruction = "";
  if (!finding.isWarning && cause.empty())
    cause = text;
  if (run.findingCallback)
    run.findingCallback(&finding, run.userData);
}

static interpreter::Launch makeLaunch(const TileirasRun &run, const Buffers &buffers) {
  interpreter::Launch launch;
  launch.entry = run.entry ? run.entry : "";
  std::copy(std::begin(run.grid), std::end(run.grid), launch.grid.begin());
  launch.arguments = buffers.makeArguments();
  constexpr unsigned kBitsOfByte = 8;
  for (const TileirasRunArgument &argument : llvm::ArrayRef(run.arguments, run.argumentCount))
    launch.argumentTypes.push_back(argument.buffer >= 0 ? "ptr"
                                   : argument.type      ? argument.type
                                                        : "u" + std::to_string(kBitsOfByte * argument.size));
  return launch;
}

static void copyBounds(const TileirasRun &run, const Buffers &buffers, const interpreter::Memory &memory) {
  for (auto [buffer, address] : llvm::zip(llvm::ArrayRef(run.buffers, run.bufferCount), buffers.getAddresses()))
    if (buffer.bounds)
      for (size_t i = 0; i < buffer.size / buffer.boundStride; ++i)
        buffer.bounds[i] = memory.getBound(address + i * buffer.boundStride);
}

static void runOnInterpreter(const TileirasRun &run) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // it would be a whole module at times
  context.loadDialect<cuda_tile::CudaTileDialect>();
  Listener listener(run, context);
  llvm::SourceMgr sources;
  const llvm::StringRef text(static_cast<const char *>(run.kernel), run.kernelSize);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, run.kernelName ? run.kernelName : "<kernel>"),
                             llvm::SMLoc());
  const interpreter::KernelModule kernel = interpreter::readKernelModule(sources, context);
  if (!kernel.program || failed(mlir::verify(kernel.program)))
    throw RunFailure(TILEIRAS_RUN_ERROR_BAD_INPUT, listener.getCause());

  const bool wantsBounds =
      llvm::any_of(llvm::ArrayRef(run.buffers, run.bufferCount), [](const auto &buffer) { return buffer.bounds; });
  interpreter::Memory memory(/*tracksWriters=*/wantsBounds);
  interpreter::PlacedMemory placed(memory);
  const Buffers buffers(run, placed);
  Output output(run);
  interpreter::InterpreterOptions options;
  options.output = &output;
  options.computeBounds = wantsBounds;
  if (run.interrupt)
    options.interrupt = &run.interrupt->isSet;
  interpreter::Interpreter interpreter(kernel.program, memory, options);
  const interpreter::Launch launch = makeLaunch(run, buffers);
  if (failed(interpreter.verify(launch)))
    throw RunFailure(TILEIRAS_RUN_ERROR_BAD_INPUT, listener.getCause());
  const bool ranClean = llvm::succeeded(interpreter.run(launch));
  throwIfInterrupted(run);
  if (!ranClean)
    throw RunFailure(TILEIRAS_RUN_ERROR_KERNEL, listener.getCause());
  buffers.copyBack();
  copyBounds(run, buffers, memory);
}

} // namespace tileiras::run

TileirasRunStatus tileirasRunOnInterpreter(const TileirasRun *run) {
  return tileiras::run::guard(run, tileiras::run::runOnInterpreter);
}
