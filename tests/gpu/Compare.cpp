//===- Compare.cpp - Elementwise comparison of buffers --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>

using namespace gpu;

namespace {

double fromHalf(uint64_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                     : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                    : std::ldexp(fraction, -24);
  return bits >> 15 ? -magnitude : magnitude;
}

template <class To, class From>
To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

struct Type {
  size_t bytes;
  char kind; ///< 'f', 'b' (bf16), 'i', 'u'

  explicit Type(const std::string &name) {
    kind = name[0];
    int bits = std::atoi(name.c_str() + (kind == 'b' ? 2 : 1));
    bool known = kind == 'f'   ? bits == 16 || bits == 32 || bits == 64
                 : kind == 'b' ? name == "bf16"
                               : (kind == 'i' || kind == 'u') && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
    if (!known)
      throw std::runtime_error("compare.txt: unknown element type '" + name + "'");
    bytes = static_cast<size_t>(bits) / 8;
  }

  bool isFloat() const { return kind == 'f' || kind == 'b'; }

  double value(uint64_t bits) const {
    if (kind == 'b')
      return bitsAs<float>(static_cast<uint32_t>(bits << 16));
    if (bytes == 2)
      return fromHalf(bits);
    return bytes == 4 ? bitsAs<float>(static_cast<uint32_t>(bits)) : bitsAs<double>(bits);
  }

  std::string text(uint64_t bits) const {
    char buffer[64];
    unsigned unused = 64 - 8 * static_cast<unsigned>(bytes);
    if (isFloat())
      std::snprintf(buffer, sizeof buffer, "%.*g(0x%0*llx)", bytes == 8 ? 17 : 9, value(bits),
                    static_cast<int>(2 * bytes), static_cast<unsigned long long>(bits));
    else if (kind == 'i')
      std::snprintf(buffer, sizeof buffer, "%lld", static_cast<long long>(bits << unused) >> unused);
    else
      std::snprintf(buffer, sizeof buffer, "%llu", static_cast<unsigned long long>(bits));
    return buffer;
  }
};

bool close(const Type &type, uint64_t got, uint64_t wanted, const Tolerance &tolerance) {
  if (!type.isFloat())
    return false;
  double a = type.value(got), b = type.value(wanted);
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  if (tolerance.relative == 0 && tolerance.absolute == 0)
    return false;
  // Infinities agree with themselves only, as the difference to them is infinite or NaN.
  return a == b || (std::isfinite(b) && std::fabs(a - b) <= tolerance.absolute + tolerance.relative * std::fabs(b));
}

} // namespace

Difference gpu::compare(const std::vector<char> &got, const std::vector<char> &wanted, const Tolerance &tolerance) {
  Type type(tolerance.type);
  if (got.size() != wanted.size() || got.size() % type.bytes)
    throw std::runtime_error("a buffer of " + std::to_string(got.size()) + " bytes cannot be compared with " +
                             std::to_string(wanted.size()) + " bytes as elements of " + tolerance.type);
  Difference difference;
  difference.elements = got.size() / type.bytes;
  for (size_t i = 0; i < difference.elements; ++i) {
    uint64_t a = 0, b = 0;
    std::memcpy(&a, got.data() + i * type.bytes, type.bytes);
    std::memcpy(&b, wanted.data() + i * type.bytes, type.bytes);
    difference.otherBits += a != b;
    if (a == b || close(type, a, b, tolerance) || difference.wrong++)
      continue;
    difference.first = i;
    difference.got = type.text(a);
    difference.wanted = type.text(b);
  }
  return difference;
}
