//===- LinearLayout.cpp - Layouts as linear maps over F2 ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/LinearLayout.h"
#include "F2Span.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace tileiras;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr llvm::StringLiteral kDimNames[kNumLayoutDims] = {"register", "lane", "warp",  "block",
                                                                  "offset",   "row",  "column"};

llvm::StringRef tileiras::stringifyLayoutDim(LayoutDim dim) {
  return kDimNames[static_cast<unsigned>(dim)];
}

std::optional<LayoutDim> tileiras::symbolizeLayoutDim(llvm::StringRef name) {
  for (unsigned i = 0; i < kNumLayoutDims; ++i)
    if (kDimNames[i] == name)
      return static_cast<LayoutDim>(i);
  return std::nullopt;
}

/// Row-major element index of coordinates within a tile.
template <typename Range>
static int64_t flatten(const Range &coordinates, ArrayRef<int64_t> sizes) {
  int64_t flat = 0;
  for (auto [coordinate, size] : llvm::zip_equal(coordinates, sizes))
    flat = flat * size + coordinate;
  return flat;
}

template <typename Vector>
static Vector unflatten(int64_t flat, ArrayRef<int64_t> sizes) {
  Vector coordinates(sizes.size(), 0);
  for (unsigned d = sizes.size(); d-- > 0;) {
    coordinates[d] = flat % sizes[d];
    flat /= sizes[d];
  }
  return coordinates;
}

