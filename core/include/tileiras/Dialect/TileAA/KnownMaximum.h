//===- KnownMaximum.h - How large integers can be ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_KNOWNMAXIMUM_H
#define TILEIRAS_DIALECT_TILEAA_KNOWNMAXIMUM_H

#include "mlir/IR/Value.h"

namespace tileiras::aa {

/// No element of `value`, an integer of at most 64 bits or a tile of them, read as unsigned, is above the result: from
/// constants and arithmetic. With `believesAssumptions` also from `nv_tileaa.assume`, whose facts may be false.
uint64_t getKnownMaximum(mlir::Value value, bool believesAssumptions = false);

} // namespace tileiras::aa

#endif // TILEIRAS_DIALECT_TILEAA_KNOWNMAXIMUM_H
