//===- MatrixElements.h - Elements of matrices in shared and tensor memory -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_MATRIXELEMENTS_H
#define PTX_EMULATOR_MATRIXELEMENTS_H

#include "MmaTypes.h"
#include "SharedMatrix.h"
#include <cstring>

namespace ptxemu {

/// 4-bit elements stand in the middle of an 8-bit container, 6-bit ones at its low end: wherever elements of mixed
/// widths meet in registers or tensor memory.
inline unsigned containerShift(Type t) {
  return bitWidth(t) == 4 ? 2 : 0;
}

/// Sixteen elements of 4 or 6 bits, packed at the start of 16 bytes, become a byte each (.b8x16 from .b4x16_p64 or
/// .b6x16_p32), `shift` bits from its low end.
inline void decompress(uint8_t *bytes, unsigned bits, unsigned shift) {
  uint8_t packed[17] = {};
  std::memcpy(packed, bytes, 16);
  for (unsigned e = 0; e < 16; ++e) {
    unsigned bit = e * bits, pair = packed[bit / 8] | packed[bit / 8 + 1] << 8;
    bytes[e] = static_cast<uint8_t>((pair >> bit % 8 & ((1u << bits) - 1)) << shift);
  }
}

/// How the elements of a row follow each other along K in shared memory.
class SharedElements {
public:
  /// `padded`: 16 elements of fewer than 8 bits fill 16 bytes, padding last (.b4x16_p64, .b6x16_p32).
  SharedElements(Type t, bool padded)
      : bits(t == Type::TF32 ? 32 : bitWidth(t)), padded(padded && bits < 8), decode(t) {}

  unsigned elementBytes() const { return bits < 8 ? 1 : bits / 8; }
  unsigned rowBytes(unsigned k) const { return padded ? k : k * bits / 8; }
  /// Bytes of every 16 that are not padding.
  unsigned pieceBytes() const { return padded ? 2 * bits : 16; }

  double operator()(const uint8_t *shared, const SharedMatrix &m, unsigned mn, unsigned k) const {
    uint64_t raw = 0;
    if (bits >= 8) {
      std::memcpy(&raw, shared + m.address(mn, k, elementBytes()), elementBytes());
      return decode(raw);
    }
    unsigned bit = padded ? k / 16 * 128 + k % 16 * bits : k * bits;
    std::memcpy(&raw, shared + m.address(mn, bit / 8, 1), bit % 8 + bits > 8 ? 2 : 1);
    return decode(raw >> bit % 8);
  }

private:
  unsigned bits;
  bool padded;
  ElementDecoder decode;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_MATRIXELEMENTS_H
