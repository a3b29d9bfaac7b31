//===- BitOps.cpp - Logic, shifts and bit fields -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Definedness.h"
#include "Lanewise.h"
#include <bit>

namespace ptxemu {

namespace {

struct And {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};
struct Not {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct CNot {
  template <class T>
  T operator()(T a) const {
    return a == 0;
  }
};

template <class Op>
Handler bitsBinary(Type t) {
  return t == Type::B16   ? binary<uint16_t, Op>
         : t == Type::B32 ? binary<uint32_t, Op>
         : t == Type::B64 ? binary<uint64_t, Op>
                          : Handler(nullptr);
}
template <class Op>
Handler bitsUnary(Type t) {
  return t == Type::B16   ? unary<uint16_t, Op>
         : t == Type::B32 ? unary<uint32_t, Op>
         : t == Type::B64 ? unary<uint64_t, Op>
                          : Handler(nullptr);
}

/// mode 0 and, 1 or, 2 xor, 3 not
void predicateLogic(Exec &x, const Inst &inst) {
  uint32_t a = x.predicate(inst.ps[0]), b = inst.ps.size() > 1 ? x.predicate(inst.ps[1]) : 0;
  x.setPredicate(inst.pd[0], inst.mode == 0 ? a & b : inst.mode == 1 ? a | b : inst.mode == 2 ? a ^ b : ~a);
}

template <class Op, unsigned Mode>
void decodeLogic(OpReader &r) {
  constexpr bool isUnary = Mode >= 3;
  Type t = r.type({Type::Pred, Type::B16, Type::B32, Type::B64});
  r.expectCount(isUnary ? 2 : 3, isUnary ? 2 : 3);
  r.inst.opClass = OpClass::Integer;
  if (t == Type::Pred) {
    r.inst.pd.push_back(r.predicateDestination(r.operand(0)));
    for (size_t i = 1; i < r.count(); ++i)
      r.inst.ps.push_back(r.predicateSource(r.operand(i)));
    r.inst.mode = Mode;
    r.inst.handler = Mode == 4 ? nullptr : predicateLogic;
    return;
  }
  r.addDestination(0, t);
  for (size_t i = 1; i < r.count(); ++i)
    r.addSource(i, t);
  if constexpr (isUnary)
    r.inst.handler = bitsUnary<Op>(t);
  else
    r.inst.handler = bitsBinary<Op>(t);
}

//===--- Shifts -----------------------------------------------------------===//

// The amount is an unsigned 32-bit value; amounts past the width give what shifting step by step would.
template <class T>
void shiftLeft(Exec &x, const Inst &) {
  const Lanes &a = x.s(0), &b = x.s(1);
  Lanes &d = x.d();
  eachLane(x.mask, [&](unsigned l) {
    uint32_t n = static_cast<uint32_t>(b[l]);
    d[l] = n >= sizeof(T) * 8 ? 0 : static_cast<T>(a[l] << n);
  });
}

template <class T>
void shiftRight(Exec &x, const Inst &) {
  const Lanes &a = x.s(0), &b = x.s(1);
  Lanes &d = x.d();
  eachLane(x.mask, [&](unsigned l) {
    uint32_t n = static_cast<uint32_t>(b[l]), most = sizeof(T) * 8 - 1;
    T value = static_cast<T>(a[l]);
    if (n > most)
      d[l] = toRaw<T>(std::is_signed_v<T> ? static_cast<T>(value >> most) : T(0));
    else
      d[l] = toRaw<T>(static_cast<T>(value >> n));
  });
}

void decodeShift(OpReader &r) {
  bool left = r.ast.opcode == "shl";
  Type t =
      left
          ? r.type({Type::B16, Type::B32, Type::B64})
          : r.type({Type::B16, Type::B32, Type::B64, Type::U16, Type::U32, Type::U64, Type::S16, Type::S32, Type::S64});
  r.expectCount(3, 3);
  r.inst.opClass = OpClass::Integer;
  r.addDestination(0, t);
  r.addSource(1, t);
  r.addSource(2, Type::U32);
  switch (t) {
  case Type::S16:
    r.inst.handler = shiftRight<int16_t>;
    return;
  case Type::S32:
    r.inst.handler = shiftRight<int32_t>;
    return;
  case Type::S64:
    r.inst.handler = shiftRight<int64_t>;
    return;
  default:
    break;
  }
  switch (bitWidth(t)) {
  case 16:
    r.inst.handler = left ? shiftLeft<uint16_t> : shiftRight<uint16_t>;
    return;
  case 32:
    r.inst.handler = left ? shiftLeft<uint32_t> : shiftRight<uint32_t>;
    return;
  default:
    r.inst.handler = left ? shiftLeft<uint64_t> : shiftRight<uint64_t>;
    return;
  }
}

struct FunnelLeftWrap {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    c &= 31;
    return c ? (b << c) | (a >> (32 - c)) : b;
  }
};
struct FunnelLeftClamp {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    return c >= 32 ? a : c ? (b << c) | (a >> (32 - c)) : b;
  }
};
struct FunnelRightWrap {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    c &= 31;
    return c ? (b << (32 - c)) | (a >> c) : a;
  }
};
struct FunnelRightClamp {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    return c >= 32 ? b : c ? (b << (32 - c)) | (a >> c) : a;
  }
};

