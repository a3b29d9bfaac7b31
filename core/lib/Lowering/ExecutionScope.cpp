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

static int64_t getNumWarps(Operation *function) {
  if (auto spec = dyn_cast<aa::FuncOp>(function))
    return spec.getKernelSpecAttr() ? spec.getKernelSpecAttr().countWarps() : aa::FuncOp::kDefaultWarps;
  auto threads = function->getAttrOfType<DenseI32ArrayAttr>("nvvm.reqntid");
  return threads ? threads.asArrayRef().front() / kLanesPerWarp : aa::FuncOp::kDefaultWarps;
}

static unsigned getNumCtas(Operation *function) {
  if (auto spec = dyn_cast<aa::FuncOp>(function))
    return spec.getKernelSpecAttr() && spec.getPerCta() ? spec.getKernelSpecAttr().getNumCtas() : 1;
  auto dims = function->getAttrOfType<DenseI32ArrayAttr>("nvvm.cluster_dim");
  return dims ? dims.asArrayRef().front() : 1;
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
