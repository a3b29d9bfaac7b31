//===- Reduce.h - Smaller programs that fail in the same way ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_REDUCE_H
#define TILEIRAS_FUZZ_REDUCE_H

#include "Isolation.h"

namespace tileiras::fuzz {

struct ReduceOptions {
  unsigned maxTries = 600;
  /// Hears of every smaller program: how many operations it has, after how many tries.
  std::function<void(size_t operations, unsigned tries)> progress;
};

/// Delta debugging on the module: operations become constants and disappear, branches and loops become their bodies,
/// unused parameters and their buffers go, the grid becomes one tile block. A step is kept when the check still gives
/// `signature`, so the result is as well defined as the program (else the reference would give another verdict).
Job reduceProgram(const Job &job, const std::string &signature, const CheckOptions &checkOptions,
                  double deadlineSeconds, const ReduceOptions &options);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_REDUCE_H
