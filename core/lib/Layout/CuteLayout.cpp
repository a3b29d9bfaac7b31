//===- CuteLayout.cpp - Layouts as CuTe defines them ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/CuteLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace tileiras;
using llvm::ArrayRef;
using llvm::SmallVector;

CuteLayout::CuteLayout(IntTuple shape, IntTuple stride) : shape(std::move(shape)), stride(std::move(stride)) {
  assert(this->shape.isCongruent(this->stride) && "shape and stride are congruent");
}

namespace {

/// Rebuilds the tree of `shape`, passing each leaf to `makeLeaf`.
template <typename MakeLeaf>
IntTuple rebuildTuple(const IntTuple &shape, MakeLeaf makeLeaf) {
  if (shape.isLeaf())
    return makeLeaf(shape.getValue());
  std::vector<IntTuple> elements;
  for (unsigned i = 0; i < shape.getRank(); ++i)
    elements.push_back(rebuildTuple(shape.getMode(i), makeLeaf));
  return IntTuple(std::move(elements));
}

struct FlatMode {
  int64_t extent, stride;
};

SmallVector<FlatMode> getFlatModes(const CuteLayout &layout) {
  SmallVector<FlatMode> modes;
  for (auto [extent, stride] : llvm::zip_equal(layout.getShape().flatten(), layout.getStride().flatten()))
    modes.push_back({extent, stride});
  return modes;
}

/// A flat layout; a single mode is a leaf, none is 1:0.
CuteLayout makeFlatLayout(ArrayRef<FlatMode> modes) {
  if (modes.empty())
    return {};
  if (modes.size() == 1)
    return {modes[0].extent, modes[0].stride};
  std::vector<IntTuple> shape, stride;
  for (const FlatMode &mode : modes) {
    shape.push_back(mode.extent);
    stride.push_back(mode.stride);
  }
  return {IntTuple(std::move(shape)), IntTuple(std::move(stride))};
}

template <typename... Args>
llvm::Error makeAlgebraError(const char *format, const Args &...args) {
  return llvm::createStringError(std::errc::invalid_argument, format, args...);
}

} // namespace

CuteLayout CuteLayout::columnMajor(IntTuple shape) {
  int64_t next = 1;
  IntTuple stride = rebuildTuple(shape, [&](int64_t extent) {
    int64_t current = next;
    next *= extent;
    return extent == 1 ? int64_t(0) : current;
  });
  return {std::move(shape), std::move(stride)};
}

CuteLayout CuteLayout::concat(ArrayRef<CuteLayout> modes) {
  std::vector<IntTuple> shape, stride;
  for (const CuteLayout &mode : modes) {
    shape.push_back(mode.shape);
    stride.push_back(mode.stride);
  }
  return {IntTuple(std::move(shape)), IntTuple(std::move(stride))};
}

std::vector<CuteLayout> CuteLayout::getModes() const {
  std::vector<CuteLayout> modes;
  for (unsigned i = 0; i < getRank(); ++i)
    modes.push_back(getMode(i));
  return modes;
}

int64_t CuteLayout::getCosize() const {
  int64_t last = 0;
  for (const FlatMode &mode : getFlatModes(*this))
    last += (mode.extent - 1) * mode.stride;
  return last + 1;
}

/// The index of one mode tree for a coordinate that is a leaf or as deep as the tree.
static int64_t computeIndex(const IntTuple &coordinate, const IntTuple &shape, const IntTuple &stride) {
  int64_t index = 0;
  if (!coordinate.isLeaf()) {
    assert(!shape.isLeaf() && coordinate.getRank() == shape.getRank() && "the coordinate is compatible with the shape");
    for (unsigned i = 0; i < shape.getRank(); ++i)
      index += computeIndex(coordinate.getMode(i), shape.getMode(i), stride.getMode(i));
    return index;
  }
  SmallVector<int64_t> extents = shape.flatten(), strides = stride.flatten();
  int64_t rest = coordinate.getValue();
  for (unsigned i = 0; i < extents.size(); ++i) {
    bool isLast = i + 1 == extents.size();
    index += (isLast ? rest : rest % extents[i]) * strides[i];
    rest /= extents[i];
  }
  return index;
}

int64_t CuteLayout::operator()(const IntTuple &coordinate) const {
  return computeIndex(coordinate, shape, stride);
}

IntTuple CuteLayout::getCoordinate(int64_t index) const {
  assert(index >= 0 && index < getSize());
  return rebuildTuple(shape, [&](int64_t extent) {
    int64_t coordinate = index % extent;
    index /= extent;
    return coordinate;
  });
}

CuteLayout CuteLayout::flatten() const {
  return makeFlatLayout(getFlatModes(*this));
}

CuteLayout CuteLayout::coalesce() const {
  SmallVector<FlatMode> merged;
  for (const FlatMode &mode : getFlatModes(*this)) {
    if (mode.extent == 1)
      continue;
    if (!merged.empty() && mode.stride == merged.back().extent * merged.back().stride)
      merged.back().extent *= mode.extent;
    else
      merged.push_back(mode);
  }
  return makeFlatLayout(merged);
}

