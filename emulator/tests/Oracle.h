//===- Oracle.h - Correctly rounded results by bisection --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_ORACLE_H
#define PTX_EMULATOR_ORACLE_H

#include <cstdint>
#include <functional>
#include <vector>

namespace ptxemu::testing {

/// A dyadic rational of any size: sums and products are exact.
class Exact {
public:
  Exact() = default;
  Exact(bool negative, unsigned __int128 magnitude, int exponent); ///< ±magnitude · 2^exponent
  static Exact of(double);                                         ///< must be finite
  static Exact integer(__int128);

  bool isZero() const { return limbs.empty(); }
  int sign() const { return isZero() ? 0 : negative ? -1 : 1; }
  Exact abs() const;
  Exact operator-() const;
  Exact operator+(const Exact &) const;
  Exact operator-(const Exact &o) const { return *this + -o; }
  Exact operator*(const Exact &) const;
  int compare(const Exact &o) const { return (*this - o).sign(); }
  Exact half() const;
  double approximate() const;

private:
  static int compareLimbs(const std::vector<uint32_t> &, const std::vector<uint32_t> &);
  std::vector<uint32_t> shifted(int bits) const;
  void trim();

  bool negative = false;
  std::vector<uint32_t> limbs; ///< little endian; empty for zero
  int exponent = 0;
};

enum class Round { Nearest, Zero, Down, Up, Away };
inline constexpr Round kDirections[] = {Round::Nearest, Round::Zero, Round::Down, Round::Up};
const char *suffix(Round); ///< ".rn" …

/// A binary format, from the IEEE and OCP tables rather than from the emulator's own.
struct Format {
  unsigned bits, mantissaBits;
  int bias;
  bool hasSign, hasInfinity;
  uint64_t maxFinite; ///< encoding of the largest finite magnitude
  uint64_t nan;       ///< the NaN PTX produces; 0 when the format has none

  uint64_t signBit() const { return hasSign ? 1ull << (bits - 1) : 0; }
  uint64_t infinity() const { return maxFinite + 1; }
  bool isNaN(uint64_t encoding) const;
  bool isInfinite(uint64_t encoding) const { return hasInfinity && (encoding & ~signBit()) == infinity(); }
  bool isFinite(uint64_t encoding) const { return (encoding & ~signBit()) <= maxFinite; }
  bool isSubnormal(uint64_t encoding) const;
  Exact value(uint64_t encoding) const; ///< of a finite encoding
  uint64_t flush(uint64_t encoding) const { return isSubnormal(encoding) ? encoding & signBit() : encoding; }
};
/// The matrix tests name their own formats alike: here they are in a namespace of their own.
inline namespace oracle {
extern const Format kF64, kF32, kF16, kBF16, kTF32, kE4M3, kE5M2, kE2M3, kE3M2, kE2M1;
}

/// The encoding nearest to a value in the given direction, where `against(x)` is the sign of |value| - x. The
/// representable magnitudes are ordered like their encodings, so that bisection needs nothing but comparisons.
uint64_t roundBy(const Format &, Round, bool negative, const std::function<int(const Exact &)> &against,
                 bool saturate = false);
/// The same for a value at hand; zero gets the sign `negativeZero`.
uint64_t roundExact(const Format &, Round, const Exact &, bool negativeZero = false, bool saturate = false);

enum class Operation { Add, Sub, Mul, Fma, Div, Sqrt };
/// a ∘ b (∘ c) with IEEE's rules for infinities, NaNs and the sign of zero; operands and result are encodings.
uint64_t ieee(const Format &, Operation, Round, uint64_t a, uint64_t b = 0, uint64_t c = 0);

} // namespace ptxemu::testing

#endif // PTX_EMULATOR_ORACLE_H