static int64_t countElements(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

LinearLayout::LinearLayout(ArrayRef<int64_t> outSizes) : outSizes(outSizes.begin(), outSizes.end()) {
  assert(llvm::all_of(outSizes, [](int64_t size) { return llvm::isPowerOf2_64(size); }) &&
         "tile extents are powers of two");
}

LinearLayout LinearLayout::identity(LayoutDim dim, int64_t size, ArrayRef<int64_t> outSizes, unsigned outDim,
                                    int64_t stride) {
  assert(llvm::isPowerOf2_64(size) && outDim < outSizes.size() && size * stride <= outSizes[outDim]);
  LinearLayout result(outSizes);
  for (int64_t step = 1; step < size; step *= 2) {
    Basis basis(outSizes.size(), 0);
    basis[outDim] = step * stride;
    result.addBasis(dim, std::move(basis));
  }
  return result;
}

LinearLayout LinearLayout::strided(LayoutDim dim, ArrayRef<int64_t> outSizes, ArrayRef<unsigned> order) {
  assert((order.empty() || order.size() == outSizes.size()) && "an order names every dimension");
  LinearLayout result(outSizes);
  for (unsigned i = 0; i < outSizes.size(); ++i) {
    unsigned d = order.empty() ? outSizes.size() - 1 - i : order[i];
    for (int64_t step = 1; step < outSizes[d]; step *= 2) {
      Basis basis(outSizes.size(), 0);
      basis[d] = step;
      result.addBasis(dim, std::move(basis));
    }
  }
  return result;
}

int64_t LinearLayout::getNumElements() const {
  return countElements(outSizes);
}

unsigned LinearLayout::getTotalBits() const {
  unsigned bits = 0;
  for (const auto &dimBases : bases)
    bits += dimBases.size();
  return bits;
}

int64_t LinearLayout::getFlatBasis(LayoutDim dim, unsigned bit) const {
  return flatten(getBasis(dim, bit), outSizes);
}

LinearLayout &LinearLayout::addBasis(LayoutDim dim, Basis basis) {
  assert(basis.size() == getRank() && "one coordinate for each output dimension");
  assert(llvm::all_of(llvm::zip(basis, outSizes),
                      [](auto pair) { return std::get<0>(pair) >= 0 && std::get<0>(pair) < std::get<1>(pair); }) &&
         "coordinates lie within the tile");
  bases[index(dim)].push_back(std::move(basis));
  return *this;
}

LinearLayout &LinearLayout::addFlatBasis(LayoutDim dim, int64_t element) {
  return addBasis(dim, unflatten<Basis>(element, outSizes));
}

SmallVector<int64_t> LinearLayout::apply(const Inputs &inputs) const {
  SmallVector<int64_t> coordinates(getRank(), 0);
  for (unsigned dim = 0; dim < kNumLayoutDims; ++dim) {
    assert(inputs[dim] >= 0 && inputs[dim] < int64_t(1) << bases[dim].size() && "input out of range");
    for (auto [bit, basis] : llvm::enumerate(bases[dim]))
      if (inputs[dim] >> bit & 1)
        for (unsigned d = 0; d < getRank(); ++d)
          coordinates[d] ^= basis[d];
  }
  return coordinates;
}

int64_t LinearLayout::applyFlat(const Inputs &inputs) const {
  return flatten(apply(inputs), outSizes);
}

/// Offers every basis to a span, in walk order, and calls `visit(dim, bit, wasIndependent)`.
template <typename Visitor>
static F2Span collectSpan(const LinearLayout &layout, Visitor visit) {
  assert(layout.getTotalBits() <= 64 && "a layout has at most 2^64 inputs");
  F2Span span;
  for (unsigned i = 0; i < kNumLayoutDims; ++i) {
    auto dim = static_cast<LayoutDim>(i);
    for (unsigned bit = 0; bit < layout.getNumBits(dim); ++bit)
      visit(dim, bit, span.insert(layout.getFlatBasis(dim, bit)));
  }
  return span;
}

static F2Span collectSpan(const LinearLayout &layout) {
  return collectSpan(layout, [](LayoutDim, unsigned, bool) {});
}

int64_t LinearLayout::getNumReached() const {
  return int64_t(1) << collectSpan(*this).getRank();
}

bool LinearLayout::isSurjective() const {
  return getNumReached() == getNumElements();
}

bool LinearLayout::isInjective() const {
  return collectSpan(*this).getRank() == getTotalBits();
}

uint64_t LinearLayout::getReplicationMask(LayoutDim dim) const {
  uint64_t mask = 0;
  collectSpan(*this, [&](LayoutDim visited, unsigned bit, bool independent) {
    if (visited == dim && !independent)
      mask |= uint64_t(1) << bit;
  });
  return mask;
}

bool LinearLayout::operator==(const LinearLayout &other) const {
  return outSizes == other.outSizes && bases == other.bases;
}

llvm::hash_code tileiras::hash_value(const LinearLayout &layout) {
  llvm::hash_code hash = llvm::hash_combine_range(layout.outSizes.begin(), layout.outSizes.end());
  for (const auto &dimBases : layout.bases) {
    hash = llvm::hash_combine(hash, dimBases.size());
    for (const LinearLayout::Basis &basis : dimBases)
      hash = llvm::hash_combine(hash, llvm::hash_combine_range(basis.begin(), basis.end()));
  }
  return hash;
}

LinearLayout LinearLayout::product(const LinearLayout &inner, const LinearLayout &outer) {
  assert(inner.getRank() == outer.getRank() && "both factors have the same rank");
  SmallVector<int64_t> sizes;
  for (auto [innerSize, outerSize] : llvm::zip(inner.outSizes, outer.outSizes))
    sizes.push_back(innerSize * outerSize);
  LinearLayout result(sizes);
  for (unsigned dim = 0; dim < kNumLayoutDims; ++dim) {
    result.bases[dim] = inner.bases[dim];
    for (const Basis &basis : outer.bases[dim]) {
      Basis scaled;
      for (auto [coordinate, innerSize] : llvm::zip(basis, inner.outSizes))
        scaled.push_back(coordinate * innerSize);
      result.bases[dim].push_back(std::move(scaled));
    }
  }
  return result;
}

/// A layout onto `sizes` with each basis of `layout` passed through `transform`.
template <typename Transform>
static LinearLayout mapBases(const LinearLayout &layout, ArrayRef<int64_t> sizes, Transform transform) {
  LinearLayout result(sizes);
  for (unsigned i = 0; i < kNumLayoutDims; ++i) {
    auto dim = static_cast<LayoutDim>(i);
    for (const LinearLayout::Basis &basis : layout.getBases(dim))
      result.addBasis(dim, transform(basis));
  }
  return result;
}

LinearLayout LinearLayout::reshape(ArrayRef<int64_t> newSizes) const {
  assert(countElements(newSizes) == getNumElements() && "a reshape keeps the number of elements");
  return mapBases(*this, newSizes,
                  [&](const Basis &basis) { return unflatten<Basis>(flatten(basis, outSizes), newSizes); });
}

LinearLayout LinearLayout::permute(ArrayRef<unsigned> permutation) const {
  assert(permutation.size() == getRank() && "a permutation names every dimension");
  SmallVector<int64_t> sizes;
  for (unsigned d : permutation)
    sizes.push_back(outSizes[d]);
  return mapBases(*this, sizes, [&](const Basis &basis) {
    Basis permuted;
    for (unsigned d : permutation)
      permuted.push_back(basis[d]);
    return permuted;
  });
}

LinearLayout LinearLayout::dropOutDim(unsigned d) const {
  assert(d < getRank());
  SmallVector<int64_t> sizes(getOutSizes());
  sizes.erase(sizes.begin() + d);
  return mapBases(*this, sizes, [&](Basis basis) {
    basis.erase(basis.begin() + d);
    return basis;
  });
}

LinearLayout LinearLayout::insertOutDim(unsigned d) const {
  assert(d <= getRank());
  SmallVector<int64_t> sizes(getOutSizes());
  sizes.insert(sizes.begin() + d, 1);
  return mapBases(*this, sizes, [&](Basis basis) {
    basis.insert(basis.begin() + d, 0);
    return basis;
  });
}

LinearLayout LinearLayout::projectTo(ArrayRef<int64_t> sizes) const {
  assert(sizes.size() == getRank());
  assert(llvm::all_of(llvm::zip(sizes, outSizes),
                      [](auto pair) { return std::get<0>(pair) == 1 || std::get<0>(pair) == std::get<1>(pair); }) &&
         "a broadcast operand has extent 1 or the extent of the result");
  return mapBases(*this, sizes, [&](Basis basis) {
    for (auto [coordinate, size] : llvm::zip(basis, sizes))
      coordinate = size == 1 ? 0 : coordinate;
    return basis;
  });
}

LinearLayout LinearLayout::within(ArrayRef<int64_t> sizes) const {
  assert(
      llvm::all_of(llvm::zip_equal(outSizes, sizes), [](auto pair) { return std::get<0>(pair) <= std::get<1>(pair); }));
  LinearLayout result(sizes);
  result.bases = bases;
  return result;
}

LinearLayout LinearLayout::dropInDim(LayoutDim dim) const {
  LinearLayout result = *this;
  result.bases[index(dim)].clear();
  return result;
}

LinearLayout LinearLayout::removeRegisterReplicas() const {
  uint64_t replicas = getReplicationMask(LayoutDim::Register);
  LinearLayout result = dropInDim(LayoutDim::Register);
  for (auto [bit, basis] : llvm::enumerate(getBases(LayoutDim::Register)))
    if (!(replicas >> bit & 1))
      result.addBasis(LayoutDim::Register, basis);
  return result;
}

/// Splits a combination of bits, numbered in walk order, into one value for each input dimension.
static LinearLayout::Inputs splitCombination(const LinearLayout &layout, uint64_t combination) {
  LinearLayout::Inputs inputs{};
  for (unsigned i = 0; i < kNumLayoutDims; ++i) {
    unsigned bits = layout.getNumBits(static_cast<LayoutDim>(i));
    inputs[i] = combination & ((uint64_t(1) << bits) - 1);
    combination >>= bits;
  }
  return inputs;
}

SmallVector<LinearLayout::Inputs> LinearLayout::rightInverse() const {
  F2Span span = collectSpan(*this);
  SmallVector<Inputs> inverse;
  for (int64_t element = 1; element < getNumElements(); element *= 2) {
    std::optional<uint64_t> combination = span.solve(element);
    assert(combination && "only a surjective layout has a right inverse");
    inverse.push_back(splitCombination(*this, *combination));
  }
  return inverse;
}

SmallVector<SmallVector<LinearLayout::Inputs>, kNumLayoutDims> LinearLayout::mapInto(const LinearLayout &to) const {
  assert(outSizes == to.outSizes && "both layouts cover the same tile");
  F2Span span = collectSpan(to);
  SmallVector<SmallVector<Inputs>, kNumLayoutDims> result(kNumLayoutDims);
  for (unsigned i = 0; i < kNumLayoutDims; ++i)
    for (const Basis &basis : bases[i]) {
      std::optional<uint64_t> combination = span.solve(flatten(basis, outSizes));
      assert(combination && "the target layout holds every element");
      result[i].push_back(splitCombination(to, *combination));
    }
  return result;
}

void LinearLayout::print(llvm::raw_ostream &os) const {
  os << '{';
  llvm::ListSeparator dimSeparator("; ");
  for (unsigned i = 0; i < kNumLayoutDims; ++i) {
    if (bases[i].empty())
      continue;
    os << dimSeparator << kDimNames[i] << ':';
    for (const Basis &basis : bases[i]) {
      os << " (";
      llvm::interleave(basis, os, ",");
      os << ')';
    }
  }
  os << "} -> ";
  if (outSizes.empty())
    os << "scalar";
  llvm::interleave(outSizes, os, "x");
}

std::string LinearLayout::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}
