//===- SharedLayouts.h - Memory layouts with hardware swizzles -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Shared memory layouts as descriptors spell them and as the hardware engines demand them. A memory layout is a
// bijective LinearLayout with the one input Offset, in elements; swizzles act on byte offsets, so the element width
// matters.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_SHAREDLAYOUTS_H
#define TILEIRAS_LAYOUT_SHAREDLAYOUTS_H

#include "tileiras/Layout/LayoutDescriptor.h"
#include "tileiras/Layout/LinearLayout.h"
#include "tileiras/Layout/TensorCopyLimits.h"

namespace tileiras {

/// The memory layout of a descriptor for elements of `elementBits`: the modes of the layout are the dimensions of the
/// tile, element x lies at byte offset swizzle(layout(x) · bytes). Fails, saying why, unless extents and strides are
/// powers of two, offsets 0 to size - 1 are taken once each, and the swizzle moves whole elements of a power-of-two
/// width.
llvm::Expected<LinearLayout> toLinearLayout(const CuteLayout &layout, std::optional<Swizzle> swizzle,
                                            unsigned elementBits);

/// The descriptor of a memory layout: one mode for each dimension of the tile, coalesced, and a swizzle if there is
/// one. Fails if the layout is not a CuTe layout followed by a swizzle of whole bytes.
llvm::Expected<LayoutDescriptor> toLayoutDescriptor(const LinearLayout &memory, unsigned elementBits);

/// The canonical layout of a tile for the hardware's engines: rows of the mode's width along order[0] (the whole extent
/// when it is smaller or the mode is None), the other dimensions by `order`, then the next row's width of order[0], all
/// of it swizzled. When order[0] is at least a row of the mode, this is what one TMA copy for each row's width writes;
/// for smaller tiles, take a smaller mode. `order` names all dimensions, fastest first; `elementBits` is a power of two
/// of at most 128.
LinearLayout makeSwizzledLayout(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> order, unsigned elementBits,
                                SwizzleMode mode);

/// How the tensor memory accelerator fills a tile: by `numBoxes` copies of a box that lies contiguous in memory, one
/// after the other.
struct TmaTile {
  SwizzleMode swizzle = SwizzleMode::None;
  llvm::SmallVector<unsigned> order; ///< dimensions with an extent in the box, fastest first; order[0] is contiguous
  llvm::SmallVector<int64_t> box;    ///< extents of the box, one for each dimension of the tile
  int64_t numBoxes = 1;
};

/// The largest box with which a TMA copy within `limits` can write the layout, or nullopt: the innermost extent is a
/// whole number of rows of `rowAlignment` bytes, a swizzled one exactly a row of the mode; several boxes start at
/// multiples of `getBoxAlignment` bytes.
std::optional<TmaTile> matchTmaTile(const LinearLayout &memory, unsigned elementBits,
                                    const TensorCopyLimits &limits = {});

/// What a matrix descriptor of wgmma or tcgen05.mma says of an operand tile in shared memory (PTX ISA, "Matrix
/// Descriptor"; the canonical layouts of both are the same).
struct MatrixDescriptorLayout {
  SwizzleMode swizzle = SwizzleMode::None;
  bool mnMajor = false; ///< M or N is contiguous, else K
  /// Bytes. The leading offset is unused, and 16, for swizzled K-major operands; an offset along a dimension with one
  /// step is what the next step would have.
  int64_t leadingByteOffset = 16, strideByteOffset = 0;

  bool operator==(const MatrixDescriptorLayout &other) const = default;
};

/// The descriptor's view of a tile of rank 2 whose dimension `mnDim` is M or N and whose other one is K, or nullopt if
/// it is not canonical: swizzle atoms of 8 rows, repeated at one stride along all of M or N, and along the 32 bytes of
/// K that one instruction consumes. Instructions further along K start at the offset of their first element.
/// `elementBits` is 4, 8, 16 or 32.
std::optional<MatrixDescriptorLayout> matchMatrixDescriptor(const LinearLayout &memory, unsigned mnDim,
                                                            unsigned elementBits);

/// Scales of a block-scaled product as the hardware takes them: four of a row (of A; or of a column of B) along K make
/// a word, a column of tensor memory has words of 32 rows, and 128 rows are copied at once.
inline constexpr int64_t kScalesOfWord = 4, kRowsOfScaleColumn = 32, kRowsOfScaleBlock = 128;

/// Whether the scales of a block-scaled product, bytes in a tile of rank 2 whose dimension `mnDim` is that of rows or
/// columns, lie in memory as one tcgen05.cp.32x128b.warpx4 after the other copies them to tensor memory: in blocks of
/// 512 bytes for 128 rows or columns and four scales along K, in which rows that are 32 apart are neighbours, the
/// scales of row r and number k being 16 (r mod 32) + 4 (r / 32) + k bytes from the start. The blocks may follow each
/// other in any order. PTX ISA, "Scale Factor Layout in Tensor Memory".
bool isScaleBlocks(const LinearLayout &memory, unsigned mnDim);

/// Such a layout of `blocks` scales for each of `extent` rows or columns: the blocks of a row one behind the other.
/// Nothing where these are no whole blocks.
std::optional<LinearLayout> getScaleBlocks(int64_t extent, int64_t blocks, unsigned mnDim);

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_SHAREDLAYOUTS_H
