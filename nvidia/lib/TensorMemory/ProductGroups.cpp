//===- ProductGroups.cpp - Warpgroups with products of their own ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductGroups.h"
#include "Exponentials.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {

/// Each warpgroup has the rows of one instruction, as many as `machine` has lanes, the first one the first.
static bool hasRowsOfGroups(RankedTensorType tile, int64_t groups, const MachineModel &machine) {
  const LinearLayout layout = as::getLinearLayout(tile);
  const int64_t rows = machine.tensorMemoryLanes;
  const unsigned first = llvm::Log2_64(machine.warpGranularity), count = llvm::Log2_64(groups);
  if (tile.getRank() != 2 || tile.getDimSize(0) != groups * rows || layout.getNumBits(LayoutDim::Warp) != first + count)
    return false;
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp})
    for (auto [bit, step] : llvm::enumerate(layout.getBases(dim))) {
      const bool isOfGroup = dim == LayoutDim::Warp && bit >= first;
      if (isOfGroup ? step[0] != rows << (bit - first) || step[1] != 0 : step[0] >= rows)
        return false;
    }
  return true;
}

namespace {

class Division {
public:
  Division(Region &scope, const LoweringContext &lowering, int64_t groups)
      : scope(scope), lowering(lowering), machine(lowering.machine()), groups(groups) {}

  bool isPossible() {
    return !scope.walk([&](Operation *op) { return WalkResult(success(isDivisible(op))); }).wasInterrupted();
  }

private:
  bool isDivisible(Operation *op) const {
    if (auto product = dyn_cast<as::AsyncDotOp>(op))
      return !product.getCtaPair() && !product.isBlockScaled() &&
             product.getC().getType().getDimSize(0) == groups * machine.tensorMemoryLanes &&
             product.getAtom().findMma(lowering.atoms())->m == machine.tensorMemoryLanes;
    if (auto scale = dyn_cast<as::ScaleTensorMemoryOp>(op))
      return hasRowsOfGroups(scale.getScale().getType(), groups, machine);
    if (auto copy = dyn_cast<as::CopyOp>(op)) {
      const std::optional<as::RegisterCopy> moved = as::findRegisterCopy(copy);
      return !moved || !as::isTensorMemoryTensor(moved->memory) || hasRowsOfGroups(moved->registers, groups, machine);
    }
    if (auto commit = dyn_cast<as::CommitProductsOp>(op))
      return isa<as::ConsumerTokenType>(commit.getToken().getType());
    return !isa<as::BlockScaledMmaOp, as::StoreScalesOp>(op);
  }

  Region &scope;
  const LoweringContext &lowering;
  const MachineModel &machine;
  int64_t groups;
};

} // namespace

int64_t countMostGroups(Operation *op, const LoweringContext &lowering) {
  return std::max<int64_t>(getExecutionScope(op).numWarps / lowering.machine().warpGranularity, 1);
}

int64_t divideProducts(Region &scope, const LoweringContext &lowering) {
  auto agents = dyn_cast<as::AgentSwitchOp>(scope.getParentOp());
  if (!agents || !agents.hasWarps())
    return 1;
  const unsigned number = scope.getRegionNumber();
  const MachineModel &machine = lowering.machine();
  const int64_t warpgroup = machine.warpGranularity, groups = agents.getNumWarps(number) / warpgroup;
  // Groups that wait for nothing on their own gain nothing.
  const bool waits = scope.walk([](as::WaitAccumulatorOp) { return WalkResult::interrupt(); }).wasInterrupted();
  const bool hasSections = agents->walk([](as::EnterExclusiveOp) { return WalkResult::interrupt(); })
                               .wasInterrupted(); // Which has the barriers.
  if (groups < 2 || !waits || agents.getFirstWarp(number) % warpgroup != 0 || hasSections ||
      agents->getNumRegions() + 1 + groups > machine.namedBarriers || !Division(scope, lowering, groups).isPossible())
    return 1;
  SmallVector<int32_t> all(agents->getNumRegions(), 1);
  all[number] = groups;
  agents.setProductGroups(all);
  remarkOn(agents, Analysis::ProductGroups)
      << llvm::formatv("each of {0} warpgroups starts the MMAs of its {1} rows, and waits for these alone", groups,
                       machine.tensorMemoryLanes)
             .str();
  return groups;
}

void addExclusiveSections(Region &scope, const LoweringContext &lowering, int64_t groups,
                          llvm::function_ref<bool(Operation *)> areApart) {
  SmallVector<Operation *> sections;
  scope.walk([&](scf::ForOp loop) {
    const bool allMeet = loop.walk([](as::WaitProductsOp) { return WalkResult::interrupt(); }).wasInterrupted();
    Operation *exponentials = areApart(loop) && !allMeet ? findExponentials(loop, lowering.tuning()) : nullptr;
    if (exponentials)
      sections.push_back(exponentials);
  });
  if (sections.empty())
    return;
  auto agents = cast<as::AgentSwitchOp>(scope.getParentOp());
  const int32_t barrier = agents->getNumRegions() + 1 + groups;
  if (barrier + groups > lowering.machine().namedBarriers)
    return;
  OpBuilder builder(&scope.front(), scope.front().begin());
  as::LeaveExclusiveOp::create(builder, agents.getLoc(), barrier, /*opening=*/true);
  for (Operation *section : sections) {
    builder.setInsertionPoint(section);
    as::EnterExclusiveOp::create(builder, section->getLoc(), barrier);
    builder.setInsertionPointAfter(gatherBehind(section, lowering));
    as::LeaveExclusiveOp::create(builder, section->getLoc(), barrier, /*opening=*/false);
    remarkOn(section, Analysis::PingPong) << "warpgroups ping-pong at the exponentials of the loop";
  }
}

IntegerAttr getGroupBarrier(Region &scope) {
  Operation *agents = scope.getParentOp();
  return Builder(agents->getContext()).getI32IntegerAttr(agents->getNumRegions() + 1);
}

} // namespace tileiras
