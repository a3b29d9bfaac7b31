//===- CarriedTiles.h - What goes round a loop ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_CARRIEDTILES_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_CARRIEDTILES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Lowering/LoweringContext.h"

namespace tileiras {

/// Where an iteration, and whoever comes behind the loop, only computes smaller tiles from a tile of the iteration
/// before (sums, narrower elements), these are computed before the iteration ends and carried in its place. The loop
/// may become another one.
void carryComputedTiles(mlir::scf::ForOp loop, const LoweringContext &lowering);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_CARRIEDTILES_H
