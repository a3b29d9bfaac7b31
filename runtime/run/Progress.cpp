//===- Progress.cpp - A line on the terminal while one waits --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <unistd.h>

namespace tileiras::run {

Progress::Progress(bool isWanted) {
  if (isWanted && isatty(STDERR_FILENO))
    painter = std::thread([this] { paint(); });
}

Progress::~Progress() {
  if (!painter.joinable())
    return;
  {
    std::lock_guard lock(mutex);
    isFinished = true;
  }
  wake.notify_all();
  painter.join();
}

void Progress::begin(const std::string &text) {
  std::lock_guard lock(mutex);
  clear();
  what = text;
  detail.clear();
  since = Clock::now();
}

void Progress::update(const std::string &text) {
  std::lock_guard lock(mutex);
  detail = text;
}

void Progress::hide() {
  std::lock_guard lock(mutex);
  clear();
}

void Progress::clear() {
  if (isShown)
    llvm::errs() << "\r\x1b[K";
  isShown = false;
}

void Progress::paint() {
  sigset_t all; // signals are for the threads that work
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::unique_lock lock(mutex);
  while (!wake.wait_for(lock, std::chrono::milliseconds(250), [this] { return isFinished; })) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since).count();
    if (what.empty() || seconds < 1)
      continue;
    llvm::errs() << "\r\x1b[K" << what << (detail.empty() ? "" : ": " + detail) << " (" << seconds << " s)";
    isShown = true;
  }
  clear();
}

} // namespace tileiras::run
