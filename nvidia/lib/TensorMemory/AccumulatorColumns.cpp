//===- AccumulatorColumns.cpp - Columns of tensor memory ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccumulatorColumns.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Analysis/FutureAccumulators.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "tileiras/Lowering/SharedArena.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <utility>

using namespace mlir;

namespace tileiras {

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// When `op` uses tensor memory. What runs beside other scopes with products does so as long as all of them run; with
/// `forLoops`, what is in a loop as long as the loop.
static Lifetime getUse(Operation *op, const KernelProducts &products, const ProgramOrder &order, bool forLoops) {
  auto loop = op->getParentOfType<LoopLikeOpInterface>();
  Operation *whole = forLoops && loop && getScopeRegion(loop) == getScopeRegion(op) ? loop.getOperation() : op;
  if (products.scopes.size() > 1)
    for (Operation *around = whole->getParentOp(); around; around = around->getParentOp())
      if (isa<as::ExecutionScopeOpInterface>(around))
        whole = around;
  return order.getLifetime(whole);
}

static ColumnRange allocateColumns(SharedArena &arena, RankedTensorType tile, Lifetime lifetime) {
  const int64_t count = as::countTensorMemoryColumns(tile);
  return {arena.allocate(count, count, lifetime), count};
}

/// Adds webs and operands to `plan`, whose columns so far are taken in `arena`; nothing if there are not enough.
static std::optional<ColumnPlan> addTiles(ColumnPlan plan, SharedArena arena, const KernelProducts &products,
                                          const AccumulatorWebs &webs, const LoweringContext &lowering,
                                          const ProgramOrder &order, bool forLoops) {
  for (const AccumulatorWebs::Web &web : webs.getWebs()) {
    Lifetime lifetime = getUse(web.operations.front(), products, order, forLoops);
    for (Operation *op : web.operations) {
      const Lifetime other = getUse(op, products, order, forLoops);
      lifetime = {std::min(lifetime.begin, other.begin), std::max(lifetime.end, other.end)};
    }
    plan.webs.push_back(allocateColumns(arena, web.type, lifetime));
  }
  // A later product may overwrite what one that is still under way reads: they are executed in order.
  for (as::AsyncDotOp product : products.all)
    if (as::takesOperandInTensorMemory(&lowering.atoms(), product))
      plan.operands[product] =
          allocateColumns(arena, product.getA().getType(), getUse(product, products, order, forLoops));
  plan.total = llvm::PowerOf2Ceil(std::max(arena.getBytes(), IsaLimits::kLeastTensorMemoryColumns));
  return arena.getBytes() <= lowering.machine().tensorMemoryColumns ? std::optional(std::move(plan)) : std::nullopt;
}

/// Nothing if there are not enough columns. Where that takes no more of them, tiles of a loop have columns of their
/// own: what is done to one need not wait for the others.
static std::optional<ColumnPlan> planColumns(const KernelProducts &products, ArrayRef<as::AllocTensorOp> rings,
                                             const LoweringContext &lowering, const AccumulatorWebs &webs,
                                             ScaleColumns &scales, const ProgramOrder &order) {
  ColumnPlan all;
  SharedArena arena; // Of columns.
  for (as::AllocTensorOp ring : rings) {
    const int64_t count = as::countTensorMemoryColumns(ring.getType()), stages = ring.getStages().value_or(1);
    all.rings.push_back({arena.allocate(count * stages, count, order.getWhole()), count * stages});
  }
  scales.allocate(arena, order.getWhole());
  auto complete = [&](bool forLoops) { return addTiles(all, arena, products, webs, lowering, order, forLoops); };
  std::optional<ColumnPlan> least = complete(/*forLoops=*/false);
  if (!least)
    return std::nullopt;
  std::optional<ColumnPlan> ofLoops = complete(/*forLoops=*/true);
  return ofLoops && ofLoops->total <= least->total ? ofLoops : least;
}

FailureOr<ColumnPlan> fitColumns(const KernelProducts &products, ArrayRef<as::AllocTensorOp> rings,
                                 const LoweringContext &lowering, AccumulatorWebs &webs, ScaleColumns &scales) {
  LLVM::LLVMFuncOp kernel = products.kernel;
  const ProgramOrder order(kernel.getBody());
  const int64_t mostColumns = lowering.machine().tensorMemoryColumns;
  bool isSaid = false;
  while (true) {
    if (std::optional<ColumnPlan> plan = planColumns(products, rings, lowering, webs, scales, order))
      return std::move(*plan);
    if (scales.shareSets()) {
      remarkOn(kernel, Missed::TensorMemory)
          << llvm::formatv("the {0} columns of tensor memory do not hold the scales of all stages: an MMA with "
                           "scales waits for the one before; use smaller tiles, or fewer stages",
                           mostColumns)
                 .str();
      continue;
    }
    if (webs.separateScaled())
      continue;
    if (!webs.keepInRegisters())
      return products.all.front()->emitError("the accumulators of '")
             << kernel.getSymName() << "' do not fit in the " << mostColumns
             << " columns of tensor memory; use smaller tiles";
    if (!std::exchange(isSaid, true))
      remarkOn(kernel, Missed::TensorMemory)
          << llvm::formatv("the {0} columns of tensor memory do not hold all accumulators of the kernel at once: "
                           "loop-carried ones pass through registers; use smaller tiles",
                           mostColumns)
                 .str();
  }
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

static bool isApart(Operation *op, const AccumulatorWebs &webs, const ColumnPlan &columns) {
  SmallVector<ColumnRange> ranges;
  for (auto [web, range] : llvm::zip_equal(webs.getWebs(), columns.webs))
    if (llvm::any_of(web.operations, [&](Operation *user) { return op->isAncestor(user); }))
      ranges.push_back(range);
  for (auto [product, range] : columns.operands)
    if (op->isAncestor(product))
      ranges.push_back(range);
  return llvm::all_of(ranges, [&](ColumnRange range) {
    return llvm::all_of(ranges, [&](ColumnRange other) { return range == other || !range.overlaps(other); });
  });
}

llvm::SmallPtrSet<Operation *, 4> findApart(Operation *kernel, const AccumulatorWebs &webs, const ColumnPlan &columns) {
  llvm::SmallPtrSet<Operation *, 4> apart;
  kernel->walk([&](Operation *op) {
    if (isa<LoopLikeOpInterface, as::ExecutionScopeOpInterface>(op) && isApart(op, webs, columns))
      apart.insert(op);
  });
  return apart;
}

SmallVector<ColumnRange> findUsed(as::AsyncDotOp product, const AccumulatorWebs &webs, const ColumnPlan &columns) {
  SmallVector<ColumnRange> used;
  Value sum = product.getResult();
  if (webs.contains(sum))
    used.push_back(columns.webs[webs.getNumber(sum)]);
  if (auto operand = columns.operands.find(product); operand != columns.operands.end())
    used.push_back(operand->second);
  return used;
}

SmallVector<ColumnRange> findWritten(Operation *op, const AccumulatorWebs &webs, const ColumnPlan &columns) {
  if (auto product = dyn_cast<as::AsyncDotOp>(op))
    return findUsed(product, webs, columns);
  Value tile;
  if (auto scale = dyn_cast<as::ScaleTensorMemoryOp>(op))
    tile = scale.getTile();
  else if (auto copy = dyn_cast<as::CopyOp>(op))
    tile = copy.getDestination();
  auto place = tile ? tile.getDefiningOp<as::TensorMemoryTileOp>() : nullptr;
  if (!place)
    return {};
  return {ColumnRange{place.getColumn(), as::countTensorMemoryColumns(place.getType())}};
}

} // namespace tileiras
