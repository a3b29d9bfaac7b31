//===- Isolation.h - Checks in processes of their own -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_ISOLATION_H
#define TILEIRAS_FUZZ_ISOLATION_H

#include "Check.h"

namespace tileiras::fuzz {

struct Job {
  std::string name; ///< "seed 12", "addf f32 rounding<zero>"
  std::string text;
  LaunchCase launch;
  /// Makes the text and notes about it, in the process of the check; null: the text is there. Empty: nothing to check.
  std::function<std::string(std::vector<std::string> &notes, LaunchCase &launch)> prepare = nullptr;
  std::optional<CheckOptions> options = std::nullopt; ///< instead of those of the run
  const char *kind = "";                              ///< of random programs: "carried"
  /// Instead of checkProgram(): what is done with the text. `enter` names what is going on.
  std::function<Outcome(llvm::StringRef text, llvm::function_ref<void(llvm::StringRef)> enter)> check = nullptr;
};

struct Finished {
  Job job;
  Outcome outcome;
  double seconds;
};

/// Runs checks in child processes, `parallel` at a time: a crash ends one check, and so does its deadline. `next`
/// makes the jobs, nullopt ends; `done` hears their outcomes, in the order they come. No other thread may run.
void runIsolated(llvm::function_ref<std::optional<Job>()> next, llvm::function_ref<void(Finished &&)> done,
                 const CheckOptions &options, unsigned parallel, double deadlineSeconds);

/// One of them.
Outcome checkIsolated(const Job &job, const CheckOptions &options, double deadlineSeconds);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_ISOLATION_H
