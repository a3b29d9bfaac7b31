//===- MemRefFacts.cpp - What is known of an array in memory --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/MemRefFacts.h"
#include "tileiras/Dialect/TileAA/Divisibility.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

/// `dynamics` are the values that `statics` leaves open; none where nobody knows them.
static SmallVector<int64_t> collectDivisors(ArrayRef<int64_t> statics, ValueRange dynamics) {
  SmallVector<int64_t> divisors;
  unsigned next = 0;
  for (int64_t value : statics) {
    if (ShapedType::isDynamic(value))
      divisors.push_back(dynamics.empty() ? 1 : aa::getKnownDivisor(dynamics[next++]));
    else
      divisors.push_back(value == 0 ? aa::kMaxKnownDivisor : value & -value);
  }
  return divisors;
}

/// `make` is null where the memref comes from elsewhere.
static MemRefFacts collectFacts(aa::TileMemRefType type, aa::MakeMemRefOp make) {
  MemRefFacts facts;
  facts.sizeDivisors = collectDivisors(type.getShape(), make ? make.getSizes() : ValueRange());
  facts.strideDivisors = collectDivisors(type.getStrides(), make ? make.getStrides() : ValueRange());
  if (make)
    facts.baseAlignment = aa::getKnownDivisor(make.getBase());
  // Elements are always naturally aligned.
  Type element = type.getElementType();
  const int64_t elementBytes = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() / 8 : 8;
  facts.baseAlignment = std::max(facts.baseAlignment, elementBytes);
  return facts;
}

MemRefFacts as::getMemRefFacts(Value memref) {
  return collectFacts(cast<aa::TileMemRefType>(memref.getType()), memref.getDefiningOp<aa::MakeMemRefOp>());
}

MemRefFacts as::getViewedMemRefFacts(Value view) {
  auto makeView = view.getDefiningOp<MakeTiledViewOp>();
  return collectFacts(cast<TiledViewType>(view.getType()).getSource(),
                      makeView ? makeView.getSource().getDefiningOp<aa::MakeMemRefOp>() : nullptr);
}
