//===- SplitExponentials.cpp - tileas-split-exponentials ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/SplitExponentials.h"
#include "Passes.h"
#include "Remarks.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASSPLITEXPONENTIALS
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// Powers of two of f32 in the loop's body, flushed, of which a thread has enough.
SmallVector<aa::Exp2Op> findExponentials(scf::ForOp loop, int64_t fewest) {
  SmallVector<aa::Exp2Op> found;
  for (auto exponentials : loop.getBody()->getOps<aa::Exp2Op>()) {
    auto tile = dyn_cast<RankedTensorType>(exponentials.getType());
    if (tile && tile.getElementType().isF32() && exponentials.getFtz() && as::isDistributedTensor(tile) &&
        as::getNumRegisters(tile) >= fewest)
      found.push_back(exponentials);
  }
  return found;
}

/// Three quarters of `exponentials` would keep their unit as busy in an iteration as any other is.
FailureOr<bool> isBound(scf::ForOp loop, ArrayRef<aa::Exp2Op> exponentials, const ChipTarget &target) {
  FailureOr<ScheduleProblem> problem = buildScheduleProblem(loop, target);
  if (failed(problem))
    return failure();
  SmallVector<int64_t> busy(problem->units.size()), byExponentials(problem->units.size());
  for (auto [op, entry] : llvm::zip(loop.getBody()->without_terminator(), problem->operations))
    for (const ResourceUse &use : entry.uses)
      (llvm::is_contained(exponentials, &op) ? byExponentials : busy)[use.unit] += use.duration;
  auto unit = llvm::max_element(byExponentials);
  busy[unit - byExponentials.begin()] = 0; // Others wait for it together with them.
  return *unit * 3 >= *llvm::max_element(busy) * 4;
}

struct TileASSplitExponentials : impl::TileASSplitExponentialsBase<TileASSplitExponentials> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASSplitExponentials)
  using TileASSplitExponentialsBase::TileASSplitExponentialsBase;

  void runOnOperation() override {
    if (split == "false")
      return;
    const ChipTarget target = findModuleTarget(getOperation(), gpuName);
    const bool isAuto = split == "auto";
    if (!target || (isAuto && !target.chip->features.f32x2))
      return;
    WalkResult walk = getOperation()->walk([&](scf::ForOp loop) -> WalkResult {
      const SmallVector<aa::Exp2Op> exponentials = findExponentials(loop, target.tuning().leastSplitExponentials);
      if (exponentials.empty())
        return success();
      FailureOr<bool> splits = isAuto ? isBound(loop, exponentials, target) : true;
      if (failed(splits))
        return failure();
      if (!*splits)
        return success();
      for (aa::Exp2Op op : exponentials)
        op->setAttr(kSplitExponentialsAttr, UnitAttr::get(&getContext()));
      remarkOn(loop, Analysis::SplitExponentials)
          << (isAuto ? "multiplications compute a quarter of its exponentials, for which it would wait most"
                     : "multiplications compute a quarter of its exponentials, as an option asks");
      return success();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
} // namespace tileiras::async
