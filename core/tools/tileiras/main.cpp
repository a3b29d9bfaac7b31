//===- main.cpp - tileiras, a compiler for CUDA Tile IR -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The process around it. The story of a compilation is told in Compilation.cpp.
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "Compilation.h"
#include "EnvironmentFlags.h"
#include "Heap.h"
#include "LastResorts.h"
#include "OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras;

static ExitCode runTool(int argc, char **argv) {
  llvm::Expected<CommandLine> line = parseCommandLine(argc, argv);
  if (!line) {
    const ExitCode code = toExitCode(line.takeError());
    noteEnvironmentFlags();
    return code;
  }
  // Each line of a batch has its own time.
  const Limits limits = line->isBatch() ? Limits{{}, line->limits.memory} : line->limits;
  Watchdog watchdog(limits);
  noteBrokenPipes();
  if (line->isBatch())
    return runBatch(*line, watchdog);
  bool isQuestion = line->isQuestion();
  // The end of the process frees it faster than its destructor would.
  static Compilation &compilation = *new Compilation(std::move(*line), {watchdog});
  ExitCode code = toExitCode(isQuestion ? compilation.answer() : compilation.compile());
  if (code != ExitCode::Success) {
    noteEnvironmentFlags();
    toExitCode(compilation.writeReports());
  }
  compilation.report();
  return code;
}

/// --help and --version end the process themselves.
static void checkStandardOutput() {
  if (ExitCode code = toExitCode(flushStandardOutput()); code != ExitCode::Success)
    _exit(static_cast<int>(code));
}

/// The question that front ends ask before they compile: answered without what only a compilation needs.
static bool asksVersionOnly(int argc, char **argv) {
  return argc == 2 && llvm::is_contained({"--version", "-version"}, llvm::StringRef(argv[1]));
}

int main(int argc, char **argv) {
  if (asksVersionOnly(argc, argv)) {
    printVersion(llvm::outs());
    checkStandardOutput();
    llvm::sys::Process::Exit(0, /*NoCleanup=*/true);
  }
  useLargePages();
  installLastResorts();
  llvm::outs(); // before the handler that flushes it
  std::atexit(checkStandardOutput);
  try {
    const ExitCode code = runTool(argc, argv);
    if (hasBrokenPipe())
      endBySignal(SIGPIPE);
    checkStandardOutput();
    llvm::sys::Process::Exit(static_cast<int>(code), /*NoCleanup=*/true);
  } catch (const std::exception &failure) {
    llvm::errs() << "error: internal error: " << failure.what()
                 << "\nnote: please report it with the input and the options\n";
  }
  return static_cast<int>(ExitCode::Internal);
}
