//===- InterpreterRunner.cpp - Runs a kernel on the reference interpreter -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescribedLaunch.h"
#include "Progress.h"
#include "RunError.h"
#include "Runners.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"

namespace tileiras::run {

namespace {

/// Passes on how far the interpreter is.
struct Teller : interpreter::Observer {
  explicit Teller(Progress &line) : line(line) {}

  void progress(uint64_t finished, uint64_t tileBlocks, uint64_t operations) override {
    std::string text;
    llvm::raw_string_ostream(text) << finished << " of " << tileBlocks << " tile blocks, "
                                   << llvm::format("%.1f", static_cast<double>(operations) / 1e6) << " M operations";
    line.update(text);
  }

  Progress &line;
};

/// Prints diagnostics below the progress line's place.
class Diagnostics : public mlir::SourceMgrDiagnosticHandler {
public:
  Diagnostics(llvm::SourceMgr &sources, mlir::MLIRContext &context, Progress &progress)
      : SourceMgrDiagnosticHandler(sources, &context), progress(progress) {
    setHandler([this](mlir::Diagnostic &diagnostic) {
      this->progress.hide();
      emitDiagnostic(diagnostic);
    });
  }

private:
  Progress &progress;
};

} // namespace

/// What the interpreter knows about how exact its results are, for as long as the outcome lives.
static void keepBounds(Outcome &outcome, std::shared_ptr<interpreter::Memory> memory,
                       const LaunchDescription::Addresses &addresses) {
  outcome.getBound = [memory = std::move(memory), addresses](const std::string &buffer, uint64_t offset) {
    return memory->getBound(addresses.at(buffer) + offset);
  };
}

Outcome runOnInterpreter(const Request &request) {
  request.progress.begin("interpreter");
  llvm::scope_exit end([&] { request.progress.end(); });
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // it would be a whole module at times
  context.loadDialect<cuda_tile::CudaTileDialect>();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(request.kernel.source, request.kernel.file),
                             llvm::SMLoc());
  Diagnostics diagnostics(sources, context, request.progress);
  const interpreter::KernelModule kernel = interpreter::readKernelModule(sources, context);
  if (!kernel.program)
    throw RunError(Exit::BadInput, "the interpreter cannot read " + request.kernel.file);

  auto memory = std::make_shared<interpreter::Memory>(/*tracksWriters=*/true);
  Teller teller(request.progress);
  interpreter::InterpreterOptions options;
  options.computeBounds = true;
  options.interrupt = &catchInterrupts();
  options.observer = &teller;
  interpreter::Interpreter interpreter(kernel.program, *memory, options);
  LaunchDescription::Addresses addresses;
  const interpreter::Launch launch =
      interpreter::prepareLaunch(request.description, request.options.emulator->entryName, *memory, addresses);
  if (failed(interpreter.verify(launch)))
    throw RunError(Exit::BadInput, request.description.file + " does not fit the kernel");

  Outcome outcome;
  outcome.place = Place::Interpreter;
  outcome.device = "reference interpreter";
  const auto begin = std::chrono::steady_clock::now();
  outcome.ranClean = llvm::succeeded(interpreter.run(launch));
  outcome.hostSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!outcome.ranClean) {
    outcome.report = "the program does not run clean: see the errors above\n";
    return outcome;
  }
  // A case has tolerances of its own, which are the emulator's too.
  const bool acceptsBounds = !request.options.launchFile.empty();
  outcome.agrees = interpreter::compareResults(request.description, *memory, addresses, acceptsBounds, &outcome.report);
  const interpreter::PlacedMemory placed(*memory);
  if (request.writesResults)
    request.description.writeResults(placed, addresses);
  keepBuffers(outcome, request.description, placed, addresses);
  keepBounds(outcome, std::move(memory), addresses);
  return outcome;
}

} // namespace tileiras::run
