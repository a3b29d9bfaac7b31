//===- SharedExchange.h - Moving a tile through shared memory ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The shared memory layout, and the accesses on both sides, with which a tile held by one register layout is handed to
// another. The layout is swizzled: an F2-linear bijection of offsets and elements, as large as the tile.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_SHAREDEXCHANGE_H
#define TILEIRAS_LAYOUT_SHAREDEXCHANGE_H

#include "tileiras/Layout/BankConflicts.h"
#include "tileiras/Layout/LdMatrix.h"
#include "tileiras/Layout/MemoryAccess.h"

namespace tileiras {

/// What the target offers beyond plain shared memory accesses.
struct MatrixInstructions {
  bool load = false;  ///< ldmatrix
  bool store = false; ///< stmatrix
};

/// One side of an exchange: either the vector accesses or, when `matrix` is set, matrix instructions (`vector` is the
/// alternative without them). Register numbers are those of the register layout given.
struct SharedAccess {
  VectorAccessPlan vector;
  std::optional<MatrixAccessPlan> matrix;
  SharedMemoryTraffic traffic; ///< one warp, by `matrix` if set, else by `vector`
};

/// The accesses with which `distributed` reads or writes `shared`: as wide vectors as there are, or matrix instructions
/// (with or without .trans) when allowed and no slower. Registers that hold copies are not accessed.
SharedAccess planSharedAccess(const LinearLayout &distributed, const LinearLayout &shared, unsigned elementBits,
                              bool allowMatrix);

/// Lanes whose bit `lane` is set have their registers in another order: r and r ^ (1 << reg) change places.
struct RegisterSwap {
  unsigned lane, reg;
};

/// Elements that share a 32-bit register.
inline unsigned getElementsPerWord(unsigned elementBits) {
  return elementBits >= 32 ? 1 : 32 / (elementBits <= 8 ? 8 : elementBits);
}

/// Swaps after which lanes that would meet in a bank access different ones, as far as wavefronts saved outweigh the
/// selects (at two a wavefront). `distributed`, without copies in registers, becomes the layout of swapped registers.
/// Narrow elements are swapped by words, where consecutive registers make up words in memory.
llvm::SmallVector<RegisterSwap> swapRegisters(LinearLayout &distributed, const LinearLayout &shared,
                                              unsigned elementBits);

struct SharedExchange {
  LinearLayout layout; ///< input Offset, in elements; bijective
  SharedAccess store;  ///< registers of the writer
  SharedAccess load;   ///< registers of the reader

  int64_t getWavefronts() const { return store.traffic.wavefronts + load.traffic.wavefronts; }
};

/// The exchange with the fewest wavefronts among the layouts tried: the widest vectors common to both sides, the widest
/// of either, and rows for matrix instructions, each with the offsets of different rows spread over the banks such that
/// neither side has conflicts where that is possible. Ties go to fewer instructions, then to the layout that keeps the
/// longest run of a tile dimension contiguous. Elements under 8 bits take a byte. Deterministic.
SharedExchange chooseSharedExchange(const LinearLayout &writer, const LinearLayout &reader, unsigned elementBits,
                                    MatrixInstructions instructions = {});

/// Bytes an element takes in shared memory.
inline unsigned getSharedElementBytes(unsigned elementBits) {
  return elementBits <= 8 ? 1 : elementBits / 8;
}

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_SHAREDEXCHANGE_H
