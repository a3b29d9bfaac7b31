//===- Divisibility.h - Known factors of values -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_DIVISIBILITY_H
#define TILEIRAS_DIALECT_TILEAA_DIVISIBILITY_H

#include "mlir/IR/Value.h"

namespace tileiras::aa {

/// The largest known power of two, at most kMaxKnownDivisor, that divides an integer, or an address in bytes: from
/// constants, arithmetic and `nv_tileaa.assume`. At least 1.
int64_t getKnownDivisor(mlir::Value value);
inline constexpr int64_t kMaxKnownDivisor = 1024;

} // namespace tileiras::aa

#endif // TILEIRAS_DIALECT_TILEAA_DIVISIBILITY_H
