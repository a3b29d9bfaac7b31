//===- MatrixFormats.h - Element formats of matrices, for tests -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_MATRIXFORMATS_H
#define PTX_EMULATOR_MATRIXFORMATS_H

#include <cmath>
#include <cstdint>
#include <random>

namespace ptxemu::testing {

/// A floating-point format (exponent bits > 0) or an integer one, written down from the ISA independently of the
/// library. `code` is its number in tcgen05's instruction descriptor.
struct ElementFormat {
  const char *name;
  unsigned bits, exponent, mantissa;
  int bias;
  bool isSigned;
  unsigned code = 0;
};

inline constexpr ElementFormat kF16Element{"f16", 16, 5, 10, 15, true, 0}, kBF16Element{"bf16", 16, 8, 7, 127, true, 1},
    kTF32Element{"tf32", 32, 8, 23, 127, true, 2}, kE4M3Element{"e4m3", 8, 4, 3, 7, true, 0},
    kE5M2Element{"e5m2", 8, 5, 2, 15, true, 1}, kE2M3Element{"e2m3", 6, 2, 3, 1, true, 3},
    kE3M2Element{"e3m2", 6, 3, 2, 3, true, 4}, kE2M1Element{"e2m1", 4, 2, 1, 1, true, 5},
    kE2M1PackedElement{"e2m1", 4, 2, 1, 1, true, 1}, kU8Element{"u8", 8, 0, 0, 0, false, 0},
    kS8Element{"s8", 8, 0, 0, 0, true, 1}, kU4Element{"u4", 4, 0, 0, 0, false}, kS4Element{"s4", 4, 0, 0, 0, true},
    kBitElement{"b1", 1, 0, 0, 0, false}, kF64Element{"f64", 64, 11, 52, 1023, true},
    kUE8M0Element{"ue8m0", 8, 8, 0, 127, false}, kUE4M3Element{"ue4m3", 8, 4, 3, 7, false};

/// The value of finite bits.
inline double valueOf(const ElementFormat &f, uint64_t raw) {
  if (f.exponent == 0) {
    double sign = f.isSigned && raw >> (f.bits - 1) & 1 ? std::ldexp(1.0, static_cast<int>(f.bits)) : 0;
    return static_cast<double>(raw) - sign;
  }
  uint64_t mantissa = raw & ((1ull << f.mantissa) - 1), exponent = raw >> f.mantissa & ((1ull << f.exponent) - 1);
  bool negative = f.isSigned && raw >> (f.bits - 1) & 1;
  bool subnormal = exponent == 0 && f.mantissa;
  double v = std::ldexp(static_cast<double>(mantissa), -static_cast<int>(f.mantissa)) + (subnormal ? 0 : 1);
  v = std::ldexp(v, (subnormal ? 1 : static_cast<int>(exponent)) - f.bias);
  return negative ? -v : v;
}

/// Random bits of a moderate value: every finite one of narrow formats, quarters of small integers of wide ones.
inline uint64_t randomBits(const ElementFormat &f, std::mt19937 &random) {
  if (f.exponent == 0)
    return random() & ((1ull << f.bits) - 1);
  if (f.bits == 6 || f.bits == 4)
    return random() & ((1u << f.bits) - 1);
  // Exponents around the bias, so that sums stay exact.
  uint64_t exponent = static_cast<uint64_t>(f.bias) - 2 + random() % 4;
  uint64_t mantissa = f.mantissa >= 2 ? (random() % 4) << (f.mantissa - 2) : 0;
  uint64_t sign = f.isSigned ? random() % 2 : 0;
  return sign << (f.bits - 1) | exponent << f.mantissa | mantissa;
}

} // namespace ptxemu::testing

#endif // PTX_EMULATOR_MATRIXFORMATS_H
