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
  ROW(warpsOfProducts, "warps-of-products", 8, 1,                                                                      \
      "warps up to which a kernel has more of them where its MMAs have the rows",                                      \
      "guess: one warpgroup multiplies while the other does what lies between MMAs")                                   \
  /* Tiles that registers have no room for. */                                                                         \
  ROW(slicedTilePercent, "sliced-tile-percent", 75, 25,                                                                \
      "percent of a thread's registers from which on a tile is computed slice by slice", "guess")                      \
  ROW(mostRecomputedForSlice, "most-recomputed-for-slice", 6, 1,                                                       \
      "operations up to which a slice is computed again for a second user, not kept in memory", "guess")               \
  ROW(costOfKeptSlice, "cost-of-kept-slice", 2, 0,                                                                     \
      "operations that a slice in memory counts as where slices are computed again", "guess")                          \
  ROW(costOfSlicedFunction, "cost-of-sliced-function", 8, 0,                                                           \
      "operations that a function or a division counts as where slices are computed again", "guess")                   \
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
  ROW(ctasOfGroups, "ctas-of-groups", 2, 1,                                                                            \
      "CTAs of a multiprocessor that stages leave room for where all threads of one meet for each of them",            \
      "model: f16 2048x2048x2048 by tiles of 128x128x64 on a100-sxm 101 us with 2, 119 us with 1 and more stages")     \
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
  ROW(exponentialsOfUnit, "exponentials-of-unit", 6, 1,                                                                \
      "exponentials that their unit computes before multiplications compute the next ones", "guess")                   \
  ROW(multipliedExponentials, "multiplied-exponentials", 2, 1,                                                         \
      "exponentials that multiplications compute before the unit computes the next ones", "guess")                     \
  ROW(leastOverlappedExponentials, "least-overlapped-exponentials", 32, 1,                                             \
      "exponentials of a thread in an iteration from which on MMAs run beside them", "guess")                          \
  ROW(registersBesideExponentials, "registers-beside-exponentials", 80, 0,                                             \
      "registers of a thread beside exponentials and the accumulators of MMAs that run meanwhile",                     \
      "guess: halves of exponentials, addresses, what is known of each row")                                           \
  ROW(leastSplitExponentials, "least-split-exponentials", 32, 1,                                                       \
      "exponentials of a thread in an iteration from which on multiplications compute a part of them", "guess")        \
  ROW(registersOfRows, "registers-of-rows", 4, 0,                                                                      \
      "registers up to which a thread's part of a tile of rows is computed early in its stage", "guess")               \
  ROW(leastPromotedRegisters, "least-promoted-registers", 32, 0,                                                       \
      "registers of a thread for an accumulator from which on its 8-bit parts are added by the loop",                  \
      "guess: fewer additions take as long as starting an MMA")                                                        \
  ROW(registersOfParts, "registers-of-parts", 208, 0,                                                                  \
      "registers of a thread, of 256, that an accumulator and the parts added to it take at most",                     \
      "guess: the others are for addresses and what comes after the MMA")                                              \
  ROW(leastColumnsOfParts, "least-columns-of-parts", 64, 8,                                                            \
      "columns of an MMA below which it is not made narrower for parts of accumulators",                               \
      "guess: narrower ones read A too often, and shared memory would hold them up")                                   \
  /* Clusters and persistent kernels. */                                                                               \
  ROW(registersBesideAccumulators, "registers-beside-accumulators", 32, 0,                                             \
      "registers of a thread of a persistent kernel beside its accumulators",                                          \
      "guess: addresses, fragments of operands, what the compiler keeps")                                              \
  ROW(rasterGroup, "raster-group", 8, 1, "rows of tile blocks that a persistent matmul visits together",               \
      "published: 7 to 8 % faster at 8192 than rows, on an A100")                                                      \
  ROW(responsesOfAgents, "responses-of-agents", 4, 1,                                                                  \
      "tile blocks that a producer may be ahead of those who compute, rounded down to a power of two, 8 at most",      \
      "guess")                                                                                                         \
  ROW(placesOfKeptMaps, "places-of-kept-maps", 4, 1,                                                                   \
      "entries of a hash table that are looked at for tensor maps of an earlier launch",                               \
      "guess: more take longer to find that there are none")                                                           \
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
  /* Shared memory. */                                                                                                 \
  ROW(exchangeBytes, "exchange-bytes", 16384, 4096,                                                                    \
      "bytes that tiles leave for what threads exchange, as far as they exchange so much",                             \
      "guess: exchanges are fast with so many, whatever they exchange")                                                \
  ROW(smallestScratch, "smallest-scratch", 4096, 4096,                                                                 \
      "bytes that exchanges have at a time where static shared memory has fewer left; the launch provides them",       \
      "guess: with less there would be more barriers than anything else")                                              \
  ROW(smallExchangeBytes, "small-exchange-bytes", 1024, 0,                                                             \
      "bytes up to which exchanges are small: they become one, or have two places alternately",                        \
      "guess: one takes no longer than the barriers around it")                                                        \
  ROW(smallArenaBytes, "small-arena-bytes", 4096, 0,                                                                   \
      "bytes of shared memory up to which small exchanges get a second place",                                         \
      "model: as many blocks as there can be on a multiprocessor have so much")                                        \
  /* What an assembler makes of registers. */                                                                          \
  ROW(registersOfInstructions, "registers-of-instructions", 18, 0,                                                     \
      "registers of a thread for the assembler and for values within one operation", "guess")                          \
  ROW(leastTightRegisters, "least-tight-registers", 40, 24,                                                            \
      "registers of a thread that an assembler gets by with at least",                                                 \
      "guess: nothing is spilled for row sums, norms, softmax and the like")                                           \
  ROW(tightSaving, "tight-saving", 6, 1,                                                                               \
      "of registers above least-tight-registers, one of so many is saved by an assembler that is short of them",       \
      "guess")                                                                                                         \
  ROW(tightInstructionSaving, "tight-instruction-saving", 6, 0,                                                        \
      "registers for values within one operation that are saved where a kernel combines few numbers", "guess")         \
  ROW(mostTightSums, "most-tight-sums", 2, 0,                                                                          \
      "numbers that a thread combines in one reduction up to which they are few", "guess")                             \
  ROW(leastSequenceRegisters, "least-sequence-registers", 64, 24,                                                      \
      "registers of a thread that long sequences, as those of f64, get by with at least",                              \
      "guess: nobody has counted theirs")                                                                              \
  ROW(sequenceSaving, "sequence-saving", 4, 1, "of registers above least-sequence-registers, one of so many is saved", \
      "guess")                                                                                                         \
  ROW(divisorRegisters, "divisor-registers", 2, 0, "registers of a thread for each divisor of a kernel but the first", \
      "model: its reciprocal")                                                                                         \
  ROW(divisionPart, "division-part", 12, 1, "of so many registers an assembler needs one more where a kernel divides", \
      "guess")                                                                                                         \
  ROW(mostRecomputedForRegisters, "most-recomputed-for-registers", 32, 0,                                              \
      "operations up to which a tile is computed again after a reduction, not kept in registers",                      \
      "guess: more cost more time than registers, and code that grows with each reduction of a line of them")          \
  ROW(registersOfRoots, "registers-of-roots", 4, 0,                                                                    \
      "registers of a thread up to which a tile is kept that others are computed from after a reduction", "guess")     \
  /* Code. */                                                                                                          \
  ROW(leastConstantsOfEdge, "least-constants-of-edge", 4, 1,                                                           \
      "constants that one way of a branch sets from which on it has a block of its own",                               \
      "guess: a block more costs a branch on its way, and on none that goes on straight")                              \
  ROW(mmasAfterRead, "mmas-after-read", 4, 0,                                                                          \
      "MMAs of a warp between the read of a fragment and the first that needs it, where there are so many",            \
      "model: ldmatrix takes 29 cycles (recalled), an MMA of A100's 8 at the least")                                   \
  ROW(mmasBetweenCopies, "mmas-between-copies", 8, 0,                                                                  \
      "MMAs of a warp between a cp.async and the next one, where there are so many; 0: copies stay together",          \
      "model: 4 loses 3 % of matmuls by 256x128x64 on a100-sxm, 2 wins nothing")                                       \
  ROW(leastSharedQuotients, "least-shared-quotients", 4, 2,                                                            \
      "quotients of one divisor from which on they share its reciprocal",                                              \
      "guess: a reciprocal with the tests takes as long as two or three divisions")                                    \
  ROW(mostSharedQuotients, "most-shared-quotients", 32, 2,                                                             \
      "quotients of one divisor that share its reciprocal at most", "guess: they are alive together")                  \
  /* The compiler's own time. */                                                                                       \
  ROW(leastScheduledOperations, "least-scheduled-operations", 8, 0,                                                    \
      "operations of a loop below which it keeps its order where no scheduler is asked for", "guess")                  \
  ROW(leastNamedRegisters, "least-named-registers", 16, 1,                                                             \
      "accumulators of MMAs in a kernel from which on LLVM does not see their registers",                              \
      "guess: fewer take nobody's time")                                                                               \
  ROW(scheduleMilliseconds, "schedule-milliseconds", 4500, 1, "milliseconds that a scheduler may take for a loop",     \
      "choice: a loop that is scheduled twice takes ten seconds at most")                                              \
  /* Tensor memory. */                                                                                                 \
  ROW(tensorMemoryRowBytes, "tensor-memory-row-bytes", 4, 1,                                                           \
      "bytes of each row of tensor memory that its port moves in a cycle",                                             \
      "model: a column of 32 bits, as tcgen05.ld and .st of the shape 32x32b move them")                               \
  /* Loads that take a conversion over. */                                                                             \
  ROW(accessCost, "access-cost", 4, 0, "issue slots of an access of global memory beside the lines that it touches",   \
      "model: the address, whether it is within bounds, the instruction, what padding there is")

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
