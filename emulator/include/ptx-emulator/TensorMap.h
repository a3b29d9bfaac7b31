//===- TensorMap.h - Tensor maps for tensor copies --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TENSORMAP_H
#define PTX_EMULATOR_TENSORMAP_H

#include <array>
#include <cstdint>
#include <string>

namespace ptxemu {

/// What a 128-byte tensor map says. The values of the enumerations are those `tensormap.replace` writes. Hardware's own
/// encoding is not public; a map made by encode() (or by tensormap.replace on 128 zero bytes) means this to the
/// emulator.
struct TensorMap {
  static constexpr unsigned kBytes = 128;

  enum Element : uint8_t {
    U8,
    U16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    F32Ftz,
    F64,
    BF16,
    TF32,
    TF32Ftz,
    B4x16,
    B4x16P64,
    B6x16P32
  };
  enum Interleave : uint8_t { NoInterleave, Interleave16, Interleave32 };
  enum Swizzle : uint8_t { NoSwizzle, Swizzle32, Swizzle64, Swizzle128, Swizzle96 };
  enum Atomicity : uint8_t { Atom16, Atom32, Atom32Flip8, Atom64 };
  enum Fill : uint8_t { Zeros, NaNs };

  uint64_t address = 0; ///< of element (0, …), a multiple of 16
  unsigned rank = 1;    ///< 1 … 5; dimension 0 is the contiguous one
  Element element = U8;
  Interleave interleave = NoInterleave;
  Swizzle swizzle = NoSwizzle;
  Atomicity atomicity = Atom16;
  Fill fill = Zeros;
  /// In elements. An interleaved tensor N (C/x) D H W x is W, H, D, C/x, N here: dimension 0 counts slices of 16 or 32
  /// bytes, and a box lies in the one channel slice its coordinate names.
  std::array<uint32_t, 5> size{};
  std::array<uint64_t, 4> stride{};        ///< bytes between neighbours in dimensions 1 …; multiples of 16
  std::array<uint32_t, 5> box{};           ///< elements, at most 256
  std::array<uint32_t, 5> elementStride{}; ///< 1 … 8; of dimension 0 always 1 without interleave
  bool im2col = false;
  bool wide = false;                                   ///< for im2col::w and im2col::w::128
  std::array<int32_t, 3> lowerCorner{}, upperCorner{}; ///< of the pixel box in W, H, D, im2col
  uint32_t channels = 0, pixels = 0;                   ///< a column's, im2col

  unsigned elementBytes() const; ///< 1 for the sub-byte types
  unsigned elementBits() const;
  std::array<uint8_t, kBytes> encode() const;
  static TensorMap decode(const uint8_t *bytes);
  /// Why the ISA forbids this map; empty when it does not.
  std::string invalid() const;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_TENSORMAP_H
