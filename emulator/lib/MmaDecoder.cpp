//===- MmaDecoder.cpp - Decoding mma.sync --------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionDecoder.h"
#include "Mma.h"
#include <cstdio>

namespace ptxemu {

namespace {

bool isFloat8(Type t) {
  return t == Type::E4M3 || t == Type::E5M2;
}
bool isNarrowFloat(Type t) {
  return isFloat8(t) || t == Type::E2M1 || t == Type::E2M3 || t == Type::E3M2;
}
bool isInt8(Type t) {
  return t == Type::S8 || t == Type::U8;
}
bool isInt4(Type t) {
  return t == Type::S4 || t == Type::U4;
}

//===----------------------------------------------------------------------===//
// What exists
//===----------------------------------------------------------------------===//

bool sparseShapeExists(const MmaInfo &i) {
  auto k = [&](unsigned one, unsigned two) { return i.shape.m == 16 && (i.shape.k == one || i.shape.k == two); };
  switch (i.a) {
  case Type::F16:
  case Type::BF16:
    return k(16, 32);
  case Type::TF32:
    return k(8, 16);
  case Type::S8:
  case Type::U8:
    return k(32, 64);
  case Type::S4:
  case Type::U4:
    return k(64, 128);
  default:
    return isNarrowFloat(i.a) && k(64, 64);
  }
}

bool denseShapeExists(const MmaInfo &i) {
  auto is = [&](unsigned m, unsigned k) { return i.shape.m == m && i.shape.k == k; };
  switch (i.a) {
  case Type::F16:
    return is(8, 4) || is(16, 8) || is(16, 16);
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
  default:
    return isNarrowFloat(i.a) && (is(16, 32) || (is(16, 16) && isFloat8(i.a) && i.kind == MmaKind::Plain));
  }
}

bool shapeExists(const MmaInfo &i) {
  if (i.shape.n != 8)
    return false;
  if (i.kind == MmaKind::MXF4 || i.kind == MmaKind::MXF4NVF4)
    return i.shape.m == 16 && i.shape.k == (i.sparse ? 128u : 64u);
  return i.sparse ? sparseShapeExists(i) : denseShapeExists(i);
}

bool typesExist(const MmaInfo &i) {
  switch (i.kind) {
  case MmaKind::F8F6F4:
    return isNarrowFloat(i.a) && isNarrowFloat(i.b) && (i.d == Type::F32 || i.d == Type::F16) && i.c == i.d;
  case MmaKind::MXF8F6F4:
    return isNarrowFloat(i.a) && isNarrowFloat(i.b) && i.d == Type::F32 && i.c == i.d;
  case MmaKind::MXF4:
  case MmaKind::MXF4NVF4:
    return i.a == Type::E2M1 && i.b == Type::E2M1 && i.d == Type::F32 && i.c == i.d;
  case MmaKind::Plain:
    break;
  }
  bool pair = (isFloat8(i.a) && isFloat8(i.b)) || (isInt8(i.a) && isInt8(i.b)) || (isInt4(i.a) && isInt4(i.b)) ||
              (i.a == i.b && bitWidth(i.a) != 4 && bitWidth(i.a) != 6);
  bool accumulator = i.isInteger                              ? i.d == Type::S32 && i.c == Type::S32
                     : i.a == Type::F64                       ? i.d == Type::F64 && i.c == Type::F64
                     : i.a == Type::BF16 || i.a == Type::TF32 ? i.d == Type::F32 && i.c == Type::F32
                     : i.quadPairs ? i.d == Type::F32 || (i.d == Type::F16 && i.c == Type::F16)
                                   : i.c == i.d;
  bool half = i.c == Type::F16 || i.c == Type::F32 || i.isInteger || i.a == Type::F64;
  return pair && accumulator && half;
}

/// .ue4m3 belongs to four factors a row. They are .ue8m0 from PTX 9.1 on only; ptxas of 9.0 refuses that.
bool scaleTypeExists(const OpReader &r, const MmaInfo &i) {
  if (i.scales != 4)
    return i.scale == Type::UE8M0;
  const ast::Module &m = r.function.linker.module;
  bool is91 = m.versionMajor > 9 || (m.versionMajor == 9 && m.versionMinor >= 1);
  return i.scale == Type::UE4M3 || (i.scale == Type::UE8M0 && is91);
}

/// Which lanes of four may hold the metadata: one, a pair, or all.
void checkSelector(OpReader &r, const MmaInfo &i) {
  unsigned wordsOfRow = i.shape.k / chunkElements(i.granularity()) * 4;
  unsigned bits = 2 * wordsOfRow, choices = 128 / bits;
  if (i.selector >= choices)
    r.fail("the sparsity selector must be less than " + std::to_string(choices));
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

void readShape(OpReader &r, MmaShape &s) {
  for (size_t n = 0; n < r.rest().size(); ++n)
    if (std::sscanf(r.rest()[n].c_str(), ".m%un%uk%u", &s.m, &s.n, &s.k) == 3)
      return r.takeAt(n);
  r.fail("needs a shape");
}

/// The layouts of A and B, in this order; one form only has a choice.
void readLayouts(OpReader &r, MmaInfo &i) {
  auto next = [&](const char *what) -> std::string {
    for (size_t n = 0; n < r.rest().size(); ++n)
      if (std::string layout = r.rest()[n]; layout == ".row" || layout == ".col") {
        r.takeAt(n);
        return layout;
      }
    r.fail(std::string("needs the layout of ") + what);
  };
  i.aColumnMajor = next("A") == ".col";
  i.bRowMajor = next("B") == ".row";
}

void readKind(OpReader &r, MmaInfo &i) {
  std::string kind = r.acceptAny({".kind::f8f6f4", ".kind::mxf8f6f4", ".kind::mxf4", ".kind::mxf4nvf4"});
  i.kind = kind.empty()                ? MmaKind::Plain
           : kind == ".kind::f8f6f4"   ? MmaKind::F8F6F4
           : kind == ".kind::mxf8f6f4" ? MmaKind::MXF8F6F4
           : kind == ".kind::mxf4"     ? MmaKind::MXF4
                                       : MmaKind::MXF4NVF4;
  if (i.kind < MmaKind::MXF8F6F4)
    return;
  r.expectAny({".block_scale"}, ".block_scale");
  std::string size = r.acceptAny({".scale_vec::1X", ".scale_vec::2X", ".scale_vec::4X"});
  unsigned usual = i.kind == MmaKind::MXF8F6F4 ? 1 : 2;
  if (size.empty() && i.kind == MmaKind::MXF4NVF4)
    r.fail("needs the size of scale vectors");
  i.scales = size.empty() ? usual : static_cast<unsigned>(size[12] - '0');
  if (i.scales != usual && !(i.scales == 4 && i.kind == MmaKind::MXF4NVF4))
    r.fail("this kind has no scale vectors of that size");
}

void readTypes(OpReader &r, MmaInfo &i) {
  Type *types[] = {&i.d, &i.a, &i.b, &i.c, &i.scale};
  for (unsigned n = 0; n < (i.scales ? 5u : 4u); ++n) {
    auto type = r.acceptType();
    if (!type)
      r.fail("needs " + std::string(i.scales ? "five" : "four") + " types");
    *types[n] = *type;
  }
  i.isBinary = i.a == Type::B1;
  i.isInteger = i.isBinary || i.d == Type::S32;
  i.quadPairs = i.a == Type::F16 && i.shape.m == 8;
  if (i.scales && !scaleTypeExists(r, i))
    r.fail("scale factors of that type do not exist here");
  if (!typesExist(i) || !shapeExists(i))
    r.fail("this combination of shape and types does not exist");
}

void readOptions(OpReader &r, MmaInfo &i) {
  if (i.isBinary) {
    i.binaryAnd = r.expectAny({".xor", ".and"}, ".xor or .and") == ".and";
    r.expectAny({".popc"}, ".popc");
  }
  if (i.a == Type::F64)
    if (auto rounding = r.acceptRounding()) {
      if (*rounding == Rounding::NearestAway)
        r.fail("there is no such rounding here");
      i.rounding = *rounding;
    }
  if (i.saturate && !i.isInteger)
    r.fail(".satfinite applies to integers");
  if (!i.quadPairs && (i.aColumnMajor || i.bRowMajor))
    r.fail("A is in .row, B in .col");
  if (i.sparse && !i.orderedMetadata && i.kind != MmaKind::Plain)
    r.fail("this kind needs .sp::ordered_metadata");
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void countRegisters(MmaInfo &i) {
  i.containerBits = i.mixedWidths() ? 8 : i.a == Type::TF32 ? 32 : bitWidth(i.a);
  i.registerBits = i.a == Type::F64 ? 64 : 32;
  unsigned perLane = 32 * i.registerBits;
  if (i.quadPairs) {
    i.aRegisters = i.bRegisters = 2;
    i.cRegisters = i.c == Type::F16 ? 4 : 8;
    i.dRegisters = i.d == Type::F16 ? 4 : 8;
    return;
  }
  i.aRegisters = i.shape.m * i.storedDepth() * i.containerBits / perLane;
  i.bRegisters = i.shape.n * i.shape.k * i.containerBits / perLane;
  i.dRegisters = i.cRegisters = i.shape.m * i.shape.n / 32 / (i.d == Type::F16 ? 2 : 1);
}

void addRegisters(OpReader &r, size_t operand, unsigned count, Type t, bool isResult) {
  auto list = r.elements(r.operand(operand));
  if (list.size() != count)
    r.fail("operand " + std::to_string(operand + 1) + " needs " + std::to_string(count) +
           (count == 1 ? " register" : " registers"));
  for (const ast::Operand *o : list)
    (isResult ? r.inst.d : r.inst.s).push_back(isResult ? r.destination(*o, t) : r.source(*o, t));
}

/// Refuses constants that select no scale factors; registers (ptxas takes them too) are looked at when it runs.
void checkScaleSelector(OpReader &r, const MmaInfo &i, size_t operand, unsigned threads) {
  auto list = r.elements(r.operand(operand));
  auto check = [&](const ast::Operand &o, unsigned step, unsigned end, const char *what) {
    if (o.kind == ast::Operand::Integer && (o.bits % step || o.bits >= end))
      r.fail("the " + std::string(what) + " of operand " + std::to_string(operand + 1) + " must be " +
             (step == end ? "0" : "less than " + std::to_string(end)) +
             (step > 1 && step < end ? " and a multiple of " + std::to_string(step) : ""));
  };
  check(*list[0], i.scales, 4, "byte");
  check(*list[1], 1, threads, "thread");
}

/// Scale data stand alone, as in the ISA's examples, or in braces, as in CUTLASS.
void readScales(OpReader &r, const MmaInfo &i, size_t operand, unsigned threads) {
  addRegisters(r, operand, 1, Type::B32, false);
  addRegisters(r, operand + 1, 2, Type::U16, false);
  checkScaleSelector(r, i, operand + 1, threads);
}

void readOperands(OpReader &r, MmaInfo &i) {
  Type word = i.a == Type::F64 ? Type::F64 : Type::B32;
  auto accumulator = [](Type t) { return t == Type::F16 ? Type::B32 : t; };
  size_t next = 4 + 2 * i.sparse, operands = next + (i.scales ? 4 : 0);
  r.expectCount(operands, operands);
  addRegisters(r, 0, i.dRegisters, accumulator(i.d), true);
  addRegisters(r, 1, i.aRegisters, word, false);
  addRegisters(r, 2, i.bRegisters, word, false);
  addRegisters(r, 3, i.cRegisters, accumulator(i.c), false);
  if (i.sparse) {
    addRegisters(r, 4, 1, Type::B32, false);
    i.selector = static_cast<unsigned>(r.integer(r.operand(5)));
    checkSelector(r, i);
  }
  if (i.scales) {
    readScales(r, i, next, 2);
    readScales(r, i, next + 2, 4);
  }
}

void decodeMma(OpReader &r) {
  auto info = std::make_shared<MmaInfo>();
  MmaInfo &i = *info;
  i.orderedMetadata = r.accept(".sp::ordered_metadata");
  i.sparse = r.accept(".sp") || i.orderedMetadata;
  r.expectAny({".sync"}, ".sync");
  r.expectAny({".aligned"}, ".aligned");
  readShape(r, i.shape);
  readLayouts(r, i);
  readKind(r, i);
  i.saturate = r.accept(".satfinite");
  readTypes(r, i);
  readOptions(r, i);
  countRegisters(i);
  readOperands(r, i);
  r.inst.opClass = OpClass::Mma;
  r.inst.flags |= kAligned;
  r.inst.extra = info;
  r.inst.handler = i.quadPairs ? executeQuadPairMma : executeMma;
}

} // namespace

void addMmaOps(OpcodeTable &t) {
  t["mma"] = decodeMma;
}

} // namespace ptxemu
