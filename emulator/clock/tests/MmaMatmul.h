//===- MmaMatmul.h - Products with mma.sync and cp.async --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_TESTS_MMAMATMUL_H
#define PTX_EMULATOR_TIMING_TESTS_MMAMATMUL_H

#include "ClockBench.h"

namespace ptxemu::timing::testing {

/// A product of square matrices as published kernels before Hopper have it: A by rows, B by columns, every warp copies
/// and multiplies.
struct MmaMatmulPlan {
  unsigned size = 4096, rows = 128, columns = 128;
  unsigned depth = 128; ///< bytes of a row of A, and of a column of B, that a step takes
  unsigned warpRows = 64, warpColumns = 64;
  unsigned stages = 1; ///< 1: a step is copied, waited for and multiplied before the next

  enum Types { Bf16, F16, F16ShortSums, S8, E4m3 } types = Bf16;
  /// How a step gets to shared memory, and lies there.
  enum Filling { Registers, Copies } filling = Copies;
  enum Layout { Plain, Padded, Swizzled } layout = Swizzled;
  /// When a warp loads what it multiplies: again for each product, or of B only; the depth of one product at a time; a
  /// step's all at once; or a depth ahead, the next step's first one before the last products of a step, as CUTLASS
  /// does it.
  enum Loading { Each, EachColumn, Depth, Step, Ahead } loading = Step;
  bool hasOneBarrier = false; ///< a step: the copies of the next one follow it. Else another one is before them
  unsigned groupRows = 0;     ///< rows of tiles that CTAs next to each other take together; 0: along the rows
  bool storesFloats = false;  ///< C is of f32, not of 16 bits
  unsigned loadedAtOnce = 0;  ///< chunks of 16 bytes of a thread that are in registers before they are stored; 0: all
  std::string target = "sm_80";
};

BenchKernel mmaMatmulKernel(const MmaMatmulPlan &);

} // namespace ptxemu::timing::testing

#endif // PTX_EMULATOR_TIMING_TESTS_MMAMATMUL_H
