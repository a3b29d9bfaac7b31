//===- MatmulLadder.h - Products with the structure of published kernels -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_TESTS_MATMULLADDER_H
#define PTX_EMULATOR_TIMING_TESTS_MATMULLADDER_H

#include "ClockBench.h"

namespace ptxemu::timing::testing {

/// A bf16 product of square matrices, whose operands lie in memory tile after tile, so that one bulk copy brings a tile
/// of `rows` or `columns` times 64.
struct MatmulPlan {
  unsigned size = 4096, rows = 128, columns = 256;
  unsigned consumers = 0; ///< warpgroups that only multiply; 0: one warpgroup does everything
  unsigned stages = 1;
  bool isPersistent = false; ///< `ctas` of them
  bool threadsArrive = true; ///< every thread waits for a stage and frees it by arriving; else one a warpgroup frees it
  unsigned cluster = 1;      ///< CTAs that share the columns' operand, by multicast
  unsigned pending = 0;      ///< groups of wgmma that may be unfinished when a stage is freed
  bool pingPongs = false;    ///< two that multiply have tiles of their own (ping-pong); else parts of one (cooperative)
  unsigned ctas = 128;       ///< of persistent ones: 128 with tiles in blocks of 16 by 8, else column after column
  bool rowByRow = false;     ///< clusters of a persistent kernel go along the rows of tiles instead
  bool storesFloats = false; ///< the result is f32
  bool storesByColumn = false; ///< the result lies column after column and is stored element by element
};

BenchKernel matmulKernel(const MatmulPlan &);

} // namespace ptxemu::timing::testing

#endif // PTX_EMULATOR_TIMING_TESTS_MATMULLADDER_H