void decodeFunnel(OpReader &r) {
  bool left = r.expectAny({".l", ".r"}, ".l or .r") == ".l",
       wrap = r.expectAny({".wrap", ".clamp"}, ".wrap or .clamp") == ".wrap";
  Type t = r.type({Type::B32});
  r.expectCount(4, 4);
  r.inst.opClass = OpClass::Integer;
  r.addDestination(0, t);
  for (unsigned i = 1; i < 4; ++i)
    r.addSource(i, t);
  r.inst.handler = left ? (wrap ? ternary<uint32_t, FunnelLeftWrap> : ternary<uint32_t, FunnelLeftClamp>)
                        : (wrap ? ternary<uint32_t, FunnelRightWrap> : ternary<uint32_t, FunnelRightClamp>);
}

//===--- Counting and fields ----------------------------------------------===//

struct PopCount {
  template <class T>
  uint32_t operator()(T a) const {
    return static_cast<uint32_t>(std::popcount(a));
  }
};
struct LeadingZeros {
  template <class T>
  uint32_t operator()(T a) const {
    return static_cast<uint32_t>(std::countl_zero(a));
  }
};
struct Reverse {
  template <class T>
  T operator()(T a) const {
    T r = 0;
    for (unsigned i = 0; i < sizeof(T) * 8; ++i)
      r |= (a >> i & 1) << (sizeof(T) * 8 - 1 - i);
    return r;
  }
};

template <class Op>
void decodeCount(OpReader &r) {
  Type t = r.type({Type::B32, Type::B64});
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Integer;
  r.addDestination(0, Type::U32);
  r.addSource(1, t);
  r.inst.handler = t == Type::B32 ? unary<uint32_t, Op, uint32_t> : unary<uint64_t, Op, uint32_t>;
}

void decodeReverse(OpReader &r) {
  Type t = r.type({Type::B32, Type::B64});
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Integer;
  r.addDestination(0, t);
  r.addSource(1, t);
  r.inst.handler = t == Type::B32 ? unary<uint32_t, Reverse> : unary<uint64_t, Reverse>;
}

/// Position of the most significant bit that is not sign; flag: as a shift amount.
void bfind(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0);
  Lanes &d = x.d();
  unsigned width = bitWidth(inst.type);
  x.forLanes([&](unsigned l) {
    uint64_t v = width == 32 ? static_cast<uint32_t>(a[l]) : a[l];
    if (isSignedInteger(inst.type) && v >> (width - 1))
      v = ~v & (width == 32 ? 0xffffffffull : ~0ull);
    if (v == 0) {
      d[l] = 0xffffffff;
      return;
    }
    uint32_t position = 63 - static_cast<uint32_t>(std::countl_zero(v));
    d[l] = inst.flag ? width - 1 - position : position;
  });
}

void decodeBfind(OpReader &r) {
  r.inst.flag = r.accept(".shiftamt");
  Type t = r.inst.type = r.type({Type::U32, Type::U64, Type::S32, Type::S64});
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Integer;
  r.addDestination(0, Type::U32);
  r.addSource(1, t);
  r.inst.handler = bfind;
}

void bfe(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1), &c = x.s(2);
  Lanes &d = x.d();
  unsigned msb = bitWidth(inst.type) - 1;
  bool isSigned = isSignedInteger(inst.type);
  x.forLanes([&](unsigned l) {
    uint64_t v = a[l];
    unsigned position = b[l] & 0xff, length = c[l] & 0xff;
    bool sign = isSigned && length ? v >> std::min(position + length - 1, msb) & 1 : false;
    uint64_t result = 0;
    for (unsigned i = 0; i <= msb; ++i) {
      bool bit = i < length && position + i <= msb ? v >> (position + i) & 1 : sign;
      result |= static_cast<uint64_t>(bit) << i;
    }
    d[l] = result;
  });
}

void decodeBfe(OpReader &r) {
  Type t = r.inst.type = r.type({Type::U32, Type::U64, Type::S32, Type::S64});
  r.expectCount(4, 4);
  r.inst.opClass = OpClass::Integer;
  r.addDestination(0, t);
  r.addSource(1, t);
  r.addSource(2, Type::U32);
  r.addSource(3, Type::U32);
  r.inst.handler = bfe;
}

