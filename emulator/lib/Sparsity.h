//===- Sparsity.h - Where the stored elements of a sparse row lie -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_SPARSITY_H
#define PTX_EMULATOR_SPARSITY_H

#include <cstdint>

namespace ptxemu {

/// How a row is thinned out: of every chunk half is stored, and four bits of metadata say which half.
enum class SparseGranularity : uint8_t {
  OneOfTwo,    ///< 32-bit elements
  TwoOfFour,   ///< 16-bit and 8-bit elements
  PairsOfEight ///< 4-bit elements: two pairs of four
};

/// Elements of K that four bits of metadata describe.
inline unsigned chunkElements(SparseGranularity g) {
  return g == SparseGranularity::OneOfTwo ? 2 : g == SparseGranularity::TwoOfFour ? 4 : 8;
}

/// Four bits of the metadata that the lanes of a warp hold for 16 rows of `chunks` chunks. Four lanes share rows g and
/// g + 8: wide elements (16 bits and more) leave each row 16 bits in one or two of the lanes, narrow ones a word for
/// row g in one lane, for row g + 8 in the next. The selector says which lanes hold it when not all do.
inline unsigned warpMetadata(const uint64_t *lanes, bool wide, unsigned chunks, unsigned selector, unsigned row,
                             unsigned chunk) {
  unsigned group = row % 8 * 4, high = row / 8;
  if (!wide)
    return lanes[group + selector * 2 + chunk / 8 * 2 + high] >> chunk % 8 * 4 & 15;
  unsigned lane = chunks == 4 ? selector : selector * 2 + chunk / 4;
  return lanes[group + lane] >> (high * 16 + chunk % 4 * 4) & 15;
}

/// Finds the positions within a chunk of its stored elements, in order (1, 2 or 4 of them). False when the ISA gives
/// these four bits no meaning. `ordered`: the two indices must ascend.
inline bool storedPositions(SparseGranularity g, unsigned metadata, bool ordered, unsigned *positions) {
  unsigned first = metadata & 3, second = metadata >> 2 & 3;
  if (g == SparseGranularity::OneOfTwo) {
    positions[0] = metadata == 0b1110 ? 1 : 0;
    return metadata == 0b1110 || metadata == 0b0100;
  }
  if (g == SparseGranularity::TwoOfFour) {
    positions[0] = first;
    positions[1] = second;
  } else {
    positions[0] = first * 2;
    positions[1] = first * 2 + 1;
    positions[2] = second * 2;
    positions[3] = second * 2 + 1;
  }
  return ordered ? first < second : first != second;
}

} // namespace ptxemu

#endif // PTX_EMULATOR_SPARSITY_H
