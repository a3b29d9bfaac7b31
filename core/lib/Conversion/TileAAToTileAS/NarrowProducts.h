//===- NarrowProducts.h - Products of narrow floats -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_NARROWPRODUCTS_H
#define TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_NARROWPRODUCTS_H

#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Target/ContextTargets.h"

namespace tileiras {

/// Products of 8- and 4-bit floats that no instruction of the chip computes become products of f16, which holds their
/// operands exactly, where there is an instruction for those.
mlir::LogicalResult widenNarrowProducts(aa::FuncOp func, const ChipTarget &target);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_NARROWPRODUCTS_H
