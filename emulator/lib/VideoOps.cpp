//===- VideoOps.cpp - Video instructions ---------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanewise.h"
#include <algorithm>
#include <cstdlib>

namespace ptxemu {

namespace {

// PTX ISA, "Video Instructions": every operand is a 32-bit register of which a byte, a half or all is taken, widened
// with its type's sign; results fit 64 bits.

enum VideoOp : uint8_t { kAdd, kSub, kAverage, kAbsoluteDifference, kMin, kMax, kShiftLeft, kShiftRight, kSet, kMad };
enum Secondary : uint8_t { kNone, kSecondAdd, kSecondMin, kSecondMax };
enum Comparison : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };

/// Parts of `bits` bits that stand at multiples of that.
struct Selector {
  unsigned bits = 32;
  std::array<uint8_t, 4> parts{0, 0, 0, 0}; ///< the part that element i is taken from
};

struct VideoInfo {
  VideoOp op = kAdd;
  Secondary second = kNone;
  Comparison comparison = kEq;
  bool signedD = false, signedA = false, signedB = false, saturate = false, wraps = false;
  bool merges = false;              ///< a part of d is replaced, the rest comes from c
  unsigned elements = 1, bits = 32; ///< of a SIMD instruction
  unsigned mask = 0;                ///< its elements that are written, or accumulated
  Selector a, b, d;
  bool negateProduct = false, negateC = false, plusOne = false;
  unsigned shift = 0; ///< vmad's scale
};

int64_t extend(uint64_t value, unsigned bits, bool isSigned) {
  value &= (1ull << bits) - 1;
  return isSigned && value >> (bits - 1) ? static_cast<int64_t>(value) - (int64_t(1) << bits)
                                         : static_cast<int64_t>(value);
}

int64_t clampTo(int64_t v, unsigned bits, bool isSigned) {
  const int64_t one = 1;
  return isSigned ? std::clamp(v, -(one << (bits - 1)), (one << (bits - 1)) - 1)
                  : std::clamp<int64_t>(v, 0, (one << bits) - 1);
}

int64_t primary(const VideoInfo &i, int64_t a, int64_t b) {
  switch (i.op) {
  case kAdd:
    return a + b;
  case kSub:
    return a - b;
  case kAverage:
    return (a + b + (a + b >= 0)) >> 1;
  case kAbsoluteDifference:
    return std::abs(a - b);
  case kMin:
    return std::min(a, b);
  case kMax:
    return std::max(a, b);
  case kShiftLeft:
  case kShiftRight:
    b = i.wraps ? b & 31 : std::min<int64_t>(b, 32);
    return i.op == kShiftRight ? a >> b : static_cast<int64_t>(static_cast<uint64_t>(a) << b);
  default: {
    const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
    return results[i.comparison];
  }
  }
}

int64_t secondary(const VideoInfo &i, int64_t v, int64_t c) {
  switch (i.second) {
  case kSecondAdd:
    return v + c;
  case kSecondMin:
    return std::min(v, c);
  case kSecondMax:
    return std::max(v, c);
  default:
    return v;
  }
}

/// `value` in place of a part of `into`.
uint32_t merge(uint32_t into, uint64_t value, unsigned bits, unsigned part) {
  const uint32_t mask = static_cast<uint32_t>(((1ull << bits) - 1) << (bits * part));
  return (into & ~mask) | (static_cast<uint32_t>(value << (bits * part)) & mask);
}

/// s: a, b, [c]
void scalar(Exec &x, const Inst &inst) {
  const auto &i = inst.as<VideoInfo>();
  const Lanes &a = x.s(0), &b = x.s(1);
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) {
    const uint64_t c = inst.s.size() > 2 ? x.s(2)[l] : 0;
    int64_t v = primary(i, extend(a[l] >> (i.a.bits * i.a.parts[0]), i.a.bits, i.signedA),
                        extend(b[l] >> (i.b.bits * i.b.parts[0]), i.b.bits, i.signedB));
    if (i.saturate)
      v = clampTo(v, i.d.bits, i.signedD);
    v = secondary(i, v, extend(c, 32, i.signedD));
    d[l] = i.merges ? merge(static_cast<uint32_t>(c), static_cast<uint64_t>(v), i.d.bits, i.d.parts[0])
                    : static_cast<uint32_t>(v);
  });
}

/// s: a, b, c
void multiplyAdd(Exec &x, const Inst &inst) {
  const auto &i = inst.as<VideoInfo>();
  const Lanes &a = x.s(0), &b = x.s(1), &c = x.s(2);
  Lanes &d = x.d();
  const bool isSigned = i.signedA || i.signedB || i.negateProduct || i.negateC;
  x.forLanes([&](unsigned l) {
    const __int128 product = static_cast<__int128>(extend(a[l] >> (i.a.bits * i.a.parts[0]), i.a.bits, i.signedA)) *
                             extend(b[l] >> (i.b.bits * i.b.parts[0]), i.b.bits, i.signedB);
    const __int128 addend = extend(c[l], 32, isSigned);
    const __int128 sum = (i.negateProduct ? -product : product) + (i.negateC ? -addend : addend) + (i.plusOne ? 1 : 0);
    int64_t result = static_cast<int64_t>(sum >> i.shift);
    if (i.saturate)
      result = clampTo(result, 32, isSigned);
    d[l] = static_cast<uint32_t>(result);
  });
}

