//===- SharedLayouts.cpp - Memory layouts with hardware swizzles -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/SharedLayouts.h"
#include "LayoutUtils.h"
#include "SwizzledMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace tileiras;
using llvm::ArrayRef;
using llvm::SmallVector;

std::optional<Swizzle> tileiras::scaleSwizzle(const Swizzle &swizzle, unsigned elementBits) {
  Swizzle scaled = swizzle.resolve();
  if (scaled.bits == 0)
    return scaled;
  int64_t base = int64_t(scaled.base) + 3 - int64_t(llvm::Log2_32(elementBits));
  if (!llvm::isPowerOf2_32(elementBits) || base < 0)
    return std::nullopt;
  scaled.base = base;
  return scaled;
}

int64_t tileiras::applyScaledSwizzle(const Swizzle &swizzle, int64_t offset) {
  int64_t mask = ((int64_t(1) << swizzle.bits) - 1) << (swizzle.base + swizzle.shift);
  return offset ^ ((offset & mask) >> swizzle.shift);
}

template <typename... Args>
static llvm::Error makeConversionError(const char *format, const Args &...args) {
  return llvm::createStringError(std::errc::invalid_argument, format, args...);
}

/// For each offset bit, the basis of a layout without swizzle.
static llvm::Expected<std::vector<LinearLayout::Basis>> collectOffsetBits(const CuteLayout &layout) {
  assert(llvm::isPowerOf2_64(layout.getSize()));
  unsigned numBits = llvm::Log2_64(layout.getSize()), rank = layout.getRank();
  std::vector<LinearLayout::Basis> bases(numBits);
  for (unsigned d = 0; d < rank; ++d) {
    int64_t coordinate = 1;
    CuteLayout mode = layout.getMode(d);
    for (auto [extent, stride] : llvm::zip_equal(mode.getShape().flatten(), mode.getStride().flatten()))
      for (int64_t step = 1; step < extent; step *= 2, coordinate *= 2) {
        if (!llvm::isPowerOf2_64(stride))
          return makeConversionError("stride %lld is not a power of two", (long long)stride);
        unsigned bit = llvm::Log2_64(stride) + llvm::Log2_64(step);
        if (bit >= numBits)
          return makeConversionError("the layout has %lld elements but reaches offset %lld",
                                     (long long)layout.getSize(), (long long)(layout.getCosize() - 1));
        if (!bases[bit].empty())
          return makeConversionError("two elements of the layout have the same offset %lld",
                                     (long long)(step * stride));
        bases[bit].assign(rank, 0);
        bases[bit][d] = coordinate;
      }
  }
  return bases;
}

llvm::Expected<LinearLayout> tileiras::toLinearLayout(const CuteLayout &layout, std::optional<Swizzle> swizzle,
                                                      unsigned elementBits) {
  for (int64_t extent : layout.getShape().flatten())
    if (!llvm::isPowerOf2_64(extent))
      return makeConversionError("extent %lld is not a power of two", (long long)extent);
  SmallVector<int64_t> sizes;
  for (const CuteLayout &mode : layout.getModes())
    sizes.push_back(mode.getSize());
  if (llvm::any_of(sizes, [](int64_t size) { return size > (int64_t(1) << 30); }))
    return makeConversionError("a tile dimension has more than 2^30 elements");
  std::optional<Swizzle> scaled = scaleSwizzle(swizzle.value_or(Swizzle{}), elementBits);
  if (!scaled)
    return makeConversionError("the swizzle moves parts of elements of %u bits", elementBits);
  auto bases = collectOffsetBits(layout);
  if (!bases)
    return bases.takeError();

  LinearLayout memory(sizes);
  for (unsigned bit = 0; bit < bases->size(); ++bit) {
    // The swizzle is its own inverse.
    int64_t unswizzled = applyScaledSwizzle(*scaled, int64_t(1) << bit);
    LinearLayout::Basis basis(sizes.size(), 0);
    for (unsigned source = 0; source < bases->size(); ++source)
      if (unswizzled >> source & 1)
        for (unsigned d = 0; d < sizes.size(); ++d)
          basis[d] ^= (*bases)[source][d];
    memory.addBasis(LayoutDim::Offset, std::move(basis));
  }
  return memory;
}

