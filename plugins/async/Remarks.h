//===- Remarks.h - Remarks of the async plugin ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_REMARKS_H
#define TILEIRAS_PLUGINS_ASYNC_REMARKS_H

#include "tileiras/Pipeline/Remarks.h"

namespace tileiras::async {

inline constexpr RemarkCategory QueueRemarks{
    "form-queues", "Which loads are asynchronous, and run ahead of the iteration that needs them."};
inline constexpr RemarkCategory AsyncRemarks{"async", "Changes to the arithmetic of a loop that overlap it with MMAs."};
inline constexpr RemarkCategory AsyncCopyRemarks{"async-copy", "Tiles that `cp.async` copies, or does not."};

#define ASYNC_REMARKS(PASSED, MISSED, ANALYSIS)                                                                        \
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
  ANALYSIS(RelaxMaxima, "RelaxMaxima", AsyncRemarks,                                                                   \
           "A softmax scales its accumulator only where the maximum of a row grows by more than a threshold "          \
           "(conditional rescaling).",                                                                                 \
           "Nothing; `--set relax-maxima=0` scales always.")                                                           \
  ANALYSIS(SplitExponentials, "SplitExponentials", AsyncRemarks,                                                       \
           "A part of the exponentials of a loop is computed by multiplications.",                                     \
           "Nothing; `--set split-exponentials=false` computes all of them by the special function unit.")             \
  MISSED(AsyncCopy, "AsyncCopy", AsyncCopyRemarks,                                                                     \
         "A tile goes through registers on its way to shared memory, since `cp.async` cannot copy it.",                \
         "State alignment with `assume` (`div_by`), so that threads can copy 4, 8 or 16 bytes at once.")               \
  MISSED(TensorCopy, "TensorCopy", TmaRemarks, "A tile is loaded or stored by the threads instead of by TMA.",         \
         "Remove the obstacle that the message names; TMA needs strides and addresses that are multiples of 16 bytes " \
         "(`assume` states that).")                                                                                    \
  MISSED(Multicast, "Multicast", TmaRemarks, "Each CTA of a cluster loads all of a tile that the others load, too.",   \
         "Use larger tiles, or create the view of the array outside of the loop.")                                     \
  ANALYSIS(Multicast, "Multicast", TmaRemarks,                                                                         \
           "Each CTA of a cluster loads a part of a tile, and TMA writes it to all of them.",                          \
           "Nothing; it saves memory bandwidth.")                                                                      \
  MISSED(PipelineStages, "PipelineStages", PipelineRemarks,                                                            \
         "A software pipeline has fewer stages than it should have.",                                                  \
         "Use smaller tiles, or ask for fewer stages; the message says what limits them.")                             \
  ANALYSIS(PipelineStages, "PipelineStages", PipelineRemarks,                                                          \
           "How many stages a software pipeline has, and the bytes of each.",                                          \
           "Nothing; the hint `latency` of a load sets the number of stages.")                                         \
  MISSED(UnspecializedPipeline, "UnspecializedPipeline", PipelineRemarks,                                              \
         "A loop does not overlap its MMAs with the rest of an iteration.",                                            \
         "Remove the obstacle that the message names.")                                                                \
  MISSED(CtaPair, "CtaPair", PipelineRemarks, "The two CTAs of a pair do not multiply together.",                      \
         "Remove the obstacle that the message names; pairs need tiles of 128 or 256 rows and a cluster of an even "   \
         "number of CTAs.")                                                                                            \
  ANALYSIS(CtaPair, "CtaPair", PipelineRemarks,                                                                        \
           "One instruction multiplies for two CTAs of a cluster, which hold one half of operand B each.",             \
           "Nothing; `--set cta-pairs=false` forms no pairs.")                                                         \
  MISSED(LoopSchedule, "LoopSchedule", ScheduleRemarks,                                                                \
         "The operations of a loop keep the order that they have in the program.",                                     \
         "Use smaller tiles where the message names registers; else remove the obstacle that it names.")               \
  ANALYSIS(                                                                                                            \
      LoopSchedule, "LoopSchedule", ScheduleRemarks,                                                                   \
      "The schedule of a loop: its initiation interval, the bounds of that, its stages, and the unit that limits it.", \
      "Where the interval is well above its bounds, try another scheduler (`--set scheduler.name=…`).")                \
  ANALYSIS(SplitLoop, "SplitLoop", ScheduleRemarks,                                                                    \
           "A loop is split where elements begin to be masked or a condition changes.",                                \
           "Nothing; the first part needs no mask.")                                                                   \
  MISSED(PrepareForScheduling, "PrepareForScheduling", ScheduleRemarks,                                                \
         "The consumer of a loop is scheduled as a whole instead of by single operations.",                            \
         "Remove the obstacle that the message names.")                                                                \
  MISSED(MaterializeSchedule, "MaterializeSchedule", ScheduleRemarks,                                                  \
         "A loop keeps the order of the program although it has a schedule.",                                          \
         "Remove the obstacle that the message names.")                                                                \
  MISSED(WarpSpecialization, "WarpSpecialization", ScheduleRemarks,                                                    \
         "All warps load and compute; none is specialised.", "Remove the obstacle that the message names.")            \
  ANALYSIS(WarpSpecialization, "WarpSpecialization", ScheduleRemarks,                                                  \
           "Which warps load and which compute, or that all do both, and the figures that decide it.",                 \
           "`--profile o3-ws` specialises warps wherever that is possible, `--profile o3-unspecialized` never.")       \
  ANALYSIS(DualSimt, "DualSimt", ScheduleRemarks,                                                                      \
           "Whether one or two groups of warps compute, and the figures that decide it.",                              \
           "Nothing; `--set use-dual-simt=true` or `false` decides.")                                                  \
  MISSED(ProductAgent, "ProductAgent", ScheduleRemarks,                                                                \
         "Warps that compute also issue the MMAs; no warp is specialised for that.",                                   \
         "Remove the obstacle that the message names.")                                                                \
  ANALYSIS(ProductAgent, "ProductAgent", ScheduleRemarks,                                                              \
           "Whether a warp of its own issues the MMAs, and how much tensor memory their accumulators take.",           \
           "Nothing; `--set product-agent=true` or `false` decides.")

TILEIRAS_REMARK_TABLE(ASYNC_REMARKS)

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_REMARKS_H
