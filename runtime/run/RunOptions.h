//===- RunOptions.h - The command line of tileiras-run ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_RUNOPTIONS_H
#define TILEIRAS_RUNTIME_RUN_RUNOPTIONS_H

#include "CompilerFlags.h"
#include "EmulatorFlags.h"
#include "Outcome.h"
#include "tileiras/Compiler/RemarkFilter.h"

namespace tileiras::run {

/// What the user asked for.
struct RunOptions {
  std::string kernelFile;                ///< "-": standard input
  std::string launchFile, caseDirectory; ///< one of them is empty
  std::string metadataFile, jsonFile;    ///< empty: none
  std::string reportFile;                ///< empty: no page
  std::string machine;                   ///< whose times the page has; empty: one that the kernel is for
  std::optional<Place> on;               ///< nullopt: a GPU, or else the emulator
  bool everywhere = false;               ///< in all places that can run it
  bool writesNewLaunch = false;          ///< instead of running: a launch to begin with
  bool checksAssumes = true;             ///< on the emulator
  unsigned repeat = 0, warmUp = 0;       ///< timed launches on a GPU, and those before them
  bool flushesL2 = false, isQuiet = false;

  // They live as long as the process.
  const CompilerFlags *compiler = nullptr;
  const ptxemu::EmulatorFlags *emulator = nullptr;
  std::shared_ptr<const RemarkFilter> remarks; ///< null: none is wanted
};

/// Answers --help and --version itself, and ends the process then. Throws RunError; its message is empty when the
/// command-line library has said what is wrong.
RunOptions parseCommandLine(int argc, char **argv);

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_RUNOPTIONS_H
