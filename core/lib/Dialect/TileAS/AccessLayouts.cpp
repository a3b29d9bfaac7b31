//===- AccessLayouts.cpp - Layouts of accesses to memory ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/AsyncCopies.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/MemRefFacts.h"
#include "tileiras/Layout/MemoryAccess.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

/// Widest access of a thread.
static constexpr int64_t kMaxVectorBytes = 16;

static unsigned getElementBytes(Type element) {
  if (isa<aa::PtrType>(element))
    return 8;
  return std::max<unsigned>(1, element.getIntOrFloatBitWidth() / 8);
}

//===----------------------------------------------------------------------===//
// Through views
//===----------------------------------------------------------------------===//

/// The bytes that accesses along tile dimension `dim` may span at once: what divides the address of every aligned group
/// of elements along it and, where bounds are checked, the extent of the memref.
static int64_t getVectorBytes(TiledViewType view, const MemRefFacts &facts, unsigned dim, int64_t elementBytes,
                              ArrayRef<bool> inBounds) {
  int64_t bytes = std::min(kMaxVectorBytes, facts.baseAlignment);
  for (unsigned d = 0; d < view.getRank(); ++d) {
    unsigned memDim = view.getDimMap()[d];
    if (d == dim) {
      int64_t step = view.getSteps()[d];
      bytes = std::min(bytes, (step & -step) * elementBytes);
      if (!inBounds[memDim])
        bytes = std::min(bytes, facts.sizeDivisors[memDim] * elementBytes);
    } else {
      bytes = std::min(bytes, facts.strideDivisors[memDim] * elementBytes);
    }
  }
  return std::max(bytes, elementBytes);
}

static AccessPattern getViewPattern(Value viewValue, RankedTensorType tile, ArrayRef<bool> inBounds) {
  auto view = cast<TiledViewType>(viewValue.getType());
  AccessPattern pattern{tile, std::nullopt, getElementBytes(tile.getElementType()), 0};
  for (unsigned d = 0; d < view.getRank(); ++d) {
    bool contiguous = view.getSource().getStrides()[view.getDimMap()[d]] == 1 && int32_t(d) != view.getSparseDim();
    if (contiguous && (!pattern.contiguousDim || tile.getDimSize(d) > tile.getDimSize(*pattern.contiguousDim)))
      pattern.contiguousDim = d;
  }
  pattern.maxVectorBytes = pattern.elementBytes;
  if (pattern.contiguousDim)
    pattern.maxVectorBytes =
        getVectorBytes(view, getViewedMemRefFacts(viewValue), *pattern.contiguousDim, pattern.elementBytes, inBounds);
  // Two elements of four bits share a byte: one thread has to store both.
  if (tile.getElementType().isIntOrFloat() && tile.getElementTypeBitWidth() == 4 && pattern.contiguousDim)
    pattern.minElements = std::min<int64_t>(2, tile.getDimSize(*pattern.contiguousDim));
  return pattern;
}

template <typename OpTy>
static AccessPattern getViewPattern(OpTy op, Value tile) {
  return getViewPattern(op.getView(), cast<RankedTensorType>(tile.getType()), op.getInBounds());
}

AccessPattern as::getAccessPattern(TiledLoadOp load) {
  return getViewPattern(load, load.getResult());
}

AccessPattern as::getAccessPattern(Value view, RankedTensorType tile, ArrayRef<bool> inBounds) {
  return getViewPattern(view, tile, inBounds);
}

/// `chosen`, if each thread holds whole bytes in it.
static Attribute holdWholeBytes(const AccessPattern &pattern, Attribute chosen) {
  if (pattern.minElements == 1)
    return chosen;
  auto layout = cast<DistributedLayoutAttrInterface>(chosen);
  if (getContiguousElements(layout.toLinearLayout(pattern.tile.getShape()), *pattern.contiguousDim,
                            pattern.minElements) >= pattern.minElements)
    return chosen;
  return encodeBlocked(chosen.getContext(), chooseAccessLayout(pattern, layout.getNumWarps()));
}

/// The access runs in the layout of `tile`; indices of a gather are where the elements of the tile are.
template <typename OpTy>
static void adaptTiledAccess(OpTy op, Value tile, Attribute chosen, OpLayouts &layouts) {
  AccessPattern pattern = getViewPattern(op, tile);
  Attribute layout = holdWholeBytes(pattern, chosen);
  layouts.set(tile, layout);
  LinearLayout linear = cast<DistributedLayoutAttrInterface>(layout).toLinearLayout(pattern.tile.getShape());
  unsigned first = op.getCoords().getBeginOperandIndex();
  for (auto [dim, coordinate] : llvm::enumerate(op.getCoords()))
    if (isa<RankedTensorType>(coordinate.getType()))
      layouts.operands[first + dim] = layouts.encode(getSlicedLayout(linear, dim));
}

