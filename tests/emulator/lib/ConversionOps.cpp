//===- ConversionOps.cpp - cvt in all its forms --------------------------===//
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

//===--- Integer to integer -----------------------------------------------===//

int64_t signExtend(uint64_t v, unsigned bits) {
  return bits >= 64 ? static_cast<int64_t>(v) : static_cast<int64_t>(v << (64 - bits)) >> (64 - bits);
}
uint64_t zeroExtend(uint64_t v, unsigned bits) {
  return bits >= 64 ? v : v & ((1ull << bits) - 1);
}

/// The register's contents for a converted integer: extended to the register as the destination type says.
uint64_t place(const Inst &inst, uint64_t v) {
  unsigned bits = bitWidth(inst.type);
  uint64_t wide = isSignedInteger(inst.type) ? static_cast<uint64_t>(signExtend(v, bits)) : zeroExtend(v, bits);
  return zeroExtend(wide, inst.width * 8u);
}

void integerToInteger(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0);
  Lanes &d = x.d();
  unsigned bits = bitWidth(inst.type2), to = bitWidth(inst.type);
  bool fromSigned = isSignedInteger(inst.type2), toSigned = isSignedInteger(inst.type);
  eachLane(x.mask, [&](unsigned l) {
    uint64_t v = fromSigned ? static_cast<uint64_t>(signExtend(a[l], bits)) : zeroExtend(a[l], bits);
    if (inst.sat) {
      __int128 value = fromSigned ? static_cast<__int128>(static_cast<int64_t>(v)) : static_cast<__int128>(v);
      __int128 low = toSigned ? -(static_cast<__int128>(1) << (to - 1)) : 0;
      __int128 high = (static_cast<__int128>(1) << (toSigned ? to - 1 : to)) - 1;
      v = static_cast<uint64_t>(value < low ? low : value > high ? high : value);
    }
    d[l] = place(inst, v);
  });
}

//===--- Between integers and floats --------------------------------------===//

double roundIntegral(double v, Rounding r) {
  switch (r) {
  case Rounding::TowardZero:
    return std::trunc(v);
  case Rounding::Down:
    return std::floor(v);
  case Rounding::Up:
    return std::ceil(v);
  default:
    return std::nearbyint(v);
  }
}

double readFloat(Type t, uint64_t raw, bool ftz) {
  if (t == Type::F64)
    return fromRaw<double>(raw);
  if (t == Type::F32) {
    float f = fromRaw<float>(raw);
    return ftz ? flush(f) : f;
  }
  if (t == Type::F16)
    return halfToDouble(static_cast<uint16_t>(raw));
  return bfloatToFloat(static_cast<uint16_t>(raw));
}

void floatToInteger(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0);
  Lanes &d = x.d();
  unsigned bits = bitWidth(inst.type);
  bool toSigned = isSignedInteger(inst.type);
  double low = toSigned ? -std::ldexp(1.0, static_cast<int>(bits) - 1) : 0,
         high = std::ldexp(1.0, static_cast<int>(toSigned ? bits - 1 : bits));
  uint64_t nan = inst.type2 == Type::F64 || bits == 64 ? 1ull << (bits - 1) : 0;
  uint64_t most = toSigned ? (1ull << (bits - 1)) - 1 : bits == 64 ? ~0ull : (1ull << bits) - 1;
  eachLane(x.mask, [&](unsigned l) {
    double v = readFloat(inst.type2, a[l], inst.ftz);
    uint64_t result;
    if (v != v)
      result = nan;
    else {
      v = roundIntegral(v, inst.rounding);
      result = v < low     ? static_cast<uint64_t>(toSigned ? -1 : 0) << (bits - 1)
               : v >= high ? most
               : toSigned  ? static_cast<uint64_t>(static_cast<int64_t>(v))
                           : static_cast<uint64_t>(v);
    }
    d[l] = place(inst, result);
  });
}

