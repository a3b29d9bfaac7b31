//===- CuteDivide.cpp - Divisions and products of CuTe layouts --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/CuteLayout.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>

using namespace tileiras;
using llvm::ArrayRef;

llvm::Expected<CuteLayout> CuteLayout::logicalDivide(const CuteLayout &tiler) const {
  llvm::Expected<CuteLayout> rest = tiler.complement(getSize());
  if (!rest)
    return rest.takeError();
  return compose(concat({tiler, *rest}));
}

llvm::Expected<CuteLayout> CuteLayout::logicalDivide(ArrayRef<CuteLayout> tilers) const {
  assert(tilers.size() <= getRank() && "at most one tiler for each mode");
  std::vector<CuteLayout> modes = getModes();
  for (auto [mode, tiler] : llvm::zip(modes, tilers)) {
    llvm::Expected<CuteLayout> divided = mode.logicalDivide(tiler);
    if (!divided)
      return divided.takeError();
    mode = std::move(*divided);
  }
  return concat(modes);
}

namespace {

/// What a division by mode leaves: the tile of each divided mode, and the rest of all.
struct DividedModes {
  std::vector<CuteLayout> tiles, rests;
};

llvm::Expected<DividedModes> divideModes(const CuteLayout &layout, ArrayRef<CuteLayout> tilers) {
  llvm::Expected<CuteLayout> divided = layout.logicalDivide(tilers);
  if (!divided)
    return divided.takeError();
  DividedModes result;
  for (auto [i, mode] : llvm::enumerate(divided->getModes())) {
    if (i < tilers.size())
      result.tiles.push_back(mode.getMode(0));
    result.rests.push_back(i < tilers.size() ? mode.getMode(1) : mode);
  }
  return result;
}

/// Pairs up the modes of (first, second).
CuteLayout zipModes(const CuteLayout &first, const CuteLayout &second) {
  std::vector<CuteLayout> modes;
  for (auto [a, b] : llvm::zip_equal(first.getModes(), second.getModes()))
    modes.push_back(CuteLayout::concat({a, b}));
  return CuteLayout::concat(modes);
}

} // namespace

llvm::Expected<CuteLayout> CuteLayout::zippedDivide(ArrayRef<CuteLayout> tilers) const {
  llvm::Expected<DividedModes> divided = divideModes(*this, tilers);
  if (!divided)
    return divided.takeError();
  return concat({concat(divided->tiles), concat(divided->rests)});
}

llvm::Expected<CuteLayout> CuteLayout::tiledDivide(ArrayRef<CuteLayout> tilers) const {
  llvm::Expected<DividedModes> divided = divideModes(*this, tilers);
  if (!divided)
    return divided.takeError();
  std::vector<CuteLayout> modes = {concat(divided->tiles)};
  llvm::append_range(modes, divided->rests);
  return concat(modes);
}

llvm::Expected<CuteLayout> CuteLayout::flatDivide(ArrayRef<CuteLayout> tilers) const {
  llvm::Expected<DividedModes> divided = divideModes(*this, tilers);
  if (!divided)
    return divided.takeError();
  std::vector<CuteLayout> modes = divided->tiles;
  llvm::append_range(modes, divided->rests);
  return concat(modes);
}

llvm::Expected<CuteLayout> CuteLayout::logicalProduct(const CuteLayout &tiler) const {
  llvm::Expected<CuteLayout> room = complement(getSize() * tiler.getCosize());
  if (!room)
    return room.takeError();
  llvm::Expected<CuteLayout> repeated = room->compose(tiler);
  if (!repeated)
    return repeated.takeError();
  return concat({*this, *repeated});
}

llvm::Expected<CuteLayout> CuteLayout::blockedProduct(const CuteLayout &tiler) const {
  unsigned rank = std::max(getRank(), tiler.getRank());
  llvm::Expected<CuteLayout> product = append(rank).logicalProduct(tiler.append(rank));
  if (!product)
    return product.takeError();
  return zipModes(product->getMode(0), product->getMode(1));
}

llvm::Expected<CuteLayout> CuteLayout::rakedProduct(const CuteLayout &tiler) const {
  unsigned rank = std::max(getRank(), tiler.getRank());
  llvm::Expected<CuteLayout> product = append(rank).logicalProduct(tiler.append(rank));
  if (!product)
    return product.takeError();
  return zipModes(product->getMode(1), product->getMode(0));
}
