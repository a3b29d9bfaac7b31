//===- KnownSlices.cpp - Slices that registers hold -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/KnownSlices.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"

using namespace mlir;
using namespace tileiras;

std::optional<SmallVector<unsigned>> as::findSliceRegisters(ExtractSliceOp slice) {
  RankedTensorType whole = slice.getSource().getType(), part = slice.getType();
  if (!isDistributedTensor(whole) || !isDistributedTensor(part))
    return std::nullopt;
  SmallVector<int64_t> first;
  for (auto [index, extent, all] : llvm::zip(slice.getIndices(), part.getShape(), whole.getShape())) {
    std::optional<int64_t> number = extent == all ? 0 : getConstantIntValue(index);
    if (!number || *number < 0 || *number * extent >= all)
      return std::nullopt;
    first.push_back(*number * extent);
  }
  return getPartRegisters(getLinearLayout(whole), getLinearLayout(part), first);
}
