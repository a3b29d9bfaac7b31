//===- FloatFormat.h - Narrow floating-point formats and exact rounding -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_FLOATFORMAT_H
#define PTX_EMULATOR_FLOATFORMAT_H

#include "Types.h"
#include <bit>
#include <cmath>
#include <cstdint>

namespace ptxemu {

/// A binary floating-point format of at most 32 bits.
struct FloatFormat {
  unsigned bits; ///< total, sign included
  unsigned exponentBits;
  unsigned mantissaBits; ///< stored
  int bias;
  bool hasSign;
  bool hasInfinity; ///< an all-ones exponent with zero mantissa is infinity
  bool hasNaN;
  uint32_t nan;       ///< the NaN conversions produce
  uint32_t maxFinite; ///< largest finite magnitude
};

/// The format of a scalar floating type (f16, bf16, tf32, f32, fp8, fp6, fp4, ue8m0, ue4m3).
const FloatFormat &formatOf(Type scalar);

/// The exact value of an encoding.
double decodeFloat(uint32_t bits, const FloatFormat &);

/// Rounds to the format. Overflow gives infinity where the format has one and the rounding direction says so, the
/// largest finite value where `saturate` is set or the format has no infinity.
uint32_t encodeFloat(double value, const FloatFormat &, Rounding = Rounding::NearestEven, bool saturate = false);

// Hot paths.
inline double halfToDouble(uint16_t h) {
  uint32_t sign = static_cast<uint32_t>(h & 0x8000) << 16, rest = h & 0x7fff;
  float f;
  if (rest >= 0x7c00)
    f = std::bit_cast<float>(sign | 0x7f800000 | ((rest & 0x3ff) << 13));
  else // scaling by 2^112 re-biases normals and normalises subnormals alike, exactly
    f = std::bit_cast<float>(sign | std::bit_cast<uint32_t>(std::bit_cast<float>(rest << 13) * 0x1p112f));
  return f;
}
inline float bfloatToFloat(uint16_t b) {
  return std::bit_cast<float>(static_cast<uint32_t>(b) << 16);
}

inline constexpr uint32_t kCanonicalNaN32 = 0x7fffffff;

/// Replaces a double by its neighbour with an odd last bit when `error` says that the exact value lies strictly
/// beyond it: a later rounding to a narrower format is then correct in every mode.
inline double roundToOdd(double sum, double error) {
  if (error == 0 || !std::isfinite(sum))
    return sum;
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (bits & 1)
    return sum;
  // Truncate towards the exact value, then set the last bit.
  bool outward = (error > 0) == (sum > 0);
  if (sum == 0)
    return std::bit_cast<double>((error < 0 ? 1ull << 63 : 0) | 1);
  return std::bit_cast<double>(outward ? bits | 1 : bits - 1);
}

/// a + b, rounded to odd.
inline double addToOdd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  double bb = sum - a;
  return roundToOdd(sum, (a - (sum - bb)) + (b - bb));
}

/// a·b + c rounded to odd, for factors of at most 26 significant bits (so that the product is exact).
inline double fmaToOdd(double a, double b, double c) {
  return addToOdd(a * b, c);
}

} // namespace ptxemu

#endif // PTX_EMULATOR_FLOATFORMAT_H
