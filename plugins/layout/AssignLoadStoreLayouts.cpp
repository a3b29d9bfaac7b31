//===- AssignLoadStoreLayouts.cpp - tileas-assign-load-store-layouts ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateScore.h"
#include "Passes.h"
#include "Remarks.h"
#include "SlotRewriter.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"

using namespace mlir;

namespace tileiras::layout {
#define GEN_PASS_DEF_TILEASASSIGNLOADSTORELAYOUTS
#include "Passes.h.inc"

namespace {

struct TileASAssignLoadStoreLayouts : impl::TileASAssignLoadStoreLayoutsBase<TileASAssignLoadStoreLayouts> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASAssignLoadStoreLayouts)
  using TileASAssignLoadStoreLayoutsBase::TileASAssignLoadStoreLayoutsBase;

  void runOnOperation() override {
    Operation *func = getOperation();
    const ChipTarget target = findModuleTarget(func, gpuName);
    FailureOr<std::vector<PipelineGroup>> groups = collectPipelineGroups(func, target);
    if (failed(groups))
      return signalPassFailure();
    ProductChoices products(target);
    if (failed(products.ask(*groups)))
      return signalPassFailure();
    settleProducts(*groups, products);
    leaveRegistersToLoads(*groups, products);
    for (PipelineGroup &group : *groups)
      if (failed(assignGroup(group, products)))
        return signalPassFailure();
    products.remark();
  }

  /// A product that one of its operands rules out no longer restricts the other.
  static void settleProducts(ArrayRef<PipelineGroup> groups, ProductChoices &products) {
    size_t before;
    do {
      before = products.countAccepted();
      for (const PipelineGroup &group : groups)
        for (const PipelineEntry &entry : group.entries)
          (void)collectCandidates(entry, products);
    } while (products.countAccepted() != before);
  }

  /// Where no engine can fill a slot. Only sums in parts take registers beside the accumulator's.
  void leaveRegistersToLoads(ArrayRef<PipelineGroup> groups, ProductChoices &products) {
    auto isInParts = [&](const ProductUse &use) {
      const WarpgroupProduct *found = products.find(use.product);
      return found && sumsInParts(*found->atom, as::DotOp(use.product).getFastAcc());
    };
    for (const PipelineGroup &group : groups)
      for (const PipelineEntry &entry : group.entries) {
        if (llvm::none_of(entry.products, isInParts))
          continue;
        std::vector<SlotCandidate> candidates = collectCandidates(entry, products);
        if (!candidates.empty() &&
            pickByCost(candidates, preferTma, products.getTarget().tuning()).fill != FillKind::Engine)
          for (const ProductUse &use : entry.products)
            products.leaveRegistersToLoads(use.product);
      }
  }

  static void remarkChoice(as::CreatePipelineOp pipeline, unsigned entry, const SlotCandidate &best, size_t candidates,
                           const TuningModel &tuning) {
    const LayoutCost &cost = best.cost;
    remarkOn(pipeline, Analysis::StageLayout)
        << llvm::formatv(
               "tile {0} of a stage lies in {1}, filled by {2}: {3} hundredths of a transaction, the lowest of "
               "{4} candidates ({5} transactions of shared memory, {6} cycles of tensor memory, {7} registers)",
               entry, best.encoding.getDescriptor().str(), best.fill == FillKind::Engine ? "TMA" : "threads",
               cost.getScore(tuning), candidates, cost.sharedTransactions, cost.tensorMemoryCycles, cost.liveRegisters)
               .str();
  }

  LogicalResult assignGroup(PipelineGroup &group, ProductChoices &products) {
    SmallVector<as::SharedAttr> encodings;
    const TuningModel &tuning = products.getTarget().tuning();
    for (auto [i, entry] : llvm::enumerate(group.entries)) {
      std::vector<SlotCandidate> candidates = collectCandidates(entry, products);
      if (candidates.empty())
        return emitNoCommonMemory(group.pipeline);
      const SlotCandidate &best = pickByCost(candidates, preferTma, tuning);
      encodings.push_back(best.encoding);
      remarkChoice(group.pipeline, i, best, candidates.size(), tuning);
    }
    moveToMemory(group, encodings, products);
    return success();
  }
};

} // namespace
} // namespace tileiras::layout
