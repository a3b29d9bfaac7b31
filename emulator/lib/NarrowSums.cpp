//===- NarrowSums.cpp - How tensor cores add products of 8-bit floats ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NarrowSums.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace ptxemu {

namespace {

constexpr int kFractionBits = 13;
constexpr int kNone = -4096; ///< the exponent of zero; with that of another number it is still far below all others

bool isByteFloat(Type t) {
  return t == Type::E4M3 || t == Type::E5M2;
}

int exponentOf(double v, Type t) {
  return v == 0 || !std::isfinite(v) ? kNone : std::max(std::ilogb(v), t == Type::E4M3 ? -6 : -14);
}

/// Of a sum in units of 2^(top - kFractionBits).
double cutOff(int32_t units, int top) {
  const auto magnitude = static_cast<uint32_t>(std::abs(units));
  const int excess = std::max(static_cast<int>(std::bit_width(magnitude)) - (kFractionBits + 1), 0);
  const double kept = std::ldexp(magnitude >> excess << excess, top - kFractionBits);
  return units < 0 ? -kept : kept;
}

/// A row of sums. `exponentsB` has those of b.
class RowOfSums {
public:
  RowOfSums(const double *sums, unsigned columns) : columns(columns) {
    for (unsigned n = 0; n < columns; ++n)
      top[n] = sums[n] == 0 || !std::isfinite(sums[n]) ? kNone : std::ilogb(sums[n]);
  }

  void raise(int exponent, const int *exponentsB) {
    for (unsigned n = 0; n < columns; ++n)
      top[n] = std::max(top[n], exponent + exponentsB[n]);
  }

  /// Once all exponents are known.
  void start(const double *sums) {
    for (unsigned n = 0; n < columns; ++n) {
      scale[n] = top[n] < kNone / 2 ? 0 : std::ldexp(1.0, kFractionBits - top[n]);
      units[n] = std::isfinite(sums[n]) ? static_cast<int32_t>(sums[n] * scale[n]) : 0;
      exact[n] = sums[n];
    }
  }

  void add(double v, const double *b) {
    for (unsigned n = 0; n < columns; ++n) {
      const double product = v * b[n], scaled = product * scale[n];
      exact[n] += product; // infinities and NaNs are found here
      units[n] += std::isfinite(scaled) ? static_cast<int32_t>(scaled) : 0;
    }
  }

  void finish(double *sums) const {
    for (unsigned n = 0; n < columns; ++n)
      sums[n] = std::isfinite(exact[n]) ? cutOff(units[n], top[n]) : exact[n];
  }

private:
  unsigned columns;
  int top[256];
  double scale[256], exact[256];
  int32_t units[256];
};

} // namespace

bool addsNarrow(Type d, Type a, Type b) {
  return d == Type::F32 && isByteFloat(a) && isByteFloat(b);
}

void addNarrow(Type typeA, Type typeB, const MatrixRow *a, const MatrixRow *b, unsigned depth, unsigned columns,
               MatrixRow *sums) {
  static thread_local int exponentsB[256][256];
  for (unsigned k = 0; k < depth; ++k)
    for (unsigned n = 0; n < columns; ++n)
      exponentsB[k][n] = exponentOf(b[k][n], typeB);
  for (unsigned row = 0; row < 16; ++row) {
    RowOfSums sum(sums[row], columns);
    for (unsigned k = 0; k < depth; ++k)
      sum.raise(exponentOf(a[row][k], typeA), exponentsB[k]);
    sum.start(sums[row]);
    for (unsigned k = 0; k < depth; ++k)
      sum.add(a[row][k], b[k]);
    sum.finish(sums[row]);
  }
}

} // namespace ptxemu
