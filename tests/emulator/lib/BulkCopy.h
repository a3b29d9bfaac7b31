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
};

/// Global to the shared memory of the CTAs in `destinations`, each signalling the mbarrier at `barrier` of that CTA
/// (or of the one `barrierCta` names).
void startLoad(Exec &, Copy, const std::vector<Cta *> &destinations, Cta *barrierCta, uint64_t barrier, unsigned lane);
/// Shared to global in the issuing thread's current bulk group. `reduce`: combine instead of overwriting.
void startStore(Exec &, Copy, bool reduce, AtomicOp, Type, unsigned lane);

/// The mbarrier operand's place; throws when it is not in shared memory.
Place barrierPlace(Exec &, Space, uint64_t address, unsigned lane);
/// The CTAs a multicast mask names.
std::vector<Cta *> multicastTargets(Exec &, uint32_t mask, unsigned lane);

void decodeTensorCopy(OpReader &, bool reduces);
void decodeTensorPrefetch(OpReader &);
bool readReduction(OpReader &, AtomicOp *);

} // namespace ptxemu

#endif // PTX_EMULATOR_BULKCOPY_H
