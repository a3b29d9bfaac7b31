//===- TensorMemory.h - Tiles in tensor memory ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where products leave their accumulators, and find operand A, in tensor memory.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TENSORMEMORY_H
#define TILEIRAS_DIALECT_TILEAS_TENSORMEMORY_H

#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Target/IsaLimits.h"

namespace tileiras {
struct MmaAtom;
} // namespace tileiras

namespace tileiras::as {

// Rows of a tile are what the ISA calls lanes: instructions use all of IsaLimits::kTensorMemoryLanes, whatever the
// chip. How many columns there are is its machine model's to say.

/// A warp reaches the rows of the quarter that its number modulo four names, each lane one of them.
inline constexpr int64_t kTensorMemoryQuarters = 4,
                         kRowsOfQuarter = IsaLimits::kTensorMemoryLanes / kTensorMemoryQuarters;

/// The atoms of copies out of tensor memory and into it.
inline constexpr llvm::StringLiteral kTensorMemoryLoad = "tcgen05.ld", kTensorMemoryStore = "tcgen05.st";

/// The atom's instruction has half of the rows: the upper half of the columns of its accumulator is in the lower half
/// of tensor memory.
bool dividesColumns(const MmaAtom &atom);

/// `tile`, of rank 2, in tensor memory, as products of `atom` have operand `axis`, A or C: row m is row m % 128, and
/// each further 128 rows have columns of their own; columns may be divided. Narrow elements of A are packed, sums have
/// a column each.
mlir::RankedTensorType getTensorMemoryType(mlir::RankedTensorType tile, const MmaAtom &atom,
                                           OperandAxis axis = OperandAxis::C);

/// Where the elements of `tile`, which is in tensor memory, are: inputs Row and Column.
LinearLayout getTensorMemoryLayout(mlir::RankedTensorType tile);

/// Columns that `tile`, in tensor memory or on its way there, takes.
int64_t countTensorMemoryColumns(mlir::RankedTensorType tile);

/// Whether warps can move what they have in `registers` to or from a tile that lies so in tensor memory: lane l of warp
/// w has elements of row 32 (w % 4) + l alone (PTX ISA, "tcgen05.ld", shape 32x32b).
bool hasRowsOfWarps(const LinearLayout &registers, const LinearLayout &memory);

/// So many columns, if there are enough, one of several warpgroups with the same rows has, then the next one: of each
/// quarter of wide tiles all of them have some.
inline constexpr int64_t kColumnsOfGroup = 32;

/// How `numWarps` warps have `tile`, which is in tensor memory, so that they can move it; of several warpgroups each
/// has rows of its own, or columns one after the other. Nothing where there is no warpgroup, or a row is not used.
std::optional<LinearLayout> findRowLayout(mlir::RankedTensorType tile, int64_t numWarps);

/// A sum that starts as `tile` need not be stored: the first product overwrites what is there.
bool isZeroTile(mlir::Value tile);

} // namespace tileiras::as

#endif // TILEIRAS_DIALECT_TILEAS_TENSORMEMORY_H
