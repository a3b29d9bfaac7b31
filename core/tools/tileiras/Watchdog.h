//===- Watchdog.h - What ends a compilation before its time -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compilation cannot be interrupted anywhere inside MLIR or LLVM. What must not go on ends the process: assemblers
// are killed, half-written and temporary files removed, and the rest is the operating system's to take back.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_TILEIRAS_WATCHDOG_H
#define TILEIRAS_TOOLS_TILEIRAS_WATCHDOG_H

#include "tileiras/Compiler/Session.h"
#include <thread>

namespace tileiras {

/// From now on the process ends with a message when memory cannot be had (ExitCode::CompilationFailed), or when LLVM
/// finds it cannot go on (ExitCode::Internal).
void installLastResorts();

/// The most memory this process has had resident, in MiB.
uint64_t getPeakMemory();

struct Limits {
  std::chrono::milliseconds time{0}; ///< 0: none
  uint64_t memory = 0;               ///< MiB of peak resident memory; 0: none
};

/// While it watches, the process ends
///  * with a message and ExitCode::CompilationFailed when the time has run out, or when the peak resident memory of
///    this process, or that of the assembler it runs, exceeds the limit,
///  * by SIGINT, SIGTERM or SIGHUP as usual, but after it has been tidied up.
/// Threads that are started before it must block these signals themselves.
class Watchdog {
public:
  explicit Watchdog(const Limits &limits);
  ~Watchdog() { stop(); }

  /// Stops watching. To be called before results take their place; an error when the limit of memory was exceeded.
  llvm::Error finish();

private:
  void watch();
  void stop();

  Limits limits;
  std::chrono::steady_clock::time_point deadline;
  sigset_t signals, previousMask;
  int signalFile = -1, stopFile = -1; ///< descriptors
  std::thread thread;
};

} // namespace tileiras

#endif // TILEIRAS_TOOLS_TILEIRAS_WATCHDOG_H
