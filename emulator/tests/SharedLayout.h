//===- SharedLayout.h - Matrices in shared memory, for tests ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_SHAREDLAYOUT_H
#define PTX_EMULATOR_SHAREDLAYOUT_H

#include "MatrixFormats.h"
#include <algorithm>
#include <vector>

namespace ptxemu::testing {

/// One matrix operand: all rows of A or columns of B, K long, as raw bits.
struct RawMatrix {
  RawMatrix(unsigned rows, unsigned depth) : depth(depth), raw(rows * depth) {}
  uint64_t &at(unsigned mn, unsigned k) { return raw[mn * depth + k]; }
  unsigned depth;
  std::vector<uint64_t> raw;
};

/// The ISA's canonical layouts of matrices that descriptors describe, written from its table of CuTe layouts. Strides,
/// swizzle and atom in bytes; a transposed matrix has rows of A (columns of B) contiguous.
struct SharedLayout {
  unsigned leading = 0, stride = 0, swizzle = 0, atom = 16;
  bool transposed = false;

  /// Strides that keep tiles apart, for `count` rows of `depth` elements.
  static SharedLayout of(const ElementFormat &f, bool transposed, unsigned swizzle, unsigned count, unsigned depth,
                         bool padded = false) {
    bool wide = transposed && f.bits == 32; // transposed .tf32 of tcgen05
    unsigned rowBytes = padded ? depth : depth * f.bits / 8, bytes = count * f.bits / 8;
    if (wide)
      swizzle = 128;
    if (!transposed)
      return swizzle ? SharedLayout{16, 8 * swizzle, swizzle} : SharedLayout{128, rowBytes / 16 * 128, 0};
    if (!swizzle)
      return {bytes / 16 * 128, 128, 0, 16, true};
    unsigned pattern = wide ? 4 : 8;
    return {depth * swizzle, pattern * swizzle, swizzle, wide ? 32u : 16u, true};
  }

  /// Where a byte of row `mn` lies (not transposed), or element k of it (transposed).
  unsigned addressOf(unsigned mn, unsigned k, unsigned byteInRow, unsigned bytes) const {
    if (!transposed && !swizzle)
      return mn / 8 * stride + mn % 8 * 16 + byteInRow / 16 * leading + byteInRow % 16;
    if (transposed && !swizzle)
      return mn * bytes / 16 * stride + mn * bytes % 16 + k % 8 * 16 + k / 8 * leading;
    unsigned at, pattern = atom == 32 ? 4 : 8;
    if (!transposed)
      at = mn / 8 * stride + mn % 8 * swizzle + byteInRow;
    else
      at = mn * bytes / swizzle * leading + mn * bytes % swizzle + k % pattern * swizzle + k / pattern * stride;
    // The number of the 128-byte row is XORed into that of the atom.
    return at ^ (at / 128 % (swizzle / atom) * atom);
  }

  /// Writes `count` rows, from `first` on. `padded`: 16 narrow elements in 16 bytes, padding at the end.
  void place(std::vector<uint8_t> &shared, unsigned start, const ElementFormat &f, bool padded, RawMatrix &matrix,
             unsigned first, unsigned count) const {
    for (unsigned mn = 0; mn < count; ++mn)
      for (unsigned k = 0; k < matrix.depth; ++k) {
        unsigned bit = padded && f.bits < 8 ? k / 16 * 128 + k % 16 * f.bits : k * f.bits;
        uint64_t raw = matrix.at(first + mn, k);
        for (unsigned done = 0; done < f.bits;) {
          unsigned take = std::min(8 - bit % 8, f.bits - done);
          unsigned at =
              start + (transposed ? addressOf(mn, k, 0, f.bits / 8) + done / 8 : addressOf(mn, k, bit / 8, 1));
          shared[at] = static_cast<uint8_t>(shared[at] | (raw >> done & ((1u << take) - 1)) << bit % 8);
          done += take;
          bit += take;
        }
      }
  }

  uint64_t strides(unsigned start) const {
    return start >> 4 | uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32;
  }
  uint64_t tcgen05Descriptor(unsigned start) const {
    uint64_t mode = swizzle == 0 ? 0 : atom == 32 ? 1 : swizzle == 128 ? 2 : swizzle == 64 ? 4 : 6;
    return strides(start) | 1ull << 46 | mode << 61;
  }
  /// `pattern`: the address at which the swizzle's pattern starts.
  uint64_t wgmmaDescriptor(unsigned start, unsigned pattern = 0) const {
    uint64_t mode = swizzle == 0 ? 0 : swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3;
    return strides(start) | uint64_t(pattern / 128 % 8) << 49 | mode << 62;
  }
};

} // namespace ptxemu::testing

#endif // PTX_EMULATOR_SHAREDLAYOUT_H
