//===- IntegerOps.cpp - Integer arithmetic -------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "FunctionDecoder.h"
#include "Lanewise.h"
#include <algorithm>
#include <limits>

namespace ptxemu {

namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

template <class T>
struct Double; // the type twice as wide
template <>
struct Double<uint16_t> {
  using type = uint32_t;
};
template <>
struct Double<int16_t> {
  using type = int32_t;
};
template <>
struct Double<uint32_t> {
  using type = uint64_t;
};
template <>
struct Double<int32_t> {
  using type = int64_t;
};
template <>
struct Double<uint64_t> {
  using type = unsigned __int128;
};
template <>
struct Double<int64_t> {
  using type = __int128;
};

// Arithmetic is done on unsigned values of at least 32 bits: it wraps.
struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(uint64_t(a) + uint64_t(b));
  }
};
struct Sub {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(uint64_t(a) - uint64_t(b));
  }
};
struct MulLow {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(uint64_t(a) * uint64_t(b));
  }
};
struct MulHigh {
  template <class T>
  T operator()(T a, T b) const {
    using W = typename Double<T>::type;
    return static_cast<T>((W(a) * W(b)) >> (sizeof(T) * 8));
  }
};
struct MadLow {
  template <class T>
  T operator()(T a, T b, T c) const {
    return static_cast<T>(uint64_t(a) * uint64_t(b) + uint64_t(c));
  }
};
struct MadHigh {
  template <class T>
  T operator()(T a, T b, T c) const {
    return static_cast<T>(uint64_t(MulHigh()(a, b)) + uint64_t(c));
  }
};
struct MulWide {
  template <class T>
  typename Double<T>::type operator()(T a, T b) const {
    using W = typename Double<T>::type;
    return static_cast<W>(W(a) * W(b));
  }
};
struct MadWide {
  template <class T, class W>
  W operator()(T a, T b, W c) const {
    return static_cast<W>(uint64_t(W(a) * W(b)) + uint64_t(c));
  }
};
// Division by zero gives all ones, its remainder the dividend; the one overflow wraps.
struct Div {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0)
      return static_cast<T>(~Unsigned<T>(0));
    if (std::is_signed_v<T> && b == static_cast<T>(-1))
      return static_cast<T>(0 - uint64_t(a));
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0)
      return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1))
      return 0;
    return static_cast<T>(a % b);
  }
};
struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return std::min(a, b);
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return std::max(a, b);
  }
};
struct MinRelu {
  template <class T>
  T operator()(T a, T b) const {
    return std::max<T>(std::min(a, b), 0);
  }
};
struct MaxRelu {
  template <class T>
  T operator()(T a, T b) const {
    return std::max<T>(std::max(a, b), 0);
  }
};
struct Abs {
  template <class T>
  T operator()(T a) const {
    return a < 0 ? static_cast<T>(0 - uint64_t(a)) : a;
  }
};
struct Neg {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(0 - uint64_t(a));
  }
};
struct Sad {
  template <class T>
  T operator()(T a, T b, T c) const {
    return static_cast<T>(uint64_t(c) + (a > b ? uint64_t(a) - uint64_t(b) : uint64_t(b) - uint64_t(a)));
  }
};
struct AddSat {
  int32_t operator()(int32_t a, int32_t b) const {
    return static_cast<int32_t>(std::clamp<int64_t>(int64_t(a) + b, INT32_MIN, INT32_MAX));
  }
};
struct SubSat {
  int32_t operator()(int32_t a, int32_t b) const {
    return static_cast<int32_t>(std::clamp<int64_t>(int64_t(a) - b, INT32_MIN, INT32_MAX));
  }
};
struct MadHighSat {
  int32_t operator()(int32_t a, int32_t b, int32_t c) const {
    return static_cast<int32_t>(std::clamp<int64_t>(((int64_t(a) * b) >> 32) + c, INT32_MIN, INT32_MAX));
  }
};
template <class T>
int64_t low24(T v) {
  return std::is_signed_v<T> ? (int64_t(v) << 40) >> 40 : int64_t(v & 0xffffff);
}
struct Mul24Low {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(low24(a) * low24(b));
  }
};
struct Mul24High {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>((low24(a) * low24(b)) >> 16);
  }
};
struct Mad24Low {
  template <class T>
  T operator()(T a, T b, T c) const {
    return static_cast<T>(low24(a) * low24(b) + c);
  }
};
struct Mad24High {
  template <class T>
  T operator()(T a, T b, T c) const {
    return static_cast<T>(((low24(a) * low24(b)) >> 16) + c);
  }
};
struct Mad24HighSat {
  int32_t operator()(int32_t a, int32_t b, int32_t c) const {
    return static_cast<int32_t>(std::clamp<int64_t>(((low24(a) * low24(b)) >> 16) + c, INT32_MIN, INT32_MAX));
  }
};

