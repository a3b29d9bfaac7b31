//===- BatchWaits.cpp - Waits that follow each other ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchWaits.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/BarrierOps.h"

using namespace mlir;

namespace tileiras {

/// Where the last one stands.
static void merge(MutableArrayRef<as::AwaitMbarriersOp> waits) {
  if (waits.size() < 2)
    return;
  SmallVector<Value> addresses, parities;
  SmallVector<int64_t> offsets;
  SmallVector<bool> ofCluster;
  for (as::AwaitMbarriersOp wait : waits) {
    llvm::append_range(addresses, wait.getAddresses());
    llvm::append_range(parities, wait.getParities());
    llvm::append_range(offsets, wait.getOffsets());
    llvm::append_range(ofCluster, wait.getOfCluster());
  }
  OpBuilder builder(waits.back());
  as::AwaitMbarriersOp::create(builder, waits.back().getLoc(), addresses, parities, offsets, ofCluster);
  for (as::AwaitMbarriersOp wait : waits)
    wait.erase();
}

/// Nobody else sees what `op` does: it computes, or it accesses a variable of the thread.
static bool isPrivate(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getAddr().getDefiningOp<LLVM::AllocaOp>() != nullptr;
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getAddr().getDefiningOp<LLVM::AllocaOp>() != nullptr;
  return isMemoryEffectFree(op);
}

void batchMbarrierWaits(ModuleOp module) {
  module.walk([](Block *block) {
    SmallVector<as::AwaitMbarriersOp> waits;
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      if (auto wait = dyn_cast<as::AwaitMbarriersOp>(op)) {
        waits.push_back(wait);
      } else if (!isPrivate(&op)) {
        merge(waits);
        waits.clear();
      }
    }
    merge(waits);
  });
}

} // namespace tileiras
