//===- ElementwiseChains.h - Tiles that never exist as a whole --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_ANALYSIS_ELEMENTWISECHAINS_H
#define TILEIRAS_ANALYSIS_ELEMENTWISECHAINS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace tileiras {

/// Finds the values between elementwise operations that compilers compute an element after the other: registers are
/// needed for what goes into such a chain and for what comes out, none for what is in between. Valid as long as the
/// program does not change.
class ElementwiseChains {
public:
  /// `isTransparent`: operations, beside elementwise ones, whose instructions compilers put anywhere in their block.
  explicit ElementwiseChains(std::function<bool(mlir::Operation *)> isTransparent)
      : isTransparent(std::move(isTransparent)) {}

  /// Whether `value` is computed and used up within one chain.
  bool isInPassing(mlir::Value value) const;

private:
  /// Of its block, ended by operations that neither are elementwise nor transparent.
  unsigned getStretch(mlir::Operation *op) const;

  std::function<bool(mlir::Operation *)> isTransparent;
  mutable llvm::DenseMap<mlir::Operation *, unsigned> stretches;
};

} // namespace tileiras

#endif // TILEIRAS_ANALYSIS_ELEMENTWISECHAINS_H