/// Both 16-bit halves by themselves.
template <class T, class Op>
struct Halves {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    T low = Op()(static_cast<T>(a), static_cast<T>(b)), high = Op()(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
    return static_cast<uint16_t>(low) | static_cast<uint32_t>(static_cast<uint16_t>(high)) << 16;
  }
};

template <class Op>
Handler scalarBinaryFor(Type t) {
  switch (t) {
  case Type::U16:
    return binary<uint16_t, Op>;
  case Type::U32:
    return binary<uint32_t, Op>;
  case Type::U64:
    return binary<uint64_t, Op>;
  case Type::S16:
    return binary<int16_t, Op>;
  case Type::S32:
    return binary<int32_t, Op>;
  case Type::S64:
    return binary<int64_t, Op>;
  default:
    return nullptr;
  }
}

template <class Op>
Handler binaryFor(Type t) {
  switch (t) {
  case Type::U16x2:
    return binary<uint32_t, Halves<uint16_t, Op>>;
  case Type::S16x2:
    return binary<uint32_t, Halves<int16_t, Op>>;
  default:
    return scalarBinaryFor<Op>(t);
  }
}

template <class Op>
Handler ternaryFor(Type t) {
  switch (t) {
  case Type::U16:
    return ternary<uint16_t, Op>;
  case Type::U32:
    return ternary<uint32_t, Op>;
  case Type::U64:
    return ternary<uint64_t, Op>;
  case Type::S16:
    return ternary<int16_t, Op>;
  case Type::S32:
    return ternary<int32_t, Op>;
  case Type::S64:
    return ternary<int64_t, Op>;
  default:
    return nullptr;
  }
}

template <class Op>
Handler unaryForSigned(Type t) {
  switch (t) {
  case Type::S16:
    return unary<int16_t, Op>;
  case Type::S32:
    return unary<int32_t, Op>;
  case Type::S64:
    return unary<int64_t, Op>;
  default:
    return nullptr;
  }
}

void integerOperands(OpReader &r, Type t, unsigned sources) {
  r.expectCount(sources + 1, sources + 1);
  r.inst.opClass = OpClass::Integer;
  r.addDestination(0, t);
  for (unsigned i = 1; i <= sources; ++i)
    r.addSource(i, t);
}

/// The type, with the instruction handed to the floating-point families when it is theirs.
bool integerType(OpReader &r, Type *type) {
  auto t = r.acceptType();
  if (!t)
    r.fail("needs a type");
  if (isFloat(*t)) {
    if (!decodeFloatArithmetic(r, *t) && !decodePackedArithmetic(r, *t))
      r.fail("has no " + std::string(typeName(*t)) + " form");
    return false;
  }
  *type = r.inst.type = *t;
  return true;
}

void invalidType(OpReader &r, Type t) {
  if (!r.inst.handler)
    r.fail("has no " + std::string(typeName(t)) + " form");
}

//===--- Carries ----------------------------------------------------------===//

/// d = a ± b ± carry, with carry-out when inst.flag: mode 0 add, 1 sub; flag2: carry-in.
template <class T>
void addWithCarry(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1);
  Lanes &d = x.d();
  uint32_t carryIn = inst.flag2 ? x.predicate(inst.ps[0]) : 0, carryOut = 0;
  x.forLanes([&](unsigned l) {
    unsigned __int128 left = static_cast<T>(a[l]), right = static_cast<T>(b[l]), in = carryIn >> l & 1;
    unsigned __int128 sum = inst.mode == 0 ? left + right + in : left - right - in;
    d[l] = static_cast<T>(sum);
    carryOut |= static_cast<uint32_t>(sum >> (sizeof(T) * 8) & 1) << l;
  });
  if (inst.flag)
    x.setPredicate(inst.pd[0], carryOut);
}

