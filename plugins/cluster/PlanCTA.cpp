//===- PlanCTA.cpp - tileas-plan-cta ---------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CtaPartition.h"
#include "Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/CSE.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAA/Queues.h"
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
    if (!func || func.isExternal() || func.getPerCta())
      return;
    aa::KernelSpecAttr spec = func.getKernelSpecAttr();
    if (!spec || spec.getNumCtas() == 1)
      return;
    std::optional<CtaPlan> plan = findPlan(func, spec);
    const unsigned numCtas = plan ? 1u << plan->getNumBits() : 1;
    func.setKernelSpecAttr(aa::KernelSpecAttr::get(&getContext(), spec.getNumWarps(), numCtas, spec.getOccupancy()));
    if (!plan)
      return;
    remarkOn(func, Analysis::Cluster) << ("each tile block runs in a cluster of " + Twine(numCtas) + " CTAs").str();
    plan->reconcile();
    partition(func, *plan);
    // What has been made again for one user may be what another one has, or nobody's any more.
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance;
    eliminateCommonSubExpressions(rewriter, dominance, func);
    func.setPerCta(true);
  }

  /// A plan for as many CTAs as asked for, or as there is something to cut for; none for one CTA.
  static std::optional<CtaPlan> findPlan(aa::FuncOp func, aa::KernelSpecAttr spec) {
    const ChipTarget target = findModuleTarget(func, "");
    if (!target || !target.chip->features.cluster) {
      remarkSmaller(func, spec, 1, "the GPU has no clusters");
      return std::nullopt;
    }
    if (Operation *op = findWhatNeedsOneCta(func)) {
      remarkSmaller(op, spec, 1, "'" + op->getName().getStringRef() + "' is of one CTA");
      return std::nullopt;
    }
    const unsigned mostBits = llvm::Log2_32(spec.getNumCtas());
    std::optional<CtaPlan> plan;
    unsigned numBits = mostBits;
    for (; numBits > 0; --numBits)
      if (plan.emplace(func, numBits, target.tuning().mostRepeatedForLayout); plan->usesBit(numBits - 1))
        break;
    if (numBits < mostBits)
      remarkSmaller(func, spec, 1u << numBits, "there are no tiles to cut into more parts");
    if (numBits == 0)
      return std::nullopt;
    return plan;
  }

  static void remarkSmaller(Operation *op, aa::KernelSpecAttr spec, unsigned numCtas, const Twine &reason) {
    remarkOn(op, Missed::SmallerCluster) << ("a tile block runs in " + Twine(numCtas) +
                                             (numCtas == 1 ? " CTA" : " CTAs") + " instead of " +
                                             Twine(spec.getNumCtas()) + ": " + reason)
                                                .str();
  }
};

} // namespace
} // namespace tileiras::cluster
