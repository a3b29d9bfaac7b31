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

bool as::dividesColumns(const MmaAtom &atom) {
  return atom.m < IsaLimits::kTensorMemoryLanes;
}

RankedTensorType as::getTensorMemoryType(RankedTensorType tile, const MmaAtom &atom, OperandAxis axis) {
  const int64_t tileRows = tile.getDimSize(0), tileColumns = tile.getDimSize(1);
  SmallVector<int32_t> rows, columns;
  for (int32_t row = 1; row < std::min(IsaLimits::kTensorMemoryLanes, tileRows); row *= 2)
    rows.append({row, 0});
  const int32_t half = dividesColumns(atom) ? atom.n / 2 : tileColumns;
  for (int32_t column = 1; column < tileColumns; column *= 2)
    (column == half ? rows : columns).append({0, column});
  for (int32_t row = IsaLimits::kTensorMemoryLanes; row < tileRows; row *= 2)
    columns.append({row, 0});
  const bool isUnpacked =
      axis == OperandAxis::C && getSharedBits(tile.getElementType()) < IsaLimits::kTensorMemoryColumnBits;
  return tile.cloneWithEncoding(TmemAttr::get(tile.getContext(), 2, rows, columns, isUnpacked));
}

LinearLayout as::getTensorMemoryLayout(RankedTensorType tile) {
  return cast<TmemAttr>(tile.getEncoding()).toLinearLayout(tile.getShape());
}

int64_t as::countTensorMemoryColumns(RankedTensorType tile) {
  auto memory = dyn_cast<TmemAttr>(tile.getEncoding());
  auto operand = dyn_cast<DotOperandAttr>(tile.getEncoding());
  const bool isUnpacked = (memory && memory.getUnpacked()) || (operand && operand.getAxis() == OperandAxis::C);
  const int64_t bits = isUnpacked ? IsaLimits::kTensorMemoryColumnBits : int64_t(getSharedBits(tile.getElementType()));
  return llvm::divideCeil(tile.getNumElements() * bits,
                          IsaLimits::kTensorMemoryLanes * IsaLimits::kTensorMemoryColumnBits);
}

/// Bits of the number of a lane, and of the warps that reach all rows together.
static constexpr unsigned kBitsOfLane = llvm::ConstantLog2<as::kRowsOfQuarter>(),
                          kBitsOfQuarter = llvm::ConstantLog2<as::kTensorMemoryQuarters>();

bool as::hasRowsOfWarps(const LinearLayout &registers, const LinearLayout &memory) {
  const auto map = registers.mapInto(memory);
  auto hasRows = [&](LayoutDim dim, llvm::function_ref<int64_t(unsigned)> getRow) {
    return llvm::all_of(llvm::enumerate(map[static_cast<unsigned>(dim)]), [&](auto bit) {
      return bit.value()[static_cast<unsigned>(LayoutDim::Row)] == getRow(bit.index());
    });
  };
  auto isOneColumn = [&](LayoutDim dim, unsigned bits) {
    return llvm::all_of(ArrayRef(map[static_cast<unsigned>(dim)]).take_front(bits),
                        [](const auto &inputs) { return inputs[static_cast<unsigned>(LayoutDim::Column)] == 0; });
  };
  return registers.getNumBits(LayoutDim::Lane) == kBitsOfLane &&
         registers.getNumBits(LayoutDim::Warp) >= kBitsOfQuarter &&
         hasRows(LayoutDim::Register, [](unsigned) { return 0; }) &&
         hasRows(LayoutDim::Lane, [](unsigned bit) { return int64_t(1) << bit; }) &&
         hasRows(LayoutDim::Warp,
                 [](unsigned bit) { return bit < kBitsOfQuarter ? int64_t(1) << (kBitsOfLane + bit) : 0; }) &&
         isOneColumn(LayoutDim::Lane, kBitsOfLane) && isOneColumn(LayoutDim::Warp, kBitsOfQuarter);
}

std::optional<LinearLayout> as::findRowLayout(RankedTensorType tile, int64_t numWarps) {
  const LinearLayout memory = getTensorMemoryLayout(tile);
  const auto rows = memory.getBases(LayoutDim::Row), columns = memory.getBases(LayoutDim::Column);
  if (rows.size() != kBitsOfLane + kBitsOfQuarter || numWarps < 1 << kBitsOfQuarter)
    return std::nullopt;
  const size_t groupBits = llvm::Log2_64(numWarps) - kBitsOfQuarter;
  // Rows are divided first.
  SmallVector<LinearLayout::Basis> ofGroups(columns);
  const int64_t mostColumns = int64_t(1) << llvm::count_if(columns, [](const auto &basis) { return basis[0] == 0; });
  const int64_t firstColumn = std::min(kColumnsOfGroup, std::max<int64_t>(mostColumns >> groupBits, 1));
  llvm::erase_if(ofGroups, [&](const LinearLayout::Basis &basis) { return basis[0] == 0 && basis[1] < firstColumn; });
  llvm::stable_sort(ofGroups, [](const auto &a, const auto &b) { return a[0] > b[0]; });
  ofGroups.truncate(std::min(groupBits, ofGroups.size()));
  LinearLayout layout(tile.getShape());
  for (const auto &basis : columns)
    if (!llvm::is_contained(ofGroups, basis))
      layout.addBasis(LayoutDim::Register, basis);
  for (const auto &basis : rows.take_front(kBitsOfLane))
    layout.addBasis(LayoutDim::Lane, basis);
  for (const auto &basis : rows.drop_front(kBitsOfLane))
    layout.addBasis(LayoutDim::Warp, basis);
  for (const auto &basis : ofGroups)
    layout.addBasis(LayoutDim::Warp, basis);
  for (size_t bit = ofGroups.size(); bit < groupBits; ++bit)
    layout.addZeroBasis(LayoutDim::Warp);
  return layout;
}

bool as::isZeroTile(Value tile) {
  if (auto splat = tile.getDefiningOp<SplatOp>())
    tile = splat.getValue();
  return matchPattern(tile, m_Zero()) || matchPattern(tile, m_PosZeroFloat());
}
