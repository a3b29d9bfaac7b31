//===- ComparisonOps.cpp - Comparison and selection ----------------------===//
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

/// A comparison as the set of outcomes for which it holds.
enum Outcome : uint8_t { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

struct Comparison {
  std::string_view name;
  uint8_t outcomes;
  bool floatOnly, unsignedOnly;
};
constexpr Comparison kComparisons[] = {
    {".eq", 2, false, false}, {".ne", 5, false, false},  {".lt", 1, false, false},  {".le", 3, false, false},
    {".gt", 4, false, false}, {".ge", 6, false, false},  {".lo", 1, false, true},   {".ls", 3, false, true},
    {".hi", 4, false, true},  {".hs", 6, false, true},   {".equ", 10, true, false}, {".neu", 13, true, false},
    {".ltu", 9, true, false}, {".leu", 11, true, false}, {".gtu", 12, true, false}, {".geu", 14, true, false},
    {".num", 7, true, false}, {".nan", 8, true, false},
};

template <class T>
uint8_t outcome(T a, T b) {
  return a < b ? kLess : a == b ? kEqual : a > b ? kGreater : kUnordered;
}

/// The compared value of a register; narrow floats widen exactly.
template <Type T>
auto value(uint64_t raw, bool ftz) {
  if constexpr (T == Type::F32)
    return ftz ? flush(fromRaw<float>(raw)) : fromRaw<float>(raw);
  else if constexpr (T == Type::F64)
    return fromRaw<double>(raw);
  else if constexpr (T == Type::F16) {
    double v = halfToDouble(static_cast<uint16_t>(raw));
    return ftz && std::fabs(v) < 0x1p-14 ? 0.0 : v;
  } else if constexpr (T == Type::BF16)
    return bfloatToFloat(static_cast<uint16_t>(raw));
  else if constexpr (T == Type::S16)
    return static_cast<int16_t>(raw);
  else if constexpr (T == Type::S32)
    return static_cast<int32_t>(raw);
  else if constexpr (T == Type::S64)
    return static_cast<int64_t>(raw);
  else if constexpr (T == Type::U16)
    return static_cast<uint16_t>(raw);
  else if constexpr (T == Type::U32)
    return static_cast<uint32_t>(raw);
  else
    return raw;
}

template <Type T>
uint32_t compareLanes(Exec &x, const Inst &inst, unsigned shift) {
  const Lanes &a = x.s(0), &b = x.s(1);
  uint32_t result = 0;
  eachLane(x.mask, [&](unsigned l) {
    result |= static_cast<uint32_t>(
                  (inst.mode & outcome(value<T>(a[l] >> shift, inst.ftz), value<T>(b[l] >> shift, inst.ftz))) != 0)
              << l;
  });
  return result;
}

using Compare = uint32_t (*)(Exec &, const Inst &, unsigned);
Compare comparator(Type t) {
  switch (t) {
  case Type::S16:
    return compareLanes<Type::S16>;
  case Type::S32:
    return compareLanes<Type::S32>;
  case Type::S64:
    return compareLanes<Type::S64>;
  case Type::U16:
  case Type::B16:
    return compareLanes<Type::U16>;
  case Type::U32:
  case Type::B32:
    return compareLanes<Type::U32>;
  case Type::U64:
  case Type::B64:
    return compareLanes<Type::U64>;
  case Type::F32:
    return compareLanes<Type::F32>;
  case Type::F64:
    return compareLanes<Type::F64>;
  case Type::F16:
  case Type::F16x2:
    return compareLanes<Type::F16>;
  case Type::BF16:
  case Type::BF16x2:
    return compareLanes<Type::BF16>;
  default:
    return nullptr;
  }
}

/// mode2: 0 none, 1 and, 2 or, 3 xor with the predicate operand.
uint32_t combine(const Inst &inst, uint32_t value, uint32_t c) {
  return inst.mode2 == 0 ? value : inst.mode2 == 1 ? value & c : inst.mode2 == 2 ? value | c : value ^ c;
}

template <Type T>
void setp(Exec &x, const Inst &inst) {
  uint32_t result = compareLanes<T>(x, inst, 0), c = inst.ps.empty() ? 0 : x.predicate(inst.ps[0]);
  x.setPredicate(inst.pd[0], combine(inst, result, c));
  if (inst.pd.size() > 1)
    x.setPredicate(inst.pd[1], combine(inst, ~result, c));
}

/// Packed operands: p from the low halves, q from the high ones.
template <Type T>
void setpPacked(Exec &x, const Inst &inst) {
  uint32_t c = inst.ps.empty() ? 0 : x.predicate(inst.ps[0]);
  uint32_t low = compareLanes<T>(x, inst, 0), high = compareLanes<T>(x, inst, 16);
  x.setPredicate(inst.pd[0], combine(inst, low, c));
  x.setPredicate(inst.pd[1], combine(inst, high, c));
}

Handler setpHandler(Type t) {
  switch (t) {
  case Type::S16:
    return setp<Type::S16>;
  case Type::S32:
    return setp<Type::S32>;
  case Type::S64:
    return setp<Type::S64>;
  case Type::U16:
  case Type::B16:
    return setp<Type::U16>;
  case Type::U32:
  case Type::B32:
    return setp<Type::U32>;
  case Type::U64:
  case Type::B64:
    return setp<Type::U64>;
  case Type::F32:
    return setp<Type::F32>;
  case Type::F64:
    return setp<Type::F64>;
  case Type::F16:
    return setp<Type::F16>;
  case Type::BF16:
    return setp<Type::BF16>;
  case Type::F16x2:
    return setpPacked<Type::F16>;
  case Type::BF16x2:
    return setpPacked<Type::BF16>;
  default:
    return nullptr;
  }
}

void comparison(OpReader &r, Type t) {
  for (const Comparison &c : kComparisons)
    if (r.accept(c.name)) {
      if ((c.floatOnly && !isFloat(t)) || (c.unsignedOnly && !isUnsignedInteger(t)) ||
          (isBits(t) && c.outcomes != 2 && c.outcomes != 5))
        r.fail("comparison " + std::string(c.name) + " does not apply to " + std::string(typeName(t)));
      r.inst.mode = c.outcomes;
      r.inst.mode2 = r.accept(".and") ? 1 : r.accept(".or") ? 2 : r.accept(".xor") ? 3 : 0;
      r.inst.ftz = (t == Type::F32 || t == Type::F16 || t == Type::F16x2) && r.accept(".ftz");
      return;
    }
  r.fail("needs a comparison");
}

void decodeSetp(OpReader &r) {
  Type t = r.inst.type = r.type({Type::B16, Type::B32, Type::B64, Type::U16, Type::U32, Type::U64, Type::S16, Type::S32,
                                 Type::S64, Type::F32, Type::F64, Type::F16, Type::BF16, Type::F16x2, Type::BF16x2});
  comparison(r, t);
  size_t operands = r.inst.mode2 ? 4 : 3;
  r.expectCount(operands, operands);
  const ast::Operand &d = r.operand(0);
  if (d.kind == ast::Operand::Pair) {
    if (t == Type::F16 || t == Type::BF16)
      r.fail("has one result");
    r.inst.pd.push_back(r.predicateDestination(d.elements[0]));
    r.inst.pd.push_back(r.predicateDestination(d.elements[1]));
  } else {
    r.inst.pd.push_back(r.predicateDestination(d));
  }
  if ((t == Type::F16x2 || t == Type::BF16x2) && r.inst.pd.size() != 2)
    r.fail("a packed comparison needs p|q");
  r.addSource(1, t);
  r.addSource(2, t);
  if (r.inst.mode2)
    r.inst.ps.push_back(r.predicateSource(r.operand(3)));
  r.inst.opClass = isFloat(t) ? OpClass::Float : OpClass::Integer;
  r.inst.handler = setpHandler(t);
}

/// set: all ones (integers) or 1.0 where the comparison holds. type: of the result; type2: of the operands.
void set(Exec &x, const Inst &inst) {
  Lanes &d = x.d();
  uint32_t c = inst.ps.empty() ? 0 : x.predicate(inst.ps[0]);
  Compare compare = comparator(inst.type2);
  uint32_t low = combine(inst, compare(x, inst, 0), c), high = 0;
  bool isPacked = bitWidth(inst.type2) == 32 && (inst.type2 == Type::F16x2 || inst.type2 == Type::BF16x2);
  if (isPacked)
    high = combine(inst, compare(x, inst, 16), c);
  x.forLanes([&](unsigned l) {
    bool a = low >> l & 1, b = high >> l & 1;
    switch (inst.type) {
    case Type::F32:
      d[l] = a ? 0x3f800000 : 0;
      break;
    case Type::F16:
      d[l] = a ? 0x3c00 : 0;
      break;
    case Type::BF16:
      d[l] = a ? 0x3f80 : 0;
      break;
    case Type::F16x2:
      d[l] = (a ? 0x3c00u : 0) | (b ? 0x3c000000u : 0);
      break;
    case Type::BF16x2:
      d[l] = (a ? 0x3f80u : 0) | (b ? 0x3f800000u : 0);
      break;
    case Type::U16:
    case Type::S16:
      d[l] = a ? 0xffff : 0;
      break;
    default:
      d[l] = isPacked ? (a ? 0xffffu : 0) | (b ? 0xffff0000u : 0) : a ? 0xffffffffu : 0;
      break;
    }
  });
}

bool setExists(Type result, Type operands) {
  bool isHalf = operands == Type::F16 || operands == Type::BF16;
  if (operands == Type::F16x2 || operands == Type::BF16x2)
    return result == operands || result == Type::U32 || result == Type::S32;
  switch (result) {
  case Type::U16:
  case Type::S16:
    return isHalf;
  case Type::F32:
    return !isHalf;
  case Type::F16:
    return operands != Type::BF16;
  case Type::BF16:
    return operands != Type::F16;
  default:
    return result == Type::U32 || result == Type::S32;
  }
}

void decodeSet(OpReader &r) {
  r.inst.type =
      r.type({Type::U32, Type::S32, Type::F32, Type::F16, Type::BF16, Type::F16x2, Type::BF16x2, Type::U16, Type::S16});
  Type t = r.inst.type2 =
      r.type({Type::B16, Type::B32, Type::B64, Type::U16, Type::U32, Type::U64, Type::S16, Type::S32, Type::S64,
              Type::F32, Type::F64, Type::F16, Type::BF16, Type::F16x2, Type::BF16x2});
  if (!setExists(r.inst.type, t))
    r.fail("has no such pair of types");
  comparison(r, t);
  size_t operands = r.inst.mode2 ? 4 : 3;
  r.expectCount(operands, operands);
  r.addDestination(0, r.inst.type);
  r.addSource(1, t);
  r.addSource(2, t);
  if (r.inst.mode2)
    r.inst.ps.push_back(r.predicateSource(r.operand(3)));
  r.inst.opClass = OpClass::Integer;
  r.inst.handler = set;
}

/// Takes over undefinedness from the chosen side only.
void selp(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1);
  Lanes &d = x.d();
  uint32_t chosen = x.predicate(inst.ps[0]);
  auto defined = [&](RegisterIndex s) { return s >= 0 ? x.frame->defined[s] : ~0u; };
  uint32_t known = (chosen & defined(inst.s[0])) | (~chosen & defined(inst.s[1]));
  eachLane(x.mask, [&](unsigned l) { d[l] = chosen >> l & 1 ? a[l] : b[l]; });
  if (inst.d[0] >= 0)
    x.frame->defined[inst.d[0]] = (x.frame->defined[inst.d[0]] & ~x.mask) | (known & x.mask);
}

