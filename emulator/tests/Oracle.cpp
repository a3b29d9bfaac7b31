//===- Oracle.cpp - Correctly rounded results by bisection ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace ptxemu::testing {

//===----------------------------------------------------------------------===//
// Exact
//===----------------------------------------------------------------------===//

Exact::Exact(bool negative, unsigned __int128 magnitude, int exponent) : negative(negative), exponent(exponent) {
  for (; magnitude; magnitude >>= 32)
    limbs.push_back(static_cast<uint32_t>(magnitude));
}

Exact Exact::of(double v) {
  int exponent;
  double fraction = std::frexp(std::fabs(v), &exponent);
  return {std::signbit(v), static_cast<uint64_t>(std::ldexp(fraction, 53)), exponent - 53};
}

Exact Exact::integer(__int128 v) {
  return {v < 0, v < 0 ? -static_cast<unsigned __int128>(v) : static_cast<unsigned __int128>(v), 0};
}

void Exact::trim() {
  while (!limbs.empty() && limbs.back() == 0)
    limbs.pop_back();
}

Exact Exact::abs() const {
  Exact r = *this;
  r.negative = false;
  return r;
}

Exact Exact::operator-() const {
  Exact r = *this;
  r.negative = !negative;
  return r;
}

Exact Exact::half() const {
  Exact r = *this;
  --r.exponent;
  return r;
}

std::vector<uint32_t> Exact::shifted(int bits) const {
  std::vector<uint32_t> r(static_cast<size_t>(bits / 32), 0);
  uint32_t carry = 0;
  for (uint32_t limb : limbs) {
    uint64_t wide = static_cast<uint64_t>(limb) << (bits % 32);
    r.push_back(static_cast<uint32_t>(wide) | carry);
    carry = static_cast<uint32_t>(wide >> 32);
  }
  if (carry)
    r.push_back(carry);
  return r;
}

int Exact::compareLimbs(const std::vector<uint32_t> &a, const std::vector<uint32_t> &b) {
  if (a.size() != b.size())
    return a.size() < b.size() ? -1 : 1;
  for (size_t i = a.size(); i-- > 0;)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

Exact Exact::operator+(const Exact &o) const {
  if (isZero())
    return o;
  if (o.isZero())
    return *this;
  Exact r;
  r.exponent = std::min(exponent, o.exponent);
  std::vector<uint32_t> a = shifted(exponent - r.exponent), b = o.shifted(o.exponent - r.exponent);
  r.negative = negative;
  bool subtract = negative != o.negative;
  if (compareLimbs(a, b) < 0) {
    std::swap(a, b);
    r.negative = o.negative;
  }
  b.resize(a.size());
  int64_t carry = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    carry += static_cast<int64_t>(a[i]) + (subtract ? -static_cast<int64_t>(b[i]) : static_cast<int64_t>(b[i]));
    r.limbs.push_back(static_cast<uint32_t>(carry));
    carry >>= 32;
  }
  if (carry)
    r.limbs.push_back(static_cast<uint32_t>(carry));
  r.trim();
  return r;
}

Exact Exact::operator*(const Exact &o) const {
  Exact r;
  r.negative = negative != o.negative;
  r.exponent = exponent + o.exponent;
  r.limbs.resize(limbs.size() + o.limbs.size());
  for (size_t i = 0; i < limbs.size(); ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < o.limbs.size(); ++j) {
      carry += static_cast<uint64_t>(limbs[i]) * o.limbs[j] + r.limbs[i + j];
      r.limbs[i + j] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    r.limbs[i + o.limbs.size()] = static_cast<uint32_t>(carry);
  }
  r.trim();
  return r;
}