/// An encoding of the destination type for a double that was rounded to odd (or is exact).
uint64_t writeFloat(const Inst &inst, double v) {
  if (inst.type == Type::F64)
    return toRaw(inst.sat ? saturate(v) : v);
  uint32_t bits = encodeFloat(v, formatOf(inst.type), inst.rounding, inst.flag);
  if (inst.type == Type::F32) {
    float f = canonical(std::bit_cast<float>(bits));
    if (inst.ftz)
      f = flush(f);
    return toRaw(inst.sat ? saturate(f) : f);
  }
  const FloatFormat &format = formatOf(inst.type);
  if (inst.sat)
    bits = encodeFloat(saturate(decodeFloat(bits, format)), format);
  if (inst.relu && v == v && (bits >> (format.bits - 1) & 1))
    bits = 0;
  return inst.type == Type::TF32 ? static_cast<uint64_t>(bits) << 13 : bits;
}

void integerToFloat(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0);
  Lanes &d = x.d();
  unsigned bits = bitWidth(inst.type2);
  bool fromSigned = isSignedInteger(inst.type2);
  eachLane(x.mask, [&](unsigned l) {
    // long double holds every 64-bit integer.
    long double exact = fromSigned ? static_cast<long double>(signExtend(a[l], bits))
                                   : static_cast<long double>(zeroExtend(a[l], bits));
    double v;
    if (inst.type == Type::F64 && inst.rounding != Rounding::NearestEven) {
      HostRounding scope(inst.rounding);
      volatile long double held = exact;
      v = static_cast<double>(held);
    } else {
      v = static_cast<double>(exact);
      if (inst.type != Type::F64)
        v = roundToOdd(v, static_cast<double>(exact - static_cast<long double>(v)));
    }
    d[l] = writeFloat(inst, v);
  });
}

void floatToFloat(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0);
  Lanes &d = x.d();
  eachLane(x.mask, [&](unsigned l) {
    double v = readFloat(inst.type2, a[l], inst.ftz);
    if (inst.mode) // .rni and the like between equal types
      v = roundIntegral(v, inst.rounding);
    d[l] = writeFloat(inst, v);
  });
}

//===--- Packed -----------------------------------------------------------===//

/// d = {a → high, b → low} from two f32; type: element format (scalar).
void packFromF32(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1);
  Lanes &d = x.d();
  unsigned bits = inst.mode2;
  x.forLanes([&](unsigned l) {
    uint64_t high = writeFloat(inst, fromRaw<float>(a[l])), low = writeFloat(inst, fromRaw<float>(b[l]));
    d[l] = low | high << bits;
  });
}

/// Elementwise between packed pairs: type ← type2, mode2/mode3 bits an element.
void packedToPacked(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0);
  Lanes &d = x.d();
  const FloatFormat &from = formatOf(inst.type2);
  x.forLanes([&](unsigned l) {
    uint64_t result = 0;
    for (unsigned e = 0; e < 2; ++e) {
      uint32_t raw = static_cast<uint32_t>(a[l] >> (inst.mode3 * e)) & ((1u << from.bits) - 1);
      result |= writeFloat(inst, decodeFloat(raw, from)) << (inst.mode2 * e);
    }
    d[l] = result;
  });
}

/// Stochastic rounding of four f32 to four narrow elements, or two to f16x2/bf16x2, with random bits from a register:
/// the random bits are added below the kept ones before truncation.
uint32_t stochastic(float v, const FloatFormat &f, uint32_t random, unsigned randomBits, bool saturate, bool relu) {
  if (v != v || std::isinf(v))
    return relu && v < 0 ? 0 : encodeFloat(v, f, Rounding::NearestEven, saturate);
  int exponent = v == 0 ? 0 : std::ilogb(v);
  double ulp = std::ldexp(1.0, std::max(exponent, 1 - f.bias) - static_cast<int>(f.mantissaBits));
  double scaled = std::fabs(static_cast<double>(v)) / ulp, whole = std::floor(scaled);
  double threshold = std::ldexp(static_cast<double>(random), -static_cast<int>(randomBits));
  if ((scaled - whole) + threshold >= 1)
    whole += 1;
  uint32_t bits = encodeFloat(std::copysign(whole * ulp, v), f, Rounding::TowardZero, saturate);
  return relu && v < 0 ? 0 : bits;
}

