//===- FloatMath.h - IEEE operations with PTX's NaN, subnormal and saturation rules -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_FLOATMATH_H
#define PTX_EMULATOR_FLOATMATH_H

#include "FloatFormat.h"
#include <algorithm>
#include <cfenv>
#include <cmath>

namespace ptxemu {

// NaNs. Where the ISA fixes a result it is kCanonicalNaN32 and its like; where it leaves a payload open, results are
// those of an H200 (measured, 2026-11-26): abs and neg of f32 give kCanonicalNaN32, conversions from f64 to f32 this
// with the operand's sign, those to tf32 by .rna the upper 19 bits of the operand. f64 keeps payloads in abs and neg.

inline float flush(float v) {
  return std::fabs(v) < 0x1p-126f ? std::copysign(0.0f, v) : v;
}
inline float canonical(float v) {
  return v != v ? std::bit_cast<float>(kCanonicalNaN32) : v;
}
/// .sat: [0, 1], NaN to +0.
template <class T>
inline T saturate(T v) {
  return v > T(0) ? (v < T(1) ? v : T(1)) : T(0);
}

/// PTX min/max: a NaN loses against a number (unless `nan`); -0 is less than +0.
template <class T>
inline T minimum(T a, T b, bool nan) {
  if (a != a || b != b)
    return nan || (a != a && b != b) ? std::numeric_limits<T>::quiet_NaN() : (a != a ? b : a);
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T>
inline T maximum(T a, T b, bool nan) {
  if (a != a || b != b)
    return nan || (a != a && b != b) ? std::numeric_limits<T>::quiet_NaN() : (a != a ? b : a);
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}

/// Sets the host's rounding direction for one f64 operation.
class HostRounding {
public:
  explicit HostRounding(Rounding r) : saved(std::fegetround()) {
    std::fesetround(r == Rounding::TowardZero ? FE_TOWARDZERO
                    : r == Rounding::Down     ? FE_DOWNWARD
                    : r == Rounding::Up       ? FE_UPWARD
                                              : FE_TONEAREST);
  }
  ~HostRounding() { std::fesetround(saved); }

private:
  int saved;
};

/// An exact sum of opposite values is -0 only when rounding down.
inline double signedZero(double result, double a, double b, Rounding r) {
  if (result == 0 && r == Rounding::Down && std::signbit(a) != std::signbit(b))
    return -0.0;
  return result;
}

/// Quotient and root rounded to odd in double: a further rounding to at most 24 bits is correct in every mode.
inline double divideToOdd(double a, double b) {
  double q = a / b;
  if (!std::isfinite(q) || q == 0 || !std::isfinite(b))
    return q;
  double remainder = std::fma(-q, b, a);
  return roundToOdd(q, b < 0 ? -remainder : remainder);
}
inline double sqrtToOdd(double a) {
  double q = std::sqrt(a);
  if (!std::isfinite(q) || q == 0)
    return q;
  return roundToOdd(q, std::fma(-q, q, a));
}

} // namespace ptxemu

#endif // PTX_EMULATOR_FLOATMATH_H
