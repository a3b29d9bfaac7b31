//===- RemoveBufferAlias.cpp - tileas-remove-buffer-alias -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferAliases.h"
#include "DeadArguments.h"
#include "Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

using namespace mlir;

namespace tileiras::layout {
#define GEN_PASS_DEF_TILEASREMOVEBUFFERALIAS
#include "Passes.h.inc"

namespace {

struct TileASRemoveBufferAlias : impl::TileASRemoveBufferAliasBase<TileASRemoveBufferAlias> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASRemoveBufferAlias)

  void runOnOperation() override {
    // Every replacement takes one hop out of all chains that go through it.
    SmallVector<Value> aliases = collectAliases();
    if (aliases.empty())
      return;
    for (size_t bound = aliases.size(); !aliases.empty(); aliases = collectAliases()) {
      if (bound-- == 0) {
        getOperation()->emitError("TileASRemoveBufferAliasPass failed to converge");
        return signalPassFailure();
      }
      for (Value alias : aliases)
        if (failed(replace(alias)))
          return signalPassFailure();
    }
    removeDeadArguments(getOperation());
  }

  /// Tiles in memory that somebody uses and that are the merge of others.
  SmallVector<Value> collectAliases() {
    SmallVector<Value> aliases;
    auto add = [&](ValueRange values) {
      for (Value value : values)
        if (as::isMemoryTensor(value.getType()) && !value.use_empty())
          aliases.push_back(value);
    };
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<arith::SelectOp>(op))
        add(op->getResults());
      if (!isa<RegionBranchOpInterface>(op) || isa<as::PipelineRegionOpInterface>(op))
        return;
      add(op->getResults());
      for (Region &region : op->getRegions())
        add(region.getArguments());
    });
    return aliases;
  }

  LogicalResult replace(Value alias) {
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfterValue(alias);
    auto select = alias.getDefiningOp<arith::SelectOp>();
    FailureOr<BufferAlias> traced = select ? selectPlace(builder, select) : BufferTracer().trace(alias);
    if (failed(traced))
      return failure();
    Value base = traced->rebuild(builder);
    // Where the views lead to another type there is a way round on which elements are renamed again and again.
    if (base.getType() != alias.getType())
      return emitError(alias.getLoc(), "Cannot find last written SSA.");
    alias.replaceAllUsesWith(base);
    return success();
  }
};

} // namespace
} // namespace tileiras::layout
