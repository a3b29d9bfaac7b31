//===- MmaTypes.h - Element values of matrix operands -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_MMATYPES_H
#define PTX_EMULATOR_MMATYPES_H

#include "FloatFormat.h"
#include "Types.h"

namespace ptxemu {

/// The value of a matrix element from its bits, exact in double. Integers too: they need at most 9 bits.
class ElementDecoder {
public:
  explicit ElementDecoder(Type);
  double operator()(uint64_t bits) const {
    switch (kind) {
    case Kind::Table:
      return table[bits & mask];
    case Kind::Half:
      return halfToDouble(static_cast<uint16_t>(bits));
    case Kind::BFloat:
      return bfloatToFloat(static_cast<uint16_t>(bits));
    case Kind::TFloat:
      return std::bit_cast<float>(static_cast<uint32_t>(bits) & 0xffffe000u); // low bits are ignored
    case Kind::Float:
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    case Kind::Double:
      return std::bit_cast<double>(bits);
    }
    return 0;
  }

private:
  enum class Kind : uint8_t { Table, Half, BFloat, TFloat, Float, Double } kind;
  const double *table = nullptr;
  unsigned mask = 0;
};

/// The value of an accumulator's element, and its bits: .f32, .f64, .f16 or .s32. `saturate` leaves integers in range
/// and makes infinities the largest number, NaN 0.
double decodeAccumulator(Type, uint64_t raw);
uint64_t encodeAccumulator(Type, double, bool saturate);

} // namespace ptxemu

#endif // PTX_EMULATOR_MMATYPES_H
