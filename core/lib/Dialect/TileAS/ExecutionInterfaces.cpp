//===- ExecutionInterfaces.cpp - What lowering asks of operations ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Target/IsaLimits.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;

#include "tileiras/Dialect/TileAS/ExecutionInterfaces.cpp.inc"

as::MemoryRangeAttr as::getScratch(Operation *op) {
  auto exchange = dyn_cast<ExchangeOpInterface>(op);
  return exchange ? exchange.getScratchAttr() : MemoryRangeAttr();
}

/// The barriers of the scopes around `op`.
static bool isTakenAround(Operation *op, unsigned barrier) {
  for (Region *region = op->getParentRegion(); region; region = region->getParentRegion())
    if (auto outer = dyn_cast<as::ExecutionScopeOpInterface>(region->getParentOp()))
      if (outer.getBarrier(region->getRegionNumber()) == barrier)
        return true;
  return false;
}

/// Barriers are those of the ISA. A chip may have fewer: tileir-verify-ops-analysis, which knows it, says so.
LogicalResult as::detail::verifyExecutionScopes(Operation *op) {
  auto scopes = cast<ExecutionScopeOpInterface>(op);
  if (op->getNumResults() != 0 && op->getResultTypes() != op->getOperandTypes())
    return op->emitOpError() << "expects no results, or those of its operands: its regions run at the same time";
  if (!scopes.hasWarps())
    return success();
  uint64_t taken = 0; // Warps, one bit each.
  llvm::SmallDenseSet<unsigned> barriers;
  for (auto [number, region] : llvm::enumerate(op->getRegions())) {
    const int64_t first = scopes.getFirstWarp(number), warps = scopes.getNumWarps(number);
    const unsigned barrier = scopes.getBarrier(number);
    if (region.empty() || region.getNumArguments() != 0)
      return op->emitOpError() << "expects regions with a body and without arguments";
    if (first < 0 || warps <= 0 || !llvm::isPowerOf2_64(warps) || first + warps > 32)
      return op->emitOpError() << "region " << number << " runs in " << warps << " warps from warp " << first
                               << " on; expects a power of two of warps, within a CTA of 32";
    const uint64_t mask = llvm::maskTrailingOnes<uint64_t>(warps) << first;
    if (taken & mask)
      return op->emitOpError() << "region " << number << " runs in warps of another region";
    taken |= mask;
    if (barrier == 0 || barrier >= IsaLimits::kNamedBarriers)
      return op->emitOpError() << "region " << number << " meets at barrier " << barrier << "; expects 1 to "
                               << IsaLimits::kNamedBarriers - 1 << ", barrier 0 is the CTA's";
    if (!barriers.insert(barrier).second || isTakenAround(op, barrier))
      return op->emitOpError() << "region " << number << " meets at barrier " << barrier
                               << ", which is that of another region";
  }
  return success();
}
