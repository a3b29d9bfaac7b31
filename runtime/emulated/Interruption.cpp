//===- Interruption.cpp - Kernels that take long --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interruption.h"
#include <csignal>

namespace emudriver {

static std::atomic<bool> isInterrupted{false};
static struct sigaction program; ///< what it does about the signal

static void interrupt(int signal, siginfo_t *info, void *context) {
  isInterrupted = true;
  if (program.sa_flags & SA_SIGINFO)
    program.sa_sigaction(signal, info, context);
  else
    program.sa_handler(signal);
}

Interruption::Interruption() {
  isInterrupted = false;
  if (sigaction(SIGINT, nullptr, &program) != 0 ||
      (!(program.sa_flags & SA_SIGINFO) && (program.sa_handler == SIG_DFL || program.sa_handler == SIG_IGN)))
    return;
  struct sigaction ours = program;
  ours.sa_flags |= SA_SIGINFO;
  ours.sa_sigaction = interrupt;
  isCaught = sigaction(SIGINT, &ours, nullptr) == 0;
}

Interruption::~Interruption() {
  struct sigaction now;
  // Another thread may have changed it meanwhile.
  if (isCaught && sigaction(SIGINT, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == interrupt)
    sigaction(SIGINT, &program, nullptr);
}

const std::atomic<bool> &Interruption::flag() const {
  return isInterrupted;
}

} // namespace emudriver
