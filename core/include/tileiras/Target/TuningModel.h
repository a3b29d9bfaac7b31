//===- TuningModel.h - Constants that were measured or guessed --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thresholds and costs that no specification says: what passes choose by them may be slower or faster, never wrong.
// They stand here, each with its source, and nowhere in a pass. A target gives each of its chips a model; an experiment
// overrides entries with --set tuning.NAME=VALUE, or finds them with getTuningEntries.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TARGET_TUNINGMODEL_H
#define TILEIRAS_TARGET_TUNINGMODEL_H

#include "tileiras/Layout/ConversionCosts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

// ROW(field, name, value, least value, meaning with its unit, where the value is from: "measured on …", "published: …",
// "model: …" or "guess")
#define TILEIRAS_TUNING_TABLE(ROW)                                                                                     \
  /* How many warps a kernel has, where it does not say. */                                                            \
  ROW(largestTileRegisters, "largest-tile-registers", 64, 1,                                                           \
      "registers of a thread that the largest tile takes at most", "guess")                                            \
  ROW(accumulatorRegisters, "accumulator-registers", 128, 1,                                                           \
      "the same where it is an accumulator of warpgroups, whose operands are in memory",                               \
      "published: what the fastest kernels do")                                                                        \
  ROW(aliveRegisters, "alive-registers", 192, 1, "registers of a thread that all tiles alive at once take at most",    \
      "guess: addresses and what instructions work with need some, too")                                               \
  ROW(streamRegisters, "stream-registers", 128, 1, "the same in kernels without MMAs",                                 \
      "guess: time is that of memory there, and fewer warps keep too little on its way")                               \
  /* Loads that run ahead. */                                                                                          \
  ROW(bytesInFlight, "bytes-in-flight", 32768, 0,                                                                      \
      "bytes that all CTAs of a multiprocessor load at once; more brings no bandwidth",                                \
      "model: 4.8 TB/s of 132 multiprocessors with a latency of some 600 ns are 22 KB, and not all loads take the "    \
      "shortest way")                                                                                                  \
  ROW(narrowLoadFactor, "narrow-load-factor", 4, 1,                                                                    \
      "how many times more iterations load at once tiles that give a thread less than 16 bytes each", "guess")         \
  ROW(registersBesideLoads, "registers-beside-loads", 32, 0,                                                           \
      "registers of a thread beside the tiles that it loads ahead",                                                    \
      "guess: addresses, numbers, what instructions work with; too many cost nothing, more is loaded at once then")    \
  ROW(leastFragmentQueueBytes, "least-fragment-queue-bytes", 8192, 0,                                                  \
      "bytes of an iteration from which on what MMAs read as fragments goes through a queue", "guess")                 \
  ROW(mostSideQueueBytes, "most-side-queue-bytes", 4096, 0,                                                            \
      "bytes of a tile beside MMAs up to which it goes through a queue",                                               \
      "guess: numbers of rows or columns, as scales are; what is larger takes stages from operands")                   \
  ROW(leastTmaStoreBytes, "least-tma-store-bytes", 4096, 0, "bytes from which on TMA stores a result of MMAs",         \
      "guess: below, the way through shared memory and the wait cost more than they save")                             \
  ROW(stagesBesideStores, "stages-beside-stores", 3, 1, "stages that a pipeline keeps where results need its memory",  \
      "guess: fewer do not cover the latency of loads")                                                                \
  /* Specialised warps. */                                                                                             \
  ROW(producerRegisters, "producer-registers", 24, 24, "registers of a thread that starts tensor copies",              \
      "published: what CUTLASS gives its loading warps beside 240; the least that setmaxnreg gives")                   \
  ROW(plannerRegisters, "planner-registers", 40, 24,                                                                   \
      "registers of one that also makes tensor maps in a loop, or asks for the next tile block",                       \
      "published: what CUTLASS gives its loading warps beside 232")                                                    \
  ROW(copierRegisters, "copier-registers", 80, 24, "registers of one that copies parts of tiles by cp.async",          \
      "guess: an address for each part")                                                                               \
  ROW(loaderRegisters, "loader-registers", 104, 24,                                                                    \
      "registers of one that holds parts of tiles on their way to stages", "guess")                                    \
  ROW(mmaAgentRegisters, "mma-agent-registers", 40, 24, "registers of a thread that starts MMAs",                      \
      "guess: descriptors of both operands, addresses of stages, iterators, loop counters")                            \
  ROW(mostBytesOfCopyingWarp, "most-bytes-of-copying-warp", 8192, 0,                                                   \
      "bytes of a stage up to which one warp copies them by cp.async beside tensor copies",                            \
      "guess: 64 copies of a word by each lane")                                                                       \
  ROW(cyclesToFillStage, "cycles-to-fill-stage", 256, 0,                                                               \
      "cycles in which a thread waits for an empty stage and starts its tensor copies",                                \
      "model: some thirty instructions that depend on each other, and a barrier's round trip")                         \
  ROW(cyclesToStartCopy, "cycles-to-start-copy", 16, 0,                                                                \
      "cycles from one cp.async of a warp to its next, beside the warps that compute", "model")                        \
  ROW(cyclesToLoadStage, "cycles-to-load-stage", 1024, 0,                                                              \
      "cycles until what threads load has come and lies in its stage", "guess")                                        \
  ROW(mostProducerTileElements, "most-producer-tile-elements", 256, 1,                                                 \
      "elements of a tile that a producer of one warp computes", "guess: eight registers of each lane")                \
  ROW(mostAccumulatorStages, "most-accumulator-stages", 2, 1, "stages of accumulators in tensor memory",               \
      "model: more would wait for the epilogue all the same")                                                          \
  /* Kinds of kernels. */                                                                                              \
  ROW(pingPongPart, "ping-pong-part", 4, 1,                                                                            \
      "warpgroups alternate where MMAs and arithmetic take no less than this part of each other's time", "guess")      \
  ROW(longArithmeticPart, "long-arithmetic-part", 4, 1,                                                                \
      "arithmetic after MMAs that takes no less than this part of its unit's time is in the exclusive section",        \
      "guess")                                                                                                         \
  ROW(leastSplitExponentials, "least-split-exponentials", 32, 1,                                                       \
      "exponentials of a thread in an iteration from which on multiplications compute a part of them", "guess")        \
  ROW(registersOfRows, "registers-of-rows", 4, 0,                                                                      \
      "registers up to which a thread's part of a tile of rows is computed early in its stage", "guess")               \
  ROW(leastPromotedRegisters, "least-promoted-registers", 32, 0,                                                       \
      "registers of a thread for an accumulator from which on its 8-bit parts are added by the loop",                  \
      "guess: fewer additions take as long as starting an MMA")                                                        \
  /* Clusters and persistent kernels. */                                                                               \
  ROW(registersBesideAccumulators, "registers-beside-accumulators", 32, 0,                                             \
      "registers of a thread of a persistent kernel beside its accumulators",                                          \
      "guess: addresses, fragments of operands, what the compiler keeps")                                              \
  ROW(rasterGroup, "raster-group", 8, 1, "rows of tile blocks that a persistent matmul visits together",               \
      "published: 7 to 8 % faster at 8192 than rows, on an A100")                                                      \
  ROW(mostRecomputedAtBoundary, "most-recomputed-at-boundary", 8, 0,                                                   \
      "operations up to which agents compute a tile twice instead of handing it over", "guess")                        \
  ROW(mostRepeatedForLayout, "most-repeated-for-layout", 24, 0,                                                        \
      "operations up to which they are repeated in another layout of CTAs", "guess")                                   \
  /* Layouts. */                                                                                                       \
  ROW(occupancyTolerance, "occupancy-tolerance", 10, 0,                                                                \
      "percent by which the estimate of registers may exceed what an occupancy allows", "guess")                       \
  ROW(sharedWeight, "shared-weight", 100, 0, "hundredths that a transaction of shared memory counts in a layout",      \
      "guess")                                                                                                         \
  ROW(tensorMemoryWeight, "tensor-memory-weight", 400, 0,                                                              \
      "hundredths that a cycle of tensor memory counts in a layout", "guess")                                          \
  ROW(registerWeight, "register-weight", 25, 0, "hundredths that a live register counts in a layout", "guess")         \
  ROW(wavefrontCost, "wavefront-cost", 2, 0,                                                                           \
      "issue slots of a shuffle of 32 bits, or of a wavefront of shared memory, where a tile changes layouts",         \
      "model: a select takes one")                                                                                     \
  ROW(shuffleLatencyCost, "shuffle-latency-cost", 6, 0, "issue slots that are lost until the first shuffle is done",   \
      "guess")                                                                                                         \
  ROW(warpSyncCost, "warp-sync-cost", 24, 0,                                                                           \
      "issue slots that are lost when the lanes of a warp exchange data through shared memory", "guess")               \
  ROW(ctaBarrierCost, "cta-barrier-cost", 48, 0,                                                                       \
      "issue slots that are lost when the threads of a CTA exchange data through shared memory", "guess")              \
  /* The compiler's own time. */                                                                                       \
  ROW(leastScheduledOperations, "least-scheduled-operations", 8, 0,                                                    \
      "operations of a loop below which it keeps its order where no scheduler is asked for", "guess")                  \
  ROW(scheduleMilliseconds, "schedule-milliseconds", 4500, 1, "milliseconds that a scheduler may take for a loop",     \
      "choice: a loop that is scheduled twice takes ten seconds at most")

namespace tileiras {

struct TuningModel {
#define TILEIRAS_DETAIL_TUNING_FIELD(FIELD, NAME, VALUE, ...) int64_t FIELD = VALUE;
  TILEIRAS_TUNING_TABLE(TILEIRAS_DETAIL_TUNING_FIELD)
#undef TILEIRAS_DETAIL_TUNING_FIELD

  ConversionCosts getConversionCosts() const {
    return {wavefrontCost, shuffleLatencyCost, warpSyncCost, ctaBarrierCost};
  }
};

/// A row of the table.
struct TuningEntry {
  llvm::StringLiteral name;        ///< "bytes-in-flight"
  int64_t TuningModel::*field;     ///< its default is the value that a model has where its target says nothing
  int64_t least;                   ///< smaller values mean nothing
  llvm::StringLiteral option;      ///< "tuning.bytes-in-flight"
  llvm::StringLiteral description; ///< meaning, unit and source
};

/// All of them, in the order of the table.
llvm::ArrayRef<TuningEntry> getTuningEntries();

} // namespace tileiras

#endif // TILEIRAS_TARGET_TUNINGMODEL_H
