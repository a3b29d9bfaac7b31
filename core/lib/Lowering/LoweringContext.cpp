//===- LoweringContext.cpp - What is known about the program being lowered -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/LoweringContext.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Dialect/TileAA/Agents.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/SharedStaging.h"

using namespace mlir;

namespace tileiras {

FailureOr<ChipTarget> getChipTarget(ModuleOp module) {
  auto spec = module->getAttrOfType<aa::TargetSpecAttr>(aa::TileAADialect::getTargetSpecAttrName());
  if (!spec)
    return module.emitError("Failed to get ComputeCapability: the module has no ")
           << aa::TileAADialect::getTargetSpecAttrName() << " attribute";
  ChipTarget chip = findChipTarget(*module.getContext(), spec.getChip());
  if (!chip)
    return module.emitError("no target plugin that serves chip '") << spec.getChip() << "' is active";
  return chip;
}

/// Whoever writes a lowered kernel by hand may say any size.
static LogicalResult verifyLaunch(LLVM::LLVMFuncOp function) {
  constexpr int64_t most = aa::kMaxWarpsPerCTA * kLanesPerWarp;
  auto isMissing = [](DenseI32ArrayAttr dims) { return dims && (dims.empty() || dims.asArrayRef().front() < 1); };
  auto threads = function->getAttrOfType<DenseI32ArrayAttr>(NVVM::NVVMDialect::getReqntidAttrName());
  if (isMissing(threads) ||
      (threads && (threads.asArrayRef().front() % kLanesPerWarp != 0 || threads.asArrayRef().front() > most)))
    return function.emitError("expects whole warps, at most ")
           << most << " threads, as 'nvvm.reqntid', but got " << threads;
  if (auto ctas = function->getAttrOfType<DenseI32ArrayAttr>(NVVM::NVVMDialect::getClusterDimAttrName());
      isMissing(ctas))
    return function.emitError("expects at least one CTA as 'nvvm.cluster_dim', but got ") << ctas;
  return success();
}

LoweringAnalysis::LoweringAnalysis(Operation *operation) {
  FailureOr<ChipTarget> chip = getChipTarget(cast<ModuleOp>(operation));
  if (failed(chip))
    return;
  for (auto function : cast<ModuleOp>(operation).getOps<LLVM::LLVMFuncOp>())
    if (failed(verifyLaunch(function)))
      return;
  converter.emplace(operation->getContext(), LowerToLLVMOptions(operation->getContext()));
  context.emplace(*chip, *converter);
}

const ConversionPlan &LoweringContext::getConversionPlan(unsigned bits, const LinearLayout &source,
                                                         const LinearLayout &destination) const {
  auto known = llvm::find_if(plans, [&](const PlannedConversion &p) {
    return p.bits == bits && p.source == source && p.destination == destination;
  });
  if (known != plans.end())
    return known->plan;
  MatrixInstructions instructions = {features().ldmatrix, features().stmatrix};
  plans.push_back({bits, source, destination,
                   planConversion(source, destination, bits, tuning().getConversionCosts(), instructions)});
  return plans.back().plan;
}

int64_t LoweringContext::getScratchLimit(Operation *op) const {
  as::MemoryRangeAttr range = as::getScratch(op);
  return range ? std::max(range.getBytes(), kLeastScratch) : scratchLimit;
}

int64_t LoweringContext::getScratchBytes(Operation *op) const {
  auto exchange = dyn_cast<as::ExchangeOpInterface>(op);
  if (!exchange)
    return 0;
  const std::optional<int64_t> bytes = target.getScratchBytes(*this, exchange);
  return bytes ? *bytes : exchange.getScratchBytes(*this);
}

} // namespace tileiras