void packStochastic(Exec &x, const Inst &inst) {
  Lanes &d = x.d();
  unsigned count = static_cast<unsigned>(inst.s.size()) - 1, bits = inst.mode2;
  const Lanes &random = x.s(count);
  const FloatFormat &f = formatOf(inst.type);
  x.forLanes([&](unsigned l) {
    uint64_t result = 0;
    for (unsigned e = 0; e < count; ++e) {
      // Element 0 (the highest) comes first in the source list; every element has its own slice of the random bits.
      unsigned place = count - 1 - e, slice = count == 2 ? 16 : 8;
      uint32_t r = static_cast<uint32_t>(random[l] >> (slice * place)) & ((1u << slice) - 1);
      result |= static_cast<uint64_t>(stochastic(fromRaw<float>(x.s(e)[l]), f, r, slice, inst.flag, inst.relu))
                << (bits * place);
    }
    d[l] = result;
  });
}

/// cvt.pack.sat: narrows two 32-bit integers and shifts them into c.
void packIntegers(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1);
  Lanes &d = x.d();
  unsigned bits = bitWidth(inst.type);
  bool toSigned = isSignedInteger(inst.type);
  int64_t low = toSigned ? -(1ll << (bits - 1)) : 0, high = (1ll << (toSigned ? bits - 1 : bits)) - 1;
  auto narrow = [&](uint64_t raw) {
    int64_t v = inst.type2 == Type::S32 ? static_cast<int32_t>(raw) : static_cast<int64_t>(static_cast<uint32_t>(raw));
    return static_cast<uint64_t>(std::clamp(v, low, high)) & ((1ull << bits) - 1);
  };
  x.forLanes([&](unsigned l) {
    uint64_t pair = narrow(a[l]) << bits | narrow(b[l]);
    if (inst.s.size() > 2)
      pair |= static_cast<uint64_t>(static_cast<uint32_t>(x.s(2)[l])) << (2 * bits);
    d[l] = static_cast<uint32_t>(pair);
  });
}

//===--- Decoding ---------------------------------------------------------===//

struct PackedType {
  Type packed, element;
  unsigned spacing; ///< bits from one element to the next
  Type storage;
};
constexpr PackedType kPacked[] = {
    {Type::F16x2, Type::F16, 16, Type::B32},  {Type::BF16x2, Type::BF16, 16, Type::B32},
    {Type::E4M3x2, Type::E4M3, 8, Type::B16}, {Type::E5M2x2, Type::E5M2, 8, Type::B16},
    {Type::E2M1x2, Type::E2M1, 4, Type::B8},  {Type::E2M3x2, Type::E2M3, 8, Type::B16},
    {Type::E3M2x2, Type::E3M2, 8, Type::B16}, {Type::UE8M0x2, Type::UE8M0, 8, Type::B16},
    {Type::E4M3x4, Type::E4M3, 8, Type::B32}, {Type::E5M2x4, Type::E5M2, 8, Type::B32},
    {Type::E2M1x4, Type::E2M1, 4, Type::B16}, {Type::E2M3x4, Type::E2M3, 8, Type::B32},
    {Type::E3M2x4, Type::E3M2, 8, Type::B32},
};
const PackedType *packedType(Type t) {
  for (const PackedType &p : kPacked)
    if (p.packed == t)
      return &p;
  return nullptr;
}

void decodePack(OpReader &r) {
  if (!r.accept(".sat"))
    r.fail("needs .sat");
  r.inst.type = r.type({Type::U16, Type::S16, Type::U8, Type::S8, Type::U4, Type::S4});
  r.inst.type2 = r.type({Type::U32, Type::S32});
  bool third = r.accept(".b32");
  r.expectCount(third ? 4 : 3, third ? 4 : 3);
  r.addDestination(0, Type::B32);
  for (size_t i = 1; i < r.count(); ++i)
    r.addSource(i, Type::B32);
  r.inst.handler = packIntegers;
}

