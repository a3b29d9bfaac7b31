//===- TensorMemory.cpp - Tiles in tensor memory --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Target/Atoms.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;

RankedTensorType as::getTensorMemoryType(RankedTensorType tile, const MmaAtom &atom) {
  const int64_t tileRows = tile.getDimSize(0), tileColumns = tile.getDimSize(1);
  SmallVector<int32_t> rows, columns;
  for (int32_t row = 1; row < std::min(kTensorMemoryRows, tileRows); row *= 2)
    rows.append({row, 0});
  const bool isHalved = atom.m < kTensorMemoryRows;
  const int32_t half = isHalved ? atom.n / 2 : tileColumns;
  for (int32_t column = 1; column < tileColumns; column *= 2)
    (column == half ? rows : columns).append({0, column});
  for (int32_t row = kTensorMemoryRows; row < tileRows; row *= 2)
    columns.append({row, 0});
  return tile.cloneWithEncoding(TmemAttr::get(tile.getContext(), 2, rows, columns, /*unpacked=*/false));
}

int64_t as::countTensorMemoryColumns(RankedTensorType tile) {
  return llvm::divideCeil(tile.getNumElements() * getSharedBits(tile.getElementType()),
                          kTensorMemoryRows * kTensorMemoryColumnBits);
}

bool as::isZeroTile(Value tile) {
  if (auto splat = tile.getDefiningOp<SplatOp>())
    tile = splat.getValue();
  return matchPattern(tile, m_Zero()) || matchPattern(tile, m_PosZeroFloat());
}
