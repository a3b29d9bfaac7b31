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

/// Where the ISA leaves the result of a NaN open; FloatMath.h.
uint64_t convertNaN(const Inst &inst, uint64_t raw, double v) {
  if (inst.type == Type::F32 && inst.type2 == Type::F64 && !inst.sat)
    return kCanonicalNaN32 | (raw >> 63) << 31;
  const bool isTruncated = inst.type == Type::TF32 && inst.rounding == Rounding::NearestAway && !inst.flag;
  if (isTruncated && raw & 0x007fe000)
    return raw & 0xffffe000;
  return writeFloat(inst, v);
}

void floatToFloat(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0);
  Lanes &d = x.d();
  eachLane(x.mask, [&](unsigned l) {
    double v = readFloat(inst.type2, a[l], inst.ftz);
    if (inst.mode) // .rni and the like between equal types
      v = roundIntegral(v, inst.rounding);
    d[l] = std::isnan(v) ? convertNaN(inst, a[l], v) : writeFloat(inst, v);
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

/// Stochastic rounding: the magnitude grows when adding the random bits to the discarded bits of the significand, both
/// aligned at the top, carries.
uint32_t stochastic(float v, const FloatFormat &f, uint32_t random, unsigned randomBits, bool saturate, bool relu) {
  if (relu && v <= 0)
    return 0;
  if (v != v || std::isinf(v) || v == 0)
    return encodeFloat(v, f, Rounding::NearestEven, saturate);
  double ulp = std::ldexp(1.0, std::max(std::ilogb(v), 1 - f.bias) - static_cast<int>(f.mantissaBits));
  double scaled = std::fabs(static_cast<double>(v)) / ulp, whole = std::floor(scaled);
  if ((scaled - whole) + std::ldexp(static_cast<double>(random), -static_cast<int>(randomBits)) >= 1)
    whole += 1;
  // A multiple of the ulp: only overflow is left to round, and it goes to infinity.
  return encodeFloat(std::copysign(whole * ulp, v), f, Rounding::NearestEven, saturate);
}

uint32_t reversed(uint32_t v, unsigned bits) {
  uint32_t r = 0;
  for (unsigned i = 0; i < bits; ++i)
    r |= (v >> i & 1) << (bits - 1 - i);
  return r;
}

/// The random bits of the element at `place` (0 lowest). Pairs have a half of the word each, f16 uses 13 bits of it. Of
/// four elements two share 16 bits, the second of them in reverse: halves of the word, for fp4 bytes of both halves.
uint32_t randomSlice(uint32_t word, Type element, unsigned place) {
  if (element == Type::F16 || element == Type::BF16)
    return (word >> (16 * place)) & (element == Type::F16 ? 0x1fff : 0xffff);
  uint32_t slice = word >> (16 * (place / 2)) & 0xffff;
  if (element == Type::E2M1)
    slice = (word >> (16 + 8 * (place / 2)) & 0xff) << 8 | (word >> (8 * (place / 2)) & 0xff);
  return place % 2 ? reversed(slice, 16) : slice;
}

void packStochastic(Exec &x, const Inst &inst) {
  Lanes &d = x.d();
  unsigned count = static_cast<unsigned>(inst.s.size()) - 1, bits = inst.mode2;
  const Lanes &random = x.s(count);
  const FloatFormat &f = formatOf(inst.type);
  x.forLanes([&](unsigned l) {
    uint64_t result = 0;
    for (unsigned e = 0; e < count; ++e) {
      unsigned place = count - 1 - e; // the first source goes to the top
      uint32_t slice = randomSlice(static_cast<uint32_t>(random[l]), inst.type, place);
      result |= static_cast<uint64_t>(stochastic(fromRaw<float>(x.s(e)[l]), f, slice, inst.type == Type::F16 ? 13 : 16,
                                                 inst.flag, inst.relu))
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
    return static_cast<uint64_t>(std::clamp<int64_t>(static_cast<int32_t>(raw), low, high)) & ((1ull << bits) - 1);
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
  r.inst.type = r.type({Type::U16, Type::S16, Type::U8, Type::S8, Type::U4, Type::S4, Type::U2, Type::S2});
  r.type({Type::S32});
  bool third = r.accept(".b32");
  if (third == (bitWidth(r.inst.type) == 16))
    r.fail(third ? "halves leave no room for a third operand" : "needs .b32 and a third operand");
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

bool isNarrow(Type element) {
  return element >= Type::E4M3 && element <= Type::E3M2;
}

/// Two f32 to a packed pair, or four with .rs.
void decodeFromSingles(OpReader &r, const PackedType &p) {
  bool narrow = isNarrow(p.element), scale = p.element == Type::UE8M0;
  if (r.accept(".rs")) {
    if (p.packed < Type::E4M3x4 && narrow)
      r.fail("stochastic rounding packs four of these");
    if (narrow != r.inst.flag && narrow)
      r.fail("needs .satfinite");
    return decodeStochastic(r, p);
  }
  auto rounding = r.acceptRounding();
  bool allowed = scale    ? rounding == Rounding::TowardZero || rounding == Rounding::Up
                 : narrow ? rounding == Rounding::NearestEven
                          : rounding == Rounding::NearestEven || rounding == Rounding::TowardZero;
  if (!allowed || p.packed >= Type::E4M3x4)
    r.fail("the ISA has no such rounding for this conversion");
  if (narrow && !r.inst.flag)
    r.fail("needs .satfinite");
  if (scale && r.inst.relu)
    r.fail(".relu does not apply");
  r.inst.rounding = *rounding;
  r.inst.type = p.element;
  r.inst.mode2 = static_cast<uint8_t>(p.spacing);
  r.expectCount(3, 3);
  r.addDestination(0, p.storage);
  r.addSource(1, Type::F32);
  r.addSource(2, Type::F32);
  r.inst.handler = packFromF32;
}

/// Between packed pairs.
void decodePackedConversion(OpReader &r, const PackedType &to, const PackedType &from) {
  bool scale = to.element == Type::UE8M0,
       down = from.element == Type::F16 &&
              (to.element == Type::E4M3 || to.element == Type::E5M2 || to.element == Type::E2M1),
       up = to.element == Type::F16 && isNarrow(from.element);
  if (from.packed >= Type::E4M3x4 || to.packed >= Type::E4M3x4 ||
      !(down || up || (scale && from.element == Type::BF16) ||
        (to.element == Type::BF16 && from.element == Type::UE8M0)))
    r.fail("the ISA has no such conversion");
  auto rounding = r.acceptRounding();
  if (scale ? rounding != Rounding::TowardZero && rounding != Rounding::Up : rounding != Rounding::NearestEven)
    r.fail("the ISA has no such rounding for this conversion");
  if (!scale && down != r.inst.flag)
    r.fail(down ? "needs .satfinite" : ".satfinite does not apply");
  if (r.inst.relu && !down && !up)
    r.fail(".relu does not apply");
  r.inst.rounding = *rounding;
  r.inst.type = to.element;
  r.inst.type2 = from.element;
  r.inst.mode2 = static_cast<uint8_t>(to.spacing);
  r.inst.mode3 = static_cast<uint8_t>(from.spacing);
  r.expectCount(2, 2);
  r.inst.d.push_back(r.destinationAtLeast(r.operand(0), to.storage, nullptr));
  r.inst.s.push_back(r.sourceAtLeast(r.operand(1), from.storage));
  r.inst.handler = packedToPacked;
}

bool isInteger(Type t) {
  return isSignedInteger(t) || isUnsignedInteger(t);
}

/// Whether every value of one integer type is one of the other.
bool covers(Type wide, Type narrow) {
  if (isSignedInteger(wide) == isSignedInteger(narrow))
    return bitWidth(wide) >= bitWidth(narrow);
  return isSignedInteger(wide) && bitWidth(wide) > bitWidth(narrow);
}

void decodeIntegerConversion(OpReader &r, Type to, Type from, bool integral, bool rounds) {
  Inst &inst = r.inst;
  if (inst.ftz && to != Type::F32 && from != Type::F32)
    r.fail(".ftz does not apply");
  if (inst.sat && (to == Type::BF16 || from == Type::BF16))
    r.fail(".sat does not apply");
  if (isInteger(to) && isInteger(from)) {
    if (rounds)
      r.fail("rounding does not apply between integers");
    if (inst.ftz || (inst.sat && covers(to, from)))
      r.fail(inst.ftz ? ".ftz does not apply" : ".sat does not apply where every value fits");
    inst.handler = integerToInteger;
  } else if (isInteger(to)) {
    if (!integral)
      r.fail("needs an integer rounding (.rni, .rzi, .rmi, .rpi)");
    inst.handler = floatToInteger;
  } else {
    if (!rounds || integral)
      r.fail("needs a rounding");
    inst.handler = integerToFloat;
  }
}

void decodeFloatConversion(OpReader &r, Type to, Type from, bool integral, std::optional<Rounding> rounding) {
  Inst &inst = r.inst;
  bool fromSingle = from == Type::F32, narrows = bitWidth(to) <= bitWidth(from) && to != from;
  if (to == Type::TF32 ? !fromSingle || !rounding || integral : rounding == Rounding::NearestAway)
    r.fail("the ISA has no such conversion");
  if (to != Type::TF32) {
    if (integral && to != from)
      r.fail("integer rounding needs equal types");
    if (!integral && narrows != rounding.has_value())
      r.fail(narrows ? "needs a rounding" : "rounding does not apply where nothing is lost");
  }
  if (inst.relu || inst.flag) {
    bool direct = *rounding == Rounding::NearestEven || *rounding == Rounding::TowardZero;
    if (!fromSingle || (to != Type::F16 && to != Type::BF16 && to != Type::TF32) || inst.ftz || inst.sat ||
        !(direct || (to == Type::TF32 && !inst.relu)))
      r.fail(".relu and .satfinite do not apply");
  }
  if (inst.ftz && (to == Type::TF32 || (to != Type::F32 && !fromSingle)))
    r.fail(".ftz does not apply");
  if (inst.sat && (to == Type::BF16 || to == Type::TF32 || from == Type::BF16))
    r.fail(".sat does not apply");
  inst.mode = integral;
  inst.handler = floatToFloat;
}

void decodeCvt(OpReader &r) {
  r.inst.opClass = OpClass::Conversion;
  if (r.accept(".pack"))
    return decodePack(r);
  auto to = r.acceptType(), from = r.acceptType();
  if (!to || !from)
    r.fail("needs a destination and a source type");
  r.inst.flag = r.accept(".satfinite");
  r.inst.relu = r.accept(".relu");
  if (const PackedType *p = packedType(*to); p && *from == Type::F32)
    return decodeFromSingles(r, *p);
  else if (const PackedType *q = packedType(*from); p && q)
    return decodePackedConversion(r, *p, *q);
  auto isScalar = [](Type t) {
    return (isInteger(t) && bitWidth(t) >= 8) || t == Type::F16 || t == Type::BF16 || t == Type::F32 || t == Type::F64;
  };
  if ((!isScalar(*to) && *to != Type::TF32) || !isScalar(*from))
    r.fail("the ISA has no such conversion");
  r.inst.ftz = r.accept(".ftz");
  r.inst.sat = r.accept(".sat");
  bool integral = r.has(".rni") || r.has(".rzi") || r.has(".rmi") || r.has(".rpi");
  auto rounding = r.acceptRounding();
  r.inst.rounding = rounding.value_or(Rounding::NearestEven);
  r.inst.type = *to;
  r.inst.type2 = *from;
  r.expectCount(2, 2);
  Type storage = *to == Type::TF32 ? Type::B32 : *to;
  r.inst.d.push_back(r.destinationAtLeast(r.operand(0), storage, &r.inst.width));
  r.inst.s.push_back(r.sourceAtLeast(r.operand(1), *from));
  if (!isInteger(*to) && !isInteger(*from))
    return decodeFloatConversion(r, *to, *from, integral, rounding);
  if (r.inst.relu || r.inst.flag || rounding == Rounding::NearestAway)
    r.fail("the ISA has no such conversion");
  decodeIntegerConversion(r, *to, *from, integral, rounding.has_value());
}

} // namespace

void addConversionOps(OpcodeTable &t) {
  t["cvt"] = decodeCvt;
}

} // namespace ptxemu