void decodeStochastic(OpReader &r, const PackedType &p) {
  r.inst.type = p.element;
  r.inst.mode2 = static_cast<uint8_t>(p.spacing);
  bool four = p.packed >= Type::E4M3x4;
  r.addDestination(0, p.storage);
  if (four) {
    r.expectCount(3, 3);
    auto list = r.elements(r.operand(1));
    if (list.size() != 4)
      r.fail("needs four sources {a, b, e, f}");
    for (const ast::Operand *o : list)
      r.inst.s.push_back(r.source(*o, Type::F32));
  } else {
    r.expectCount(4, 4);
    r.addSource(1, Type::F32);
    r.addSource(2, Type::F32);
  }
  r.inst.s.push_back(r.source(r.operand(r.count() - 1), Type::B32));
  r.inst.handler = packStochastic;
}

void decodePackedConversion(OpReader &r, Type to, Type from) {
  const PackedType *p = packedType(to);
  if (r.accept(".rs"))
    return p ? decodeStochastic(r, *p) : r.fail("stochastic rounding needs a packed result");
  r.inst.rounding = r.acceptRounding().value_or(Rounding::NearestEven);
  if (p && from == Type::F32) {
    r.inst.type = p->element;
    r.inst.mode2 = static_cast<uint8_t>(p->spacing);
    r.expectCount(3, 3);
    r.addDestination(0, p->storage);
    r.addSource(1, Type::F32);
    r.addSource(2, Type::F32);
    r.inst.handler = packFromF32;
    return;
  }
  const PackedType *q = packedType(from);
  if (!p || !q || p->packed >= Type::E4M3x4 || q->packed >= Type::E4M3x4)
    r.fail("the emulator does not know this conversion");
  r.inst.type = p->element;
  r.inst.type2 = q->element;
  r.inst.mode2 = static_cast<uint8_t>(p->spacing);
  r.inst.mode3 = static_cast<uint8_t>(q->spacing);
  r.expectCount(2, 2);
  r.inst.d.push_back(r.destinationAtLeast(r.operand(0), p->storage, nullptr));
  r.inst.s.push_back(r.sourceAtLeast(r.operand(1), q->storage));
  r.inst.handler = packedToPacked;
}

void decodeCvt(OpReader &r) {
  r.inst.opClass = OpClass::Conversion;
  if (r.accept(".pack"))
    return decodePack(r);
  auto to = r.acceptType(), from = r.acceptType();
  if (!to || !from)
    r.fail("needs a destination and a source type");
  r.inst.ftz = r.accept(".ftz");
  r.inst.sat = r.accept(".sat");
  r.inst.flag = r.accept(".satfinite");
  r.inst.relu = r.accept(".relu");
  if (packedType(*to) || packedType(*from))
    return decodePackedConversion(r, *to, *from);
  bool integral = r.has(".rni") || r.has(".rzi") || r.has(".rmi") || r.has(".rpi");
  auto rounding = r.acceptRounding();
  r.inst.rounding = rounding.value_or(Rounding::NearestEven);
  r.inst.type = *to;
  r.inst.type2 = *from;
  r.expectCount(2, 2);
  Type storage = *to == Type::TF32 ? Type::B32 : *to;
  r.inst.d.push_back(r.destinationAtLeast(r.operand(0), storage, &r.inst.width));
  r.inst.s.push_back(r.sourceAtLeast(r.operand(1), *from));
  auto isInteger = [](Type t) { return isSignedInteger(t) || isUnsignedInteger(t); };
  if (isInteger(*to) && isInteger(*from)) {
    if (rounding)
      r.fail("rounding does not apply between integers");
    r.inst.handler = integerToInteger;
  } else if (isInteger(*to) && isFloat(*from)) {
    if (!integral)
      r.fail("needs an integer rounding (.rni, .rzi, .rmi, .rpi)");
    r.inst.handler = floatToInteger;
  } else if (isFloat(*to) && isInteger(*from)) {
    if (!rounding || integral)
      r.fail("needs a rounding");
    r.inst.handler = integerToFloat;
  } else if (isFloat(*to) && isFloat(*from)) {
    if (integral && *to != *from)
      r.fail("integer rounding needs equal types");
    r.inst.mode = integral;
    if (!rounding && bitWidth(*to) < bitWidth(*from))
      r.fail("needs a rounding");
    r.inst.handler = floatToFloat;
  }
}

} // namespace

void addConversionOps(OpcodeTable &t) {
  t["cvt"] = decodeCvt;
}

} // namespace ptxemu
