//===- ProductAgent.h - Products with an agent of their own -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products whose accumulators are in tensor memory are started by one thread, and nobody has to follow their loop. An
// agent that does nothing else hands accumulators on through a pipeline in tensor memory: while others load, convert
// and store one, it computes the next.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_AGENTS_PRODUCTAGENT_H
#define TILEIRAS_PLUGINS_ASYNC_AGENTS_PRODUCTAGENT_H

#include "CtaPairs.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras::async {

/// A loop that does nothing to its sums but add products of stages.
struct ProductLoop {
  mlir::scf::ForOp loop;
  llvm::SmallVector<as::ConsumeOneOp> consumers;      ///< of the stages
  llvm::SmallVector<unsigned> sums;                   ///< iteration arguments
  llvm::SmallVector<mlir::RankedTensorType> payloads; ///< the sums in tensor memory
};

/// All loops of a function with products in tensor memory.
struct ProductLoops {
  llvm::SmallVector<ProductLoop> loops;
  int64_t stages = 0, columns = 0; ///< of the accumulators, columns of all loops and stages
  bool followEachOther = false;    ///< loops around each run its epilogue, and then it again
  CtaPairs pairs;                  ///< of which the products may be
  SpecializationObstacle obstacle; ///< what keeps the products from having an agent

  /// There are products in tensor memory.
  bool areThere() const { return !loops.empty() || obstacle.op; }
};

/// Two stages of accumulators where the columns of tensor memory suffice for as many blocks on a multiprocessor as are
/// wanted, else one. Products that read what CTAs copy for each other have an agent as those of pairs, if they may
/// (`allowsPairs`), or none.
ProductLoops findProductLoops(mlir::FunctionOpInterface function, const ChipTarget &target, bool allowsPairs);

/// Has the loops, in which there is no obstacle, put their sums into stages of pipelines, from which they are loaded
/// behind the loop. Returns what the products' agent is for.
llvm::SetVector<mlir::Operation *> separateProducts(mlir::FunctionOpInterface function, const ProductLoops &products);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_AGENTS_PRODUCTAGENT_H
