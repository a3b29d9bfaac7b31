//===- BankConflicts.h - Shared memory wavefronts ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Shared memory has 32 banks of 4 bytes. The lanes of a warp are served in phases: all 32 at once for accesses of up to
// 4 bytes, halves of 16 lanes for 8 bytes, quarters of 8 lanes for 16 bytes. In a phase, a bank delivers one word to
// all lanes that want it; each further word of the same bank costs one more wavefront.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_BANKCONFLICTS_H
#define TILEIRAS_LAYOUT_BANKCONFLICTS_H

#include "tileiras/Layout/MemoryAccess.h"

namespace tileiras {

inline constexpr unsigned kSharedMemoryBanks = 32;
inline constexpr unsigned kSharedMemoryBankBytes = 4;

/// What an access or a list of accesses of one warp costs. Conflicts are the wavefronts beyond one for each phase.
struct SharedMemoryTraffic {
  int64_t wavefronts = 0;
  int64_t conflicts = 0;

  bool operator==(const SharedMemoryTraffic &other) const = default;
};

/// One access of a warp: lane i moves `bytesPerLane` (1, 2, 4, 8 or 16) bytes at byte address `addresses[i]`, a
/// multiple of that size. Up to 32 lanes.
SharedMemoryTraffic countTraffic(llvm::ArrayRef<int64_t> addresses, unsigned bytesPerLane);

/// All accesses of `plan` by one warp to elements of `elementBytes`. (It is the same for every warp: the offsets of
/// another warp differ by an XOR, which permutes banks.) A vector is at most 16 bytes.
SharedMemoryTraffic countTraffic(const VectorAccessPlan &plan, unsigned elementBytes);

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_BANKCONFLICTS_H
