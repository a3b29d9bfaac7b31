//===- FloatFormat.cpp - Narrow floating-point formats and exact rounding -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatFormat.h"
#include <algorithm>
#include <stdexcept>

namespace ptxemu {

namespace {

//                               bits exp man bias  sign   inf    nan    NaN         max finite
constexpr FloatFormat kF32 = {32, 8, 23, 127, true, true, true, 0x7fffffff, 0x7f7fffff};
constexpr FloatFormat kTF32 = {19, 8, 10, 127, true, true, true, 0x3ffff, 0x3fbff};
constexpr FloatFormat kF16 = {16, 5, 10, 15, true, true, true, 0x7fff, 0x7bff};
constexpr FloatFormat kBF16 = {16, 8, 7, 127, true, true, true, 0x7fff, 0x7f7f};
constexpr FloatFormat kE4M3 = {8, 4, 3, 7, true, false, true, 0x7f, 0x7e};
constexpr FloatFormat kE5M2 = {8, 5, 2, 15, true, true, true, 0x7f, 0x7b};
constexpr FloatFormat kE2M3 = {6, 2, 3, 1, true, false, false, 0x1f, 0x1f};
constexpr FloatFormat kE3M2 = {6, 3, 2, 3, true, false, false, 0x1f, 0x1f};
constexpr FloatFormat kE2M1 = {4, 2, 1, 1, true, false, false, 0x7, 0x7};
constexpr FloatFormat kUE8M0 = {8, 8, 0, 127, false, false, true, 0xff, 0xfe};
constexpr FloatFormat kUE4M3 = {8, 4, 3, 7, false, false, true, 0x7f, 0x7e};

} // namespace

const FloatFormat &formatOf(Type t) {
  switch (t) {
  case Type::F32:
    return kF32;
  case Type::TF32:
    return kTF32;
  case Type::F16:
  case Type::F16x2:
    return kF16;
  case Type::BF16:
  case Type::BF16x2:
    return kBF16;
  case Type::E4M3:
  case Type::E4M3x2:
  case Type::E4M3x4:
    return kE4M3;
  case Type::E5M2:
  case Type::E5M2x2:
  case Type::E5M2x4:
    return kE5M2;
  case Type::E2M3:
  case Type::E2M3x2:
  case Type::E2M3x4:
    return kE2M3;
  case Type::E3M2:
  case Type::E3M2x2:
  case Type::E3M2x4:
    return kE3M2;
  case Type::E2M1:
  case Type::E2M1x2:
  case Type::E2M1x4:
    return kE2M1;
  case Type::UE8M0:
  case Type::UE8M0x2:
    return kUE8M0;
  case Type::UE4M3:
    return kUE4M3;
  default:
    throw std::logic_error("not a narrow floating-point type: " + std::string(typeName(t)));
  }
}

double decodeFloat(uint32_t bits, const FloatFormat &f) {
  if (&f == &kF32)
    return std::bit_cast<float>(bits);
  if (&f == &kUE8M0)
    return bits == 0xff ? std::nan("") : std::ldexp(1.0, static_cast<int>(bits) - 127);
  bool negative = f.hasSign && (bits >> (f.bits - 1) & 1);
  uint32_t mantissa = bits & ((1u << f.mantissaBits) - 1);
  uint32_t exponentMask = (1u << f.exponentBits) - 1, exponent = bits >> f.mantissaBits & exponentMask;
  double value;
  if (f.hasInfinity && exponent == exponentMask)
    value = mantissa ? std::nan("") : INFINITY;
  else if (!f.hasInfinity && f.hasNaN && (bits & 0x7f) == f.nan)
    value = std::nan("");
  else if (exponent == 0)
    value = std::ldexp(static_cast<double>(mantissa), 1 - f.bias - static_cast<int>(f.mantissaBits));
  else
    value = std::ldexp(static_cast<double>(mantissa | 1u << f.mantissaBits),
                       static_cast<int>(exponent) - f.bias - static_cast<int>(f.mantissaBits));
  return negative ? -value : value;
}

namespace {

/// Whether a magnitude with these discarded bits moves away from zero.
bool roundsUp(Rounding mode, bool negative, bool odd, uint64_t rest, uint64_t half) {
  switch (mode) {
  case Rounding::TowardZero:
    return false;
  case Rounding::Down:
    return negative && rest;
  case Rounding::Up:
    return !negative && rest;
  case Rounding::NearestAway:
    return rest >= half;
  default:
    return rest > half || (rest == half && odd);
  }
}

bool overflowsToInfinity(Rounding mode, bool negative) {
  return mode == Rounding::NearestEven || mode == Rounding::NearestAway ||
         (mode == Rounding::Down ? negative : mode == Rounding::Up && !negative);
}

/// ue8m0: the power of two not above the magnitude (or not below it, rounding up); there is no sign.
uint32_t encodeScale(double value, Rounding mode, bool saturate) {
  constexpr uint32_t nan = 0xff, largest = 0xfe;
  value = std::fabs(value);
  if (std::isnan(value))
    return nan;
  if (value <= 0x1p-127)
    return 0;
  if (std::isinf(value))
    return saturate ? largest : nan;
  int exponent;
  double mantissa = std::frexp(value, &exponent); // [0.5, 1)
  int code = exponent - 1 + 127 + (mode == Rounding::Up && mantissa > 0.5);
  return code <= static_cast<int>(largest) ? static_cast<uint32_t>(std::max(code, 0)) : saturate ? largest : nan;
}

} // namespace

uint32_t encodeFloat(double value, const FloatFormat &f, Rounding mode, bool saturate) {
  if (&f == &kUE8M0)
    return encodeScale(value, mode, saturate);
  if (std::isnan(value))
    return f.hasNaN ? f.nan : f.maxFinite;
  uint64_t raw = std::bit_cast<uint64_t>(value);
  bool negative = raw >> 63;
  uint32_t sign = f.hasSign && negative ? 1u << (f.bits - 1) : 0;
  if (!f.hasSign && negative)
    return 0;
  raw &= ~0ull >> 1;
  if (raw == 0)
    return sign;
  uint32_t infinity = ((1u << f.exponentBits) - 1) << f.mantissaBits;
  if (std::isinf(value))
    return sign | (f.hasInfinity && !saturate ? infinity : saturate || !f.hasNaN ? f.maxFinite : f.nan);
  int exponent = static_cast<int>(raw >> 52) - 1023;
  uint64_t significand = (raw & ((1ull << 52) - 1)) | 1ull << 52;
  if (raw >> 52 == 0) { // subnormal double: far below every format here
    significand &= ~(1ull << 52);
    exponent = -1022;
  }
  // Keep mantissaBits below the leading one, fewer for subnormal results.
  int minimum = 1 - f.bias;
  int shift = 52 - static_cast<int>(f.mantissaBits) + (exponent < minimum ? minimum - exponent : 0);
  uint64_t kept, rest, half;
  if (shift > 62) {
    kept = 0, rest = 1, half = 2;
  } else {
    kept = significand >> shift;
    rest = significand & ((1ull << shift) - 1);
    half = 1ull << (shift - 1);
  }
  if (roundsUp(mode, negative, kept & 1, rest, half))
    ++kept;
  // A carry out of the mantissa steps into the exponent field by itself.
  int64_t biased = exponent < minimum ? 0 : exponent + f.bias - 1;
  uint64_t magnitude = (static_cast<uint64_t>(biased) << f.mantissaBits) + kept;
  if (magnitude > f.maxFinite) {
    if (saturate || !f.hasNaN || !overflowsToInfinity(mode, negative))
      return sign | f.maxFinite;
    return sign | (f.hasInfinity ? infinity : f.nan);
  }
  return sign | static_cast<uint32_t>(magnitude);
}

} // namespace ptxemu
