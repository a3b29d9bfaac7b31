//===- BulkCopy.h - Bulk and tensor copies in flight ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_BULKCOPY_H
#define PTX_EMULATOR_BULKCOPY_H

#include "Access.h"
#include "AtomicMath.h"
#include "Decoder.h"
#include "Machine.h"
#include "MbarrierState.h"
#include <memory>
#include <vector>

namespace ptxemu {

/// A run of bytes between global and shared memory. `global` null: outside the tensor (filled on loads, skipped on
/// stores).
struct Chunk {
  uint64_t global = 0;
  uint32_t shared = 0; ///< offset in the CTA's window
  uint32_t bytes = 0;
  bool outside = false;
};

struct Copy {
  std::vector<Chunk> chunks;
  uint64_t fill = 0; ///< pattern for outside chunks
  unsigned fillBytes = 1;
  uint64_t map = 0;   ///< the tensor map that engines read it by, if that is in global memory
  bool packs = false; ///< a store of .b6p2x16: every chunk's 12 bytes come from 16 that hold 6 bits each
  /// A load of f32 as tf32: to the nearest, ties to even, and all NaNs alike (measured, H200, 2026-11-26).
  bool roundsToTf32 = false;

  /// The chunk with its bytes of shared memory.
  Chunk inShared(Chunk c) const {
    c.bytes = packs ? 16 : c.bytes;
    return c;
  }
};

/// A CTA that receives a load, and the one whose mbarrier hears of it.
struct LoadTarget {
  Cta *cta = nullptr, *signalled = nullptr;
};

/// Whether and how a store combines with what is in memory.
struct StoreReduction {
  bool reduce = false;
  AtomicOp op = AtomicOp::Add;
  Type type = Type::None;
  bool flush = false; ///< subnormal f32 operands and results
};

/// Global to the shared memory of every target, each signalling the mbarrier at the offset `barrier`.
void startLoad(Exec &, Copy, const std::vector<LoadTarget> &, uint64_t barrier, unsigned lane);
/// Shared to global in the issuing thread's current bulk group.
void startStore(Exec &, Copy, StoreReduction, unsigned lane);

/// The mbarrier operand's place; throws when it is not in shared memory.
Place barrierPlace(Exec &, Space, uint64_t address, unsigned lane);
/// The CTAs a multicast mask names.
std::vector<Cta *> multicastTargets(Exec &, uint32_t mask, unsigned lane);

void decodeTensorCopy(OpReader &, bool reduces);
void decodeTensorPrefetch(OpReader &);
bool readReduction(OpReader &, AtomicOp *);
/// .L2::cache_hint: a policy operand follows.
bool readCacheHint(OpReader &);
/// Whether bulk reductions have the operation for the type; `shared`: to shared memory of the cluster.
bool bulkReductionExists(AtomicOp, Type, bool shared);

} // namespace ptxemu

#endif // PTX_EMULATOR_BULKCOPY_H
