//===- CtaRelations.h - How the tiles of an operation are cut together -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_CLUSTER_CTARELATIONS_H
#define TILEIRAS_PLUGINS_CLUSTER_CTARELATIONS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "tileiras/Dialect/TileAA/Clusters.h"

namespace tileiras::cluster {

/// Tiles that an operation of nv_tileaa works on have dimensions in common: those of its space, a tile by which it is
/// known how each CTA's share of the work looks. A layout of the space, which is the operation's, gives those of all
/// its tiles.
struct CtaRelation {
  llvm::StringLiteral rule; ///< which of the rules of `tileas-plan-cta` this is
  llvm::SmallVector<int64_t> space;
  llvm::SmallVector<bool> isWhole; ///< dimensions of the space that no two CTAs share
  /// For each operand and each result that is a tile, the dimension of the space that each of its own is, or -1; empty
  /// for what is no tile.
  llvm::SmallVector<llvm::SmallVector<int32_t>> operands, results;

  aa::CtaLayout getOperandLayout(unsigned operand, const aa::CtaLayout &own) const;
  aa::CtaLayout getResultLayout(unsigned result, const aa::CtaLayout &own) const;
  /// Layouts of the space that a tile's layout leads to; to be restricted.
  aa::CtaLayout fromOperand(unsigned operand, const aa::CtaLayout &layout) const;
  aa::CtaLayout fromResult(unsigned result, const aa::CtaLayout &layout) const;
  /// Whether the layout of result `result` says all there is to say.
  bool isKnownBy(unsigned result) const;
  /// `own` without those bits by which the operation, or one of its tiles, cannot be cut.
  aa::CtaLayout restrict(mlir::Operation *op, const aa::CtaLayout &own) const;
};

using CtaRelations = llvm::DenseMap<mlir::Operation *, CtaRelation>;

/// Nothing for operations without tiles, for structured control flow and for its terminators.
std::optional<CtaRelation> findRelation(mlir::Operation *op);

/// The operations of a function in order, without those by which reductions and scans combine scalars.
llvm::SmallVector<mlir::Operation *> collectOperations(mlir::Operation *func);

/// The operation costs next to nothing: rather than moving its result to other CTAs, it is done again there.
bool isCheapToRepeat(mlir::Operation *op);

inline mlir::RankedTensorType getTile(mlir::Value value) {
  return mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
}

} // namespace tileiras::cluster

#endif // TILEIRAS_PLUGINS_CLUSTER_CTARELATIONS_H
