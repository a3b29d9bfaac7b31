//===- AsyncCopies.h - Copies that threads start ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `async.tiled_load` and `async.load` with the atom "cp.async": each thread starts copies of 4, 8 or 16 bytes from
// global to shared memory, past its registers. PTX ISA, "cp.async".
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_ASYNCCOPIES_H
#define TILEIRAS_DIALECT_TILEAS_ASYNCCOPIES_H

#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutRelations.h"
#include "tileiras/Layout/MemoryAccess.h"

namespace tileiras::as {

inline constexpr llvm::StringLiteral kAsyncCopyAtom = "cp.async";

/// Where shared memory is short, a tile goes through it to the copy engine in up to so many parts along its rows, one
/// behind the other; rows of each have so many bytes, the widest swizzle, at least.
inline constexpr int64_t kMostStoreParts = 4, kLeastPartRowBytes = 128;

/// What each thread copies.
struct AsyncCopyPlan {
  LinearLayout layout;   ///< registers stand for the elements that a thread copies
  VectorAccessPlan slot; ///< of the same elements in shared memory

  /// Where elements that are neighbours in global memory start in shared memory, in elements, but for the part that
  /// `slot.offset` gives; nothing if they are no neighbours there, or are not 4, 8 or 16 bytes.
  std::optional<int64_t> findOffset(llvm::ArrayRef<unsigned> registers) const;
  unsigned elementBytes = 1;
  int64_t maxBytes = 16; ///< of one copy
};

/// Whether tensor copies can do `conversion` on what they load: they round f32 to tf32, to the nearest, ties to even
/// (measured, H200, 2026-11-26; CUTLASS relies on it on later chips, too).
bool canTensorCopyConvert(aa::FpToFpOp conversion);

/// How the tile of any access through `view` lies in memory; `inBounds` has one flag for each memref dimension.
AccessPattern getAccessPattern(mlir::Value view, mlir::RankedTensorType tile, llvm::ArrayRef<bool> inBounds);

/// How `numWarps` warps copy the tile of `view` to `slot`; nothing if alignments that are known do not allow it.
/// `inBounds` has one flag for each dimension of the memref.
std::optional<AsyncCopyPlan> planAsyncCopy(mlir::Value view, mlir::RankedTensorType slot, llvm::ArrayRef<bool> inBounds,
                                           int64_t numWarps);

/// How threads copy what the tile of `pointers` points to.
std::optional<AsyncCopyPlan> planAsyncCopy(mlir::RankedTensorType pointers, mlir::RankedTensorType slot,
                                           std::optional<llvm::ArrayRef<int64_t>> contiguity);

} // namespace tileiras::as

#endif // TILEIRAS_DIALECT_TILEAS_ASYNCCOPIES_H
