//===- Mma.cpp - mma.sync ------------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "FloatMath.h"
#include "Lanewise.h"
#include "Machine.h"
#include "MmaTypes.h"
#include <cstdio>

namespace ptxemu {

namespace {

/// Every m8n8 and m16n8 fragment follows one rule. A lane has a group g = lane / 4 and a place t = lane % 4. A register
/// holds P consecutive elements along k; A's registers alternate rows g and g + 8 (m16 only), then step 4P along k; B's
/// step 4P along k in column g; C holds columns 2t, 2t + 1 of row g, then of row g + 8.
struct MmaShape {
  unsigned m, n, k;
};

struct MmaInfo {
  MmaShape shape{};
  Type d = Type::None, a = Type::None, b = Type::None, c = Type::None;
  unsigned registerBits = 32, containerBits = 0; ///< of A and B; an element's container may be wider than the element
  bool isInteger = false, saturate = false, isBinary = false, binaryAnd = false;
  unsigned aRegisters = 0, bRegisters = 0, cRegisters = 0, dRegisters = 0;
};

constexpr unsigned kMaxK = 256;

struct Tiles {
  double a[16][kMaxK], b[kMaxK][8];
};

void readA(Exec &x, const MmaInfo &i, unsigned first, double (*a)[kMaxK], const ElementDecoder &value) {
  unsigned perRegister = i.registerBits / i.containerBits, rows = i.shape.m / 8;
  for (unsigned r = 0; r < i.aRegisters; ++r) {
    const Lanes &s = x.s(first + r);
    unsigned rowOffset = rows == 2 ? (r & 1) * 8 : 0, block = rows == 2 ? r >> 1 : r;
    for (unsigned l = 0; l < 32; ++l)
      for (unsigned e = 0; e < perRegister; ++e)
        a[l / 4 + rowOffset][block * 4 * perRegister + l % 4 * perRegister + e] = value(s[l] >> (e * i.containerBits));
  }
}

void readB(Exec &x, const MmaInfo &i, unsigned first, double (*b)[8], const ElementDecoder &value) {
  unsigned perRegister = i.registerBits / i.containerBits;
  for (unsigned r = 0; r < i.bRegisters; ++r) {
    const Lanes &s = x.s(first + r);
    for (unsigned l = 0; l < 32; ++l)
      for (unsigned e = 0; e < perRegister; ++e)
        b[r * 4 * perRegister + l % 4 * perRegister + e][l / 4] = value(s[l] >> (e * i.containerBits));
  }
}

bool isPackedAccumulator(Type t) {
  return t == Type::F16;
}

void readC(Exec &x, const MmaInfo &i, unsigned first, double (*c)[8]) {
  for (unsigned r = 0; r < i.cRegisters; ++r) {
    const Lanes &s = x.s(first + r);
    for (unsigned l = 0; l < 32; ++l) {
      unsigned g = l / 4, t = l % 4;
      if (isPackedAccumulator(i.c)) {
        for (unsigned e = 0; e < 2; ++e)
          c[g + 8 * r][2 * t + e] = halfToDouble(static_cast<uint16_t>(s[l] >> (16 * e)));
      } else {
        double v = i.c == Type::F32   ? fromRaw<float>(s[l])
                   : i.c == Type::F64 ? fromRaw<double>(s[l])
                                      : static_cast<int32_t>(s[l]);
        c[g + 8 * (r >> 1)][2 * t + (r & 1)] = v;
      }
    }
  }
}

uint64_t encodeAccumulator(const MmaInfo &i, double v) {
  switch (i.d) {
  case Type::F32:
    return toRaw(canonical(static_cast<float>(v)));
  case Type::F64:
    return toRaw(v);
  case Type::F16:
    return encodeFloat(v, formatOf(Type::F16));
  default: {
    int64_t n = static_cast<int64_t>(v);
    if (i.saturate)
      n = std::clamp<int64_t>(n, INT32_MIN, INT32_MAX);
    return static_cast<uint32_t>(n);
  }
  }
}

void writeD(Exec &x, const MmaInfo &i, const double (*d)[8]) {
  for (unsigned r = 0; r < i.dRegisters; ++r) {
    Lanes &out = x.d(r);
    for (unsigned l = 0; l < 32; ++l) {
      unsigned g = l / 4, t = l % 4;
      if (isPackedAccumulator(i.d))
        out[l] = encodeAccumulator(i, d[g + 8 * r][2 * t]) | encodeAccumulator(i, d[g + 8 * r][2 * t + 1]) << 16;
      else
        out[l] = encodeAccumulator(i, d[g + 8 * (r >> 1)][2 * t + (r & 1)]);
    }
  }
}

/// Products are exact in double and so, within 29 spare bits, are their sums; one rounding at the end. The ISA leaves
/// the order and precision of the accumulation open.
void mma(Exec &x, const Inst &inst) {
  const auto &i = inst.as<MmaInfo>();
  static thread_local Tiles tiles;
  double c[16][8], (&a)[16][kMaxK] = tiles.a, (&b)[kMaxK][8] = tiles.b;
  readA(x, i, 0, a, ElementDecoder(i.a));
  readB(x, i, i.aRegisters, b, ElementDecoder(i.b));
  readC(x, i, i.aRegisters + i.bRegisters, c);
  for (unsigned row = 0; row < i.shape.m; ++row)
    for (unsigned k = 0; k < i.shape.k; ++k) {
      double v = a[row][k];
      if (i.isBinary)
        for (unsigned col = 0; col < 8; ++col)
          c[row][col] += i.binaryAnd ? v != 0 && b[k][col] != 0 : v != b[k][col];
      else if (i.d == Type::F64)
        for (unsigned col = 0; col < 8; ++col)
          c[row][col] = std::fma(v, b[k][col], c[row][col]);
      else
        for (unsigned col = 0; col < 8; ++col)
          c[row][col] += v * b[k][col];
    }
  writeD(x, i, c);
  x.machine.counters().mmaOperations += static_cast<uint64_t>(i.shape.m) * i.shape.n * i.shape.k;
}

//===--- Decoding ---------------------------------------------------------===//

/// The shapes each pair of element types has.
bool shapeExists(const MmaInfo &i) {
  auto is = [&](unsigned m, unsigned k) { return i.shape.m == m && i.shape.n == 8 && i.shape.k == k; };
  switch (i.a) {
  case Type::F16:
  case Type::BF16:
    return is(16, 8) || is(16, 16);
  case Type::TF32:
    return is(16, 4) || is(16, 8);
  case Type::F64:
    return is(8, 4) || is(16, 4) || is(16, 8) || is(16, 16);
  case Type::S8:
  case Type::U8:
    return is(8, 16) || is(16, 16) || is(16, 32);
  case Type::S4:
  case Type::U4:
    return is(8, 32) || is(16, 32) || is(16, 64);
  case Type::B1:
    return is(8, 128) || is(16, 128) || is(16, 256);
  case Type::E4M3:
  case Type::E5M2:
    return is(16, 16) || is(16, 32);
  case Type::E2M1:
  case Type::E2M3:
  case Type::E3M2:
    return is(16, 32);
  default:
    return false;
  }
}

void checkTypes(OpReader &r, const MmaInfo &i) {
  auto isFloat8 = [](Type t) { return t == Type::E4M3 || t == Type::E5M2; };
  auto isNarrow = [&](Type t) { return isFloat8(t) || t == Type::E2M1 || t == Type::E2M3 || t == Type::E3M2; };
  auto isInt8 = [](Type t) { return t == Type::S8 || t == Type::U8; };
  auto isInt4 = [](Type t) { return t == Type::S4 || t == Type::U4; };
  bool pair =
      i.a == i.b || (isNarrow(i.a) && isNarrow(i.b)) || (isInt8(i.a) && isInt8(i.b)) || (isInt4(i.a) && isInt4(i.b));
  bool accumulator = i.isInteger                              ? i.d == Type::S32 && i.c == Type::S32
                     : i.a == Type::F64                       ? i.d == Type::F64 && i.c == Type::F64
                     : i.a == Type::BF16 || i.a == Type::TF32 ? i.d == Type::F32 && i.c == Type::F32
                                                              : (i.d == Type::F32 || i.d == Type::F16) && i.c == i.d;
  if (!pair || !accumulator || !shapeExists(i))
    r.fail("this combination of shape and types does not exist");
}

void addRegisters(OpReader &r, size_t operand, unsigned count, Type t, bool isResult) {
  auto list = r.elements(r.operand(operand));
  if (list.size() != count)
    r.fail("operand " + std::to_string(operand + 1) + " needs " + std::to_string(count) + " registers");
  for (const ast::Operand *o : list)
    (isResult ? r.inst.d : r.inst.s).push_back(isResult ? r.destination(*o, t) : r.source(*o, t));
}

void readShape(OpReader &r, MmaShape &s) {
  for (size_t n = 0; n < r.rest().size(); ++n)
    if (std::sscanf(r.rest()[n].c_str(), ".m%un%uk%u", &s.m, &s.n, &s.k) == 3)
      return r.takeAt(n);
  r.fail("needs a shape");
}

void decodeMma(OpReader &r) {
  r.expectAny({".sync"}, ".sync");
  r.expectAny({".aligned"}, ".aligned");
  auto info = std::make_shared<MmaInfo>();
  MmaInfo &i = *info;
  readShape(r, i.shape);
  r.expectAny({".row"}, "A in .row");
  r.expectAny({".col"}, "B in .col");
  bool mixed = r.accept(".kind::f8f6f4");
  i.saturate = r.accept(".satfinite");
  Type *types[] = {&i.d, &i.a, &i.b, &i.c};
  for (Type *t : types) {
    auto type = r.acceptType();
    if (!type)
      r.fail("needs four types");
    *t = *type;
  }
  i.isBinary = i.a == Type::B1;
  if (i.isBinary) {
    i.binaryAnd = r.expectAny({".xor", ".and"}, ".xor or .and") == ".and";
    r.expectAny({".popc"}, ".popc");
  }
  if (i.a == Type::F64)
    if (auto rounding = r.acceptRounding(); rounding && *rounding != Rounding::NearestEven)
      r.fail("the emulator knows only .rn here");
  i.isInteger = i.isBinary || i.d == Type::S32;
  checkTypes(r, i);
  bool sub8 = i.a == Type::E2M1 || i.a == Type::E2M3 || i.a == Type::E3M2 || i.b == Type::E2M1 || i.b == Type::E2M3 ||
              i.b == Type::E3M2;
  if (sub8)
    r.fail(mixed ? "the emulator does not know this form" : "needs .kind::f8f6f4");
  if (i.saturate && !i.isInteger)
    r.fail(".satfinite applies to integers");
  i.containerBits = i.a == Type::TF32 ? 32 : bitWidth(i.a);
  i.registerBits = i.a == Type::F64 ? 64 : 32;
  Type word = i.a == Type::F64 ? Type::F64 : Type::B32, accumulator = i.d == Type::F16 ? Type::B32 : i.d;
  i.aRegisters = i.shape.m * i.shape.k * i.containerBits / i.registerBits / 32;
  i.bRegisters = i.shape.n * i.shape.k * i.containerBits / i.registerBits / 32;
  i.dRegisters = i.cRegisters = i.shape.m * i.shape.n / 32 / (i.d == Type::F16 ? 2 : 1);
  r.expectCount(4, 4);
  r.inst.opClass = OpClass::Mma;
  r.inst.flags |= kAligned;
  addRegisters(r, 0, i.dRegisters, accumulator, true);
  addRegisters(r, 1, i.aRegisters, word, false);
  addRegisters(r, 2, i.bRegisters, word, false);
  addRegisters(r, 3, i.cRegisters, accumulator, false);
  r.inst.extra = info;
  r.inst.handler = mma;
}

} // namespace

void addMmaOps(OpcodeTable &t) {
  t["mma"] = decodeMma;
}

} // namespace ptxemu
