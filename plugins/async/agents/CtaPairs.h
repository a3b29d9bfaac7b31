//===- CtaPairs.h - Products of two CTAs at once ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where two CTAs have the rows of a product between them and all of its columns both, one instruction multiplies for
// both and reads half of operand B in each: none of it is copied twice, and a stage is smaller. The scales of B, if it
// has any, each CTA needs for its own rows: all of them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_AGENTS_CTAPAIRS_H
#define TILEIRAS_PLUGINS_ASYNC_AGENTS_CTAPAIRS_H

#include "WarpSpecialization.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

namespace tileiras::async {

struct ProductLoop;

/// Of a kernel's products, all of which are of pairs, or none.
struct CtaPairs {
  /// What products read as operand B, or as its scales: a tile of the payload, of whose dimension `dim` (none: of the
  /// tile as a whole) each CTA is to keep half.
  struct Operand {
    as::CreatePipelineOp pipeline;
    unsigned number;
    std::optional<unsigned> dim;
  };
  llvm::SmallVector<as::CreatePipelineOp> pipelines; ///< that products read
  llvm::SmallVector<Operand> operands;
  SpecializationObstacle obstacle; ///< what keeps the products from being of pairs

  bool areThere() const { return !operands.empty() && !obstacle.op; }
  /// Of one of `pipelines`, in the memory that it has now, when its products are of pairs.
  int64_t countStages(as::CreatePipelineOp pipeline) const;
};

/// Pairs of the CTAs of a cluster whose ranks differ in the lowest bit alone, each of which copies a share of operand B
/// to both.
CtaPairs findCtaPairs(mlir::FunctionOpInterface function, llvm::ArrayRef<ProductLoop> loops, const ChipTarget &target);

/// Has each CTA keep its half, in as many stages as were wanted and now fit, and the products be of pairs, which need
/// an agent of their own.
void pairProducts(const CtaPairs &pairs, llvm::ArrayRef<ProductLoop> loops);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_AGENTS_CTAPAIRS_H
