//===- CandidateScore.cpp - What a layout of a stage costs ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateScore.h"
#include "LoadFacts.h"
#include "SlotWriters.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Layout/SharedExchange.h"
#include "tileiras/Lowering/ExecutionScope.h"

using namespace mlir;

namespace tileiras::layout {

MatrixInstructions getMatrixInstructions(const ChipTarget &target) {
  if (!target)
    return {};
  return {.load = target.chip->features.ldmatrix, .store = target.chip->features.stmatrix};
}

//===----------------------------------------------------------------------===//
// Who holds what
//===----------------------------------------------------------------------===//

LinearLayout getWriterLayout(const PipelineEntry &entry, std::optional<unsigned> slotDim) {
  for (Value value : entry.produced)
    if (std::optional<as::AccessPattern> pattern = findAccessPattern(value)) {
      const int64_t numWarps = getExecutionScope(value.getDefiningOp()).numWarps;
      const unsigned dim = slotDim.value_or(pattern->contiguousDim.value_or(0));
      return makeBlockedLayout(chooseWriterLayout(*pattern, dim, entry.getElementBits(), numWarps),
                               entry.type.getShape());
    }
  return as::getLinearLayout(entry.type);
}

/// Warpgroups read the operand where it lies.
static bool isReadInPlace(const ProductUse &use, const ProductChoices &products) {
  const WarpgroupProduct *found = products.find(use.product);
  if (use.isScale)
    return found && found->scalesInMemory;
  return found && !(use.axis == as::OperandAxis::A && found->a);
}

/// The entry's layout with which warps have the operand in registers as the product wants it, if there is one.
static std::optional<LinearLayout> getFragmentLayout(ProductUse use, const ProductChoices &products) {
  const WarpgroupProduct *found = products.find(use.product);
  const as::ProductLayouts &layouts = found && use.isScale ? found->scales : products.getWarpLayouts(use.product);
  const bool isA = use.axis == as::OperandAxis::A;
  Attribute fragment = use.isScale ? (isA ? layouts.scaleA : layouts.scaleB)
                       : found     ? found->a
                       : isA       ? layouts.a
                                   : layouts.b;
  if (!fragment)
    return std::nullopt;
  return use.deriveEntryLayout(cast<as::DistributedLayoutAttrInterface>(fragment).toLinearLayout(
      cast<RankedTensorType>(use.getOperand().get().getType()).getShape()));
}

std::vector<LinearLayout> getReaderLayouts(const PipelineEntry &entry, const ProductChoices &products) {
  std::vector<LinearLayout> readers;
  auto add = [&](LinearLayout layout) {
    if (!llvm::is_contained(readers, layout))
      readers.push_back(std::move(layout));
  };
  for (const ProductUse &use : entry.products)
    if (!isReadInPlace(use, products))
      add(getFragmentLayout(use, products).value_or(as::getLinearLayout(entry.type)));
  if (entry.hasOtherUses)
    add(as::getLinearLayout(entry.type));
  return readers;
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

static constexpr int64_t kWavefrontBytes = kSharedMemoryBanks * kSharedMemoryBankBytes;

int64_t countRegisters(const LinearLayout &layout, unsigned bits) {
  return llvm::divideCeil(layout.removeRegisterReplicas().getInSize(LayoutDim::Register) * bits, 32);
}

static void addThreadAccess(LayoutCost &cost, const LinearLayout &registers, const SlotCandidate &candidate,
                            unsigned bits, bool allowMatrix) {
  const SharedAccess access = planSharedAccess(registers, candidate.layout, bits, allowMatrix);
  cost.sharedTransactions += access.traffic.wavefronts;
  cost.bankConflicts += access.traffic.conflicts;
  cost.liveRegisters += countRegisters(registers, bits);
}

/// Bytes of a row that an engine writes at once.
static int64_t getEngineRowBytes(const SlotCandidate &candidate, unsigned bits, const ChipTarget &target) {
  std::optional<TmaTile> tile = TensorCopyRule(target).findBox(candidate.layout, bits);
  if (!tile)
    return kWavefrontBytes;
  return std::min<int64_t>(kWavefrontBytes, tile->box[tile->order.front()] * bits / 8);
}

/// Cycles in which a row of the entry's tile comes into tensor memory: scales, and an operand A that an instruction
/// takes from there. What is read in place does not go through it.
static int64_t getTensorMemoryCycles(const PipelineEntry &entry, const ProductChoices &products) {
  const TuningModel &tuning = products.getTarget().tuning();
  int64_t cycles = 0;
  for (ProductUse use : entry.products) {
    const WarpgroupProduct *found = products.find(use.product);
    if (!found || found->atom->spaceC != MemorySpace::Tensor)
      continue;
    if (!use.isScale && (use.axis != as::OperandAxis::A || found->atom->spaceA != MemorySpace::Tensor))
      continue;
    const unsigned depthDim = use.axis == as::OperandAxis::A ? 1 : 0;
    const int64_t depth = cast<RankedTensorType>(use.getOperand().get().getType()).getDimSize(depthDim);
    cycles += llvm::divideCeil(depth * entry.getElementBits() / 8, tuning.tensorMemoryRowBytes);
  }
  return cycles;
}

LayoutCost computeCost(const PipelineEntry &entry, const ProductChoices &products, const SlotCandidate &candidate) {
  const unsigned bits = entry.getElementBits();
  const MatrixInstructions matrix = getMatrixInstructions(products.getTarget());
  const LinearLayout writer = getWriterLayout(entry, candidate.fastestDim);
  const int64_t bytesOfWarp =
      llvm::divideCeil(entry.type.getNumElements() * bits / 8, writer.getInSize(LayoutDim::Warp));
  LayoutCost cost;
  cost.tensorMemoryCycles = getTensorMemoryCycles(entry, products);
  if (candidate.fill == FillKind::Engine)
    cost.sharedTransactions += llvm::divideCeil(bytesOfWarp, getEngineRowBytes(candidate, bits, products.getTarget()));
  else
    addThreadAccess(cost, writer, candidate, bits, matrix.store);
  for (const ProductUse &use : entry.products)
    if (isReadInPlace(use, products))
      cost.sharedTransactions += llvm::divideCeil(bytesOfWarp, kWavefrontBytes);
  for (const LinearLayout &reader : getReaderLayouts(entry, products))
    addThreadAccess(cost, reader, candidate, bits, matrix.load);
  return cost;
}

const SlotCandidate &pickByCost(ArrayRef<SlotCandidate> candidates, bool preferTensorCopies,
                                const TuningModel &tuning) {
  auto rank = [&](const SlotCandidate &candidate) {
    return std::pair(preferTensorCopies && candidate.fill != FillKind::Engine, candidate.cost.getRank(tuning));
  };
  return *llvm::min_element(candidates,
                            [&](const SlotCandidate &lhs, const SlotCandidate &rhs) { return rank(lhs) < rank(rhs); });
}

} // namespace tileiras::layout
