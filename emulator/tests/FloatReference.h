//===- FloatReference.h - PTX's additions to IEEE arithmetic ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_FLOATREFERENCE_H
#define PTX_EMULATOR_FLOATREFERENCE_H

#include "FormTest.h"
#include "Oracle.h"
#include <string>

namespace ptxemu::testing {

struct Modifiers {
  bool ftz = false, sat = false, relu = false;
};

/// The encoding of 1.
inline uint64_t oneOf(const Format &f) {
  return static_cast<uint64_t>(f.bias) << f.mantissaBits;
}

/// .ftz, .sat and .relu of a result.
inline uint64_t finish(const Format &f, uint64_t v, Modifiers m) {
  if (m.ftz)
    v = f.flush(v);
  if (m.sat)
    v = f.isNaN(v) || v & f.signBit() ? 0 : v > oneOf(f) ? oneOf(f) : v;
  return m.relu && !f.isNaN(v) && v & f.signBit() ? 0 : v;
}

inline uint64_t arithmetic(const Format &f, Operation op, Round r, uint64_t a, uint64_t b, uint64_t c, Modifiers m) {
  if (m.ftz)
    a = f.flush(a), b = f.flush(b), c = f.flush(c);
  return finish(f, ieee(f, op, r, a, b, c), m);
}

/// Equal encodings. The payload of an f64 NaN, and of one that abs or neg of a half passes on, is unspecified.
inline std::string agree(const Format &f, uint64_t got, uint64_t expected) {
  if (got == expected || (f.isNaN(got) && f.isNaN(expected) && (f.bits == 64 || expected != f.nan)))
    return "";
  char text[40];
  std::snprintf(text, sizeof text, "expected 0x%llx", static_cast<unsigned long long>(expected));
  return text;
}

/// min and max of two or three operands.
struct Extremum {
  bool isMax = false, ftz = false, nan = false, xorSign = false, absolute = false;
};

inline uint64_t extremum(const Format &f, const Extremum &e, Values v) {
  uint64_t sign = 0, s = f.signBit();
  bool anyNaN = false, found = false;
  uint64_t best = f.nan;
  // Encodings of one sign are ordered; -0 is below +0.
  auto key = [&](uint64_t x) { return x & s ? -1 - static_cast<__int128>(x & ~s) : static_cast<__int128>(x); };
  for (uint64_t x : v) {
    if (e.ftz)
      x = f.flush(x);
    sign ^= x & s;
    if (e.xorSign || e.absolute)
      x &= ~s;
    if (f.isNaN(x)) {
      anyNaN = true;
      continue;
    }
    if (!found || (e.isMax ? key(x) > key(best) : key(x) < key(best)))
      best = x;
    found = true;
  }
  if (!found || (anyNaN && e.nan))
    return f.nan;
  return e.xorSign ? best | sign : best;
}

} // namespace ptxemu::testing

#endif // PTX_EMULATOR_FLOATREFERENCE_H