double Exact::approximate() const {
  double v = 0;
  for (size_t i = limbs.size(); i-- > 0 && i + 3 > limbs.size();)
    v += std::ldexp(static_cast<double>(limbs[i]), static_cast<int>(32 * i) + exponent);
  return negative ? -v : v;
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

inline namespace oracle {
//                   bits man bias  sign  inf    max finite          NaN
const Format kF64 = {64, 52, 1023, true, true, 0x7fefffffffffffff, 0x7fffffffffffffff};
const Format kF32 = {32, 23, 127, true, true, 0x7f7fffff, 0x7fffffff};
const Format kF16 = {16, 10, 15, true, true, 0x7bff, 0x7fff};
const Format kBF16 = {16, 7, 127, true, true, 0x7f7f, 0x7fff};
const Format kTF32 = {19, 10, 127, true, true, 0x3fbff, 0x3ffff};
const Format kE4M3 = {8, 3, 7, true, false, 0x7e, 0x7f};
const Format kE5M2 = {8, 2, 15, true, true, 0x7b, 0x7f};
const Format kE2M3 = {6, 3, 1, true, false, 0x1f, 0};
const Format kE3M2 = {6, 2, 3, true, false, 0x1f, 0};
const Format kE2M1 = {4, 1, 1, true, false, 0x7, 0};
} // namespace oracle

bool Format::isNaN(uint64_t e) const {
  return (e & ~signBit()) > (hasInfinity ? infinity() : maxFinite);
}

bool Format::isSubnormal(uint64_t e) const {
  uint64_t magnitude = e & ~signBit();
  return magnitude && magnitude >> mantissaBits == 0;
}

Exact Format::value(uint64_t e) const {
  uint64_t magnitude = e & ~signBit(), mantissa = magnitude & ((1ull << mantissaBits) - 1),
           exponent = magnitude >> mantissaBits;
  if (exponent)
    mantissa |= 1ull << mantissaBits;
  return {(e & signBit()) != 0, mantissa,
          static_cast<int>(std::max<uint64_t>(exponent, 1)) - bias - static_cast<int>(mantissaBits)};
}

const char *suffix(Round r) {
  constexpr const char *names[] = {".rn", ".rz", ".rm", ".rp", ".rna"};
  return names[static_cast<int>(r)];
}

namespace {

/// The magnitude past the largest finite one, were the exponent range to go on.
Exact beyond(const Format &f) {
  Exact last = f.value(f.maxFinite);
  return last + (last - f.value(f.maxFinite - 1));
}

/// Between two neighbours, `low` not above the value: which one?
bool takesUpper(Round r, bool negative, const Exact &low, const Exact &high, bool lowIsEven,
                const std::function<int(const Exact &)> &against) {
  if (against(low) == 0)
    return false;
  if (r == Round::Zero)
    return false;
  if (r == Round::Down || r == Round::Up)
    return negative == (r == Round::Down);
  int c = against((low + high).half());
  return c > 0 || (c == 0 && (r == Round::Away || !lowIsEven));
}

} // namespace

uint64_t roundBy(const Format &f, Round r, bool negative, const std::function<int(const Exact &)> &against,
                 bool saturate) {
  uint64_t sign = negative ? f.signBit() : 0, low = 0, high = f.maxFinite;
  if (against(f.value(high)) >= 0) {
    bool overflows = takesUpper(r, negative, f.value(high), beyond(f), high % 2 == 0, against);
    if (!overflows || saturate || (!f.hasInfinity && !f.nan))
      return sign | high;
    return f.hasInfinity ? sign | f.infinity() : f.nan | sign;
  }
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    (against(f.value(middle)) >= 0 ? low : high) = middle;
  }
  return sign | (takesUpper(r, negative, f.value(low), f.value(high), low % 2 == 0, against) ? high : low);
}

uint64_t roundExact(const Format &f, Round r, const Exact &v, bool negativeZero, bool saturate) {
  if (v.isZero())
    return negativeZero ? f.signBit() : 0;
  Exact magnitude = v.abs();
  return roundBy(
      f, r, v.sign() < 0, [&](const Exact &x) { return magnitude.compare(x); }, saturate);
}

namespace {

/// What IEEE says when an operand is not finite, or division and root leave the reals; false when it is arithmetic.
bool special(const Format &f, Operation op, uint64_t a, uint64_t b, uint64_t c, uint64_t *result) {
  uint64_t s = f.signBit(), inf = f.infinity(), product = (a ^ b) & s;
  bool unary = op == Operation::Sqrt, ternary = op == Operation::Fma;
  auto isZero = [&](uint64_t v) { return (v & ~s) == 0; };
  auto give = [&](uint64_t v) {
    *result = v;
    return true;
  };
  if (f.isNaN(a) || (!unary && f.isNaN(b)) || (ternary && f.isNaN(c)))
    return give(f.nan);
  switch (op) {
  case Operation::Sub:
    return special(f, Operation::Add, a, b ^ s, 0, result);
  case Operation::Add:
    if (f.isInfinite(a))
      return give(f.isInfinite(b) && a != b ? f.nan : a);
    return f.isInfinite(b) && give(b);
  case Operation::Mul:
  case Operation::Fma:
    if (f.isInfinite(a) || f.isInfinite(b)) {
      if (isZero(a) || isZero(b))
        return give(f.nan);
      return give(ternary && f.isInfinite(c) && (c & s) != product ? f.nan : inf | product);
    }
    return ternary && f.isInfinite(c) && give(c);
  case Operation::Div:
    if (f.isInfinite(a) || isZero(b))
      return give(f.isInfinite(a) == f.isInfinite(b) && (f.isInfinite(a) || isZero(a)) ? f.nan : inf | product);
    return (f.isInfinite(b) || isZero(a)) && give(product);
  case Operation::Sqrt:
    if (isZero(a))
      return give(a);
    return ((a & s) || f.isInfinite(a)) && give(a & s ? f.nan : a);
  }
  return false;
}

} // namespace

uint64_t ieee(const Format &f, Operation op, Round r, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t result = 0, s = f.signBit();
  if (special(f, op, a, b, c, &result))
    return result;
  Exact x = f.value(a);
  if (op == Operation::Sqrt)
    return roundBy(f, r, false, [&](const Exact &v) { return x.compare(v * v); });
  Exact y = f.value(b);
  if (op == Operation::Div) {
    Exact p = x.abs(), q = y.abs();
    return roundBy(f, r, ((a ^ b) & s) != 0, [&](const Exact &v) { return p.compare(v * q); });
  }
  if (op == Operation::Mul)
    return roundExact(f, r, x * y, ((a ^ b) & s) != 0);
  // A sum that is exactly zero is negative when both terms are, or when rounding down a cancellation.
  uint64_t left = op == Operation::Fma ? a ^ b : a, right = op == Operation::Fma ? c : op == Operation::Sub ? b ^ s : b;
  Exact sum = op == Operation::Fma ? x * y + f.value(c) : op == Operation::Sub ? x - y : x + y;
  bool negativeZero = (left & right & s) || (r == Round::Down && ((left | right) & s));
  return roundExact(f, r, sum, negativeZero);
}

} // namespace ptxemu::testing
