//===- ShapeLayouts.cpp - Layouts through shape operations ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeLayouts.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;

using MaybeLayout = std::optional<LinearLayout>;

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static SmallVector<unsigned> getPermutation(aa::PermuteOp op) {
  return SmallVector<unsigned>(op.getPermutation().begin(), op.getPermutation().end());
}

static unsigned getBits(Value value) {
  return getElementTypeOrSelf(value).getIntOrFloatBitWidth();
}

MaybeLayout tileiras::deriveResultLayout(Operation *op, const LinearLayout &source) {
  return TypeSwitch<Operation *, MaybeLayout>(op)
      .Case([&](aa::ViewOp view) { return source.reshape(getShape(view.getResult())); })
      .Case([&](aa::ExpandDimsOp expand) { return source.insertOutDim(expand.getAxis()); })
      .Case([&](aa::PermuteOp permute) { return source.permute(getPermutation(permute)); })
      .Case([&](aa::CatOp cat) { return as::getCatLayout(source, cat.getAxis()); })
      .Case([&](aa::ReduceOp reduce) -> MaybeLayout {
        if (source.getRank() == 1)
          return std::nullopt;
        return as::getReducedLayout(source, reduce.getAxis());
      })
      .Case<aa::PackOp, aa::UnpackOp>([&](auto packing) {
        return as::getRepackedLayout(source, getBits(packing.getSource()), getBits(packing.getResult()));
      })
      .Default([](Operation *) { return std::nullopt; });
}

MaybeLayout tileiras::deriveSourceLayout(Operation *op, const LinearLayout &result) {
  return TypeSwitch<Operation *, MaybeLayout>(op)
      .Case([&](aa::ViewOp view) { return result.reshape(getShape(view.getSource())); })
      .Case([&](aa::ExpandDimsOp expand) { return result.dropOutDim(expand.getAxis()); })
      .Case([&](aa::PermuteOp permute) {
        SmallVector<unsigned> permutation = getPermutation(permute), inverse(permutation.size());
        for (auto [i, dim] : llvm::enumerate(permutation))
          inverse[dim] = i;
        return result.permute(inverse);
      })
      .Case([&](aa::BroadcastOp broadcast) {
        return as::getBroadcastSourceLayout(result, getShape(broadcast.getSource()));
      })
      .Case<aa::PackOp, aa::UnpackOp>([&](auto packing) {
        return as::getRepackedLayout(result, getBits(packing.getResult()), getBits(packing.getSource()));
      })
      .Default([](Operation *) { return std::nullopt; });
}

bool tileiras::isThreadLocal(Operation *op, const LinearLayout &source, const LinearLayout &result) {
  if (auto broadcast = dyn_cast<aa::BroadcastOp>(op))
    return as::getRegisterMap(source, result.projectTo(getShape(broadcast.getSource()))).has_value();
  MaybeLayout derived = deriveResultLayout(op, source);
  return derived && as::getRegisterMap(*derived, result);
}
