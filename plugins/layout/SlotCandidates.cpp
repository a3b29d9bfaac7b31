//===- SlotCandidates.cpp - Layouts that a stage may have -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SlotCandidates.h"
#include "CandidateScore.h"
#include "LoadFacts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;

namespace tileiras::layout {

//===----------------------------------------------------------------------===//
// Layer 1: all there are
//===----------------------------------------------------------------------===//

/// The first of equally good ones is taken: addresses without a swizzle are simpler, wide spans need fewer boxes.
static constexpr SwizzleMode kSwizzles[] = {SwizzleMode::None, SwizzleMode::B128, SwizzleMode::B64, SwizzleMode::B32};

std::optional<SmallVector<unsigned>> getCommonOrder(const PipelineEntry &entry) {
  std::optional<SmallVector<unsigned>> common;
  for (Value value : entry.produced) {
    std::optional<SmallVector<unsigned>> order = getMemoryOrder(value);
    if (!order || (common && *common != *order))
      return std::nullopt;
    common = order;
  }
  return common;
}

/// One for each dimension in front.
static SmallVector<SmallVector<unsigned>> getAllOrders(unsigned rank) {
  SmallVector<SmallVector<unsigned>> orders;
  for (unsigned first = rank; first-- > 0;) {
    SmallVector<unsigned> &order = orders.emplace_back(SmallVector<unsigned>{first});
    for (unsigned d = rank; d-- > 0;)
      if (d != first)
        order.push_back(d);
  }
  return orders;
}

static std::optional<SlotCandidate> makeCandidate(const PipelineEntry &entry, LinearLayout layout,
                                                  const ChipTarget &target) {
  const unsigned bits = entry.getElementBits();
  llvm::Expected<LayoutDescriptor> descriptor = toLayoutDescriptor(layout, bits);
  if (!descriptor) {
    llvm::consumeError(descriptor.takeError());
    return std::nullopt;
  }
  SlotCandidate candidate;
  const std::string text = descriptor->str();
  candidate.encoding = as::SharedAttr::get(entry.type.getContext(), StringRef(text).drop_front().drop_back());
  if (std::optional<Swizzle> swizzle = descriptor->swizzle; swizzle && swizzle->bits != 0)
    candidate.alignment = int64_t(1) << (swizzle->bits + swizzle->base + swizzle->shift);
  candidate.layout = std::move(layout);
  const bool isLoaded = !entry.produced.empty() && mayBeTensorCopies(entry.produced, target);
  if (isLoaded && TensorCopyRule(target).findBox(candidate.layout, bits))
    candidate.fill = FillKind::Engine;
  return candidate;
}

/// What the hardware's engines know: rows of a swizzle's span, one dimension after the other. Threads store what is
/// not in memory in that order.
static void addEngineLayouts(const PipelineEntry &entry, ArrayRef<unsigned> order, bool isOrderOfMemory,
                             const ChipTarget &target, std::vector<SlotCandidate> &candidates) {
  const unsigned bits = entry.getElementBits();
  for (SwizzleMode mode : kSwizzles) {
    const int64_t rowBits = order.empty() ? 0 : entry.type.getDimSize(order.front()) * bits;
    if (mode != SwizzleMode::None && rowBits < 8 * int64_t(getSwizzleRowBytes(mode)))
      continue;
    auto candidate = makeCandidate(entry, makeSwizzledLayout(entry.type.getShape(), order, bits, mode), target);
    if (!candidate)
      continue;
    if (!order.empty())
      candidate->fastestDim = order.front();
    if (!isOrderOfMemory)
      candidate->fill = FillKind::Registers;
    candidates.push_back(std::move(*candidate));
  }
}

/// What is best for threads that store the tile and threads that load it.
static void addThreadLayouts(const PipelineEntry &entry, const ProductChoices &products,
                             std::vector<SlotCandidate> &candidates) {
  const LinearLayout writer = getWriterLayout(entry);
  for (const LinearLayout &reader : getReaderLayouts(entry, products)) {
    SharedExchange exchange =
        chooseSharedExchange(writer, reader, entry.getElementBits(), getMatrixInstructions(products.getTarget()));
    if (auto candidate = makeCandidate(entry, std::move(exchange.layout), products.getTarget()))
      candidates.push_back(std::move(*candidate));
  }
}

std::optional<LinearLayout> getScaleLayout(ProductUse use) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(use.getOperand().get().getType()).getShape();
  const unsigned mnDim = use.axis == as::OperandAxis::A ? 0 : 1;
  std::optional<LinearLayout> operand = getScaleBlocks(shape[mnDim], shape[1 - mnDim], mnDim);
  return operand ? use.deriveEntryLayout(*operand) : std::nullopt;
}