void bfi(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1), &c = x.s(2), &len = x.s(3);
  Lanes &d = x.d();
  unsigned width = bitWidth(inst.type);
  x.forLanes([&](unsigned l) {
    unsigned position = c[l] & 0xff, length = len[l] & 0xff;
    uint64_t result = b[l];
    for (unsigned i = 0; i < length && position + i < width; ++i)
      result = (result & ~(1ull << (position + i))) | (a[l] >> i & 1) << (position + i);
    d[l] = result;
  });
}

void decodeBfi(OpReader &r) {
  Type t = r.inst.type = r.type({Type::B32, Type::B64});
  r.expectCount(5, 5);
  r.inst.opClass = OpClass::Integer;
  r.addDestination(0, t);
  r.addSource(1, t);
  r.addSource(2, t);
  r.addSource(3, Type::U32);
  r.addSource(4, Type::U32);
  r.inst.handler = bfi;
}

/// mode: clamp (else wrap).
void bmsk(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1);
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) {
    uint32_t position = static_cast<uint32_t>(a[l]), width = static_cast<uint32_t>(b[l]);
    if (!inst.mode)
      position &= 31, width &= 31;
    uint64_t ones = width >= 32 ? 0xffffffffull : (1ull << width) - 1;
    d[l] = position >= 32 ? 0 : static_cast<uint32_t>(ones << position);
  });
}

void decodeBmsk(OpReader &r) {
  r.inst.mode = r.expectAny({".clamp", ".wrap"}, ".clamp or .wrap") == ".clamp";
  Type t = r.type({Type::B32});
  r.expectCount(3, 3);
  r.inst.opClass = OpClass::Integer;
  r.addDestination(0, t);
  r.addSource(1, t);
  r.addSource(2, t);
  r.inst.handler = bmsk;
}

/// mode: clamp (else wrap); type: how to extend.
void szext(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1);
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) {
    uint32_t v = static_cast<uint32_t>(a[l]), n = static_cast<uint32_t>(b[l]);
    if (!inst.mode)
      n &= 31;
    if (n >= 32)
      d[l] = v;
    else if (n == 0)
      d[l] = 0;
    else
      d[l] = inst.type == Type::S32 ? static_cast<uint32_t>(static_cast<int32_t>(v << (32 - n)) >> (32 - n))
                                    : v & ((1u << n) - 1);
  });
}

void decodeSzext(OpReader &r) {
  r.inst.mode = r.expectAny({".clamp", ".wrap"}, ".clamp or .wrap") == ".clamp";
  Type t = r.inst.type = r.type({Type::U32, Type::S32});
  r.expectCount(3, 3);
  r.inst.opClass = OpClass::Integer;
  r.addDestination(0, t);
  r.addSource(1, t);
  r.addSource(2, Type::U32);
  r.inst.handler = szext;
}

void fns(Exec &x, const Inst &) {
  const Lanes &mask = x.s(0), &base = x.s(1), &offset = x.s(2);
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) {
    uint32_t m = static_cast<uint32_t>(mask[l]), position = static_cast<uint32_t>(base[l]);
    int64_t n = static_cast<int32_t>(offset[l]);
    d[l] = 0xffffffff;
    if (n == 0) {
      if (position < 32 && m >> position & 1)
        d[l] = position;
      return;
    }
    int64_t step = n > 0 ? 1 : -1, left = n > 0 ? n : -n;
    for (int64_t p = position; p >= 0 && p < 32; p += step)
      if (m >> p & 1 && --left == 0) {
        d[l] = static_cast<uint32_t>(p);
        return;
      }
  });
}

void decodeFns(OpReader &r) {
  r.type({Type::B32});
  r.expectCount(4, 4);
  r.inst.opClass = OpClass::Integer;
  r.addDestination(0, Type::B32);
  for (unsigned i = 1; i < 4; ++i)
    r.addSource(i, Type::B32);
  r.inst.handler = fns;
}

//===--- prmt, lop3 -------------------------------------------------------===//

uint32_t permute(uint32_t a, uint32_t b, uint32_t selector, unsigned mode) {
  uint64_t bytes = a | static_cast<uint64_t>(b) << 32;
  auto byte = [&](unsigned i) { return static_cast<uint32_t>(bytes >> (8 * (i & 7)) & 0xff); };
  uint32_t result = 0, c = selector & 3;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t value = 0;
    switch (mode) {
    case 0: { // default: a selector nibble a byte; its top bit replicates the sign
      uint32_t nibble = selector >> (4 * i) & 15;
      value = byte(nibble);
      if (nibble & 8)
        value = value & 0x80 ? 0xff : 0;
      break;
    }
    case 1:
      value = byte(c + i);
      break; // f4e
    case 2:
      value = byte((c - i) & 7);
      break; // b4e
    case 3:
      value = byte(c);
      break; // rc8
    case 4:
      value = byte(i < c ? c : i);
      break; // ecl
    case 5:
      value = byte(i > c ? c : i);
      break; // ecr
    case 6:
      value = byte((selector & 1) * 2 + (i & 1));
      break; // rc16
    }
    result |= value << (8 * i);
  }
  return result;
}

