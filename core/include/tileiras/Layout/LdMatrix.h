//===- LdMatrix.h - Collective 8x8 matrix accesses --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// ldmatrix and stmatrix (PTX ISA) move 8x8 matrices of 16-bit elements between shared memory and registers. A matrix is
// eight rows of 16 contiguous bytes; lane l holds, in one 32-bit register, the bytes [4 * (l % 4), +4) of row l / 4;
// with .trans, the halves (row 2 * (l % 4), column l / 4) and (row 2 * (l % 4) + 1, column l / 4). An instruction moves
// 1, 2 or 4 matrices; lane 8 * j + i supplies the address of row i of matrix j. Without .trans, elements of 8 and 32
// bits work as well: a row is 16 or 4 of them.
//
// With .trans, a half is two elements of 8 bits, neighbours in a row. From two matrices a lane has two halves each, of
// four rows; exchanging bytes of the two words makes one word of the first neighbours and one of the second: four rows
// of one column each (`mixed`). Rows 128 bytes apart whose numbers differ by 8 meet in the banks of a swizzle, and the
// eight rows of a matrix would be 0, 1, 4, 5, 8, 9, 12, 13. Where the matrices of lanes with bit 1 set change places
// (`swapped`), they are 0, 1, 4, 5, 10, 11, 14, 15.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_LDMATRIX_H
#define TILEIRAS_LAYOUT_LDMATRIX_H

#include "tileiras/Layout/BankConflicts.h"
#include "tileiras/Layout/MemoryAccess.h"

namespace tileiras {

/// One ldmatrix or stmatrix. Matrix j occupies registers [j * E, (j + 1) * E) of `registers`, E = 32 / element bits:
/// the elements of one 32-bit register, least significant first. The element offset of the row whose address a lane
/// supplies is MatrixAccessPlan::rowOffset(lane, warp) ^ `offset`, a multiple of 16 bytes.
struct MatrixAccess {
  llvm::SmallVector<unsigned> registers;
  int64_t offset = 0;
};

/// All instructions that move a distributed tile between its registers and a shared memory layout; each register occurs
/// once. All lanes of the warp take part.
struct MatrixAccessPlan {
  bool transposed = false;
  bool mixed = false;    ///< matrices 2j and 2j + 1 are two words whose bytes are exchanged; `registers` are these
  bool swapped = false;  ///< and change places in lanes with bit 1 set
  unsigned matrices = 1; ///< of each instruction: 1, 2 or 4
  ThreadFunction rowOffset;
  llvm::SmallVector<MatrixAccess> accesses;

  int64_t getRowOffset(const MatrixAccess &access, int64_t laneId, int64_t warpId) const {
    return rowOffset.apply(laneId, warpId) ^ access.offset;
  }
};

/// The plan that moves all of `distributed` (32 lanes) with matrix instructions from or to `shared` (bijective, input
/// Offset), if there is one. `transposed` asks for .trans, for elements of 16 bits, or of 8. A layout that cannot be
/// moved this way is no error: the answer is nullopt.
std::optional<MatrixAccessPlan> planMatrixAccess(const LinearLayout &distributed, const LinearLayout &shared,
                                                 unsigned elementBits, bool transposed);

/// The traffic of one warp: each matrix is one phase of eight 16-byte rows.
SharedMemoryTraffic countTraffic(const MatrixAccessPlan &plan, unsigned elementBytes);

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_LDMATRIX_H
