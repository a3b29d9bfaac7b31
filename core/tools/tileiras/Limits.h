//===- Limits.h - How long and how much a compilation may take --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_TILEIRAS_LIMITS_H
#define TILEIRAS_TOOLS_TILEIRAS_LIMITS_H

#include "tileiras/Compiler/Session.h"
#include <condition_variable>
#include <mutex>
#include <thread>

namespace tileiras {

/// While it lives, the process ends with a message and ExitCode::CompilationFailed when it runs past `deadline`. A
/// program cannot be interrupted anywhere inside LLVM: what it holds is the operating system's to take back.
class TimeLimit {
public:
  using Clock = std::chrono::steady_clock;

  explicit TimeLimit(std::chrono::milliseconds limit);
  ~TimeLimit();

  Clock::time_point getDeadline() const { return deadline; }

private:
  void watch();

  std::chrono::milliseconds limit;
  Clock::time_point deadline;
  std::mutex mutex;
  std::condition_variable finished;
  bool isFinished = false;
  std::thread watchdog;
};

/// From now on the address space of this process and its children ends at `mebibytes` more than it has; an allocation
/// beyond ends the process with a message and ExitCode::CompilationFailed.
void limitMemory(uint64_t mebibytes);

} // namespace tileiras

#endif // TILEIRAS_TOOLS_TILEIRAS_LIMITS_H
