//===- Contiguity.h - Which pointers of a tile are neighbours ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_CONTIGUITY_H
#define TILEIRAS_DIALECT_TILEAA_CONTIGUITY_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace tileiras::aa {

/// What is known of the elements of a tile of integers or pointers along each dimension, for aligned groups of elements
/// (group i of n holds the indices n·i … n·i+n-1). All numbers are powers of two.
struct TileFacts {
  /// Groups of so many elements grow by one (integers) or by the size of an element (pointers).
  llvm::SmallVector<int64_t> contiguity;
  /// Divides the first element of every such group; an address in bytes. At most kMaxKnownDivisor.
  llvm::SmallVector<int64_t> divisor;
  /// Groups of so many elements are equal.
  llvm::SmallVector<int64_t> constancy;

  bool operator==(const TileFacts &other) const = default;
};

/// Facts about tiles, from ranges, constants, arithmetic, shape operations and `nv_tileaa.assume`; through loops by
/// iteration to a fixed point. Each value is looked at once.
class ContiguityAnalysis {
public:
  /// `value` is a tensor or a scalar; facts of a scalar have one dimension.
  const TileFacts &get(mlir::Value value);

private:
  TileFacts compute(mlir::Value value);
  TileFacts computeArgument(mlir::BlockArgument argument);

  llvm::DenseMap<mlir::Value, TileFacts> known;
  /// Taken for granted while it is checked that the body of the loop keeps it.
  llvm::SmallDenseMap<mlir::Value, TileFacts, 4> assumed;
  unsigned depth = 0;
};

/// Pointers to neighbours in memory.
struct PointerRun {
  unsigned dim = 0;
  /// Aligned groups of so many pointers along `dim` point to neighbours, the first to an address that is a multiple of
  /// the bytes of the group; at most 16 bytes. Masks are equal within each.
  int64_t elements = 1;
};

/// The longest run of a tile of pointers; of equal ones that along the last dimension. `mask` may be null.
PointerRun getPointerRun(mlir::Value pointers, mlir::Value mask);

} // namespace tileiras::aa

#endif // TILEIRAS_DIALECT_TILEAA_CONTIGUITY_H
