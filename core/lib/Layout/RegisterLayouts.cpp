//===- RegisterLayouts.cpp - Families of register layouts -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/RegisterLayouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace tileiras;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// Covers a tile from the inside out: each dimension has a position up to which earlier input bits reach.
class TileCover {
public:
  explicit TileCover(ArrayRef<int64_t> shape) : layout(shape), reached(shape.size(), 1) {}

  /// Appends bits to `dim` that multiply the reach along `d` by `count`. Bits beyond the tile become copies, or vanish
  /// when `dim` is Register.
  void extend(LayoutDim dim, unsigned d, int64_t count) {
    for (; count > 1; count /= 2) {
      if (reached[d] < layout.getOutSize(d)) {
        LinearLayout::Basis basis(layout.getRank(), 0);
        basis[d] = reached[d];
        layout.addBasis(dim, std::move(basis));
        reached[d] *= 2;
      } else if (dim != LayoutDim::Register) {
        layout.addZeroBasis(dim);
      }
    }
  }

  /// Covers what is left of dimension `d` with registers.
  void fill(unsigned d) { extend(LayoutDim::Register, d, layout.getOutSize(d) / reached[d]); }

  LinearLayout layout;

private:
  SmallVector<int64_t, 4> reached;
};

} // namespace

LinearLayout tileiras::makeBlockedLayout(const BlockedParameters &parameters, ArrayRef<int64_t> shape) {
  assert(parameters.order.size() == shape.size() && parameters.sizePerThread.size() == shape.size() &&
         parameters.threadsPerWarp.size() == shape.size() && parameters.warpsPerCta.size() == shape.size());
  TileCover cover(shape);
  for (unsigned d : parameters.order)
    cover.extend(LayoutDim::Register, d, parameters.sizePerThread[d]);
  for (unsigned d : parameters.order)
    cover.extend(LayoutDim::Lane, d, parameters.threadsPerWarp[d]);
  for (unsigned d : parameters.order)
    cover.extend(LayoutDim::Warp, d, parameters.warpsPerCta[d]);
  for (unsigned d : parameters.order)
    cover.fill(d);
  if (shape.empty()) {
    for (int64_t lane = 1; lane < kLanesPerWarp; lane *= 2)
      cover.layout.addZeroBasis(LayoutDim::Lane);
  }
  return std::move(cover.layout);
}

/// Deals `count` threads out over the dimensions by `order`, as many as each has room for; the last takes the rest.
static SmallVector<int64_t> dealThreads(int64_t count, SmallVector<int64_t> &room, ArrayRef<unsigned> order) {
  SmallVector<int64_t> dealt(room.size(), 1);
  for (unsigned d : order) {
    dealt[d] = std::min(count, room[d]);
    room[d] /= dealt[d];
    count /= dealt[d];
  }
  if (!order.empty())
    dealt[order.back()] *= count;
  return dealt;
}

BlockedParameters tileiras::chooseBlockedParameters(ArrayRef<int64_t> shape, unsigned elementBits, int64_t numWarps,
                                                    std::optional<unsigned> contiguousDim, unsigned maxVectorBytes) {
  BlockedParameters parameters;
  unsigned rank = shape.size();
  parameters.sizePerThread.assign(rank, 1);
  if (rank) {
    unsigned fastest = contiguousDim.value_or(rank - 1);
    assert(fastest < rank);
    parameters.order.push_back(fastest);
    for (unsigned d = rank; d-- > 0;)
      if (d != fastest)
        parameters.order.push_back(d);

    int64_t elements = LinearLayout(shape).getNumElements();
    int64_t perThread = std::max<int64_t>(1, elements / (kLanesPerWarp * numWarps));
    int64_t elementBytes = std::max(1u, elementBits / 8);
    int64_t vector = std::max<int64_t>(1, maxVectorBytes / elementBytes);
    parameters.sizePerThread[fastest] = std::min({vector, perThread, shape[fastest]});
  }
  SmallVector<int64_t> room(shape.begin(), shape.end());
  for (unsigned d = 0; d < rank; ++d)
    room[d] /= parameters.sizePerThread[d];
  parameters.threadsPerWarp = dealThreads(kLanesPerWarp, room, parameters.order);
  parameters.warpsPerCta = dealThreads(numWarps, room, parameters.order);
  return parameters;
}

