//===- LoadFacts.cpp - What is known of the memory behind a tile ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadFacts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"

using namespace mlir;

namespace tileiras::layout {

as::TiledLoadOp findLoad(Value tile) {
  while (auto conversion = tile.getDefiningOp<as::ConvertLayoutOp>())
    tile = conversion.getSource();
  return tile.getDefiningOp<as::TiledLoadOp>();
}

std::optional<SmallVector<unsigned>> getMemoryOrder(Value tile) {
  as::TiledLoadOp load = findLoad(tile);
  if (!load)
    return std::nullopt;
  as::TiledViewType view = load.getView().getType();
  const unsigned rank = view.getRank();
  SmallVector<unsigned> tileDims(rank);
  for (auto [tileDim, memoryDim] : llvm::enumerate(view.getDimMap()))
    tileDims[memoryDim] = tileDim;
  SmallVector<unsigned> order;
  ArrayRef<int64_t> strides = view.getSource().getStrides();
  // Of several unit strides that with the longer tile counts; the other dimension has one element, or they overlap.
  std::optional<unsigned> contiguous;
  for (unsigned d = rank; d-- > 0;)
    if (strides[d] == 1 && int32_t(tileDims[d]) != view.getSparseDim() &&
        (!contiguous || view.getShape()[tileDims[d]] > view.getShape()[*contiguous]))
      contiguous = tileDims[d];
  if (!contiguous)
    return std::nullopt;
  order.push_back(*contiguous);
  for (unsigned d = rank; d-- > 0;)
    if (tileDims[d] != *contiguous)
      order.push_back(tileDims[d]);
  return order;
}

bool mayBeTensorCopy(Value tile) {
  constexpr int64_t maxRank = 5, alignment = 16;
  as::TiledLoadOp load = findLoad(tile);
  std::optional<SmallVector<unsigned>> order = getMemoryOrder(tile);
  if (!load || !order || order->size() > maxRank || load.getMemSemantic() != aa::MemSemantic::Weak)
    return false;
  as::TiledViewType view = load.getView().getType();
  if (view.getSparseDim() >= 0 || !view.getElementType().isIntOrFloat())
    return false;
  const int64_t bytes = view.getElementType().getIntOrFloatBitWidth() / 8;
  ArrayRef<int64_t> strides = view.getSource().getStrides();
  return bytes != 0 && llvm::all_of(ArrayRef(*order).drop_front(), [&](unsigned dim) {
           const int64_t stride = strides[view.getDimMap()[dim]];
           return ShapedType::isDynamic(stride) || stride * bytes % alignment == 0;
         });
}

} // namespace tileiras::layout
