//===- Progress.h - A line on the terminal while one waits ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_PROGRESS_H
#define TILEIRAS_RUNTIME_RUN_PROGRESS_H

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tileiras::run {

/// Says on standard error what goes on, once that takes more than a second, and takes the line away afterwards. Silent
/// where standard error is no terminal.
class Progress {
public:
  explicit Progress(bool isWanted);
  ~Progress();
  Progress(const Progress &) = delete;

  /// What is done from now on: "compiling kernel.mlir".
  void begin(const std::string &what);
  /// How far it is: "3 of 20".
  void update(const std::string &detail);
  /// Makes room for what is about to be printed; the line comes back below it.
  void hide();
  /// Nothing is going on.
  void end() { begin(""); }

private:
  using Clock = std::chrono::steady_clock;
  void paint();
  void clear();

  std::mutex mutex;
  std::condition_variable wake;
  std::string what, detail;
  Clock::time_point since;
  bool isShown = false, isFinished = false;
  std::thread painter;
};

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_PROGRESS_H
