//===- SplitExponentials.h - Exponentials by two units ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_SPLITEXPONENTIALS_H
#define TILEIRAS_LOWERING_SPLITEXPONENTIALS_H

#include "tileiras/Lowering/PackedArithmetic.h"

namespace tileiras {

/// On a power of two of f32 that flushes subnormal numbers: emitSplitExp2 computes it. A unit attribute.
inline constexpr llvm::StringLiteral kSplitExponentialsAttr =
    as::TileASDialect::SplitExponentialsAttrHelper::getNameStr();

/// 2^x of f32, zero where it is subnormal, infinite from 128 on, NaN of NaN. By turns the unit for special functions
/// computes some elements (TuningModel::exponentialsOfUnit; `ex2.approx.ftz`, error below 2^-22.5), and packed
/// multiplications others (multipliedExponentials): 2^floor(x), by its exponent, times a polynomial of the rest (Cody
/// and Waite; Zadouri et al., FlashAttention-4, arXiv 2603.05451), of degree 5 with an error below 2^-22.5 as well, and
/// 1 of 0.
llvm::SmallVector<mlir::Value> emitSplitExp2(Emitter &emit, const LoweringContext &lowering,
                                             llvm::ArrayRef<mlir::Value> elements);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_SPLITEXPONENTIALS_H