/// Where threads put scales for a product that copies them on.
static void addScaleLayouts(const PipelineEntry &entry, const ProductChoices &products,
                            std::vector<SlotCandidate> &candidates) {
  for (const ProductUse &use : entry.products) {
    const WarpgroupProduct *product = use.isScale ? products.find(use.product) : nullptr;
    if (!product || !product->scalesInMemory)
      continue;
    if (std::optional<LinearLayout> layout = getScaleLayout(use))
      if (auto candidate = makeCandidate(entry, *layout, products.getTarget())) {
        candidate->fill = FillKind::Registers;
        candidates.push_back(std::move(*candidate));
      }
  }
}

//===----------------------------------------------------------------------===//
// Layer 2: those that fit, for each axis of a product
//===----------------------------------------------------------------------===//

/// Axis A: rows are M; B: columns are N. An atom that takes A from registers asks nothing of memory but that a copy
/// engine fills it: what threads load they had better store as another atom reads it. Axes C and D are in registers
/// whatever the product: an entry that starts an accumulator is copied there.
static bool fitProduct(const ProductUse &use, const ProductChoices &products, const SlotCandidate &candidate,
                       unsigned bits) {
  const WarpgroupProduct *product = products.find(use.product);
  if (!product)
    return true;
  const MmaAtom &atom = *product->atom;
  const bool isA = use.axis == as::OperandAxis::A;
  if (use.isScale)
    return !product->scalesInMemory || isScaleBlocks(use.deriveLayout(candidate.layout), isA ? 0 : 1);
  if (isA && atom.spaceA != MemorySpace::Shared)
    return product->placeA != as::OperandPlace::RegistersOfMnMajor || candidate.fill == FillKind::Engine;
  if (bits != as::getMemoryBits(atom, use.axis))
    return false;
  return as::matchOperandDescriptor(atom, use.axis, use.deriveLayout(candidate.layout)).fit == as::DescriptorFit::Fits;
}

static bool fitsAll(const PipelineEntry &entry, const ProductChoices &products, const SlotCandidate &candidate) {
  return llvm::all_of(entry.products, [&](const ProductUse &use) {
    return fitProduct(use, products, candidate, entry.getElementBits());
  });
}

/// Why the operand fits none of the candidates.
static std::string describeMisfit(const ProductUse &use, const PipelineEntry &entry) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "operand " << stringifyOperandAxis(use.axis) << ", a tile of type " << entry.type.getElementType()
     << " and extents " << llvm::interleaved(entry.type.getShape(), "x")
     << ", has no layout in memory that warpgroups read; they need 32 bytes along K and whole groups of 8 rows";
  return text;
}

/// Refuses the products that fit none of the candidates by themselves, then, while there is no common one, the last.
static void refuseMisfits(const PipelineEntry &entry, ProductChoices &products, ArrayRef<SlotCandidate> candidates) {
  const unsigned bits = entry.getElementBits();
  for (const ProductUse &use : entry.products) {
    auto fits = [&](const SlotCandidate &candidate) { return fitProduct(use, products, candidate, bits); };
    if (llvm::none_of(candidates, fits))
      products.refuse(use.product, describeMisfit(use, entry));
  }
  for (const ProductUse &use : llvm::reverse(entry.products)) {
    if (llvm::any_of(candidates, [&](const SlotCandidate &candidate) { return fitsAll(entry, products, candidate); }))
      return;
    if (!products.find(use.product))
      continue;
    products.refuse(use.product, ("operand " + stringifyOperandAxis(use.axis) +
                                  " is read by another MMA, too, which needs another layout in memory; load it "
                                  "twice, once for each")
                                     .str());
  }
}

std::vector<SlotCandidate> collectCandidates(const PipelineEntry &entry, ProductChoices &products) {
  std::vector<SlotCandidate> candidates;
  const std::optional<SmallVector<unsigned>> inMemory = getCommonOrder(entry);
  if (inMemory)
    addEngineLayouts(entry, *inMemory, /*isOrderOfMemory=*/true, products.getTarget(), candidates);
  auto fits = [&](const SlotCandidate &candidate) { return fitsAll(entry, products, candidate); };
  if (llvm::none_of(candidates, fits))
    for (ArrayRef<unsigned> order : getAllOrders(entry.type.getRank()))
      if (!inMemory || order != ArrayRef(*inMemory))
        addEngineLayouts(entry, order, /*isOrderOfMemory=*/false, products.getTarget(), candidates);
  addThreadLayouts(entry, products, candidates);
  addScaleLayouts(entry, products, candidates);
  refuseMisfits(entry, products, candidates);
  llvm::erase_if(candidates, [&](const SlotCandidate &candidate) { return !fitsAll(entry, products, candidate); });
  for (SlotCandidate &candidate : candidates)
    candidate.cost = computeCost(entry, products, candidate);
  return candidates;
}

} // namespace tileiras::layout
