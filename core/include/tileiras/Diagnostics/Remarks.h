//===- Remarks.h - Remarks of the core --------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The core's table of remarks. Plugins may emit these, too, and use their categories for remarks of their own.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIAGNOSTICS_REMARKS_H
#define TILEIRAS_DIAGNOSTICS_REMARKS_H

#include "tileiras/Diagnostics/RemarkTable.h"

namespace tileiras {

inline constexpr RemarkCategory HintRemarks{"hints", "Hints of the program that the compiler does not follow."};
inline constexpr RemarkCategory SlicingRemarks{"slicing", "Tiles that are too large for registers."};
inline constexpr RemarkCategory ConversionRemarks{"convert-tileaa-to-tileas",
                                                  "Which instructions are chosen for MMAs."};
inline constexpr RemarkCategory DotRemarks{"dot", "How MMAs are lowered."};
inline constexpr RemarkCategory TmaRemarks{"tma", "Which tiles TMA copies, and where tensor maps are built."};
inline constexpr RemarkCategory MemoryRemarks{
    "memory", "How memory is accessed, and which tiles are kept in shared, tensor, local or global memory."};
inline constexpr RemarkCategory RegisterRemarks{"registers", "Registers per thread: estimates, limits and spills."};
inline constexpr RemarkCategory ScheduleRemarks{
    "schedule", "Schedules of loops, warp specialisation, and which warps do what at which time."};
inline constexpr RemarkCategory PipelineRemarks{"pipeline",
                                                "Software pipelines: their stages, and loops that have none."};

#define TILEIRAS_CORE_REMARKS(PASSED, MISSED, ANALYSIS)                                                                \
  MISSED(IgnoredHint, "IgnoredHint", HintRemarks, "A hint of the kernel or of a memory access is not followed.",       \
         "Correct or remove the hint, or change what the message names, such as the number of warps or the size of "   \
         "tiles.")                                                                                                     \
  MISSED(LargeTiles, "LargeTiles", SlicingRemarks, "Tiles do not fit in registers and are computed slice by slice.",   \
         "Use smaller tiles or more warps; `--set max-elements-per-thread=N` moves the limit.")                        \
  MISSED(TensorCore, "TensorCore", ConversionRemarks,                                                                  \
         "No tensor core instruction has these element types, extents or scales.",                                     \
         "Use element types and extents that the tensor cores of the GPU have, or compile for a GPU that has them.")   \
  MISSED(TensorCoreDot, "TensorCore", DotRemarks, "An MMA is computed with ordinary multiply-add instructions.",       \
         "Use element types and extents that the tensor cores of the GPU have, or compile for a GPU that has them.")   \
  MISSED(TensorMapOnDevice, "TensorMapOnDevice", TmaRemarks,                                                           \
         "The host cannot build this tensor map (`tma-descriptors=host`), so each tile block builds it.",              \
         "Make the base address, extents and strides of the view parameters of the kernel, or constants.")             \
  ANALYSIS(SharedBuffer, "SharedBuffer", MemoryRemarks,                                                                \
           "Other tiles reuse the shared memory of a pipeline after its last stage has been read.",                    \
           "Nothing; it saves shared memory.")                                                                         \
  MISSED(SharedBuffer, "SharedBuffer", MemoryRemarks,                                                                  \
         "Two pipelines that are not in use at the same time have shared memory of their own each.",                   \
         "Where shared memory limits the stages, use smaller tiles or only one of the loops.")                         \
  MISSED(TilesInMemory, "TilesInMemory", MemoryRemarks,                                                                \
         "Tiles that are too large for registers are kept in local memory.", "Use smaller tiles or more warps.")       \
  MISSED(StaticSharedMemory, "StaticSharedMemory", MemoryRemarks,                                                      \
         "The kernel needs more shared memory than static arrays may have, so its launch provides dynamic memory.",    \
         "Launch it with `libtileiras-launch` or `tileiras-run`, pass `dynamic_shared_bytes` of the metadata, or use " \
         "smaller tiles.")                                                                                             \
  MISSED(HeapMemory, "HeapMemory", MemoryRemarks, "Allocations of the kernel are in the heap of the device.",          \
         "Set `cudaLimitMallocHeapSize` to what all tile blocks need that run at once, or allocate less.")             \
  MISSED(VectorAccess, "VectorAccess", MemoryRemarks,                                                                  \
         "Threads access fewer elements at once than their layout allows, since alignment is not known.",              \
         "State it with `assume` (`div_by`) for the pointer, the strides and the extents, or make these static.")      \
  MISSED(TensorMemory, "TensorMemory", MemoryRemarks,                                                                  \
         "Tensor memory has too few columns for all accumulators and scales at once.",                                 \
         "Use smaller tiles or fewer stages.")                                                                         \
  ANALYSIS(LoadsInFlight, "LoadsInFlight", MemoryRemarks,                                                              \
           "How many bytes of loads are in flight on a multiprocessor at once.",                                       \
           "Where memory bandwidth is the bound and this is low, use larger tiles or more tile blocks per SM.")        \
  ANALYSIS(Occupancy, "Occupancy", RegisterRemarks,                                                                    \
           "Registers per thread are limited so that more tile blocks are resident on a multiprocessor.",              \
           "Nothing; a hint `occupancy` of the kernel decides instead.")                                               \
  ANALYSIS(RegisterEstimate, "RegisterEstimate", RegisterRemarks,                                                      \
           "How many registers a thread is estimated to need, of those that it may have.",                             \
           "Where it needs more than there are, use smaller tiles or more warps.")                                     \
  MISSED(RegisterPressure, "RegisterPressure", RegisterRemarks,                                                        \
         "This operation needs more registers per thread than there are, so tiles are spilled.",                       \
         "Use smaller tiles, more warps or a smaller hint `occupancy`.")                                               \
  MISSED(Spills, "Spills", RegisterRemarks, "The assembler has spilled registers to memory.",                          \
         "Use smaller tiles, more warps or a smaller hint `occupancy`.")                                               \
  MISSED(PingPong, "PingPong", ScheduleRemarks,                                                                        \
         "The warpgroups of a loop do not alternate between MMAs and arithmetic (ping-pong).",                         \
         "Move what the message names out of the loop; it makes all warpgroups wait for each other.")                  \
  ANALYSIS(PingPong, "PingPong", ScheduleRemarks,                                                                      \
           "Whether warpgroups alternate between MMAs and arithmetic (ping-pong), and the cycles of both.",            \
           "Nothing; ping-pong pays where both take about as long.")                                                   \
  ANALYSIS(ProductGroups, "ProductGroups", ScheduleRemarks,                                                            \
           "Each warpgroup starts the MMAs of its own rows, and waits for these alone.",                               \
           "Nothing; waits are shorter.")                                                                              \
  MISSED(SynchronousProducts, "SynchronousProducts", PipelineRemarks,                                                  \
         "MMAs wait for the loads of their operands, and what follows waits for them.",                                \
         "Compile with `-O3` for a GPU with software pipelines; other remarks say why a loop has none.")

TILEIRAS_REMARK_TABLE(TILEIRAS_CORE_REMARKS)

} // namespace tileiras

#endif // TILEIRAS_DIAGNOSTICS_REMARKS_H
