//===- TensorBench.h - Pieces of kernels that use tcgen05 -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_TESTS_TENSORBENCH_H
#define PTX_EMULATOR_TIMING_TESTS_TENSORBENCH_H

#include "ClockBench.h"

namespace ptxemu::timing::testing {

/// A tcgen05.mma of 128 rows a CTA, as text.
struct TensorForm {
  const char *kind = "f16"; ///< or f8f6f4, mxf8f6f4, mxf4nvf4
  unsigned n = 256;
  bool isPair = false;
  bool aInTensorMemory = false;

  bool isScaled() const { return std::string(kind).rfind("mx", 0) == 0; }
  std::string group() const { return isPair ? ".cta_group::2" : ".cta_group::1"; }
  /// The instruction descriptor (PTX ISA, "Instruction descriptor"): M, N and types.
  unsigned descriptor() const;
  /// Needs startTensorKernel() before it; %p2 holds for the thread that issues it.
  std::string text() const;
};

/// A kernel of one warp a CTA whose body starts with the allocation of columns (at %r10), an mbarrier (at %r20) that
/// expects one arrival, and descriptors of operands in shared memory.
BenchKernel startTensorKernel(const TensorForm &, unsigned columns = 512);
/// Waits for what was issued.
std::string commitAndWait(const TensorForm &, unsigned phase = 0);
std::string endTensorKernel(const TensorForm &, unsigned columns = 512);
/// "{%r40, …}"
std::string registerList(unsigned first, unsigned count, const std::string &name = "%r");

} // namespace ptxemu::timing::testing

#endif // PTX_EMULATOR_TIMING_TESTS_TENSORBENCH_H
