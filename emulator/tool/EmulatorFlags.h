//===- EmulatorFlags.h - Options of tools that emulate PTX ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TOOL_EMULATORFLAGS_H
#define PTX_EMULATOR_TOOL_EMULATORFLAGS_H

#include "ptx-emulator/Emulator.h"
#include "llvm/Support/CommandLine.h"
#include <optional>
#include <string>

namespace ptxemu {

/// What the command line says of an emulated launch. An instance registers the options with LLVM's command-line
/// library.
class EmulatorFlags {
public:
  EmulatorFlags(llvm::cl::SubCommand &command, llvm::cl::OptionCategory &group);

  /// What makes no sense in the values: a sentence without the program's name; empty if all do.
  std::string check() const;
  /// Only after check() has found nothing. Seed, arguments and what to do with output are the caller's.
  LaunchOptions makeOptions() const;

  llvm::cl::opt<std::string> entryName, blockSize, clusterSize;
  llvm::cl::opt<uint32_t> dynamicShared;
  llvm::cl::opt<uint64_t> firstSeed, numSeeds;
  llvm::cl::opt<unsigned> residentClusters, multiprocessors, numThreads;
  llvm::cl::opt<bool> noRaceCheck, noUninitCheck, strict;
  llvm::cl::list<std::string> allowedKinds;
  llvm::cl::opt<unsigned> mostReports;
  llvm::cl::opt<std::string> traceFile;
  llvm::cl::opt<bool> showCounters, profileLoops;
};

/// Runs one schedule, and writes the trace where one is asked for. Throws InputError.
LaunchResult launchTraced(const EmulatorFlags &, Device &, const Module &, LaunchOptions);

/// What went wrong, on standard error.
void printReports(const LaunchResult &);

} // namespace ptxemu

#endif // PTX_EMULATOR_TOOL_EMULATORFLAGS_H
