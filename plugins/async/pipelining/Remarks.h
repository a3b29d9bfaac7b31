//===- Remarks.h - Remarks of asynchronous pipelining -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_PIPELINING_REMARKS_H
#define TILEIRAS_PLUGINS_ASYNC_PIPELINING_REMARKS_H

#include "tileiras/Diagnostics/Remarks.h"

namespace tileiras::async {
inline namespace pipelining {

inline constexpr RemarkCategory QueueRemarks{
    "form-queues", "Which loads are asynchronous, and run ahead of the iteration that needs them."};

#define ASYNC_PIPELINING_REMARKS(PASSED, MISSED, ANALYSIS)                                                             \
  MISSED(NotQueued, "NotQueued", QueueRemarks, "A load is not made ahead of the iteration that needs it.",             \
         "Remove the obstacle that the message names, such as a store that may change what is loaded, or a tile that " \
         "is too large.")                                                                                              \
  MISSED(NotCounted, "NotCounted", QueueRemarks,                                                                       \
         "Loads of a loop do not run ahead, since the number of its iterations is not known before it begins.",        \
         "Write it as `for`, or end it by a comparison of a variable that grows by a constant.")                       \
  MISSED(NotInPlace, "NotInPlace", QueueRemarks,                                                                       \
         "A tile is loaded ahead, but MMAs cannot read it where it is in shared memory.",                              \
         "Use an order of dimensions and an extent that the MMA of the GPU reads from shared memory.")                 \
  ANALYSIS(Queue, "Queue", QueueRemarks, "How many tiles a loop loads ahead, and how many iterations.",                \
           "Nothing; the hint `latency` of a load sets the number of iterations.")                                     \
  ANALYSIS(Prefetch, "Prefetch", QueueRemarks,                                                                         \
           "A loop loads tiles to registers ahead of the iterations that need them.", "Nothing.")                      \
  MISSED(NotExchanged, "NotExchanged", QueueRemarks,                                                                   \
         "The operands A and B of an MMA are not swapped, although that would let warpgroups compute it.",             \
         "Remove the obstacle that the message names, or swap rows and columns in the program.")                       \
  ANALYSIS(Exchanged, "Exchanged", QueueRemarks,                                                                       \
           "The operands A and B of an MMA are swapped, and its accumulator is transposed.",                           \
           "Nothing; the result is the same.")                                                                         \
  MISSED(PipelineStages, "PipelineStages", PipelineRemarks,                                                            \
         "A software pipeline has fewer stages than it should have.",                                                  \
         "Use smaller tiles, or ask for fewer stages; the message says what limits them.")                             \
  ANALYSIS(PipelineStages, "PipelineStages", PipelineRemarks,                                                          \
           "How many stages a software pipeline has, and the bytes of each.",                                          \
           "Nothing; the hint `latency` of a load sets the number of stages.")                                         \
  MISSED(UnspecializedPipeline, "UnspecializedPipeline", PipelineRemarks,                                              \
         "A loop does not overlap its MMAs with the rest of an iteration.",                                            \
         "Remove the obstacle that the message names.")

TILEIRAS_REMARK_TABLE(ASYNC_PIPELINING_REMARKS)

} // namespace pipelining
} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_PIPELINING_REMARKS_H
