//===- OptimizePipelineRegion.cpp - Regions no larger than needed ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "common/HandOff.h"
#include "common/UsedValues.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASOPTIMIZEPIPELINEREGION
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// The operations of the body of a stage that it needs: those with effects, and what they and the end of the body use.
/// The walk ends at values from outside of the body, at its arguments, and at the producers of other pipelines.
class StageSlice {
public:
  explicit StageSlice(Block &body) : body(body) {
    for (Operation &op : body)
      if (op.hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(&op))
        add(&op);
  }

  bool contains(Operation *op) const { return slice.contains(op); }

private:
  void add(Operation *op) {
    if (!slice.insert(op).second)
      return;
    for (Value value : getUsedValues(op)) {
      Operation *definition = value.getDefiningOp();
      if (definition && definition->getBlock() == &body && !isa<as::ProduceOneOp>(definition))
        add(definition);
    }
  }

  Block &body;
  llvm::SmallPtrSet<Operation *, 16> slice;
};

struct TileASOptimizePipelineRegion : impl::TileASOptimizePipelineRegionBase<TileASOptimizePipelineRegion> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASOptimizePipelineRegion)

  void runOnOperation() override {
    SmallVector<as::PipelineRegionOpInterface> stages;
    getOperation()->walk([&](as::PipelineRegionOpInterface stage) {
      auto loop = stage->getParentOfType<scf::ForOp>();
      if (!loop || !loop->hasAttr(kNotPipelined))
        stages.push_back(stage);
    });
    // Back to front: what a later stage no longer uses, an earlier one need not give.
    for (as::PipelineRegionOpInterface stage : llvm::reverse(stages))
      shrink(stage);
  }

  void shrink(as::PipelineRegionOpInterface stage) {
    Block &body = stage.getPipelineBody().front();
    StageSlice slice(body);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (!slice.contains(&op))
        op.erase();
  }
};

} // namespace
} // namespace tileiras::async
