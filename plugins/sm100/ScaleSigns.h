//===- ScaleSigns.h - Negative scales that no instruction sees --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_SM100_SCALESIGNS_H
#define TILEIRAS_PLUGINS_SM100_SCALESIGNS_H

#include "tileiras/Lowering/Emitter.h"

namespace tileiras::sm100 {

/// Operand A or B of a product and its scales, both in shared memory: pairs of f4E2M1FN, 16 of which share a scale of
/// f8E4M3FN in blocks as `isScaleBlocks` says. Dimension `mnDim` is that of rows or columns. There may be scales of
/// twice as many of these as there are numbers of: then each CTA of a pair has half of the numbers, the even one the
/// first.
struct SignedOperand {
  mlir::RankedTensorType numbers, scales;
  unsigned mnDim = 0;
  mlir::Value numbersAt, scalesAt; ///< pointers
};

/// Whether any bit of `words` that `mask` has is set in any lane of the warp.
mlir::Value emitIsAnySet(Emitter &emit, llvm::ArrayRef<mlir::Value> words, uint32_t mask = ~0u);

/// Where a scale is negative, the numbers that share it change their signs, and it becomes positive. All lanes of a
/// warp run this; what one of them starts behind it sees what they have done. With `isOfPair` the warp, of the CTA with
/// the even rank, does it for both CTAs of a pair, whose operands have one address.
void emitMoveSigns(Emitter &emit, llvm::ArrayRef<SignedOperand> operands, bool isOfPair);

} // namespace tileiras::sm100

#endif // TILEIRAS_PLUGINS_SM100_SCALESIGNS_H
