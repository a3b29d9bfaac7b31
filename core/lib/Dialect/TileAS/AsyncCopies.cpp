//===- AsyncCopies.cpp - Copies that threads start ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/AsyncCopies.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

bool as::canTensorCopyConvert(aa::FpToFpOp conversion) {
  return getElementTypeOrSelf(conversion.getSource()).isF32() &&
         getElementTypeOrSelf(conversion.getResult()).isTF32() &&
         conversion.getRounding() == aa::RoundingMode::NearestEven;
}

std::optional<int64_t> AsyncCopyPlan::findOffset(ArrayRef<unsigned> registers) const {
  if (!llvm::is_contained({4u, 8u, 16u}, registers.size() * elementBytes))
    return std::nullopt;
  for (const VectorAccess &access : slot.accesses) {
    auto first = llvm::find(access.registers, registers.front());
    if (first == access.registers.end())
      continue;
    const size_t index = first - access.registers.begin();
    if (index % registers.size() != 0 ||
        ArrayRef(access.registers).drop_front(index).take_front(registers.size()) != registers)
      return std::nullopt;
    return access.offset ^ int64_t(index);
  }
  return std::nullopt;
}

/// The plan with groups of up to `elements` neighbours along `dim` of the layout, if all of them can be copied.
static std::optional<AsyncCopyPlan> makePlan(LinearLayout layout, RankedTensorType slot, unsigned dim,
                                             int64_t elements) {
  llvm::Expected<LinearLayout> memory = getSharedLayout(slot);
  if (!memory) {
    llvm::consumeError(memory.takeError());
    return std::nullopt;
  }
  const unsigned bits = getSharedBits(slot.getElementType());
  if (!slot.getElementType().isIntOrFloat() || slot.getElementTypeBitWidth() != bits)
    return std::nullopt; // In global memory, it takes other room.
  constexpr unsigned maxBytes = 16;
  AsyncCopyPlan plan;
  plan.elementBytes = bits / 8;
  plan.slot = planVectorAccess(layout, *memory, maxBytes / plan.elementBytes);
  for (const VectorAccess &access : planContiguousAccess(layout, dim, elements).accesses)
    if (!plan.findOffset(access.registers))
      return std::nullopt;
  plan.layout = std::move(layout);
  return plan;
}

std::optional<AsyncCopyPlan> as::planAsyncCopy(Value view, RankedTensorType slot, ArrayRef<bool> inBounds,
                                               int64_t numWarps) {
  AccessPattern pattern = getAccessPattern(view, slot, inBounds);
  if (!pattern.contiguousDim)
    return std::nullopt;
  // Threads that find none of so many left copy nothing.
  constexpr unsigned kLeastBytes = 4;
  pattern.minElements = std::max<int64_t>(pattern.minElements, kLeastBytes / pattern.elementBytes);
  // Neighbours in the array may be apart in the slot.
  for (; pattern.maxVectorBytes >= kLeastBytes; pattern.maxVectorBytes /= 2)
    if (std::optional<AsyncCopyPlan> plan =
            makePlan(makeBlockedLayout(chooseAccessLayout(pattern, numWarps), slot.getShape()), slot,
                     *pattern.contiguousDim, pattern.maxVectorBytes / pattern.elementBytes)) {
      plan->maxBytes = pattern.maxVectorBytes;
      return plan;
    }
  return std::nullopt;
}

std::optional<AsyncCopyPlan> as::planAsyncCopy(RankedTensorType pointers, RankedTensorType slot,
                                               std::optional<ArrayRef<int64_t>> contiguity) {
  if (contiguity && contiguity->size() != size_t(slot.getRank()))
    return std::nullopt;
  unsigned dim = 0;
  int64_t run = 1;
  for (auto [i, length] : llvm::enumerate(contiguity.value_or(ArrayRef<int64_t>())))
    if (length > run)
      std::tie(dim, run) = std::pair(unsigned(i), length);
  return makePlan(getLinearLayout(pointers), slot, dim, run);
}
