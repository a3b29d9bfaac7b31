//===- Runners.h - Runs a kernel in each place ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_RUNNERS_H
#define TILEIRAS_RUNTIME_RUN_RUNNERS_H

#include "Gpu.h"
#include "Kernel.h"

namespace tileiras::run {

/// What every run takes.
struct Request {
  const RunOptions &options;
  const Kernel &kernel;
  const LaunchDescription &description;
  bool writesResults; ///< the files that the description names: those of one place only
  Progress &progress;

  std::string entry() const {
    const std::string &asked = options.emulator->entryName;
    return asked.empty() ? description.entry : asked;
  }
};

// Each throws LaunchError, InputError or RunError when the kernel cannot be run there. What goes wrong in the kernel is
// part of the outcome.

Outcome runOnGpu(const Request &, const Gpu &);
/// Runs the schedules that the options ask for until one fails; results are those of the first.
Outcome runOnEmulator(const Request &);
/// Tile IR only.
Outcome runOnInterpreter(const Request &);

/// Keeps the contents of the buffers that are compared with what is expected or with another place's.
void keepBuffers(Outcome &, const LaunchDescription &, const ptxemu::DeviceMemory &,
                 const LaunchDescription::Addresses &);

/// True once the user has interrupted; the emulator and the interpreter stop then, and say where they stand.
std::atomic<bool> &catchInterrupts();

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_RUNNERS_H