void decodeCarry(OpReader &r, unsigned mode, bool carryIn) {
  bool carryOut = r.accept(".cc");
  Type t = r.type({Type::U32, Type::S32, Type::U64, Type::S64});
  integerOperands(r, t, 2);
  PredicateIndex flag = r.function.carryFlag();
  r.inst.mode = static_cast<uint8_t>(mode);
  r.inst.flag = carryOut;
  r.inst.flag2 = carryIn;
  if (carryIn)
    r.inst.ps.push_back(flag);
  if (carryOut)
    r.inst.pd.push_back(flag);
  r.inst.handler = bitWidth(t) == 32 ? addWithCarry<uint32_t> : addWithCarry<uint64_t>;
}

/// d = (low or high half of a·b) + c + carry.
template <class T>
void madWithCarry(Exec &x, const Inst &inst) {
  using U = Unsigned<T>;
  const Lanes &a = x.s(0), &b = x.s(1), &c = x.s(2);
  Lanes &d = x.d();
  uint32_t carryIn = inst.flag2 ? x.predicate(inst.ps[0]) : 0, carryOut = 0;
  x.forLanes([&](unsigned l) {
    T product =
        inst.mode ? MulHigh()(fromRaw<T>(a[l]), fromRaw<T>(b[l])) : MulLow()(fromRaw<T>(a[l]), fromRaw<T>(b[l]));
    unsigned __int128 sum =
        static_cast<unsigned __int128>(static_cast<U>(product)) + static_cast<U>(c[l]) + (carryIn >> l & 1);
    d[l] = static_cast<U>(sum);
    carryOut |= static_cast<uint32_t>(sum >> (sizeof(T) * 8) & 1) << l;
  });
  if (inst.flag)
    x.setPredicate(inst.pd[0], carryOut);
}

void decodeMadCarry(OpReader &r, bool carryIn) {
  bool high = r.expectAny({".hi", ".lo"}, ".hi or .lo") == ".hi";
  r.inst.flag = r.accept(".cc");
  r.inst.flag2 = carryIn;
  Type t = r.type({Type::U32, Type::S32, Type::U64, Type::S64});
  integerOperands(r, t, 3);
  r.inst.mode = high;
  PredicateIndex flag = r.function.carryFlag();
  (carryIn ? r.inst.ps : r.inst.pd).push_back(flag);
  if (carryIn && r.inst.flag)
    r.inst.pd.push_back(flag);
  r.inst.handler = t == Type::U32   ? madWithCarry<uint32_t>
                   : t == Type::S32 ? madWithCarry<int32_t>
                   : t == Type::U64 ? madWithCarry<uint64_t>
                                    : madWithCarry<int64_t>;
}

//===--- Decoders ---------------------------------------------------------===//

template <class Op, class SatOp>
void decodeAddSub(OpReader &r, unsigned carryMode) {
  if (r.has(".cc"))
    return decodeCarry(r, carryMode, false);
  Type t;
  if (!integerType(r, &t))
    return;
  integerOperands(r, t, 2);
  if (r.accept(".sat")) {
    if (t != Type::S32)
      r.fail(".sat applies to .s32 only");
    r.inst.handler = binary<int32_t, SatOp>;
  } else {
    // Only addition has packed 16-bit forms.
    r.inst.handler = carryMode == 0 ? binaryFor<Op>(t) : scalarBinaryFor<Op>(t);
  }
  invalidType(r, t);
}