/// The coordinates of `fragment` modulo the tile's extents, with a batch dimension of extent 1 in front when the tile
/// has one.
static LinearLayout wrapFragment(const LinearLayout &fragment, ArrayRef<int64_t> tileShape) {
  LinearLayout expanded = tileShape.size() == 3 ? fragment.insertOutDim(0) : fragment;
  SmallVector<int64_t> sizes;
  for (auto [atomSize, tileSize] : llvm::zip_equal(expanded.getOutSizes(), tileShape))
    sizes.push_back(std::min(atomSize, tileSize));
  LinearLayout wrapped(sizes);
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp})
    for (LinearLayout::Basis basis : expanded.getBases(dim)) {
      for (auto [coordinate, size] : llvm::zip(basis, sizes))
        coordinate &= size - 1;
      wrapped.addBasis(dim, std::move(basis));
    }
  return wrapped;
}

LinearLayout tileiras::tileMma(const LinearLayout &fragment, MmaOperand operand, ArrayRef<int64_t> tileShape,
                               const MmaWarpGrid &grid) {
  assert(fragment.getRank() == 2 && (tileShape.size() == 2 || tileShape.size() == 3));
  LinearLayout atom = wrapFragment(fragment, tileShape);
  unsigned rank = tileShape.size(), row = rank - 2, column = rank - 1;
  assert((operand != MmaOperand::A || tileShape[column] >= fragment.getOutSize(1)) &&
         (operand != MmaOperand::B || tileShape[row] >= fragment.getOutSize(0)) && "k is a multiple of the atom's");

  SmallVector<int64_t> atoms; // extents of the tile in atoms
  for (auto [tileSize, atomSize] : llvm::zip(tileShape, atom.getOutSizes()))
    atoms.push_back(tileSize / atomSize);

  const int64_t fragmentWarps = fragment.getInSize(LayoutDim::Warp);
  assert(grid.m % fragmentWarps == 0 && "the warps of a fragment are neighbours along M");
  // Warps divide the outermost part of a dimension, so what a warp repeats itself lies inside.
  SmallVector<int64_t> warps(rank, 1);
  if (operand != MmaOperand::B)
    warps[row] = std::min(grid.m / fragmentWarps, atoms[row]);
  if (operand != MmaOperand::A)
    warps[column] = std::min(grid.n, atoms[column]);
  if (rank == 3)
    warps[0] = std::min(grid.batch, atoms[0]);

  TileCover outer(atoms);
  for (unsigned d = rank; d-- > 0;)
    outer.extend(LayoutDim::Register, d, atoms[d] / warps[d]);
  auto addWarps = [&](int64_t count, std::optional<unsigned> d) {
    for (; count > 1; count /= 2) {
      if (d)
        outer.extend(LayoutDim::Warp, *d, 2);
      else
        outer.layout.addZeroBasis(LayoutDim::Warp);
    }
  };
  addWarps(grid.m / fragmentWarps, operand == MmaOperand::B ? std::nullopt : std::optional(row));
  addWarps(grid.n, operand == MmaOperand::A ? std::nullopt : std::optional(column));
  addWarps(grid.batch, rank == 3 ? std::optional(0u) : std::nullopt);
  return LinearLayout::product(atom, outer.layout);
}

MmaWarpGrid tileiras::chooseMmaWarpGrid(ArrayRef<int64_t> accumulatorShape, int64_t atomM, int64_t atomN,
                                        int64_t numWarps) {
  unsigned rank = accumulatorShape.size();
  assert(rank == 2 || rank == 3);
  MmaWarpGrid grid;
  int64_t batches = rank == 3 ? accumulatorShape[0] : 1;
  grid.batch = std::min(batches, numWarps);
  int64_t m = accumulatorShape[rank - 2], n = accumulatorShape[rank - 1];
  for (int64_t rest = numWarps / grid.batch; rest > 1; rest /= 2) {
    bool canSplitM = m > atomM, canSplitN = n > atomN;
    if (canSplitM == canSplitN ? m >= n : canSplitM) {
      grid.m *= 2;
      m = std::max(m / 2, int64_t(1));
    } else {
      grid.n *= 2;
      n = std::max(n / 2, int64_t(1));
    }
  }
  return grid;
}
