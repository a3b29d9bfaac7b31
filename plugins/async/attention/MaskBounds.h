//===- MaskBounds.h - From where on a mask matters -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_ATTENTION_MASKBOUNDS_H
#define TILEIRAS_PLUGINS_ASYNC_ATTENTION_MASKBOUNDS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileiras::async {

/// The same elements as its operand has, perhaps in other places or more than once.
bool repeatsElements(mlir::Operation *op);

/// factor · variable + constant + Σ number · value, the values from outside of the loop.
struct LinearForm {
  int64_t factor = 0, constant = 0;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 4> terms;
};

/// A mask of a loop, `smaller ≤ larger` by elements, that is true everywhere up to some iteration.
struct MaskBound {
  LinearForm
      excess; ///< the largest element on the left minus the smallest on the right: at most zero where all is true
  LinearForm smallest; ///< on the left; does not fall from iteration to iteration
  LinearForm largest;  ///< on the right; does not rise
};

/// Of a comparison of tiles of i32 that are sums of the loop's variable, of numbers along dimensions and of what the
/// loop does not change. Nothing where it is anything else, or does not depend on the variable in that way.
std::optional<MaskBound> findMaskBound(mlir::scf::ForOp loop, mlir::arith::CmpIOp mask);

/// The first variable, of i64, for which an element may be false; not above the true one, and the loop's lower bound
/// where sums of the program may wrap. What it needs is inserted at the builder's place, before the loop.
mlir::Value emitMaskBound(mlir::OpBuilder &builder, mlir::scf::ForOp loop, const MaskBound &bound);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_ATTENTION_MASKBOUNDS_H
