//===- SlotWriters.cpp - Threads that store loaded tiles to slots ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SlotWriters.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"

using namespace mlir;

namespace tileiras::layout {

BlockedParameters chooseWriterLayout(const as::AccessPattern &pattern, unsigned slotDim, unsigned slotBits,
                                     int64_t numWarps) {
  constexpr int64_t vectorBytes = 16, lanesOfWavefront = 8;
  if (!pattern.contiguousDim)
    return as::chooseAccessLayout(pattern, numWarps);
  if (*pattern.contiguousDim == slotDim) {
    // Narrow elements that are loaded one by one: lanes are a word apart, which takes no more wavefronts and half of
    // the addresses and stores.
    as::AccessPattern wordwise = pattern;
    wordwise.maxVectorBytes = std::max(pattern.maxVectorBytes, 4u);
    return as::chooseAccessLayout(wordwise, numWarps);
  }
  const unsigned memoryDim = *pattern.contiguousDim, rank = pattern.tile.getRank();
  ArrayRef<int64_t> shape = pattern.tile.getShape();
  const int64_t perThread = std::max<int64_t>(1, pattern.tile.getNumElements() / (numWarps * kLanesPerWarp));
  const int64_t along = std::min({vectorBytes * 8 / slotBits, shape[slotDim], perThread});
  const int64_t wide = std::min(pattern.maxVectorBytes / pattern.elementBytes, unsigned(vectorBytes));
  const int64_t across = std::max(pattern.minElements, std::min({wide, shape[memoryDim], perThread / along}));
  BlockedParameters parameters;
  parameters.sizePerThread.assign(rank, 1);
  parameters.threadsPerWarp.assign(rank, 1);
  parameters.warpsPerCta.assign(rank, 1);
  parameters.sizePerThread[slotDim] = along;
  parameters.sizePerThread[memoryDim] = across;
  // Rows of the slot that are `across` apart meet in a bank unless their places in the row differ.
  const int64_t lanes = std::min({lanesOfWavefront, across, shape[slotDim] / along});
  parameters.threadsPerWarp[slotDim] = lanes;
  parameters.threadsPerWarp[memoryDim] = kLanesPerWarp / lanes;
  const int64_t warps = std::clamp<int64_t>(shape[memoryDim] * lanes / (across * kLanesPerWarp), 1, numWarps);
  parameters.warpsPerCta[memoryDim] = warps;
  parameters.warpsPerCta[slotDim] = numWarps / warps;
  parameters.order = {slotDim, memoryDim};
  for (unsigned d = rank; d-- > 0;)
    if (d != slotDim && d != memoryDim)
      parameters.order.push_back(d);
  return parameters;
}

Value findSlot(Value loaded) {
  while (loaded.hasOneUse()) {
    Operation *user = *loaded.user_begin();
    if (auto copy = dyn_cast<as::CopyOp>(user))
      return copy.getDestination();
    const bool isElementwise = OpTrait::hasElementwiseMappableTraits(user) || isa<as::ConvertLayoutOp>(user);
    if (!isElementwise || user->getNumResults() != 1)
      break;
    loaded = user->getResult(0);
  }
  return {};
}

std::optional<unsigned> getFastestDim(RankedTensorType slot) {
  llvm::Expected<LinearLayout> layout = as::getSharedLayout(slot);
  if (!layout) {
    llvm::consumeError(layout.takeError());
    return std::nullopt;
  }
  std::optional<TmaTile> tile = matchTmaTile(*layout, as::getSharedBits(slot.getElementType()));
  return tile ? std::optional(tile->order.front()) : std::nullopt;
}

} // namespace tileiras::layout
