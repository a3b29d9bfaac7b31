//===- Clusters.h - Tiles and the CTAs of a cluster ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_CLUSTERS_H
#define TILEIRAS_DIALECT_TILEAA_CLUSTERS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/bit.h"

namespace tileiras::aa {

/// The bit in which the ranks of the CTAs of a pair differ, which may multiply together: the even one starts the
/// products of both.
inline constexpr uint32_t kPairBit = 1;

/// `shared_ctas` of an access to memory, of output, or of the release of a stage: the CTAs whose ranks differ in
/// nothing but these bits all have the same tile. Of what they write or print, the one does it whose bits are 0. 0 of
/// all others.
uint32_t getSharedCtas(mlir::Operation *op);
/// `op` has such an attribute.
void setSharedCtas(mlir::Operation *op, uint32_t mask);
/// How many CTAs have ranks that differ in nothing but the bits of `mask`.
inline unsigned getNumSharingCtas(uint32_t mask) {
  return 1u << llvm::popcount(mask);
}

/// How a tile is spread over the CTAs of a cluster. Bit `i` of a CTA's rank says which half it has along dimension
/// `dims[i]`; CTAs that differ in no other bits than those of kCopies have the same elements. Of several bits for one
/// dimension the last one says most.
class CtaLayout {
public:
  static constexpr int32_t kCopies = -1;

  CtaLayout() = default;
  explicit CtaLayout(llvm::ArrayRef<int32_t> dims) : dims(dims) {}
  static CtaLayout getCopies(unsigned numBits) { return CtaLayout(llvm::SmallVector<int32_t>(numBits, kCopies)); }

  llvm::ArrayRef<int32_t> getDims() const { return dims; }
  /// Bits of the rank that make no difference.
  uint32_t getCopyMask() const;
  bool isSplit() const {
    return llvm::any_of(dims, [](int32_t dim) { return dim != kCopies; });
  }
  /// Into how many parts dimension `dim` is cut.
  int64_t getNumParts(unsigned dim) const { return int64_t(1) << llvm::count(dims, int32_t(dim)); }
  /// The bits of the rank that number the parts of dimension `dim`, the lowest first.
  llvm::SmallVector<unsigned> getBits(unsigned dim) const;
  /// Whether every dimension of `shape` can be cut so.
  bool fits(llvm::ArrayRef<int64_t> shape) const;
  /// The shape of what a CTA has of a tile of `shape`, which fits.
  llvm::SmallVector<int64_t> getPartShape(llvm::ArrayRef<int64_t> shape) const;

  bool operator==(const CtaLayout &other) const { return dims == other.dims; }
  bool operator!=(const CtaLayout &other) const { return dims != other.dims; }

private:
  llvm::SmallVector<int32_t, 4> dims;
};

/// What both dialects ask of a `cluster_exchange`.
mlir::LogicalResult verifyClusterExchange(mlir::Operation *op, const CtaLayout &from, const CtaLayout &to);

} // namespace tileiras::aa

#endif // TILEIRAS_DIALECT_TILEAA_CLUSTERS_H
