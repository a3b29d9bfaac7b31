//===- Ranges.h - What integers may be --------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_RANGES_H
#define TILEIRAS_DIALECT_TILEAA_RANGES_H

#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace tileiras::aa {

/// Bounds of a scalar integer, inclusive, as a signed and as an unsigned number: from constants, arithmetic, loops,
/// the grid, extents and `nv_tileaa.assume`. All that the type has where nothing is known.
mlir::ConstantIntRanges getKnownRange(mlir::Value value);

} // namespace tileiras::aa

#endif // TILEIRAS_DIALECT_TILEAA_RANGES_H
