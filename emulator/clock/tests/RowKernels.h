//===- RowKernels.h - Softmax, norms and sums, bound by memory --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_TESTS_ROWKERNELS_H
#define PTX_EMULATOR_TIMING_TESTS_ROWKERNELS_H

#include "ClockBench.h"

namespace ptxemu::timing::testing {

/// Work on the rows of a matrix that stay on the chip, as QuACK does it: a CTA or a cluster reads its row once, by
/// cp.async of 16 bytes, reduces it through warps, shared memory and the cluster's, and writes it once.
struct RowPlan {
  enum Kind { Softmax, LayerNorm, CrossEntropy } kind = Softmax;
  unsigned rows = 256, columns = 131072;
  unsigned cluster = 1, threads = 256;
  bool isHalf = false; ///< bf16, else f32; weights are f32
};

BenchKernel rowKernel(const RowPlan &);
/// Softmax that reads its row twice, as code for rows of any length does it: once for maximum and sum together.
BenchKernel twoPassSoftmax(unsigned rows, unsigned columns, unsigned threads);
/// The sum of `count` floats by CTAs that go over them together.
BenchKernel sumKernel(uint64_t count, unsigned ctas, unsigned threads);

} // namespace ptxemu::timing::testing

#endif // PTX_EMULATOR_TIMING_TESTS_ROWKERNELS_H
