//===- SharedBudget.cpp - Shared memory that tiles may take ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedBudget.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

using namespace mlir;

namespace tileiras::async {

/// What conversions and reductions of the function exchange data through; they work in rounds where that is little.
constexpr int64_t kExchangeBytes = 16 * 1024;

int64_t getWantedBlocks(FunctionOpInterface op) {
  auto function = dyn_cast<aa::FuncOp>(op.getOperation());
  aa::KernelSpecAttr spec = function ? function.getKernelSpecAttr() : aa::KernelSpecAttr();
  return std::max<int64_t>(spec ? spec.getOccupancy() : 0, 1);
}

int64_t getSharedBudget(const MachineModel &machine, int64_t blocks) {
  return machine.getSharedBytesPerCTA(blocks) - kExchangeBytes;
}

int64_t getPipelineStageBytes(as::PipelineType type) {
  int64_t bytes = as::getSharedBytes(as::getStageBarriersType(type.getContext()));
  for (Type payload : type.getPayload())
    bytes += as::getStageBytes(cast<RankedTensorType>(payload));
  return bytes;
}

} // namespace tileiras::async
