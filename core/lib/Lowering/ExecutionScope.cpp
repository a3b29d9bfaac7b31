//===- ExecutionScope.cpp - Which warps run an operation ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/ExecutionScope.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace mlir;

namespace tileiras {

/// What a lowered function says of its launch, which people may write, too: verifyLaunch refuses what is impossible.
static std::optional<int32_t> getFirstExtent(Operation *function, StringRef name) {
  auto extents = function->getAttrOfType<DenseI32ArrayAttr>(name);
  return extents && !extents.empty() ? std::optional(extents.asArrayRef().front()) : std::nullopt;
}

static int64_t getNumWarps(Operation *function) {
  if (auto spec = dyn_cast<aa::FuncOp>(function))
    return spec.getKernelSpecAttr() ? spec.getKernelSpecAttr().countWarps() : aa::FuncOp::kDefaultWarps;
  const std::optional<int32_t> threads = getFirstExtent(function, "nvvm.reqntid");
  return threads ? std::max<int64_t>(*threads / kLanesPerWarp, 1) : aa::FuncOp::kDefaultWarps;
}

static unsigned getNumCtas(Operation *function) {
  if (auto spec = dyn_cast<aa::FuncOp>(function))
    return spec.getKernelSpecAttr() && spec.getPerCta() ? spec.getKernelSpecAttr().getNumCtas() : 1;
  return std::max(getFirstExtent(function, "nvvm.cluster_dim").value_or(1), 1);
}

static bool makesScope(Operation *op) {
  auto scopes = dyn_cast<as::ExecutionScopeOpInterface>(op);
  return scopes ? scopes.hasWarps() : isa<FunctionOpInterface>(op);
}

Region *getScopeRegion(Operation *op) {
  Region *region = op->getParentRegion();
  while (region && !makesScope(region->getParentOp()))
    region = region->getParentOp()->getParentRegion();
  return region;
}

ExecutionScope getExecutionScope(Operation *op) {
  if (isa<FunctionOpInterface>(op))
    return {0, getNumWarps(op), 0, getNumCtas(op)};
  Region *region = getScopeRegion(op);
  if (!region)
    return {};
  auto agents = dyn_cast<as::ExecutionScopeOpInterface>(region->getParentOp());
  if (!agents)
    return {0, getNumWarps(region->getParentOp()), 0, getNumCtas(region->getParentOp())};
  const unsigned number = region->getRegionNumber();
  const ExecutionScope around = getExecutionScope(agents);
  return {around.firstWarp + agents.getFirstWarp(number), agents.getNumWarps(number), agents.getBarrier(number),
          around.numCtas, agents.getProductGroups(number)};
}

} // namespace tileiras
