//===- FloatFunctions.cpp - Division, roots and approximate functions ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "FloatMath.h"
#include "Lanewise.h"
#include <numbers>

namespace ptxemu {

namespace {

/// f32 results computed in double and rounded once: far inside the error the ISA allows for the approximate forms,
/// exact for the IEEE ones. `Op` maps doubles to a double rounded to odd.
template <class Op>
void f32Function(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = inst.s.size() > 1 ? x.s(1) : a;
  Lanes &d = x.d();
  const FloatFormat &format = formatOf(Type::F32);
  x.forLanes([&](unsigned l) {
    float p = fromRaw<float>(a[l]), q = fromRaw<float>(b[l]);
    if (inst.ftz)
      p = flush(p), q = flush(q);
    float v = canonical(std::bit_cast<float>(encodeFloat(Op()(p, q), format, inst.rounding)));
    d[l] = toRaw(inst.ftz ? flush(v) : v);
  });
}

struct Divide {
  double operator()(double a, double b) const { return divideToOdd(a, b); }
};
struct Reciprocal {
  double operator()(double a, double) const { return divideToOdd(1, a); }
};
struct Root {
  double operator()(double a, double) const { return sqrtToOdd(a); }
};
struct ReciprocalRoot {
  double operator()(double a, double) const { return 1 / std::sqrt(a); }
};
struct Sine {
  double operator()(double a, double) const { return std::sin(a); }
};
struct Cosine {
  double operator()(double a, double) const { return std::cos(a); }
};
struct Log2 {
  double operator()(double a, double) const { return std::log2(a); }
};
struct Exp2 {
  double operator()(double a, double) const { return std::exp2(a); }
};
struct Tanh {
  double operator()(double a, double) const { return std::tanh(a); }
};
/// div.approx multiplies by a reciprocal that vanishes for large divisors.
struct DivideApprox {
  double operator()(double a, double b) const {
    if (std::fabs(b) > 0x1p126 && std::isfinite(b) && a == a)
      return std::isinf(a) ? std::nan("") : std::copysign(0.0, std::signbit(a) != std::signbit(b) ? -1.0 : 1.0);
    return a / b;
  }
};

/// IEEE f64 division and roots in any rounding: mode 0 div, 1 rcp, 2 sqrt.
void f64Function(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = inst.s.size() > 1 ? x.s(1) : a;
  Lanes &d = x.d();
  HostRounding scope(inst.rounding);
  x.forLanes([&](unsigned l) {
    volatile double p = fromRaw<double>(a[l]), q = fromRaw<double>(b[l]), one = 1;
    volatile double v = inst.mode == 0 ? p / q : inst.mode == 1 ? one / p : std::sqrt(p);
    d[l] = toRaw<double>(v);
  });
}

/// rcp.approx.ftz.f64 and rsqrt.approx[.ftz].f64; the ftz forms give the upper 32 bits only. mode 1: rsqrt.
void f64Approximate(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0);
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) {
    double p = fromRaw<double>(a[l]);
    if (inst.ftz && std::fabs(p) < 0x1p-1022)
      p = std::copysign(0.0, p);
    double v = inst.mode ? 1 / std::sqrt(p) : 1 / p;
    if (inst.ftz) {
      if (std::fabs(v) < 0x1p-1022)
        v = std::copysign(0.0, v);
      v = v != v ? std::bit_cast<double>(0x7fffffff00000000ull) : std::bit_cast<double>(toRaw(v) & ~0xffffffffull);
    }
    d[l] = toRaw(v);
  });
}

void floatOperands(OpReader &r, Type t, unsigned sources) {
  r.expectCount(sources + 1, sources + 1);
  r.inst.opClass = OpClass::Float;
  r.addDestination(0, t);
  for (unsigned i = 1; i <= sources; ++i)
    r.addSource(i, t);
}

template <class Approximate, class Exact>
void decodeRoot(OpReader &r, unsigned mode) {
  bool approximate = r.accept(".approx");
  auto rounding = r.acceptRounding();
  r.inst.ftz = r.accept(".ftz");
  Type t = r.type({Type::F32, Type::F64});
  floatOperands(r, t, 1);
  if (approximate == rounding.has_value())
    r.fail("needs either .approx or a rounding");
  r.inst.rounding = rounding.value_or(Rounding::NearestEven);
  if (t == Type::F32) {
    r.inst.handler = approximate ? f32Function<Approximate> : f32Function<Exact>;
  } else if (rounding) {
    if (r.inst.ftz)
      r.fail(".ftz does not apply");
    r.inst.mode = static_cast<uint8_t>(mode);
    r.inst.handler = f64Function;
  } else if (mode == 1) {
    if (!r.inst.ftz)
      r.fail("needs .ftz");
    r.inst.mode = 0;
    r.inst.handler = f64Approximate;
  }
}

