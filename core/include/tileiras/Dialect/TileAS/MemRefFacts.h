//===- MemRefFacts.h - What is known of an array in memory ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the types and the program's assumptions say of a memref. Vector accesses and tensor maps depend on it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_MEMREFFACTS_H
#define TILEIRAS_DIALECT_TILEAS_MEMREFFACTS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace tileiras::as {

struct MemRefFacts {
  int64_t baseAlignment = 1; ///< bytes
  /// Elements; known divisors, at most aa::kMaxKnownDivisor.
  ///
  /// Front ends state a divisor of every stride, which is false for a dimension of size 1 (its stride is often 1). That
  /// does no harm to addresses: only index 0 is accessed there, and it adds 0 to them. Whatever holds strides
  /// themselves, such as a tensor map, must not rely on such a divisor.
  llvm::SmallVector<int64_t> sizeDivisors, strideDivisors;
};

/// Of a value of TileMemRefType; of one that comes from elsewhere than `make_memref`, only its type tells something.
MemRefFacts getMemRefFacts(mlir::Value memref);

/// Of the memref that a tiled view shows.
MemRefFacts getViewedMemRefFacts(mlir::Value view);

} // namespace tileiras::as

#endif // TILEIRAS_DIALECT_TILEAS_MEMREFFACTS_H
