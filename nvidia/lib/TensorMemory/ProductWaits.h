//===- ProductWaits.h - Waits for MMAs in tensor memory ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_PRODUCTWAITS_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_PRODUCTWAITS_H

#include "AccumulatorMemory.h"

namespace tileiras {

/// Completes the waits for products, when all tiles are where they stay, and the barriers at which threads meet.
/// Divides products among warpgroups where that is possible: these meet alone in the operations of `apart`.
void placeProductWaits(const KernelProducts &products, const AccumulatorWebs &webs, const ColumnPlan &columns,
                       AccumulatorMemory &memory, const llvm::SmallPtrSetImpl<mlir::Operation *> &apart,
                       const LoweringContext &lowering);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_PRODUCTWAITS_H