void decodeSelp(OpReader &r) {
  Type t = r.type({Type::B16, Type::B32, Type::B64, Type::U16, Type::U32, Type::U64, Type::S16, Type::S32, Type::S64,
                   Type::F32, Type::F64});
  r.expectCount(4, 4);
  r.addDestination(0, t);
  r.addSource(1, t);
  r.addSource(2, t);
  r.inst.ps.push_back(r.predicateSource(r.operand(3)));
  r.inst.opClass = OpClass::Move;
  r.inst.flags |= kPropagatesUndef;
  r.inst.handler = selp;
}

/// type2: of the selector, which picks a when it is not negative.
void slct(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1), &c = x.s(2);
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) {
    float f = fromRaw<float>(c[l]);
    bool first = inst.type2 == Type::S32 ? static_cast<int32_t>(c[l]) >= 0 : (inst.ftz ? flush(f) : f) >= 0;
    d[l] = first ? a[l] : b[l];
  });
}

void decodeSlct(OpReader &r) {
  Type t = r.type({Type::B16, Type::B32, Type::B64, Type::U16, Type::U32, Type::U64, Type::S16, Type::S32, Type::S64,
                   Type::F32, Type::F64});
  r.inst.type2 = r.type({Type::S32, Type::F32});
  r.inst.ftz = r.inst.type2 == Type::F32 && r.accept(".ftz");
  r.expectCount(4, 4);
  r.addDestination(0, t);
  r.addSource(1, t);
  r.addSource(2, t);
  r.addSource(3, r.inst.type2);
  r.inst.opClass = OpClass::Move;
  r.inst.handler = slct;
}

} // namespace

void addComparisonOps(OpcodeTable &t) {
  t["setp"] = decodeSetp;
  t["set"] = decodeSet;
  t["selp"] = decodeSelp;
  t["slct"] = decodeSlct;
}

} // namespace ptxemu
