//===- TimeCommand.h - ptx-emulator time ------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TOOL_TIMECOMMAND_H
#define PTX_EMULATOR_TOOL_TIMECOMMAND_H

#include "Estimate.h"
#include "llvm/Support/CommandLine.h"
#include <atomic>

namespace ptxemu {

/// The subcommand that times a launch by a model. An instance registers its options with LLVM's command-line library.
class TimeCommand {
public:
  explicit TimeCommand(llvm::cl::OptionCategory &group);

  /// What makes no sense in the options: a sentence; empty if all do.
  std::string check() const;
  /// Prints the estimate, and writes the files asked for. Throws InputError, MachineError, EstimateError and
  /// LaunchError.
  void run(const Module &, const std::atomic<bool> &interrupt) const;

  llvm::cl::SubCommand command;
  llvm::cl::opt<std::string> file;

private:
  void writePage(const timing::Estimate &) const;

  llvm::cl::opt<std::string> launchFile, caseDirectory, machine, entry, jsonFile, traceFile, reportFile;
  llvm::cl::opt<unsigned> registers;
  llvm::cl::opt<bool> showLines;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_TOOL_TIMECOMMAND_H