/// Copies bytes, and undefinedness as packing does: what is partly defined counts as defined.
template <unsigned Mode>
void permuteLanes(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1), &selector = x.s(2);
  Lanes &d = x.d();
  uint32_t known = (definedLanes(x, inst.s[0]) | definedLanes(x, inst.s[1])) & definedLanes(x, inst.s[2]);
  x.forLanes([&](unsigned l) {
    d[l] = permute(static_cast<uint32_t>(a[l]), static_cast<uint32_t>(b[l]), static_cast<uint32_t>(selector[l]), Mode);
  });
  markDefined(x, inst.d[0], known);
}

void decodePrmt(OpReader &r) {
  r.type({Type::B32});
  std::string mode = r.acceptAny({".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"});
  r.expectCount(4, 4);
  r.inst.opClass = OpClass::Integer;
  r.addDestination(0, Type::B32);
  for (unsigned i = 1; i < 4; ++i)
    r.addSource(i, Type::B32);
  r.inst.flags |= kPropagatesUndef;
  r.inst.handler = mode == ".f4e"    ? permuteLanes<1>
                   : mode == ".b4e"  ? permuteLanes<2>
                   : mode == ".rc8"  ? permuteLanes<3>
                   : mode == ".ecl"  ? permuteLanes<4>
                   : mode == ".ecr"  ? permuteLanes<5>
                   : mode == ".rc16" ? permuteLanes<6>
                                     : permuteLanes<0>;
}

uint32_t lookupTable(uint32_t a, uint32_t b, uint32_t c, unsigned table) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (table >> i & 1)
      result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}

/// With .or/.and the predicate result combines "any bit set" with q.
void lop3(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1), &c = x.s(2);
  Lanes &d = x.d();
  uint32_t nonzero = 0;
  x.forLanes([&](unsigned l) {
    d[l] = lookupTable(static_cast<uint32_t>(a[l]), static_cast<uint32_t>(b[l]), static_cast<uint32_t>(c[l]),
                       static_cast<unsigned>(inst.offset));
    nonzero |= static_cast<uint32_t>(d[l] != 0) << l;
  });
  if (inst.mode) {
    uint32_t q = x.predicate(inst.ps[0]);
    x.setPredicate(inst.pd[0], inst.mode == 1 ? nonzero | q : nonzero & q);
  }
}

void decodeLop3(OpReader &r) {
  r.inst.mode = r.accept(".or") ? 1 : r.accept(".and") ? 2 : 0;
  r.type({Type::B32});
  r.expectCount(r.inst.mode ? 6 : 5, r.inst.mode ? 6 : 5);
  r.inst.opClass = OpClass::Integer;
  const ast::Operand *d = &r.operand(0);
  if (r.inst.mode) {
    if (d->kind != ast::Operand::Pair)
      r.fail("needs d|p");
    r.inst.pd.push_back(r.predicateDestination(d->elements[1]));
    r.inst.ps.push_back(r.predicateSource(r.operand(5)));
    d = &d->elements[0];
  }
  r.inst.d.push_back(r.destination(*d, Type::B32));
  for (unsigned i = 1; i < 4; ++i)
    r.addSource(i, Type::B32);
  r.inst.offset = static_cast<int64_t>(r.integer(r.operand(4)) & 0xff);
  r.inst.handler = lop3;
}

} // namespace

void addBitOps(OpcodeTable &t) {
  t["and"] = decodeLogic<And, 0>;
  t["or"] = decodeLogic<Or, 1>;
  t["xor"] = decodeLogic<Xor, 2>;
  t["not"] = decodeLogic<Not, 3>;
  t["cnot"] = decodeLogic<CNot, 4>;
  t["shl"] = t["shr"] = decodeShift;
  t["shf"] = decodeFunnel;
  t["popc"] = decodeCount<PopCount>;
  t["clz"] = decodeCount<LeadingZeros>;
  t["brev"] = decodeReverse;
  t["bfind"] = decodeBfind;
  t["bfe"] = decodeBfe;
  t["bfi"] = decodeBfi;
  t["bmsk"] = decodeBmsk;
  t["szext"] = decodeSzext;
  t["fns"] = decodeFns;
  t["prmt"] = decodePrmt;
  t["lop3"] = decodeLop3;
}

} // namespace ptxemu