void TiledLoadOp::collectLayoutRelations(LayoutRelations &relations) {
  relations.addAccess({*this, getResult(), getViewPattern(*this, getResult()), /*isLoad=*/true, /*mayMove=*/true});
}
void TiledLoadOp::adaptLayouts(OpLayouts &layouts) {
  adaptTiledAccess(*this, getResult(), layouts.results.front(), layouts);
}

void TiledStoreOp::collectLayoutRelations(LayoutRelations &relations) {
  relations.addAccess({*this, getValue(), getViewPattern(*this, getValue()), /*isLoad=*/false, /*mayMove=*/true});
}
void TiledStoreOp::adaptLayouts(OpLayouts &layouts) {
  adaptTiledAccess(*this, getValue(), layouts.operands[getValueMutable().getOperandNumber()], layouts);
}

void TiledAtomicRMWOp::collectLayoutRelations(LayoutRelations &relations) {
  if (getResult())
    relations.tie({getValue(), getResult()});
  relations.addAccess({*this, getValue(), getViewPattern(*this, getValue()), /*isLoad=*/false, /*mayMove=*/true});
}
void TiledAtomicRMWOp::adaptLayouts(OpLayouts &layouts) {
  unsigned value = getValueMutable().getOperandNumber();
  adaptTiledAccess(*this, getValue(), layouts.operands[value], layouts);
  if (getResult())
    layouts.results.front() = layouts.operands[value];
}

//===----------------------------------------------------------------------===//
// Through pointers
//===----------------------------------------------------------------------===//

/// Neighbouring lanes at neighbouring elements of the last dimension, or of the one along which pointers are known to
/// run through memory.
static AccessPattern getPointerPattern(Value pointers, Type element, std::optional<ArrayRef<int64_t>> contiguity) {
  unsigned bytes = getElementBytes(element);
  AccessPattern pattern{cast<RankedTensorType>(pointers.getType()), std::nullopt, bytes, bytes};
  for (auto [dim, run] : llvm::enumerate(contiguity.value_or(ArrayRef<int64_t>())))
    if (run != 1) {
      pattern.contiguousDim = dim;
      pattern.maxVectorBytes = bytes * run;
    }
  return pattern;
}

AccessPattern as::getAccessPattern(LoadOp load) {
  return getPointerPattern(load.getPointer(), getElementTypeOrSelf(load.getResult()), load.getContiguity());
}

/// Pointers of scalar accesses are no tiles.
static void addPointerAccess(LayoutRelations &relations, Operation *op, Value pointers, Type element, bool isLoad,
                             std::optional<ArrayRef<int64_t>> contiguity = {}) {
  if (isa<RankedTensorType>(pointers.getType()))
    relations.addAccess({op, pointers, getPointerPattern(pointers, element, contiguity), isLoad, /*mayMove=*/false});
}

/// Everything is where the pointers are.
static void adaptPointerAccess(OpOperand &pointers, OpLayouts &layouts) {
  layouts.setAll(Attribute(layouts.operands[pointers.getOperandNumber()]));
}

void LoadOp::collectLayoutRelations(LayoutRelations &relations) {
  relations.tie({getPointer(), getMask(), getOther(), getResult()});
  addPointerAccess(relations, *this, getPointer(), getElementTypeOrSelf(getResult()), /*isLoad=*/true, getContiguity());
}
void LoadOp::adaptLayouts(OpLayouts &layouts) {
  adaptPointerAccess(getPointerMutable(), layouts);
}

void StoreOp::collectLayoutRelations(LayoutRelations &relations) {
  relations.tie({getPointer(), getMask()});
  relations.prefer(getValue(), getPointer());
  addPointerAccess(relations, *this, getPointer(), getElementTypeOrSelf(getValue()), /*isLoad=*/false, getContiguity());
}
void StoreOp::adaptLayouts(OpLayouts &layouts) {
  adaptPointerAccess(getPointerMutable(), layouts);
}

void AtomicRMWOp::collectLayoutRelations(LayoutRelations &relations) {
  relations.tie({getPointer(), getMask(), getResult()});
  relations.prefer(getValue(), getPointer());
  addPointerAccess(relations, *this, getPointer(), getElementTypeOrSelf(getValue()), /*isLoad=*/false, getContiguity());
}
void AtomicRMWOp::adaptLayouts(OpLayouts &layouts) {
  adaptPointerAccess(getPointerMutable(), layouts);
}

void AtomicCASOp::collectLayoutRelations(LayoutRelations &relations) {
  relations.tie({getPointer(), getMask(), getResult()});
  relations.prefer(getValue(), getPointer());
  addPointerAccess(relations, *this, getPointer(), getElementTypeOrSelf(getValue()), /*isLoad=*/false);
}
void AtomicCASOp::adaptLayouts(OpLayouts &layouts) {
  adaptPointerAccess(getPointerMutable(), layouts);
}
