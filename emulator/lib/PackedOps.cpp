//===- PackedOps.cpp - f16, bf16 and their packed forms, f32x2 -----------===//
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

enum Operation : uint8_t { kAdd, kSub, kMul, kFma, kMin, kMax, kAbs, kNeg, kExp2, kTanh };

double flushTo(double v, const FloatFormat &f) {
  return std::fabs(v) < std::ldexp(1.0, 1 - f.bias) ? std::copysign(0.0, v) : v;
}

/// What out-of-bounds elements of a tensor copy are filled with: .oob makes their products vanish.
constexpr uint32_t kOutOfBoundsNaN = 0x7fff;

/// One element of an operation, all in exact doubles until the final rounding.
uint32_t compute(const Inst &inst, const FloatFormat &f, uint32_t ra, uint32_t rb, uint32_t rc) {
  uint32_t signBit = 1u << (f.bits - 1);
  if (inst.mode == kNeg || inst.mode == kAbs) {
    uint32_t v = ra;
    if (inst.ftz && (v & ~signBit) >> f.mantissaBits == 0)
      v &= signBit;
    return inst.mode == kNeg ? v ^ signBit : v & ~signBit;
  }
  if (inst.mode == kFma && inst.flag && (ra == kOutOfBoundsNaN || rb == kOutOfBoundsNaN))
    return 0;
  double a = decodeFloat(ra, f), b = decodeFloat(rb, f), c = decodeFloat(rc, f);
  if (inst.ftz)
    a = flushTo(a, f), b = flushTo(b, f), c = flushTo(c, f);
  double v = 0;
  switch (inst.mode) {
  case kAdd:
    v = signedZero(addToOdd(a, b), a, b, inst.rounding);
    break;
  case kSub:
    v = signedZero(addToOdd(a, -b), a, -b, inst.rounding);
    break;
  case kMul:
    v = a * b;
    break;
  case kFma:
    v = signedZero(fmaToOdd(a, b, c), a * b, c, inst.rounding);
    break;
  case kExp2:
    v = std::exp2(a);
    break;
  case kTanh:
    v = std::tanh(a);
    break;
  case kMin:
  case kMax: {
    bool sign = std::signbit(a) != std::signbit(b);
    if (inst.flag2)
      a = std::fabs(a), b = std::fabs(b);
    v = inst.mode == kMin ? minimum(a, b, inst.flag) : maximum(a, b, inst.flag);
    if (inst.flag2 && v == v && sign)
      v = -v;
    break;
  }
  }
  uint32_t result = encodeFloat(v, f, inst.rounding);
  if (inst.ftz)
    result = encodeFloat(flushTo(decodeFloat(result, f), f), f);
  if (inst.sat)
    result = encodeFloat(saturate(decodeFloat(result, f)), f);
  if (inst.relu && result & signBit && v == v)
    result = 0;
  return result;
}

/// Elements of `Bits` bits packed in a register.
template <unsigned Bits, unsigned Count>
void packed(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = inst.s.size() > 1 ? x.s(1) : a, &c = inst.s.size() > 2 ? x.s(2) : a;
  Lanes &d = x.d();
  const FloatFormat &f = *static_cast<const FloatFormat *>(inst.extra.get());
  constexpr uint64_t mask = (1ull << Bits) - 1;
  x.forLanes([&](unsigned l) {
    uint64_t result = 0;
    for (unsigned e = 0; e < Count; ++e) {
      auto part = [&](uint64_t v) { return static_cast<uint32_t>(v >> (Bits * e) & mask); };
      result |= static_cast<uint64_t>(compute(inst, f, part(a[l]), part(b[l]), part(c[l]))) << (Bits * e);
    }
    d[l] = result;
  });
}

/// add/sub/fma.f32 with f16 or bf16 operands: type2 is theirs.
void mixedPrecision(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1), &c = inst.s.size() > 2 ? x.s(2) : b;
  Lanes &d = x.d();
  const FloatFormat &narrow = formatOf(inst.type2), &wide = formatOf(Type::F32);
  x.forLanes([&](unsigned l) {
    double p = decodeFloat(static_cast<uint16_t>(a[l]), narrow), r = fromRaw<float>(inst.mode == kFma ? c[l] : b[l]);
    if (inst.mode == kFma)
      p *= decodeFloat(static_cast<uint16_t>(b[l]), narrow); // exact
    else if (inst.mode == kSub)
      r = -r;
    double v = signedZero(addToOdd(p, r), p, r, inst.rounding);
    float result = std::bit_cast<float>(encodeFloat(v, wide, inst.rounding));
    d[l] = toRaw(inst.sat ? saturate(result) : result);
  });
}