void decodeMul(OpReader &r) {
  bool wide = r.accept(".wide"), high = r.accept(".hi"), low = r.accept(".lo");
  Type t;
  if (!integerType(r, &t))
    return;
  if (wide + high + low != 1)
    r.fail("needs exactly one of .lo, .hi and .wide");
  if (!wide) {
    integerOperands(r, t, 2);
    r.inst.handler = high ? scalarBinaryFor<MulHigh>(t) : scalarBinaryFor<MulLow>(t);
    return invalidType(r, t);
  }
  r.expectCount(3, 3);
  r.inst.opClass = OpClass::Integer;
  switch (t) {
  case Type::U16:
    r.addDestination(0, Type::U32), r.inst.handler = binary<uint16_t, MulWide, uint32_t>;
    break;
  case Type::S16:
    r.addDestination(0, Type::S32), r.inst.handler = binary<int16_t, MulWide, int32_t>;
    break;
  case Type::U32:
    r.addDestination(0, Type::U64), r.inst.handler = binary<uint32_t, MulWide, uint64_t>;
    break;
  case Type::S32:
    r.addDestination(0, Type::S64), r.inst.handler = binary<int32_t, MulWide, int64_t>;
    break;
  default:
    break;
  }
  r.addSource(1, t);
  r.addSource(2, t);
  invalidType(r, t);
}

void decodeMad(OpReader &r) {
  if (r.has(".cc"))
    return decodeMadCarry(r, false);
  bool wide = r.accept(".wide"), high = r.accept(".hi"), low = r.accept(".lo");
  Type t;
  if (!integerType(r, &t))
    return;
  if (wide + high + low != 1)
    r.fail("needs exactly one of .lo, .hi and .wide");
  if (wide) {
    r.expectCount(4, 4);
    r.inst.opClass = OpClass::Integer;
    Type w = t == Type::U16 ? Type::U32 : t == Type::S16 ? Type::S32 : t == Type::U32 ? Type::U64 : Type::S64;
    r.inst.handler = t == Type::U16   ? ternary<uint16_t, MadWide, uint32_t>
                     : t == Type::S16 ? ternary<int16_t, MadWide, int32_t>
                     : t == Type::U32 ? ternary<uint32_t, MadWide, uint64_t>
                     : t == Type::S32 ? ternary<int32_t, MadWide, int64_t>
                                      : Handler(nullptr);
    invalidType(r, t);
    r.addDestination(0, w);
    r.addSource(1, t);
    r.addSource(2, t);
    r.addSource(3, w);
    return;
  }
  integerOperands(r, t, 3);
  if (r.accept(".sat")) {
    if (!high || t != Type::S32)
      r.fail(".sat applies to .hi.s32 only");
    r.inst.handler = ternary<int32_t, MadHighSat>;
    return;
  }
  r.inst.handler = high ? ternaryFor<MadHigh>(t) : ternaryFor<MadLow>(t);
  invalidType(r, t);
}

template <class Low, class High>
void decode24(OpReader &r, unsigned sources) {
  bool high = r.expectAny({".hi", ".lo"}, ".hi or .lo") == ".hi";
  Type t = r.type({Type::U32, Type::S32});
  integerOperands(r, t, sources);
  if (sources == 3 && r.accept(".sat")) {
    if (!high || t != Type::S32)
      r.fail(".sat applies to .hi.s32 only");
    r.inst.handler = ternary<int32_t, Mad24HighSat>;
    return;
  }
  if constexpr (std::is_same_v<Low, Mul24Low>)
    r.inst.handler = t == Type::U32 ? (high ? binary<uint32_t, High> : binary<uint32_t, Low>)
                                    : (high ? binary<int32_t, High> : binary<int32_t, Low>);
  else
    r.inst.handler = t == Type::U32 ? (high ? ternary<uint32_t, High> : ternary<uint32_t, Low>)
                                    : (high ? ternary<int32_t, High> : ternary<int32_t, Low>);
}

template <class Op>
void decodeBinary(OpReader &r) {
  Type t;
  if (!integerType(r, &t))
    return;
  integerOperands(r, t, 2);
  r.inst.handler = scalarBinaryFor<Op>(t);
  invalidType(r, t);
}

