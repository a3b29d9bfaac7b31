//===- PlanCTA.cpp - tileas-plan-cta ---------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CtaPartition.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/CSE.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Pipeline/Remarks.h"
#include "tileiras/Target/ModuleTarget.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras::cluster {
#define GEN_PASS_DEF_TILEASPLANCTA
#include "Passes.h.inc"

namespace {

/// An operation that is of one CTA, or of threads: memory of a tile block, and agents.
Operation *findWhatNeedsOneCta(aa::FuncOp func) {
  Operation *found = nullptr;
  func.walk([&](Operation *op) {
    const bool hasQueue = llvm::any_of(op->getResultTypes(), llvm::IsaPred<aa::QueueType>);
    if (!isa<aa::AllocaOp, aa::ExecuteOp>(op) && !hasQueue)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

struct TileASPlanCTA : impl::TileASPlanCTABase<TileASPlanCTA> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASPlanCTA)

  void runOnOperation() override {
    auto func = dyn_cast<aa::FuncOp>(getOperation().getOperation());
    if (!func || func.isExternal() || func->hasAttr(aa::kPerCtaAttr))
      return;
    aa::KernelSpecAttr spec = func.getKernelSpecAttr();
    if (!spec || spec.getNumCtas() == 1)
      return;
    const unsigned numBits = findBits(func, spec);
    setNumCtas(func, 1u << numBits);
    if (numBits == 0)
      return;
    remarkAnalysis(func, "Cluster", "cluster")
        << ("each tile block runs in a cluster of " + Twine(1u << numBits) + " CTAs").str();
    CtaPlan plan(func, numBits);
    plan.reconcile();
    partition(func, plan);
    // What has been made again for one user may be what another one has, or nobody's any more.
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance;
    eliminateCommonSubExpressions(rewriter, dominance, func);
    func->setAttr(aa::kPerCtaAttr, UnitAttr::get(&getContext()));
  }

  /// How many bits the ranks have: as many as asked for, or as there is something to cut by.
  static unsigned findBits(aa::FuncOp func, aa::KernelSpecAttr spec) {
    unsigned numBits = llvm::Log2_32(spec.getNumCtas());
    const ChipTarget target = findModuleTarget(func, "");
    if (!target || !target.chip->features.clusters) {
      remarkSmaller(func, spec, 1, "the GPU has no clusters");
      return 0;
    }
    if (Operation *op = findWhatNeedsOneCta(func)) {
      remarkSmaller(op, spec, 1, "'" + op->getName().getStringRef() + "' is of one CTA");
      return 0;
    }
    while (numBits > 0 && !CtaPlan(func, numBits).usesBit(numBits - 1))
      --numBits;
    if (numBits < llvm::Log2_32(spec.getNumCtas()))
      remarkSmaller(func, spec, 1u << numBits, "there are no tiles to cut into more parts");
    return numBits;
  }

  static void remarkSmaller(Operation *op, aa::KernelSpecAttr spec, unsigned numCtas, const Twine &reason) {
    remarkMissed(op, "SmallerCluster", "cluster")
        << ("a tile block runs in " + Twine(numCtas) + (numCtas == 1 ? " CTA" : " CTAs") + " instead of " +
            Twine(spec.getNumCtas()) + ": " + reason)
               .str();
  }

  static void setNumCtas(aa::FuncOp func, unsigned numCtas) {
    aa::KernelSpecAttr spec = func.getKernelSpecAttr();
    func.setKernelSpecAttr(
        aa::KernelSpecAttr::get(func.getContext(), spec.getNumWarps(), numCtas, spec.getOccupancy()));
  }
};

} // namespace
} // namespace tileiras::cluster
