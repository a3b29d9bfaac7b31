//===- ShapeLayouts.cpp - Layouts through shape operations ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

using MaybeLayout = std::optional<LinearLayout>;

//===----------------------------------------------------------------------===//
// The rules of LayoutUtils.h, for each operation
//===----------------------------------------------------------------------===//

MaybeLayout ViewOp::deriveResultLayout(const LinearLayout &source) {
  return source.reshape(getType().getShape());
}
MaybeLayout ViewOp::deriveSourceLayout(const LinearLayout &result) {
  return result.reshape(getSource().getType().getShape());
}

MaybeLayout ExpandDimsOp::deriveResultLayout(const LinearLayout &source) {
  return source.insertOutDim(getAxis());
}
MaybeLayout ExpandDimsOp::deriveSourceLayout(const LinearLayout &result) {
  return result.dropOutDim(getAxis());
}

MaybeLayout PermuteOp::deriveResultLayout(const LinearLayout &source) {
  return source.permute(SmallVector<unsigned>(getPermutation().begin(), getPermutation().end()));
}
MaybeLayout PermuteOp::deriveSourceLayout(const LinearLayout &result) {
  SmallVector<unsigned> inverse(getPermutation().size());
  for (auto [i, dim] : llvm::enumerate(getPermutation()))
    inverse[dim] = i;
  return result.permute(inverse);
}

MaybeLayout BroadcastOp::deriveResultLayout(const LinearLayout &) {
  return std::nullopt;
}
MaybeLayout BroadcastOp::deriveSourceLayout(const LinearLayout &result) {
  return getBroadcastSourceLayout(result, getSource().getType().getShape());
}
/// The result is seen in the extents of the source.
std::optional<SmallVector<unsigned>> BroadcastOp::mapRegisters(const LinearLayout &source, const LinearLayout &result) {
  return getRegisterMap(source, result.projectTo(getSource().getType().getShape()));
}

MaybeLayout CatOp::deriveResultLayout(const LinearLayout &source) {
  return getCatLayout(source, getAxis());
}

static MaybeLayout repack(const LinearLayout &layout, Type from, Type to) {
  return getRepackedLayout(layout, getElementTypeOrSelf(from).getIntOrFloatBitWidth(),
                           getElementTypeOrSelf(to).getIntOrFloatBitWidth());
}

MaybeLayout PackOp::deriveResultLayout(const LinearLayout &source) {
  return repack(source, getSource().getType(), getType());
}
MaybeLayout PackOp::deriveSourceLayout(const LinearLayout &result) {
  return repack(result, getType(), getSource().getType());
}

MaybeLayout UnpackOp::deriveResultLayout(const LinearLayout &source) {
  return repack(source, getSource().getType(), getType());
}
MaybeLayout UnpackOp::deriveSourceLayout(const LinearLayout &result) {
  return repack(result, getType(), getSource().getType());
}

/// Reducing the only axis gives scalars.
MaybeLayout ReduceOp::deriveResultLayout(const LinearLayout &source) {
  if (source.getRank() == 1)
    return std::nullopt;
  return getReducedLayout(source, getAxis());
}

//===----------------------------------------------------------------------===//
// Operations that keep the extents
//===----------------------------------------------------------------------===//

void InsertSliceOp::collectLayoutRelations(LayoutRelations &relations) {
  relations.tie({getDestination(), getResult()});
}
void InsertSliceOp::adaptLayouts(OpLayouts &layouts) {
  layouts.takeAnyOperands();
  layouts.operands[getDestinationMutable().getOperandNumber()] = layouts.results.front();
}

void ScanOp::collectLayoutRelations(LayoutRelations &relations) {
  relations.tie(getInputs());
  relations.tie({getInputs().front(), getResults().front()});
  relations.tie(getResults());
}
void ScanOp::adaptLayouts(OpLayouts &layouts) {
  layouts.setAll(Attribute(layouts.results.front()));
}

bool SplatOp::isRematerializable() {
  return true;
}
bool MakeRangeOp::isRematerializable() {
  return true;
}
