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

#ifndef TILEIRAS_TOOLS_COMMON_WATCHDOG_H
#define TILEIRAS_TOOLS_COMMON_WATCHDOG_H

#include "tileiras/Compiler/Session.h"
#include <atomic>
#include <csignal>
#include <thread>

namespace tileiras {

/// Ends the process, with `message` on standard error, after it has been tidied up. Any thread may do it at any time,
/// also one that has found no memory.
[[noreturn]] void endProcess(ExitCode code, llvm::StringRef message);

/// Ends the process as if nobody had caught the signal, but after it has been tidied up.
[[noreturn]] void endBySignal(int signal);

/// The most memory this process has had resident, in MiB; 0 when the system does not tell.
uint64_t getPeakMemory();

struct Limits {
  std::chrono::milliseconds time{0}; ///< 0: none
  uint64_t memory = 0;               ///< MiB of peak resident memory; 0: none
};

/// While it watches, the process ends
///  * with a message and ExitCode::CompilationFailed when the time has run out, or when the peak resident memory of
///    this process, or that of the assembler it runs, exceeds the limit or cannot be read,
///  * by the signals that end a process and that nobody handles or ignores as usual, but after it has been tidied up.
/// It needs no descriptor, but one with a limit of memory. Threads that are started before it must block these signals
/// themselves. From the first one on the process is told how its children end, whatever its parent has left it, and a
/// write beyond the limit of a file's size (`ulimit -f`) fails instead of ending it.
class Watchdog {
public:
  explicit Watchdog(const Limits &limits);
  ~Watchdog() { stop(); }

  /// Stops watching. To be called before results take their place; an error when the limit of memory was exceeded.
  llvm::Error finish();

private:
  void watch();
  void stop();
  std::string describeExcess() const;

  Limits limits;
  std::chrono::steady_clock::time_point deadline;
  int memoryFile = -1; ///< a descriptor, with a limit of memory
  sigset_t signals, previousMask;
  std::atomic<bool> isStopping = false;
  std::thread thread;
};

} // namespace tileiras

#endif // TILEIRAS_TOOLS_COMMON_WATCHDOG_H
