//===- ProductChoices.cpp - Which products warpgroups compute -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadFacts.h"
#include "Remarks.h"
#include "SlotCandidates.h"
#include "tileiras/Dialect/TileAA/Agents.h"
#include "tileiras/Dialect/TileAA/BlockScale.h"
#include "tileiras/Dialect/TileAS/AsyncCopies.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Lowering/ExecutionScope.h"

using namespace mlir;

namespace tileiras::layout {

namespace {
/// Which operands of a product are entries of stages.
struct EntryOperands {
  bool a = false, b = false, scaleA = false, scaleB = false;
  bool isShared = false;       ///< somebody else reads one of these
  bool hasContiguousM = false; ///< A in global memory, from where a copy engine brings it as it is
  as::ByteNeighbours neighbours;
};
} // namespace

/// Whether neighbours in memory are neighbours of the operand along M or N.
static bool hasNeighboursAcross(const PipelineEntry &entry, const ProductUse &use) {
  std::optional<SmallVector<unsigned>> order = getCommonOrder(entry);
  if (!order)
    return false;
  return layout::hasNeighboursAcross(
      use.deriveLayout(makeSwizzledLayout(entry.type.getShape(), *order, entry.getElementBits(), SwizzleMode::None)),
      use.axis);
}

static bool hasContiguousM(const PipelineEntry &entry, const ProductUse &use, const ChipTarget &target) {
  return use.axis == as::OperandAxis::A && hasNeighboursAcross(entry, use) && mayBeTensorCopies(entry.produced, target);
}

/// Threads can copy scales to where tensor memory takes them from.
static bool mayBeCopied(const PipelineEntry &entry, const ProductUse &use) {
  std::optional<LinearLayout> layout = getScaleLayout(use);
  return layout && llvm::all_of(entry.produced, [&](Value tile) {
           as::TiledLoadOp load = findLoad(tile);
           return load && as::planAsyncCopy(load.getView(), as::getSharedType(entry.type.getElementType(), *layout),
                                            load.getInBounds(), getExecutionScope(load).numWarps);
         });
}

/// Scales that an engine brings, or threads copy, lie as tensor memory takes them.
static bool mayBeScaleBlocks(const PipelineEntry &entry, const ProductUse &use, const ChipTarget &target) {
  if (mayBeCopied(entry, use))
    return true;
  std::optional<SmallVector<unsigned>> order = getCommonOrder(entry);
  return order && mayBeTensorCopies(entry.produced, target) &&
         isScaleBlocks(use.deriveLayout(makeSwizzledLayout(entry.type.getShape(), *order, entry.getElementBits(),
                                                           SwizzleMode::None)),
                       use.axis == as::OperandAxis::A ? 0 : 1);
}

/// Their product changes what it reads.
static bool hasSignedScales(as::DotOp product) {
  return aa::mayBeNegative(product, getElementTypeOrSelf(product.getScaleA()));
}

/// A is in registers where it is no entry, or where no instruction reads it from memory in which M is contiguous.
static as::OperandPlace findPlaceOfA(as::DotOp product, EntryOperands entries, const ChipTarget &target,
                                     int64_t numWarps) {
  if (!entries.a)
    return as::OperandPlace::Registers;
  if (entries.hasContiguousM)
    for (as::OperandPlace place : {as::OperandPlace::MnMajor, as::OperandPlace::RegistersOfMnMajor})
      if (findWarpgroupProduct(product, target, numWarps, place).atom)
        return place;
  return as::OperandPlace::KMajor;
}

/// What an operand that is no entry is, in words.
static std::string describeOrigin(Value operand) {
  if (Operation *op = operand.getDefiningOp())
    return (" comes from '" + op->getName().getStringRef() + "'").str();
  return " is an argument";
}

static std::string describeMissing(as::DotOp product, EntryOperands entries) {
  if (!entries.b)
    return "operand B" + describeOrigin(product.getB()) +
           " and not straight from a load; warpgroups read B as it was loaded";
  return "operand A" + describeOrigin(product.getA()) +
         " and not straight from a load; warpgroups read A as it was loaded";
}

/// Null for ordinary arithmetic.
static FailureOr<as::ProductLayouts> findWarpLayouts(as::DotOp product, const ChipTarget &target, int64_t numWarps,
                                                     as::ByteNeighbours neighbours) {
  FailureOr<const MmaAtom *> atom = as::findWarpAtom(product, target, neighbours);
  if (failed(atom))
    return failure();
  if (!*atom)
    return as::ProductLayouts();
  return as::getProductLayouts(product.getContext(), **atom, product.getType().getShape(), numWarps,
                               /*preferRows=*/false);
}

LogicalResult ProductChoices::ask(MutableArrayRef<PipelineGroup> groups) {
  llvm::MapVector<Operation *, EntryOperands> read;
  for (PipelineGroup &group : groups)
    for (PipelineEntry &entry : group.entries)
      for (ProductUse &use : entry.products) {
        EntryOperands &operands = read[use.product];
        operands.isShared |= entry.hasOtherUses || entry.products.size() != 1;
        if (use.isScale) {
          (use.axis == as::OperandAxis::A ? operands.scaleA : operands.scaleB) |= mayBeScaleBlocks(entry, use, target);
          continue;
        }
        (use.axis == as::OperandAxis::A ? operands.a : operands.b) = true;
        operands.hasContiguousM |= hasContiguousM(entry, use, target);
        if (entry.getElementBits() == 8 && getElementTypeOrSelf(use.getOperand().get()).getIntOrFloatBitWidth() == 8)
          (use.axis == as::OperandAxis::A ? operands.neighbours.a : operands.neighbours.b) |=
              hasNeighboursAcross(entry, use);
      }
  // Those that read none are asked for the remark.
  for (PipelineGroup &group : groups)
    for (as::PipelineRegionOpInterface consumer : group.consumers)
      consumer->walk([&](as::DotOp product) { (void)read[product]; });
  const bool isBesideAgents =
      !read.empty() && aa::hasAgents(read.front().first->getParentOfType<FunctionOpInterface>());
  for (auto [op, entries] : read) {
    auto product = cast<as::DotOp>(op);
    const int64_t numWarps = getExecutionScope(product).numWarps;
    WarpgroupProduct found =
        findWarpgroupProduct(product, target, numWarps, findPlaceOfA(product, entries, target, numWarps));
    FailureOr<as::ProductLayouts> alone = findWarpLayouts(product, target, numWarps, entries.neighbours);
    if (failed(alone))
      return failure();
    warpLayouts[op] = *alone;
    if (found.atom && !entries.b)
      found = {};
    if (found.atom && isBesideAgents && !product->getParentOfType<aa::AgentLikeOpInterface>()) {
      found = {};
      found.obstacle = "it stands around agents, where all warps of the block run, and an asynchronous MMA stays with "
                       "those that have started it; in an agent, warpgroups compute it";
    }
    if (!found.atom && hasWarpgroupProducts(target) && (!entries.a || !entries.b) && found.obstacle.empty())
      found.obstacle = describeMissing(product, entries);
    found.scalesInMemory =
        found.atom && entries.a && entries.scaleA && entries.scaleB && !(entries.isShared && hasSignedScales(product));
    products[op] = std::move(found);
  }
  return success();
}

const WarpgroupProduct *ProductChoices::find(as::DotOp product) const {
  auto it = products.find(product);
  return it != products.end() && it->second.atom ? &it->second : nullptr;
}

void ProductChoices::refuse(as::DotOp product, std::string obstacle) {
  products[product] = {};
  products[product].obstacle = std::move(obstacle);
}

void ProductChoices::leaveRegistersToLoads(as::DotOp product) {
  if (const WarpgroupProduct *found = find(product))
    products[product] = findWarpgroupProduct(product, target, getExecutionScope(product).numWarps, found->placeA,
                                             /*isLoadedByThreads=*/true);
}

size_t ProductChoices::countAccepted() const {
  return llvm::count_if(products, [](const auto &entry) { return entry.second.atom != nullptr; });
}

void ProductChoices::remark() const {
  for (const auto &[op, product] : products)
    if (!product.atom && !product.obstacle.empty())
      remarkOn(op, Missed::WarpgroupProduct) << "MMA of single warps instead of warpgroups: " << product.obstacle;
}

} // namespace tileiras::layout