/// s: a, b, c. Elements of a and b are any of both registers'.
void simd(Exec &x, const Inst &inst) {
  const auto &i = inst.as<VideoInfo>();
  const Lanes &a = x.s(0), &b = x.s(1), &c = x.s(2);
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) {
    const uint64_t both = b[l] << 32 | static_cast<uint32_t>(a[l]);
    uint32_t result = static_cast<uint32_t>(c[l]);
    for (unsigned e = 0; e < i.elements; ++e) {
      if (!(i.mask >> e & 1))
        continue;
      int64_t v = primary(i, extend(both >> (i.bits * i.a.parts[e]), i.bits, i.signedA),
                          extend(both >> (i.bits * i.b.parts[e]), i.bits, i.signedB));
      if (i.saturate)
        v = clampTo(v, i.bits, i.signedD);
      if (i.second == kSecondAdd)
        result += static_cast<uint32_t>(v);
      else
        result = merge(result, static_cast<uint64_t>(v), i.bits, e);
    }
    d[l] = result;
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// .b0 … .b3, .h0, .h1 of a scalar instruction's operand.
Selector readPart(OpReader &r, const ast::Operand &o) {
  Selector s;
  if (o.selector.empty())
    return s;
  s.bits = o.selector[1] == 'b' ? 8 : 16;
  s.parts[0] = static_cast<uint8_t>(o.selector[2] - '0');
  if (o.selector.size() != 3 || s.parts[0] >= 32 / s.bits)
    r.fail("'" + o.selector + "' selects no part of a register");
  return s;
}

/// .hxy or .bxyzw of a SIMD instruction's source: the last digit is element 0's.
Selector readParts(OpReader &r, const ast::Operand &o, const VideoInfo &i, unsigned first) {
  Selector s;
  s.bits = i.bits;
  const char letter = i.elements == 2 ? 'h' : 'b';
  if (!o.selector.empty() && (o.selector[1] != letter || o.selector.size() != 2 + i.elements))
    r.fail("'" + o.selector + "' selects no " + std::to_string(i.elements) + " elements");
  for (unsigned e = 0; e < i.elements; ++e)
    s.parts[e] = static_cast<uint8_t>(o.selector.empty() ? first + e : o.selector[o.selector.size() - 1 - e] - '0');
  if (*std::max_element(s.parts.begin(), s.parts.end()) >= 2 * i.elements)
    r.fail("'" + o.selector + "' names elements that the two sources do not have");
  return s;
}

/// The elements of d that are written: .h10, .b310 …, from the highest down.
unsigned readMask(OpReader &r, const ast::Operand &o, const VideoInfo &i) {
  if (o.selector.empty())
    return (1u << i.elements) - 1;
  unsigned mask = 0, above = i.elements;
  for (char digit : o.selector.substr(2)) {
    const unsigned element = static_cast<unsigned>(digit - '0');
    if (element >= above || o.selector[1] != (i.elements == 2 ? 'h' : 'b'))
      r.fail("'" + o.selector + "' is no mask of elements");
    mask |= 1u << element;
    above = element;
  }
  return mask;
}

/// The operand without what video instructions may say of it.
ast::Operand bare(const ast::Operand &o) {
  ast::Operand plain = o;
  plain.selector.clear();
  plain.minus = false;
  return plain;
}

bool readSign(OpReader &r) {
  return r.type({Type::U32, Type::S32}) == Type::S32;
}

void readComparison(OpReader &r, VideoInfo &i) {
  constexpr std::string_view names[] = {".eq", ".ne", ".lt", ".le", ".gt", ".ge"};
  const std::string name = r.expectAny({".eq", ".ne", ".lt", ".le", ".gt", ".ge"}, "a comparison");
  i.comparison = static_cast<Comparison>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
}

void readTypes(OpReader &r, VideoInfo &i) {
  if (i.op != kSet)
    i.signedD = readSign(r);
  i.signedA = readSign(r);
  i.signedB = readSign(r);
  if (i.op == kSet)
    return readComparison(r, i);
  i.saturate = r.accept(".sat");
  if (i.op != kShiftLeft && i.op != kShiftRight)
    return;
  if (i.signedB)
    r.fail("the shift amount is unsigned");
  i.wraps = r.expectAny({".clamp", ".wrap"}, ".clamp or .wrap") == ".wrap";
}

void takeOperands(OpReader &r) {
  r.inst.d.push_back(r.destination(bare(r.operand(0)), Type::B32));
  for (size_t n = 1; n < r.count(); ++n)
    r.inst.s.push_back(r.source(bare(r.operand(n)), Type::B32));
}

void refuseSigns(OpReader &r) {
  for (const ast::Operand &o : r.ast.operands)
    if (o.minus)
      r.fail("an operand has no sign here");
}

void decodeScalar(OpReader &r, VideoOp op) {
  auto info = std::make_shared<VideoInfo>();
  VideoInfo &i = *info;
  i.op = op;
  readTypes(r, i);
  const std::string second = r.acceptAny({".add", ".min", ".max"});
  i.second = second == ".add" ? kSecondAdd : second == ".min" ? kSecondMin : second == ".max" ? kSecondMax : kNone;
  r.expectCount(3, 4);
  refuseSigns(r);
  i.d = readPart(r, r.operand(0));
  i.a = readPart(r, r.operand(1));
  i.b = readPart(r, r.operand(2));
  i.merges = !r.operand(0).selector.empty();
  if ((r.count() == 4) != (i.merges || i.second != kNone) || (i.merges && i.second != kNone) ||
      (r.count() == 4 && !r.operand(3).selector.empty()))
    r.fail("a third source goes with a second operation or with a part of the destination");
  takeOperands(r);
  r.inst.extra = info;
  r.inst.handler = scalar;
}

void decodeMultiplyAdd(OpReader &r) {
  auto info = std::make_shared<VideoInfo>();
  VideoInfo &i = *info;
  i.op = kMad;
  readTypes(r, i);
  i.plusOne = r.accept(".po");
  const std::string scale = r.acceptAny({".shr7", ".shr15"});
  i.shift = scale.empty() ? 0 : scale == ".shr7" ? 7 : 15;
  r.expectCount(4, 4);
  i.a = readPart(r, r.operand(1));
  i.b = readPart(r, r.operand(2));
  i.negateProduct = r.operand(1).minus != r.operand(2).minus;
  i.negateC = r.operand(3).minus;
  const bool isNegated = r.operand(1).minus || r.operand(2).minus;
  if ((i.plusOne && (isNegated || i.negateC)) || (i.negateProduct && i.negateC))
    r.fail("either the product or the addend can be negated, and neither with .po");
  if (r.operand(0).minus || !r.operand(0).selector.empty() || !r.operand(3).selector.empty())
    r.fail("the destination and the addend are whole registers");
  takeOperands(r);
  r.inst.extra = info;
  r.inst.handler = multiplyAdd;
}

void decodeSimd(OpReader &r, VideoOp op, unsigned elements) {
  auto info = std::make_shared<VideoInfo>();
  VideoInfo &i = *info;
  i.op = op;
  i.elements = elements;
  i.bits = 32 / elements;
  readTypes(r, i);
  i.second = r.accept(".add") ? kSecondAdd : kNone;
  if (i.second != kNone && i.saturate)
    r.fail("nothing saturates that is accumulated");
  r.expectCount(4, 4);
  refuseSigns(r);
  i.mask = readMask(r, r.operand(0), i);
  i.a = readParts(r, r.operand(1), i, 0);
  i.b = readParts(r, r.operand(2), i, elements);
  if (!r.operand(3).selector.empty())
    r.fail("the third source is a whole register");
  takeOperands(r);
  r.inst.extra = info;
  r.inst.handler = simd;
}

template <VideoOp op>
void addScalar(OpcodeTable &t, const char *name) {
  t[name] = [](OpReader &r) {
    r.inst.opClass = OpClass::Integer;
    decodeScalar(r, op);
  };
}

template <VideoOp op>
void addSimd(OpcodeTable &t, const std::string &name) {
  t[name + "2"] = [](OpReader &r) {
    r.inst.opClass = OpClass::Integer;
    decodeSimd(r, op, 2);
  };
  t[name + "4"] = [](OpReader &r) {
    r.inst.opClass = OpClass::Integer;
    decodeSimd(r, op, 4);
  };
}

} // namespace

void addVideoOps(OpcodeTable &t) {
  addScalar<kAdd>(t, "vadd");
  addScalar<kSub>(t, "vsub");
  addScalar<kAbsoluteDifference>(t, "vabsdiff");
  addScalar<kMin>(t, "vmin");
  addScalar<kMax>(t, "vmax");
  addScalar<kShiftLeft>(t, "vshl");
  addScalar<kShiftRight>(t, "vshr");
  addScalar<kSet>(t, "vset");
  addSimd<kAdd>(t, "vadd");
  addSimd<kSub>(t, "vsub");
  addSimd<kAverage>(t, "vavrg");
  addSimd<kAbsoluteDifference>(t, "vabsdiff");
  addSimd<kMin>(t, "vmin");
  addSimd<kMax>(t, "vmax");
  addSimd<kSet>(t, "vset");
  t["vmad"] = [](OpReader &r) {
    r.inst.opClass = OpClass::Integer;
    decodeMultiplyAdd(r);
  };
}

} // namespace ptxemu
