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
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::layout {

//===----------------------------------------------------------------------===//
// Layer 1: all there are
//===----------------------------------------------------------------------===//

static constexpr SwizzleMode kSwizzles[] = {SwizzleMode::B128, SwizzleMode::B64, SwizzleMode::B32, SwizzleMode::None};

/// Dimensions, fastest first. One order when the loads say which dimension is contiguous in memory, else one for each
/// dimension in front.
static SmallVector<SmallVector<unsigned>> getOrders(const PipelineEntry &entry) {
  std::optional<SmallVector<unsigned>> common;
  for (Value value : entry.produced) {
    std::optional<SmallVector<unsigned>> order = getMemoryOrder(value);
    if (!order || (common && *common != *order)) {
      common = std::nullopt;
      break;
    }
    common = order;
  }
  if (common)
    return {*common};
  SmallVector<SmallVector<unsigned>> orders;
  const unsigned rank = entry.type.getRank();
  for (unsigned first = rank; first-- > 0;) {
    SmallVector<unsigned> &order = orders.emplace_back(SmallVector<unsigned>{first});
    for (unsigned d = rank; d-- > 0;)
      if (d != first)
        order.push_back(d);
  }
  return orders;
}

static std::optional<SlotCandidate> makeCandidate(const PipelineEntry &entry, LinearLayout layout) {
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
  const bool isLoaded = !entry.produced.empty() && llvm::all_of(entry.produced, mayBeTensorCopy);
  if (isLoaded && matchTmaTile(candidate.layout, bits))
    candidate.fill = FillKind::Engine;
  return candidate;
}

/// What the hardware's engines know: rows of a swizzle's span, one dimension after the other.
static void addEngineLayouts(const PipelineEntry &entry, std::vector<SlotCandidate> &candidates) {
  const unsigned bits = entry.getElementBits();
  for (ArrayRef<unsigned> order : getOrders(entry))
    for (SwizzleMode mode : kSwizzles) {
      const int64_t rowBits = entry.type.getRank() == 0 ? 0 : entry.type.getDimSize(order.front()) * bits;
      if (mode != SwizzleMode::None && rowBits < 8 * int64_t(getSwizzleRowBytes(mode)))
        continue;
      if (auto candidate = makeCandidate(entry, makeSwizzledLayout(entry.type.getShape(), order, bits, mode)))
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
    if (auto candidate = makeCandidate(entry, std::move(exchange.layout)))
      candidates.push_back(std::move(*candidate));
  }
}

//===----------------------------------------------------------------------===//
// Layer 2: those that fit, for each axis of a product
//===----------------------------------------------------------------------===//

/// A product's operand in shared memory: its matrix descriptor has to say where the elements are.
static bool fitsDescriptor(const ProductUse &use, const MmaAtom &atom, const AtomElement &element, unsigned mnDim,
                           const LinearLayout &entry, unsigned bits) {
  if (bits != element.bits)
    return false;
  std::optional<MatrixDescriptorLayout> layout = matchMatrixDescriptor(use.deriveLayout(entry), mnDim, bits);
  return layout && (!layout->mnMajor || takesMnMajor(atom));
}

/// Axis A: rows are M. An atom that takes A from registers asks nothing of memory.
static bool fitsAxisA(const ProductUse &use, const MmaAtom &atom, const LinearLayout &entry, unsigned bits) {
  return atom.spaceA != MemorySpace::Shared || fitsDescriptor(use, atom, atom.a, /*mnDim=*/0, entry, bits);
}

/// Axis B: columns are N.
static bool fitsAxisB(const ProductUse &use, const MmaAtom &atom, const LinearLayout &entry, unsigned bits) {
  return fitsDescriptor(use, atom, atom.b, /*mnDim=*/1, entry, bits);
}

/// Axes C and D are in registers whatever the product: an entry that starts an accumulator is copied there.
static bool fitsProduct(const ProductUse &use, const ProductChoices &products, const LinearLayout &entry,
                        unsigned bits) {
  const WarpgroupProduct *product = products.find(use.product);
  if (!product)
    return true;
  return use.axis == as::OperandAxis::A ? fitsAxisA(use, *product->atom, entry, bits)
                                        : fitsAxisB(use, *product->atom, entry, bits);
}

/// Refuses the products that fit none of the candidates by themselves, then, while there is no common one, the last.
static void refuseMisfits(const PipelineEntry &entry, ProductChoices &products, ArrayRef<SlotCandidate> candidates) {
  const unsigned bits = entry.getElementBits();
  auto fits = [&](const ProductUse &use, const SlotCandidate &candidate) {
    return fitsProduct(use, products, candidate.layout, bits);
  };
  auto refuse = [&](const ProductUse &use, StringRef why) {
    products.refuse(use.product, llvm::formatv("operand {0} {1}", stringifyOperandAxis(use.axis), why).str());
  };
  for (const ProductUse &use : entry.products)
    if (llvm::none_of(candidates, [&](const SlotCandidate &candidate) { return fits(use, candidate); }))
      refuse(use,
             "is not contiguous along K in memory, and for its type, or so short a row, instructions of warpgroups "
             "read no other; store that array transposed, or take a larger tile");
  for (const ProductUse &use : llvm::reverse(entry.products)) {
    if (llvm::any_of(candidates, [&](const SlotCandidate &candidate) {
          return llvm::all_of(entry.products, [&](const ProductUse &other) { return fits(other, candidate); });
        }))
      return;
    refuse(use, "would need another arrangement in memory than another product that reads it");
  }
}

std::vector<SlotCandidate> collectCandidates(const PipelineEntry &entry, ProductChoices &products) {
  std::vector<SlotCandidate> candidates;
  addEngineLayouts(entry, candidates);
  addThreadLayouts(entry, products, candidates);
  refuseMisfits(entry, products, candidates);
  llvm::erase_if(candidates, [&](const SlotCandidate &candidate) {
    return !llvm::all_of(entry.products, [&](const ProductUse &use) {
      return fitsProduct(use, products, candidate.layout, entry.getElementBits());
    });
  });
  for (SlotCandidate &candidate : candidates)
    candidate.cost = computeCost(entry, products, candidate);
  return candidates;
}

} // namespace tileiras::layout
