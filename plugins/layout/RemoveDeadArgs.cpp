//===- RemoveDeadArgs.cpp - tileas-remove-dead-args ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadArguments.h"
#include "Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras::layout {
#define GEN_PASS_DEF_TILEASREMOVEDEADARGS
#include "Passes.h.inc"

void removeDeadArguments(mlir::Operation *root) {
  llvm::SetVector<mlir::OperationName> names;
  root->walk([&](mlir::RegionBranchOpInterface op) { names.insert(op->getName()); });

  // MLIR's own patterns for the interface keep arguments, incoming operands and results in step.
  mlir::RewritePatternSet patterns(root->getContext());
  for (mlir::OperationName name : names)
    mlir::populateRegionBranchOpInterfaceCanonicalizationPatterns(patterns, name.getStringRef());

  // Nothing but dead arguments may change: schedules and layouts refer to the other operations.
  mlir::GreedyRewriteConfig config;
  config.enableFolding(false).enableConstantCSE(false).setRegionSimplificationLevel(
      mlir::GreedySimplifyRegionLevel::Disabled);
  (void)mlir::applyPatternsGreedily(root, std::move(patterns), config);
}

namespace {

struct TileASRemoveDeadArgs : impl::TileASRemoveDeadArgsBase<TileASRemoveDeadArgs> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASRemoveDeadArgs)

  void runOnOperation() override { removeDeadArguments(getOperation()); }
};

} // namespace
} // namespace tileiras::layout