/// The swizzle, in elements, that makes `offset` a sum of distinct powers of two: those with two bits set give it away.
static std::optional<Swizzle> findSwizzle(ArrayRef<int64_t> offsets) {
  Swizzle swizzle{0, 0, 0};
  unsigned lowest = 64, highest = 0;
  for (int64_t offset : offsets) {
    if (llvm::popcount(uint64_t(offset)) == 1)
      continue;
    if (llvm::popcount(uint64_t(offset)) != 2)
      return std::nullopt;
    unsigned high = llvm::Log2_64(offset), shift = high - llvm::countr_zero(uint64_t(offset));
    if (swizzle.bits && shift != swizzle.shift)
      return std::nullopt;
    swizzle.shift = shift;
    ++swizzle.bits;
    lowest = std::min(lowest, high);
    highest = std::max(highest, high);
  }
  if (swizzle.bits == 0)
    return swizzle;
  swizzle.base = lowest - swizzle.shift;
  bool isContiguous = highest - lowest + 1 == swizzle.bits;
  if (!isContiguous || swizzle.shift < swizzle.bits)
    return std::nullopt;
  return swizzle;
}

llvm::Expected<LayoutDescriptor> tileiras::toLayoutDescriptor(const LinearLayout &memory, unsigned elementBits) {
  SmallVector<int64_t> offsets = getElementOffsets(memory);
  std::optional<Swizzle> swizzle = findSwizzle(offsets);
  if (!swizzle)
    return makeConversionError("the layout is not a CuTe layout followed by a swizzle");
  for (int64_t &offset : offsets) {
    offset = applyScaledSwizzle(*swizzle, offset);
    if (!llvm::isPowerOf2_64(offset))
      return makeConversionError("the layout is not a CuTe layout followed by a swizzle");
  }

  std::vector<CuteLayout> modes;
  unsigned elementBit = offsets.size();
  for (int64_t size : memory.getOutSizes()) {
    elementBit -= llvm::Log2_64(size);
    std::vector<CuteLayout> leaves;
    for (unsigned bit = 0; bit < llvm::Log2_64(size); ++bit)
      leaves.push_back(CuteLayout(2, offsets[elementBit + bit]));
    modes.push_back(CuteLayout::concat(leaves).coalesce());
  }
  LayoutDescriptor descriptor{modes.empty() ? CuteLayout() : CuteLayout::concat(modes), std::nullopt, std::nullopt};
  if (swizzle->bits == 0)
    return descriptor;
  int64_t base = int64_t(swizzle->base) + llvm::Log2_32(elementBits) - 3;
  if (!llvm::isPowerOf2_32(elementBits) || base < 0)
    return makeConversionError("the swizzle moves parts of bytes");
  descriptor.swizzle = Swizzle{swizzle->bits, unsigned(base), swizzle->shift};
  return descriptor;
}

LinearLayout tileiras::makeSwizzledLayout(ArrayRef<int64_t> shape, ArrayRef<unsigned> order, unsigned elementBits,
                                          SwizzleMode mode) {
  assert(order.size() == shape.size() && llvm::isPowerOf2_32(elementBits) && elementBits <= 128);
  Swizzle swizzle = *scaleSwizzle(Swizzle::get(mode), elementBits);
  int64_t row = shape.empty() ? 1 : shape[order[0]];
  if (mode != SwizzleMode::None)
    row = std::min<int64_t>(row, getSwizzleRowBytes(mode) * 8 / elementBits);

  LinearLayout plain(shape);
  auto addRange = [&](unsigned d, int64_t begin, int64_t end) {
    for (int64_t step = begin; step < end; step *= 2) {
      LinearLayout::Basis basis(shape.size(), 0);
      basis[d] = step;
      plain.addBasis(LayoutDim::Offset, std::move(basis));
    }
  };
  if (!order.empty())
    addRange(order[0], 1, row);
  for (unsigned d : order.drop_front(order.empty() ? 0 : 1))
    addRange(d, 1, shape[d]);
  if (!order.empty())
    addRange(order[0], row, shape[order[0]]);

  LinearLayout swizzled(shape);
  SmallVector<int64_t> bases = getFlatBases(plain, LayoutDim::Offset);
  for (unsigned bit = 0; bit < bases.size(); ++bit)
    swizzled.addFlatBasis(LayoutDim::Offset, combineBits(bases, applyScaledSwizzle(swizzle, int64_t(1) << bit)));
  return swizzled;
}
