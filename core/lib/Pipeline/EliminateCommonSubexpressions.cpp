//===- EliminateCommonSubexpressions.cpp - cse, keeping schedules ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "tileiras/Pipeline/Passes.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"

using namespace tileiras;

namespace {

struct EliminateCommonSubexpressions : mlir::PassWrapper<EliminateCommonSubexpressions, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EliminateCommonSubexpressions)
  llvm::StringRef getArgument() const override { return "cse"; }
  llvm::StringRef getDescription() const override { return "Eliminate common sub-expressions"; }

  void runOnOperation() override {
    mlir::IRRewriter rewriter(&getContext());
    bool changed = false;
    mlir::eliminateCommonSubExpressions(rewriter, getAnalysis<mlir::DominanceInfo>(), getOperation(), &changed);
    if (!changed)
      return markAllAnalysesPreserved();
    // Only operations without regions are erased: blocks stay.
    markAnalysesPreserved<mlir::DominanceInfo, mlir::PostDominanceInfo, ScheduleAnalysis>();
  }
};

} // namespace

std::unique_ptr<mlir::Pass> tileiras::createEliminateCommonSubexpressions() {
  return std::make_unique<EliminateCommonSubexpressions>();
}
