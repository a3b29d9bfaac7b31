//===- ProductChoices.cpp - Which products warpgroups compute -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SlotCandidates.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Pipeline/Remarks.h"

using namespace mlir;

namespace tileiras::layout {

namespace {
/// Which operands of a product are entries of stages.
struct EntryOperands {
  bool a = false, b = false;
};
} // namespace

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
static FailureOr<as::ProductLayouts> findWarpLayouts(as::DotOp product, const ChipTarget &target, int64_t numWarps) {
  FailureOr<const MmaAtom *> atom = as::findWarpAtom(product, target);
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
      for (ProductUse &use : entry.products)
        (use.axis == as::OperandAxis::A ? read[use.product].a : read[use.product].b) = true;
  // Those that read none are asked for the remark.
  for (PipelineGroup &group : groups)
    for (as::PipelineRegionOpInterface consumer : group.consumers)
      consumer->walk([&](as::DotOp product) { (void)read[product]; });
  for (auto [op, entries] : read) {
    auto product = cast<as::DotOp>(op);
    const int64_t numWarps = getExecutionScope(product).numWarps;
    WarpgroupProduct found = findWarpgroupProduct(product, target, numWarps, /*registerA=*/!entries.a);
    FailureOr<as::ProductLayouts> alone = findWarpLayouts(product, target, numWarps);
    if (failed(alone))
      return failure();
    warpLayouts[op] = *alone;
    if (found.atom && !entries.b)
      found = {};
    if (!found.atom && hasWarpgroupProducts(target) && (!entries.a || !entries.b) && found.obstacle.empty())
      found.obstacle = describeMissing(product, entries);
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
    products[product] = findWarpgroupProduct(product, target, getExecutionScope(product).numWarps,
                                             /*registerA=*/bool(found->a), /*isLoadedByThreads=*/true);
}

size_t ProductChoices::countAccepted() const {
  return llvm::count_if(products, [](const auto &entry) { return entry.second.atom != nullptr; });
}

void ProductChoices::remark() const {
  for (const auto &[op, product] : products)
    if (!product.atom && !product.obstacle.empty())
      remarkMissed(op, "WarpgroupProduct", "layout")
          << "matrix product of single warps instead of warpgroups: " << product.obstacle;
}

} // namespace tileiras::layout
