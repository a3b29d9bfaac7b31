//===- Regressions.h - Programs that failed once ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_REGRESSIONS_H
#define TILEIRAS_FUZZ_REGRESSIONS_H

#include "Isolation.h"

namespace tileiras::fuzz {

/// A regression is NAME.mlir beside NAME.json, its launch. Sorted by name.
llvm::Expected<std::vector<Job>> loadRegressions(llvm::StringRef folder);
llvm::Expected<Job> loadProgram(llvm::StringRef textFile, llvm::StringRef launchFile);

/// Writes both files, without launch one; the first lines of the text say what was wrong.
llvm::Error fileRegression(llvm::StringRef folder, llvm::StringRef name, const Job &job, const Outcome &outcome);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_REGRESSIONS_H
