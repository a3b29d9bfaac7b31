//===- FloatOps.cpp - Single and double precision arithmetic -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "FloatMath.h"
#include "Lanewise.h"

namespace ptxemu {

namespace {

enum Operation : uint8_t { kAdd, kSub, kMul, kFma };

//===--- f32 --------------------------------------------------------------===//

// Rounding to nearest is what the host does.
template <bool Ftz>
float in(float v) {
  return Ftz ? flush(v) : v;
}
template <bool Ftz>
float out(float v) {
  return canonical(Ftz ? flush(v) : v);
}
template <bool Ftz>
struct AddF {
  float operator()(float a, float b) const { return out<Ftz>(in<Ftz>(a) + in<Ftz>(b)); }
};
template <bool Ftz>
struct SubF {
  float operator()(float a, float b) const { return out<Ftz>(in<Ftz>(a) - in<Ftz>(b)); }
};
template <bool Ftz>
struct MulF {
  float operator()(float a, float b) const { return out<Ftz>(in<Ftz>(a) * in<Ftz>(b)); }
};
template <bool Ftz>
struct FmaF {
  float operator()(float a, float b, float c) const { return out<Ftz>(std::fma(in<Ftz>(a), in<Ftz>(b), in<Ftz>(c))); }
};

/// Any rounding, ftz and saturation; the exact result is formed in double, rounded to odd.
void f32General(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1), &c = inst.s.size() > 2 ? x.s(2) : b;
  Lanes &d = x.d();
  const FloatFormat &format = formatOf(Type::F32);
  x.forLanes([&](unsigned l) {
    float p = fromRaw<float>(a[l]), q = fromRaw<float>(b[l]), r = fromRaw<float>(c[l]);
    if (inst.ftz)
      p = flush(p), q = flush(q), r = flush(r);
    double v;
    switch (inst.mode) {
    case kAdd:
      v = signedZero(addToOdd(p, q), p, q, inst.rounding);
      break;
    case kSub:
      v = signedZero(addToOdd(p, -static_cast<double>(q)), p, -q, inst.rounding);
      break;
    case kMul:
      v = static_cast<double>(p) * q;
      break;
    default:
      v = signedZero(fmaToOdd(p, q, r), static_cast<double>(p) * q, r, inst.rounding);
      break;
    }
    float result = std::bit_cast<float>(encodeFloat(v, format, inst.rounding));
    if (inst.ftz)
      result = flush(result);
    d[l] = toRaw(inst.sat ? saturate(result) : result);
  });
}

Handler f32Handler(const Inst &inst) {
  if (inst.rounding != Rounding::NearestEven || inst.sat)
    return f32General;
  bool ftz = inst.ftz;
  switch (inst.mode) {
  case kAdd:
    return ftz ? binary<float, AddF<true>> : binary<float, AddF<false>>;
  case kSub:
    return ftz ? binary<float, SubF<true>> : binary<float, SubF<false>>;
  case kMul:
    return ftz ? binary<float, MulF<true>> : binary<float, MulF<false>>;
  default:
    return ftz ? ternary<float, FmaF<true>> : ternary<float, FmaF<false>>;
  }
}

//===--- f64 --------------------------------------------------------------===//

struct AddD {
  double operator()(double a, double b) const { return a + b; }
};
struct SubD {
  double operator()(double a, double b) const { return a - b; }
};
struct MulD {
  double operator()(double a, double b) const { return a * b; }
};
struct FmaD {
  double operator()(double a, double b, double c) const { return std::fma(a, b, c); }
};

void f64General(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1), &c = inst.s.size() > 2 ? x.s(2) : b;
  Lanes &d = x.d();
  HostRounding scope(inst.rounding);
  x.forLanes([&](unsigned l) {
    // volatile: the operation must happen under the host rounding set above.
    volatile double p = fromRaw<double>(a[l]), q = fromRaw<double>(b[l]), r = fromRaw<double>(c[l]);
    volatile double v = inst.mode == kAdd   ? p + q
                        : inst.mode == kSub ? p - q
                        : inst.mode == kMul ? p * q
                                            : std::fma(p, q, r);
    d[l] = toRaw<double>(v);
  });
}

Handler f64Handler(const Inst &inst) {
  if (inst.rounding != Rounding::NearestEven)
    return f64General;
  switch (inst.mode) {
  case kAdd:
    return binary<double, AddD>;
  case kSub:
    return binary<double, SubD>;
  case kMul:
    return binary<double, MulD>;
  default:
    return ternary<double, FmaD>;
  }
}

//===--- min, max, abs, neg -----------------------------------------------===//

