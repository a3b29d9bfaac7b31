//===- LinearLayout.h - Layouts as linear maps over F2 ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every tile extent is a power of two, so the map from "which register of which lane of which warp" (or "which shared
// memory offset") to tile coordinates is linear over F2: it is given by the coordinates of each input bit, and the
// coordinates of any input are the XOR of the coordinates of its set bits. Model: "Linear Layouts: Robust Code
// Generation of Efficient Tensor Computation Using F2" (Zhou et al., 2025), the algebra of Triton.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_LINEARLAYOUT_H
#define TILEIRAS_LAYOUT_LINEARLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cstdint>
#include <optional>

namespace tileiras {

/// A named group of input bits.
enum class LayoutDim : uint8_t {
  Register, ///< index of an element within one thread
  Lane,     ///< thread of a warp: 5 bits
  Warp,     ///< warp of a CTA
  Block,    ///< CTA of a cluster
  Offset,   ///< element offset in a linear memory (shared memory)
  Row,      ///< lane of tensor memory
  Column,   ///< column of tensor memory
};
inline constexpr unsigned kNumLayoutDims = 7;
llvm::StringRef stringifyLayoutDim(LayoutDim dim);
std::optional<LayoutDim> symbolizeLayoutDim(llvm::StringRef name);

/// An F2-linear map from named input bits to tile coordinates.
///
/// Output dimension d has extent getOutSize(d), a power of two; rank 0 is allowed (every basis is then empty).
/// Input dimension i has 2^getNumBits(i) values; an absent input dimension has one. Values are immutable in spirit:
/// every operation returns a new layout. Out-of-range arguments are programming errors (assert).
class LinearLayout {
public:
  /// The coordinates of one input bit, one entry for each output dimension.
  using Basis = llvm::SmallVector<int32_t, 4>;

  /// The layout without inputs onto an output of the given extents (powers of two).
  explicit LinearLayout(llvm::ArrayRef<int64_t> outSizes = {});

  /// The identity from 2^n = `size` values of `dim` onto output dimension `outDim` of `outSizes`, starting at `stride`.
  static LinearLayout identity(LayoutDim dim, int64_t size, llvm::ArrayRef<int64_t> outSizes, unsigned outDim,
                               int64_t stride = 1);
  /// Row-major (last dimension fastest), or by `order` (fastest dimension first), offsets of a tile.
  static LinearLayout strided(LayoutDim dim, llvm::ArrayRef<int64_t> outSizes, llvm::ArrayRef<unsigned> order = {});

  unsigned getRank() const { return outSizes.size(); }
  llvm::ArrayRef<int64_t> getOutSizes() const { return outSizes; }
  int64_t getOutSize(unsigned d) const { return outSizes[d]; }
  int64_t getNumElements() const;
  unsigned getNumBits(LayoutDim dim) const { return bases[index(dim)].size(); }
  int64_t getInSize(LayoutDim dim) const { return int64_t(1) << getNumBits(dim); }
  unsigned getTotalBits() const;
  llvm::ArrayRef<Basis> getBases(LayoutDim dim) const { return bases[index(dim)]; }
  const Basis &getBasis(LayoutDim dim, unsigned bit) const { return bases[index(dim)][bit]; }
  /// The basis as a row-major element index of the tile (last dimension fastest).
  int64_t getFlatBasis(LayoutDim dim, unsigned bit) const;

  /// Appends one more (most significant) bit to `dim`.
  LinearLayout &addBasis(LayoutDim dim, Basis basis);
  /// The same with the basis given as a row-major element index.
  LinearLayout &addFlatBasis(LayoutDim dim, int64_t element);
  LinearLayout &addZeroBasis(LayoutDim dim) { return addBasis(dim, Basis(getRank(), 0)); }

  using Inputs = std::array<int64_t, kNumLayoutDims>;
  /// Coordinates of the element at `inputs` (indexed by LayoutDim).
  llvm::SmallVector<int64_t> apply(const Inputs &inputs) const;
  /// The same as a row-major element index.
  int64_t applyFlat(const Inputs &inputs) const;

  /// Every coordinate is reached.
  bool isSurjective() const;
  /// No two inputs give the same coordinates: no value is held twice.
  bool isInjective() const;
  /// The number of distinct elements that are reached (a power of two).
  int64_t getNumReached() const;
  /// The bits of `dim` that are linearly dependent on less significant bits and preceding dims: copies, not new
  /// elements. (Bit mask; walk order Register, Lane, Warp, Block, ….)
  uint64_t getReplicationMask(LayoutDim dim) const;

  bool operator==(const LinearLayout &other) const;
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }
  friend llvm::hash_code hash_value(const LinearLayout &layout);

  /// Direct sum in the input bits: bits of `inner` come first in every dim; `outer` describes which inner-sized tile.
  /// Extents multiply. This is "tile `inner` as `outer` says".
  static LinearLayout product(const LinearLayout &inner, const LinearLayout &outer);

  /// Tile reshape: same elements in row-major order, other extents with the same product.
  LinearLayout reshape(llvm::ArrayRef<int64_t> newSizes) const;
  /// Output dimension i of the result is output dimension permutation[i] of this.
  LinearLayout permute(llvm::ArrayRef<unsigned> permutation) const;
  /// Drops output dimension `d`: what a reduction along `d` leaves (bits along `d` become zero bases, i.e. replicas).
  LinearLayout dropOutDim(unsigned d) const;
  /// Inserts an output dimension of extent 1 before `d`.
  LinearLayout insertOutDim(unsigned d) const;
  /// Coordinates along dimensions where `sizes` is 1 are cleared: the layout a broadcast operand must have.
  LinearLayout projectTo(llvm::ArrayRef<int64_t> sizes) const;
  /// The same elements, the first ones of a tile that is no smaller in any dimension.
  LinearLayout within(llvm::ArrayRef<int64_t> sizes) const;
  /// Without the inputs of `dim`: the elements at input 0 of it.
  LinearLayout dropInDim(LayoutDim dim) const;
  /// Without the register bits whose basis is zero or a repetition (each distinct value once).
  LinearLayout removeRegisterReplicas() const;

  /// For a surjective layout: a right inverse from row-major element bits to input bits. `bits[k]` is the input (one
  /// value for each LayoutDim) of element bit k, choosing zero for free bits.
  llvm::SmallVector<Inputs> rightInverse() const;
  /// The composition to⁻¹ ∘ this, indexed [LayoutDim][bit]: for each input bit of `this`, an input of `to` that holds
  /// the same element (free bits zero). `to` must be surjective onto the same extents.
  llvm::SmallVector<llvm::SmallVector<Inputs>, kNumLayoutDims> mapInto(const LinearLayout &to) const;

  /// Prints `{register: (0,1) (8,0); lane: (0,2) …} -> 16x8`: the coordinates of each bit of each present input
  /// dimension, least significant bit first.
  void print(llvm::raw_ostream &os) const;
  std::string str() const;

private:
  static unsigned index(LayoutDim dim) { return static_cast<unsigned>(dim); }
  llvm::SmallVector<int64_t, 4> outSizes;
  /// Most dims have none, and catalogues of atoms hold hundreds of layouts: no space inside.
  std::array<llvm::SmallVector<Basis, 0>, kNumLayoutDims> bases;
};

llvm::hash_code hash_value(const LinearLayout &layout);

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const LinearLayout &layout) {
  layout.print(os);
  return os;
}

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_LINEARLAYOUT_H
