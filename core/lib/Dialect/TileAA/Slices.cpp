//===- Slices.cpp - Operations on slices of tiles -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/Slices.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tileiras/Dialect/TileAA/SliceInterfaces.cpp.inc"

using namespace mlir;

namespace tileiras::aa {

SliceKind getSliceKind(Operation *op) {
  if (auto sliced = dyn_cast<SliceOpInterface>(op))
    return sliced.getSliceKind();
  return OpTrait::hasElementwiseMappableTraits(op) && isMemoryEffectFree(op) ? SliceKind::Recompute : SliceKind::Whole;
}

namespace {

struct PoisonSlices final : SliceOpInterface::ExternalModel<PoisonSlices, ub::PoisonOp> {
  SliceKind getSliceKind(Operation *) const { return SliceKind::Free; }
};

} // namespace

void registerUpstreamSlices(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, ub::UBDialect *) { ub::PoisonOp::attachInterface<PoisonSlices>(*context); });
}

} // namespace tileiras::aa