CuteLayout CuteLayout::coalesceModes() const {
  if (shape.isLeaf())
    return coalesce();
  std::vector<CuteLayout> modes;
  for (const CuteLayout &mode : getModes())
    modes.push_back(mode.coalesce());
  return concat(modes);
}

CuteLayout CuteLayout::filterZeros() const {
  SmallVector<int64_t> strides = stride.flatten();
  const int64_t *next = strides.begin();
  return {rebuildTuple(shape, [&](int64_t extent) { return *next++ == 0 ? int64_t(1) : extent; }), stride};
}

CuteLayout CuteLayout::groupModes(unsigned begin, unsigned end) const {
  assert(begin <= end && end <= getRank());
  std::vector<CuteLayout> modes = getModes(), grouped(modes.begin(), modes.begin() + begin);
  grouped.push_back(concat(ArrayRef<CuteLayout>(modes).slice(begin, end - begin)));
  grouped.insert(grouped.end(), modes.begin() + end, modes.end());
  return concat(grouped);
}

CuteLayout CuteLayout::append(unsigned rank) const {
  std::vector<CuteLayout> modes = getModes();
  if (modes.size() >= rank)
    return *this;
  modes.resize(rank);
  return concat(modes);
}

/// outer ∘ extent:stride for a coalesced flat `outer`: walks the digits of the outer domain that the stride skips and
/// the extent covers.
static llvm::Expected<CuteLayout> composeMode(ArrayRef<FlatMode> outer, int64_t extent, int64_t stride) {
  if (stride == 0 || extent == 1)
    return CuteLayout(extent, extent == 1 ? 0 : stride);
  SmallVector<FlatMode> result;
  int64_t restExtent = extent, restStride = stride;
  for (const FlatMode &mode : outer.drop_back()) {
    if (restExtent == 1)
      break;
    if (restStride % mode.extent && mode.extent % restStride)
      return makeAlgebraError("stride %lld does not divide and is not divided by the extent %lld it falls into",
                              (long long)restStride, (long long)mode.extent);
    int64_t covered = std::min(llvm::divideCeil(mode.extent, restStride), uint64_t(restExtent));
    int64_t nextStride = llvm::divideCeil(restStride, mode.extent);
    if (covered > 1) {
      if (restExtent % covered)
        return makeAlgebraError("extent %lld is not a multiple of the %lld elements left in the extent it falls into",
                                (long long)restExtent, (long long)covered);
      result.push_back({covered, restStride * mode.stride});
      restExtent /= covered;
    }
    restStride = nextStride;
  }
  if (restExtent != 1)
    result.push_back({restExtent, restStride * outer.back().stride});
  return makeFlatLayout(result);
}

/// Sums of the modes' indices never carry from one mode into the next, in order of strides.
static bool areModesDisjoint(const CuteLayout &layout) {
  SmallVector<FlatMode> modes = getFlatModes(layout);
  llvm::erase_if(modes, [](const FlatMode &mode) { return mode.extent == 1 || mode.stride == 0; });
  llvm::stable_sort(modes, [](const FlatMode &a, const FlatMode &b) { return a.stride < b.stride; });
  int64_t reached = 1;
  for (const FlatMode &mode : modes) {
    if (mode.stride < reached)
      return false;
    reached += (mode.extent - 1) * mode.stride;
  }
  return true;
}

/// Composes leaf by leaf, keeping the tree of `inner`.
static llvm::Expected<CuteLayout> composeTree(ArrayRef<FlatMode> outer, const CuteLayout &inner) {
  if (inner.getShape().isLeaf())
    return composeMode(outer, inner.getShape().getValue(), inner.getStride().getValue());
  std::vector<CuteLayout> modes;
  for (const CuteLayout &mode : inner.getModes()) {
    llvm::Expected<CuteLayout> composed = composeTree(outer, mode);
    if (!composed)
      return composed.takeError();
    modes.push_back(std::move(*composed));
  }
  return CuteLayout::concat(modes);
}

llvm::Expected<CuteLayout> CuteLayout::compose(const CuteLayout &inner) const {
  SmallVector<FlatMode> outer = getFlatModes(coalesce());
  if (outer.size() > 1 && !areModesDisjoint(inner))
    return makeAlgebraError("the modes of the inner layout overlap");
  return composeTree(outer, inner);
}

llvm::Expected<CuteLayout> CuteLayout::complement(int64_t cotarget) const {
  SmallVector<FlatMode> modes = getFlatModes(filter());
  llvm::stable_sort(modes, [](const FlatMode &a, const FlatMode &b) { return a.stride < b.stride; });
  SmallVector<FlatMode> gaps;
  int64_t covered = 1;
  for (const FlatMode &mode : modes) {
    if (mode.stride == 0) // only the layout 1:0 is left with such a mode
      continue;
    if (mode.stride % covered)
      return makeAlgebraError("stride %lld is not a multiple of the %lld indices below it: no complement",
                              (long long)mode.stride, (long long)covered);
    gaps.push_back({mode.stride / covered, covered});
    covered = mode.stride * mode.extent;
  }
  gaps.push_back({int64_t(llvm::divideCeil(cotarget, covered)), covered});
  return makeFlatLayout(gaps).coalesce();
}

bool tileiras::areEquivalent(const CuteLayout &a, const CuteLayout &b) {
  return a.filter() == b.filter();
}
