//===- LoadFacts.cpp - What is known of the memory behind a tile ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadFacts.h"
#include "tileiras/Dialect/TileAS/AsyncCopies.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"

using namespace mlir;

namespace tileiras::layout {

as::TiledLoadOp findLoad(Value tile) {
  for (Operation *op = tile.getDefiningOp(); op; op = op->getOperand(0).getDefiningOp()) {
    auto conversion = dyn_cast<aa::FpToFpOp>(op);
    if (!isa<as::ConvertLayoutOp>(op) && !(conversion && as::canTensorCopyConvert(conversion)))
      return dyn_cast<as::TiledLoadOp>(op);
  }
  return {};
}

std::optional<as::AccessPattern> findAccessPattern(Value tile) {
  llvm::SmallPtrSet<Operation *, 8> visited;
  SmallVector<Value> work = {tile};
  Operation *load = nullptr;
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || !visited.insert(op).second)
      continue;
    if (isa<as::TiledLoadOp, as::LoadOp>(op)) {
      if (load)
        return std::nullopt;
      load = op;
    } else if (OpTrait::hasElementwiseMappableTraits(op) || isa<as::ConvertLayoutOp>(op)) {
      llvm::copy_if(op->getOperands(), std::back_inserter(work),
                    [](Value operand) { return isa<RankedTensorType>(operand.getType()); });
    }
  }
  if (auto tiled = dyn_cast_if_present<as::TiledLoadOp>(load))
    return as::getAccessPattern(tiled);
  if (auto gather = dyn_cast_if_present<as::LoadOp>(load))
    return as::getAccessPattern(gather);
  return std::nullopt;
}

std::optional<SmallVector<unsigned>> getMemoryOrder(Value tile) {
  std::optional<as::AccessPattern> pattern = findAccessPattern(tile);
  if (!pattern || !pattern->contiguousDim)
    return std::nullopt;
  SmallVector<unsigned> order = {*pattern->contiguousDim};
  as::TiledLoadOp load = findLoad(tile);
  const unsigned rank = pattern->tile.getRank();
  SmallVector<unsigned> dims = llvm::to_vector(llvm::seq(rank));
  // Slower dimensions as in memory, if a view says which they are.
  if (load)
    for (auto [tileDim, memoryDim] : llvm::enumerate(load.getView().getType().getDimMap()))
      dims[memoryDim] = tileDim;
  for (unsigned dim : llvm::reverse(dims))
    if (dim != *pattern->contiguousDim)
      order.push_back(dim);
  return order;
}

bool hasNeighboursAcross(const LinearLayout &operand, as::OperandAxis axis) {
  const unsigned across = operand.getRank() - (axis == as::OperandAxis::A ? 2 : 1);
  return operand.getNumBits(LayoutDim::Offset) != 0 && operand.getBasis(LayoutDim::Offset, 0)[across] != 0;
}

static bool mayBeTensorCopy(Value tile, const TensorCopyRule &rule) {
  as::TiledLoadOp load = findLoad(tile);
  std::optional<SmallVector<unsigned>> order = getMemoryOrder(tile);
  if (!load || !order || load.getMemSemantic() != aa::MemSemantic::Weak)
    return false;
  as::TiledViewType view = load.getView().getType();
  if (view.getSparseDim() >= 0 || !view.getElementType().isIntOrFloat())
    return false;
  const int64_t bytes = view.getElementType().getIntOrFloatBitWidth() / 8;
  SmallVector<int64_t> divisors; // Of strides that types do not tell, whatever suits.
  for (unsigned dim : ArrayRef(*order).drop_front()) {
    const int64_t stride = view.getSource().getStrides()[view.getDimMap()[dim]];
    divisors.push_back(ShapedType::isDynamic(stride) ? 0 : stride);
  }
  return bytes != 0 && rule.explainRank(order->size()).empty() && rule.explainStrides(divisors, bytes).empty();
}

bool mayBeTensorCopies(ArrayRef<Value> tiles, const ChipTarget &target) {
  const TensorCopyRule rule(target);
  return llvm::all_of(tiles, [&](Value tile) { return mayBeTensorCopy(tile, rule); });
}

} // namespace tileiras::layout
