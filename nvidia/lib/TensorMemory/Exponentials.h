//===- Exponentials.h - What is done beside exponentials --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exponentials take the unit for special functions many cycles each, in which a warp can issue something else: it has
// to be there by then.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_EXPONENTIALS_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_EXPONENTIALS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Lowering/LoweringContext.h"

namespace tileiras {

/// The operation of the loop's body by which a thread computes most exponentials in an iteration; null if these are
/// few.
mlir::Operation *findExponentials(mlir::scf::ForOp loop, const TuningModel &tuning);

/// Moves what threads compute on their own, and can compute there, from the rest of the block of `first` to directly
/// behind it. Returns the last of it.
mlir::Operation *gatherBehind(mlir::Operation *first, const LoweringContext &lowering);

/// Where exponentials of a loop are not needed for it, takes sums from products that are complete before them, starts
/// the next products, and computes beside the exponentials what the next iteration wants of these sums. Before
/// accumulators have places; of pipelines without a stage to spare, and where `numRegisters` that a thread has would be
/// short, nothing changes. Returns results of the loop that are to stay in registers: sums that it took from products
/// of the iteration before, and now takes behind its exponentials.
llvm::SmallVector<mlir::OpResult> overlapExponentials(mlir::scf::ForOp loop, const LoweringContext &lowering,
                                                      int64_t numRegisters);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_EXPONENTIALS_H