/// mode 0 min, 1 max; flag .NaN; flag2 .abs; mode2 .xorsign; an optional third operand.
template <class T>
void minMax(Exec &x, const Inst &inst) {
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) {
    auto read = [&](unsigned i) {
      T v = fromRaw<T>(x.s(i)[l]);
      if constexpr (std::is_same_v<T, float>)
        if (inst.ftz)
          v = flush(v);
      return v;
    };
    T v = read(0);
    bool sign = std::signbit(v);
    if (inst.flag2)
      v = std::fabs(v);
    for (unsigned i = 1; i < inst.s.size(); ++i) {
      T o = read(i);
      sign ^= std::signbit(o);
      if (inst.flag2)
        o = std::fabs(o);
      v = inst.mode ? maximum(v, o, inst.flag) : minimum(v, o, inst.flag);
    }
    if (v != v) {
      if constexpr (std::is_same_v<T, float>)
        v = canonical(v);
    } else if (inst.mode2) {
      v = sign ? -v : v;
    }
    d[l] = toRaw(v);
  });
}

/// mode 0 abs, 1 neg: on the bits, so that f64 NaNs keep their payload; not those of f32.
template <class T>
void absNeg(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0);
  Lanes &d = x.d();
  eachLane(x.mask, [&](unsigned l) {
    T v = fromRaw<T>(a[l]);
    if constexpr (std::is_same_v<T, float>)
      v = canonical(inst.ftz ? flush(v) : v);
    uint64_t sign = 1ull << (sizeof(T) * 8 - 1), raw = toRaw(v);
    d[l] = std::is_same_v<T, float> && v != v ? raw : inst.mode ? raw ^ sign : raw & ~sign;
  });
}

void decodeArithmetic(OpReader &r, Type t, Operation op) {
  r.inst.mode = op;
  auto rounding = r.acceptRounding();
  if (rounding == Rounding::NearestAway)
    r.fail("unknown rounding");
  if (!rounding && (op == kFma || t == Type::F64) && op == kFma)
    r.fail("needs a rounding modifier");
  r.inst.rounding = rounding.value_or(Rounding::NearestEven);
  if (t == Type::F32) {
    r.inst.ftz = r.accept(".ftz");
    r.inst.sat = r.accept(".sat");
  }
  unsigned sources = op == kFma ? 3 : 2;
  r.expectCount(sources + 1, sources + 1);
  r.inst.opClass = OpClass::Float;
  r.addDestination(0, t);
  for (unsigned i = 1; i <= sources; ++i)
    r.addSource(i, t);
  r.inst.handler = t == Type::F32 ? f32Handler(r.inst) : f64Handler(r.inst);
}

void decodeMinMax(OpReader &r, Type t, bool isMax) {
  r.inst.mode = isMax;
  if (t == Type::F32) {
    r.inst.ftz = r.accept(".ftz");
    r.inst.flag = r.accept(".NaN");
    r.inst.mode2 = r.accept(".xorsign");
    r.inst.flag2 = r.accept(".abs");
    // Of two operands the sign is that of their product; of three there is no such form.
    if (r.inst.flag2 != (r.inst.mode2 || (r.inst.flag2 && r.count() == 4)) || (r.inst.mode2 && r.count() == 4))
      r.fail(".xorsign.abs applies to two operands, .abs to three");
  }
  r.expectCount(3, t == Type::F32 ? 4 : 3);
  r.inst.opClass = OpClass::Float;
  r.addDestination(0, t);
  for (size_t i = 1; i < r.count(); ++i)
    r.addSource(i, t);
  r.inst.handler = t == Type::F32 ? minMax<float> : minMax<double>;
}

void decodeAbsNeg(OpReader &r, Type t, bool isNeg) {
  r.inst.mode = isNeg;
  if (t == Type::F32)
    r.inst.ftz = r.accept(".ftz");
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Float;
  r.addDestination(0, t);
  r.addSource(1, t);
  r.inst.handler = t == Type::F32 ? absNeg<float> : absNeg<double>;
  r.inst.machineInstructions = 0;
}

} // namespace

void decodeDivision(OpReader &, Type); // FloatFunctions.cpp

bool decodeFloatArithmetic(OpReader &r, Type t) {
  if (t != Type::F32 && t != Type::F64)
    return false;
  const std::string &op = r.ast.opcode;
  // add.f32.f16 and the like are the packed family's.
  for (const std::string &m : r.rest())
    if (parseType(m))
      return false;
  if (op == "add")
    decodeArithmetic(r, t, kAdd);
  else if (op == "sub")
    decodeArithmetic(r, t, kSub);
  else if (op == "mul")
    decodeArithmetic(r, t, kMul);
  else if (op == "fma" || op == "mad")
    decodeArithmetic(r, t, kFma);
  else if (op == "min" || op == "max")
    decodeMinMax(r, t, op == "max");
  else if (op == "abs" || op == "neg")
    decodeAbsNeg(r, t, op == "neg");
  else if (op == "div")
    decodeDivision(r, t);
  else
    return false;
  return true;
}

void addFloatFunctions(OpcodeTable &);

void addFloatOps(OpcodeTable &t) {
  t["fma"] = [](OpReader &r) {
    auto type = r.acceptType();
    if (!type || (!decodeFloatArithmetic(r, *type) && !decodePackedArithmetic(r, *type)))
      r.fail("needs a floating-point type");
  };
  addFloatFunctions(t);
}

} // namespace ptxemu
