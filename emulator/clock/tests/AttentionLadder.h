//===- AttentionLadder.h - Attention as published kernels do it -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_TESTS_ATTENTIONLADDER_H
#define PTX_EMULATOR_TIMING_TESTS_ATTENTIONLADDER_H

#include "ClockBench.h"

namespace ptxemu::timing::testing {

/// Attention forward in f16 with the structure of FlashAttention-3's kernels: warpgroups that compute have 64 rows
/// each, P stays in registers, keys and values come in two stages. Operands lie in memory tile after tile.
struct AttentionPlan {
  unsigned sequence = 4096, heads = 64; ///< heads of all batches
  unsigned headSize = 128;
  unsigned rows = 128, columns = 176; ///< of a tile of S; `rows` over 64 warpgroups compute
  bool isCausal = false;
  bool isSpecialized = true; ///< a warpgroup that loads; else a thread of those that compute, after a barrier of all
  bool overlaps = true;      ///< a block's softmax runs under the next block's S and its own PV
  bool pingPongs = true;     ///< warpgroups issue their MMAs alternately
  bool isPersistent = true;  ///< 132 CTAs; else one a tile, the longest first
};

BenchKernel attentionKernel(const AttentionPlan &);

/// The same with mma.sync and cp.async, as FlashAttention-2 does it: every warp loads and computes, one stage of keys
/// and one of values, whose loads overlap the other's product.
struct MmaAttentionPlan {
  unsigned sequence = 4096, heads = 64;
  unsigned headSize = 128;
  unsigned rows = 128, columns = 64, warps = 4;
  bool isCausal = false;
  bool isSwizzled = true;     ///< else chunks of 16 bytes lie in their order, and conflict
  bool isSynchronous = false; ///< a block's keys are loaded and waited for before its scores, its values behind softmax
  bool keepsQueries = false;  ///< in registers; else each block loads them from shared memory again
  bool hasSoftmax = true;
  unsigned keys = 0; ///< where there are not as many as queries
  std::string target = "sm_90a";
};

BenchKernel mmaAttentionKernel(const MmaAttentionPlan &);

} // namespace ptxemu::timing::testing

#endif // PTX_EMULATOR_TIMING_TESTS_ATTENTIONLADDER_H