template <class Op, class ReluOp>
void decodeMinMax(OpReader &r) {
  Type t;
  if (!integerType(r, &t))
    return;
  if (t == Type::S32 && r.accept(".relu")) {
    integerOperands(r, t, 2);
    r.inst.handler = binary<int32_t, ReluOp>;
  } else if (t == Type::S16x2 && r.accept(".relu")) {
    integerOperands(r, t, 2);
    r.inst.handler = binary<uint32_t, Halves<int16_t, ReluOp>>;
  } else {
    integerOperands(r, t, 2);
    r.inst.handler = binaryFor<Op>(t);
  }
  invalidType(r, t);
}

template <class Op>
void decodeUnary(OpReader &r) {
  Type t;
  if (!integerType(r, &t))
    return;
  integerOperands(r, t, 1);
  r.inst.handler = unaryForSigned<Op>(t);
  invalidType(r, t);
}

template <class Op>
void decodeTernary(OpReader &r) {
  Type t;
  if (!integerType(r, &t))
    return;
  integerOperands(r, t, 3);
  r.inst.handler = ternaryFor<Op>(t);
  invalidType(r, t);
}

//===--- Dot products -----------------------------------------------------===//

/// mode: a is signed; mode2: b is signed; dp2a: mode3 1 = .hi.
void dp4a(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1), &c = x.s(2);
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) {
    uint32_t sum = static_cast<uint32_t>(c[l]);
    for (unsigned i = 0; i < 4; ++i) {
      uint8_t p = static_cast<uint8_t>(a[l] >> (8 * i)), q = static_cast<uint8_t>(b[l] >> (8 * i));
      sum += static_cast<uint32_t>((inst.mode ? int32_t(int8_t(p)) : p) * (inst.mode2 ? int32_t(int8_t(q)) : q));
    }
    d[l] = sum;
  });
}

void dp2a(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1), &c = x.s(2);
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) {
    uint32_t sum = static_cast<uint32_t>(c[l]);
    for (unsigned i = 0; i < 2; ++i) {
      uint16_t p = static_cast<uint16_t>(a[l] >> (16 * i));
      uint8_t q = static_cast<uint8_t>(b[l] >> (8 * (i + 2 * inst.mode3)));
      sum += static_cast<uint32_t>((inst.mode ? int32_t(int16_t(p)) : p) * (inst.mode2 ? int32_t(int8_t(q)) : q));
    }
    d[l] = sum;
  });
}

void decodeDot(OpReader &r) {
  bool two = r.ast.opcode == "dp2a";
  if (two)
    r.inst.mode3 = r.expectAny({".lo", ".hi"}, ".lo or .hi") == ".hi";
  Type a = r.type({Type::U32, Type::S32}), b = r.type({Type::U32, Type::S32});
  r.inst.mode = a == Type::S32;
  r.inst.mode2 = b == Type::S32;
  integerOperands(r, Type::B32, 3);
  r.inst.handler = two ? dp2a : dp4a;
}

} // namespace

void addIntegerOps(OpcodeTable &t) {
  t["add"] = [](OpReader &r) { decodeAddSub<Add, AddSat>(r, 0); };
  t["sub"] = [](OpReader &r) { decodeAddSub<Sub, SubSat>(r, 1); };
  t["addc"] = [](OpReader &r) { decodeCarry(r, 0, true); };
  t["subc"] = [](OpReader &r) { decodeCarry(r, 1, true); };
  t["mul"] = decodeMul;
  t["mad"] = decodeMad;
  t["madc"] = [](OpReader &r) { decodeMadCarry(r, true); };
  t["mul24"] = [](OpReader &r) { decode24<Mul24Low, Mul24High>(r, 2); };
  t["mad24"] = [](OpReader &r) { decode24<Mad24Low, Mad24High>(r, 3); };
  t["div"] = decodeBinary<Div>;
  t["rem"] = decodeBinary<Rem>;
  t["min"] = decodeMinMax<Min, MinRelu>;
  t["max"] = decodeMinMax<Max, MaxRelu>;
  t["abs"] = decodeUnary<Abs>;
  t["neg"] = decodeUnary<Neg>;
  t["sad"] = decodeTernary<Sad>;
  t["dp4a"] = t["dp2a"] = decodeDot;
}

} // namespace ptxemu
