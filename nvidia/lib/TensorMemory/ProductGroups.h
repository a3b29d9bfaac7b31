//===- ProductGroups.h - Warpgroups with products of their own --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where tiles have rows for several instructions, and each warpgroup moves those of one of them, nobody needs one first
// warp for all: each warpgroup starts the products of its rows and waits for them alone, and computes while the
// products of the others run.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_PRODUCTGROUPS_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_PRODUCTGROUPS_H

#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tileiras {

/// The most groups among which the products of the scope of `op` are divided, if they are.
int64_t countMostGroups(mlir::Operation *op, const LoweringContext &lowering);

/// Divides the products of `scope`, all of which are in tensor memory, among the warpgroups of its agent where each of
/// them moves the rows of one instruction, and accumulators are waited for alone. Returns how many start products; 1
/// where they are not divided.
int64_t divideProducts(mlir::Region &scope, const LoweringContext &lowering);

/// Lets the groups of `scope` compute their exponentials one after the other in loops for which `areApart` holds and
/// where they meet nowhere: groups that wait for the same unit at the same time would also leave it idle at the same
/// time. Of what is computed from these, an exclusive section has as much as a thread can do on its own.
void addExclusiveSections(mlir::Region &scope, const LoweringContext &lowering, int64_t groups,
                          llvm::function_ref<bool(mlir::Operation *loop)> areApart);

/// The first hardware barrier at which the groups of `scope` meet alone.
mlir::IntegerAttr getGroupBarrier(mlir::Region &scope);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_PRODUCTGROUPS_H
