//===- BlockScale.h - Products with scaled blocks ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_BLOCKSCALE_H
#define TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_BLOCKSCALE_H

#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Target/ContextTargets.h"

namespace tileiras {

/// Replaces the products with scaled blocks that no instruction of the target computes by ordinary ones of bf16, whose
/// operands are the given ones times their scales; with `emulate` all of them. Fails, with a diagnostic, where the
/// target refuses one. Of the others, those whose instruction keeps scales in tensor memory have found room for their
/// operands in shared memory, should these come from registers.
///
/// An operand times its scale is exact in bf16: it has at most 6 bits of mantissa, and of the exponents all that
/// f8E4M3FN scales give. Scales of f8E8M0FNU reach as far as f32 does, and so does bf16: for products of an operand and
/// its scale beyond 2^128 (infinity) or with bits below 2^-133 (which are rounded) the exact result is not reached.
mlir::LogicalResult expandBlockScales(aa::FuncOp func, const ChipTarget &target, bool emulate);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_BLOCKSCALE_H
