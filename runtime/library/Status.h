//===- Status.h - How a function of the library ends ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_LIBRARY_STATUS_H
#define TILEIRAS_RUNTIME_LIBRARY_STATUS_H

#pragma GCC visibility push(default)
#include "tileiras/Run/tileiras-run.h"
#pragma GCC visibility pop
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include <atomic>
#include <stdexcept>

struct TileirasInterrupt {
  std::atomic<bool> isSet = false;
};

namespace tileiras::run {

/// Why a launch was not run, or not to its end.
struct RunFailure : std::runtime_error {
  RunFailure(TileirasRunStatus status, const llvm::Twine &text) : std::runtime_error(text.str()), status(status) {}
  TileirasRunStatus status;
};

/// Calls `work` with what the caller knows of the structure, the rest as in TILEIRAS_RUN_INIT. No exception leaves.
TileirasRunStatus guard(const TileirasRun *run, llvm::function_ref<void(const TileirasRun &)> work);

/// The same for functions without a run.
TileirasRunStatus guard(llvm::function_ref<void()> work);

/// Throws RunFailure where somebody has set the interrupt.
void throwIfInterrupted(const TileirasRun &run);

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_LIBRARY_STATUS_H