void decodeRsqrt(OpReader &r) {
  r.expectAny({".approx"}, ".approx");
  r.inst.ftz = r.accept(".ftz");
  Type t = r.type({Type::F32, Type::F64});
  floatOperands(r, t, 1);
  r.inst.mode = 1;
  r.inst.handler = t == Type::F32 ? f32Function<ReciprocalRoot> : f64Approximate;
}

template <class Op>
void decodeApproximate(OpReader &r) {
  r.expectAny({".approx"}, ".approx");
  r.inst.ftz = r.accept(".ftz");
  auto t = r.acceptType();
  if (!t)
    r.fail("needs a type");
  if (*t == Type::F32) {
    floatOperands(r, *t, 1);
    r.inst.handler = f32Function<Op>;
  } else if (!decodePackedArithmetic(r, *t)) {
    r.fail("has no " + std::string(typeName(*t)) + " form");
  }
}

/// copysign d, a, b: the sign of a on b.
template <class T>
void copySign(Exec &x, const Inst &) {
  const Lanes &a = x.s(0), &b = x.s(1);
  Lanes &d = x.d();
  constexpr uint64_t sign = 1ull << (sizeof(T) * 8 - 1);
  x.forLanes([&](unsigned l) { d[l] = (a[l] & sign) | (b[l] & (sign - 1)); });
}

/// mode: finite, infinite, number, notanumber, normal, subnormal
template <class T>
void testProperty(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0);
  uint32_t result = 0;
  x.forLanes([&](unsigned l) {
    T v = fromRaw<T>(a[l]);
    int c = std::fpclassify(v);
    bool holds = inst.mode == 0   ? std::isfinite(v)
                 : inst.mode == 1 ? c == FP_INFINITE
                 : inst.mode == 2 ? c != FP_NAN
                 : inst.mode == 3 ? c == FP_NAN
                 : inst.mode == 4 ? c == FP_NORMAL || c == FP_ZERO // as the ISA says
                                  : c == FP_SUBNORMAL;
    result |= static_cast<uint32_t>(holds) << l;
  });
  x.setPredicate(inst.pd[0], result);
}

} // namespace

void decodeDivision(OpReader &r, Type t) {
  bool approximate = r.accept(".approx"), full = r.accept(".full");
  auto rounding = r.acceptRounding();
  if (approximate + full + rounding.has_value() != 1)
    r.fail("needs one of .approx, .full and a rounding");
  r.inst.rounding = rounding.value_or(Rounding::NearestEven);
  // A reciprocal and products; rounded, Newton steps and a check for the slow path with them.
  r.inst.machineInstructions = approximate ? 2 : full ? 3 : 10;
  floatOperands(r, t, 2);
  if (t == Type::F32) {
    r.inst.ftz = r.accept(".ftz");
    r.inst.handler = approximate ? f32Function<DivideApprox> : f32Function<Divide>;
  } else if (rounding) {
    r.inst.handler = f64Function;
  }
}

void addFloatFunctions(OpcodeTable &t) {
  t["rcp"] = [](OpReader &r) { decodeRoot<Reciprocal, Reciprocal>(r, 1); };
  t["sqrt"] = [](OpReader &r) { decodeRoot<Root, Root>(r, 2); };
  t["rsqrt"] = decodeRsqrt;
  t["sin"] = decodeApproximate<Sine>;
  t["cos"] = decodeApproximate<Cosine>;
  t["lg2"] = decodeApproximate<Log2>;
  t["ex2"] = decodeApproximate<Exp2>;
  t["tanh"] = decodeApproximate<Tanh>;
  t["copysign"] = [](OpReader &r) {
    Type type = r.type({Type::F32, Type::F64});
    floatOperands(r, type, 2);
    r.inst.handler = type == Type::F32 ? copySign<float> : copySign<double>;
  };
  t["testp"] = [](OpReader &r) {
    constexpr std::string_view names[] = {".finite", ".infinite", ".number", ".notanumber", ".normal", ".subnormal"};
    r.inst.mode = 255;
    for (unsigned i = 0; i < 6; ++i)
      if (r.accept(names[i]))
        r.inst.mode = static_cast<uint8_t>(i);
    if (r.inst.mode == 255)
      r.fail("needs a property");
    Type type = r.type({Type::F32, Type::F64});
    r.expectCount(2, 2);
    r.inst.opClass = OpClass::Float;
    r.inst.pd.push_back(r.predicateDestination(r.operand(0)));
    r.addSource(1, type);
    r.inst.handler = type == Type::F32 ? testProperty<float> : testProperty<double>;
  };
}

} // namespace ptxemu
