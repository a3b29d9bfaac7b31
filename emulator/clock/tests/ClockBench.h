//===- ClockBench.h - Kernels that measure a modelled machine ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_TESTS_CLOCKBENCH_H
#define PTX_EMULATOR_TIMING_TESTS_CLOCKBENCH_H

#include "Estimate.h"
#include <functional>
#include <string>

namespace ptxemu::timing::testing {

/// A kernel of one entry `k` whose body sees %out and %in (addresses of `bytes` bytes each), %i (the thread), %cta, and
/// registers %rd, %r, %f, %fd, %h and %p.
struct BenchKernel {
  std::string body;
  unsigned threads = 32, grid = 1, cluster = 1;
  uint64_t bytes = 1 << 20;
  unsigned shared = 0; ///< bytes of `s`, aligned to 1024
  std::string target = "sm_90a";

  /// Of `shared`, what the launch must ask for: of more than 48 KiB all, where the target is not one chip's own.
  unsigned dynamicShared() const;
};

/// The module's PTX.
std::string textOf(const BenchKernel &);

/// Threads have 64 registers unless the options say how many; 0: as the estimate finds.
Estimate timeKernel(const BenchKernel &, const MachineModel &, const EstimateOptions &options = {});

/// `count` times the text that `piece` makes of 0, 1, …
std::string repeat(unsigned count, const std::function<std::string(unsigned)> &piece);
std::string repeat(unsigned count, const std::string &piece);

inline std::string num(uint64_t n) {
  return std::to_string(n);
}

/// How often lines of PTX with the text `instruction` were issued.
uint64_t issuesOf(const Estimate &, const std::string &instruction);

/// Cycles that one more repetition takes: of `make(2n)` against `make(n)`.
double cyclesEach(const MachineModel &, unsigned n, const std::function<BenchKernel(unsigned)> &make);

} // namespace ptxemu::timing::testing

#endif // PTX_EMULATOR_TIMING_TESTS_CLOCKBENCH_H
