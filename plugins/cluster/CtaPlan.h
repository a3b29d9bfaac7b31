//===- CtaPlan.h - Which CTA has what of each tile -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_CLUSTER_CTAPLAN_H
#define TILEIRAS_PLUGINS_CLUSTER_CTAPLAN_H

#include "CtaRelations.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include <deque>

namespace tileiras::cluster {

/// How each tile of a function is spread over the CTAs of its cluster, and each operation's work.
///
/// Layouts begin at anchors and spread from there, backward to what makes a tile and forward to what uses it. Who comes
/// first decides: where an operation wants a tile in another way than it is, `reconcile` brings it there.
class CtaPlan {
public:
  /// For a cluster of 2^`numBits` CTAs. Up to `mostRepeated` operations are made again to bring a tile where it is
  /// needed.
  CtaPlan(aa::FuncOp func, unsigned numBits, unsigned mostRepeated);

  unsigned getNumBits() const { return numBits; }
  /// Whether some operation is cut by bit `bit` of the rank.
  bool usesBit(unsigned bit) const;
  /// The layouts of the operation's space, and of a tile.
  aa::CtaLayout getOwn(mlir::Operation *op) const;
  aa::CtaLayout getLayout(mlir::Value tile) const;

  /// Makes every tile be what its users want: cheap ones are made again, the others go through `cluster_exchange`
  /// operations, whose types are still those of whole tiles.
  void reconcile();

private:
  void seed();
  void propagate();
  void stepBackward(mlir::Value tile);
  void stepForward(mlir::Value tile);
  void setOwn(mlir::Operation *op, const aa::CtaLayout &own);
  void setLayout(mlir::Value tile, const aa::CtaLayout &layout);
  /// A user of `tile` would like to have it so.
  void propose(mlir::Value tile, const aa::CtaLayout &layout);
  void bring(mlir::OpOperand &use, const aa::CtaLayout &wanted);
  mlir::Value repeat(mlir::Value tile, const aa::CtaLayout &wanted, mlir::Operation *user, unsigned &budget);

  aa::FuncOp func;
  unsigned numBits, mostRepeated;
  aa::CtaLayout copies;
  CtaRelations relations;
  llvm::DenseMap<mlir::Operation *, aa::CtaLayout> owns;
  llvm::DenseMap<mlir::Value, aa::CtaLayout> layouts; ///< by representative
  llvm::DenseMap<mlir::Value, llvm::SmallVector<std::pair<aa::CtaLayout, mlir::Value>>> brought;
  std::deque<mlir::Value> worklist;
};

} // namespace tileiras::cluster

#endif // TILEIRAS_PLUGINS_CLUSTER_CTAPLAN_H
