//===- CuteLayout.h - Layouts as CuTe defines them -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The layout algebra of CuTe (CUTLASS 3, "CuTe Layout Algebra"): a layout is a pair of congruent trees, shape and
// stride, and maps coordinates to an index. A layout accepts a coordinate of any compatible form; an integer coordinate
// is split over the leaves colexicographically (leftmost fastest), the last leaf taking whatever is left.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_CUTELAYOUT_H
#define TILEIRAS_LAYOUT_CUTELAYOUT_H

#include "tileiras/Layout/IntTuple.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <vector>

namespace tileiras {

/// Extents are positive, strides non-negative, and both trees congruent. Operations that are not defined for all
/// layouts return an error that says which condition of the algebra does not hold.
class CuteLayout {
public:
  /// The layout 1:0.
  CuteLayout() : shape(1), stride(0) {}
  CuteLayout(IntTuple shape, IntTuple stride);
  /// Compact with the leftmost leaf fastest.
  static CuteLayout columnMajor(IntTuple shape);
  /// The layout whose modes are the given layouts.
  static CuteLayout concat(llvm::ArrayRef<CuteLayout> modes);

  const IntTuple &getShape() const { return shape; }
  const IntTuple &getStride() const { return stride; }
  unsigned getRank() const { return shape.getRank(); }
  CuteLayout getMode(unsigned i) const { return {shape.getMode(i), stride.getMode(i)}; }
  std::vector<CuteLayout> getModes() const;
  int64_t getSize() const { return shape.getProduct(); }
  /// One more than the largest index.
  int64_t getCosize() const;

  /// crd2idx: the index of a coordinate, an integer or a tuple whose leaves stand for subtrees of the shape.
  int64_t operator()(const IntTuple &coordinate) const;
  /// idx2crd: the coordinate, congruent with the shape, of an integer coordinate below the size.
  IntTuple getCoordinate(int64_t index) const;

  /// The leaves as modes of a flat layout.
  CuteLayout flatten() const;
  /// The same function of integer coordinates (below the size) with as few modes as possible.
  CuteLayout coalesce() const;
  /// Coalesces each mode by itself.
  CuteLayout coalesceModes() const;
  /// Extents of modes with stride 0 become 1.
  CuteLayout filterZeros() const;
  /// coalesce(filterZeros()): the same set of indices, without repetitions by stride 0.
  CuteLayout filter() const { return filterZeros().coalesce(); }
  /// Modes [begin, end) become one mode.
  CuteLayout groupModes(unsigned begin, unsigned end) const;
  /// With unit modes 1:0 appended up to the rank.
  CuteLayout append(unsigned rank) const;

  /// R with R(c) = this(inner(c)) and the shape profile of `inner`. Fails where strides or extents of `inner` do not
  /// divide this layout's, or the modes of `inner` overlap such that the composition is not a layout.
  llvm::Expected<CuteLayout> compose(const CuteLayout &inner) const;
  /// C, ordered and coalesced, such that (this, C) takes every index from 0 up to at least `cotarget` exactly once.
  /// Fails unless the layout is injective (repetitions by stride 0 aside) and its strides are multiples of what lies
  /// below them.
  llvm::Expected<CuteLayout> complement(int64_t cotarget) const;

  /// (tile, rest): this ∘ (tiler, complement(tiler, size)).
  llvm::Expected<CuteLayout> logicalDivide(const CuteLayout &tiler) const;
  /// Each of the first modes divided by its tiler: ((tile0, rest0), (tile1, rest1), …, modes without a tiler).
  llvm::Expected<CuteLayout> logicalDivide(llvm::ArrayRef<CuteLayout> tilers) const;
  /// ((tile0, tile1, …), (rest0, rest1, …, modes without a tiler)).
  llvm::Expected<CuteLayout> zippedDivide(llvm::ArrayRef<CuteLayout> tilers) const;
  /// ((tile0, tile1, …), rest0, rest1, …).
  llvm::Expected<CuteLayout> tiledDivide(llvm::ArrayRef<CuteLayout> tilers) const;
  /// (tile0, tile1, …, rest0, rest1, …).
  llvm::Expected<CuteLayout> flatDivide(llvm::ArrayRef<CuteLayout> tilers) const;

  /// (this, complement(this, size · cosize(tiler)) ∘ tiler): this, repeated as `tiler` says.
  llvm::Expected<CuteLayout> logicalProduct(const CuteLayout &tiler) const;
  /// Mode by mode: ((this0, tiler0), (this1, tiler1), …), blocks of this next to each other.
  llvm::Expected<CuteLayout> blockedProduct(const CuteLayout &tiler) const;
  /// Mode by mode: ((tiler0, this0), (tiler1, this1), …), elements of the blocks interleaved.
  llvm::Expected<CuteLayout> rakedProduct(const CuteLayout &tiler) const;

  bool operator==(const CuteLayout &other) const { return shape == other.shape && stride == other.stride; }
  bool operator!=(const CuteLayout &other) const { return !(*this == other); }
  /// `(16,(8,2)):(1,(16,8))`.
  void print(llvm::raw_ostream &os) const { os << shape << ':' << stride; }

private:
  IntTuple shape, stride;
};

/// The same function of integer coordinates, repetitions by stride 0 aside.
bool areEquivalent(const CuteLayout &a, const CuteLayout &b);

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const CuteLayout &layout) {
  layout.print(os);
  return os;
}

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_CUTELAYOUT_H