int operationOf(const std::string &opcode) {
  constexpr std::string_view names[] = {"add", "sub", "mul", "fma", "min", "max", "abs", "neg", "ex2", "tanh"};
  for (unsigned i = 0; i < std::size(names); ++i)
    if (names[i] == opcode)
      return static_cast<int>(i);
  return -1;
}

bool decodeMixed(OpReader &r, int op) {
  auto narrow = r.acceptType();
  if (!narrow || (*narrow != Type::F16 && *narrow != Type::BF16) || (op != kAdd && op != kSub && op != kFma))
    return false;
  r.inst.type2 = *narrow;
  r.inst.mode = static_cast<uint8_t>(op);
  r.inst.rounding = r.acceptRounding().value_or(Rounding::NearestEven);
  r.inst.sat = r.accept(".sat");
  r.expectCount(op == kFma ? 4 : 3, op == kFma ? 4 : 3);
  r.inst.opClass = OpClass::Float;
  r.addDestination(0, Type::F32);
  r.addSource(1, *narrow);
  r.addSource(2, op == kFma ? *narrow : Type::F32);
  if (op == kFma)
    r.addSource(3, Type::F32);
  r.inst.handler = mixedPrecision;
  return true;
}

} // namespace

bool decodePackedArithmetic(OpReader &r, Type t) {
  int op = operationOf(r.ast.opcode);
  if (op < 0)
    return false;
  if (t == Type::F32)
    return decodeMixed(r, op);
  bool isHalf = t == Type::F16 || t == Type::F16x2, isBrain = t == Type::BF16 || t == Type::BF16x2,
       isF32x2 = t == Type::F32x2;
  if (!isHalf && !isBrain && !(isF32x2 && op <= kFma))
    return false;
  r.inst.mode = static_cast<uint8_t>(op);
  if (op <= kFma) {
    auto rounding = r.acceptRounding();
    if (rounding && !isF32x2 && *rounding != Rounding::NearestEven)
      r.fail("only .rn applies");
    if (!rounding && op == kFma)
      r.fail("needs a rounding modifier");
    r.inst.rounding = rounding.value_or(Rounding::NearestEven);
    if (op == kFma && !isF32x2) {
      r.inst.flag = r.accept(".oob");
      r.inst.relu = r.accept(".relu");
    }
    if (isHalf && !r.inst.flag && !r.inst.relu)
      r.inst.sat = r.accept(".sat");
  } else if (op == kMin || op == kMax) {
    r.inst.flag = r.accept(".NaN");
    r.inst.flag2 = r.accept(".xorsign");
    if (r.inst.flag2 != r.accept(".abs"))
      r.fail(".xorsign and .abs go together");
  }
  bool takesFtz = isF32x2 || (isHalf && op != kTanh && op != kExp2 && !(op == kFma && r.inst.flag));
  if (takesFtz)
    r.inst.ftz = r.accept(".ftz") || r.inst.ftz;
  if ((op == kExp2 || op == kTanh) && r.inst.ftz != (op == kExp2 && isBrain))
    r.fail(r.inst.ftz ? ".ftz does not apply" : "needs .ftz");
  // Of the bf16 forms ex2.approx.ftz.bf16 alone names .ftz; decodeApproximate has taken it.
  unsigned sources = op == kFma ? 3 : op >= kAbs ? 1 : 2;
  r.expectCount(sources + 1, sources + 1);
  r.inst.opClass = OpClass::Float;
  r.addDestination(0, t);
  for (unsigned i = 1; i <= sources; ++i)
    r.addSource(i, t);
  const FloatFormat &f = isF32x2 ? formatOf(Type::F32) : formatOf(t);
  r.inst.extra = std::shared_ptr<const void>(&f, [](const void *) {});
  r.inst.handler = isF32x2 ? packed<32, 2> : bitWidth(t) == 16 ? packed<16, 1> : packed<16, 2>;
  return true;
}

} // namespace ptxemu
